"""Statements as tables: what each column of a bank's CSV is, said once, and what the headings themselves say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from clubs.bank.statements import BadStatementLine, Statement, StatementLine
from clubs.files.spreadsheets import Table, read_table
from clubs.files.text_tables import TableRow
from clubs.models import BankTable, Club
from clubs.problems import OfficerProblem
from clubs.writing.amounts import Cents, read_amount
from clubs.writing.births import read_date
from clubs.writing.searching import plain

LINES_ABOVE = 20
COLUMNS = ("day", "amount", "credit", "debit", "party", "party_account", "text", "reference")
_HEADINGS = {
    "day": "buchungstag|buchungsdatum|booking date|date|data operacji|data ksiegowania|data|datum zauctovani|datum"
    "|data na operaciata",
    "amount": "betrag|umsatz|amount|kwota|kwota operacji|castka|objem|suma",
    "credit": "haben|credit|uznania|pripsano|kredit",
    "debit": "soll|debit|obciazenia|odepsano|debet",
    "party": "auftraggeber/empfanger|auftraggeber/empfaenger|name zahlungsbeteiligter"
    "|beguenstigter/zahlungspflichtiger|counterparty|name|nadawca/odbiorca"
    "|nadawca / odbiorca|odbiorca/nadawca|odbiorca / nadawca|kontrahent|payee|recipient"
    "|nazwa kontrahenta|nazev protiuctu|nazev protistrany|kontragent",
    "party_account": "iban zahlungsbeteiligter|kontonummer/iban|counterparty account|iban|nr rachunku"
    "|rachunek kontrahenta|cislo protiuctu|protiucet",
    "text": "verwendungszweck|reference|details|description|title"
    "|tytul|tytul przelewu|opis operacji|tytulem|zprava pro prijemce|poznamka|osnovanie",
    "reference": "transaction id|bank reference|id transakcji|numer referencyjny|id pohybu|id transakce",
}
_CURRENCY = re.compile(r"\s*[A-Z]{3}\Z|^[A-Z]{3}\s*|[€$]|zł|Kč|лв\.?")

_SIGNED = re.compile(r"(?P<before>[-+(]?)\s*(?P<amount>[^-+()]+?)\s*(?P<behind>[-+)]?)")


def signature(table: Table) -> str:
    """By what a bank's table is known again."""
    return ";".join(" ".join(plain(heading).split()) for heading in table.headings)[:1000]


def columns_for(club: Club, table: Table) -> dict[str, int]:
    """What the columns are: as was said for this bank before, else as the headings say."""
    known = BankTable.objects.filter(club=club, headings=signature(table)).first()
    return dict(known.columns) if known is not None else _said_by(table.headings)


def _said_by(headings: Sequence[str]) -> dict[str, int]:
    plainly = [" ".join(plain(heading).split()) for heading in headings]
    found: dict[str, int] = {}
    for name, words in _HEADINGS.items():
        place = next((plainly.index(word) for word in words.split("|") if word in plainly), None)
        if place is not None and place not in found.values():
            found[name] = place
    return found


def are_enough(columns: Mapping[str, int]) -> bool:
    """A day and an amount are needed; the amount may stand in two columns."""
    return "day" in columns and ("amount" in columns or ("credit" in columns and "debit" in columns))


def remember(club: Club, table: Table, columns: Mapping[str, int]) -> None:
    """Know this bank's table the next time."""
    BankTable.objects.update_or_create(club=club, headings=signature(table), defaults={"columns": dict(columns)})


def read_bank_table(data: bytes) -> Table:
    """The file as a table, from its headings on: banks write account and dates above it. OfficerProblem for none."""
    table = read_table(data)
    for place, line in enumerate(table.lines[:LINES_ABOVE]):
        if are_enough(_said_by(line.cells)):
            table = replace(table, lines=table.lines[place:])
            break
    if table.problems or not table.headings:
        raise OfficerProblem(str(table.problems[0]) if table.problems else _("The file is empty."))
    return table


def lines_of(table: Table, columns: Mapping[str, int], *, own_account: str = "") -> Statement:
    """The lines of a table whose columns are known, of an account; those that cannot be read are told."""
    lines, problems = [], []
    for row in table.rows:
        try:
            line = replace(_line(row, columns), own_account=own_account)
        except ValueError as error:
            told = _("“%(text)s” is no date and amount.") % {"text": str(error)}
            problems.append(BadStatementLine(line=row.line, text="; ".join(row.cells)[:120], problem=told))
        else:
            lines += [line] if line.amount else []
    return Statement(lines=tuple(lines), problems=tuple(problems))


def _line(row: TableRow, columns: Mapping[str, int]) -> StatementLine:
    def cell(name: str) -> str:
        place = columns.get(name)
        return row.cells[place].strip() if place is not None and place < len(row.cells) else ""

    if "amount" in columns:
        amount = signed_amount(cell("amount"))
    else:
        amount = abs(signed_amount(cell("credit") or "0")) - abs(signed_amount(cell("debit") or "0"))
    return StatementLine(
        booked_on=read_date(cell("day").split(" ")[0]),
        amount=amount,
        text=cell("text"),
        party=cell("party"),
        party_account=cell("party_account"),
        bank_reference=cell("reference"),
    )


def signed_amount(text: str) -> Cents:
    """Cents of an amount with its sign before or behind it and perhaps its currency; raises ValueError."""
    bare = _CURRENCY.sub("", text.strip()).replace("\u2212", "-").strip()
    match = _SIGNED.fullmatch(bare)
    if match is None:
        raise ValueError(text)
    cents = read_amount(match["amount"])
    return -cents if match["before"] in ("-", "(") or match["behind"] == "-" else cents
