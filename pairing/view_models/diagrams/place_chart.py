"""Chart of a player's place by round, with the players next to them in the standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.systems.keizer import orders_by_round, parse_keizer_options
from pairing.view_models.standings.event_standings import EventStandings, get_event_standings
from tournaments.models import Entry, PairingSystem, Tournament

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 48, 24, 20, 40
RIVALS_ON_EACH_SIDE = 2
"""Players shown above and below the player."""
MAX_ROUND_LABELS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMark:
    """A player's place after a round, with its coordinates."""

    x: int
    y: int
    round: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChartLine:
    """One player's places. `style` is the number of the dash and mark style. The player's own is 1.

    `marks` has one item for each round, None if the player was not in its table.
    """

    entry: Entry
    style: int
    points: str
    marks: tuple[PlaceMark | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChart:
    """Everything a template needs to draw the chart: rounds are (number, x), places are (number, y).

    `labelled_rounds` are those with a number below the chart.
    """

    lines: tuple[PlaceChartLine, ...]
    rounds: tuple[tuple[int, int], ...]
    labelled_rounds: tuple[tuple[int, int], ...]
    places: tuple[tuple[int, int], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def place_chart(tournament: Tournament, entry: Entry, rounds: Sequence[int]) -> PlaceChart | None:
    """Return the places of the player and their neighbours in the last table. None before the second round."""
    if len(rounds) < 2:
        return None
    table = get_event_standings(tournament, rounds[-1])
    last = table.rows
    own = next((place for place, row in enumerate(last) if row.entry.pk == entry.pk), None)
    if own is None:
        return None
    around = last[max(0, own - RIVALS_ON_EACH_SIDE) : own + RIVALS_ON_EACH_SIDE + 1]
    shown = [last[own].entry, *(row.entry for row in around if row.entry.pk != entry.pk)]
    places = _places(table, rounds)
    return _drawn(shown, places) if any(entry.pk in by_entry for by_entry in places.values()) else None


def _places(table: EventStandings, rounds: Sequence[int]) -> Mapping[int, Mapping[int, int]]:
    """Return the place of each player after each round, by round and entry key.

    A Keizer season has many rounds, and its last table's facts give all its rankings at once.
    """
    tournament = table.tournament
    if any(tournament.pairing_method_of_round(number).system != PairingSystem.KEIZER for number in rounds):
        tables = {number: get_event_standings(tournament, number) for number in rounds}
        return {number: {row.entry.pk: row.place for row in each.rows} for number, each in tables.items()}
    snapshot = table.ranking.snapshot
    orders = orders_by_round(snapshot, parse_keizer_options(snapshot.options))
    entries = {number: key for key, number in table.pairing_numbers.items()}
    return {number: {entries[tpn]: place for place, tpn in enumerate(orders[number], start=1)} for number in rounds}


def _drawn(shown: Sequence[Entry], places: Mapping[int, Mapping[int, int]]) -> PlaceChart:
    rounds = list(places)
    seen = [place for by_entry in places.values() for entry in shown if (place := by_entry.get(entry.pk))]
    top, lowest = min(seen), max(max(seen), min(seen) + 1)

    def x_of_round(number: int) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * rounds.index(number) // (len(rounds) - 1)

    def y_of_place(place: int) -> int:
        return TOP + (HEIGHT - TOP - BOTTOM) * (place - top) // (lowest - top)

    lines = []
    for style, entry in enumerate(shown, start=1):
        marks = tuple(
            PlaceMark(x=x_of_round(number), y=y_of_place(place), round=number, place=place)
            if (place := by_entry.get(entry.pk))
            else None
            for number, by_entry in places.items()
        )
        points = " ".join(f"{mark.x},{mark.y}" for mark in marks if mark)
        lines.append(PlaceChartLine(entry=entry, style=style, points=points, marks=marks))
    step = max(1, -(-(lowest - top) // 6))
    at = tuple((number, x_of_round(number)) for number in rounds)
    named = range(top, lowest + 1, step)
    return PlaceChart(
        lines=tuple(lines),
        rounds=at,
        labelled_rounds=at[:: max(1, -(-len(at) // MAX_ROUND_LABELS))],
        places=tuple((place, y_of_place(place)) for place in named),
    )
