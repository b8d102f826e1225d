"""What a list would change in the club's book: shown first, applied for those who are ticked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import transaction

from clubs.models import Club, ListedPlayer, Member, RatingRegister, User, Viewing
from clubs.rating_lists.starting import FIDE
from clubs.writing.searching import name_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A member whose rating on the list is another than in the book; 0 is no rating."""

    member: Member
    listed: ListedPlayer
    old: int
    new: int

    @property
    def difference(self) -> int | None:
        """None where one of the two is no rating."""
        return self.new - self.old if self.new and self.old else None

    @property
    def is_another_name(self) -> bool:
        """No word of the list's name stands in the book's: the ID may be somebody else's."""
        return not set(name_words(self.member.name)) & set(name_words(self.listed.name))


def changes_for(club: Club, register: RatingRegister, kind: str) -> list[Change]:
    """Members found in the register by their ID, where its rating is another; by name. Two queries.

    A player whom the list gives no rating changes nothing: the club's own figure stays.
    """
    members = _by_number(club, register)
    listed = ListedPlayer.objects.filter(register=register, number__in=list(members))
    found = [
        Change(member=members[player.number], listed=player, old=members[player.number].rating, new=rating)
        for player in listed
        if (rating := getattr(player, kind)) and rating != members[player.number].rating
    ]
    return sorted(found, key=lambda change: change.member.sort_name)


@transaction.atomic
def apply_changes(
    club: Club, register: RatingRegister, kind: str, shown: Mapping[int, int], *, by: User
) -> Collection[Member]:
    """Put the list's ratings into the book for the members given, each with the new rating that was shown.

    Whoever has another one meanwhile, in the book or on the list, is left alone. Returns those changed.
    """
    wanted = [change for change in changes_for(club, register, kind) if shown.get(change.member.pk) == change.new]
    changed = []
    for change in wanted:
        book = Member.objects.filter(pk=change.member.pk, rating=change.old)
        if book.update(rating=change.new, rating_is_estimate=False):
            changed.append(change.member)
            Viewing.objects.create(
                club=club,
                member=change.member,
                user=by,
                what=Viewing.What.CHANGE,
                details={"rating": [change.old, change.new], "list": register.name},
            )
    return changed


def _by_number(club: Club, register: RatingRegister) -> dict[str, Member]:
    """Members by the number under which this register has them."""
    members = club.members.present()
    if register.club_id is None and register.name == FIDE:
        return {str(member.fide_id): member for member in members if member.fide_id}
    return {member.national_id: member for member in members if member.national_id}
