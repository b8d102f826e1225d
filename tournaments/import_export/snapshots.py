"""Snapshots of an event for the engine: the only place that reads database rows into one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pairing.engine.point_systems import parse_point_system
from pairing.engine.rule_interpretations import non_default_interpretations
from pairing.engine.snapshot import (
    ABSENT_RECORD,
    Colour,
    PairingCard,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)
from pairing.engine.trf.model import MAX_ROUNDS, TrfRecord
from pairing.engine.trf.team_events import find_team_event
from tournaments.entries.pairing_numbers import PairingNumbers, numbers_in_round
from tournaments.models import Bye, Entry, ForbiddenPair, Game, PairingMethod, PairingSystem, Tournament

RESULTS_BY_SIDE: Mapping[str, tuple[Result, Result]] = {
    Game.Result.WHITE_WINS: (Result.WIN, Result.LOSS),
    Game.Result.DRAW: (Result.DRAW, Result.DRAW),
    Game.Result.BLACK_WINS: (Result.LOSS, Result.WIN),
    Game.Result.WHITE_WINS_FORFEIT: (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    Game.Result.BLACK_WINS_FORFEIT: (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    Game.Result.DOUBLE_FORFEIT: (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    Game.Result.WHITE_WINS_UNRATED: (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    Game.Result.DRAW_UNRATED: (Result.UNRATED_DRAW, Result.UNRATED_DRAW),
    Game.Result.BLACK_WINS_UNRATED: (Result.UNRATED_LOSS, Result.UNRATED_WIN),
    Game.Result.BOTH_LOSE: (Result.LOSS, Result.LOSS),
    Game.Result.ADJOURNED: (Result.ADJOURNED, Result.ADJOURNED),
}
"""White's and Black's results of a game; an open board isn't among them."""

BYE_RESULTS: Mapping[str, Result] = {
    Bye.Kind.PAIRING_ALLOCATED: Result.PAIRING_ALLOCATED_BYE,
    Bye.Kind.FULL_POINT: Result.FULL_POINT_BYE,
    Bye.Kind.HALF_POINT: Result.HALF_POINT_BYE,
    Bye.Kind.ZERO_POINT: Result.ZERO_POINT_BYE,
    Bye.Kind.ABSENT: Result.ABSENT,
    Bye.Kind.FORFEIT_WIN: Result.FORFEIT_WIN,
}


def came_from_team_event(event: Tournament) -> bool:
    """Return True if the event was imported from a team event's file. Its next round can't be paired."""
    records = (TrfRecord(text=text) for text in event.report_lines)
    return find_team_event(enumerate(records, start=1)) is not None


def snapshot_before_round(tournament: Tournament, number: int) -> TournamentSnapshot:
    """Return the event before round `number`, in four queries. The number after the last round gives the whole event.

    Players have the numbers the round was paired with, or else their present ones. Entries without a number have the
    one that pairing round 1 will give them. An open board counts as not played. For the round itself, byes noted
    beforehand, late entries and withdrawals mark who isn't to be paired.
    """
    return snapshot_from_entries(tournament, tournament.entries.all(), number)


def final_event_snapshots(events: Sequence[Tournament]) -> dict[int, tuple[list[Entry], TournamentSnapshot]]:
    """Return the entries and the final snapshot of each event, by key. Four queries, however many events."""
    entries: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(tournament__in=events):
        entries[entry.tournament_id].append(entry)
    rows = _rows(events, MAX_ROUNDS + 1)
    return {
        event.pk: (entries[event.pk], _snapshot(event, entries[event.pk], event.rounds_announced + 1, rows[event.pk]))
        for event in events
    }


def snapshot_from_entries(
    tournament: Tournament, entries: Iterable[Entry], number: int, *, numbers: PairingNumbers | None = None
) -> TournamentSnapshot:
    """Return `snapshot_before_round` for a caller who already has the event's entries.

    `numbers` are those to use instead of the round's (`numbers_in_round`).
    """
    return _snapshot(tournament, list(entries), number, _rows([tournament], number)[tournament.pk], numbers)


@dataclass(slots=True)
class _Rows:
    """Rows of one event: games as (round, White, Black, result, coloured), byes as (round, entry, kind), rules."""

    games: list[tuple[int, int, int, str, bool]] = field(default_factory=list)
    byes: list[tuple[int, int, str]] = field(default_factory=list)
    forbidden: list[ForbiddenPair] = field(default_factory=list)


def _rows(events: Sequence[Tournament], number: int) -> Mapping[int, _Rows]:
    """Load the rows of rounds up to this one, by event key, in three queries."""
    found: defaultdict[int, _Rows] = defaultdict(_Rows)
    games = Game.objects.filter(round__tournament__in=events, round__number__lt=number)
    for event, played, white, black, result, coloured in (
        games.exclude(result=Game.Result.PENDING)
        .order_by()
        .values_list("round__tournament_id", "round__number", "white_id", "black_id", "result", "colours_drawn")
    ):
        found[event].games.append((played, white, black, result, coloured))
    byes = Bye.objects.filter(round__tournament__in=events, round__number__lte=number).order_by()
    for event, played, entry, kind in byes.values_list("round__tournament_id", "round__number", "entry_id", "kind"):
        found[event].byes.append((played, entry, kind))
    for rule in ForbiddenPair.objects.filter(tournament__in=events):
        found[rule.tournament_id].forbidden.append(rule)
    return found


def _snapshot(
    tournament: Tournament, entries: list[Entry], number: int, rows: _Rows, given: PairingNumbers | None = None
) -> TournamentSnapshot:
    given = given or numbers_in_round(tournament, entries, number)
    numbers = given.by_entry
    records = _records(rows, numbers, number)
    by = tournament.pairing_method_of_round(number)
    limits = tournament.group_limit_a, tournament.group_limit_c
    return TournamentSnapshot(
        cards=tuple(
            sorted(
                (
                    PairingCard(
                        tpn=numbers[entry.pk],
                        name=entry.name,
                        title=entry.title,
                        rating=entry.rating,
                        records=tuple(
                            _record(by, entry, played, records[entry.pk].get(played, ABSENT_RECORD)) or ABSENT_RECORD
                            for played in range(1, number)
                        ),
                        unavailable=_record(by, entry, number, records[entry.pk].get(number))
                        if is_entered_in_round(entry, number)
                        else ABSENT_RECORD,
                        fictitious=_fictitious(entry, number),
                    )
                    for entry in entries
                ),
                key=lambda card: card.tpn,
            )
        ),
        rounds_paired=number - 1,
        system=by.system,
        procedure=by.procedure or None,
        rounds_announced=tournament.rounds_announced,
        first_colour=Colour(tournament.first_colour),
        forbidden_pairs=_forbidden_pairs(rows, numbers, number),
        acceleration=tournament.acceleration,
        group_limits=None if limits[0] is None or limits[1] is None else (limits[0], limits[1]),
        accelerated_players=given.accelerated_players,
        points=point_system_of_event(tournament),
        interpretations=non_default_interpretations(tournament.readings.items()),
        options=tuple(tournament.keizer_options) if by.system == PairingSystem.KEIZER else (),
    )


def _record(by: PairingMethod, entry: Entry, number: int, given: RoundRecord | None) -> RoundRecord | None:
    """Return a player's record of a round. In a Keizer season, nothing is known of who has not entered or has left.

    So rounds before a late entry count as such, not as byes. Everyone else without a game was absent.
    """
    if by.system != PairingSystem.KEIZER or (given and given.opponent):
        return given
    if not is_entered_in_round(entry, number):
        return ABSENT_RECORD
    return RoundRecord(result=Result.ZERO_POINT_BYE) if given == ABSENT_RECORD else given


def _fictitious(entry: Entry, number: int) -> tuple[int, ...]:
    """Return the half points given by hand for every round up to this one, or nothing if none were given."""
    given = entry.fictitious[:number]
    return (*given, *(0,) * (number - len(given))) if entry.fictitious else ()


def is_entered_in_round(entry: Entry, number: int) -> bool:
    """Return True if the player has entered by this round and hasn't withdrawn before it."""
    withdrawn = entry.withdrawn_from_round is not None and entry.withdrawn_from_round <= number
    return entry.entered_in_round <= number and not withdrawn


def point_system_of_event(tournament: Tournament) -> PointSystem:
    """Return the points for results in this event.

    By Jahr's article 8 the pairing-allocated bye scores as a draw. In a round robin with an odd number of players it
    scores nothing.
    """
    points = parse_point_system(tournament.point_system)
    if tournament.system == PairingSystem.ROUND_ROBIN:
        return replace(points, pairing_allocated_bye=0)
    by_jahr = tournament.bye_scoring_system == PairingSystem.JAHR
    return replace(points, pairing_allocated_bye=points.draw) if by_jahr else points


def _records(rows: _Rows, numbers: Mapping[int, int], number: int) -> dict[int, dict[int, RoundRecord]]:
    """Return, by entry key, the records of earlier rounds and the bye noted for this one."""
    records: dict[int, dict[int, RoundRecord]] = defaultdict(dict)
    for played, white, black, result, coloured in rows.games:
        if played >= number:
            continue
        of_white, of_black = RESULTS_BY_SIDE[result]
        records[white][played] = RoundRecord(
            result=of_white, opponent=numbers[black], colour=Colour.WHITE if coloured else None
        )
        records[black][played] = RoundRecord(
            result=of_black, opponent=numbers[white], colour=Colour.BLACK if coloured else None
        )
    for played, entry, kind in rows.byes:
        # A bye from a draft of this round doesn't stop the player from being paired in it.
        if played < number or (played == number and kind != Bye.Kind.PAIRING_ALLOCATED):
            records[entry][played] = RoundRecord(result=BYE_RESULTS[kind])
    return records


def _forbidden_pairs(rows: _Rows, numbers: Mapping[int, int], number: int) -> frozenset[frozenset[int]]:
    return frozenset(
        frozenset((numbers[rule.first_id], numbers[rule.second_id]))
        for rule in rows.forbidden
        if rule.from_round <= number and (rule.to_round is None or number <= rule.to_round)
    )
