"""Statements as SWIFT's MT940 messages, with the fields that German, Polish and Czech banks put into line 86."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import mt940
from django.utils.translation import gettext as _

from clubs.finance.bank.statements import ClosingBalance, ParsedStatement, ParsedStatementLine
from common.problems import OfficerProblem
from common.tabular.text_tables import detect_encoding
from common.text.amounts import MAX_AMOUNT
from common.text.ibans import parse_iban

_MARKS = mt940.Options(reversal_sign=True, case_insensitive_marks=True)
"""A reversed credit (RC) is outgoing money: the library reports it so only with this option."""

_FIELD = re.compile(r"[?~^<](\d\d)")
_SEPA = re.compile(r"(?:EREF|KREF|MREF|CRED|DEBT|ABWA|ABWE|IBAN|BIC|PURP)\+\S*\s?")


def read_mt940_statement(data: bytes) -> ParsedStatement:
    """Return the lines of all statements in a file, and each account's closing balance (field 62F).

    Raises OfficerProblem if it isn't such a file.
    """
    lines: list[ParsedStatementLine] = []
    balances: list[ClosingBalance] = []
    for parsed in _parsed(data):
        account = _account(parsed)
        try:
            lines += [_line(each.data, account) for each in parsed if "amount" in each.data]
        except _DAMAGED as error:
            raise OfficerProblem(_("This isn't an MT940 statement, or it is damaged.")) from error
        balance = parsed.data.get("final_closing_balance")
        if balance is None:
            continue
        cents = balance.amount.amount * 100
        if cents == cents.to_integral_value() and abs(cents) <= MAX_AMOUNT:
            currency = _currency(balance.amount)
            on = _day(balance.date)
            balances.append(ClosingBalance(own_account=account, on=on, amount=int(cents), currency=currency))
    if not lines and b":62" not in data:
        raise OfficerProblem(_("This isn't an MT940 statement, or it is damaged."))
    return ParsedStatement(lines=tuple(lines), balances=tuple(balances))


_DAMAGED = (ValueError, TypeError, KeyError, ArithmeticError, RuntimeError, AssertionError)


def _parsed(data: bytes) -> Iterator[mt940.models.Transactions]:
    text = data.decode(detect_encoding(data), errors="replace").replace("\r\n", "\n").replace("\0", "")
    for message in _messages(text):
        parsed = mt940.models.Transactions(processors={"post_transaction_details": []}, options=_MARKS)
        try:
            parsed.parse(message)
        except _DAMAGED as error:
            raise OfficerProblem(_("This isn't an MT940 statement, or it is damaged.")) from error
        yield parsed


def _account(parsed: mt940.models.Transactions) -> str:
    return str(parsed.data.get("account_identification", ""))


def _messages(text: str) -> list[str]:
    """Split the text into statements: each begins with its field 20."""
    return [part for part in re.split(r"(?m)^(?=:20:)", text) if part.startswith(":20:")]


def _line(data: dict[str, Any], account: str) -> ParsedStatementLine:
    details = str(data.get("transaction_details") or "")
    fields = _fields(details)
    numbers = [parse_iban(fields.get(key, "")) for key in ("31", "38")]
    purpose = "".join(fields.get(f"{key:02}", "") for key in (*range(20, 30), *range(60, 66)))
    extra = str(data.get("extra_details") or "")
    text = purpose if fields else " ".join(f"{details} {extra}".split())
    cents = data["amount"].amount * 100
    if cents != cents.to_integral_value() or abs(cents) > MAX_AMOUNT:
        raise ValueError(cents)
    reference = str(data.get("bank_reference") or "")
    return ParsedStatementLine(
        booked_on=_day(data.get("entry_date") or data["date"]),
        amount=int(cents),
        # The payer's own text follows this mark; the banks' references come before it.
        text=_SEPA.sub("", text.partition("SVWZ+")[2] or text).strip(),
        party=" ".join(filter(None, (fields.get(key, "").strip() for key in ("32", "33")))),
        party_account=next(filter(None, numbers), fields.get("31", "")),
        own_account=account,
        bank_reference=reference,
        currency=_currency(data["amount"]),
    )


def _currency(amount: mt940.models.Amount) -> str:
    """Return the statement's currency, from field 60F, as its lines have none of their own."""
    return str(amount.currency or "").upper()


def _day(day: date) -> date:
    """Convert the library's own date type to Python's."""
    return date(day.year, day.month, day.day)


def _fields(details: str) -> dict[str, str]:
    """Return the numbered fields of line 86. Empty if it is plain text. Banks break lines anywhere."""
    pieces = _FIELD.split(details.replace("\n", ""))
    if len(pieces) < 5:
        return {}
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))
