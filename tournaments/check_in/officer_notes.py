"""Notes for officers at check-in on a member's dues, membership and guest nights. Players never see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Count, Sum

from clubs.finance.dues.balances import member_balances
from clubs.finance.dues.guest_fees import GUEST_STATUSES, guests_who_paid_on
from clubs.models import Club, LedgerEntry, Member
from common.text.amounts import Cents
from tournaments.models import Entry


class OfficerNoteKind(StrEnum):
    """The subject of a note. The wording is in `tournaments/check_in/check_in_row.html`."""

    DUES = "dues"
    LEFT = "left"
    GUEST = "guest"
    GUEST_FEE = "guest fee"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficerNote:
    """A note on a member. `amount` and `season` stay empty for officers who may not see the club's money."""

    kind: OfficerNoteKind
    amount: Cents = 0
    season: str = ""
    nights: int = 0


def officer_notes_for(
    club: Club, entries: Iterable[Entry], *, today: date, with_amounts: bool
) -> Mapping[int, tuple[OfficerNote, ...]]:
    """Return notes by entry key, only for players who have any. Four queries at most.

    `with_amounts` is for officers who may see the club's money. The others only see that dues are open.
    """
    entry_of = {entry.member_id: entry.pk for entry in entries if entry.member_id is not None}
    members = list(Member.objects.filter(pk__in=entry_of).annotate(nights=Count("guest_nights")))
    standing = member_balances(club, today=today, members=members)
    overdue = {key: balance.overdue for key, balance in standing.items() if balance.overdue}
    seasons = _seasons_owed(club, overdue, today=today) if with_amounts and overdue else {}
    asks_guests = bool(club.guest_night_fee)
    guests = [member for member in members if member.status in GUEST_STATUSES] if asks_guests else []
    paid = guests_who_paid_on(guests, today) if guests else set()
    notes: dict[int, tuple[OfficerNote, ...]] = {}
    for member in members:
        found = []
        if member.pk in overdue:
            amount = overdue[member.pk] if with_amounts else 0
            found.append(OfficerNote(kind=OfficerNoteKind.DUES, amount=amount, season=seasons.get(member.pk, "")))
        if member.status == Member.Status.FORMER or (member.left_on is not None and member.left_on <= today):
            found.append(OfficerNote(kind=OfficerNoteKind.LEFT))
        if asks_guests and member.status in GUEST_STATUSES and member.pk not in paid:
            found.append(
                OfficerNote(kind=OfficerNoteKind.GUEST_FEE, amount=club.guest_night_fee if with_amounts else 0)
            )
        if member.status in GUEST_STATUSES and member.nights >= club.guest_nights_allowed:
            found.append(OfficerNote(kind=OfficerNoteKind.GUEST, nights=member.nights))
        if found:
            notes[entry_of[member.pk]] = tuple(found)
    return notes


def _seasons_owed(club: Club, overdue: Mapping[int, Cents], *, today: date) -> dict[int, str]:
    """Return the seasons of each member's overdue dues. Payments count for the oldest dues first."""
    dues = LedgerEntry.objects.filter(
        club=club, kind=LedgerEntry.Kind.DUE, due_on__lt=today, account__member__in=list(overdue), season__isnull=False
    )
    sums = dues.values("account__member", "season__name", "season__starts_on").annotate(amount=Sum("amount"))
    left = dict(overdue)
    names: dict[int, list[str]] = {}
    for row in sums.order_by("-season__starts_on", "season__name"):
        member = row["account__member"]
        if left[member] > 0 and row["amount"] > 0:
            names.setdefault(member, []).append(row["season__name"])
            left[member] -= row["amount"]
    return {member: ", ".join(found) for member, found in names.items()}
