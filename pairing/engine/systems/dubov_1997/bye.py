"""The bye (articles 4 and 2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.paired_round import (
    DecisionCause,
    PairedBye,
    PairingReason,
    ReasonFact,
    ReasonKind,
    make_reason,
    with_facts,
)
from pairing.engine.rules.compatibility import CompatibilityGraph, find_first_possible_bye, no_legal_round_error
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.rejected_candidates import MAX_EARLIER_CANDIDATES, MAX_LATER_CANDIDATES
from pairing.engine.snapshot import Colour, Result
from pairing.engine.systems.dubov_1997.players import DubovPlayer, compared_facts, majority_due_colour
from pairing.engine.systems.dubov_1997.procedure_state import article_reference

RESULTS_BARRING_BYE = (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN)
"""Points without play, after which a player may not have the bye (2.2)."""


def choose_bye(entrants: Sequence[DubovPlayer], *, is_first_round: bool) -> PairedBye | None:
    """Choose the player who gets the bye (4), from the lowest score group upwards.

    It goes to the first player whom 2.2 allows and without whom the others can be paired. None if the number of players
    is even. Raises PairingImpossible if nobody can have it.
    """
    if len(entrants) % 2 == 0:
        return None
    company = CompatibilityGraph([entrant.contender for entrant in entrants])
    passed: list[PairingReason] = []
    chosen = find_first_possible_bye(company, _permitted(_candidates(entrants, is_first_round=is_first_round), passed))
    if chosen is None:
        raise no_legal_round_error(company, article_reference("4"), passed)
    number = "5" if is_first_round else "4"
    # In round 1 the order is the ranking.
    facts: dict[str, ReasonFact] = {"lower": len(passed) - 1} if is_first_round else {}
    why = make_reason(article_reference(number), ReasonKind.BYE, chosen.tpn, half_points=chosen.pairing_score, **facts)
    if not is_first_round:
        order = [player.tpn for player in _candidates(entrants, is_first_round=False)]
        at = order.index(chosen.tpn)
        by_tpn = {entrant.tpn: entrant for entrant in entrants}
        near = [by_tpn[tpn] for tpn in order[max(0, at - MAX_EARLIER_CANDIDATES) : at + MAX_LATER_CANDIDATES + 1]]
        why = with_facts(why, **compared_facts(near))
    # The last entry is the player who got the bye.
    return PairedBye(player=chosen.tpn, reasons=(why, *passed[:-1]))


def _candidates(entrants: Sequence[DubovPlayer], *, is_first_round: bool) -> Iterator[PairingPlayer]:
    """Yield players from the lowest group upwards, in the order of the bye (4). In round 1 largest number first (5)."""
    by_score: dict[int, list[DubovPlayer]] = {}
    for entrant in entrants:
        by_score.setdefault(entrant.contender.pairing_score, []).append(entrant)
    for score in sorted(by_score):
        dominating = majority_due_colour(by_score[score])

        def bye_order_key(entrant: DubovPlayer, dominating: Colour | None = dominating) -> tuple[int, bool, int, int]:
            if is_first_round:
                return (0, False, 0, -entrant.tpn)
            keeps_domination = dominating is not None and entrant.due_colour is not dominating
            return (entrant.rating, keeps_domination, -entrant.scaled_average, -entrant.tpn)

        yield from (entrant.contender for entrant in sorted(by_score[score], key=bye_order_key))


def _permitted(candidates: Iterator[PairingPlayer], passed: list[PairingReason]) -> Iterator[PairingPlayer]:
    """Yield players who may have the bye (2.2).

    `passed` notes every candidate, permitted ones as if they blocked the rest.
    """
    for player in candidates:
        if player.has_any_result(*RESULTS_BARRING_BYE):
            passed.append(_barred(player))
        else:
            passed.append(
                make_reason(
                    article_reference("4"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=DecisionCause.BLOCKS_REST
                )
            )
            yield player


def _barred(player: PairingPlayer) -> PairingReason:
    number = next(number for number, result in enumerate(player.results, start=1) if result in RESULTS_BARRING_BYE)
    return make_reason(
        article_reference("2.2"),
        ReasonKind.BYE_PASSED_OVER,
        player.tpn,
        because=DecisionCause.HAD_POINT_WITHOUT_PLAY,
        round=number,
    )
