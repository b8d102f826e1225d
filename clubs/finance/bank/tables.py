"""Statements as tables: what each column of a bank's CSV is, said once, and what the headings themselves say."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from clubs.finance.bank.statements import BadStatementLine, Statement, StatementLine
from clubs.models import BankTable, Club
from common.problems import OfficerProblem
from common.tabular.spreadsheets import Table, read_table
from common.tabular.text_tables import TableRow
from common.text.amounts import Cents, read_amount
from common.text.births import read_date
from common.text.searching import plain

LINES_ABOVE = 20
COLUMNS = ("day", "amount", "credit", "debit", "currency", "party", "payee", "party_account", "text", "reference")
_HEADINGS = {
    "day": "buchungstag|buchungsdatum|booking date|date|data operacji|data ksiegowania|data|datum zauctovani|datum"
    "|data na operaciata|wertstellung|wertstellungstag|valuta|value date|data waluty",
    "amount": "betrag|umsatz|amount|kwota|kwota operacji|kwota transakcji|castka|objem|suma|montant|importe|importo",
    "credit": "haben|credit|uznania|pripsano|kredit",
    "debit": "soll|debit|obciazenia|odepsano|debet",
    "currency": "wahrung|waehrung|currency|waluta|mena|valuta operacie|devise|divisa|moneda",
    "payee": "zahlungsempfanger*in|zahlungsempfanger|zahlungsempfaenger",
    "party": "auftraggeber/empfanger|auftraggeber/empfaenger|name zahlungsbeteiligter|zahlungspflichtige*r"
    "|beguenstigter/zahlungspflichtiger|counterparty|name|nadawca/odbiorca"
    "|nadawca / odbiorca|odbiorca/nadawca|odbiorca / nadawca|kontrahent|payee|recipient"
    "|nazwa kontrahenta|nazev protiuctu|nazev protistrany|kontragent",
    "party_account": "iban zahlungsbeteiligter|kontonummer/iban|counterparty account|iban|nr rachunku"
    "|rachunek kontrahenta|cislo protiuctu|protiucet|kto.",
    "text": "verwendungszweck|reference|details|description|title"
    "|tytul|tytul przelewu|opis operacji|tytulem|zprava pro prijemce|poznamka|osnovanie|vorgang",
    "reference": "transaction id|bank reference|id transakcji|numer referencyjny|id pohybu|id transakce",
}
_CURRENCY = re.compile(r"\s*[A-Z]{3}\Z|^[A-Z]{3}\s*|[€$]|zł|Kč|лв\.?")
_NAMED = re.compile(r"(?<![^\W\d_])[A-Z]{3}(?![^\W\d_])|€|zł|Kč|лв")
_CODES = {"€": "EUR", "zł": "PLN", "Kč": "CZK", "лв": "BGN"}
"""Marks that are one currency's alone: $ is many countries'."""
_BEHIND_A_HEADING = re.compile(
    r"\s*(?:\bin|\bw|\bv)?\s*[(\[]?\b(?P<code>[A-Z]{3})\b[)\]]?\Z|\s*[(\[](?P<mark>[^)\]]+)[)\]]\Z"
)
"""The currency in "Umsatz in EUR", "Betrag (€)", "Kwota PLN"."""

_SIGNED = re.compile(r"(?P<before>[-+(]?)\s*(?P<amount>[^-+()]+?)\s*(?P<behind>[-+)]?)")
_SHORT_YEAR = re.compile(r"(\d\d?[./]\d\d?[./])(\d\d)", re.ASCII)


def signature(table: Table) -> str:
    """By what a bank's table is known again."""
    return ";".join(" ".join(plain(heading).split()) for heading in table.headings)[:1000]


def columns_for(club: Club, table: Table) -> dict[str, int]:
    """What the columns are: as was said for this bank before, else as the headings say."""
    known = BankTable.objects.filter(club=club, headings=signature(table)).first()
    return dict(known.columns) if known is not None else _said_by(table.headings)


def known_tables(club: Club) -> frozenset[str]:
    """The signatures of the tables that were said before."""
    return frozenset(BankTable.objects.filter(club=club).values_list("headings", flat=True))


def _said_by(headings: Sequence[str]) -> dict[str, int]:
    plainly = [" ".join(plain(_BEHIND_A_HEADING.sub("", heading) or heading).split()) for heading in headings]
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


def read_bank_table(data: bytes, *, known: Container[str] = (), headings_in: int | None = None) -> Table:
    """The file as a table, from its headings on: banks write account and dates above it. OfficerProblem for none.

    The headings stand in the line of the file that is said, counted from 1; else where those of a bank `known` by its
    signature stand, or headings that are known; else in the first line that looks like some.
    """
    table = read_table(data)
    if table.problems or not table.headings:
        raise OfficerProblem(str(table.problems[0]) if table.problems else _("The file is empty."))
    first = table.lines[:LINES_ABOVE]
    said = (place for place, line in enumerate(first) if line.line == headings_in)
    remembered = (place for place in range(len(first)) if signature(replace(table, lines=first[place:])) in known)
    by_words = (place for place, line in enumerate(first) if are_enough(_said_by(line.cells)))
    place = next((found for places in (said, remembered, by_words) for found in places), None)
    return replace(table, lines=table.lines[_looks_like_headings(first) if place is None else place :])


def first_lines(data: bytes) -> list[TableRow]:
    """The lines in one of which the headings stand."""
    return [line for line in read_table(data).lines[:LINES_ABOVE] if sum(map(bool, line.cells)) > 1]


def _looks_like_headings(lines: Sequence[TableRow]) -> int:
    """The first line that is wide enough and without figures, which dates, amounts and account numbers have."""
    widths = [sum(map(bool, line.cells)) for line in lines]
    widest = max(widths)
    for place, line in enumerate(lines):
        if widths[place] > 1 and widths[place] * 2 > widest and not any(map(_has_figures, line.cells)):
            return place
    return widths.index(widest)


def _has_figures(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def lines_of(table: Table, columns: Mapping[str, int], *, own_account: str = "") -> Statement:
    """The lines of a table whose columns are known, of an account; those that cannot be read are told."""
    lines, problems = [], []
    usual = _currency_of_heading(table.headings, columns)
    for row in table.rows:
        try:
            line = _line(row, columns)
            line = replace(line, own_account=own_account, currency=line.currency or usual)
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

    written = " ".join(filter(None, map(cell, ("amount", "credit", "debit"))))
    if "amount" in columns:
        amount = signed_amount(cell("amount"))
    else:
        amount = abs(signed_amount(cell("credit") or "0")) - abs(signed_amount(cell("debit") or "0"))
    return StatementLine(
        booked_on=read_date(_SHORT_YEAR.sub(_whole_year, cell("day").split(" ")[0])),
        amount=amount,
        text=cell("text"),
        party=(cell("payee") if amount < 0 else "") or cell("party"),
        party_account=cell("party_account"),
        bank_reference=cell("reference"),
        currency=currency_in(cell("currency")) or currency_in(written),
    )


def _whole_year(found: re.Match[str]) -> str:
    return f"{found[1]}20{found[2]}" if found.end() == len(found.string) else found[0]


def _currency_of_heading(headings: Sequence[str], columns: Mapping[str, int]) -> str:
    place = columns.get("amount", columns.get("credit"))
    found = _BEHIND_A_HEADING.search(headings[place]) if place is not None and place < len(headings) else None
    return currency_in(found["code"] or found["mark"]) if found else ""


def currency_in(text: str) -> str:
    """The code of the currency that a text names; empty where it names none, or the mark of many countries."""
    found = _NAMED.search(text)
    return _CODES.get(found[0], found[0]) if found else ""


def signed_amount(text: str) -> Cents:
    """Cents of an amount with its sign before or behind it and perhaps its currency; raises ValueError."""
    bare = _CURRENCY.sub("", text.strip()).replace("\u2212", "-").strip()
    match = _SIGNED.fullmatch(bare)
    if match is None:
        raise ValueError(text)
    cents = read_amount(match["amount"])
    return -cents if match["before"] in ("-", "(") or match["behind"] == "-" else cents
