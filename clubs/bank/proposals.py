"""What a line of a statement may be, why it is thought so, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clubs.models import BookAccount, LedgerEntry, Member

CERTAIN, LIKELY = 90, 60


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
    BOOKED_BY_HAND = "booked by hand"
    BOOKED_FROM_STATEMENT = "booked from a statement"
    WAITS_TWICE = "waits twice"
    TAKEN_BACK = "taken back"
    SENT_BACK = "sent back"
    TWO_WAYS = "two ways"
    NOTHING_TO_GIVE_BACK = "nothing to give back"


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
    Reason.BOOKED_BY_HAND: -75,
    Reason.BOOKED_FROM_STATEMENT: -75,
    Reason.WAITS_TWICE: -75,
    Reason.TAKEN_BACK: -50,
    Reason.SENT_BACK: 15,
    Reason.TWO_WAYS: -35,
    Reason.NOTHING_TO_GIVE_BACK: -75,
}
_PROOFS = {Reason.REFERENCE, Reason.OWN_ACCOUNT, Reason.KNOWN_ACCOUNT}
"""Without one of these nothing is certain: many have a name, and many owe the same."""
_DOUBTS = {reason for reason, weight in _WEIGHT.items() if weight < 0}
"""With one of these nothing is certain either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a line may be: a member's payment (or a refund to him), or money in or out of a category or account.

    With a `payment`, the bank sent that one back, and it is to be taken back.
    """

    reasons: tuple[Reason, ...]
    member: Member | None = None
    account: BookAccount | None = None
    payment: LedgerEntry | None = None

    @property
    def confidence(self) -> int:
        """Per cent, by weights that were set by hand; from 90 on it is called certain, which asks for a proof."""
        may_be_certain = _PROOFS.intersection(self.reasons) and not _DOUBTS.intersection(self.reasons)
        most = 99 if may_be_certain else CERTAIN - 1
        weights = [_WEIGHT[reason] for reason in self.reasons]
        # However much speaks for it, a doubt is not outweighed by it.
        speaks_for = min(99, sum(weight for weight in weights if weight > 0))
        return max(1, min(most, speaks_for + sum(weight for weight in weights if weight < 0)))

    @property
    def is_certain(self) -> bool:
        return self.confidence >= CERTAIN

    @property
    def is_likely(self) -> bool:
        return self.confidence >= LIKELY

    @property
    def target(self) -> str:
        """What a form sends for it."""
        return f"payment:{self.payment.pk}" if self.payment else self.whose

    @property
    def whose(self) -> str:
        """The member, or the account, that it is for, as a key."""
        return f"member:{self.member.pk}" if self.member else f"account:{self.account.pk if self.account else 0}"
