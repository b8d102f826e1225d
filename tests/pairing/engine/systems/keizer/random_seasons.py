"""Random Keizer seasons, and the comparison of the engine with the literal transcription.

`lab.keizer` uses them for many more rounds than the tests.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pairing.engine.paired_round import ColourCause, DecisionCause, PairedRound, PairingImpossible, ReasonKind
from pairing.engine.snapshot import ABSENT_RECORD, Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.systems.keizer import (
    KeizerOptions,
    KeizerRanking,
    explain_change,
    explain_total,
    pair_next_round,
    rankings_by_round,
)
from pairing.engine.systems.keizer.options import OPTION_NAMES
from pairing.engine.systems.keizer.system import MAX_LISTED
from tests.pairing.engine.literal.keizer import Keizer

RESULTS = [(Result.WIN, Result.LOSS), (Result.LOSS, Result.WIN), (Result.DRAW, Result.DRAW)]
RARE = [
    (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    (Result.UNRATED_DRAW, Result.UNRATED_DRAW),
    (Result.ADJOURNED, Result.ADJOURNED),
]
AWAY = [Result.HALF_POINT_BYE, Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE]


def drawn_options(chance: random.Random) -> dict[str, Any]:
    """Options under the names of the document; most seasons keep the usual ones."""
    if chance.random() < 0.4:
        return {}
    choices: dict[str, list[Any]] = {
        "bottom": [None, 1, 5],
        "step": [1, 2],
        "self": [True, False],
        "loss": [Fraction(0), Fraction(1, 6)],
        "forfeit_win": [Fraction(1), Fraction(1, 2)],
        "bye": [Fraction(2, 3), Fraction(1, 2)],
        "excused": [Fraction(1, 3), Fraction(2, 5)],
        "excused_most": [0, 2, 5],
        "absent": [Fraction(0), Fraction(1, 8)],
        "duty": [Fraction(2, 3), Fraction(1)],
        "late": [Fraction(1, 3), Fraction(0)],
        "withdrawn": [Fraction(3, 4), Fraction(1)],
        "gap": [1, 2, 4, 7],
        "meetings": [None, 1, 2],
        "frozen": [False, True],
    }
    return {name: chance.choice(values) for name, values in choices.items()}


def engine_options(told: dict[str, Any]) -> KeizerOptions:
    return KeizerOptions(**{OPTION_NAMES[name]: value for name, value in told.items()})


def played_season(seed: int, *, players: int = 14, rounds: int = 12) -> Iterator[tuple[TournamentSnapshot, Keizer]]:
    """Yield the season before each round, twice: people come late, stay away, leave, and some come back.

    `players` and `rounds` are the most. The transcription has the options.
    """
    chance = random.Random(seed)
    count = chance.randint(4, players)
    arrivals = {tpn: chance.choice([1] * 8 + [2, 3, 4]) for tpn in range(1, count + 1)}
    leaves = {tpn: chance.choice([99] * 8 + [3, 5, 6]) for tpn in range(1, count + 1)}
    returns = {tpn: leaves[tpn] + chance.choice([2, 99, 99]) for tpn in range(1, count + 1)}
    arrivals[1], leaves[1] = 1, 99
    forbidden = frozenset({frozenset((1, count))}) if chance.random() < 0.3 else frozenset()
    first_colour = chance.choice([Colour.WHITE, Colour.BLACK])
    told = drawn_options(chance)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in arrivals}
    for number in range(1, chance.randint(3, rounds) + 1):
        unavailable: dict[int, RoundRecord] = {}
        for tpn in records:
            if number < arrivals[tpn] or leaves[tpn] <= number < returns[tpn]:
                unavailable[tpn] = ABSENT_RECORD
            elif chance.random() < 0.2:
                unavailable[tpn] = RoundRecord(result=chance.choice(AWAY))
        snapshot = TournamentSnapshot(
            cards=tuple(
                PairingCard(tpn=tpn, records=tuple(had), unavailable=unavailable.get(tpn))
                for tpn, had in records.items()
            ),
            rounds_paired=number - 1,
            system="keizer",
            first_colour=first_colour,
            forbidden_pairs=forbidden,
        )
        snapshot.check_consistency()
        literal = Keizer(snapshot, told)
        yield snapshot, literal
        pairing = literal.pairing()
        if pairing is None:
            return
        games, bye = pairing
        for tpn, record in unavailable.items():
            records[tpn].append(record)
        if bye is not None:
            records[bye].append(RoundRecord(result=Result.PAIRING_ALLOCATED_BYE))
        for white, black in games:
            one, other = chance.choice(RESULTS * 8 + RARE)
            records[white].append(RoundRecord(result=one, opponent=black, colour=Colour.WHITE))
            records[black].append(RoundRecord(result=other, opponent=white, colour=Colour.BLACK))


def compare(snapshot: TournamentSnapshot, literal: Keizer, *, explained: int | None = None) -> int:
    """Compare pairs, colours, totals and ranks. Return the length of the last ranking's cycle, 1 if it has none.

    `explained` players, from the top, have their totals and changes added up line by line (all unless told).
    """
    options = engine_options(literal.told)
    ours, theirs = rankings_by_round(snapshot, options), literal.rankings()
    for mine, (order, totals) in zip(ours[:-1], theirs[:-1], strict=True):
        assert list(mine.order) == order
        assert {tpn: mine.total(tpn) for tpn in mine.order} == totals
    assert list(ours[-1].order) == literal.ranking_to_pair_by()
    wanted = literal.pairing()
    try:
        made = pair_next_round(snapshot, options)
    except PairingImpossible:
        assert wanted is None
    else:
        assert wanted == ([(game.white, game.black) for game in made.games], made.bye and made.bye.player)
        check_reasons(snapshot, options, literal, made)
    for tpn in ours[-1].order[:explained]:
        lines = explain_total(snapshot, options, tpn)
        assert sum(line.credit for line in lines) == ours[-1].total(tpn)
    check_changes(snapshot, options, ours, explained)
    return ours[-1].cycle


def check_changes(
    snapshot: TournamentSnapshot, options: KeizerOptions, rankings: list[KeizerRanking], explained: int | None
) -> None:
    """The changes of the lines add up to the difference of the totals, and the ranks are those of the players."""
    for tpn in rankings[-1].order[:explained]:
        change = explain_change(snapshot, options, tpn)
        if len(rankings) == 1 or tpn not in rankings[-2].order:
            assert change is None
            continue
        assert change is not None
        before, now = rankings[-2:]
        assert (change.total_before, change.total_now) == (before.total(tpn), now.total(tpn))
        assert (change.rank_before, change.rank_now) == (before.order.index(tpn) + 1, now.order.index(tpn) + 1)
        assert sum(line.difference for line in change.lines) == now.total(tpn) - before.total(tpn)
        for line in change.lines:
            assert (line.before is None) == (line.now.round == snapshot.rounds_paired)
            if line.before and line.now.is_opponents_value and line.rank_before == line.rank_now:
                alike = len(before.order) == len(now.order) and before.cycle == now.cycle == 1
                assert not alike or line.difference == 0


def check_reasons(snapshot: TournamentSnapshot, options: KeizerOptions, literal: Keizer, made: PairedRound) -> None:
    """Every statement is true of the season: ranks, values, who was between, who could not be taken, and colours."""
    order = literal.ranking_to_pair_by()
    here = {card.tpn for card in snapshot.cards if card.unavailable is None}
    byes = {
        card.tpn: [one.result for one in card.records].count(Result.PAIRING_ALLOCATED_BYE) for card in snapshot.cards
    }
    seated: set[int] = set()
    for game in made.games:
        told = {why.kind: why for why in game.reasons}
        ranks, colour = told[ReasonKind.RANKS], told[ReasonKind.COLOUR]
        higher, lower = ranks.players[:2]
        assert {higher, lower} == {game.white, game.black}
        assert ranks.get_fact("ranks") == tuple(order.index(tpn) + 1 for tpn in ranks.players)
        assert ranks.get_fact("values") == tuple(int(literal.value(order, tpn)) for tpn in ranks.players)
        between = order[order.index(higher) + 1 : order.index(lower)]
        named = between if len(between) <= MAX_LISTED else [*between[:MAX_LISTED], between[-1]]
        assert list(ranks.players[2:]) == named
        assert ranks.get_fact("more") == len(between) - len(named)
        states = {"b": {made.bye.player} if made.bye else set(), "p": seated, "a": set(order) - here}
        states["c"] = here - states["b"] - seated
        assert all(tpn in states[state] for tpn, state in zip(named, str(ranks.get_fact("between")), strict=True))
        passed = {why.players[1]: why for why in game.reasons if why.kind is ReasonKind.PASSED_OVER}
        assert [*passed] == [tpn for tpn in between if tpn in states["c"]][:MAX_LISTED]
        for tpn, why in passed.items():
            met = met_in(snapshot, higher, tpn)
            match why.get_fact("because"):
                case DecisionCause.FORBIDDEN:
                    assert frozenset((higher, tpn)) in snapshot.forbidden_pairs
                case DecisionCause.MET_RECENTLY:
                    assert why.get_fact("round") == met[-1] < snapshot.round_number < why.get_fact("again")
                case DecisionCause.MET_OFTEN:
                    assert why.get_fact("count") == len(met) >= (options.max_meetings or 0) > 0
                case cause:
                    assert cause is DecisionCause.BLOCKS_REST
        met = met_in(snapshot, higher, lower)
        if repeated := told.get(ReasonKind.REPEATED):
            assert repeated.get_fact("round") == met[-1]
            is_soon = met[-1] > snapshot.round_number - options.gap
            assert is_soon or len(met) >= (options.max_meetings or 99)
        else:
            assert not met or met[-1] <= snapshot.round_number - options.gap
        if colour.get_fact("because") is ColourCause.LAST_MEETING:
            assert colour.get_fact("round") == met[-1]
        seated |= {higher, lower}
    if made.bye:
        first, *others = made.bye.reasons
        player = made.bye.player
        assert first.get_fact("byes") == byes[player]
        assert first.get_fact("fewest") == min(byes[tpn] for tpn in here)
        lower_here = {tpn for tpn in order[order.index(player) + 1 :] if tpn in here}
        assert {why.players[0] for why in others} == lower_here
        for why in others:
            had_more = byes[why.players[0]] > byes[player]
            assert (why.get_fact("because") is DecisionCause.MORE_BYES) == had_more


def met_in(snapshot: TournamentSnapshot, one: int, other: int) -> list[int]:
    card = next(card for card in snapshot.cards if card.tpn == one)
    return [number for number, record in enumerate(card.records, 1) if record.is_played and record.opponent == other]
