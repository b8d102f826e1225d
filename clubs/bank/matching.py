"""Whose a line of a statement is: by reference, account known from earlier, name, open amount; each with its reasons.

Nothing is booked here. What was accepted before teaches: the account or the name that paid for a member, or that was
booked into a category, is proposed the next time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from clubs.bank.doubles import DAYS_SENT_BACK_IN, booked_alike, booked_by_hand, is_near, payments_sent_back
from clubs.bank.proposals import Proposal, Reason
from clubs.models import Account, BankLine, BookAccount, Club, Member
from clubs.money.ledger import Balance, balances
from clubs.writing.ibans import read_iban
from clubs.writing.references import account_numbers_in
from clubs.writing.searching import NameWords, name_words, plain

MOST_PROPOSALS = 3
LEARNT_FROM = 3_000
"""So many of the lines that were booked last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLine:
    """A line that waits, and what it may be, the best first."""

    line: BankLine
    proposals: tuple[Proposal, ...]

    @property
    def best(self) -> Proposal | None:
        return self.proposals[0] if self.proposals else None


def open_lines(club: Club) -> QuerySet[BankLine]:
    """The lines that nothing was done with yet, or whose booking was taken back: not by the bank itself."""
    return BankLine.objects.filter(
        Q(entry=None) | Q(entry__corrected_by__isnull=False, entry__corrected_by__bank_line=None),
        Q(booking=None) | Q(booking__corrected_by__isnull=False),
        club=club,
        left_aside="",
    )


def proposed_lines(club: Club, lines: Sequence[BankLine], *, today: date) -> list[ProposedLine]:
    """What each line may be; the queries do not grow with the lines."""
    known = _Known(club, lines, today)
    proposed = []
    for line in lines:
        proposals = known.proposals(line)
        proposed.append(ProposedLine(line=line, proposals=tuple(proposals)))
        if proposals:
            known.alike.add(line, proposals[0].whose, Reason.WAITS_TWICE)
    return proposed


class _Known:
    """What the proposals are made of, read once for all lines."""

    def __init__(self, club: Club, lines: Sequence[BankLine], today: date) -> None:
        self.members = {member.pk: member for member in club.members.filter(erased_at=None)}
        self.words = {pk: set(name_words(member.name)) for pk, member in self.members.items()}
        self.shared = _shared(self.words)
        self.balances: Mapping[int, Balance] = balances(club, today=today)
        numbers = {number for line in lines for number in account_numbers_in(line.text)}
        accounts = Account.objects.filter(pk__in=numbers, member__club=club)
        self.referred = dict(accounts.values_list("pk", "member_id"))
        self.own = {read_iban(account.iban): account for account in _money_accounts(club) if account.iban}
        self.members_by, self.accounts_by = _learned(club, lines)
        self.by_hand = booked_by_hand(club, lines)
        self.alike = booked_alike(club, lines)
        self.sent_back = payments_sent_back(club, lines)
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
        found = [
            proposal for (kind, key), why in reasons.items() for proposal in self._proposals_of(line, kind, key, why)
        ]
        return sorted(found, key=lambda each: -each.confidence)[:MOST_PROPOSALS]

    def _add_learned(self, line: BankLine, reasons: dict[tuple[str, int], list[Reason]]) -> None:
        for mark, reason in ((line.party_account, Reason.KNOWN_ACCOUNT), (plain(line.party), Reason.KNOWN_NAME)):
            for kind, learned in (("member", self.members_by), ("account", self.accounts_by)):
                keys = learned.get(mark, ()) if mark else ()
                for key in keys:
                    if Reason.KNOWN_ACCOUNT not in reasons[kind, key]:
                        reasons[kind, key] += [reason, Reason.SHARED_ACCOUNT] if len(keys) > 1 else [reason]

    def _add_named(self, line: BankLine, reasons: dict[tuple[str, int], list[Reason]]) -> None:
        words = set(name_words(f"{line.party} {line.text}"))
        for pk, name in self.words.items():
            if len(name) > 1 and name <= words:
                reasons["member", pk].append(Reason.NAME)
                if pk in self.shared:
                    reasons["member", pk].append(Reason.SHARED_NAME)

    def _add_amounts(self, line: BankLine, reasons: dict[tuple[str, int], list[Reason]]) -> None:
        owing = [
            pk
            for pk, balance in self.balances.items()
            if line.amount in (balance.owed, balance.overdue) and pk in self.members
        ]
        reason = Reason.AMOUNT if line.amount > 0 else Reason.PAID_TOO_MUCH
        for pk in owing:
            if ("member", pk) in reasons or len(owing) == 1:
                reasons["member", pk].append(reason)

    def _proposals_of(self, line: BankLine, kind: str, key: int, reasons: list[Reason]) -> Iterator[Proposal]:
        if line.entry_id or line.booking_id:
            reasons.append(Reason.TAKEN_BACK)
        if (twin := self.alike.reason(line, f"{kind}:{key}")) is not None:
            reasons.append(twin)
        if kind == "account":
            if account := self.accounts.get(key):
                yield Proposal(reasons=tuple(reasons), account=account)
            return
        member = self.members.get(key)
        if member is None:
            return
        days = self.by_hand.get((key, abs(line.amount)), ())
        if any(is_near(day, line.booked_on) for day in days):
            reasons.append(Reason.BOOKED_BY_HAND)
        if line.amount > 0:
            yield Proposal(reasons=tuple(reasons), member=member)
        else:
            yield from self._going_out(line, member, reasons)

    def _going_out(self, line: BankLine, member: Member, reasons: list[Reason]) -> Iterator[Proposal]:
        """Money that went to a member: the bank sent a payment of his back, or what he paid too much is given back."""
        payment = self.sent_back.get((member.pk, -line.amount))
        if payment is not None and not 0 <= (line.booked_on - payment.booked_on).days <= DAYS_SENT_BACK_IN:
            payment = None
        is_too_much = -self.balances.get(member.pk, Balance()).owed >= -line.amount
        if payment is not None:
            doubt = [Reason.TWO_WAYS] if is_too_much else []
            known = [reason for reason in reasons if reason != Reason.PAID_TOO_MUCH]
            yield Proposal(reasons=(*known, Reason.SENT_BACK, *doubt), member=member, payment=payment)
            reasons = [*reasons, *doubt]
        if is_too_much or payment is None:
            doubt = [] if is_too_much else [Reason.NOTHING_TO_GIVE_BACK]
            yield Proposal(reasons=(*reasons, *doubt), member=member)


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


def _shared(words: Mapping[int, set[str]]) -> set[int]:
    """Members whose name another one has as well."""
    by_name: dict[NameWords, list[int]] = defaultdict(list)
    for pk, name in words.items():
        by_name[tuple(sorted(name))].append(pk)
    return {pk for same in by_name.values() if len(same) > 1 for pk in same}


def _money_accounts(club: Club) -> QuerySet[BookAccount]:
    return BookAccount.objects.filter(club=club, kind__in=BookAccount.MONEY, is_closed=False)
