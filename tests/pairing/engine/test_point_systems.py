"""Points other than 1, ½ and 0: which systems refuse them, and that 2, 1 and 0 give the same results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from pairing.engine.paired_round import PairedRound, PairingReason
from pairing.engine.point_systems import (
    SYSTEMS_WITH_FIXED_POINTS,
    IncompatiblePointSystem,
    InvalidPointSystem,
    format_point_system,
    parse_point_system,
)
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.snapshot import PointSystem, TournamentSnapshot
from pairing.engine.standings import TIE_BREAKS, TieBreaksNeedStandardPoints, rank_players
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.engine.trf import TrfError, TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf
from tests.pairing.engine.literal import dutch_2026
from tests.pairing.engine.literal.compare import by_engine
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing
from tests.pairing.engine.standings.rows import column
from tests.pairing.engine.trf.lines import player, report

HALVES = parse_point_system("2-1-0")
FOOTBALL = parse_point_system("3-1-0")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3-1",
        "1-1-0",
        "0-0-0",
        "1-2-0",
        "3-1--1",
        "1-0.25-0",
        "3,1,0",
        "3-1-0 A1",
        "3-1-0 P4",
        "999-1-0",
        "3-1-0 X1",
    ],
)
def test_what_no_event_counts_by(text: str):
    with pytest.raises(InvalidPointSystem):
        parse_point_system(text)


@pytest.mark.parametrize("text", ["1-0.5-0", "2-1-0", "3-1-0", "3-2-1", "3-2-1 P2", "3-1.5-0.5 A0.5", "1-0.5-0 P0"])
def test_points_are_read_as_they_are_written(text: str):
    assert format_point_system(parse_point_system(text)) == text


@pytest.mark.parametrize("system", sorted(SWISS_SYSTEMS))
def test_only_the_system_in_force_pairs_by_points_in_another_ratio(system: str):
    event = simulate_event(
        SimulationPlan(players=8, rounds=2, system="dutch-2026", seed=1, points=FOOTBALL), PAIRING_SYSTEMS["dutch-2026"]
    )
    event = replace(event, system=system)
    if system in SYSTEMS_WITH_FIXED_POINTS:
        with pytest.raises(IncompatiblePointSystem, match=r"counts 1 point for a win.* counts 3-1-0"):
            PAIRING_SYSTEMS[system](event)
    else:
        assert PAIRING_SYSTEMS[system](event).games


def test_progressive_acceleration_counts_by_the_document_too():
    event = simulate_event(
        SimulationPlan(players=8, rounds=2, system="dutch-2026", seed=1, points=FOOTBALL), PAIRING_SYSTEMS["dutch-2026"]
    )
    with pytest.raises(IncompatiblePointSystem):
        PAIRING_SYSTEMS["dutch-2026"](replace(event, acceleration="progressive", rounds_announced=7))


@pytest.mark.parametrize("acceleration", ["none", "baku"])
@pytest.mark.parametrize("system", sorted(SWISS_SYSTEMS))
def test_two_one_nothing_is_paired_as_one_a_half_nothing(system: str, acceleration: str):
    """Pairs, colours, bye and every reason are the same; points are doubled wherever they appear."""
    bye = 1 if system == "jahr" else 2
    plan = SimulationPlan(
        players=15,
        rounds=5,
        system=system,
        seed=7,
        byes=Fraction(1, 10),
        forfeits=Fraction(1, 10),
        acceleration=acceleration,
        points=PointSystem(pairing_allocated_bye=bye),
    )
    event = simulate_event(plan, PAIRING_SYSTEMS[system])
    for rounds in range(5):
        usual = _after(event, rounds)
        paired = PAIRING_SYSTEMS[system](usual)
        doubled_points = replace(HALVES, pairing_allocated_bye=2 * bye)
        doubled = PAIRING_SYSTEMS[system](replace(usual, points=doubled_points))
        assert [(each.white, each.black) for each in doubled.games] == [
            (each.white, each.black) for each in paired.games
        ]
        assert [each.score for each in doubled.scores] == [2 * each.score for each in paired.scores]
        assert [each.pairing_score for each in doubled.scores] == [2 * each.pairing_score for each in paired.scores]
        assert list(_said(doubled, 1)) == list(_said(paired, 2))


def _after(event: TournamentSnapshot, rounds: int) -> TournamentSnapshot:
    cards = tuple(replace(card, records=card.records[:rounds]) for card in event.cards)
    return replace(event, cards=cards, rounds_paired=rounds)


def _said(paired: PairedRound, times: int) -> Iterator[PairingReason]:
    """Every reason, with its points multiplied."""
    for holder in (*paired.games, *((paired.bye,) if paired.bye else ())):
        for why in holder.reasons:
            compared = ("higher", "lower") if why.get_fact("by") == "game_points" else ()
            facts = (
                (name, tuple(one * times for one in fact) if isinstance(fact, tuple) else fact * times)
                if fact is not None and (name.endswith("half_points") or name in compared)
                else (name, fact)
                for name, fact in why.facts
            )
            yield replace(why, facts=tuple(facts))


@pytest.mark.parametrize("points", ["3-1-0", "3-2-1", "3-1-0 P1", "4-2-1 A0.5"])
def test_the_system_in_force_agrees_with_the_transcription_by_other_points(points: str):
    worth = parse_point_system(points)

    def counted(snapshot: TournamentSnapshot) -> TournamentSnapshot:
        acceleration = "baku" if snapshot.acceleration == "baku" else "none"
        return replace(snapshot, points=worth, acceleration=acceleration)

    def by_twin(snapshot: TournamentSnapshot) -> Pairing:
        return dutch_2026.pair(counted(snapshot))

    rounds = 0
    for seed in range(12):
        for snapshot, literal in play("dutch-2026", seed, by_twin):
            assert by_engine(counted(snapshot)) == literal, (seed, snapshot.round_number)
            rounds += 1
    assert rounds > 30


def test_a_topscorer_has_more_than_half_of_what_could_be_won():
    """By 3-1-0, five points of a possible eighteen are not above half; by 1-½-0 the same games give three of six."""
    event = simulate_event(
        SimulationPlan(players=10, rounds=6, system="dutch-2026", seed=3, points=FOOTBALL),
        PAIRING_SYSTEMS["dutch-2026"],
    )
    last = replace(_after(event, 5), rounds_announced=6)
    assert by_engine(last) == _twin(last)


def _twin(snapshot: TournamentSnapshot) -> Pairing | None:
    try:
        return dutch_2026.pair(snapshot)
    except NoLegalRound:
        return None


FOUR = replace(
    snapshot_from_trf(
        read_trf(
            report(
                player(1, "   2 w 1", "   3 b =", "   4 w 1", rating=2000),
                player(2, "   1 b 0", "   4 w 1", "   3 b 1", rating=1900),
                player(3, "   4 w =", "   1 w =", "   2 w 0", rating=1800),
                player(4, "   3 b =", "   2 b 0", "   1 b 0", rating=1700),
            ),
            name="four.trf",
        ),
        system="dutch-2026",
    ),
    rounds_announced=3,
)
"""1 has two wins and a draw, 2 two wins, 3 two draws, 4 one draw."""


def test_tables_by_three_points_a_win():
    """Seven, six, two and one point; Buchholz of 1 is 6 + 2 + 1, Sonneborn-Berger 6 x 3 + 2 x 1 + 1 x 3."""
    event = replace(FOUR, points=FOOTBALL)
    assert column(event, "PTS") == {1: "7.0", 2: "6.0", 3: "2.0", 4: "1.0"}
    assert column(event, "BH") == {1: "9.0", 2: "10.0", 3: "14.0", 4: "15.0"}
    assert column(event, "SB") == {1: "23.00", 2: "9.00", 3: "8.00", 4: "2.00"}
    assert column(event, "WIN") == {1: "2", 2: "2", 3: "0", 4: "0"}
    assert column(event, "STD") == {1: "2.5", 2: "2.0", 3: "1.0", 4: "0.5"}
    # Nine points were possible, so half is four and a half: 1 and 2 have them.
    assert column(event, "KS") == {1: "3.0", 2: "0.0", 3: "1.0", 4: "0.0"}


def test_performances_count_games_and_not_points():
    assert column(replace(FOUR, points=FOOTBALL), "TPR") == column(FOUR, "TPR")


def test_a_bye_asked_for_at_the_end_is_a_draw_for_the_opponents():
    """16.3: the absence in the last round counts 1 point by 3-1-0, not half a point."""
    lines = (
        player(1, "   2 w 1", "   3 w 1"),
        player(2, "   1 b 0", "0000 - Z"),
        player(3, "0000 - U", "   1 b 0"),
    )
    event = snapshot_from_trf(read_trf(report("XXS W=3 D=1", *lines), name="bye.trf"), system="dutch-2026")
    # 1 met 2, who counts with 0 and a draw, and 3, whose bye was worth a win.
    assert column(event, "BH")[1] == "4.0"


def test_tie_breaks_of_documents_that_fix_the_points_are_refused():
    with pytest.raises(TieBreaksNeedStandardPoints, match=r"T, 16: .* counts 3-1-0"):
        rank_players(replace(FOUR, points=FOOTBALL), ("BH", "T", "16"))


@pytest.mark.parametrize("code", [code for code in TIE_BREAKS if code != "DE1"])
def test_points_of_2_1_and_0_give_the_same_places(code: str):
    event = simulate_event(
        SimulationPlan(players=12, rounds=5, system="dutch-2026", seed=5, byes=Fraction(1, 8)),
        PAIRING_SYSTEMS["dutch-2026"],
    )
    lots = {card.tpn: card.tpn for card in event.cards}
    usual = rank_players(event, (code,), lots=lots)
    halves = rank_players(replace(event, points=HALVES), (code,), lots=lots)
    assert [(row.rank, row.tpn, 2 * row.points) for row in usual] == [(row.rank, row.tpn, row.points) for row in halves]


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("XXS W=3 D=1", "3-1-0"),
        ("XXS WW=2.0 BW=2.0 WD=1.0 BD=1.0 WL=0.0 BL=0.0 ZPB=0.0 HPB=1.0 FPB=2.0 PAB=2.0 FW=2.0 FL=0.0", "2-1-0"),
        ("162  W 3.0    D 1.0    L 0.0    A 0.0    P 1.0    X 1.0", "3-1-0 P1"),
        ("162  W 3.0    D 2.0    L 1.0", "3-2-1"),
    ],
)
def test_what_a_file_counts(line: str, points: str):
    taken = snapshot_from_trf(read_trf(report(line, player(1), player(2)), name="x.trf"), system="dutch-2026")
    assert format_point_system(taken.points) == points


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("XXS WW=3 BW=2 WD=1 BD=1", 10),
        ("XXS W=3 D=1 FW=1", 13),
        ("XXS W=3 D=1 HPB=0.5", 13),
        ("XXS W=3 D=1 FL=0.5", 13),
        ("162  W 3.0  D 1.25", 13),
        ("162  W 1.0  D 1.0", 6),
    ],
)
def test_points_no_event_counts_are_refused_where_they_stand(line: str, column: int):
    with pytest.raises(TrfError) as refused:
        snapshot_from_trf(read_trf(report(line, player(1), player(2)), name="x.trf"), system="dutch-2026")
    assert (refused.value.line, refused.value.column) == (1, column)


@pytest.mark.parametrize("system", sorted(SYSTEMS_WITH_FIXED_POINTS))
def test_a_file_that_a_document_cannot_count_is_refused_with_its_sentence(system: str):
    with pytest.raises(TrfError, match=f"the document of {system} counts 1 point for a win"):
        snapshot_from_trf(read_trf(report("XXS W=3 D=1", player(1), player(2)), name="x.trf"), system=system)


@pytest.mark.parametrize("points", ["1-0.5-0", "1-0.5-0 P0.5", "2-1-0", "3-1-0", "3-2-1 P2", "4-2-1 A0.5"])
def test_points_go_through_a_file_and_come_back(points: str):
    plan = SimulationPlan(
        players=9, rounds=3, system="dutch-2026", seed=2, points=parse_point_system(points), byes=Fraction(1, 8)
    )
    event = simulate_event(plan, PAIRING_SYSTEMS["dutch-2026"])
    ranks = {row.tpn: row.rank for row in rank_players(event, ())}
    written = write_trf(trf_from_snapshot(event, header=TrfHeader(tournament="Points"), ranks=ranks))
    read = read_trf(written, name="points.trf")
    assert not read.warnings
    assert snapshot_from_trf(read, system="dutch-2026") == replace(event, acceleration="none")
