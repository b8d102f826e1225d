"""An event's progress and next step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from tournaments.models import Game, Round, Tournament


class EventStage(StrEnum):
    """The next task for the people who run an event."""

    ENTER_PLAYERS = "enter_players"
    PAIR = "pair"
    PUBLISH = "publish"
    ENTER_RESULTS = "enter_results"
    FINISH_ROUND = "finish_round"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """The next step, its round (None if all is done), and its boards with and without results."""

    stage: EventStage
    round: Round | None
    boards: int = 0
    open_boards: int = 0


def find_next_step(tournament: Tournament, rounds: list[Round]) -> NextStep:
    """Find the next step. `rounds` are all rounds of the event, in order. Two queries at most."""
    current = next((each for each in rounds if each.state != Round.State.FINISHED), None)
    if current is None:
        return NextStep(stage=EventStage.DONE, round=None)
    if current.state == Round.State.WAITING:
        entered = tournament.entries.filter(withdrawn_from_round__isnull=True)[:2].count()
        return NextStep(stage=EventStage.PAIR if entered > 1 else EventStage.ENTER_PLAYERS, round=current)
    boards = current.games.aggregate(all=Count("pk"), open=Count("pk", filter=Q(result=Game.Result.PENDING)))
    if current.state == Round.State.DRAFT:
        stage = EventStage.PUBLISH
    else:
        stage = EventStage.ENTER_RESULTS if boards["open"] else EventStage.FINISH_ROUND
    return NextStep(stage=stage, round=current, boards=boards["all"], open_boards=boards["open"])


def latest_public_round(rounds: list[Round]) -> Round | None:
    """Return the last round that everyone may see."""
    shown = [each for each in rounds if each.state in (Round.State.PUBLISHED, Round.State.FINISHED)]
    return shown[-1] if shown else None


class EventProgress(StrEnum):
    """An event's progress, for lists of events."""

    TO_COME = "to_come"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEvent:
    """An event in a list."""

    tournament: Tournament
    progress: EventProgress
    round: int
    rounds_finished: int


def list_events_with_progress(events: QuerySet[Tournament]) -> list[ListedEvent]:
    """List running events first, then upcoming, then finished ones. One query."""
    found = [_listed(event) for event in _with_progress(events)]
    order = (EventProgress.RUNNING, EventProgress.TO_COME, EventProgress.FINISHED)
    return sorted(found, key=lambda event: order.index(event.progress))


def list_running_events(events: QuerySet[Tournament]) -> list[ListedEvent]:
    """List the events with a published round that aren't finished. One query."""
    under_way = _with_progress(events).filter(rounds_shown__gt=0, rounds_finished__lt=F("rounds_announced"))
    return [_listed(event) for event in under_way]


def _with_progress(events: QuerySet[Tournament]) -> QuerySet[Any]:
    """Annotate events with their numbers of public and finished rounds."""
    shown = Q(rounds__state__in=[Round.State.PUBLISHED, Round.State.FINISHED])
    return events.annotate(
        rounds_shown=Count("rounds", filter=shown),
        rounds_finished=Count("rounds", filter=Q(rounds__state=Round.State.FINISHED)),
    )


def _listed(event: Tournament) -> ListedEvent:
    shown, finished = event.rounds_shown, event.rounds_finished  # type: ignore[attr-defined]
    if finished >= event.rounds_announced:
        progress = EventProgress.FINISHED
    else:
        progress = EventProgress.RUNNING if shown else EventProgress.TO_COME
    return ListedEvent(tournament=event, progress=progress, round=shown, rounds_finished=finished)
