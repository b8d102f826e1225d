"""Duplicate members: find pairs that may be one person, preview the merge, and merge them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _
from rapidfuzz import process
from rapidfuzz.distance import OSA

from clubs.membership.members.membership_periods import save_with_membership_periods, transfer_membership_period
from clubs.models import (
    Club,
    GuestNight,
    Member,
    MemberRating,
    MemberRatingListing,
    MembershipPeriod,
    PersonalDataAccess,
    Reminder,
    User,
)
from clubs.privacy import log_data_access
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from common.text.name_search import NameWords, max_typos, phonetic_name_words

_OF_ONE_ROW = {"id", "club", "sort_name", "search_name", "erased_at", "birth_year", "family_payer"}
"""Columns that the user does not choose between."""

_ONE_IS_ENOUGH = (GuestNight, MemberRatingListing, MemberRating, MembershipPeriod, Reminder)
"""Models whose second row is dropped if both members have one. Ratings are recalculated from the games.

Models of other apps set `keep_one_when_merging = True` instead.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeFieldChoice:
    """A column that differs between two members.

    `keeps_first` is the suggested choice: a filled value is preferred to an empty one.
    """

    name: str
    label: str
    first: str
    second: str
    keeps_first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedRowCount:
    """The number of related rows of one kind, such as results or ratings, that move to the first member."""

    label: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePreview:
    """The effects of a merge. A merge with `obstacles` is refused."""

    first: Member
    second: Member
    choices: tuple[MergeFieldChoice, ...]
    related_rows: tuple[RelatedRowCount, ...]
    obstacles: tuple[str, ...]


def find_duplicate_members(club: Club) -> list[tuple[Member, Member]]:
    """Return pairs of members who may be the same person, the most similar names first.

    Names sound alike or differ by a letter or two. Or one has all names of the other and the same birth year. Pairs
    with different IDs, birth dates or sex are left out.
    """
    members = list(club.members.filter(erased_at=None).order_by("pk"))
    by_words: dict[NameWords, list[int]] = {}
    for place, member in enumerate(members):
        by_words.setdefault(phonetic_name_words(member.name), []).append(place)
    pairs = {
        (distance, *sorted((one, other)))
        for words, its, distance in _alike(by_words)
        for one, other in (
            combinations(by_words[words], 2) if words == its else product(by_words[words], by_words[its])
        )
        if _may_be_one(members[one], members[other])
    }
    known = {(one, other) for _distance, one, other in pairs}
    pairs |= {(EXTRA_NAME_RANK, *pair) for pair in _with_more_names(members) if pair not in known}
    return [(members[one], members[other]) for _distance, one, other in sorted(pairs)]


EXTRA_NAME_RANK = 9
"""Rank of pairs in which one name has an extra word, after those that differ by letters."""


def _with_more_names(members: Sequence[Member]) -> Iterator[tuple[int, int]]:
    """Yield pairs born in the same year where one has an extra name, such as a second given name."""
    of_year: dict[int, list[tuple[int, frozenset[str]]]] = {}
    for place, member in enumerate(members):
        words = frozenset(phonetic_name_words(member.name))
        if member.birth_year and len(words) > 1:
            of_year.setdefault(member.birth_year, []).append((place, words))
    for born in of_year.values():
        for (one, words), (other, its) in combinations(born, 2):
            if (words < its or its < words) and _may_be_one(members[one], members[other]):
                yield one, other


def _alike(names: Collection[NameWords]) -> Iterator[tuple[NameWords, NameWords, int]]:
    """Yield pairs of names whose words differ by few letters, including each name with itself, and the distance.

    Each distinct word is compared once, however many members have it.
    """
    near = _near({word for name in names for word in name})
    by_first: dict[tuple[int, str], list[NameWords]] = {}
    for name in names:
        if name:
            by_first.setdefault((len(name), name[0]), []).append(name)
    for name in names:
        for first in near[name[0]] if name else ():
            for other in by_first.get((len(name), first), ()):
                if name <= other and all(its in near[word] for word, its in zip(name, other, strict=True)):
                    yield name, other, sum(near[word][its] for word, its in zip(name, other, strict=True))


def _near(words: Collection[str]) -> dict[str, dict[str, int]]:
    """Map each word to the similar words and their distance, within the limits of both words."""
    may_differ = {word: _most_wrong(word) for word in words}
    found: dict[str, dict[str, int]] = {}
    for word, most in may_differ.items():
        hits = process.extract(word, words, scorer=OSA.distance, processor=None, score_cutoff=most, limit=None)
        found[word] = {other: distance for other, distance, _place in hits if distance <= may_differ[other]}
    return found


def _most_wrong(word: str) -> int:
    """Return the allowed typos, as in the member search. A digit in a name distinguishes people, so it allows none."""
    return 0 if any(letter.isdecimal() for letter in word) else max_typos(word)


def preview_member_merge(first: Member, second: Member) -> MergePreview:
    """Return what would be kept, moved and lost if the second member were merged into the first."""
    attached = [
        RelatedRowCount(label=str(relation.related_model._meta.verbose_name_plural), count=count)
        for relation in _relations()
        if (count := relation.related_model._default_manager.filter(**{relation.field.name: second}).count())
    ]
    return MergePreview(
        first=first,
        second=second,
        choices=tuple(_choices(first, second)),
        related_rows=tuple(attached),
        obstacles=tuple(_obstacles(first, second)),
    )


@transaction.atomic
def merge_members(first: Member, second: Member, *, from_second: Iterable[str], by: User) -> Member:
    """Merge the second member into the first and delete the second.

    Columns in `from_second` take the second member's values, and related rows move to the first. Ledger entries stay
    unchanged in their account. Raises OfficerProblem if both took part in the same event or belong to different clubs.
    """
    preview = preview_member_merge(first, second)
    if preview.obstacles:
        raise OfficerProblem(" ".join(preview.obstacles))
    groups = list(second.groups.all())
    if first.family_payer_id == second.pk:
        first.family_payer = None
        first.save(update_fields=["family_payer"])
    for relation in _relations():
        if _one_is_enough(relation):
            for row in list(_second_of_both(relation, first, second)):
                row.delete()
        relation.related_model._default_manager.filter(**{relation.field.name: second}).update(
            **{relation.field.name: first}
        )
    taken = {choice.name: getattr(second, choice.name) for choice in preview.choices if choice.name in from_second}
    if "birth_date" in taken:
        taken["birth_year"] = second.birth_year
    old_name = second.name
    second.delete()
    for name, value in taken.items():
        setattr(first, name, value)
    save_with_membership_periods(first)
    transfer_membership_period(second, first)
    first.groups.add(*groups)
    publish(ChangeKind.RATED_MEMBERS, first.club_id)
    log_data_access(
        first.club, PersonalDataAccess.DataAccessKind.MERGE, by=by, member=first, name=old_name, taken=sorted(taken)
    )
    return first


def _may_be_one(one: Member, other: Member) -> bool:
    for column in ("fide_id", "national_id", "birth_year", "birth_date", "sex"):
        ours, theirs = getattr(one, column), getattr(other, column)
        if ours and theirs and ours != theirs:
            return False
    return True


def _choices(first: Member, second: Member) -> Iterator[MergeFieldChoice]:
    for column in Member._meta.concrete_fields:
        if column.name in _OF_ONE_ROW:
            continue
        ours, theirs = getattr(first, column.name), getattr(second, column.name)
        if column.name == "birth_date":
            ours, theirs = first.birth_date_or_year, second.birth_date_or_year
        if ours != theirs:
            yield MergeFieldChoice(
                name=column.name,
                label=_("born") if column.name == "birth_date" else str(column.verbose_name),
                first=_shown(first, column, ours),
                second=_shown(second, column, theirs),
                keeps_first=bool(ours) or not theirs,
            )


def _shown(member: Member, column: models.Field[Any, Any], value: object) -> str:
    if column.choices and value:
        return str(member._get_FIELD_display(column))  # type: ignore[attr-defined]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value or "")


def _one_is_enough(relation: Any) -> bool:
    return relation.related_model in _ONE_IS_ENOUGH or getattr(relation.related_model, "keep_one_when_merging", False)


def _relations() -> list[Any]:
    """Return every relation to a member in any app, except group membership."""
    return [relation for relation in Member._meta.related_objects if not relation.many_to_many]


def _obstacles(first: Member, second: Member) -> Iterator[str]:
    if first == second:
        yield _("These are already the same member.")
    if first.club_id != second.club_id:
        yield _("They belong to different clubs.")
    if first.erased_at or second.erased_at:
        yield _("One of them has been erased.")
    for relation in _relations():
        if not _one_is_enough(relation):
            for row in _second_of_both(relation, first, second):
                yield _("Both members already have this: %(what)s.") % {"what": _described(row, relation.field.name)}


def _second_of_both(relation: Any, first: Member, second: Member) -> Iterator[models.Model]:
    """Yield the second member's rows that would break a unique constraint if moved to the first."""
    model, name = relation.related_model, relation.field.name
    for constraint in model._meta.total_unique_constraints:
        if name not in constraint.fields:
            continue
        others = [field for field in constraint.fields if field != name]
        for row in model._default_manager.filter(**{name: second}):
            same = {field: getattr(row, field) for field in others}
            if model._default_manager.filter(**{name: first}, **same).exists():
                yield row


def _described(row: models.Model, owner: str) -> str:
    """Describe a row by the other objects it refers to, such as an entry by its event."""
    belongs_to = [
        str(getattr(row, field.name))
        for field in row._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.name != owner and getattr(row, field.name)
    ]
    return ", ".join([str(row._meta.verbose_name), *belongs_to])
