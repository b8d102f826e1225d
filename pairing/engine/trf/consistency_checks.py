"""Consistency checks of the players' lines. A file that contradicts itself is refused, with the position."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from operator import itemgetter
from typing import NoReturn

from pairing.engine.snapshot import Colour, PairingNumber, Result, results_agree
from pairing.engine.systems.round_robin import annulled_players
from pairing.engine.trf import model
from pairing.engine.trf.event_directives import EventDirectives, points_of_block
from pairing.engine.trf.model import (
    BLANK_ROUND,
    TrfError,
    TrfFile,
    TrfPlayer,
    TrfRound,
    TrfWarning,
    TrfWarningKind,
    format_trf_points,
)
from pairing.engine.trf.regulations import find_regulation_warnings, stated_pairing_system
from pairing.engine.trf.snapshot_conversion import snapshot_from_trf
from pairing.engine.trf.team_events import find_team_event


def check_player_lines_agree(trf: TrfFile) -> None:
    """Raise TrfError unless both players of every pairing have records that agree."""
    numbered = {player.tpn: (line, player) for line, player in trf.players_with_line_numbers()}
    rounds = {player.tpn: player.rounds for _line, player in numbered.values()}
    for line, player in numbered.values():
        for round_number, block in enumerate(player.rounds, start=1):
            opponent = block.opponent
            if opponent is None:
                continue
            theirs = rounds.get(opponent, ())
            answer = theirs[round_number - 1] if len(theirs) >= round_number else BLANK_ROUND
            # Shortcut for nearly all games: both list each other, with results and colours that agree.
            if answer.opponent == player.tpn != opponent and (
                block.colour is not answer.colour and _results_agree(block.result, answer.result)
            ):
                continue
            _check_pairing(trf, numbered, line, player, round_number, block)


def _check_pairing(
    trf: TrfFile,
    numbered: dict[PairingNumber, tuple[int, TrfPlayer]],
    line: int,
    player: TrfPlayer,
    round_number: int,
    block: TrfRound,
) -> None:
    opponent_column = model.opponent_column_of_round(round_number)
    if block.opponent == player.tpn:
        _refuse(trf, line, "another player as the opponent", opponent_column, str(block.opponent))
    if block.opponent not in numbered:
        _refuse(trf, line, "an opponent who is in the file", opponent_column, str(block.opponent))
    their_line, opponent = numbered[block.opponent]
    answer = opponent.get_round(round_number)
    if answer.opponent != player.tpn:
        expected = (
            f"an opponent whose own line names player {player.tpn} in round {round_number}; "
            f"that of {_named(opponent, their_line)} does not"
        )
        _refuse(trf, line, expected, opponent_column, str(block.opponent))
    if their_line < line:
        return  # their records of the game were compared at that line
    if not _results_agree(block.result, answer.result):
        found = block.result.value if block.result else "no result"
        other = answer.result.value if answer.result else "no result"
        expected = f"a result that goes with {other!r} of {_named(opponent, their_line)}"
        _refuse(trf, line, expected, model.result_column_of_round(round_number), found)
    if block.colour is not None and block.colour is answer.colour and not _is_forfeit(block.result):
        expected = f"the colour {_named(opponent, their_line)} did not have"
        _refuse(trf, line, expected, model.colour_column_of_round(round_number), block.colour.value)


def _named(player: TrfPlayer, line: int) -> str:
    return f"player {player.tpn} (line {line})"


def _refuse(trf: TrfFile, line: int, expected: str, column: int, found: str) -> NoReturn:
    raise TrfError(expected, name=trf.name, line=line, column=column, found=found)


def find_file_warnings(trf: TrfFile, directives: EventDirectives) -> tuple[TrfWarning, ...]:
    """Return warnings about statements in a file that contradict each other without affecting any pairing."""
    warnings = []
    players = trf.players
    for line, record in trf.records_with_line_numbers():
        if (
            record.line_code == "062"
            and record.line_value.isdigit()
            and record.line_value.lstrip("0") != str(len(players))
        ):
            kind = TrfWarningKind.PLAYER_COUNT_DIFFERS
            warnings.append(
                TrfWarning(kind=kind, line=line, column=5, stated=record.line_value, computed=str(len(players)))
            )
    if team_event := find_team_event(trf.records_with_line_numbers()):
        warnings.append(team_event)
    else:
        warnings += _several_byes(trf)
        warnings += _annulled_games(trf, directives)
        warnings += find_regulation_warnings(trf)
    if not team_event and (
        teams := [line for line, record in trf.records_with_line_numbers() if record.line_code == "013"]
    ):
        kind = TrfWarningKind.TEAM_LINES_IGNORED
        warnings.append(TrfWarning(kind=kind, line=teams[0], column=1, stated="", computed=str(len(teams))))
    warnings += _ranks_that_differ(trf)
    paired = trf.rounds_paired
    known: dict[tuple[Result | None, Colour | None], Decimal] = {}
    for line, player in trf.players_with_line_numbers():
        worths = []
        for block in player.rounds:
            kind_of_block = block.result, block.colour
            if kind_of_block not in known:
                known[kind_of_block] = points_of_block(block, directives.result_points)
            worths.append(known[kind_of_block])
        so_far = sum(worths[:paired], Decimal("0.0"))
        # Points of requested byes in coming rounds may be counted already, or not yet.
        total = sum(worths[paired:], so_far)
        if player.points is not None and player.points not in (total, so_far):
            column = model.POINTS.start + 1
            kind = TrfWarningKind.POINTS_DIFFER
            warnings.append(
                TrfWarning(
                    kind=kind,
                    line=line,
                    column=column,
                    stated=format_trf_points(player.points),
                    computed=format_trf_points(so_far),
                )
            )
    return tuple(warnings)


def _annulled_games(trf: TrfFile, directives: EventDirectives) -> Iterator[TrfWarning]:
    """Yield a warning for each player whose games don't count in a round robin, if the file's points count them."""
    system = stated_pairing_system(trf)
    if system != "round-robin" and (system or not _could_be_round_robin(trf)):
        return
    try:
        snapshot = snapshot_from_trf(trf.before_open_games(), system="round-robin", is_for_pairing=False)
    except TrfError:
        return
    gone = annulled_players(snapshot)
    counted = {
        player.tpn: sum(
            (
                points_of_block(block, directives.result_points)
                for block in player.rounds
                if player.tpn not in gone and block.opponent not in gone
            ),
            Decimal(0),
        )
        for player in trf.players
    }
    if all(player.points in (None, counted[player.tpn]) for player in trf.players):
        return
    for line, player in trf.players_with_line_numbers():
        if player.tpn in gone:
            played = sum(block.result is not None and block.result.is_played for block in player.rounds)
            yield TrfWarning(
                kind=TrfWarningKind.GAMES_ANNULLED,
                line=line,
                column=model.POINTS.start + 1,
                stated=str(player.tpn),
                computed=str(played),
            )


def _could_be_round_robin(trf: TrfFile) -> bool:
    """Return True if at least half of the players met everyone else."""
    others = len(trf.players) - 1
    if not 1 < others <= trf.rounds_paired:
        return False
    met = [len({block.opponent for block in player.rounds if block.opponent}) for player in trf.players]
    return 2 * sum(count == others for count in met) > others


def _several_byes(trf: TrfFile) -> Iterator[TrfWarning]:
    """Yield a warning for each round with several pairing-allocated byes, at the second such player."""
    lines_of: dict[int, list[int]] = {number: [] for number in range(1, trf.rounds_paired + 1)}
    for line, player in trf.players_with_line_numbers():
        for number, block in enumerate(player.rounds, start=1):
            if block.result is Result.PAIRING_ALLOCATED_BYE:
                lines_of[number].append(line)
    for number, lines in lines_of.items():
        if len(lines) > 1:
            yield TrfWarning(
                kind=TrfWarningKind.SEVERAL_BYES,
                line=lines[1],
                column=model.result_column_of_round(number),
                stated=str(number),
                computed=str(len(lines)),
            )


def _ranks_that_differ(trf: TrfFile) -> Iterator[TrfWarning]:
    """Yield a warning for the first two neighbours of which the better has fewer points.

    Ranks that are starting ranks are not checked.
    """
    ranked = sorted(
        (
            (player.rank, line, player)
            for line, player in trf.players_with_line_numbers()
            if player.rank and player.points is not None and player.rounds
        ),
        key=itemgetter(0, 1),
    )
    ranks = {rank for rank, *_rest in ranked}
    if len(ranks) != len(ranked) or all(rank == player.tpn for rank, _line, player in ranked):
        return
    for (rank, line, better), (next_rank, _line, worse) in pairwise(ranked):
        if (better.points or 0) < (worse.points or 0):
            yield TrfWarning(
                kind=TrfWarningKind.RANKS_DIFFER,
                line=line,
                column=model.RANK.start + 2,
                stated=f"{rank}, {next_rank}",
                computed=f"{better.points}, {worse.points}",
            )
            return


def _results_agree(one: Result | None, other: Result | None) -> bool:
    """Return True if two results agree. So do two that are still missing."""
    if one is None or other is None:
        return one is other
    return results_agree(one, other)


def _is_forfeit(result: Result | None) -> bool:
    return result in (Result.FORFEIT_WIN, Result.FORFEIT_LOSS)
