"""Conversion between report files and the engine's snapshots."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NoReturn

from pairing.engine.point_systems import SYSTEMS_WITH_FIXED_POINTS, IncompatiblePointSystem, points_in_system
from pairing.engine.snapshot import (
    Colour,
    HalfPoints,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)
from pairing.engine.trf import model
from pairing.engine.trf.comments import read_rule_interpretations
from pairing.engine.trf.event_directives import EventDirectives, FilePosition, RequestedBye, read_directives
from pairing.engine.trf.model import BLANK_ROUND, TrfEdition, TrfError, TrfFile, TrfPlayer, TrfRound
from pairing.engine.trf.scoring import point_system_of_trf, point_system_position
from pairing.engine.trf.team_events import refuse_team_event
from pairing.engine.trf.writer import TrfHeader, make_trf


def snapshot_from_trf(
    trf: TrfFile,
    *,
    system: str,
    procedure: str | None = None,
    acceleration: str = "none",
    group_limits: tuple[int, int] | None = None,
    rounds: int | None = None,
    is_for_pairing: bool = True,
) -> TournamentSnapshot:
    """Return the event after its last round with any pairing, ready for the next round to be paired.

    `rounds` is the event's number of rounds if the file does not state it. A player is not paired if they have an entry
    for the round. That is a requested bye, a recorded absence, or their number in a line XXZ or 240. A blank block, or
    a line that is shorter than others, is no entry in the round to be paired; in a round that was paired it is an
    absence.

    A team event can only be had for its standings (`is_for_pairing` False): its teams are what is paired.

    Raises TeamEventError otherwise, and TrfError if the file lacks a result, or has points that the system does not
    support.
    """
    if is_for_pairing:
        refuse_team_event(trf)
    directives = read_directives(trf)
    points = _points_of(trf, directives, system)
    if directives.rank_by_position:
        _refuse_other_order(trf, directives.rank_by_position)
    paired = trf.rounds_paired
    byes = _byes_by_player(trf, directives, paired)
    return TournamentSnapshot(
        cards=tuple(
            PairingCard(
                tpn=player.tpn,
                name=player.name,
                title=player.fide_title,
                rating=player.rating,
                records=_records(trf, line, player, paired, byes),
                unavailable=_unavailable(player, paired + 1, byes),
                fictitious=_fictitious(directives, player.tpn, paired + 1),
            )
            for line, player in trf.players_with_line_numbers()
        ),
        rounds_paired=paired,
        rounds_announced=directives.rounds or rounds,
        first_colour=directives.first_colour or Colour.WHITE,
        forbidden_pairs=_forbidden_pairs(directives, paired + 1),
        system=system,
        procedure=procedure,
        acceleration=acceleration,
        group_limits=group_limits,
        points=points,
        interpretations=read_rule_interpretations(trf),
    )


def forbidden_pairs_in_round(trf: TrfFile, round_number: int) -> frozenset[frozenset[PairingNumber]]:
    """Return the pairs that the file forbids in a round (XXP in all rounds, 260 in the rounds it names)."""
    return _forbidden_pairs(read_directives(trf), round_number)


def trf_from_snapshot(
    snapshot: TournamentSnapshot,
    *,
    header: TrfHeader,
    ranks: Mapping[PairingNumber, int],
    edition: TrfEdition = TrfEdition.TRF26,
    name: str = "report.trf",
) -> TrfFile:
    """Return a snapshot's event as a report file, with the entries for the round to be paired.

    In TRF26 the byes of that round have their own lines. In TRF16 they are in the players' lines, and their points are
    counted, because programs add up the results of a line.
    """
    byes = {
        (card.tpn, snapshot.round_number): card.unavailable.result
        for card in snapshot.cards
        if card.unavailable is not None and card.unavailable.result.is_requested_bye
    }
    in_lines = byes if edition is TrfEdition.TRF26 else {}
    players = []
    for card in snapshot.cards:
        records = card.records
        if card.unavailable is not None and (card.tpn, snapshot.round_number) not in in_lines:
            records += (card.unavailable,)
        half_points = sum(snapshot.points.points_for_result(record.result) for record in records)
        players.append(
            TrfPlayer(
                tpn=card.tpn,
                name=card.name,
                title=card.title,
                rating=card.rating,
                points=Decimal(half_points) / 2,
                rank=ranks[card.tpn],
                rounds=tuple(map(TrfRound.from_round_record, records)),
            )
        )
    return make_trf(
        header=header,
        players=players,
        rounds=snapshot.rounds_announced,
        first_colour=snapshot.first_colour,
        points=snapshot.points,
        fictitious={card.tpn: card.fictitious for card in snapshot.cards if card.fictitious},
        forbidden_pairs=snapshot.forbidden_pairs,
        byes=in_lines,
        readings=snapshot.interpretations,
        edition=edition,
        name=name,
    )


def _records(
    trf: TrfFile, line: int, player: TrfPlayer, rounds: int, byes: dict[tuple[PairingNumber, int], Result]
) -> tuple[RoundRecord, ...]:
    """Return the player's rounds so far. Blocks missing from their line are absences."""
    records = []
    blocks = player.rounds[:rounds]
    for number, block in enumerate((*blocks, *(BLANK_ROUND,) * (rounds - len(blocks))), start=1):
        if block.result is not None:
            records.append(RoundRecord(result=block.result, opponent=block.opponent, colour=block.colour))
        elif block.opponent is None and (player.tpn, number) in byes:
            records.append(RoundRecord(result=byes[player.tpn, number]))
        elif block.opponent is not None:
            raise TrfError(
                f"a result of round {number}, which was paired",
                name=trf.name,
                line=line,
                column=model.result_column_of_round(number),
            )
        else:
            records.append(block.round_record)
    return tuple(records)


def _unavailable(
    player: TrfPlayer, round_number: int, byes: dict[tuple[PairingNumber, int], Result]
) -> RoundRecord | None:
    """Return the record of a player who is not paired in the round, or None if they are."""
    block = player.get_round(round_number)
    if not block.is_blank:
        return block.round_record
    if (player.tpn, round_number) in byes:
        return RoundRecord(result=byes[player.tpn, round_number])
    return None


def _byes_by_player(trf: TrfFile, directives: EventDirectives, paired: int) -> dict[tuple[PairingNumber, int], Result]:
    """Return byes requested in lines of their own, by player and round.

    Raises TrfError if one contradicts the player's line.
    """
    players = {player.tpn: player for player in trf.players}
    byes = {}
    for bye in directives.byes:
        number = bye.round_number or paired + 1
        block = players[bye.tpn].get_round(number)
        if bye.round_number and not block.is_blank and block.result not in (bye.result, Result.ABSENT):
            _refuse_bye(trf, bye, number)
        byes[bye.tpn, number] = bye.result
    return byes


def _refuse_bye(trf: TrfFile, bye: RequestedBye, number: int) -> NoReturn:
    expected = f"a player with this bye, or none, on his own line in round {number}"
    raise TrfError(expected, name=trf.name, line=bye.position.line, column=bye.position.column, found=str(bye.tpn))


def _fictitious(directives: EventDirectives, tpn: PairingNumber, round_number: int) -> tuple[HalfPoints, ...]:
    points = directives.fictitious.get(tpn)
    if not points:  # no line, or one without points
        return ()
    return tuple(points.get(number, 0) for number in range(1, max(round_number, *points) + 1))


def _forbidden_pairs(directives: EventDirectives, round_number: int) -> frozenset[frozenset[PairingNumber]]:
    return frozenset(
        frozenset((one, other))
        for group in directives.forbidden
        if group.applies_in_round(round_number)
        for one in group.players
        for other in group.players
        if one < other
    )


def _points_of(trf: TrfFile, directives: EventDirectives, system: str) -> PointSystem:
    """Return the points of results in the file. Raises TrfError if the system cannot use them."""
    points = points_in_system(point_system_of_trf(trf, directives), system)
    if system in SYSTEMS_WITH_FIXED_POINTS and points.scale_factor is None:
        expected = f"points that {system} can count: {IncompatiblePointSystem(system, points)}"
        _refuse_at(trf, point_system_position(directives), expected)
    return points


def _refuse_other_order(trf: TrfFile, place: FilePosition) -> None:
    """Raise TrfError unless XXC rank, the order of lines, is also the order of starting ranks."""
    numbers = [player.tpn for player in trf.players]
    if numbers != sorted(numbers):
        _refuse_at(trf, place, "players in the order of their starting ranks where the order of lines counts")


def _refuse_at(trf: TrfFile, place: FilePosition, expected: str) -> NoReturn:
    raise TrfError(expected, name=trf.name, line=place.line, column=place.column)
