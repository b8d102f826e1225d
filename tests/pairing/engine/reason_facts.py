"""Check the players and numbers that a reason gives as evidence, without any code of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from pairing.engine.paired_round import DecisionCause, PairedGame, PairingReason, ReasonKind
from tests.pairing.engine.reason_world import ABSOLUTE, DUTCH, MILD, STRONG, average_told, averages_told

if TYPE_CHECKING:
    from tests.pairing.engine.reason_checks import RoundChecker


def check_facts(checker: RoundChecker, why: PairingReason) -> None:
    for name, check in _CHECKS.items():
        if why.get_fact(name) is not None:
            check(checker, why)


def _met(checker: RoundChecker, why: PairingReason) -> None:
    """Whom a player met, and in which round."""
    records = checker.world.facts.cards[why.get_fact("whose")].records
    for other, number in zip(_tuple(why, "met"), _tuple(why, "met_rounds"), strict=True):
        assert (records[number - 1].opponent, records[number - 1].is_played) == (other, True), why


def _bound(checker: RoundChecker, why: PairingReason) -> None:
    players = (why.get_fact("whose"), *_tuple(why, "bound"))
    assert {checker.world.must(tpn) for tpn in players} == {why.get_fact("colour")}, why


def _blocked(checker: RoundChecker, why: PairingReason) -> None:
    """More players than they have opponents; without `each_other` none of them may meet another."""
    blocked, only = _tuple(why, "blocked"), _tuple(why, "only")
    assert len(blocked) > len(only) or why.get_fact("more_blocked"), why
    assert not set(blocked) & set(only), why
    if why.kind is ReasonKind.EXCHANGE_TRIED:
        if why.get_fact("upper"):
            partners = {
                other for tpn in blocked for other in _tuple(why, "lower") if checker.world.compatible(tpn, other)
            }
            assert partners <= {*only}, why
    elif not why.get_fact("each_other") and not why.get_fact("in_halves"):
        pairs = [pair for pair in combinations(blocked, 2) if _may_meet(checker, *pair)]
        clashes = [pair for pair in pairs if checker.world.due(pair[0]) == checker.world.due(pair[1])]
        assert pairs == (clashes if why.get_fact("no_clashes") else []), why


def _may_meet(checker: RoundChecker, one: int, other: int) -> bool:
    both_floated = all(checker.floats.get(tpn) for tpn in (one, other))
    return checker.world.compatible(one, other) and not (checker.world.procedure == "dutch-2026" and both_floated)


def _met_pairs(checker: RoundChecker, why: PairingReason) -> None:
    """Who met in which round, and who in the halves listed did."""
    met = [*_pairs(why, "met_pairs")]
    for (one, other), number in zip(met, _tuple(why, "met_pair_rounds"), strict=True):
        record = checker.world.facts.cards[one].records[number - 1]
        assert (record.opponent, record.is_played) == (other, True), why
    halves = (*_tuple(why, "upper"), *_tuple(why, "lower"))
    everyone = {frozenset(pair) for pair in combinations(halves, 2) if checker.world.facts.met(*pair)}
    assert not halves or why.get_fact("more_met_pairs") or {*map(frozenset, met)} == everyone, why


def _must(checker: RoundChecker, why: PairingReason) -> None:
    assert all(checker.world.must(tpn) for tpn in _tuple(why, "must")), why


def _kept(checker: RoundChecker, why: PairingReason) -> None:
    """Those who floated down too recently did so in the round named."""
    causes = str(why.get_fact("kept_because")).split(",")
    for tpn, cause, number in zip(_tuple(why, "kept"), causes, _tuple(why, "kept_rounds"), strict=True):
        assert cause != DecisionCause.FLOATED_BEFORE or checker.world.float_in(tpn, number) == "down", why


def _changed(checker: RoundChecker, why: PairingReason) -> None:
    """The pair was made, and the other opponent is possible and of a lower rank."""
    chooser, first, then = (why.get_fact(name) for name in ("chooser", "first", "then"))
    assert {chooser, first} in [{game.white, game.black} for game in checker.made.games], why
    assert checker.world.compatible(chooser, then), why
    ranks = [(-checker.world.score[tpn], checker.world.number[tpn]) for tpn in (first, then)]
    assert ranks == sorted(ranks), why


def _came(checker: RoundChecker, why: PairingReason) -> None:
    """The kept player had floated in this round, and the other one had not."""
    kept, floater = why.players
    score = checker.left_together(kept, floater).get_fact("from_half_points")
    came = [any(w.get_fact("to_half_points") == score for w in checker.floats.get(tpn, ())) for tpn in (kept, floater)]
    assert came == [True, False], why


def _paired_before(checker: RoundChecker, why: PairingReason) -> None:
    formed = {frozenset((game.white, game.black)): game.formation_number for game in checker.made.games}
    assert all(formed[frozenset(pair)] < formed[frozenset(why.players)] for pair in _pairs(why, "paired_before")), why


def _no_longer_free(checker: RoundChecker, why: PairingReason) -> None:
    """In Jahr's order: those who floated out of the group, and those paired in it."""
    score = why.get_fact("half_points")
    out = {
        tpn for tpn, floats in checker.floats.items() if any(w.get_fact("from_half_points") == score for w in floats)
    }
    assert {*_tuple(why, "floated")} <= out, why
    assert not {*_tuple(why, "paired")} & out, why
    assert not {*_tuple(why, "absent")} & {*checker.world.facts.to_pair}, why
    assert {*why.players} - {*_tuple(why, "absent")} <= {*checker.world.facts.to_pair}, why


def _pairs(why: PairingReason, name: str) -> Iterator[tuple[int, int]]:
    return zip(_tuple(why, name)[::2], _tuple(why, name)[1::2], strict=True)


def _bye_half_points(checker: RoundChecker, why: PairingReason) -> None:
    """C5: the player with the bye has this score, and others who may have it have other scores."""
    world = checker.world
    assert world.score[checker.rests] == why.get_fact("bye_half_points"), why
    assert len({world.score[tpn] for tpn in world.facts.to_pair if not world.facts.had(tpn, "UF+")}) > 1, why


def _forfeited(checker: RoundChecker, why: PairingReason) -> None:
    one, other = why.players
    record = checker.world.facts.cards[one].records[why.get_fact("forfeited") - 1]
    assert (record.opponent, record.is_played) == (other, False), why


def _again(checker: RoundChecker, why: PairingReason) -> None:
    for tpn, number in zip(_tuple(why, "again"), _tuple(why, "again_rounds"), strict=True):
        assert checker.world.float_in(tpn, number) == why.get_fact("again_direction"), why


def _due(checker: RoundChecker, why: PairingReason) -> None:
    for name, colour in (("due_white", "w"), ("due_black", "b")):
        told = why.get_fact(name)
        if isinstance(told, tuple):
            assert all(checker.world.due(tpn) == colour for tpn in told), why
    if why.kind is ReasonKind.OPPONENT:
        candidates = {*_tuple(why, "candidates")}
        due = [tpn for tpn in candidates if checker.world.due(tpn)]
        assert {*due} == {*_tuple(why, "due_white"), *_tuple(why, "due_black")}, why
        assert why.get_fact("due") == (checker.world.due(why.players[0]) or ""), why


def _left_due(checker: RoundChecker, why: PairingReason) -> None:
    """The players of this pair and of those that the group formed later."""
    made = next(game for game in checker.made.games if any(each is why for each in game.reasons))
    (group,) = (each for each in made.reasons if each.kind is ReasonKind.SCORE_GROUP)
    left = [
        tpn
        for game in checker.made.games
        if any(
            each.kind is ReasonKind.SCORE_GROUP
            and (each.get_fact("half_points"), each.get_fact("side"))
            == (group.get_fact("half_points"), group.get_fact("side"))
            for each in game.reasons
        )
        if game.formation_number >= made.formation_number
        for tpn in (game.white, game.black)
    ]
    due = [tpn for tpn in left if checker.world.due(tpn) == why.get_fact("left_due_colour")]
    assert {*why.players} <= {*due}, why
    assert (len(due), len(left)) == (why.get_fact("left_due"), why.get_fact("left_of")), why
    assert 2 * len(due) > len(left), why


def _clashes(checker: RoundChecker, why: PairingReason) -> None:
    """No more than the pairs of the group in which both are due the same colour."""
    assert why.get_fact("criterion") in (None, "C12"), why
    if why.kind is not ReasonKind.PASSED_OVER:
        assert 0 <= why.get_fact("clashes") <= why.get_fact("of"), why
        return
    later = _later_games(checker, why)
    dues = [(checker.world.due(game.white), checker.world.due(game.black)) for game in later]
    for name, colour in (("rest_white", "w"), ("rest_black", "b")):
        assert {checker.world.due(tpn) for tpn in _tuple(why, name)} <= {colour}, why
    assert why.get_fact("of") == len(later), why
    assert why.get_fact("clashes") == sum(one is not None and one == other for one, other in dues), why


def _unmet(checker: RoundChecker, why: PairingReason) -> None:
    """The pairs from this one on that leave a strong preference unmet (C13), and who of their players has one."""
    assert why.get_fact("criterion") == "C13", why
    if why.kind is not ReasonKind.PASSED_OVER:
        return
    world, later = checker.world, _later_games(checker, why)
    preferences = [(world.preference(game.white), world.preference(game.black)) for game in later]
    unmet = [
        pair
        for pair in preferences
        if all(pair)
        and pair[0][0] == pair[1][0]
        and STRONG in (pair[0][1], pair[1][1])
        and MILD not in (pair[0][1], pair[1][1])
    ]
    assert why.get_fact("unmet") == len(unmet), why
    players = {tpn for game in later for tpn in (game.white, game.black)}
    for name, wanted in (
        ("strong_white", ("w", STRONG)),
        ("strong_black", ("b", STRONG)),
        ("must_white", ("w", ABSOLUTE)),
        ("must_black", ("b", ABSOLUTE)),
    ):
        of_colour = {tpn for tpn in players if world.preference(tpn) == wanted}
        told = _tuple(why, name)
        assert why.get_fact(name) is None or of_colour <= {*told}, why
        assert all(world.preference(tpn) == wanted for tpn in told), why


def _in_column(checker: RoundChecker, why: PairingReason) -> None:
    """The pairs from this one on, and how many of them are inside one of the columns listed."""
    later = _later_games(checker, why)
    assert why.get_fact("of") == len(later), why
    own = next(game for game in checker.made.games if why in game.reasons)
    (columns,) = (each for each in own.reasons if each.kind is ReasonKind.COLUMNS)
    whites = {*columns.players[: columns.get_fact("whites")]}
    players = {tpn for game in later for tpn in (game.white, game.black)}
    if players <= {*columns.players}:
        inside = [game for game in later if (game.white in whites) is (game.black in whites)]
        assert why.get_fact("in_column") == len(inside), why


def _floated_later(checker: RoundChecker, why: PairingReason) -> None:
    """The kept player floated as well."""
    assert checker.floats[why.players[0]], why


def _later_games(checker: RoundChecker, why: PairingReason) -> list[PairedGame]:
    """The board of a reason, and those that its group formed later."""
    own = next(game for game in checker.made.games if why in game.reasons)
    group = _group(own.reasons)
    return [
        game
        for game in checker.made.games
        if _group(game.reasons) == group and game.formation_number >= own.formation_number
    ]


def _group(reasons: Iterable[PairingReason]) -> tuple[object, object]:
    (why,) = (each for each in reasons if each.kind is ReasonKind.SCORE_GROUP)
    return why.get_fact("half_points"), why.get_fact("side")


def _compared(checker: RoundChecker, why: PairingReason) -> None:
    """Everybody with their rating and average, and for a move up with their score and due colour."""
    compared, facts = _tuple(why, "compared"), checker.world.facts
    assert why.get_fact("compared_ratings") == tuple(facts.rating[tpn] for tpn in compared), why
    assert averages_told(why, "compared_") == [checker.world.listed_average(tpn) for tpn in compared], why
    if why.get_fact("compared_half_points") is not None:
        assert why.get_fact("compared_half_points") == tuple(checker.world.score[tpn] for tpn in compared), why
        assert why.get_fact("compared_dues") == "".join(checker.world.due(tpn) or "-" for tpn in compared), why
        scores = list(_tuple(why, "compared_half_points"))
        assert scores == sorted(scores, reverse=why.kind is not ReasonKind.BYE), why


def _whites(checker: RoundChecker, why: PairingReason) -> None:
    """The two columns: everybody with rating and average, in the order of 6.2, and the pair among them."""
    facts = checker.world.facts
    assert why.get_fact("ratings") == tuple(facts.rating[tpn] for tpn in why.players), why
    assert averages_told(why, "") == [checker.world.listed_average(tpn) for tpn in why.players], why
    averages = [checker.world.average(tpn) for tpn in why.players]
    count = why.get_fact("whites")
    white = list(zip(averages, _tuple(why, "ratings"), strict=True))[:count]
    black = [(-rating, -average) for average, rating in zip(averages, _tuple(why, "ratings"), strict=True)][count:]
    assert white == sorted(white), why
    assert black == sorted(black), why
    if why.get_fact("of") <= 10:
        own = next(game for game in checker.made.games if any(each is why for each in game.reasons))
        assert {own.white, own.black} <= {*why.players}, why


def _float_order(checker: RoundChecker, why: PairingReason) -> None:
    """The members of the group, the lowest first where players float down."""
    order = _tuple(why, "float_order")
    members = checker.members(why.get_fact("from_half_points"))
    assert {*order} <= members, why
    assert len(members) == len(order) + (why.get_fact("more_members") or 0), why
    assert why.players[0] in order or why.get_fact("more_members"), why
    number, score = checker.world.number, checker.world.score
    for one, other in pairwise(order):
        if checker.world.procedure in DUTCH:
            assert (score[one], -number[one]) < (score[other], -number[other]), why
        else:
            assert (number[one] > number[other]) is (why.get_fact("direction") == "down"), why


def _balance(checker: RoundChecker, why: PairingReason) -> None:
    kept, floater = why.players
    score = checker.left_together(kept, floater).get_fact("from_half_points")
    stay = checker.members(score) - checker.gone_from(score)
    for name, players in (("balance", stay), ("otherwise", stay - {kept} | {floater})):
        dues = [checker.world.due(tpn) for tpn in players]
        assert why.get_fact(name) == (dues.count("w"), dues.count("b")), why


def _moved(checker: RoundChecker, why: PairingReason) -> None:
    """Those named who have more or fewer points than their group floated into it."""
    score = checker.world.score
    if why.kind is ReasonKind.OPPONENT:
        assert all(tpn in checker.floats for tpn in _tuple(why, "moved")), why
        return
    if why.kind in (ReasonKind.COLUMNS, ReasonKind.COLUMN):
        game = next(game for game in checker.made.games if any(each is why for each in game.reasons))
        group = next(each.get_fact("half_points") for each in game.reasons if each.kind is ReasonKind.SCORE_GROUP)
        told = {*_tuple(why, "moved"), *_tuple(why, "moved_up")}
        named = {*why.players} if why.kind is ReasonKind.COLUMNS else told
        assert told <= {*checker.floats}, why
    elif why.get_fact("float_order") is not None:
        group, named = why.get_fact("from_half_points"), {*_tuple(why, "float_order")}
    else:
        # Dubov, 7.2: an odd group, with those who moved up into it before.
        group = why.get_fact("to_half_points")
        named = {*_tuple(why, "moved"), *_tuple(why, "moved_up")}
        assert named <= {*checker.floats}, why
    assert {*_tuple(why, "moved_up")} == {tpn for tpn in named if score[tpn] < group}, why
    assert {*_tuple(why, "moved")} == {tpn for tpn in named if score[tpn] > group}, why


def _ranked(checker: RoundChecker, why: PairingReason) -> None:
    ranked, world = _tuple(why, "ranked"), checker.world
    everyone = sorted(world.facts.to_pair, key=lambda tpn: (world.score[tpn], -world.number[tpn]))
    first = why.get_fact("first") - 1
    assert everyone[first : first + len(ranked)] == list(ranked), why
    assert why.get_fact("ranked_half_points") == tuple(world.score[tpn] for tpn in ranked), why
    assert why.players[0] in ranked, why


def _upper(checker: RoundChecker, why: PairingReason) -> None:
    """S1 above S2."""
    places = [
        (-checker.world.score[tpn], checker.world.number[tpn]) for tpn in (*_tuple(why, "upper"), *_tuple(why, "lower"))
    ]
    assert places == sorted(places), why
    assert len(_tuple(why, "upper")) <= len(_tuple(why, "lower")), why


def _left_over(checker: RoundChecker, why: PairingReason) -> None:
    """Check that those left over are not the pair, and at least as many as would have to float."""
    assert why.kind is ReasonKind.EXCHANGE_TRIED or not {*_tuple(why, "left_over")} & {*why.players}, why
    assert len(_tuple(why, "left_over")) >= why.get_fact("to_float") > 0, why


def _other_average(checker: RoundChecker, why: PairingReason) -> None:
    rival = next(tpn for tpn in why.players if tpn != why.get_fact("claim"))
    assert average_told(why, "other_average") == checker.world.average(rival) < average_told(why), why


def _other_rating(checker: RoundChecker, why: PairingReason) -> None:
    rival = next(tpn for tpn in why.players if tpn != why.get_fact("claim"))
    assert why.get_fact("other_rating") == checker.world.facts.rating[rival], why


def _split(checker: RoundChecker, why: PairingReason) -> None:
    """The other player of the pair that was split floated for the same reason."""
    assert why.get_fact("because") is DecisionCause.BLOCKED_MEDIAN
    partner = checker.floats[why.get_fact("split")][-1]
    assert (partner.get_fact("split"), partner.get_fact("from_half_points")) == (
        why.players[0],
        why.get_fact("from_half_points"),
    ), why


_CHECKS: dict[str, Callable[[RoundChecker, PairingReason], None]] = {
    "met": _met,
    "bound": _bound,
    "blocked": _blocked,
    "met_pairs": _met_pairs,
    "must": _must,
    "kept": _kept,
    "chooser": _changed,
    "paired_before": _paired_before,
    "floated": _no_longer_free,
    "paired": _no_longer_free,
    "absent": _no_longer_free,
    "came": _came,
    "again": _again,
    "bye_half_points": _bye_half_points,
    "forfeited": _forfeited,
    "due_white": _due,
    "clashes": _clashes,
    "unmet": _unmet,
    "in_column": _in_column,
    "floated_later": _floated_later,
    "compared": _compared,
    "whites": _whites,
    "float_order": _float_order,
    "left_due": _left_due,
    "moved": _moved,
    "moved_up": _moved,
    "balance": _balance,
    "ranked": _ranked,
    "upper": _upper,
    "left_over": _left_over,
    "other_average_numerator": _other_average,
    "other_rating": _other_rating,
    "split": _split,
}


def _tuple(why: PairingReason, name: str) -> tuple[int, ...]:
    value = why.get_fact(name)
    return value if isinstance(value, tuple) else ()
