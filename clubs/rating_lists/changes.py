"""What a list would change in the club's book: shown first, applied where it is ticked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from clubs.holding import hold
from clubs.models import Club, ListedPlayer, Member, RatingRegister, User, Viewing
from clubs.rating_lists.listings import is_fide, members_by_number
from clubs.writing.searching import name_words, sounded_words

FIELDS = ("rating", "name", "federation", "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One particular of a member that is another on the list; a rating of 0 is none."""

    member: Member
    listed: ListedPlayer
    field: str
    old: int | str
    new: int | str

    @property
    def difference(self) -> int | None:
        """Of ratings; None where one of the two is no rating, and for what is none."""
        if isinstance(self.new, int) and isinstance(self.old, int) and self.new and self.old:
            return self.new - self.old
        return None

    @property
    def is_another_name(self) -> bool:
        """No word of the list's name stands in the book's: the ID may be somebody else's."""
        words = set(name_words(self.member.name)) | set(sounded_words(self.member.name))
        return not words & (set(name_words(self.listed.name)) | set(sounded_words(self.listed.name)))

    @property
    def is_proposed(self) -> bool:
        """Is ticked: names are looked at by whoever knows the people."""
        return self.field != "name" and not self.is_another_name

    @property
    def key(self) -> str:
        """What a ticked box sends: it changes with what was shown."""
        return f"{self.member.pk}:{self.field}:{self.new}"


def changes_for(club: Club, register: RatingRegister, kind: str) -> list[Change]:
    """What is another on the list, of members found there by their ID; by name, ratings first. Two queries.

    What the list does not say changes nothing. A name that only sounds the same in another spelling is the same; the
    club's titles and federations are compared with FIDE's list alone.
    """
    members = members_by_number(register, club)
    listed = ListedPlayer.objects.filter(register=register, number__in=list(members))
    found = [change for player in listed for member in members[player.number] for change in _of(member, player, kind)]
    if not is_fide(register):
        found = [change for change in found if change.field in ("rating", "name")]
    return sorted(found, key=lambda change: (change.member.sort_name, change.member.pk, FIELDS.index(change.field)))


@transaction.atomic
def apply_changes(club: Club, register: RatingRegister, kind: str, shown: Collection[str], *, by: User) -> int:
    """Put into the book what was shown and ticked, by the keys of the changes; answers how many were made.

    What is another meanwhile, in the book or on the list, is left alone.
    """
    hold(club.pk)
    wanted = [change for change in changes_for(club, register, kind) if change.key in shown]
    for change in wanted:
        # Saved and not updated, for names are sorted and found by what saving makes of them.
        member = Member.objects.select_for_update(no_key=True).get(pk=change.member.pk)
        if change.field == "name":
            family, _comma, given = str(change.new).partition(",")
            member.family_name, member.given_name = family.strip()[:80], given.strip()[:80]
        else:
            setattr(member, change.field, change.new)
        if change.field == "rating":
            member.rating_is_estimate = False
        member.save()
        Viewing.objects.create(
            club=club,
            member=member,
            user=by,
            what=Viewing.What.CHANGE,
            details={change.field: [change.old, change.new], "list": register.name},
        )
    return len(wanted)


def _of(member: Member, player: ListedPlayer, kind: str) -> list[Change]:
    rating = getattr(player, kind)
    facts: list[tuple[str, int | str, int | str]] = []
    if rating and rating != member.rating:
        facts.append(("rating", member.rating, rating))
    if sounded_words(member.name) != sounded_words(player.name):
        facts.append(("name", member.name, player.name))
    if player.federation and player.federation != member.federation:
        facts.append(("federation", member.federation, player.federation))
    if player.title and player.title != member.title:
        facts.append(("title", member.title, player.title))
    return [Change(member=member, listed=player, field=field, old=old, new=new) for field, old, new in facts]
