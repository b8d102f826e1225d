"""What makes a round illegal, and what does not."""

from __future__ import annotations

from random import Random

import pytest

from pairing.engine.legality import RuleBreachKind, find_rule_breaches
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from tests.pairing.builders import event
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing
from tests.pairing.engine.reason_world import World

Said = list[tuple[str, tuple[int, ...]]]


def said(text: str, *pairs: tuple[int, int], bye: tuple[int, ...] = (), played: bool = True) -> Said:
    """Articles and players of the violations in a round in which all games were played, or none."""
    snapshot = event(text)
    coloured = frozenset(tpn for pair in pairs for tpn in pair) if played else frozenset()
    return [(each.article, each.players) for each in find_rule_breaches(snapshot, pairs, bye, coloured=coloured)]


TWO_ROUNDS = """{0} rounds=9
1 0 3w1 4w1
2 0 4b1 3w1
3 0 1b0 2b0
4 0 2w0 1b0"""
WHITE_TWICE = """{0} rounds={1}
1 0 3w1 4w1
2 0 4w1 3w1
3 0 1b0 2b0
4 0 2b0 1b0"""
THREE_MORE = """{0} rounds=9
1 0 3w1 4w1 3w1 4b1
2 0 4b1 3w1 4b1 3w1
3 0 1b0 2b0 1b0 2b0
4 0 2w0 1b0 2w0 1w0"""


@pytest.mark.parametrize(
    ("system", "met", "colour"),
    [("fide-1989", "art. 2", "art. 12.1 a"), ("dutch-1992", "B1", "B2"), ("dubov-1997", "art. 2.1", "art. 2.4")],
)
def test_two_who_had_met_and_a_colour_three_times_running(system: str, met: str, colour: str):
    text = TWO_ROUNDS.format(system)
    assert said(text, (2, 1), (3, 4)) == []
    assert said(text, (1, 2), (3, 4)) == [(f"{system} {colour}", (1,))]
    # The same pairs as forfeits: nobody had a colour.
    assert said(text, (1, 2), (3, 4), played=False) == []
    assert said(text, (3, 1), (2, 4), played=False) == [(f"{system} {met}", (3, 1)), (f"{system} {met}", (2, 4))]


@pytest.mark.parametrize(
    ("system", "article"), [("fide-1989", "art. 12.1 b"), ("dutch-1992", "B2"), ("dubov-1997", "art. 2.3")]
)
def test_a_colour_three_times_more_than_the_other(system: str, article: str):
    assert said(THREE_MORE.format(system), (1, 2)) == [(f"{system} {article}", (1,))]


@pytest.mark.parametrize(
    ("system", "article"), [("fide-1989", "art. 9.1"), ("dutch-1992", "B2"), ("dubov-1997", "art. 2.4")]
)
def test_two_who_both_must_have_the_same_colour(system: str, article: str):
    assert said(WHITE_TWICE.format(system, 9), (1, 2)) == [(f"{system} {article}", (1, 2))]


def test_in_the_last_round_each_document_lets_go_of_colours_in_its_own_way():
    # Two rounds of three are over, and both players have won both: more than half of the possible points.
    assert said(WHITE_TWICE.format("fide-1989", 3), (1, 2)) == []
    assert said(WHITE_TWICE.format("dutch-1992", 3), (1, 2)) == []
    assert said(WHITE_TWICE.format("dubov-1997", 3), (1, 2)) == [("dubov-1997 art. 2.4", (1, 2))]
    # 3 and 4 have lost both games, and the 1992 rules only exempt players above half.
    assert said(WHITE_TWICE.format("dutch-1992", 3), (3, 4)) == [("dutch-1992 B2", (3, 4))]


BYES = "{0} rounds=9 {1}\n1 0 U F\n2 0 F =\n3 0 + U\n4 0 H +\n5 0 Z H".replace("F =", "F Z")


@pytest.mark.parametrize(
    ("system", "article", "barred"),
    [
        ("fide-1989", "art. 8.2", {1, 3, 4}),
        ("jahr", "art. 8.2", {1, 3, 4}),
        ("dutch-1992", "B1", {1, 2, 3, 4}),
        ("dubov-1997", "art. 2.2", {1, 2, 3, 4}),
    ],
)
def test_who_may_not_have_the_bye(system: str, article: str, barred: set[int]):
    text = BYES.format(system, "")
    document = "fide-1989" if system == "jahr" else system
    for player in range(1, 6):
        expected = [(f"{document} {article}", (player,))] if player in barred else []
        assert said(text, bye=(player,)) == expected


def test_a_reading_lets_a_forfeit_winner_rest_later():
    text = "fide-1989 rounds=9 {0}\n1 0 + H\n2 0 H +"
    assert said(text.format(""), bye=(1,)) == [("fide-1989 art. 8.2", (1,))]
    otherwise = text.format("reading=fide-1989:8.2=next-round")
    assert said(otherwise, bye=(1,)) == []
    assert said(otherwise, bye=(2,)) == [("fide-1989 art. 8.2", (2,))]


def test_two_byes_in_one_round_and_a_pair_the_event_forbids():
    text = "dubov-1997 forbidden=1-2\n1 0\n2 0\n3 0\n4 0"
    assert said(text, (1, 2), bye=(3, 4)) == [("dubov-1997 art. 2.1", (1, 2)), ("dubov-1997 art. 4", (3, 4))]


@pytest.mark.parametrize("name", [*SWISS_SYSTEMS, "jahr+dutch-1992"])
def test_no_round_of_a_system_is_illegal_and_every_incompatible_pair_is_found(name: str):
    found = 0

    def pair(snapshot: TournamentSnapshot) -> Pairing:
        nonlocal found
        try:
            made = PAIRING_SYSTEMS[snapshot.system](snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        games = tuple((game.white, game.black) for game in made.games)
        bye = made.bye.player if made.bye else None
        everyone = frozenset(card.tpn for card in snapshot.cards)
        assert not find_rule_breaches(snapshot, games, [bye] if bye else [], coloured=everyone), notation.written(
            snapshot
        )
        world = World(snapshot)
        players = [card.tpn for card in snapshot.cards]
        Random(len(players)).shuffle(players)
        for one, other in zip(players[::2], players[1::2], strict=False):
            kinds = {each.kind for each in find_rule_breaches(snapshot, [(one, other)], [], coloured=frozenset())}
            obstacle = world.obstacle(one, other)
            assert (obstacle is not None) == bool(kinds), (one, other, notation.written(snapshot))
            found += obstacle is not None
            assert kinds <= {RuleBreachKind.MET, RuleBreachKind.FORBIDDEN, RuleBreachKind.SAME_ABSOLUTE_COLOUR}
        return games, bye

    for seed in range(15):
        for _ in play(name, seed, pair):
            pass
    assert found > 20
