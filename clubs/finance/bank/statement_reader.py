"""Reading a statement in any form: pasted lines, CAMT.053, MT940."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _

from clubs.finance.bank.camt_files import read_camt_statement
from clubs.finance.bank.mt940_files import read_mt940_statement
from clubs.finance.bank.statement_tables import find_currency_code, parse_signed_amount
from clubs.finance.bank.statements import ParsedStatement, ParsedStatementLine, RejectedStatementLine
from common.problems import OfficerProblem
from common.text.birth_dates import parse_date

SAMPLE_BYTES = 4096
MAX_STATEMENT_LINES = 20_000
"""The limit per statement: a club has fewer in ten years."""


def read_camt_or_mt940(data: bytes, *, today: date) -> ParsedStatement | None:
    """Return the statement of a CAMT.053 or MT940 file, or None for any other file, which is read as a table.

    Raises OfficerProblem if the file is damaged.
    """
    start = data[:SAMPLE_BYTES]
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", b"\xff\xfe<", b"\xfe\xff")):
        return reject_invalid_lines(_not_too_many(read_camt_statement(data)), today=today)
    if b":20:" in start and b":25" in start:
        return reject_invalid_lines(_not_too_many(read_mt940_statement(data)), today=today)
    return None


def read_pasted_statement(text: str, *, today: date) -> ParsedStatement:
    """Read lines of the form `date; amount; text`."""
    lines, problems = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            lines.append(_pasted(line))
        except ValueError as error:
            problems.append(RejectedStatementLine(line=number, text=line[:120], problem=str(error)))
    return reject_invalid_lines(ParsedStatement(lines=tuple(lines), problems=tuple(problems)), today=today)


def reject_invalid_lines(statement: ParsedStatement, *, today: date) -> ParsedStatement:
    """Remove lines dated in the future, listing them as problems, and lines without an amount."""
    problems = list(statement.problems)
    good = []
    for place, line in enumerate(statement.lines, start=1):
        if line.booked_on > today:
            problems.append(
                RejectedStatementLine(line=place, text=line.text[:120], problem=_("The date is in the future."))
            )
        elif line.amount:
            good.append(line)
    return ParsedStatement(lines=tuple(good), problems=tuple(problems), balances=statement.balances)


def _not_too_many(statement: ParsedStatement) -> ParsedStatement:
    if len(statement.lines) > MAX_STATEMENT_LINES:
        raise OfficerProblem(
            _("The statement has more than %(limit)s transactions. Download a shorter period from the bank.")
            % {"limit": MAX_STATEMENT_LINES}
        )
    return statement


def _pasted(line: str) -> ParsedStatementLine:
    parts = [part.strip() for part in line.replace("\t", ";").split(";", 2)]
    if len(parts) < 3:
        raise ValueError(_("Enter a date, an amount and a description, separated by semicolons."))
    try:
        on = parse_date(parts[0])
    except ValueError as error:
        raise ValueError(_("“%(text)s” is not a date.") % {"text": parts[0]}) from error
    try:
        amount = parse_signed_amount(parts[1])
    except ValueError as error:
        raise ValueError(_("“%(text)s” is not an amount.") % {"text": parts[1]}) from error
    if not amount:
        raise ValueError(_("The amount can't be 0."))
    return ParsedStatementLine(booked_on=on, amount=amount, text=parts[2], currency=find_currency_code(parts[1]))
