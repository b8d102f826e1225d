"""Members' data on rating lists, month by month.

It is saved when a list is read, even if the list doesn't change the register.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date

from django.db.models import Q
from django.utils import timezone

from clubs.models import (
    Club,
    Member,
    MemberRatingListing,
    RatingListImport,
    RatingListPlayer,
    RatingRegister,
    TimeControlKind,
)
from clubs.rating.lists.player_lines import ListedPlayerLine
from common.signals import ChangeKind, publish

FIDE_REGISTER_NAME = "FIDE"


def is_fide_register(register: RatingRegister) -> bool:
    """Return True for FIDE's register. It identifies members by FIDE ID, and other registers by national ID."""
    return register.club_id is None and register.name == FIDE_REGISTER_NAME


def member_id_field(register: RatingRegister) -> str:
    """Return the member field that holds the register's ID."""
    return "fide_id" if is_fide_register(register) else "national_id"


def current_list_months(register: RatingRegister) -> list[tuple[date, list[str], bool]]:
    """Return the months of the register's latest lists, the latest first, each with its kinds.

    The third value is True for a future month: that list has been imported but is not in force yet.
    """
    found: dict[date, list[str]] = defaultdict(list)
    for kind in TimeControlKind:
        if month := register.months.get(kind):
            found[date.fromisoformat(month)].append(str(kind.label))
    today = timezone.localdate()
    return [(month, found[month], month > today) for month in sorted(found, reverse=True)]


def members_by_list_id(
    register: RatingRegister, club: Club | None = None, *, month: date | None = None
) -> dict[str, list[Member]]:
    """Return members with an ID for this register, by ID. Without a club, search all clubs that use the register.

    With the `month` of a list, include those who have left since.
    """
    members = Member.objects.exclude_former()
    if month is not None:
        members = members | Member.objects.filter(status=Member.Status.FORMER, left_on__gte=month)
    members = members.filter(erased_at=None)
    if club or register.club_id:
        members = members.filter(club=club or register.club_id)
    found: dict[str, list[Member]] = defaultdict(list)
    if is_fide_register(register):
        for member in members.filter(fide_id__isnull=False):
            found[str(member.fide_id)].append(member)
    else:
        for member in members.exclude(national_id=""):
            found[member.national_id].append(member)
    return found


def save_listings_of_members(members: Collection[Member]) -> None:
    """Save the current lists' data on members whose ID has just become known.

    The club's own ratings depend on these ratings and K. Three queries per register.
    """
    for register in RatingRegister.objects.filter(Q(club=None) | Q(club__in={member.club_id for member in members})):
        column = member_id_field(register)
        of = [member for member in members if is_fide_register(register) or member.club_id == register.club_id]
        by_number = {str(number): member for member in of if (number := getattr(member, column))}
        players = list(RatingListPlayer.objects.filter(register=register, number__in=by_number))
        seen = {getattr(player, f"{kind}_seen") for player in players for kind in TimeControlKind.values}
        months = dict(RatingListImport.objects.filter(pk__in=seen, month__isnull=False).values_list("pk", "month"))
        _keep(
            MemberRatingListing(
                member=by_number[player.number],
                register=register,
                kind=kind,
                month=month,
                rating=rating,
                factor=getattr(player, f"{kind}_k"),
                is_inactive=player.is_inactive,
            )
            for player in players
            for kind in TimeControlKind.values
            if (month := months.get(getattr(player, f"{kind}_seen"))) and (rating := getattr(player, kind))
        )
    for club in {member.club_id for member in members}:
        publish(ChangeKind.RATED_MEMBERS, club)


def delete_outdated_listings(listed: RatingListImport, kind: str, said_of: Collection[int]) -> None:
    """Delete ratings that an earlier file for the same month had and this one lacks.

    Ratings calculated from them are recalculated.
    """
    if listed.month is None:
        return
    others = MemberRatingListing.objects.filter(register=listed.register, month=listed.month, kind=kind)
    others = others.exclude(member__in=said_of)
    clubs = set(others.values_list("member__club", flat=True))
    others.delete()
    for club in clubs:
        publish(ChangeKind.RATED_MEMBERS, club)


def save_listings(
    listed: RatingListImport, players: Iterable[ListedPlayerLine], members: Mapping[str, list[Member]]
) -> None:
    """Save the list's data on members, replacing an earlier file's data for that month. Without a month, do nothing."""
    if listed.month is None:
        return
    _keep(
        MemberRatingListing(
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
    )


def _keep(listings: Iterable[MemberRatingListing]) -> None:
    rows = list(listings)
    if rows:
        MemberRatingListing.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["member", "register", "kind", "month"],
            update_fields=["rating", "factor", "is_inactive"],
        )
