"""Statements as tables: the columns of a bank's file, as chosen before, by its format, or by its headings."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from django.utils.translation import gettext as _

from clubs.finance.bank.bank_formats import BankFormat, place_of_heading
from clubs.finance.bank.statement_headings import CURRENCY_BEHIND_HEADING, normalise_heading
from clubs.finance.bank.statements import ParsedStatement, ParsedStatementLine, RejectedStatementLine
from clubs.models import BankCsvLayout, Club
from common.problems import OfficerProblem
from common.tabular.column_mapping import find_heading_line
from common.tabular.parsed_table import ParsedTable
from common.tabular.spreadsheets import read_table
from common.tabular.text_tables import TableRow
from common.text.amounts import Cents, parse_amount
from common.text.birth_dates import parse_date
from common.text.name_search import normalise_name

STATEMENT_COLUMNS = (
    "day",
    "amount",
    "credit",
    "debit",
    "currency",
    "party",
    "payee",
    "party_account",
    "text",
    "symbol",
    "reference",
    "fee",
)
MAX_HEADING_LINE = 60
"""The last line that may be a heading line. Some banks write a page of totals above it."""
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
    "|nazwa kontrahenta|nazev protiuctu|nazev uctu protiuctu|nazev protistrany|jmeno protistrany|kontragent",
    "party_account": "iban zahlungsbeteiligter|kontonummer/iban|counterparty account|iban|nr rachunku"
    "|rachunek kontrahenta|cislo protiuctu|cislo uctu protiuctu|protiucet|kto.",
    "text": "verwendungszweck|reference|details|description|title"
    "|tytul|tytul przelewu|opis operacji|tytulem|zprava pro prijemce|poznamka|osnovanie|vorgang",
    "symbol": "variabilni symbol|vs",
    "reference": "transaction id|bank reference|id transakcji|numer referencyjny|id pohybu|id transakce",
}
_CURRENCY = re.compile(r"\s*[A-Z]{3}\Z|^[A-Z]{3}\s*|[€$]|zł|Kč|лв\.?")
_NAMED = re.compile(r"(?<![^\W\d_])[A-Z]{3}(?![^\W\d_])|€|zł|Kč|лв")
_CODES = {"€": "EUR", "zł": "PLN", "Kč": "CZK", "лв": "BGN"}
"""Symbols of a single currency; several countries use $."""
_SIGNED = re.compile(r"(?P<before>[-+(]?)\s*(?P<amount>[^-+()]+?)\s*(?P<behind>[-+)]?)")
_SHORT_YEAR = re.compile(r"(\d\d?[./]\d\d?[./])(\d\d)", re.ASCII)


def heading_fingerprint(headings: Sequence[str]) -> str:
    """Return the text that identifies a bank's table."""
    return ";".join(" ".join(normalise_name(heading).split()) for heading in headings)[:1000]


def detect_columns(club: Club, table: ParsedTable, bank: BankFormat | None = None) -> dict[str, int]:
    """Return the columns saved for these headings, else the bank format's, else a guess from the headings."""
    known = BankCsvLayout.objects.filter(club=club, headings=heading_fingerprint(table.headings)).first()
    if known is not None:
        return dict(known.columns)
    return _said_by(table.headings) if bank is None else bank.columns_of(table.headings)


def known_heading_fingerprints(club: Club) -> frozenset[str]:
    """Return the heading fingerprints of the club's saved column layouts."""
    return frozenset(BankCsvLayout.objects.filter(club=club).values_list("headings", flat=True))


def _said_by(headings: Sequence[str]) -> dict[str, int]:
    plainly = [normalise_heading(heading) for heading in headings]
    found: dict[str, int] = {}
    for name, words in _HEADINGS.items():
        place = next((plainly.index(word) for word in words.split("|") if word in plainly), None)
        if place is not None and place not in found.values():
            found[name] = place
    return found


def has_required_columns(columns: Mapping[str, int]) -> bool:
    """Return True if there are columns for a date and an amount. The amount may be in two columns."""
    return "day" in columns and ("amount" in columns or ("credit" in columns and "debit" in columns))


def save_column_layout(club: Club, table: ParsedTable, columns: Mapping[str, int]) -> None:
    """Save the columns of this bank's table for next time."""
    BankCsvLayout.objects.update_or_create(
        club=club, headings=heading_fingerprint(table.headings), defaults={"columns": dict(columns)}
    )


def read_bank_table(data: bytes, *, known: Container[str] = (), headings_in: int | None = None) -> ParsedTable:
    """Read an unknown bank's file as a table, starting at its headings, because banks write other data above them.

    The headings are in line `headings_in`, counted from 1. Else they are found by a `known` fingerprint, by known
    words, or as the first line that looks like headings. Raises OfficerProblem if it isn't a table.
    """
    table = read_table(data)
    if table.problems or not table.headings:
        raise OfficerProblem(str(table.problems[0]) if table.problems else _("The file is empty."))
    for has_headings in (
        lambda row: row.line == headings_in,
        lambda row: heading_fingerprint(row.cells) in known,
        lambda row: has_required_columns(_said_by(row.cells)),
    ):
        if (place := find_heading_line(table.lines, has_headings, most=MAX_HEADING_LINE)) is not None:
            return replace(table, lines=table.lines[place:])
    return replace(table, lines=table.lines[_looks_like_headings(table.lines[:MAX_HEADING_LINE]) :])


def possible_heading_lines(data: bytes) -> list[TableRow]:
    """Return the lines that may contain the headings."""
    return [line for line in read_table(data).lines[:MAX_HEADING_LINE] if sum(map(bool, line.cells)) > 1]


def _looks_like_headings(lines: Sequence[TableRow]) -> int:
    """Return the index of the first wide line without digits. Dates, amounts and account numbers have digits."""
    widths = [sum(map(bool, line.cells)) for line in lines]
    widest = max(widths)
    for place, line in enumerate(lines):
        if widths[place] > 1 and widths[place] * 2 > widest and not any(map(_has_figures, line.cells)):
            return place
    return widths.index(widest)


def _has_figures(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def parse_statement_table(
    table: ParsedTable, columns: Mapping[str, int], *, bank: BankFormat | None = None, own_account: str = ""
) -> ParsedStatement:
    """Read the lines in a table with these columns, for one account. Unreadable lines are listed as problems.

    `bank` says how dates and amounts are written, and which lines the bank has not booked. Those are only counted.
    Rows without a date are not transactions in its tables, but totals.
    """
    lines: list[ParsedStatementLine] = []
    problems = []
    usual = _currency_of_heading(table.headings, columns)
    status = place_of_heading(bank.status, table.headings) if bank is not None and bank.status else None
    not_booked = 0
    for row in table.rows:
        if bank is not None and status is not None and not bank.is_booked(row.cell(status)):
            not_booked += any(row.cells)
            continue
        if bank is not None and not row.cell(columns.get("day")):
            continue
        try:
            found = _lines(row, columns, table.headings, bank)
        except ValueError as error:
            told = _("“%(text)s” doesn't contain a date and an amount.") % {"text": str(error)}
            problems.append(RejectedStatementLine(line=row.line, text="; ".join(row.cells)[:120], problem=told))
        else:
            lines += [
                replace(line, own_account=own_account, currency=line.currency or usual) for line in found if line.amount
            ]
    return ParsedStatement(lines=tuple(lines), problems=tuple(problems), not_booked_count=not_booked)


def _lines(
    row: TableRow, columns: Mapping[str, int], headings: Sequence[str], bank: BankFormat | None
) -> list[ParsedStatementLine]:
    """Return the transaction of a row, and its fee as one of its own."""

    def cell_text(name: str) -> str:
        return row.cell(columns.get(name))

    decimal = bank.decimal if bank else ""
    written = " ".join(filter(None, map(cell_text, ("amount", "credit", "debit"))))
    if "amount" in columns:
        amount = parse_signed_amount(cell_text("amount"), decimal=decimal)
    else:
        amount = abs(parse_signed_amount(cell_text("credit") or "0", decimal=decimal)) - abs(
            parse_signed_amount(cell_text("debit") or "0", decimal=decimal)
        )
    line = ParsedStatementLine(
        booked_on=_date(cell_text("day"), bank.dates if bank else ()),
        amount=amount,
        text=_text(row, columns, headings, bank),
        party=(cell_text("payee") if amount < 0 else "") or cell_text("party"),
        party_account=cell_text("party_account").strip("'"),
        bank_reference=cell_text("reference"),
        currency=find_currency_code(cell_text("currency")) or find_currency_code(written),
    )
    fee = abs(parse_signed_amount(cell_text("fee") or "0", decimal=decimal))
    # The fee's own line keeps the amount that somebody paid. Its text is from the file, so it is the same next time.
    return [line, replace(line, amount=-fee, text=f"{headings[columns['fee']]}: {line.text}")] if fee else [line]


def _text(row: TableRow, columns: Mapping[str, int], headings: Sequence[str], bank: BankFormat | None) -> str:
    symbol = row.cell(columns.get("symbol")).lstrip("0")
    more = [row.cell(place_of_heading(name, headings)) for name in (bank.more_text if bank else ())]
    texts = [row.cell(columns.get("text")), *more, f"VS {symbol}" if symbol else ""]
    return " ".join(dict.fromkeys(filter(None, texts)))


def _date(text: str, forms: Sequence[str]) -> date:
    """Return the date in a text with an optional time behind it. Excel's dates come year first."""
    day = re.split(r"[ T]", text, maxsplit=1)[0]
    for form in forms:
        try:
            return datetime.strptime(day, form).date()
        except ValueError:
            continue
    return parse_date(_SHORT_YEAR.sub(_whole_year, day))


def _whole_year(found: re.Match[str]) -> str:
    return f"{found[1]}20{found[2]}" if found.end() == len(found.string) else found[0]


def _currency_of_heading(headings: Sequence[str], columns: Mapping[str, int]) -> str:
    place = columns.get("amount", columns.get("credit"))
    found = CURRENCY_BEHIND_HEADING.search(headings[place]) if place is not None and place < len(headings) else None
    return find_currency_code(found["code"] or found["mark"]) if found else ""


def find_currency_code(text: str) -> str:
    """Return the currency code in a text. Empty if there is none, or only a symbol that several countries use."""
    found = _NAMED.search(text)
    return _CODES.get(found[0], found[0]) if found else ""


def parse_signed_amount(text: str, *, decimal: str = "") -> Cents:
    """Parse an amount with its sign before or after it and an optional currency. Return cents. Raises ValueError.

    With the `decimal` mark, the other mark only groups digits.
    """
    bare = _CURRENCY.sub("", text.strip()).replace("\u2212", "-").strip()
    if decimal:
        bare = bare.replace(",.".replace(decimal, ""), "").replace(decimal, ".")
    match = _SIGNED.fullmatch(bare)
    if match is None:
        raise ValueError(text)
    cents = parse_amount(match["amount"])
    return -cents if match["before"] in ("-", "(") or match["behind"] == "-" else cents
