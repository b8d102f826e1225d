"""Lines of statements: what is known of one, when two are the same, and keeping each once."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from clubs.locking import hold
from clubs.models import BankBalance, BankLine, Club, User
from common.text.amounts import Cents
from common.text.ibans import squeezed

NO_REFERENCES = frozenset({"", "NONREF", "NOTPROVIDED", "NOREF", "0"})
"""What banks write where they have no reference."""

LONGEST_TEXT = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementLine:
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
class BadStatementLine:
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
class Statement:
    """What a file or a pasted text holds."""

    lines: tuple[StatementLine, ...]
    problems: tuple[BadStatementLine, ...] = ()
    balances: tuple[ClosingBalance, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How many lines of a statement are new, and how many were kept before."""

    new: int
    known: int


def identity(line: StatementLine) -> str:
    """What two lines share that are one: account, day, amount, and the bank's reference.

    Where the bank gives none: name and text as letters and figures alone, so that a line broken, spaced or capitalised
    another way is still the same.
    """
    facts = [squeezed(line.own_account), line.booked_on.isoformat(), str(line.amount)]
    reference = squeezed(line.bank_reference)
    if reference not in NO_REFERENCES:
        facts += ["reference", reference]
    else:
        facts += ["text", _letters(line.party), _letters(line.text)]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


@transaction.atomic
def keep_statement(club: Club, statement: Statement, *, by: User | None) -> Kept:
    """Keep the lines that are new, and what the bank says was on its accounts: the latest word of a day counts."""
    kept = keep_lines(club, statement.lines, by=by)
    for balance in statement.balances:
        keep_balance(club, balance)
    return kept


def keep_balance(club: Club, balance: ClosingBalance) -> None:
    """Keep what the bank says was on an account on the evening of a day."""
    BankBalance.objects.update_or_create(
        club=club,
        own_account=squeezed(balance.own_account)[:34],
        on=balance.on,
        defaults={"amount": balance.amount},
    )


@transaction.atomic
def keep_lines(club: Club, lines: Sequence[StatementLine], *, by: User | None) -> Kept:
    """Keep the lines that are new. Equal lines of one statement are so many lines, here and in the next statement."""
    hold(club.pk)
    counted: Counter[str] = Counter()
    rows = []
    for line in lines:
        key = identity(line)
        counted[key] += 1
        rows.append(
            BankLine(
                club=club,
                own_account=squeezed(line.own_account)[:34],
                booked_on=line.booked_on,
                amount=line.amount,
                party=" ".join(line.party.split())[:140],
                party_account=squeezed(line.party_account)[:34],
                text=" ".join(line.text.split())[:LONGEST_TEXT],
                bank_reference=line.bank_reference.strip()[:140],
                identity=key,
                place=counted[key],
                kept_by=by,
            )
        )
    known = set(
        BankLine.objects.filter(club=club, identity__in=list(counted)).values_list("identity", "place").order_by()
    )
    new = [row for row in rows if (row.identity, row.place) not in known]
    BankLine.objects.bulk_create(new, batch_size=200)
    return Kept(new=len(new), known=len(rows) - len(new))


_WITHOUT_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d"})


def _letters(text: str) -> str:
    """Letters and figures alone, without marks. Never to be changed: what is kept is known again by it."""
    folded = unicodedata.normalize("NFD", text.casefold().translate(_WITHOUT_STROKES))
    return squeezed("".join(letter for letter in folded if not unicodedata.combining(letter)))
