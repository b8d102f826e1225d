"""Article 8: who sits out a round with an odd number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.paired_round import DecisionCause, PairedBye, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rule_interpretations import FORFEIT_WIN_BYES, RULE_INTERPRETATIONS, format_interpretation
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.round_completion import find_first_possible_bye, no_legal_round_error
from pairing.engine.rules.score_groups import score_groups
from pairing.engine.snapshot import Result
from pairing.engine.systems.fide_1989.procedure_state import Fide1989Event, article_reference

BARS_NEXT_ROUND_ONLY = RULE_INTERPRETATIONS[FORFEIT_WIN_BYES].alternative_value


def choose_bye(players: Sequence[PairingPlayer], event: Fide1989Event) -> PairedBye | None:
    """8.1: of the lowest score group the largest number whom 8.2 permits and without whom the others can be paired.

    None where the number is even. Raises PairingImpossible where nobody can have it.
    """
    if len(players) % 2 == 0:
        return None
    company = CompatibilityGraph(players, any_colour=event.any_colour)
    passed: list[PairingReason] = []
    chosen = find_first_possible_bye(company, _permitted(players, event, passed))
    if chosen is None:
        raise no_legal_round_error(company, article_reference("8"), passed)
    why = make_reason(
        article_reference("8.1"),
        ReasonKind.BYE,
        chosen.tpn,
        half_points=chosen.pairing_score,
        **_only_so_read(chosen, event),
    )
    # The last one noted is the one who got it.
    return PairedBye(player=chosen.tpn, reasons=(why, *passed[:-1]))


def _permitted(
    players: Sequence[PairingPlayer], event: Fide1989Event, passed: list[PairingReason]
) -> Iterator[PairingPlayer]:
    """8.2: the candidates in their order; `passed` notes all come to, the permitted as if they blocked the rest."""
    for group in reversed(score_groups(players)):
        for player in reversed(group.residents):
            barred = _barred(player, event)
            if barred:
                passed.append(barred)
            else:
                passed.append(
                    make_reason(
                        article_reference("8.1"),
                        ReasonKind.BYE_PASSED_OVER,
                        player.tpn,
                        because=DecisionCause.BLOCKS_REST,
                    )
                )
                yield player


def _barred(player: PairingPlayer, event: Fide1989Event) -> PairingReason | None:
    """8.2: nobody rests twice, nor after a point for an opponent who did not come."""
    if Result.PAIRING_ALLOCATED_BYE in player.results:
        number = player.results.index(Result.PAIRING_ALLOCATED_BYE) + 1
        return make_reason(
            article_reference("8.2"),
            ReasonKind.BYE_PASSED_OVER,
            player.tpn,
            because=DecisionCause.HAD_BYE,
            round=number,
        )
    won = [number for number, result in enumerate(player.results, start=1) if result is Result.FORFEIT_WIN]
    if not won or (event.forfeit_win_byes == BARS_NEXT_ROUND_ONLY and won[-1] != len(player.results)):
        return None
    return make_reason(
        article_reference("8.2"),
        ReasonKind.BYE_PASSED_OVER,
        player.tpn,
        because=DecisionCause.HAD_FORFEIT_WIN,
        round=won[-1],
        **_only_so_read(player, event),
    )


def _only_so_read(player: PairingPlayer, event: Fide1989Event) -> dict[str, ReasonFact]:
    """The reading of 8.2, where the other one would speak otherwise of a player."""
    results = player.results
    if Result.FORFEIT_WIN not in results or results[-1] is Result.FORFEIT_WIN:
        return {}
    return {"reading": format_interpretation(FORFEIT_WIN_BYES, event.forfeit_win_byes)}
