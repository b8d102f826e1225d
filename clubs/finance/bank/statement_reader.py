"""Reading a statement in any form: pasted lines, CAMT.053, MT940."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from clubs.finance.bank.camt_files import read_camt_statement
from clubs.finance.bank.mt940_files import read_mt940_statement
from clubs.finance.bank.statement_tables import find_currency_code, parse_signed_amount
from clubs.finance.bank.statements import ParsedStatement, ParsedStatementLine, RejectedStatementLine
from common.jobs.file_reading import READING
from common.jobs.kinds import register_job_kind
from common.problems import OfficerProblem
from common.tabular.spreadsheets import read_table
from common.tabular.subprocess_reader import is_light, read_in_subprocess
from common.tabular.text_tables import UnreadableTable, detect_encoding
from common.text.birth_dates import parse_date

SAMPLE_BYTES = 8192
MAX_STATEMENT_LINES = 20_000
"""The limit per statement: a club has fewer in ten years."""


CAMT, MT940 = "camt", "mt940"
_READERS = {CAMT: read_camt_statement, MT940: read_mt940_statement}
_CAMT_ROOT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:[\w.-]+:)?Document[\s>]", re.DOTALL)
_MT940_FIELDS = re.compile(r"^:20:[^\n]*\n(?:^(?!:20:).*\n)*?:25P?:[^\n]*\n(?:^(?!:20:).*\n)*?:60[FM]:", re.MULTILINE)
"""Reference, account and opening balance in this order, each at the beginning of a line."""


def recognise_message_format(data: bytes) -> str:
    """Return `camt` or `mt940`, depending on a file's structure. Empty for any other file, which is read as a table."""
    start = data[:SAMPLE_BYTES]
    text = start.decode(detect_encoding(start, is_sample=True), errors="replace")
    if _CAMT_ROOT.match(text):
        return CAMT
    return MT940 if _MT940_FIELDS.search(text.replace("\r\n", "\n")) else ""


def read_camt_or_mt940(data: bytes, *, today: date, chosen: str = "") -> ParsedStatement | None:
    """Return the statement if the file's `chosen` or recognised format is CAMT.053 or MT940, otherwise None.

    Raises OfficerProblem if the file is damaged. A file that is not light is read in a subprocess.
    """
    kind = chosen or recognise_message_format(data)
    read = _READERS.get(kind)
    if read is None:
        return None
    if is_light(data):
        return reject_invalid_lines(_not_too_many(read(data)), today=today)
    try:
        told = read_in_subprocess(f"{__name__}.statement_as_json", data, kind=kind)
    except UnreadableTable as unreadable:
        raise OfficerProblem(str(unreadable)) from unreadable
    if told["problem"]:
        raise OfficerProblem(told["problem"])
    return reject_invalid_lines(_statement_type().validate_python(told["statement"]), today=today)


def statement_as_json(data: bytes, *, kind: str) -> dict[str, Any]:
    """Read a CAMT.053 or MT940 file in this process, and return it, or what is wrong with it, as plain JSON."""
    try:
        statement = _not_too_many(_READERS[kind](data))
    except OfficerProblem as problem:
        return {"problem": problem.message, "statement": None}
    return {"problem": "", "statement": _statement_type().dump_python(statement, mode="json")}


def read_statement_file(data: bytes, *, chosen: str) -> None:
    """Read a statement in a job and store the result for pages. Without a `chosen` format, detect it."""
    with suppress(OfficerProblem):
        if chosen not in ("", CAMT, MT940) or read_camt_or_mt940(data, today=date.max, chosen=chosen) is None:
            read_table(data)


READ_STATEMENT_TASK = register_job_kind("clubs.tasks.read_statement", READING)


@cache
def _statement_type() -> TypeAdapter[ParsedStatement]:
    """Return the converter of statements to and from JSON. Building it would slow down the start of a server."""
    return TypeAdapter(ParsedStatement)


def read_pasted_statement(text: str, *, today: date) -> ParsedStatement:
    """Read lines in the form `date; amount; text`."""
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
    """Remove lines dated in the future and report them as problems. Also remove lines without an amount."""
    problems = list(statement.problems)
    good = []
    for place, line in enumerate(statement.lines, start=1):
        if line.booked_on > today:
            problems.append(
                RejectedStatementLine(line=place, text=line.text[:120], problem=_("The date is in the future."))
            )
        elif line.amount:
            good.append(line)
    return replace(statement, lines=tuple(good), problems=tuple(problems))


def _not_too_many(statement: ParsedStatement) -> ParsedStatement:
    if len(statement.lines) > MAX_STATEMENT_LINES:
        raise OfficerProblem(
            _(
                "The statement has more than %(limit)s transactions. Download a statement for a shorter period "
                "from the bank."
            )
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
