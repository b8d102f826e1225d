"""Lines of statements: their data, their accounts, their fingerprints, and saving each line once."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import BankBalance, BankStatementLine, BookAccount, Club, User
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.amounts import Cents
from common.text.ibans import is_same_account, normalise_account_number, parse_iban

EMPTY_BANK_REFERENCES = frozenset({"", "NONREF", "NOTPROVIDED", "NOREF", "0"})
"""Placeholders that banks write for a missing reference."""

MAX_TEXT_LENGTH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedStatementLine:
    """A line in a statement of any format. `amount` is negative for outgoing money.

    `own_account` is the statement's account. All but day and amount may be empty. `currency` is a code of three
    letters.
    """

    booked_on: date
    amount: Cents
    text: str = ""
    party: str = ""
    party_account: str = ""
    own_account: str = ""
    bank_reference: str = ""
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedStatementLine:
    """A line that could not be read, with the reason. `line` counts from 1."""

    line: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingBalance:
    """The bank's balance for an account at the end of a day."""

    own_account: str
    on: date
    amount: Cents
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedStatement:
    """The content of a statement file or pasted text."""

    lines: tuple[ParsedStatementLine, ...]
    problems: tuple[RejectedStatementLine, ...] = ()
    balances: tuple[ClosingBalance, ...] = ()
    not_booked_count: int = 0
    """Lines that the bank has not booked. They are not among the lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLineCounts:
    """The number of new lines in a statement, and of lines already saved."""

    new_count: int
    known_count: int


def statement_line_fingerprint(line: ParsedStatementLine) -> str:
    """Return the fingerprint that identifies a line: account, day, amount and the bank's reference.

    Without a reference, name and text count, by their letters and digits alone. So line breaks, spaces and capitals
    make no difference.
    """
    facts = [normalise_account_number(line.own_account), line.booked_on.isoformat(), str(line.amount)]
    reference = normalise_account_number(line.bank_reference)
    if reference not in EMPTY_BANK_REFERENCES:
        facts += ["reference", reference]
    else:
        facts += ["text", _letters(line.party), _letters(line.text)]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


@transaction.atomic
def save_statement(club: Club, statement: ParsedStatement, *, by: User | None) -> SavedLineCounts:
    """Save the new lines and the account balances. If a day has several balances, the last one is kept."""
    kept = save_new_lines(club, statement.lines, by=by)
    for balance in statement.balances:
        save_closing_balance(club, balance)
    return kept


def save_closing_balance(club: Club, balance: ClosingBalance) -> None:
    """Save the bank's balance for an account at the end of a day."""
    BankBalance.objects.update_or_create(
        club=club,
        own_account=normalise_account_number(balance.own_account)[:34],
        on=balance.on,
        defaults={"amount": balance.amount},
    )


@transaction.atomic
def save_new_lines(club: Club, lines: Sequence[ParsedStatementLine], *, by: User | None) -> SavedLineCounts:
    """Save the lines that are new. A statement can have several identical lines, and each one counts."""
    lock_row(Club, club.pk)
    counted: Counter[str] = Counter()
    rows, now = [], timezone.now()
    for line in lines:
        key = statement_line_fingerprint(line)
        counted[key] += 1
        rows.append(
            BankStatementLine(
                club=club,
                own_account=normalise_account_number(line.own_account)[:34],
                booked_on=line.booked_on,
                amount=line.amount,
                party=" ".join(line.party.split())[:140],
                party_account=normalise_account_number(line.party_account)[:34],
                text=" ".join(line.text.split())[:MAX_TEXT_LENGTH],
                bank_reference=line.bank_reference.strip()[:140],
                identity=key,
                place=counted[key],
                kept_at=now,
                kept_by=by,
            )
        )
    known = set(
        BankStatementLine.objects.filter(club=club, identity__in=list(counted))
        .values_list("identity", "place")
        .order_by()
    )
    new = [row for row in rows if (row.identity, row.place) not in known]
    BankStatementLine.objects.bulk_create(new, batch_size=200)
    return SavedLineCounts(new_count=len(new), known_count=len(rows) - len(new))


_WITHOUT_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d"})


def _letters(text: str) -> str:
    """Return only the letters and digits, without accents. Never change this: saved fingerprints depend on it."""
    folded = unicodedata.normalize("NFD", text.casefold().translate(_WITHOUT_STROKES))
    return normalise_account_number("".join(letter for letter in folded if not unicodedata.combining(letter)))


def adapt_statement_to_club(club: Club, statement: ParsedStatement) -> ParsedStatement:
    """Return the statement in the club's currency, with the IBANs of known accounts.

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
    return replace(
        statement,
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
