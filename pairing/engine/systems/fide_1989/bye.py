"""The bye (article 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.paired_round import DecisionCause, PairedBye, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rule_interpretations import FORFEIT_WIN_BYES, RULE_INTERPRETATIONS, format_interpretation
from pairing.engine.rules.compatibility import CompatibilityGraph, find_first_possible_bye, no_legal_round_error
from pairing.engine.rules.players import PairingPlayer, score_groups
from pairing.engine.snapshot import Result
from pairing.engine.systems.fide_1989.procedure_state import Fide1989Event, article_reference

BARS_NEXT_ROUND_ONLY = RULE_INTERPRETATIONS[FORFEIT_WIN_BYES].alternative_value


def choose_bye(players: Sequence[PairingPlayer], event: Fide1989Event) -> PairedBye | None:
    """Give the bye to the lowest-ranked player (8.1) who can have it under 8.2 and leaves a legal round.

    None if the number of players is even. Raises PairingImpossible if nobody can have it.
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
        lower=len(passed) - 1,
        **_only_so_read(chosen, event),
    )
    # The last entry is the player who got the bye.
    return PairedBye(player=chosen.tpn, reasons=(why, *passed[:-1]))


def _permitted(
    players: Sequence[PairingPlayer], event: Fide1989Event, passed: list[PairingReason]
) -> Iterator[PairingPlayer]:
    """Yield players who may have the bye (8.2), in order.

    `passed` notes every candidate, permitted ones as if they blocked the rest.
    """
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
    """Return why a player may not have the bye (8.2): a bye or a forfeit win before."""
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
    """Return the interpretation of 8.2 if the other one would change the reason."""
    results = player.results
    if Result.FORFEIT_WIN not in results or results[-1] is Result.FORFEIT_WIN:
        return {}
    return {"reading": format_interpretation(FORFEIT_WIN_BYES, event.forfeit_win_byes)}
