"""The literal twin of the 1989 rules: the document's own examples, and what must never happen."""

from __future__ import annotations

import pytest

from pairing.engine.snapshot import PairingCard, TournamentSnapshot
from tests.pairing.engine.exchange_tables import ARTICLE_11_2, ARTICLE_11_3
from tests.pairing.engine.literal import fide_1989, notation
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import Facts, NoLegalRound

SIX = frozenset(range(1, 7))


def first_round(players: int, *forbidden: tuple[int, int]) -> TournamentSnapshot:
    return TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn) for tpn in range(1, players + 1)),
        rounds_paired=0,
        system="fide-1989",
        forbidden_pairs=frozenset(map(frozenset, forbidden)),
    )


def procedure(snapshot: TournamentSnapshot) -> fide_1989.Procedure:
    facts = Facts(snapshot, fictitious_points(snapshot), snapshot.points.pairing_allocated_bye)
    return fide_1989.Procedure(facts, number={tpn: tpn for tpn in facts.cards}, maxi=False)


def boards(text: str) -> str:
    games, bye = fide_1989.pair(notation.read(text))
    return " ".join(f"{white}-{black}" for white, black in games) + (f" bye {bye}" if bye else "")


def spelled(pairs: list[tuple[int, int]]) -> str:
    return " ".join(f"{a}-{b}" for a, b in pairs)


# Exchange tables


@pytest.mark.parametrize(("barred", "pairs"), ARTICLE_11_2)
def test_article_11_2_exchanges_for_player_1(barred, pairs):
    assert spelled(procedure(first_round(6, *barred)).article_11_first_scrutiny(SIX, "down")) == pairs


@pytest.mark.parametrize(("barred", "pairs"), ARTICLE_11_3)
def test_article_11_3_exchanges_for_player_2_when_1_cannot_play_4_or_5(barred, pairs):
    snapshot = first_round(6, (1, 4), (1, 5), *barred)
    assert spelled(procedure(snapshot).article_11_first_scrutiny(SIX, "down")) == pairs


@pytest.mark.parametrize(
    ("barred", "pairs"),
    [
        ([], "6-3 5-2 4-1"),
        ([(6, 3)], "6-2 5-3 4-1"),
        ([(6, 3), (6, 2)], "6-1 5-3 4-2"),
        ([(6, 3), (6, 2), (6, 1)], "6-4 5-2 3-1"),
        ([(6, 3), (6, 2), (6, 1), (6, 4)], "6-5 4-2 3-1"),
    ],
)
def test_article_11_1_b_is_the_mirror_image_from_the_bottom_up(barred, pairs):
    assert spelled(procedure(first_round(6, *barred)).article_11_first_scrutiny(SIX, "up")) == pairs


def test_every_pairing_is_tried_once_and_none_other():
    tried = [frozenset(map(frozenset, pairs)) for pairs in procedure(first_round(6)).pairings(SIX, "down", clashes=3)]
    assert len(tried) == len(set(tried)) == 15


# Round 1


@pytest.mark.parametrize("lot", ["white", "black"])
def test_article_14_2_forty_players(lot):
    snapshot = notation.read("\n".join([f"fide-1989 first={lot[0]}", *(f"{tpn} 0" for tpn in range(1, 41))]))
    games, bye = fide_1989.pair(snapshot)
    if lot == "white":
        assert games[:4] == ((1, 21), (22, 2), (3, 23), (24, 4))
        assert games[-1] == (40, 20)
    else:
        assert games[:4] == ((21, 1), (2, 22), (23, 3), (4, 24))
        assert games[-1] == (20, 40)
    assert len(games) == 20
    assert bye is None


def test_article_14_1_odd_number_the_last_rests():
    assert fide_1989.pair(first_round(5)) == (((1, 3), (4, 2)), 5)


# The bye


def test_bye_does_not_go_to_a_forfeit_winner_with_or_without_a_name_nor_twice():
    assert boards("fide-1989\n1 0 2w1\n2 0 1b0\n3 0 U\n4 0 5w-\n5 0 4b+").endswith("bye 4")
    assert boards("fide-1989\n1 0 2w1\n2 0 1b0\n3 0 +\n4 0 H\n5 0 F").endswith("bye 2")


def test_bye_may_follow_a_requested_full_point():
    text = "fide-1989\n1 0 F\n2 0 4b1\n3 0 5b1\n4 0 2w0 | Z\n5 0 3w0 | Z"
    assert boards(text).endswith("bye 3")
    assert boards(
        text.replace("2 0 4b1", "2 0 4b+")
        .replace("4 0 2w0", "4 0 2w-")
        .replace("3 0 5b1", "3 0 +")
        .replace("5 0 3w0", "5 0 -")
    ).endswith("bye 1")


def test_bye_leaves_the_others_a_legal_round():
    assert fide_1989.pair(first_round(3, (1, 2))) == (((1, 3),), 2)


@pytest.mark.parametrize("barred", [[(1, 2)], [(1, 2), (1, 3), (1, 4)]])
def test_no_legal_round(barred):
    players = 2 if len(barred) == 1 else 4
    with pytest.raises(NoLegalRound):
        fide_1989.pair(first_round(players, *barred))


# Colours


def test_compatibility_yields_in_the_last_round_only():
    text = """fide-1989 rounds={}
        1 0 3w1 4w1
        2 0 4w1 3w1
        3 0 1b0 2b0
        4 0 2b0 1b0"""
    with pytest.raises(NoLegalRound):
        boards(text.format(4))
    # Equal histories: above the median the smaller number gets its due colour, below it the larger (12.4).
    assert boards(text.format(3)) == "2-1 4-3"


def test_article_12_4_goes_back_to_the_latest_round_where_the_colours_differ():
    text = """fide-1989
        1 0 3w1 4w1 5b1
        2 0 4w1 5b1 3w1
        3 0 1b0 . 2b0 | Z
        4 0 2b0 1b0 . | Z
        5 0 . 2w0 1w0 | Z"""
    assert boards(text) == "1-2"


# Floaters and the maxi event


@pytest.mark.parametrize(
    ("rounds", "rating_of_3", "expected"),
    [
        (3, 1500, "3-1 4-2 5-6"),  # 2 floats: 1 and 3 are due different colours (10.2)
        (2, 1900, "3-1 4-2 5-6"),  # a maxi event, and 2 is within 100 points of 3
        (2, 1899, "2-1 3-4 5-6"),  # a maxi event, and 2 is not: the largest number floats
    ],
)
def test_article_10_2_floater_by_due_colours(rounds, rating_of_3, expected):
    text = f"""fide-1989 rounds={rounds}
        1 2000 4w1
        2 2000 5w1
        3 {rating_of_3} 6b1
        4 1400 1b0
        5 1400 2b0
        6 1400 3w0"""
    assert boards(text) == expected


@pytest.mark.parametrize(("rounds", "expected"), [(3, "4-1 2-3 5-8 7-6"), (2, "3-1 2-4 7-5 6-8")])
def test_article_12_7_exchanges_for_colour_within_100_points_in_a_maxi_event(rounds, expected):
    text = f"""fide-1989 rounds={rounds}
        1 2500 5w1
        2 2400 6b1
        3 2000 7w1
        4 1500 8b1
        5 1000 1b0
        6 900 2w0
        7 800 3b0
        8 100 4w0"""
    assert boards(text) == expected


def test_article_9_6_the_nearest_pair_above_is_split_when_the_median_is_blocked():
    games, bye = fide_1989.pair(
        notation.read("""fide-1989
        1 0 5w1 6b1
        2 0 6w1 5b1
        3 0 4w= H
        4 0 3b= H
        5 0 1b0 2w0
        6 0 2b0 1w0""")
    )
    assert set(map(frozenset, games)) == {frozenset({1, 3}), frozenset({2, 4}), frozenset({5, 6})}
    assert bye is None


# Invariants over random events


def test_every_round_of_random_events_is_legal():
    barred, byes = 0, 0
    for seed in range(150):
        for snapshot, paired in play("fide-1989", seed, fide_1989.pair):
            if paired is None:
                barred += 1
                continue
            games, bye = paired
            facts = Facts(snapshot, {}, 2)
            seated = [tpn for game in games for tpn in game] + ([] if bye is None else [bye])
            assert sorted(seated) == sorted(facts.to_pair)
            for white, black in games:
                assert not facts.met(white, black)
                assert not facts.forbidden(white, black)
                if not facts.is_last_round:
                    assert facts.absolute[white] != "b"
                    assert facts.absolute[black] != "w"
            if bye is not None:
                byes += 1
                assert not facts.had(bye, "U+")
    assert barred > 0
    assert byes > 0


def test_the_order_of_the_players_in_the_snapshot_is_irrelevant():
    for seed in range(20):
        for snapshot, paired in play("fide-1989", seed, fide_1989.pair):
            if paired is not None:
                assert fide_1989.pair(notation.read(notation.written(snapshot))) == paired
