"""Two rows of the book that are one person: finding them, looking at both, making them one."""

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
"""Columns that are not chosen between."""

_ONE_IS_ENOUGH = (GuestNight, MemberRatingListing, MemberRating, MembershipPeriod, Reminder)
"""Where both have the same, the second's is dropped; ratings are counted anew from the games.

Models of apps above say so themselves: `one_is_enough = True`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeFieldChoice:
    """A column in which two rows differ. `keeps_first` is what is proposed: what is there before what is not."""

    name: str
    label: str
    first: str
    second: str
    keeps_first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedRowCount:
    """Rows that hang on the second member and will hang on the first: results, accounts, ratings."""

    label: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePreview:
    """What merging would do. With any `obstacles` it is refused."""

    first: Member
    second: Member
    choices: tuple[MergeFieldChoice, ...]
    related_rows: tuple[RelatedRowCount, ...]
    obstacles: tuple[str, ...]


def find_duplicate_members(club: Club) -> list[tuple[Member, Member]]:
    """Pairs that may be one person: names that sound the same or differ by a letter or two, or one with all names of
    the other, of the same year; and nothing known of both that differs. The same names come first.
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
"""Names of which one has a word more come behind those that differ by letters."""


def _with_more_names(members: Sequence[Member]) -> Iterator[tuple[int, int]]:
    """Born in the same year, and one has all names of the other: a second given name, a double family name."""
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
    """Names that differ by few letters, word by word, each two once, and each with itself; by how many letters.

    Each word is looked for once, however many bear it.
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
    """For each word those that differ from it by no more letters than both may, and by how many."""
    may_differ = {word: _most_wrong(word) for word in words}
    found: dict[str, dict[str, int]] = {}
    for word, most in may_differ.items():
        hits = process.extract(word, words, scorer=OSA.distance, processor=None, score_cutoff=most, limit=None)
        found[word] = {other: distance for other, distance, _place in hits if distance <= may_differ[other]}
    return found


def _most_wrong(word: str) -> int:
    """As when somebody is looked for; but a figure in a name was put there to tell its bearers apart."""
    return 0 if any(letter.isdecimal() for letter in word) else max_typos(word)


def preview_member_merge(first: Member, second: Member) -> MergePreview:
    """What would be kept, moved and lost if the second row were merged into the first."""
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
    """Make two rows one: columns in `from_second` are the second row's, everything that hung on it the first's.

    Ledger lines stay as they are: the account they belong to changes hands. The second row is deleted. Raises
    OfficerProblem when both took part in one event, or are not of one club.
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
        first.club, PersonalDataAccess.AccessKind.MERGE, by=by, member=first, name=old_name, taken=sorted(taken)
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
    """Everything that points at a member, in whatever app, but for the table that joins groups."""
    return [relation for relation in Member._meta.related_objects if not relation.many_to_many]


def _obstacles(first: Member, second: Member) -> Iterator[str]:
    if first == second:
        yield _("These are one row already.")
    if first.club_id != second.club_id:
        yield _("They are in two clubs.")
    if first.erased_at or second.erased_at:
        yield _("One of them was erased.")
    for relation in _relations():
        if not _one_is_enough(relation):
            for row in _second_of_both(relation, first, second):
                yield _("Both have their own: %(what)s.") % {"what": _described(row, relation.field.name)}


def _second_of_both(relation: Any, first: Member, second: Member) -> Iterator[models.Model]:
    """The second member's rows of a kind that each member may have once, where the first has one too."""
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
    """A row by what it belongs to besides its member: an entry by its event."""
    belongs_to = [
        str(getattr(row, field.name))
        for field in row._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.name != owner and getattr(row, field.name)
    ]
    return ", ".join([str(row._meta.verbose_name), *belongs_to])
