"""Who blocks a round, and the rounds with the fewest violations, compared with all pairings of small events."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from pairing.engine.legality import RuleBreachKind, find_rule_breaches
from pairing.engine.paired_round import PairingImpossible, ReasonKind
from pairing.engine.relaxations import (
    BYE_NUMBER,
    RelaxationKind,
    RelaxedRound,
    find_infeasibility_proof,
    find_relaxed_rounds,
)
from pairing.engine.rule_interpretations import FORFEIT_WIN_BYES, RULE_INTERPRETATIONS
from pairing.engine.snapshot import Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from tests.pairing.builders import event
from tests.pairing.engine.literal import notation

SYSTEM_NAMES = [*SWISS_SYSTEMS, "jahr+dutch-1992"]
KINDS = {
    RelaxationKind.EVENT_RULE: RuleBreachKind.FORBIDDEN,
    RelaxationKind.SECOND_BYE: RuleBreachKind.BYE_BARRED,
    RelaxationKind.REPEAT: RuleBreachKind.MET,
    RelaxationKind.ODD_COLOUR: RuleBreachKind.SAME_ABSOLUTE_COLOUR,
}
Pairs = tuple[tuple[int, int], ...]
"""A whole round, the smaller number first; a pair with BYE is the bye."""


def everywhere(system: str, seed: int) -> TournamentSnapshot:
    """Three to seven players after rounds with an arbiter's arbitrary pairings, so that anything may have happened."""
    dice = Random(f"ways out {system} {seed}")
    name, _, procedure = system.partition("+")
    players = list(range(1, dice.randint(3, 7) + 1))
    rounds = dice.randint(1, 5)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in players}
    for _ in range(rounds):
        dice.shuffle(players)
        pairs = list(zip(players[::2], players[1::2], strict=False))
        for white, black in pairs:
            results = dice.choice([("1", "0"), ("0", "1"), ("=", "="), ("=", "="), ("+", "-")])
            for one, other, colour, result in (
                (white, black, Colour.WHITE, results[0]),
                (black, white, Colour.BLACK, results[1]),
            ):
                records[one].append(RoundRecord(result=Result(result), opponent=other, colour=colour))
        for one in players[2 * len(pairs) :]:
            records[one].append(RoundRecord(result=Result(dice.choice("UUFHZ"))))
    forbidden = [frozenset(pair) for pair in combinations(sorted(players), 2) if dice.random() < 0.12]
    absent = RoundRecord(result=Result.ZERO_POINT_BYE)
    return TournamentSnapshot(
        cards=tuple(
            PairingCard(
                tpn=tpn,
                rating=2000 - 10 * tpn,
                records=tuple(records[tpn]),
                unavailable=absent if dice.random() < 0.1 else None,
            )
            for tpn in sorted(players)
        ),
        rounds_paired=rounds,
        rounds_announced=rounds + dice.choice([1, 3]),
        system=name,
        procedure=procedure or None,
        forbidden_pairs=frozenset(forbidden),
        interpretations=((FORFEIT_WIN_BYES, RULE_INTERPRETATIONS[FORFEIT_WIN_BYES].alternative_value),)
        if dice.random() < 0.2
        else (),
    )


def every_round(players: tuple[int, ...]) -> Iterator[Pairs]:
    """All ways to pair everybody, one with the bye if the number is odd."""
    if len(players) % 2:
        players = (BYE_NUMBER, *players)
    if not players:
        yield ()
        return
    one, *rest = players
    for other in rest:
        for more in every_round(tuple(each for each in rest if each != other)):
            yield ((one, other), *more)


def broken_by(snapshot: TournamentSnapshot, pair: tuple[int, int]) -> frozenset[RuleBreachKind]:
    pairs, byes = ([], [pair[1]]) if pair[0] == BYE_NUMBER else ([pair], [])
    return frozenset(each.kind for each in find_rule_breaches(snapshot, pairs, byes, coloured=frozenset()))


def harm(snapshot: TournamentSnapshot, pair: tuple[int, int], kinds: frozenset[RuleBreachKind]) -> tuple[object, ...]:
    """How bad a pair is, rewritten from the words of the ranking."""
    cards = {card.tpn: card for card in snapshot.cards}

    def score(tpn: int) -> int:
        return sum(snapshot.points.points_for_result(record.result) for record in cards[tpn].records)

    here = [card.tpn for card in snapshot.cards if card.unavailable is None]
    if pair[0] == BYE_NUMBER:
        tpn = pair[1]
        rounds = [n for n, record in enumerate(cards[tpn].records, start=1) if record.result.value in "UF+"]
        return (1, len(rounds), rounds[-1], 0, score(tpn) - min(map(score, here)), score(tpn), (-tpn,))
    one, other = pair
    games = [n for n, record in enumerate(cards[one].records, start=1) if record.is_played and record.opponent == other]
    beyond = 0
    if RuleBreachKind.SAME_ABSOLUTE_COLOUR in kinds:
        beyond = min(beyond_two(cards[one]), beyond_two(cards[other]))
    return (
        len(kinds),
        len(games),
        games[-1] if games else 0,
        beyond,
        abs(score(one) - score(other)),
        score(one) + score(other),
        (-max(pair), -min(pair)),
    )


def beyond_two(card: PairingCard) -> int:
    """How far one more game of the forbidden colour exceeds a difference, or a run, of two."""
    colours = [record.colour for record in card.records if record.is_played]
    white, black = colours.count(Colour.WHITE), colours.count(Colour.BLACK)
    more = Colour.WHITE if white > black else Colour.BLACK
    again = more if abs(white - black) >= 2 else colours[-1]
    colours.append(again)
    run = 0
    while colours and colours[-1] is again:
        colours.pop()
        run += 1
    after = (white + 1 - black) if again is Colour.WHITE else (black + 1 - white)
    return max(after - 2, run - 2, 0)


def least(snapshot: TournamentSnapshot, relief: RelaxationKind) -> list[tuple[int, int]] | None:
    """By trying everything: the released pairs of the round with the fewest and least violations, or None."""
    here = tuple(card.tpn for card in snapshot.cards if card.unavailable is None)
    best: tuple[int, list[tuple[object, ...]], list[tuple[int, int]]] | None = None
    for pairs in every_round(here):
        let_go = {pair: kinds for pair in pairs if (kinds := broken_by(snapshot, pair))}
        if relief is not RelaxationKind.SEVERAL and any(kinds != {KINDS[relief]} for kinds in let_go.values()):
            continue
        harms = sorted(((harm(snapshot, pair, kinds), pair) for pair, kinds in let_go.items()), reverse=True)
        found = (len(harms), [each for each, _pair in harms], [pair for _each, pair in harms])
        if best is None or found[:2] < best[:2]:
            best = found
    return None if best is None else best[2]


def let_go_of(way: RelaxedRound) -> list[tuple[int, int]]:
    pairs = [(min(pair), max(pair)) for pair in way.pairs]
    return sorted([*pairs, *([(BYE_NUMBER, way.bye)] if way.bye is not None else [])])


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_against_trying_everything(system: str):
    found: dict[RelaxationKind, int] = dict.fromkeys(RelaxationKind, 0)
    for seed in range(70):
        snapshot = everywhere(system, seed)
        for relief in look_at(snapshot):
            found[relief] += 1
    assert found[RelaxationKind.EVENT_RULE]
    assert "dutch-1992" in system or (found[RelaxationKind.SECOND_BYE] and found[RelaxationKind.REPEAT]), found


@pytest.mark.parametrize(("system", "seed"), [("dubov-1997", 9), ("dutch-2026", 134), ("fide-1989", 90), ("jahr", 85)])
def test_against_trying_everything_where_a_colour_can_yield(system: str, seed: int):
    assert RelaxationKind.ODD_COLOUR in look_at(everywhere(system, seed))


@pytest.mark.parametrize(("system", "seed"), [("dutch-2026", 1), ("dutch-2026", 54), ("fide-1989", 70)])
def test_against_trying_everything_where_no_one_relief_is_enough(system: str, seed: int):
    assert look_at(everywhere(system, seed)) == [RelaxationKind.SEVERAL]


def look_at(snapshot: TournamentSnapshot) -> list[RelaxationKind]:
    """The offered relaxations, after comparing all about them with brute force."""
    here = tuple(card.tpn for card in snapshot.cards if card.unavailable is None)
    if not here:
        return []
    is_legal = any(not any(broken_by(snapshot, pair) for pair in pairs) for pairs in every_round(here))
    deadlock = find_infeasibility_proof(snapshot)
    assert (deadlock is None) == is_legal, notation.written(snapshot)
    ways = find_relaxed_rounds(snapshot)
    if deadlock is None:
        assert ways == ()
        assert PAIRING_SYSTEMS[snapshot.system](snapshot)
        return []
    with pytest.raises(PairingImpossible):
        PAIRING_SYSTEMS[snapshot.system](snapshot)
    check_the_proof(snapshot, here)
    is_1992 = "dutch-1992" in (snapshot.system, snapshot.procedure)
    expected = {
        relief: least(snapshot, relief) for relief in KINDS if not is_1992 or relief is RelaxationKind.EVENT_RULE
    }
    if not is_1992 and not any(pairs is not None for pairs in expected.values()):
        expected[RelaxationKind.SEVERAL] = least(snapshot, RelaxationKind.SEVERAL)
    offered = {way.relaxation: let_go_of(way) for way in ways}
    assert offered == {relief: sorted(pairs) for relief, pairs in expected.items() if pairs is not None}
    for way in ways:
        check_the_round(snapshot, here, way)
    return list(offered)


def check_the_proof(snapshot: TournamentSnapshot, here: tuple[int, ...]) -> None:
    """Every group is odd, plays only its own and the wanted players, and there are more groups than those."""
    deadlock = find_infeasibility_proof(snapshot)
    assert deadlock is not None
    everybody = {*here, *([BYE_NUMBER] if len(here) % 2 else [])}
    members = [tpn for group in deadlock.groups for tpn in group]
    assert len(members) == len(set(members))
    assert set(members) <= everybody
    assert len(deadlock.groups) > len(deadlock.scarce_opponents)
    for group in deadlock.groups:
        assert len(group) % 2
        for one in group:
            meets = {tpn for tpn in everybody - {one} if not broken_by(snapshot, (min(one, tpn), max(one, tpn)))}
            assert meets == set(deadlock.possible_opponents[one])
            assert meets <= set(group) | set(deadlock.scarce_opponents)


def check_the_round(snapshot: TournamentSnapshot, here: tuple[int, ...], way: RelaxedRound) -> None:
    """It places everybody once, breaks only what it says, and says so on the boards."""
    made = way.paired_round
    seated = [tpn for game in made.games for tpn in (game.white, game.black)]
    seated += [made.bye.player] if made.bye else []
    assert sorted(seated) == sorted(here)
    assert [game.board for game in made.games] == list(range(1, len(made.games) + 1))
    byes = [made.bye.player] if made.bye else []
    pairs = [(game.white, game.black) for game in made.games]
    assert set(find_rule_breaches(snapshot, pairs, byes, coloured=frozenset())) == set(way.breaches)
    boards = [*((game, {game.white, game.black}) for game in made.games), *((made.bye, {tpn}) for tpn in byes)]
    for board, players in boards:
        assert board is not None
        stated = {why.article for why in board.reasons if why.kind is ReasonKind.EXCEPTION}
        broken = [breach for breach in way.breaches if set(breach.players) <= players]
        assert stated == {"" if each.kind is RuleBreachKind.FORBIDDEN else each.article for each in broken}
        assert board.reasons or not stated


ALL_MET = """{0} rounds=9
1 2000 2w1 3b1 4w1
2 1990 1b0 4w1 3b1
3 1980 4w1 1w0 2w0
4 1970 3b0 2b0 1b0"""


def test_four_who_have_all_met_and_the_oldest_meetings_come_again():
    snapshot = event(ALL_MET.format("fide-1989"))
    deadlock = find_infeasibility_proof(snapshot)
    assert deadlock is not None
    assert deadlock.groups == ((1,), (2,), (3,), (4,))
    assert deadlock.scarce_opponents == ()
    (repeat,) = [way for way in find_relaxed_rounds(snapshot) if way.relaxation is RelaxationKind.REPEAT]
    assert let_go_of(repeat) == [(1, 2), (3, 4)]
    assert [breach.article for breach in repeat.breaches] == ["fide-1989 art. 2"] * 2
    # They swap colours.
    assert {(2, 1), (4, 3)} == set(repeat.pairs)


def test_the_rules_of_1992_let_nothing_go():
    assert find_relaxed_rounds(event(ALL_MET.format("dutch-1992"))) == ()
    assert find_relaxed_rounds(event(ALL_MET.format("jahr+dutch-1992"))) == ()
    assert find_relaxed_rounds(event(ALL_MET.format("jahr")))


def test_one_player_alone_who_has_had_the_bye():
    snapshot = event("dutch-2026 rounds=9\n1 2000 U")
    deadlock = find_infeasibility_proof(snapshot)
    assert deadlock is not None
    assert deadlock.groups == ((BYE_NUMBER,), (1,))
    (way,) = find_relaxed_rounds(snapshot)
    assert (way.relaxation, way.bye, way.paired_round.games) == (RelaxationKind.SECOND_BYE, 1, ())
    assert way.breaches[0].article == "dutch-2026 C2"


def test_the_order_of_the_players_changes_nothing():
    for seed in range(30):
        snapshot = everywhere("dutch-2026", seed)
        turned = TournamentSnapshot(
            **{**{name: getattr(snapshot, name) for name in snapshot.__slots__}, "cards": snapshot.cards[::-1]}
        )
        assert find_relaxed_rounds(turned) == find_relaxed_rounds(snapshot)
        assert find_infeasibility_proof(turned) == find_infeasibility_proof(snapshot)
