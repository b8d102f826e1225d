"""Whose a line of a statement is: by reference, account known from earlier, name, open amount; each with its reasons.

Nothing is booked here. What was accepted before teaches: the account or the name that paid for a member, or that was
booked into a category, is proposed the next time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import accumulate

from django.db.models import QuerySet

from clubs.finance.bank.doubles import DAYS_APART, Alike, Booked
from clubs.finance.dues.balances import Balance, balances
from clubs.models import Account, BankLine, BookAccount, Club, LedgerEntry, Member
from common.text.ibans import read_iban
from common.text.references import account_numbers_in
from common.text.searching import NameWords, plain, sounded_words

CERTAIN, LIKELY = 90, 60
MOST_IN_DOUBT = 30
MOST_PROPOSALS = 3
LEARNT_FROM = 3_000
"""So many of the lines that were booked last."""


class Reason(StrEnum):
    """Why a line is thought to be somebody's; the words stand in the template."""

    REFERENCE = "reference"
    KNOWN_ACCOUNT = "known account"
    KNOWN_NAME = "known name"
    NAME = "name"
    AMOUNT = "amount"
    OWN_ACCOUNT = "own account"
    PAID_TOO_MUCH = "paid too much"
    SHARED_NAME = "shared name"
    SHARED_ACCOUNT = "shared account"
    RETURNED = "returned"
    BOOKED_BY_HAND = "booked by hand"
    BOOKED_BEFORE = "booked before"
    WAITS_TWICE = "waits twice"
    TAKEN_BACK = "taken back"
    NOTHING_PAID = "nothing paid"


_DOUBTS = frozenset({Reason.BOOKED_BY_HAND, Reason.BOOKED_BEFORE, Reason.WAITS_TWICE, Reason.NOTHING_PAID})
_NAMES = frozenset({Reason.NAME, Reason.KNOWN_NAME})
_MARKS = frozenset({Reason.REFERENCE, Reason.OWN_ACCOUNT, Reason.KNOWN_ACCOUNT})
"""Without one of these nothing is certain: a name never is."""

_WEIGHT = {
    Reason.REFERENCE: 95,
    Reason.OWN_ACCOUNT: 95,
    Reason.KNOWN_ACCOUNT: 80,
    Reason.NAME: 60,
    Reason.KNOWN_NAME: 65,
    Reason.AMOUNT: 15,
    Reason.PAID_TOO_MUCH: 15,
    Reason.SHARED_NAME: -35,
    Reason.SHARED_ACCOUNT: -35,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a line may be: a member's payment (or a refund to him), or money in or out of a category or account."""

    reasons: tuple[Reason, ...]
    member: Member | None = None
    account: BookAccount | None = None
    takes_back: LedgerEntry | None = None
    """The payment that came back."""

    @property
    def confidence(self) -> int:
        """Per cent, by weights that were set by hand; from 90 on it is called certain.

        What may have been booked before is in doubt, whatever else speaks for it; of two names the weightier counts.
        """
        why = set(self.reasons)
        names = max((_WEIGHT[reason] for reason in why & _NAMES), default=0)
        weight = names + sum(_WEIGHT.get(reason, 0) for reason in why - _NAMES)
        may_be_certain = why & _MARKS and Reason.TAKEN_BACK not in why
        most = MOST_IN_DOUBT if why & _DOUBTS else 99 if may_be_certain else CERTAIN - 1
        return max(1, min(most, weight))

    @property
    def is_certain(self) -> bool:
        return self.confidence >= CERTAIN

    @property
    def is_likely(self) -> bool:
        return self.confidence >= LIKELY

    @property
    def target(self) -> str:
        """What a form sends for it."""
        return f"member:{self.member.pk}" if self.member else f"account:{self.account.pk if self.account else 0}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLine:
    """A line that waits, and what it may be, the best first."""

    line: BankLine
    proposals: tuple[Proposal, ...]

    @property
    def best(self) -> Proposal | None:
        return self.proposals[0] if self.proposals else None


def open_lines(club: Club) -> QuerySet[BankLine]:
    """The lines that nothing was done with yet, or whose booking was taken back. Of one in parts these are meant."""
    return BankLine.objects.filter(club=club).waiting()


def proposed_lines(club: Club, lines: Sequence[BankLine], *, today: date) -> list[ProposedLine]:
    """What each line may be; the queries do not grow with the lines."""
    known = _Known(club, lines, today)
    proposed = [ProposedLine(line=line, proposals=tuple(known.proposals(line))) for line in lines]
    return _once(proposed)


def _once(proposed: Sequence[ProposedLine]) -> list[ProposedLine]:
    """Of lines that wait and may be one movement from two files, the later one is in doubt."""
    earlier: dict[tuple[str, int], list[BankLine]] = defaultdict(list)
    doubted = {}
    for each in sorted(proposed, key=lambda each: each.line.pk):
        line, best = each.line, each.best
        if best is None:
            continue
        alike = earlier[best.target, line.amount]
        if any(
            other.identity != line.identity and abs(other.booked_on - line.booked_on) <= DAYS_APART for other in alike
        ):
            doubtful = replace(best, reasons=(*best.reasons, Reason.WAITS_TWICE))
            doubted[line.pk] = ProposedLine(line=line, proposals=(doubtful, *each.proposals[1:]))
        alike.append(line)
    return [doubted.get(each.line.pk, each) for each in proposed]


class _Known:
    """What the proposals are made of, read once for all lines."""

    def __init__(self, club: Club, lines: Sequence[BankLine], today: date) -> None:
        self.members = {member.pk: member for member in club.members.filter(erased_at=None)}
        self.words = {pk: set(sounded_words(member.name)) for pk, member in self.members.items()}
        self.shared = _shared(self.words)
        self.balances: Mapping[int, Balance] = balances(club, today=today)
        self.instalments = _instalments_open(club, self.balances)
        numbers = {number for line in lines for number in account_numbers_in(line.text)}
        accounts = Account.objects.filter(pk__in=numbers, member__club=club)
        self.referred = dict(accounts.values_list("pk", "member_id"))
        self.own = {read_iban(account.iban): account for account in _money_accounts(club) if account.iban}
        self.members_by, self.accounts_by = _learned(club, lines)
        self.booked = Booked(club, lines)
        wanted = {key for keys in self.accounts_by.values() for key in keys} | {own.pk for own in self.own.values()}
        usable = BookAccount.objects.filter(pk__in=wanted, is_closed=False, is_for_dues=False)
        self.accounts = {account.pk: account for account in usable}

    def proposals(self, line: BankLine) -> list[Proposal]:
        """The line's, the best first."""
        reasons: dict[tuple[str, int], list[Reason]] = defaultdict(list)
        named = {self.referred[number] for number in account_numbers_in(line.text) if number in self.referred}
        for member in named if len(named) == 1 else ():
            reasons["member", member].append(Reason.REFERENCE)
        if line.party_account and (own := self.own.get(read_iban(line.party_account))):
            reasons["account", own.pk].append(Reason.OWN_ACCOUNT)
        self._add_learned(line, reasons)
        self._add_named(line, reasons)
        self._add_amounts(line, reasons)
        found = [self._proposal(line, kind, key, why) for (kind, key), why in reasons.items()]
        return sorted(filter(None, found), key=lambda each: -each.confidence)[:MOST_PROPOSALS]

    def _add_learned(self, line: BankLine, reasons: dict[tuple[str, int], list[Reason]]) -> None:
        for mark, reason in ((line.party_account, Reason.KNOWN_ACCOUNT), (plain(line.party), Reason.KNOWN_NAME)):
            for kind, learned in (("member", self.members_by), ("account", self.accounts_by)):
                keys = learned.get(mark, ()) if mark else ()
                for key in keys:
                    if Reason.KNOWN_ACCOUNT not in reasons[kind, key]:
                        reasons[kind, key] += [reason, Reason.SHARED_ACCOUNT] if len(keys) > 1 else [reason]

    def _add_named(self, line: BankLine, reasons: dict[tuple[str, int], list[Reason]]) -> None:
        words = set(sounded_words(f"{line.party} {line.text}"))
        found = {pk: name for pk, name in self.words.items() if len(name) > 1 and name <= words}
        for pk, name in found.items():
            # Of Hans and Hans-Peter, who have one family name, the longer is meant where all of it stands there.
            if any(name < longer for longer in found.values()):
                continue
            reasons["member", pk].append(Reason.NAME)
            if pk in self.shared:
                reasons["member", pk].append(Reason.SHARED_NAME)

    def _add_amounts(self, line: BankLine, reasons: dict[tuple[str, int], list[Reason]]) -> None:
        owing = [
            pk
            for pk, balance in self.balances.items()
            if line.amount in (balance.owed, balance.overdue, *self.instalments.get(pk, ())) and pk in self.members
        ]
        reason = Reason.AMOUNT if line.amount > 0 else Reason.PAID_TOO_MUCH
        for pk in owing:
            if ("member", pk) in reasons or len(owing) == 1:
                reasons["member", pk].append(reason)

    def _proposal(self, line: BankLine, kind: str, key: int, reasons: list[Reason]) -> Proposal | None:
        if reasons and (line.entry_id or line.booking_id):
            # What was booked of it was a mistake once: somebody looks at it.
            reasons = [*reasons, Reason.TAKEN_BACK]
        if kind == "account":
            account = self.accounts.get(key)
            if account is None:
                return None
            alike = self.booked.of_account(line, key, is_own=account.kind in BookAccount.MONEY)
            return Proposal(reasons=(*reasons, *_IN_DOUBT[alike]), account=account)
        member = self.members.get(key)
        if member is None or not reasons:
            return None
        reasons += _IN_DOUBT[self.booked.of_member(line, key)]
        takes_back = None
        if line.amount < 0 and -line.amount > self.balances.get(key, Balance()).paid_too_much:
            takes_back = self.booked.returned(line, key)
            reasons.append(Reason.RETURNED if takes_back else Reason.NOTHING_PAID)
        return Proposal(reasons=tuple(reasons), member=member, takes_back=takes_back)


_IN_DOUBT = {None: (), Alike.BY_HAND: (Reason.BOOKED_BY_HAND,), Alike.FROM_A_STATEMENT: (Reason.BOOKED_BEFORE,)}


def _learned(club: Club, lines: Iterable[BankLine]) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Members and book accounts by the account and by the plain name of who paid or was paid before."""
    members: dict[str, set[int]] = defaultdict(set)
    accounts: dict[str, set[int]] = defaultdict(set)
    settled = BankLine.objects.filter(club=club).exclude(pk__in=open_lines(club).values("pk"))
    rows = settled.order_by("-pk").values_list(
        "party_account",
        "party",
        "entry__account__member_id",
        "booking__source_id",
        "booking__source__kind",
        "booking__target_id",
    )[:LEARNT_FROM]
    wanted = {mark for line in lines for mark in (line.party_account, plain(line.party))} - {""}
    for number, party, member, source, kind, target in rows:
        for mark in wanted & {number, plain(party)}:
            if member:
                members[mark].add(member)
            elif source:
                accounts[mark].add(target if kind in BookAccount.MONEY else source)
    return members, accounts


def _instalments_open(club: Club, balances: Mapping[int, Balance]) -> dict[int, set[int]]:
    """What somebody may pay of his dues at once: the first part that is open, the first two, and so on; one query.

    What was paid and waived has paid the parts that were due first.
    """
    owing = {pk: balance for pk, balance in balances.items() if balance.owed > 0}
    dues = LedgerEntry.objects.filter(
        club=club, kind=LedgerEntry.Kind.DUE, corrects=None, corrected_by=None, account__member__in=owing
    )
    of_member: dict[int, list[int]] = defaultdict(list)
    for member, amount in dues.order_by("due_on", "pk").values_list("account__member", "amount"):
        of_member[member].append(amount)
    found: dict[int, set[int]] = {}
    for member, amounts in of_member.items():
        covered = sum(amounts) - owing[member].owed
        found[member] = {sum_ - covered for sum_ in accumulate(amounts) if sum_ > covered}
    return found


def _shared(words: Mapping[int, set[str]]) -> set[int]:
    """Members whose name another one has as well."""
    by_name: dict[NameWords, list[int]] = defaultdict(list)
    for pk, name in words.items():
        by_name[tuple(sorted(name))].append(pk)
    return {pk for same in by_name.values() if len(same) > 1 for pk in same}


def _money_accounts(club: Club) -> QuerySet[BookAccount]:
    return BookAccount.objects.filter(club=club, kind__in=BookAccount.MONEY, is_closed=False)
