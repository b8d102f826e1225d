"""What lists said of members month by month: kept when a list is read, whether it changes the register or not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from clubs.models import Club, Member, MemberListing, RatingListImport, RatingRegister, TimeKind
from clubs.rating_lists.lines import PlayerLine

FIDE = "FIDE"


def is_fide(register: RatingRegister) -> bool:
    """FIDE's register, in which members are found by their FIDE ID; in others by the national one."""
    return register.club_id is None and register.name == FIDE


def in_force(register: RatingRegister) -> list[tuple[date, list[str]]]:
    """The months of the register's latest lists, the latest first, each with the kinds whose list it is."""
    found: dict[date, list[str]] = defaultdict(list)
    for kind in TimeKind:
        if month := register.months.get(kind):
            found[date.fromisoformat(month)].append(str(kind.label))
    return sorted(found.items(), reverse=True)


def members_by_number(
    register: RatingRegister, club: Club | None = None, *, month: date | None = None
) -> dict[str, list[Member]]:
    """Everyone who may be in the register, by the number under which it has them: of all its clubs, or of one.

    With the `month` of a list also those who have left since.
    """
    members = Member.objects.present()
    if month is not None:
        members = members | Member.objects.filter(status=Member.Status.FORMER, left_on__gte=month)
    members = members.filter(erased_at=None)
    if club or register.club_id:
        members = members.filter(club=club or register.club_id)
    found: dict[str, list[Member]] = defaultdict(list)
    if is_fide(register):
        for member in members.filter(fide_id__isnull=False):
            found[str(member.fide_id)].append(member)
    else:
        for member in members.exclude(national_id=""):
            found[member.national_id].append(member)
    return found


def keep_listings(listed: RatingListImport, players: Iterable[PlayerLine], members: Mapping[str, list[Member]]) -> None:
    """Keep what the list says of members; said again, the later file of a month counts. Nothing without a month."""
    if listed.month is None:
        return
    rows = [
        MemberListing(
            member=member,
            register=listed.register,
            kind=kind,
            month=listed.month,
            rating=rating,
            factor=player.factors.get(kind, 0),
            is_inactive=player.is_inactive,
        )
        for player in players
        for member in members[player.number]
        for kind, rating in player.ratings.items()
    ]
    if rows:
        MemberListing.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["member", "register", "kind", "month"],
            update_fields=["rating", "factor", "is_inactive"],
        )
