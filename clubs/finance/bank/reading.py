"""A statement in whatever form it comes: pasted lines, CAMT.053, MT940, a bank's table."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _

from clubs.finance.bank.camt import read_camt
from clubs.finance.bank.mt940_files import read_mt940
from clubs.finance.bank.statements import BadStatementLine, Statement, StatementLine
from clubs.finance.bank.tables import currency_in, signed_amount
from common.problems import OfficerProblem
from common.text.births import read_date

LOOKED_AT = 4096
MOST_LINES = 20_000
"""Of one statement, as of a table: a club has fewer in ten years."""


def read_messages(data: bytes, *, today: date) -> Statement | None:
    """The lines of a CAMT.053 or MT940 file; None for anything else, which is a table then.

    Raises OfficerProblem for a damaged one.
    """
    start = data[:LOOKED_AT]
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", b"\xff\xfe<", b"\xfe\xff")):
        return checked(_not_too_many(read_camt(data)), today=today)
    if b":20:" in start and b":25" in start:
        return checked(_not_too_many(read_mt940(data)), today=today)
    return None


def read_pasted(text: str, *, today: date) -> Statement:
    """Lines as `date; amount; text`."""
    lines, problems = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            lines.append(_pasted(line))
        except ValueError as error:
            problems.append(BadStatementLine(line=number, text=line[:120], problem=str(error)))
    return checked(Statement(lines=tuple(lines), problems=tuple(problems)), today=today)


def checked(statement: Statement, *, today: date) -> Statement:
    """Without the lines that are dated in the future or of nothing, which are told."""
    problems = list(statement.problems)
    good = []
    for place, line in enumerate(statement.lines, start=1):
        if line.booked_on > today:
            problems.append(BadStatementLine(line=place, text=line.text[:120], problem=_("The date is in the future.")))
        elif line.amount:
            good.append(line)
    return Statement(lines=tuple(good), problems=tuple(problems), balances=statement.balances)


def _not_too_many(statement: Statement) -> Statement:
    if len(statement.lines) > MOST_LINES:
        raise OfficerProblem(
            _("The statement has more than %(limit)s lines: load a shorter time from the bank.") % {"limit": MOST_LINES}
        )
    return statement


def _pasted(line: str) -> StatementLine:
    parts = [part.strip() for part in line.replace("\t", ";").split(";", 2)]
    if len(parts) < 3:
        raise ValueError(_("A date, an amount and a text are expected, with ; between."))
    try:
        on = read_date(parts[0])
    except ValueError as error:
        raise ValueError(_("“%(text)s” is no date.") % {"text": parts[0]}) from error
    try:
        amount = signed_amount(parts[1])
    except ValueError as error:
        raise ValueError(_("“%(text)s” is no amount.") % {"text": parts[1]}) from error
    if not amount:
        raise ValueError(_("The amount is nothing."))
    return StatementLine(booked_on=on, amount=amount, text=parts[2], currency=currency_in(parts[1]))
