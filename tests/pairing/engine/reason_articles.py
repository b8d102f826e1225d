"""The article of every reason, derived independently from the records: which words of the document cover the case."""

from __future__ import annotations

from collections.abc import Callable

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind
from tests.pairing.engine.literal import fide_1989
from tests.pairing.engine.literal.facts import OTHER
from tests.pairing.engine.reason_articles_2026 import article_of
from tests.pairing.engine.reason_checks import OBSTACLES, WITHOUT_PLAY, RoundChecker, all_reasons, passed_in_turn
from tests.pairing.engine.reason_world import ABSOLUTE, World


def check_articles(checker: RoundChecker) -> None:
    """Every reason of the round cites the article for its case."""
    for why in all_reasons(checker.made):
        expected = article(checker, why)
        assert why.article == expected, f"{expected} is the article of {why}"


def article(checker: RoundChecker, why: PairingReason) -> str:
    if why.kind in _OF_JAHR:
        return f"jahr art. {_OF_JAHR[why.kind]}"
    procedure = checker.world.procedure
    if procedure == "dutch-2026":
        return f"dutch-2026 {article_of(why)}"
    number = _OF[procedure](checker, why)
    return f"{procedure} {number}" if procedure == "dutch-1992" else f"{procedure} art. {number}"


_OF_JAHR = {ReasonKind.ORDER: "7", ReasonKind.RANKED: "6", ReasonKind.BYE_POINTS: "8"}


# -- 1987-89 -------------------------------------------------------------------------------------------------------


def _of_1989(checker: RoundChecker, why: PairingReason) -> str:
    cause = why.get_fact("because")
    match why.kind:
        case ReasonKind.SCORE_GROUP:
            return "9.2"
        case ReasonKind.FLOATED:
            return _floated_1989(checker, why)
        case ReasonKind.STAYED:
            return _stayed_1989(checker, why)
        case ReasonKind.OPPONENT:
            return _opponent_1989(checker, why)
        case ReasonKind.PASSED_OVER:
            if checker.world.facts.met(*why.players):
                return "2"
            if checker.world.obstacle(*why.players):
                return "9.1"
            came = why.players[0] in checker.floats
            return "10.8" if came else "12.7" if cause is DecisionCause.RATING_GAP else _scrutinised_1989(checker, why)
        case ReasonKind.COLOUR:
            return _colour_1989(checker.world, *why.players)
        case ReasonKind.BYE:
            return "8.1"
        case ReasonKind.BYE_PASSED_OVER:
            return "8.1" if _may_rest(checker.world, why.players[0]) else "8.2"
    raise AssertionError(f"1989 knows no {why.kind}")


def _may_rest(world: World, player: int) -> bool:
    rules = fide_1989.Procedure(world.facts, number=world.number, maxi=world.is_maxi)
    return rules.article_8_2_may_rest(player)


def _floated_1989(checker: RoundChecker, why: PairingReason) -> str:
    if why.get_fact("because") is DecisionCause.BLOCKED_MEDIAN:
        return "9.6"
    members = checker.members(why.get_fact("from_half_points"))
    alone = not any(checker.world.compatible(why.players[0], other) for other in members - {why.players[0]})
    with_opponents = [
        tpn
        for tpn in checker.gone_from(why.get_fact("from_half_points"))
        if any(checker.world.compatible(tpn, other) for other in members - {tpn})
    ]
    return "9.3" if alone or len(with_opponents) == 1 else "11.4"


def _stayed_1989(checker: RoundChecker, why: PairingReason) -> str:
    """The first of the five tests by which the set with this player instead of the floater is worse."""
    kept, floater = why.players
    leaving = checker.left_together(kept, floater)
    score, target = leaving.get_fact("from_half_points"), leaving.get_fact("to_half_points")
    members, out = checker.members(score), checker.gone_from(score)
    instead = (out - {floater}) | {kept}
    if not checker.can_pair(members - instead):
        return "9.3"
    rules = fide_1989.Procedure(checker.world.facts, number=checker.world.number, maxi=checker.world.is_maxi)
    came = frozenset(tpn for tpn in members if checker.world.score[tpn] != score)
    beyond = frozenset(tpn for tpn in checker.members(target) if checker.world.score[tpn] == target)
    direction = str(leaving.get_fact("direction"))
    tests: list[tuple[str, Callable[[frozenset[int]], object]]] = [
        ("10.9", lambda some: rules.test_2_disadvantages(some, came, direction, beyond)),
        ("10.10", rules.test_3_floated_before),
    ]
    return next((number for number, test in tests if test(instead) != test(out)), "10.2")


def _opponent_1989(checker: RoundChecker, why: PairingReason) -> str:
    if str(why.get_fact("step")).startswith("list"):
        return "10.8"
    over = passed_in_turn(checker.of_pair(why.players[0]))
    if not over and _is_opposite(checker, why):
        return "9.4"
    too_far = [each for each in over if each.get_fact("gap")]
    if any(_scrutinised_1989(checker, each) == "12.2" for each in over if each not in too_far):
        return "12.2"
    if too_far:
        return "12.7"
    (group,) = (each for each in checker.of_pair(why.players[0]) if each.kind is ReasonKind.SCORE_GROUP)
    return "11.1 b" if group.get_fact("side") == "below" else "11.2"


def _is_opposite(checker: RoundChecker, why: PairingReason) -> bool:
    """Whether the two have the same place in the halves of those whom the group pairs after its floaters."""
    own = _group_of(checker.of_pair(why.players[0]))
    rest = [
        tpn
        for game in checker.made.games
        if _group_of(game.reasons) == own
        for each in game.reasons
        if each.kind is ReasonKind.OPPONENT and each.get_fact("step") == "scrutiny"
        for tpn in each.players
    ]
    # 9.6: pairs formed later than these, which the median group has dissolved.
    rest += [
        tpn
        for tpn, floats in checker.floats.items()
        if floats[-1].get_fact("because") is DecisionCause.BLOCKED_MEDIAN
        and floats[-1].get_fact("from_half_points") == own[0]
    ]
    rest.sort(key=checker.world.number.__getitem__)
    half = len(rest) // 2
    return {*why.players} in [{*pair} for pair in zip(rest[:half], rest[half:], strict=True)]


def _group_of(reasons: tuple[PairingReason, ...]) -> tuple[object, object]:
    (group,) = (each for each in reasons if each.kind is ReasonKind.SCORE_GROUP)
    return group.get_fact("half_points"), group.get_fact("side")


def _scrutinised_1989(checker: RoundChecker, why: PairingReason) -> str:
    """12.2 if only colours exclude the candidate; the turns of the group show the rest."""
    if checker.world.obstacle(*why.players):
        return ""
    due = checker.world.due(why.players[0])
    opponent = _one_chosen(checker, why.players[0])
    same_due = due is not None and checker.world.due(why.players[1]) == due != checker.world.due(opponent)
    return "12.2" if same_due or why.get_fact("because") is DecisionCause.MORE_CLASHES else "11.4"


def _one_chosen(checker: RoundChecker, chooser: int) -> int:
    """The player's actual opponent."""
    (made,) = (each for each in checker.of_pair(chooser) if each.kind is ReasonKind.OPPONENT)
    return made.players[1]


def _colour_1989(world: World, white: int, black: int) -> str:
    musts = [tpn for tpn in (white, black) if world.must(tpn)]
    if len(musts) == 1:
        (player,) = musts
        last = world.facts.colours[player][-2:]
        return "12.3" if last == 2 * OTHER[str(world.must(player))] else "12.1 b"
    if world.due(white) != world.due(black):
        return "12.6" if world.facts.round_number % 2 == 0 else "12.5"
    return "12.4" if world.due(white) else "14.2"


# -- 1992 ----------------------------------------------------------------------------------------------------------


def _of_1992(checker: RoundChecker, why: PairingReason) -> str:
    match why.kind:
        case ReasonKind.SCORE_GROUP:
            return "A3"
        case ReasonKind.FLOATED:
            return {
                DecisionCause.NO_OPPONENT: "C1",
                DecisionCause.ODD_GROUP: "C6",
                DecisionCause.BLOCKS_GROUP: "C14",
                DecisionCause.BLOCKS_REST: "C13",
            }[why.get_fact("because")]
        case ReasonKind.STAYED | ReasonKind.BYE_PASSED_OVER:
            return _stayed_1992(checker, why)
        case ReasonKind.OPPONENT:
            return _opponent_1992(checker, why)
        case ReasonKind.PASSED_OVER:
            return _passed_1992(checker, why)
        case ReasonKind.COLOUR:
            return _colour_1992(checker.world, *why.players)
        case ReasonKind.BYE:
            return "A5"
        case ReasonKind.MOVED_TO_HALF | ReasonKind.EXCHANGES_TRIED:
            return "D2"
        case ReasonKind.EXCHANGE_TRIED:
            # C9, C10: the check of the brackets tests which tolerance is needed.
            tolerance = "C9" if why.article.endswith("C9") else "C10"
            return {
                DecisionCause.MORE_FLOATS: tolerance,
                DecisionCause.MORE_CLASHES: "B4",
                DecisionCause.BLOCKS_REST: "C13",
                DecisionCause.LOOK_AHEAD: "C12",
                DecisionCause.BLOCKS_GROUP: "C8",
            }[why.get_fact("because")]
        case ReasonKind.LACK_OPPONENTS:
            return "C13"
    raise AssertionError(f"1992 knows no {why.kind}")


def _stayed_1992(checker: RoundChecker, why: PairingReason) -> str:
    if why.kind is ReasonKind.BYE_PASSED_OVER and checker.world.facts.had(why.players[0], "UF+"):
        return "B1"
    cause = why.get_fact("because")
    if cause is DecisionCause.FLOATED_BEFORE:
        return _b5_or_b6(checker, why)
    if cause is DecisionCause.BETTER_CANDIDATE:
        return {"moved_down": "D1", "exchange": "D2", "transposition": "D1"}[why.get_fact("rule")]
    return {
        DecisionCause.BLOCKS_REST: "C13",
        DecisionCause.LOOK_AHEAD: "C12",
        DecisionCause.BLOCKS_GROUP: "C6",
        DecisionCause.MORE_CLASHES: "B4",
        DecisionCause.MORE_FLOATS: "C10",
    }[cause]


def _b5_or_b6(checker: RoundChecker, why: PairingReason) -> str:
    return "B5" if checker.world.facts.round_number - why.get_fact("round") == 1 else "B6"


def _opponent_1992(checker: RoundChecker, why: PairingReason) -> str:
    over = passed_in_turn(checker.of_pair(why.players[0]))
    reasons = checker.of_pair(why.players[0])
    (group,) = (each.get_fact("half_points") for each in reasons if each.kind is ReasonKind.SCORE_GROUP)
    exchanged = [each for each in reasons if each.kind is ReasonKind.MOVED_TO_HALF]
    if why.get_fact("step") != "moved down" and any(each.get_fact("half_points") == group for each in exchanged):
        return "D2"
    return "D1" if over else "C6"


def _passed_1992(checker: RoundChecker, why: PairingReason) -> str:
    obstacle = checker.world.obstacle(*why.players)
    if obstacle:
        return "B2" if obstacle is DecisionCause.SAME_ABSOLUTE_COLOUR else "B1"
    if why.get_fact("because") is DecisionCause.FLOATED_BEFORE:
        return _b5_or_b6(checker, why)
    if why.get_fact("because") is DecisionCause.LOOK_AHEAD:
        return "C12"
    if why.get_fact("because") is DecisionCause.MORE_FLOATS:
        return "C10" if why.article.endswith("C10") else "C9"
    # The check of the brackets tests which of the causes applies.
    return "B4" if why.get_fact("because") in (DecisionCause.SAME_DUE_COLOUR, DecisionCause.MORE_CLASHES) else "C7"


def _colour_1992(world: World, white: int, black: int) -> str:
    one, other = world.preference(white), world.preference(black)
    if one is None or other is None:
        return "E4" if one == other else "E1"
    if one[0] != other[0]:
        return "E1"
    if one[1] != other[1]:
        return "E2"
    pairs = zip(reversed(world.facts.colours[white]), reversed(world.facts.colours[black]), strict=False)
    return "E3" if any(mine != his for mine, his in pairs) else "E4"


# -- Dubov ---------------------------------------------------------------------------------------------------------


def _of_dubov(checker: RoundChecker, why: PairingReason) -> str:
    cause = why.get_fact("because")
    match why.kind:
        case ReasonKind.SCORE_GROUP:
            return "6.1"
        case ReasonKind.FLOATED:
            if why.get_fact("from_half_points") > why.get_fact("to_half_points"):
                return "6.4"
            return "7.1" if len(why.players) == 2 else "7.2"
        case ReasonKind.STAYED:
            if cause in (DecisionCause.FLOATED_BEFORE, DecisionCause.FLOAT_LIMIT):
                return "2.5"
            ups = [each for each in checker.floats[why.players[1]] if each.get_fact("direction") == "up"]
            return "6.4" if not ups else "7.1" if len(ups[0].players) == 2 else "7.2"
        case ReasonKind.OPPONENT:
            step = why.get_fact("step")
            fixed = {"halves": "5", "floater": "8.2"}.get(step)
            return fixed or ("6.2" if step == "first try" else "6.3")
        case ReasonKind.PASSED_OVER:
            return _passed_dubov(checker, why)
        case ReasonKind.COLUMNS:
            return "6.2"
        case ReasonKind.LACK_OPPONENTS:
            return "6.4"
        case ReasonKind.COLUMN:
            return "6.1" if cause is DecisionCause.NO_DUE_COLOUR else "7.3" if why.get_fact("colour") == "b" else "7.4"
        case ReasonKind.COLOUR:
            return _colour_dubov(checker.world, *why.players)
        case ReasonKind.BYE:
            return "5" if checker.world.snapshot.rounds_paired == 0 else "4"
        case ReasonKind.BYE_PASSED_OVER:
            return "2.2" if cause in WITHOUT_PLAY else "4"
    raise AssertionError(f"Dubov knows no {why.kind}")


def _passed_dubov(checker: RoundChecker, why: PairingReason) -> str:
    chooser, candidate = why.players
    cause = why.get_fact("because")
    if cause in (DecisionCause.FLOATED_BEFORE, DecisionCause.FLOAT_LIMIT):
        return "2.5"
    if cause in OBSTACLES:
        assert checker.world.obstacle(chooser, candidate) is cause
        if cause is not DecisionCause.SAME_ABSOLUTE_COLOUR:
            return "2.1"
        return _bound_dubov(checker.world, candidate)
    if why not in passed_in_turn(checker.of_pair(chooser)):
        return "7.1"
    (opponent,) = (each for each in checker.of_pair(chooser) if each.kind is ReasonKind.OPPONENT)
    return {"halves": "5", "floater": "8.2"}.get(opponent.get_fact("step"), "6.3")


def _bound_dubov(world: World, player: int) -> str:
    return "2.3" if abs(world.facts.difference[player]) >= 2 else "2.4"


def _colour_dubov(world: World, white: int, black: int) -> str:
    if world.snapshot.rounds_paired == 0:
        return "5"
    due = world.due(white)
    if due != world.due(black):
        return "3.1"
    if due is not None:
        bound = [tpn for tpn in (white, black) if world.preference(tpn)[1] == ABSOLUTE]
        if len(bound) == 1:
            return _bound_dubov(world, bound[0])
        if abs(world.facts.difference[white]) != abs(world.facts.difference[black]):
            return "3.2"
        pairs = zip(reversed(world.facts.colours[white]), reversed(world.facts.colours[black]), strict=False)
        if any(mine != his for mine, his in pairs):
            return "3.3"
    if world.average(white) != world.average(black):
        return "3.4"
    return "3.5" if world.facts.rating[white] != world.facts.rating[black] else "3"


_OF = {"fide-1989": _of_1989, "dutch-1992": _of_1992, "dubov-1997": _of_dubov}
