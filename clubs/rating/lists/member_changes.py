"""What a list would change in the club's book: shown first, applied where it is ticked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _
from rapidfuzz.distance import OSA

from clubs.locking import lock_club
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
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words, phonetic_name_words

COMPARED_FIELDS = ("fide_id", "national_id", "rating", "birth_year", "name", "federation", "title")
MAX_MEMBERS_SEARCHED = 40
"""So many members without an ID are looked for on a list at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDataChange:
    """One particular of a member that is another on the list; a rating of 0 is none."""

    member: Member
    listed_player: RatingListPlayer
    field: str
    old: int | str
    new: int | str
    kind: str = TimeControlKind.STANDARD
    has_fide_rating: bool = False
    """The list is a federation's, and the member has a rating on FIDE's."""
    month: date | None = None
    """The month of the list that says so, where the register has a later one on which the member is not."""

    @property
    def rating_difference(self) -> int | None:
        """Of ratings; None where one of the two is no rating, and for what is none."""
        if isinstance(self.new, int) and isinstance(self.old, int) and self.new and self.old:
            return self.new - self.old
        return None

    @property
    def is_different_name(self) -> bool:
        """No word of the list's name stands in the book's: the ID may be somebody else's."""
        words = set(name_search_words(self.member.name)) | set(phonetic_name_words(self.member.name))
        return not words & (
            set(name_search_words(self.listed_player.name)) | set(phonetic_name_words(self.listed_player.name))
        )

    @property
    def is_preselected(self) -> bool:
        """Is ticked: names are looked at by whoever knows the people.

        So is a rating for rapid or blitz, or of a federation for whom FIDE has one, for the book has one rating of each
        member, with which events begin that are sent to FIDE; and what an old list says.
        """
        if self.field == "name" or self.is_different_name or self.month is not None:
            return False
        if self.field == "rating" and self.has_fide_rating:
            return False
        return self.field != "rating" or self.kind == TimeControlKind.STANDARD

    @property
    def form_value(self) -> str:
        """What a ticked box sends: it changes with what was shown."""
        return f"{self.member.pk}:{self.field}:{self.new}"


def find_member_changes(club: Club, register: RatingRegister, kind: str) -> list[MemberDataChange]:
    """What is another on the list, of members found there by their ID; by name, ratings first. Three queries.

    What the list does not say changes nothing. Who is no longer on the register's latest list is compared with the
    line of the last on which he was, whose month is said. A year of birth is offered where the book has none. A name
    that only sounds the same in another spelling is the same; titles and federations are compared with FIDE's list
    alone.
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
    """By player's key the month of the list that last said his rating, where that is not the register's latest."""
    seen = {player.pk: getattr(player, f"{kind}_seen") for player in listed}
    imports = RatingListImport.objects.filter(pk__in=set(seen.values()), month__isnull=False)
    months = dict(imports.values_list("pk", "month"))
    latest = register.months.get(kind, "")
    found = {key: month for key, listed_by in seen.items() if (month := months.get(listed_by)) is not None}
    return {key: month for key, month in found.items() if month.isoformat() < latest}


def _rated_by_fide(members: Iterable[Member]) -> set[int]:
    """FIDE IDs of these members who have a rating on FIDE's list; one query."""
    numbers = [str(member.fide_id) for member in members if member.fide_id]
    listed = RatingListPlayer.objects.filter(
        register__club=None, register__name=FIDE_REGISTER_NAME, number__in=numbers, standard__gt=0
    )
    return {int(number) for number in listed.values_list("number", flat=True)}


def members_without_list_id(club: Club, register: RatingRegister) -> list[Member]:
    """Members whom nobody finds on a list by an ID, for they have none; one query."""
    members = club.members.filter(status__in=(Member.Status.MEMBER, Member.Status.HONORARY), erased_at=None)
    return list(members.filter(fide_id=None) if is_fide_register(register) else members.filter(national_id=""))


def members_not_on_list(register: RatingRegister, club: Club) -> list[Member]:
    """Members whose ID nobody on the list has; two queries."""
    members = members_by_list_id(register, club)
    listed = set(
        RatingListPlayer.objects.filter(register=register, number__in=list(members)).values_list("number", flat=True)
    )
    return [member for number, same in members.items() if number not in listed for member in same]


def find_list_ids(register: RatingRegister, members: Collection[Member]) -> list[MemberDataChange]:
    """The ID of each of the first members, where one player alone has the member's name and year of birth."""
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
            # As in another country: Nowak and Novak sound alike, and one of them is written as in the book.
            fitting = [player for player in fitting if name_search_words(player.name) == name_search_words(member.name)]
        if len(fitting) == 1 and (field == "national_id" or fitting[0].number.isdecimal()):
            number = fitting[0].number
            new = int(number) if field == "fide_id" else number
            found.append(MemberDataChange(member=member, listed_player=fitting[0], field=field, old="", new=new))
    taken = Counter(change.new for change in found)
    known = list_ids_in_club(found[0].member.club, field) if found else set()
    return [change for change in found if taken[change.new] == 1 and change.new not in known]


def list_ids_in_club(club: Club, field: str) -> set[int | str]:
    """The IDs that members of a club have; one query."""
    return set(club.members.values_list(field, flat=True)) - {None, ""}


def rank_member_candidates(club: Club, listed: RatingListPlayer) -> list[Member]:
    """Members without an ID of the list: those of the same year of birth, and of them whose name is nearest."""
    heard = " ".join(phonetic_name_words(listed.name))

    def candidate_sort_key(member: Member) -> tuple[bool, int, str]:
        return (
            _of_another_year(member, listed),
            OSA.distance(heard, " ".join(phonetic_name_words(member.name))),
            member.sort_name,
        )

    return sorted(members_without_list_id(club, listed.register), key=candidate_sort_key)


def find_similar_members(club: Club, listed: RatingListPlayer) -> list[Member]:
    """Members without an ID of the list who may be this player: one has all names of the other, of the same year."""
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
    """Write the player's ID into the member's row; OfficerProblem where another member has it, or he another one."""
    lock_club(club.pk)
    of_fide = is_fide_register(listed.register)
    if of_fide and not (listed.number.isascii() and listed.number.isdigit()):
        raise OfficerProblem(_("“%(number)s” is no FIDE ID.") % {"number": listed.number})
    column, number = member_id_field(listed.register), int(listed.number) if of_fide else listed.number
    owner = club.members.filter(**{column: number}).first()
    if owner is not None:
        raise OfficerProblem(_("%(name)s has this ID in the book.") % {"name": owner.name})
    fresh = Member.objects.select_for_update(no_key=True).get(pk=member.pk)
    if getattr(fresh, column):
        raise OfficerProblem(_("%(name)s has another ID by now.") % {"name": fresh.name})
    setattr(fresh, column, number)
    fresh.save(update_fields=[column])
    save_listings_of_members([fresh])
    log_data_access(
        club, PersonalDataAccess.AccessKind.CHANGE, by=by, member=fresh, fields=[column], list=listed.register.name
    )


@transaction.atomic
def apply_member_changes(club: Club, register: RatingRegister, kind: str, shown: Collection[str], *, by: User) -> int:
    """Put into the book what was shown and ticked, by the keys of the changes; answers how many were made.

    What is another meanwhile, in the book or on the list, is left alone.
    """
    lock_club(club.pk)
    offered = find_member_changes(club, register, kind)
    keys = {int(key) for each in shown if (key := each.partition(":")[0]).isdecimal() and len(key) < 16}
    offered += find_list_ids(register, [each for each in members_without_list_id(club, register) if each.pk in keys])
    wanted = [change for change in offered if change.form_value in shown]
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
        PersonalDataAccess.objects.create(
            club=club,
            member=member,
            user=by,
            what=PersonalDataAccess.AccessKind.CHANGE,
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
