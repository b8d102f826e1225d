"""Rankings: points first, then any list of tie-breaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.snapshot import PairingCard, PointSystem, Result, RoundRecord, TournamentSnapshot
from pairing.engine.standings import PlayerStanding, UnknownTieBreak, rank_players
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.engine.trf.lines import player, report

# 1 and 2 have two points each, 3 and 4 one, 5 none.
FIVE = snapshot_from_trf(
    read_trf(
        report(
            player(1, "   2 w 1", "   3 b 1", "   4 w 0", rating=2100),
            player(2, "   1 b 0", "   5 w 1", "0000 - U", rating=2000),
            player(3, "   4 w 1", "   1 w 0", "   5 b -", rating=1900),
            player(4, "   3 b 0", "0000 - Z", "   1 b 1", rating=1800),
            player(5, "0000 - H", "   2 b 0", "   3 w -", rating=1700),
        ),
        name="x.trf",
    ),
    system="fide-1989",
)


def column(table: tuple[PlayerStanding, ...], place: int = 0) -> dict[int, str]:
    return {row.tpn: row.values[place].display_text for row in table}


def test_points_come_first():
    table = rank_players(FIVE, ())
    assert [(row.rank, row.tpn, row.points) for row in table] == [(1, 1, 4), (1, 2, 4), (3, 3, 2), (3, 4, 2), (5, 5, 1)]


def test_fide_1989_article_16_a_sums_the_opponents_ratings_without_the_lowest():
    """1 met 2000, 1900 and 1800; a forfeit does not count as a game, so 3 only met 1800 and 2100."""
    table = rank_players(FIVE, ("16A",))
    assert column(table) == {1: "3900", 2: "2100", 3: "2100", 4: "2100", 5: "0"}
    assert [row.tpn for row in table] == [1, 2, 3, 4, 5]


def test_fide_1989_article_16_a_goes_on_to_the_two_lowest_where_one_does_not_decide():
    """Without the lowest both have 3900; without the two lowest 1 has 2000, 2 has 2100."""
    event = snapshot_from_trf(
        read_trf(
            report(
                player(1, "   3 w 1", "   4 b =", "   5 w =", rating=1500),
                player(2, "   6 w 1", "   5 b =", "   7 w =", rating=1500),
                player(3, "   1 b 0", rating=2000),
                player(4, "        ", "   1 w =", rating=1900),
                player(5, "        ", "   2 w =", "   1 b =", rating=1800),
                player(6, "   2 b 0", rating=2100),
                player(7, "        ", "        ", "   2 b =", rating=1700),
            ),
            name="x.trf",
        ),
        system="fide-1989",
    )
    table = rank_players(event, ("16A",))
    assert (column(table)[1], column(table)[2]) == ("3900", "3900")
    assert [row.tpn for row in table][:2] == [2, 1]


def test_fide_1989_article_16_b_sums_the_scores_after_each_round():
    """1: 1, 2, 2; 2: 0, 1, 2; 3: 1, 1, 1; 4: 0, 0, 1; 5: only a half."""
    table = rank_players(FIVE, ("16B",))
    assert column(table) == {1: "5.0", 2: "3.0", 3: "3.0", 4: "1.0", 5: "1.5"}


def test_fide_1989_article_16_b_goes_on_without_the_first_rounds():
    """1, 1, 1, 2 and 0.5, 1, 1.5, 2 each add up to five; without round 1 they are 4 and 4.5."""
    cards = (
        PairingCard(tpn=1, records=(bye("F"), bye("Z"), bye("Z"), bye("F"))),
        PairingCard(tpn=2, records=(bye("H"), bye("H"), bye("H"), bye("H"))),
    )
    event = TournamentSnapshot(cards=cards, rounds_paired=4, system="fide-1989")
    table = rank_players(event, ("16B",))
    assert column(table) == {1: "5.0", 2: "5.0"}
    assert [row.tpn for row in table] == [2, 1]


def bye(letter: str) -> RoundRecord:
    return RoundRecord(result=Result(letter))


def test_fide_1989_article_16_asks_whether_everyone_is_rated():
    assert column(rank_players(FIVE, ("16",))) == column(rank_players(FIVE, ("16A",)))
    cards = (*FIVE.cards[:4], replace(FIVE.cards[4], rating=0))
    assert column(rank_players(replace(FIVE, cards=cards), ("16",))) == column(rank_players(FIVE, ("16B",)))


def test_jahrs_values_as_columns():
    """1 met totals of 0.00, 1.00 and 0.00: two won games and a tenth of 1.00."""
    jahr = replace(FIVE, system="jahr", points=PointSystem(pairing_allocated_bye=1))
    table = rank_players(jahr, ("G", "T", "E"))
    assert [value.display_text for value in table[0].values] == ["2.0", "2.10", "1.00"]
    assert table[0].tpn == 1


def test_jahrs_ranks_are_not_shared():
    event = TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn) for tpn in (3, 1, 2)),
        rounds_paired=0,
        system="jahr",
        points=PointSystem(pairing_allocated_bye=1),
    )
    assert [(row.rank, row.tpn) for row in rank_players(event, ("T", "E"))] == [(1, 1), (2, 2), (3, 3)]


def test_equal_players_share_a_rank():
    event = TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn) for tpn in (3, 1, 2)), rounds_paired=0, system="fide-1989"
    )
    assert [(row.rank, row.tpn) for row in rank_players(event, ("16",))] == [(1, 1), (1, 2), (1, 3)]


def test_an_unknown_tie_break_names_the_known_ones():
    with pytest.raises(UnknownTieBreak, match="unknown tie-break 'XYZ'; known are PTS"):
        rank_players(FIVE, ("XYZ",))
