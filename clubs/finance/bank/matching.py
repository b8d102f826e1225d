"""Proposals for lines of a statement, by reference, known account, name and open amount, each with its reasons.

Nothing is booked here. Earlier bookings are used to learn: an account or name that paid for a member, or was booked
into a category, is proposed next time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import accumulate

from django.db.models import QuerySet

from clubs.finance.bank.duplicates import (
    MAX_DAYS_APART,
    BookedTransactions,
    DuplicateSource,
    find_lines_in_other_files,
    has_enough_in_another_file,
)
from clubs.finance.dues.balances import MemberBalance, member_balances
from clubs.models import BankStatementLine, BookAccount, Club, DuesAccount, ExpectedPayment, LedgerEntry, Member
from common.text.amounts import Cents
from common.text.ibans import parse_iban
from common.text.name_search import NameWords, normalise_name, phonetic_name_words
from common.text.payment_references import find_account_numbers, find_member_numbers

CERTAIN_CONFIDENCE, LIKELY_CONFIDENCE = 90, 60
MAX_DOUBTFUL_CONFIDENCE = 30
MAX_PROPOSALS = 3
MAX_LEARNING_LINES = 3_000
"""The number of latest booked lines to learn from."""


class MatchReason(StrEnum):
    """The reason for a proposal. Its text is in the template."""

    REFERENCE = "reference"
    KNOWN_ACCOUNT = "known account"
    KNOWN_NAME = "known name"
    NAME = "name"
    MEMBER_NUMBER = "member number"
    AMOUNT = "amount"
    OWN_ACCOUNT = "own account"
    OVERPAID = "overpaid"
    SHARED_NAME = "shared name"
    SHARED_ACCOUNT = "shared account"
    RETURNED = "returned"
    BOOKED_MANUALLY = "booked manually"
    BOOKED_BEFORE = "booked before"
    DUPLICATE_TO_REVIEW = "duplicate to review"
    REVERSED = "reversed"
    NOTHING_PAID = "nothing paid"
    OTHER_AMOUNT = "other amount"
    MORE_THAN_OWED = "more than owed"
    OTHER_REFERENCES = "other references"


_DOUBTS = frozenset(
    {MatchReason.BOOKED_MANUALLY, MatchReason.BOOKED_BEFORE, MatchReason.DUPLICATE_TO_REVIEW, MatchReason.NOTHING_PAID}
)
_NAMES = frozenset({MatchReason.NAME, MatchReason.KNOWN_NAME})
_MARKS = frozenset({MatchReason.REFERENCE, MatchReason.OWN_ACCOUNT, MatchReason.KNOWN_ACCOUNT})
"""No proposal is certain without one of these: a name is never enough."""

_NEVER_CERTAIN = frozenset({MatchReason.REVERSED, MatchReason.MORE_THAN_OWED, MatchReason.OTHER_REFERENCES})
"""The treasurer decides these: the money may be somebody else's."""

_WEIGHT = {
    MatchReason.REFERENCE: 95,
    MatchReason.OWN_ACCOUNT: 95,
    MatchReason.KNOWN_ACCOUNT: 80,
    MatchReason.NAME: 60,
    MatchReason.KNOWN_NAME: 65,
    MatchReason.MEMBER_NUMBER: 60,
    MatchReason.AMOUNT: 15,
    MatchReason.OVERPAID: 15,
    MatchReason.SHARED_NAME: -35,
    MatchReason.OTHER_AMOUNT: -35,
    MatchReason.MORE_THAN_OWED: -35,
    MatchReason.OTHER_REFERENCES: -35,
    MatchReason.SHARED_ACCOUNT: -35,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingProposal:
    """A proposal for a line: a member's payment or refund, an expected payment, or money into or out of an account."""

    reasons: tuple[MatchReason, ...]
    member: Member | None = None
    account: BookAccount | None = None
    expected: ExpectedPayment | None = None
    returned_payment: LedgerEntry | None = None
    """The member's payment that this line may return."""
    amount_owed: Cents | None = None
    """What the member owes, if they pay another amount."""

    @property
    def confidence_percent(self) -> int:
        """The confidence as a percentage, from hand-picked weights. 90 or more counts as certain.

        A possible duplicate always stays doubtful. Of two name reasons only the stronger one counts.
        """
        why = set(self.reasons)
        names = max((_WEIGHT[reason] for reason in why & _NAMES), default=0)
        weight = names + sum(_WEIGHT.get(reason, 0) for reason in why - _NAMES)
        may_be_certain = why & _MARKS and not why & _NEVER_CERTAIN
        most = MAX_DOUBTFUL_CONFIDENCE if why & _DOUBTS else 99 if may_be_certain else CERTAIN_CONFIDENCE - 1
        return max(1, min(most, weight))

    @property
    def is_certain(self) -> bool:
        return self.confidence_percent >= CERTAIN_CONFIDENCE

    @property
    def is_likely(self) -> bool:
        return self.confidence_percent >= LIKELY_CONFIDENCE

    @property
    def form_value(self) -> str:
        """The value that a form sends for this proposal, to identify it."""
        if self.expected:
            return f"expected:{self.expected.pk}"
        return f"member:{self.member.pk}" if self.member else f"account:{self.account.pk if self.account else 0}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineWithProposals:
    """A line under review, and its proposals, the best one first.

    `duplicate_of` is a line of another file that may be the same movement.
    """

    line: BankStatementLine
    proposals: tuple[BookingProposal, ...]
    duplicate_of: BankStatementLine | None = None

    @property
    def best_proposal(self) -> BookingProposal | None:
        return self.proposals[0] if self.proposals else None


def bank_lines_to_review(club: Club) -> QuerySet[BankStatementLine]:
    """Return the lines that are not booked, or whose booking was reversed. A split line is replaced by its parts."""
    return BankStatementLine.objects.filter(club=club).needing_review()


def propose_line_bookings(club: Club, lines: Sequence[BankStatementLine], *, today: date) -> list[LineWithProposals]:
    """Return proposals for each line. The number of queries does not depend on the number of lines."""
    known = _Known(club, lines, today)
    in_other_files = find_lines_in_other_files(club, lines)
    proposed = [
        LineWithProposals(
            line=line,
            proposals=tuple(_doubted(known.proposals_for_line(line), in_other_files.get(line.pk))),
            duplicate_of=in_other_files.get(line.pk),
        )
        for line in lines
    ]
    return _once(proposed)


def _doubted(proposals: Iterable[BookingProposal], other: BankStatementLine | None) -> Iterator[BookingProposal]:
    """Yield the proposals, doubtful if the line may be the same movement as a line of another file."""
    for each in proposals:
        if other is None or _DOUBTS & set(each.reasons):
            yield each
        else:
            is_settled = other.entry_id or other.booking_id or other.ignored_because
            doubt = MatchReason.BOOKED_BEFORE if is_settled else MatchReason.DUPLICATE_TO_REVIEW
            yield replace(each, reasons=(*each.reasons, doubt))


def _once(proposed: Sequence[LineWithProposals]) -> list[LineWithProposals]:
    """Mark the later of two lines as doubtful if they may be one transaction from two files, or pay one fee twice."""
    earlier: dict[tuple[str, int], list[BankStatementLine]] = defaultdict(list)
    doubted = {}
    for each in sorted(proposed, key=lambda each: each.line.pk):
        line, best = each.line, each.best_proposal
        if best is None:
            continue
        alike = earlier[best.form_value, line.amount]
        near = (other for other in alike if abs(other.booked_on - line.booked_on) <= MAX_DAYS_APART)
        if (best.expected is not None and alike) or has_enough_in_another_file(line, near):
            doubtful = replace(best, reasons=(*best.reasons, MatchReason.DUPLICATE_TO_REVIEW))
            doubted[line.pk] = replace(each, proposals=(doubtful, *each.proposals[1:]))
        alike.append(line)
    return [doubted.get(each.line.pk, each) for each in proposed]


class _Known:
    """The data for proposals, loaded once for all lines."""

    def __init__(self, club: Club, lines: Sequence[BankStatementLine], today: date) -> None:
        self.members = {member.pk: member for member in club.members.filter(erased_at=None)}
        self.words = {pk: set(phonetic_name_words(member.name)) for pk, member in self.members.items()}
        self.shared = _shared(self.words)
        self.balances: Mapping[int, MemberBalance] = member_balances(club, today=today)
        self.instalments = _instalments_open(club, self.balances)
        numbers = {number for line in lines for number in find_account_numbers(line.text)}
        accounts = DuesAccount.objects.filter(pk__in=numbers, member__club=club)
        self.referred = dict(accounts.values_list("pk", "member_id"))
        expected = ExpectedPayment.objects.filter(
            club=club, pk__in={number - ExpectedPayment.FIRST_NUMBER for number in numbers}
        )
        self.expected = {ExpectedPayment.FIRST_NUMBER + each.pk: each for each in expected}
        self.paid = set(expected.paid().values_list("pk", flat=True))
        self.own = {parse_iban(account.iban): account for account in _money_accounts(club) if account.iban}
        self.members_by, self.accounts_by = _learned(club, lines)
        self.booked = BookedTransactions(club, lines)
        wanted = {key for keys in self.accounts_by.values() for key in keys} | {own.pk for own in self.own.values()}
        usable = BookAccount.objects.filter(pk__in=wanted, is_closed=False, is_for_dues=False)
        self.accounts = {account.pk: account for account in usable}

    def proposals_for_line(self, line: BankStatementLine) -> list[BookingProposal]:
        """Return the line's proposals, the best first."""
        reasons: dict[tuple[str, int], list[MatchReason]] = defaultdict(list)
        named = {self.referred[number] for number in find_account_numbers(line.text) if number in self.referred}
        for member in named if len(named) == 1 else ():
            reasons["member", member].append(MatchReason.REFERENCE)
        if line.party_account and (own := self.own.get(parse_iban(line.party_account))):
            reasons["account", own.pk].append(MatchReason.OWN_ACCOUNT)
        if asked := {self.expected[number] for number in find_account_numbers(line.text) if number in self.expected}:
            is_only = len(asked) == 1 and not named
            return [self._expected_payment(line, each, is_only) for each in sorted(asked, key=lambda each: each.pk)][
                :MAX_PROPOSALS
            ]
        self._add_learned(line, reasons)
        self._add_named(line, reasons)
        self._add_amounts(line, reasons)
        if len(named) > 1:
            for key in reasons:
                reasons[key].append(MatchReason.OTHER_REFERENCES)
        found = [self._proposal(line, kind, key, why) for (kind, key), why in reasons.items()]
        return sorted(filter(None, found), key=lambda each: -each.confidence_percent)[:MAX_PROPOSALS]

    def _expected_payment(self, line: BankStatementLine, expected: ExpectedPayment, is_only: bool) -> BookingProposal:
        """Return the proposal for an expected payment.

        It is certain if the line has no other reference and the right amount, and nothing has been paid yet.
        """
        reasons = [MatchReason.REFERENCE]
        if line.amount != expected.amount:
            reasons.append(MatchReason.OTHER_AMOUNT)
        if not is_only:
            reasons.append(MatchReason.OTHER_REFERENCES)
        if expected.pk in self.paid:
            reasons.append(MatchReason.BOOKED_BEFORE)
        if line.booking_id or line.entry_id:
            reasons.append(MatchReason.REVERSED)
        return BookingProposal(reasons=tuple(reasons), expected=expected)

    def _add_learned(self, line: BankStatementLine, reasons: dict[tuple[str, int], list[MatchReason]]) -> None:
        for mark, reason in (
            (line.party_account, MatchReason.KNOWN_ACCOUNT),
            (normalise_name(line.party), MatchReason.KNOWN_NAME),
        ):
            for kind, learned in (("member", self.members_by), ("account", self.accounts_by)):
                keys = learned.get(mark, ()) if mark else ()
                for key in keys:
                    if MatchReason.KNOWN_ACCOUNT not in reasons[kind, key]:
                        reasons[kind, key] += [reason, MatchReason.SHARED_ACCOUNT] if len(keys) > 1 else [reason]

    def _add_named(self, line: BankStatementLine, reasons: dict[tuple[str, int], list[MatchReason]]) -> None:
        words = set(phonetic_name_words(f"{line.party} {line.text}"))
        found = {pk: name for pk, name in self.words.items() if len(name) > 1 and name <= words}
        for pk, name in found.items():
            # If Hans and Hans-Peter share a family name, the longer name wins where the text has all of it.
            if any(name < longer for longer in found.values()):
                continue
            reasons["member", pk].append(MatchReason.NAME)
            if pk in self.shared:
                reasons["member", pk].append(MatchReason.SHARED_NAME)
        for number in find_member_numbers(line.text):
            # A number alone may be anything. Somebody of that family name makes it a hint.
            if number in self.members and words.intersection(phonetic_name_words(self.members[number].family_name)):
                reasons["member", number].append(MatchReason.MEMBER_NUMBER)

    def _add_amounts(self, line: BankStatementLine, reasons: dict[tuple[str, int], list[MatchReason]]) -> None:
        owing = [
            pk
            for pk, balance in self.balances.items()
            if line.amount in (balance.amount_owed, balance.overdue, *self.instalments.get(pk, ()))
            and pk in self.members
        ]
        reason = MatchReason.AMOUNT if line.amount > 0 else MatchReason.OVERPAID
        for pk in owing:
            if ("member", pk) in reasons or len(owing) == 1:
                reasons["member", pk].append(reason)

    def _proposal(
        self, line: BankStatementLine, kind: str, key: int, reasons: list[MatchReason]
    ) -> BookingProposal | None:
        if reasons and (line.entry_id or line.booking_id):
            # An earlier booking of this line was a mistake, so the treasurer checks it.
            reasons = [*reasons, MatchReason.REVERSED]
        if kind == "account":
            account = self.accounts.get(key)
            if account is None:
                return None
            alike = self.booked.find_account_duplicate(line, key, is_own=account.kind in BookAccount.MONEY_KINDS)
            return BookingProposal(reasons=(*reasons, *_IN_DOUBT[alike]), account=account)
        member = self.members.get(key)
        if member is None or not reasons:
            return None
        reasons += _IN_DOUBT[self.booked.find_member_duplicate(line, key)]
        owed = max(0, self.balances.get(key, MemberBalance()).amount_owed)
        if line.amount > owed:
            # It may also be for somebody else, such as a sister, or for the next season.
            reasons.append(MatchReason.MORE_THAN_OWED)
        takes_back = None
        if line.amount < 0 and -line.amount > self.balances.get(key, MemberBalance()).overpaid_amount:
            takes_back = self.booked.find_returned_payment(line, key)
            reasons.append(MatchReason.RETURNED if takes_back else MatchReason.NOTHING_PAID)
        is_other_amount = line.amount > 0 and MatchReason.AMOUNT not in reasons
        return BookingProposal(
            reasons=tuple(reasons),
            member=member,
            returned_payment=takes_back,
            amount_owed=owed if is_other_amount else None,
        )


_IN_DOUBT = {
    None: (),
    DuplicateSource.MANUAL_ENTRY: (MatchReason.BOOKED_MANUALLY,),
    DuplicateSource.STATEMENT_LINE: (MatchReason.BOOKED_BEFORE,),
}


def _learned(club: Club, lines: Iterable[BankStatementLine]) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Return members and book accounts by the bank accounts and plain names of earlier payers and payees."""
    members: dict[str, set[int]] = defaultdict(set)
    accounts: dict[str, set[int]] = defaultdict(set)
    settled = BankStatementLine.objects.filter(club=club).exclude(pk__in=bank_lines_to_review(club).values("pk"))
    rows = settled.order_by("-pk").values_list(
        "party_account",
        "party",
        "entry__account__member_id",
        "booking__source_id",
        "booking__source__kind",
        "booking__target_id",
    )[:MAX_LEARNING_LINES]
    wanted = {mark for line in lines for mark in (line.party_account, normalise_name(line.party))} - {""}
    for number, party, member, source, kind, target in rows:
        for mark in wanted & {number, normalise_name(party)}:
            if member:
                members[mark].add(member)
            elif source:
                accounts[mark].add(target if kind in BookAccount.MONEY_KINDS else source)
    return members, accounts


def _instalments_open(club: Club, balances: Mapping[int, MemberBalance]) -> dict[int, set[int]]:
    """Return the amounts a member may pay at once: the first open instalment, the first two, and so on. One query.

    Payments and waivers count for the instalments that were due first.
    """
    owing = {pk: balance for pk, balance in balances.items() if balance.amount_owed > 0}
    dues = LedgerEntry.objects.filter(
        club=club, kind=LedgerEntry.Kind.DUE, corrects=None, corrected_by=None, account__member__in=owing
    )
    of_member: dict[int, list[int]] = defaultdict(list)
    for member, amount in dues.order_by("due_on", "pk").values_list("account__member", "amount"):
        of_member[member].append(amount)
    found: dict[int, set[int]] = {}
    for member, amounts in of_member.items():
        covered = sum(amounts) - owing[member].amount_owed
        found[member] = {sum_ - covered for sum_ in accumulate(amounts) if sum_ > covered}
    return found


def _shared(words: Mapping[int, set[str]]) -> set[int]:
    """Return members who share their name with another member."""
    by_name: dict[NameWords, list[int]] = defaultdict(list)
    for pk, name in words.items():
        by_name[tuple(sorted(name))].append(pk)
    return {pk for same in by_name.values() if len(same) > 1 for pk in same}


def _money_accounts(club: Club) -> QuerySet[BookAccount]:
    return BookAccount.objects.filter(club=club, kind__in=BookAccount.MONEY_KINDS, is_closed=False)
