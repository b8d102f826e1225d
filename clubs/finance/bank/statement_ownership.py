"""Checking a statement's currency, and finding which of the club's accounts it is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from clubs.finance.bank.statements import ParsedStatement, RejectedStatementLine
from clubs.models import BookAccount, Club
from common.problems import OfficerProblem
from common.text.ibans import is_same_account, parse_iban


def adapt_statement_to_club(club: Club, statement: ParsedStatement) -> ParsedStatement:
    """Return the statement in the club's currency, with known accounts as IBANs.

    Lines in another currency are listed as problems. Raises OfficerProblem if all of them are.
    """
    ours = {"", club.currency}
    foreign = [line for line in statement.lines if line.currency not in ours]
    other = {line.currency for line in foreign} | {balance.currency for balance in statement.balances} - ours
    if other and len(foreign) == len(statement.lines):
        said = {"other": ", ".join(sorted(other)), "currency": club.currency}
        raise OfficerProblem(
            _("The statement is in %(other)s, but the club uses %(currency)s. Nothing was imported.") % said
        )
    ibans = _ibans(club)
    told = [
        RejectedStatementLine(
            line=place,
            text=f"{line.booked_on} {line.party} {line.text}"[:120],
            problem=_("The amount is in %(other)s. Record it manually in the club's currency.")
            % {"other": line.currency},
        )
        for place, line in enumerate(statement.lines, start=1)
        if line.currency not in ours
    ]
    return ParsedStatement(
        lines=tuple(
            replace(line, own_account=_known_as(line.own_account, ibans))
            for line in statement.lines
            if line.currency in ours
        ),
        problems=(*statement.problems, *told),
        balances=tuple(
            replace(balance, own_account=_known_as(balance.own_account, ibans))
            for balance in statement.balances
            if balance.currency in ours
        ),
    )


def _ibans(club: Club) -> Sequence[str]:
    accounts = club.book_accounts.filter(kind=BookAccount.Kind.BANK).exclude(iban="")
    written = (*accounts.values_list("iban", flat=True).order_by("pk"), club.bank_account)
    return [iban for each in written if (iban := parse_iban(each))]


def _known_as(written: str, ibans: Sequence[str]) -> str:
    """Return the IBAN of an account. Banks write it as IBAN or as code and number, and both must match."""
    return next((iban for iban in ibans if is_same_account(iban, written)), written)
