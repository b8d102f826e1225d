"""The reasons for the pairing of a bracket, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from pairing.engine.compact_reasons import ReasonEntry
from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairedBye, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rules.compatibility import find_pairing_obstacle, leftover_pair_facts
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.rejected_candidates import MAX_SINGLE_REASONS, collect_rejection_reasons
from pairing.engine.systems.dutch_1992.brackets import Bracket, Downfloater, Pair, article_reference
from pairing.engine.systems.dutch_1992.candidate_search import BracketContext
from pairing.engine.systems.dutch_1992.candidates import BracketCandidate, ChooserTurn
from pairing.engine.systems.dutch_1992.completion_criterion import explain_bye_refusal
from pairing.engine.systems.dutch_1992.counterfactuals import EarlierCandidates, explain_lack_of_opponents
from pairing.engine.systems.dutch_1992.float_rules import FloatTolerance, find_barring_float


def explain_pairs(around: BracketContext, candidate: BracketCandidate) -> list[Pair]:
    """Yield the pairs of a bracket with all their reasons except the colour reasons."""
    players = around.company.players
    group = make_reason(article_reference("A3"), ReasonKind.SCORE_GROUP, half_points=around.bracket.score)
    exchanged = _exchanged(around, candidate)
    tried = tuple(EarlierCandidates(around, candidate).explain_earlier_exchanges()) if exchanged else ()
    pairs: list[Pair] = []
    for turn in candidate.turns:
        chooser, opponent = players[turn.chooser], players[turn.opponent]
        came = [why for one in (chooser, opponent) for why in around.bracket.arrivals.get(one.tpn, ())]
        moved = [exchanged[vertex] for vertex in (turn.chooser, turn.opponent) if vertex in exchanged]
        if moved:
            moved += tried
        elif not turn.is_moved_down:
            moved += exchanged.values()
        chosen = _chosen(around, turn, _step(candidate, turn))
        over = _all_passed_over(around, candidate, turn)
        pairs.append(Pair(chooser, opponent, (group, *came, *moved, chosen, *over)))
    return pairs


def explain_floaters(around: BracketContext, candidate: BracketCandidate) -> tuple[Downfloater, ...]:
    """Return all who leave a bracket with their reasons; for a single leftover player also why lower ones stay."""
    bracket = around.bracket
    floaters = [_floater(bracket, player, "C1", DecisionCause.NO_OPPONENT) for player in bracket.without_opponent]
    number, cause = _why_left_over(around, candidate)
    exchanged = _exchanged(around, candidate)
    wanted = explain_lack_of_opponents(around)
    for vertex in bitmask_members(candidate.leaving):
        floater = _floater(bracket, around.company.players[vertex], number, cause)
        more = [exchanged[vertex]] if vertex in exchanged else []
        if candidate.leaving.bit_count() == 1:
            more += _others_stayed(around, candidate, vertex)
        if wanted and any(
            note.get_fact("because") is DecisionCause.BLOCKS_REST for note in (*more, floater.reasons[-1])
        ):
            more.append(wanted)
        floaters.append(floater._replace(reasons=(*floater.reasons, *more)))
    return tuple(floaters)


def _why_left_over(around: BracketContext, candidate: BracketCandidate) -> tuple[str, DecisionCause]:
    """Explain why players are left over: odd number (C6), no more pairs (C14), needed below (C13)."""
    count = candidate.leaving.bit_count()
    if count == 1:
        return "C6", DecisionCause.ODD_GROUP
    if count == around.min_left_over:
        return "C14", DecisionCause.BLOCKS_GROUP
    return "C13", DecisionCause.BLOCKS_REST


def _floater(bracket: Bracket, player: PairingPlayer, number: str, cause: DecisionCause) -> Downfloater:
    came = bracket.arrivals.get(player.tpn, ())
    if bracket.next_group_residents is None:
        return Downfloater(player, (_bye(player), *came))
    why = make_reason(
        article_reference(number),
        ReasonKind.FLOATED,
        player.tpn,
        from_half_points=bracket.score,
        to_half_points=bracket.next_group_residents[0].pairing_score,
        direction="down",
        because=cause,
    )
    return Downfloater(player, (*came, why))


def _bye(player: PairingPlayer) -> PairingReason:
    """Explain the bye of the player left over in the lowest bracket (A5)."""
    return make_reason(
        article_reference("A5"), ReasonKind.BYE, player.tpn, half_points=player.pairing_score, step="left over"
    )


def explain_bye(floater: Downfloater) -> PairedBye:
    """Return the bye of the player left over in the lowest bracket."""
    return PairedBye(player=floater.player.tpn, reasons=floater.reasons)


def _others_stayed(around: BracketContext, candidate: BracketCandidate, floater: int) -> Iterator[PairingReason]:
    """Explain why each player below the only one left over stays."""
    players = around.company.players
    completed, landed = around.possible_single_downfloaters
    evidence = EarlierCandidates(around, candidate)
    for vertex in range(floater + 1, len(players)):
        one, gone = players[vertex], players[floater]
        back = find_barring_float(one, FloatDirection.DOWN, candidate.terms.down)
        if around.bracket.next_group_residents is None and (refused := explain_bye_refusal(one)) is not None:
            yield refused
        elif back is not None:
            floated: dict[str, ReasonFact] = {
                "round": len(one.floats) + 1 - back,
                "direction": FloatDirection.DOWN.value,
            }
            yield _stayed(around, one, gone, _b5_b6(back), DecisionCause.FLOATED_BEFORE, **floated)
        elif not completed >> vertex & 1:
            yield _stayed(around, one, gone, "C13", DecisionCause.BLOCKS_REST)
        elif candidate.terms.look_ahead and not landed >> vertex & 1:
            yield _stayed(around, one, gone, "C12", DecisionCause.LOOK_AHEAD)
        else:
            number, cause, rule = evidence.find_leftover_rejection(vertex)
            yield _stayed(around, one, gone, number, cause, **({"rule": rule} if rule else {}))


def _stayed(
    around: BracketContext,
    kept: PairingPlayer,
    floater: PairingPlayer,
    number: str,
    cause: DecisionCause,
    **facts: ReasonFact,
) -> PairingReason:
    if around.bracket.next_group_residents is None:
        return make_reason(article_reference(number), ReasonKind.BYE_PASSED_OVER, kept.tpn, because=cause, **facts)
    return make_reason(article_reference(number), ReasonKind.STAYED, kept.tpn, floater.tpn, because=cause, **facts)


def _exchanged(around: BracketContext, candidate: BracketCandidate) -> dict[int, PairingReason]:
    """Explain who changed between S1 and S2 (D2), and for whom."""
    players, score = around.company.players, around.bracket.score

    def note(vertices: Iterable[int], half: str, instead: Iterable[int]) -> dict[int, PairingReason]:
        others = [players[other].tpn for other in instead]
        return {
            vertex: make_reason(
                article_reference("D2"),
                ReasonKind.MOVED_TO_HALF,
                players[vertex].tpn,
                *others,
                half=half,
                half_points=score,
            )
            for vertex in vertices
        }

    leaving, entering = candidate.exchange
    return note(leaving, "S2", entering) | note(entering, "S1", leaving)


def _step(candidate: BracketCandidate, turn: ChooserTurn) -> tuple[str, str]:
    """Return the rule and step that gave the opponent."""
    if turn.is_moved_down:
        return ("D1" if turn.passed else "C6"), "moved down"
    if candidate.exchange.leaving:
        return "D2", "exchange"
    return ("D1", "transposition") if turn.passed else ("C6", "order")


def _chosen(around: BracketContext, turn: ChooserTurn, by: tuple[str, str]) -> PairingReason:
    number, step = by
    players = around.company.players
    tpns = (players[turn.chooser].tpn, players[turn.opponent].tpn)
    return make_reason(article_reference(number), ReasonKind.OPPONENT, *tpns, step=step, place=len(turn.passed) + 1)


def _all_passed_over(around: BracketContext, candidate: BracketCandidate, turn: ChooserTurn) -> tuple[ReasonEntry, ...]:
    """Explain why each earlier candidate was passed over, mostly for the same due colour."""
    if len(turn.passed) <= MAX_SINGLE_REASONS:
        return tuple([_passed_over(around, candidate, turn, vertex) for vertex in turn.passed])
    company = around.company
    chooser, opponent = company.players[turn.chooser], company.players[turn.opponent]
    alike: frozenset[int] = frozenset()
    if chooser.due_colour is not opponent.due_colour:
        alike = turn.any_colour & company.vertices_by_due_colour.get(chooser.due_colour, frozenset())
    lower = {vertex for vertex in turn.passed if company.players[vertex].pairing_score != chooser.pairing_score}
    tell = partial(_passed_over, around, candidate, turn)
    return collect_rejection_reasons(company, turn.chooser, turn.passed, tell, alike=alike - lower, single=())


def _passed_over(around: BracketContext, candidate: BracketCandidate, turn: ChooserTurn, vertex: int) -> PairingReason:
    """Explain what ruled out a candidate of S2 before the opponent."""
    chooser, other = around.company.players[turn.chooser], around.company.players[vertex]

    def because(number: str, cause: DecisionCause, **facts: ReasonFact) -> PairingReason:
        return make_reason(
            article_reference(number), ReasonKind.PASSED_OVER, chooser.tpn, other.tpn, because=cause, **facts
        )

    if between := find_pairing_obstacle(chooser, other):
        number = "B2" if between.cause is DecisionCause.SAME_ABSOLUTE_COLOUR else "B1"
        return because(number, between.cause, **between.facts)
    if barred := _upfloat_barred(chooser, other, candidate.terms.up):
        back, lower = barred
        return because(
            _b5_b6(back),
            DecisionCause.FLOATED_BEFORE,
            round=len(lower.floats) + 1 - back,
            direction=FloatDirection.UP.value,
            floater=lower.tpn,
        )
    if vertex not in turn.any_colour:
        return because("C7", DecisionCause.BLOCKS_GROUP, **_last_two(around, candidate, turn, vertex))
    # If the opponent clashes too, the colour is not the reason.
    due = chooser.due_colour
    if due is not None and other.due_colour is due and around.company.players[turn.opponent].due_colour is not due:
        return because("B4", DecisionCause.SAME_DUE_COLOUR, colour=due.value)
    return because("B4", DecisionCause.MORE_CLASHES)


def _last_two(
    around: BracketContext, candidate: BracketCandidate, turn: ChooserTurn, vertex: int
) -> dict[str, ReasonFact]:
    """Return the last two players who would be left with each other, where one more pair follows and nobody leaves."""
    later = candidate.turns[candidate.turns.index(turn) + 1 :]
    if len(later) != 1 or candidate.leaving:
        return {}
    left = bitmask_members(bitmask_of((later[0].chooser, later[0].opponent, turn.opponent)) & ~(1 << vertex))
    return leftover_pair_facts(*(around.company.players[one] for one in left))


def _upfloat_barred(
    one: PairingPlayer, other: PairingPlayer, tolerance: FloatTolerance
) -> tuple[int, PairingPlayer] | None:
    """Return how many rounds back the lower player floated up, if that bars the pair (B5, B6)."""
    if one.pairing_score == other.pairing_score:
        return None
    lower = one if one.pairing_score < other.pairing_score else other
    back = find_barring_float(lower, FloatDirection.UP, tolerance)
    return None if back is None else (back, lower)


def _b5_b6(back: int) -> str:
    return "B5" if back == 1 else "B6"
