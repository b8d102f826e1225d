"""Missing or doubtful data in an event's report, listed before a rating officer gets it.

Requirements: FIDE Handbook B.02 and C.02, the tournament report file (TRF).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club
from tournaments.events.arbiters import format_name_with_fide_id, parse_deputy_arbiters, split_name_and_fide_id
from tournaments.events.fide_rating_eligibility import event_fide_rating_warning
from tournaments.import_export.monthly_reports import rounds_by_report_month
from tournaments.import_export.report_names import (
    NameSource,
    fide_names_by_id,
    find_fide_rating_differences,
    is_different_person,
    report_names_by_entry,
)
from tournaments.models import Entry, Game, Round, Tournament


class MissingFieldKind(StrEnum):
    """Kinds of gap in a report, most serious first."""

    SYSTEM = "system"
    """FIDE doesn't rate events with this pairing system, but the event is to be FIDE rated."""
    UNFINISHED = "unfinished"
    """Announced rounds that aren't finished."""
    NO_RESULT = "no result"
    """A published game without a result, or adjourned."""
    SAME_FIDE_ID = "same fide id"
    """Two players have the same ID: FIDE would rate one's games for the other."""
    FIDE_ID = "fide id"
    NOT_LISTED = "not listed"
    """FIDE's list, as imported, doesn't have the player's ID."""
    OTHER_NAME = "other name"
    """FIDE's list has another name for the ID."""
    LETTERS = "letters"
    """A name that isn't in Latin letters and can't be transliterated."""
    BY_RULE = "by rule"
    """A transliterated name that nobody has checked yet."""
    LONG_NAME = "long name"
    """A name that the report cuts."""
    RATING = "rating"
    """A rating that differs from FIDE's list in force."""
    BIRTH = "birth"
    FEDERATION = "federation"
    DATES = "dates"
    ROUND_DATES = "round dates"
    ARBITER = "arbiter"
    ARBITER_ID = "arbiter id"
    """A chief or deputy arbiter without a FIDE ID."""
    TIME_CONTROL = "time control"
    CITY = "city"
    CLUB_FEDERATION = "club's federation"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingField:
    """A missing field: for some players, for some rounds, or for the event itself if neither is given."""

    kind: MissingFieldKind
    entries: tuple[Entry, ...] = ()
    rounds: tuple[int, ...] = ()
    message: str = ""
    """The sentence for it, if it needs its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventToReport:
    """An event to report, and the data its report lacks."""

    event: Tournament
    missing_fields: tuple[MissingField, ...]
    rounds: tuple[int, ...] = ()
    """The rounds in this month's report, for an event reported month by month; else empty."""


def events_to_report(club: Club, first: date, last: date) -> list[EventToReport]:
    """Return the FIDE rated events to report for a month, given by its first and last day. Eight queries.

    An event is reported in the month it ends, or, without an end date, the month it starts. One of more than 30 days is
    reported month by month.
    """
    meanwhile = club.tournaments.filter(starts_on__lte=min(last, timezone.localdate()), ends_on__gt=last)
    events = (_ended(club, first, last) | meanwhile).filter(fide_rated=True).select_related("club")
    rounds: dict[int, list[Round]] = defaultdict(list)
    for each in Round.objects.filter(tournament__in=events):
        rounds[each.tournament_id].append(each)
    found = []
    for event, lacking in _lacking(events):
        parts = rounds_by_report_month(event, rounds[event.pk])
        if parts and first not in parts:
            continue
        if parts:
            lacking = _of_rounds(lacking, parts[first])
        elif event.ends_on is not None and event.ends_on > last:
            continue
        found.append(EventToReport(event=event, missing_fields=lacking, rounds=parts.get(first, ())))
    return found


def _of_rounds(lacking: tuple[MissingField, ...], rounds: tuple[int, ...]) -> tuple[MissingField, ...]:
    """Return the missing fields that concern these rounds."""
    cut = [
        replace(each, rounds=tuple(number for number in each.rounds if number in rounds)) if each.rounds else each
        for each in lacking
    ]
    return tuple(now for now, before in zip(cut, lacking, strict=True) if now.rounds or not before.rounds)


def unreported_events(club: Club, first: date, last: date) -> list[Tournament]:
    """Return events that ended in this period and aren't FIDE rated, in case that was an oversight. One query."""
    return list(_ended(club, first, last).filter(fide_rated=False))


def _ended(club: Club, first: date, last: date) -> QuerySet[Tournament]:
    ended = Q(ends_on__range=(first, last)) | Q(ends_on=None, starts_on__range=(first, last))
    begun = club.tournaments.exclude(starts_on__gt=timezone.localdate())
    return begun.filter(ended).order_by("ends_on", "starts_on", "pk")


def missing_report_fields(event: Tournament) -> tuple[MissingField, ...]:
    """Return the fields missing from an event's report."""
    ((_event, lacking),) = _lacking([event])
    return lacking


def _lacking(events: Iterable[Tournament]) -> list[tuple[Tournament, tuple[MissingField, ...]]]:
    events = list(events)
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(tournament__in=events).order_by("tpn", "name"):
        entries[entry.tournament_id].append(entry)
    rounds: dict[int, list[Round]] = defaultdict(list)
    for each in Round.objects.filter(tournament__in=events):
        rounds[each.tournament_id].append(each)
    open_games = Game.objects.filter(
        round__tournament__in=events,
        round__state__in=[Round.State.PUBLISHED, Round.State.FINISHED],
        result__in=[Game.Result.PENDING, Game.Result.ADJOURNED],
    )
    listed = fide_names_by_id(entry.fide_id for of_event in entries.values() for entry in of_event)
    waiting: dict[int, set[int]] = defaultdict(set)
    for key, number in open_games.values_list("round__tournament_id", "round__number"):
        waiting[key].add(number)
    return [
        (event, tuple(_of_one(event, entries[event.pk], rounds[event.pk], waiting[event.pk], listed)))
        for event in events
    ]


def _of_one(
    event: Tournament,
    entries: list[Entry],
    rounds: list[Round],
    waiting: set[int],
    listed: Mapping[str, str] | None,
) -> Iterator[MissingField]:
    if warning := event_fide_rating_warning(event):
        yield MissingField(kind=MissingFieldKind.SYSTEM, message=warning)
    unfinished = [each.number for each in rounds if each.state != Round.State.FINISHED]
    announced = set(range(1, event.rounds_announced + 1)) - {each.number for each in rounds}
    if unfinished or announced:
        yield MissingField(kind=MissingFieldKind.UNFINISHED, rounds=tuple(sorted({*unfinished, *announced})))
    if waiting:
        yield MissingField(kind=MissingFieldKind.NO_RESULT, rounds=tuple(sorted(waiting)))
    yield from _wrong_numbers(entries, listed)
    yield from _wrong_names(event, entries, listed)
    yield from _wrong_ratings(event, entries)
    for what, has in (
        (MissingFieldKind.FIDE_ID, "fide_id"),
        (MissingFieldKind.BIRTH, "birth"),
        (MissingFieldKind.FEDERATION, "federation"),
    ):
        without = tuple(entry for entry in entries if not getattr(entry, has))
        if without:
            yield MissingField(kind=what, entries=without)
    if event.starts_on is None or event.ends_on is None:
        yield MissingField(kind=MissingFieldKind.DATES)
    undated = tuple(each.number for each in rounds if each.starts_at is None and each.published_at is None)
    if undated:
        yield MissingField(kind=MissingFieldKind.ROUND_DATES, rounds=undated)
    for what, column in (
        (MissingFieldKind.ARBITER, "chief_arbiter"),
        (MissingFieldKind.TIME_CONTROL, "time_control"),
        (MissingFieldKind.CITY, "city"),
    ):
        if not getattr(event, column):
            yield MissingField(kind=what)
    chief = format_name_with_fide_id(event.chief_arbiter, event.chief_arbiter_fide_id)
    arbiters = [*([chief] if chief else []), *parse_deputy_arbiters(event.deputy_arbiters)]
    if unnumbered := [each for each in arbiters if not split_name_and_fide_id(each)[1]]:
        yield MissingField(kind=MissingFieldKind.ARBITER_ID, message="; ".join(unnumbered))
    if not event.club.federation:
        yield MissingField(kind=MissingFieldKind.CLUB_FEDERATION)


def _wrong_ratings(event: Tournament, entries: list[Entry]) -> Iterator[MissingField]:
    """Yield ratings that differ from FIDE's in the month the event began, as far as its lists are known here."""
    if not event.fide_rated or event.starts_on is None:
        return
    others = find_fide_rating_differences(event, entries, event.starts_on.replace(day=1))
    if others:
        said = "; ".join(f"{entry.name}: {entry.rating or '–'}, FIDE {listed or '–'}" for entry, listed in others)
        yield MissingField(
            kind=MissingFieldKind.RATING, entries=tuple(entry for entry, _listed in others), message=said
        )


def _wrong_names(event: Tournament, entries: list[Entry], listed: Mapping[str, str] | None) -> Iterator[MissingField]:
    """Yield names that FIDE can't read, or not in full."""
    names = report_names_by_entry(event, entries, listed or {})
    for what, fits in (
        (MissingFieldKind.LETTERS, lambda sent: sent.source is NameSource.UNKNOWN),
        (MissingFieldKind.BY_RULE, lambda sent: sent.source is NameSource.RULE),
        (MissingFieldKind.LONG_NAME, lambda sent: sent.is_truncated),
    ):
        if found := tuple(entry for entry in entries if fits(names[entry.pk])):
            yield MissingField(kind=what, entries=found)


def _wrong_numbers(entries: list[Entry], listed: Mapping[str, str] | None) -> Iterator[MissingField]:
    """Yield FIDE IDs that two players share, that FIDE's list lacks, or that it gives somebody else."""
    of_number: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.fide_id:
            of_number[entry.fide_id].append(entry)
    if twice := tuple(entry for same in of_number.values() if len(same) > 1 for entry in same):
        yield MissingField(kind=MissingFieldKind.SAME_FIDE_ID, entries=twice)
    if listed is None:
        return
    if unknown := tuple(same[0] for number, same in of_number.items() if number not in listed):
        yield MissingField(kind=MissingFieldKind.NOT_LISTED, entries=unknown)
    others = [
        entry
        for number, same in of_number.items()
        for entry in same
        if is_different_person(entry.name, listed.get(number, ""))
    ]
    if others:
        said = "; ".join(f"{entry.name}: {entry.fide_id} {listed[entry.fide_id]}" for entry in others)
        yield MissingField(kind=MissingFieldKind.OTHER_NAME, entries=tuple(others), message=said)
