"""Statements in XML: CAMT.053 (ISO 20022) in any version. The lines of a batch entry are read one by one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _

from clubs.finance.bank.statements import ClosingBalance, ParsedStatement, ParsedStatementLine
from common.problems import OfficerProblem
from common.text.amounts import Cents

_BOOKED = {"", "BOOK"}
_NAMES = ("Nm", "Pty/Nm")
"""Paths of a party's name: before version 8, and from version 8 on."""


def read_camt_statement(data: bytes) -> ParsedStatement:
    """Return the booked lines of all statements in a file, and each account's closing balance (CLBD).

    Raises OfficerProblem if it isn't such a file.
    """
    lines: list[ParsedStatementLine] = []
    balances: list[ClosingBalance] = []
    for statement in _statements(data):
        account = _account(statement)
        for entry in statement.iterfind("Ntry"):
            if (_text(entry, "Sts/Cd") or _text(entry, "Sts")) in _BOOKED:
                lines += _lines_of(entry, account)
        balances += [
            ClosingBalance(
                own_account=account,
                on=_day(_text(balance, "Dt/Dt") or _text(balance, "Dt/DtTm")),
                amount=_cents(_text(balance, "Amt")) * _sign(balance),
                currency=_currency(balance),
            )
            for balance in statement.iterfind("Bal")
            if _text(balance, "Tp/CdOrPrtry/Cd") == "CLBD"
        ]
    return ParsedStatement(lines=tuple(lines), balances=tuple(balances))


def _statements(data: bytes) -> list[Element]:
    try:
        root = _plain_names(fromstring(data))
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise OfficerProblem(_("This isn't valid XML. Download the statement from the bank again.")) from error
    statements = [*root.iterfind("BkToCstmrStmt/Stmt"), *root.iterfind("BkToCstmrAcctRpt/Rpt")]
    if not statements:
        raise OfficerProblem(_("This XML file isn't a CAMT.053 statement."))
    return statements


def _account(statement: Element) -> str:
    return _text(statement, "Acct/Id/IBAN") or _text(statement, "Acct/Id/Othr/Id")


def _lines_of(entry: Element, account: str) -> Iterator[ParsedStatementLine]:
    on = _day(_text(entry, "BookgDt/Dt") or _text(entry, "BookgDt/DtTm") or _text(entry, "ValDt/Dt"))
    whole = _cents(_text(entry, "Amt")) * _sign(entry)
    # A returned transaction keeps its own direction mark, so RvslInd adds nothing.
    details = list(entry.iterfind("NtryDtls/TxDtls")) or [entry]
    amounts = [_own_amount(detail, entry) for detail in details]
    if len(details) == 1 or None in amounts or sum(filter(None, amounts)) != whole:
        details, amounts = details[:1], [whole]
    reference = _text(entry, "AcctSvcrRef") or _text(entry, "NtryRef")
    for detail, amount in zip(details, amounts, strict=True):
        if not amount:
            continue
        side = "Dbtr" if amount > 0 else "Cdtr"
        texts = [each.text or "" for each in detail.iterfind("RmtInf/Ustrd")]
        structured = _text(detail, "RmtInf/Strd/CdtrRefInf/Ref")
        yield ParsedStatementLine(
            booked_on=on,
            amount=amount,
            text=" ".join(
                filter(None, [structured, *texts]) if structured or texts else [_text(entry, "AddtlNtryInf")]
            ),
            party=next(filter(None, (_text(detail, f"RltdPties/{side}/{name}") for name in _NAMES)), ""),
            party_account=_text(detail, f"RltdPties/{side}Acct/Id/IBAN")
            or _text(detail, f"RltdPties/{side}Acct/Id/Othr/Id"),
            own_account=account,
            bank_reference=_text(detail, "Refs/AcctSvcrRef")
            or (reference if len(details) == 1 else "")
            or _text(detail, "Refs/TxId"),
            currency=_currency(entry),
        )


def _own_amount(detail: Element, entry: Element) -> Cents | None:
    """Return the amount of one part of a batch entry, or None if it is not in the account's currency."""
    amount = next((found for path in ("Amt", "AmtDtls/TxAmt/Amt") if (found := detail.find(path)) is not None), None)
    if amount is None or amount.get("Ccy", "") != _currency(entry):
        return None
    return _cents((amount.text or "").strip()) * _sign(detail, entry)


def _currency(element: Element) -> str:
    """Return the currency of an entry's or balance's amount, which is its own account's."""
    amount = element.find("Amt")
    return amount.get("Ccy", "").strip().upper() if amount is not None else ""


def _sign(element: Element, above: Element | None = None) -> int:
    mark = _text(element, "CdtDbtInd") or (_text(above, "CdtDbtInd") if above is not None else "")
    if mark not in ("CRDT", "DBIT"):
        raise OfficerProblem(_("A transaction in the statement doesn't say whether it is money in or money out."))
    return 1 if mark == "CRDT" else -1


def _cents(text: str) -> Cents:
    try:
        cents = Decimal(text) * 100
    except ArithmeticError as error:
        raise OfficerProblem(_("“%(text)s” is not an amount.") % {"text": text[:40]}) from error
    if not cents.is_finite() or cents != cents.to_integral_value() or not 0 <= cents < 2**31:
        raise OfficerProblem(_("“%(text)s” is not an amount.") % {"text": text[:40]})
    return int(cents)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError as error:
        raise OfficerProblem(_("“%(text)s” is not a date.") % {"text": text[:40]}) from error


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _plain_names(root: Element) -> Element:
    """Remove the namespaces from the names, since they differ between versions."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root
