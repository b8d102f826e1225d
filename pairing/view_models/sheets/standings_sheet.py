"""The standings of an event, with every player's results by round."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Count, Max, Q
from django.utils.functional import Promise

from pairing.engine.snapshot import Result
from pairing.view_models.sheets.players_and_results import RESULT_SYMBOLS, SheetPlayer, bye_symbol, localise_symbol
from pairing.view_models.sheets.tie_break_texts import tie_break_heading, tie_break_meaning
from pairing.view_models.standings.event_standings import EventStandings, StandingsRow
from tournaments.audit_log.actions import officer_only_actions
from tournaments.import_export.snapshots import RESULTS_BY_SIDE
from tournaments.models import Bye, Game, PairingSystem, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsColumn:
    """A column of the table. Its heading and meaning are translated when shown."""

    code: str

    @property
    def heading(self) -> str | Promise:
        return tie_break_heading(self.code)

    @property
    def meaning(self) -> str:
        return tie_break_meaning(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResultCell:
    """A player's round: the opponent's number, the colour (w, b) and the result. Empty if there is none.

    `opponent_line` is the opponent's line of the table, in a crosstable.
    """

    opponent: int | None = None
    opponent_line: int | None = None
    colour: str = ""
    symbol: str = ""

    @property
    def localised_symbol(self) -> str:
        return localise_symbol(self.symbol)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsLine:
    """A player's line. `values` match the columns.

    `overall_place` is the place in the whole table if this is a part. `has_adjourned_game` marks a player with an
    adjourned game, which counts as nothing until it is finished.
    """

    place: int
    overall_place: int | None
    player: SheetPlayer
    federation: str
    has_withdrawn: bool
    values: tuple[Decimal | str, ...]
    rounds: tuple[RoundResultCell, ...]
    has_adjourned_game: bool = False
    is_tied: bool = False
    """True if others have the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsSheet:
    """The table after a round, or a part of it. `player_count` counts the whole table.

    `results_at` is the time of the latest change that can alter it (`_latest_change`), None before the first round. It
    is provisional while a board has no result (`open_boards`) or a game is `adjourned`.
    """

    club: str
    event: str
    after_round: int
    rounds_announced: int
    is_provisional: bool
    columns: tuple[StandingsColumn, ...]
    lines: tuple[StandingsLine, ...]
    player_count: int
    has_points: bool = True
    """False if the first column is a tie-break too: a Keizer season."""
    first_round: int = 1
    """Later than 1 in a table of a part of a Keizer season."""
    adjourned: int = 0
    open_boards: int = 0
    has_no_results: bool = False
    """True if no result of the round after which it stands is in."""
    results_at: datetime | None = None

    @property
    def round_numbers(self) -> range:
        """The numbers of the rounds shown in each line."""
        return range(self.first_round, self.after_round + 1)


def standings_sheet(table: EventStandings, *, rows: Sequence[StandingsRow] | None = None) -> StandingsSheet:
    """Return the table with the rounds of its players, in four queries. `rows` selects a part."""
    wanted = table.rows if rows is None else rows
    tournament = table.tournament
    system = tournament.pairing_method_of_round(table.after_round).system
    # A Keizer season is ranked by totals, which are its first tie-break.
    points = {PairingSystem.JAHR.value: ("G",), PairingSystem.KEIZER.value: ()}.get(system, ("PTS",))
    cells = _cells(tournament, table.after_round, [row.entry.pk for row in wanted], everyone=rows is None)
    state = _state_of_results(tournament, table.after_round)
    sizes = Counter(row.place for row in table.rows)
    return StandingsSheet(
        club=tournament.club.name,
        event=tournament.name,
        after_round=table.after_round,
        rounds_announced=tournament.rounds_announced,
        is_provisional=state.open_boards + state.adjourned > 0,
        columns=tuple(StandingsColumn(code=code) for code in (*points, *table.columns)),
        lines=tuple(
            replace(
                _line(row, cells, range(table.first_round, table.after_round + 1), has_points=bool(points)),
                is_tied=table.after_round > 0 and sizes[row.place] > 1,
            )
            for row in wanted
        ),
        player_count=len(table.rows),
        has_points=bool(points),
        first_round=table.first_round,
        adjourned=state.adjourned,
        open_boards=state.open_boards,
        has_no_results=not state.latest_results,
        results_at=_latest_change(tournament, table.after_round),
    )


def crosstable_sheet(table: EventStandings, *, rows: Sequence[StandingsRow] | None = None) -> StandingsSheet:
    """Return the standings with opponents given by their lines in the whole table, from 1.

    Places can be shared, lines cannot.
    """
    sheet = standings_sheet(table, rows=rows)
    of_entry = {row.entry.pk: line for line, row in enumerate(table.rows, start=1)}
    of_number = {row.entry.tpn: of_entry[row.entry.pk] for row in table.rows if row.entry.tpn is not None}
    return replace(
        sheet,
        lines=tuple(
            replace(
                line,
                place=of_entry[line.player.entry],
                rounds=tuple(_with_line(cell, of_number) for cell in line.rounds),
            )
            for line in sheet.lines
        ),
    )


def _with_line(cell: RoundResultCell, of_number: Mapping[int, int]) -> RoundResultCell:
    return cell if cell.opponent is None else replace(cell, opponent_line=of_number.get(cell.opponent))


def _line(
    row: StandingsRow, cells: Mapping[int, Mapping[int, RoundResultCell]], numbers: Sequence[int], *, has_points: bool
) -> StandingsLine:
    entry = row.entry
    rounds = tuple(cells[entry.pk].get(number, RoundResultCell()) for number in numbers)
    return StandingsLine(
        place=row.place,
        overall_place=row.overall_place,
        player=SheetPlayer(entry=entry.pk, tpn=entry.tpn, name=entry.name, title=entry.title, rating=entry.rating),
        federation=entry.federation,
        has_withdrawn=entry.withdrawn_from_round is not None,
        has_adjourned_game=any(cell.symbol == RESULT_SYMBOLS[Result.ADJOURNED] for cell in rounds),
        values=(row.points_text, *row.values) if has_points else row.values,
        rounds=rounds,
    )


def _cells(
    tournament: Tournament, after_round: int, entries: list[int], *, everyone: bool
) -> Mapping[int, Mapping[int, RoundResultCell]]:
    """Return the cells of each entry by round, for published rounds up to this one."""
    shown = {"round__tournament": tournament, "round__number__lte": after_round, "round__state__in": _SHOWN}
    cells: dict[int, dict[int, RoundResultCell]] = defaultdict(dict)
    games = Game.objects.filter(**shown)
    byes = Bye.objects.filter(**shown)
    if not everyone:
        games = games.filter(Q(white__in=entries) | Q(black__in=entries))
        byes = byes.filter(entry__in=entries)
    for number, result, white, white_tpn, black, black_tpn in games.values_list(
        "round__number", "result", "white_id", "white__tpn", "black_id", "black__tpn"
    ):
        of_white, of_black = RESULTS_BY_SIDE.get(result, (None, None))
        cells[white][number] = RoundResultCell(opponent=black_tpn, colour="w", symbol=_symbol(of_white))
        cells[black][number] = RoundResultCell(opponent=white_tpn, colour="b", symbol=_symbol(of_black))
    for number, entry, kind in byes.values_list("round__number", "entry_id", "kind"):
        cells[entry][number] = RoundResultCell(symbol=bye_symbol(tournament, kind))
    return cells


_SHOWN = (Round.State.PUBLISHED, Round.State.FINISHED)


def _symbol(result: Result | None) -> str:
    return "" if result is None else RESULT_SYMBOLS[result]


class _ResultsSoFar(NamedTuple):
    open_boards: int
    adjourned: int
    latest_results: int


def _state_of_results(tournament: Tournament, after_round: int) -> _ResultsSoFar:
    """Return the numbers of boards without a result, of adjourned games, and of the round's boards with a result."""
    shown = Game.objects.filter(round__tournament=tournament, round__number__lte=after_round, round__state__in=_SHOWN)
    found = shown.aggregate(
        open=Count("pk", filter=Q(result=Game.Result.PENDING)),
        adjourned=Count("pk", filter=Q(result=Game.Result.ADJOURNED)),
        latest=Count("pk", filter=Q(round__number=after_round) & ~Q(result=Game.Result.PENDING)),
    )
    return _ResultsSoFar(found["open"], found["adjourned"], found["latest"])


def _latest_change(tournament: Tournament, after_round: int) -> datetime | None:
    """Return the time of the latest public change in the event or in a round up to this one.

    Changes other than results count too: publishing a round gives points for byes, and a name can be corrected. The
    time shows which of two printed tables is newer.
    """
    if not after_round:
        return None
    lines = tournament.log.order_by().exclude(action__in=officer_only_actions())
    of_table = lines.filter(Q(round=None) | Q(round__number__lte=after_round))
    latest: datetime | None = of_table.aggregate(latest=Max("at"))["latest"]
    return latest
