"""What a rating officer will miss in an event's report, before it is sent: said by what is lacking, and of whom.

What a report wants: FIDE Handbook B.02 and C.02, the tournament report file (TRF).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Q, QuerySet

from clubs.models import Club
from tournaments.events.arbiters import deputies_of, name_and_number, with_number
from tournaments.events.fide_rated import warning_of
from tournaments.models import Entry, Game, Round, Tournament


class Lack(StrEnum):
    """What is lacking, in the order in which it hurts."""

    SYSTEM = "system"
    """FIDE is to rate it, and rates no event paired so."""
    UNFINISHED = "unfinished"
    """Rounds that were announced have not been finished."""
    NO_RESULT = "no result"
    """A published game without a result, or adjourned."""
    FIDE_ID = "fide id"
    BIRTH = "birth"
    FEDERATION = "federation"
    DATES = "dates"
    ROUND_DATES = "round dates"
    ARBITER = "arbiter"
    ARBITER_ID = "arbiter id"
    """A chief or deputy arbiter is named without a FIDE ID."""
    TIME_CONTROL = "time control"
    CITY = "city"
    CLUB_FEDERATION = "club's federation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """One thing that is lacking: of these players, in these rounds, or of the event itself (neither)."""

    what: Lack
    entries: tuple[Entry, ...] = ()
    rounds: tuple[int, ...] = ()
    said: str = ""
    """The sentence for it, where it needs one of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToReport:
    """An event to be reported, and what its report lacks."""

    event: Tournament
    lacking: tuple[Lacking, ...]


def to_report(club: Club, first: date, last: date) -> list[ToReport]:
    """The events sent to FIDE that ended within these days; four queries.

    An event is reported in the month of its end; one without an end, in that of its beginning.
    """
    events = _ended(club, first, last).filter(fide_rated=True).select_related("club")
    return [ToReport(event=event, lacking=lacking) for event, lacking in _lacking(events)]


def not_reported(club: Club, first: date, last: date) -> list[Tournament]:
    """The events that ended within these days and are not sent to FIDE: one may have been forgotten. One query."""
    return list(_ended(club, first, last).filter(fide_rated=False))


def _ended(club: Club, first: date, last: date) -> QuerySet[Tournament]:
    ended = Q(ends_on__range=(first, last)) | Q(ends_on=None, starts_on__range=(first, last))
    return club.tournaments.filter(ended).order_by("ends_on", "starts_on", "pk")


def lacking_in(event: Tournament) -> tuple[Lacking, ...]:
    """What the report of one event lacks."""
    ((_event, lacking),) = _lacking([event])
    return lacking


def _lacking(events: Iterable[Tournament]) -> list[tuple[Tournament, tuple[Lacking, ...]]]:
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
    waiting: dict[int, set[int]] = defaultdict(set)
    for key, number in open_games.values_list("round__tournament_id", "round__number"):
        waiting[key].add(number)
    return [(event, tuple(_of_one(event, entries[event.pk], rounds[event.pk], waiting[event.pk]))) for event in events]


def _of_one(event: Tournament, entries: list[Entry], rounds: list[Round], waiting: set[int]) -> Iterator[Lacking]:
    if warning := warning_of(event):
        yield Lacking(what=Lack.SYSTEM, said=warning)
    unfinished = [each.number for each in rounds if each.state != Round.State.FINISHED]
    announced = set(range(1, event.rounds_announced + 1)) - {each.number for each in rounds}
    if unfinished or announced:
        yield Lacking(what=Lack.UNFINISHED, rounds=tuple(sorted({*unfinished, *announced})))
    if waiting:
        yield Lacking(what=Lack.NO_RESULT, rounds=tuple(sorted(waiting)))
    for what, has in ((Lack.FIDE_ID, "fide_id"), (Lack.BIRTH, "birth"), (Lack.FEDERATION, "federation")):
        without = tuple(entry for entry in entries if not getattr(entry, has))
        if without:
            yield Lacking(what=what, entries=without)
    if event.starts_on is None or event.ends_on is None:
        yield Lacking(what=Lack.DATES)
    undated = tuple(each.number for each in rounds if each.starts_at is None and each.published_at is None)
    if undated:
        yield Lacking(what=Lack.ROUND_DATES, rounds=undated)
    for what, column in ((Lack.ARBITER, "chief_arbiter"), (Lack.TIME_CONTROL, "time_control"), (Lack.CITY, "city")):
        if not getattr(event, column):
            yield Lacking(what=what)
    chief = with_number(event.chief_arbiter, event.chief_arbiter_fide_id)
    arbiters = [*([chief] if chief else []), *deputies_of(event.deputy_arbiters)]
    if unnumbered := [each for each in arbiters if not name_and_number(each)[1]]:
        yield Lacking(what=Lack.ARBITER_ID, said="; ".join(unnumbered))
    if not event.club.federation:
        yield Lacking(what=Lack.CLUB_FEDERATION)
