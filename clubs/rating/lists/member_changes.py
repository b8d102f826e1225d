"""Changes a list would make to members: shown first, then applied if ticked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _
from rapidfuzz.distance import OSA

from clubs.models import (
    Club,
    Member,
    PersonalDataAccess,
    RatingListImport,
    RatingListPlayer,
    RatingRegister,
    TimeControlKind,
    User,
)
from clubs.privacy import log_data_access
from clubs.rating.lists.member_listings import (
    FIDE_REGISTER_NAME,
    is_fide_register,
    member_id_field,
    members_by_list_id,
    save_listings_of_members,
)
from clubs.rating.lists.player_search import find_listed_players
from common.locking import lock_row
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words, phonetic_name_words

COMPARED_FIELDS = ("fide_id", "national_id", "rating", "birth_year", "name", "federation", "title")
MAX_MEMBERS_SEARCHED = 40
"""Members without an ID to search for at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDataChange:
    """A field of a member's record that differs from the list. A rating of 0 means none."""

    member: Member
    listed_player: RatingListPlayer
    field: str
    old: int | str
    new: int | str
    kind: str = TimeControlKind.STANDARD
    has_fide_rating: bool = False
    """The list is a federation's, and the member has a rating on FIDE's."""
    month: date | None = None
    """The month of the list with this data, if the member is missing on a later one."""

    @property
    def rating_difference(self) -> int | None:
        """The difference between two ratings. None if one is missing, and for other fields."""
        if isinstance(self.new, int) and isinstance(self.old, int) and self.new and self.old:
            return self.new - self.old
        return None

    @property
    def is_different_name(self) -> bool:
        """Return True if no word of the listed name is in the member's, so the ID may be somebody else's."""
        words = set(name_search_words(self.member.name)) | set(phonetic_name_words(self.member.name))
        return not words & (
            set(name_search_words(self.listed_player.name)) | set(phonetic_name_words(self.listed_player.name))
        )

    @property
    def is_preselected(self) -> bool:
        """Return True if the change is ticked by default.

        Not for names, which must be checked by somebody who knows the people. Not for data from an old list. Not for
        rapid and blitz ratings, nor a federation's rating in addition to FIDE's: a member has one rating here, and
        events sent to FIDE start with it.
        """
        if self.field == "name" or self.is_different_name or self.month is not None:
            return False
        if self.field == "rating" and self.has_fide_rating:
            return False
        return self.field != "rating" or self.kind == TimeControlKind.STANDARD

    @property
    def form_value(self) -> str:
        """The value sent by a ticked box. It depends on what was shown."""
        return f"{self.member.pk}:{self.field}:{self.new}"


def find_member_changes(club: Club, register: RatingRegister, kind: str) -> list[MemberDataChange]:
    """Find differences between the list and the members on it (by ID), sorted by name, ratings first. Three queries.

    Empty fields of the list change nothing. Members missing on the latest list are compared with the last list that had
    them, and its month is given. A birth year is offered only if none is stored. Names that only differ in spelling
    count as equal. Titles and federations are compared with FIDE's list only.
    """
    members = members_by_list_id(register, club)
    listed = list(RatingListPlayer.objects.filter(register=register, number__in=list(members)))
    months = _months_of_lines(register, listed, kind)
    found = [
        change
        for player in listed
        for member in members[player.number]
        for change in _of(member, player, kind, months.get(player.pk))
    ]
    if not is_fide_register(register):
        rated = _rated_by_fide(change.member for change in found)
        found = [
            replace(change, has_fide_rating=change.member.fide_id in rated)
            for change in found
            if change.field in ("rating", "birth_year", "name")
        ]
    return sorted(
        found, key=lambda change: (change.member.sort_name, change.member.pk, COMPARED_FIELDS.index(change.field))
    )


def _months_of_lines(register: RatingRegister, listed: Collection[RatingListPlayer], kind: str) -> dict[int, date]:
    """Return, by player's key, the month of the list with their last rating, if it isn't the latest list."""
    seen = {player.pk: getattr(player, f"{kind}_seen") for player in listed}
    imports = RatingListImport.objects.filter(pk__in=set(seen.values()), month__isnull=False)
    months = dict(imports.values_list("pk", "month"))
    latest = register.months.get(kind, "")
    found = {key: month for key, listed_by in seen.items() if (month := months.get(listed_by)) is not None}
    return {key: month for key, month in found.items() if month.isoformat() < latest}


def _rated_by_fide(members: Iterable[Member]) -> set[int]:
    """Return the FIDE IDs of members with a rating on FIDE's list. One query."""
    numbers = [str(member.fide_id) for member in members if member.fide_id]
    listed = RatingListPlayer.objects.filter(
        register__club=None, register__name=FIDE_REGISTER_NAME, number__in=numbers, standard__gt=0
    )
    return {int(number) for number in listed.values_list("number", flat=True)}


def members_without_list_id(club: Club, register: RatingRegister) -> list[Member]:
    """Return the members without an ID from the list. One query."""
    members = club.members.filter(status__in=(Member.Status.MEMBER, Member.Status.HONORARY), erased_at=None)
    return list(members.filter(fide_id=None) if is_fide_register(register) else members.filter(national_id=""))


def members_not_on_list(register: RatingRegister, club: Club) -> list[Member]:
    """Return the members whose ID isn't on the list. Two queries."""
    members = members_by_list_id(register, club)
    listed = set(
        RatingListPlayer.objects.filter(register=register, number__in=list(members)).values_list("number", flat=True)
    )
    return [member for number, same in members.items() if number not in listed for member in same]


def find_list_ids(register: RatingRegister, members: Collection[Member]) -> list[MemberDataChange]:
    """Find IDs for members whose name and birth year match exactly one listed player. Only searches the first few."""
    field = member_id_field(register)
    found = []
    for member in list(members)[:MAX_MEMBERS_SEARCHED]:
        year = member.birth_date.year if member.birth_date else member.birth_year
        fitting = [
            player
            for player in (find_listed_players([register], member.name).players if year else [])
            if player.birth_year == year and phonetic_name_words(player.name) == phonetic_name_words(member.name)
        ]
        if len(fitting) > 1:
            # Nowak and Novak sound alike, but only one is spelt like the member's name.
            fitting = [player for player in fitting if name_search_words(player.name) == name_search_words(member.name)]
        if len(fitting) == 1 and (field == "national_id" or fitting[0].number.isdecimal()):
            number = fitting[0].number
            new = int(number) if field == "fide_id" else number
            found.append(MemberDataChange(member=member, listed_player=fitting[0], field=field, old="", new=new))
    taken = Counter(change.new for change in found)
    known = list_ids_in_club(found[0].member.club, field) if found else set()
    return [change for change in found if taken[change.new] == 1 and change.new not in known]


def list_ids_in_club(club: Club, field: str) -> set[int | str]:
    """Return the IDs in this field of the club's members. One query."""
    return set(club.members.values_list(field, flat=True)) - {None, ""}


def rank_member_candidates(club: Club, listed: RatingListPlayer) -> list[Member]:
    """Return the members who have no ID from this rating list, best match first.

    A different birth year comes last. Then the nearest name decides.
    """
    heard = " ".join(phonetic_name_words(listed.name))

    def candidate_sort_key(member: Member) -> tuple[bool, int, str]:
        return (
            _of_another_year(member, listed),
            OSA.distance(heard, " ".join(phonetic_name_words(member.name))),
            member.sort_name,
        )

    return sorted(members_without_list_id(club, listed.register), key=candidate_sort_key)


def find_similar_members(club: Club, listed: RatingListPlayer) -> list[Member]:
    """Find members without an ID from the list who may be this player.

    Either name must contain all words of the other, and the birth years must not differ.
    """
    words = set(phonetic_name_words(listed.name))
    return [
        member
        for member in members_without_list_id(club, listed.register)
        if not _of_another_year(member, listed)
        and len(its := set(phonetic_name_words(member.name))) > 1
        and (words <= its or its <= words)
    ]


def _of_another_year(member: Member, listed: RatingListPlayer) -> bool:
    return bool(listed.birth_year and member.birth_year and listed.birth_year != member.birth_year)


@transaction.atomic
def link_member_to_listed_player(club: Club, member: Member, listed: RatingListPlayer, *, by: User) -> None:
    """Save the listed player's ID in a member's record.

    Raises OfficerProblem if another member has the ID, or this member has a different one.
    """
    lock_row(Club, club.pk)
    of_fide = is_fide_register(listed.register)
    if of_fide and not (listed.number.isascii() and listed.number.isdigit()):
        raise OfficerProblem(_("“%(number)s” is not a FIDE ID.") % {"number": listed.number})
    column, number = member_id_field(listed.register), int(listed.number) if of_fide else listed.number
    owner = club.members.filter(**{column: number}).first()
    if owner is not None:
        raise OfficerProblem(_("%(name)s already has this ID.") % {"name": owner.name})
    fresh = lock_row(Member, member.pk)
    if getattr(fresh, column):
        raise OfficerProblem(_("%(name)s now has a different ID.") % {"name": fresh.name})
    setattr(fresh, column, number)
    fresh.save(update_fields=[column])
    save_listings_of_members([fresh])
    log_data_access(
        club, PersonalDataAccess.DataAccessKind.CHANGE, by=by, member=fresh, fields=[column], list=listed.register.name
    )


@transaction.atomic
def apply_member_changes(club: Club, register: RatingRegister, kind: str, shown: Collection[str], *, by: User) -> int:
    """Apply the ticked changes, given by their form values (`shown`), and return how many were applied.

    Changes that differ from the current data of member or list are skipped.
    """
    lock_row(Club, club.pk)
    offered = find_member_changes(club, register, kind)
    keys = {int(key) for each in shown if (key := each.partition(":")[0]).isdecimal() and len(key) < 16}
    offered += find_list_ids(register, [each for each in members_without_list_id(club, register) if each.pk in keys])
    wanted = [change for change in offered if change.form_value in shown]
    for change in wanted:
        # Saved, not updated, because saving also sets the fields for sorting and searching names.
        member = lock_row(Member, change.member.pk)
        if change.field == "name":
            family, _comma, given = str(change.new).partition(",")
            member.family_name, member.given_name = family.strip()[:80], given.strip()[:80]
        else:
            setattr(member, change.field, change.new)
        if change.field == "rating":
            member.rating_is_estimate = False
        member.save()
        PersonalDataAccess.objects.create(
            club=club,
            member=member,
            user=by,
            what=PersonalDataAccess.DataAccessKind.CHANGE,
            details={change.field: [change.old, change.new], "list": register.name},
        )
    if numbered := [change.member.pk for change in wanted if change.field in ("fide_id", "national_id")]:
        save_listings_of_members(Member.objects.filter(pk__in=numbered))
    if any(change.field == "birth_year" for change in wanted):
        publish(ChangeKind.RATED_MEMBERS, club.pk)
    return len(wanted)


def _of(member: Member, player: RatingListPlayer, kind: str, month: date | None) -> list[MemberDataChange]:
    rating = getattr(player, kind)
    facts: list[tuple[str, int | str, int | str]] = []
    if rating and rating != member.rating:
        facts.append(("rating", member.rating, rating))
    if player.birth_year and not member.birth_year:
        facts.append(("birth_year", "", player.birth_year))
    if phonetic_name_words(member.name) != phonetic_name_words(player.name):
        facts.append(("name", member.name, player.name))
    if player.federation and player.federation != member.federation:
        facts.append(("federation", member.federation, player.federation))
    if player.title and player.title != member.title:
        facts.append(("title", member.title, player.title))
    return [
        MemberDataChange(member=member, listed_player=player, field=field, old=old, new=new, kind=kind, month=month)
        for field, old, new in facts
    ]
