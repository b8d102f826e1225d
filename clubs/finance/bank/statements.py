"""Lines of statements: what is known of one, when two are the same, and keeping each once."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from clubs.locking import lock_club
from clubs.models import BankBalance, BankStatementLine, Club, User
from common.text.amounts import Cents
from common.text.ibans import normalise_account_number

EMPTY_BANK_REFERENCES = frozenset({"", "NONREF", "NOTPROVIDED", "NOREF", "0"})
"""What banks write where they have no reference."""

MAX_TEXT_LENGTH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedStatementLine:
    """A line as a statement gives it, whatever its format. `amount` is below zero for money that went out.

    `own_account` is whose statement it is and may be empty, as everything but day and amount. `currency` is a code of
    three letters.
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
    """A line that could not be read, and why; `line` counts from 1."""

    line: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingBalance:
    """What the bank says was on an account at the end of a day."""

    own_account: str
    on: date
    amount: Cents
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedStatement:
    """What a file or a pasted text holds."""

    lines: tuple[ParsedStatementLine, ...]
    problems: tuple[RejectedStatementLine, ...] = ()
    balances: tuple[ClosingBalance, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLineCounts:
    """How many lines of a statement are new, and how many were kept before."""

    new_count: int
    known_count: int


def statement_line_fingerprint(line: ParsedStatementLine) -> str:
    """What two lines share that are one: account, day, amount, and the bank's reference.

    Where the bank gives none: name and text as letters and figures alone, so that a line broken, spaced or capitalised
    another way is still the same.
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
    """Keep the lines that are new, and what the bank says was on its accounts: the latest word of a day counts."""
    kept = save_new_lines(club, statement.lines, by=by)
    for balance in statement.balances:
        save_closing_balance(club, balance)
    return kept


def save_closing_balance(club: Club, balance: ClosingBalance) -> None:
    """Keep what the bank says was on an account on the evening of a day."""
    BankBalance.objects.update_or_create(
        club=club,
        own_account=normalise_account_number(balance.own_account)[:34],
        on=balance.on,
        defaults={"amount": balance.amount},
    )


@transaction.atomic
def save_new_lines(club: Club, lines: Sequence[ParsedStatementLine], *, by: User | None) -> SavedLineCounts:
    """Keep the lines that are new. Equal lines of one statement are so many lines, here and in the next statement."""
    lock_club(club.pk)
    counted: Counter[str] = Counter()
    rows = []
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
    """Letters and figures alone, without marks. Never to be changed: what is kept is known again by it."""
    folded = unicodedata.normalize("NFD", text.casefold().translate(_WITHOUT_STROKES))
    return normalise_account_number("".join(letter for letter in folded if not unicodedata.combining(letter)))
