"""Article 8: who sits out a round with an odd number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.paired_round import Cause, Fact, PairedBye, Reason, ReasonKind, reason
from pairing.engine.readings import FORFEIT_WINNERS, READINGS, stated
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import first_to_sit_out, no_legal_round
from pairing.engine.rules.field import Contender
from pairing.engine.rules.score_groups import score_groups
from pairing.engine.snapshot import Result
from pairing.engine.systems.fide_1989.groups import Event, article

NEXT_ROUND = READINGS[FORFEIT_WINNERS].other


def choose_bye(players: Sequence[Contender], event: Event) -> PairedBye | None:
    """8.1: of the lowest score group the largest number whom 8.2 permits and without whom the others can be paired.

    None where the number is even. Raises PairingImpossible where nobody can have it.
    """
    if len(players) % 2 == 0:
        return None
    company = Company(players, any_colour=event.any_colour)
    passed: list[Reason] = []
    chosen = first_to_sit_out(company, _permitted(players, event, passed))
    if chosen is None:
        raise no_legal_round(company, article("8"), passed)
    why = reason(
        article("8.1"), ReasonKind.BYE, chosen.tpn, half_points=chosen.pairing_score, **_only_so_read(chosen, event)
    )
    # The last one noted is the one who got it.
    return PairedBye(player=chosen.tpn, reasons=(why, *passed[:-1]))


def _permitted(players: Sequence[Contender], event: Event, passed: list[Reason]) -> Iterator[Contender]:
    """8.2: the candidates in their order; `passed` notes all come to, the permitted as if they blocked the rest."""
    for group in reversed(score_groups(players)):
        for player in reversed(group.residents):
            barred = _barred(player, event)
            if barred:
                passed.append(barred)
            else:
                passed.append(reason(article("8.1"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=Cause.BLOCKS_REST))
                yield player


def _barred(player: Contender, event: Event) -> Reason | None:
    """8.2: nobody rests twice, nor after a point for an opponent who did not come."""
    if Result.PAIRING_ALLOCATED_BYE in player.results:
        number = player.results.index(Result.PAIRING_ALLOCATED_BYE) + 1
        return reason(article("8.2"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=Cause.HAD_BYE, round=number)
    won = [number for number, result in enumerate(player.results, start=1) if result is Result.FORFEIT_WIN]
    if not won or (event.forfeit_winners == NEXT_ROUND and won[-1] != len(player.results)):
        return None
    return reason(
        article("8.2"),
        ReasonKind.BYE_PASSED_OVER,
        player.tpn,
        because=Cause.HAD_FORFEIT_WIN,
        round=won[-1],
        **_only_so_read(player, event),
    )


def _only_so_read(player: Contender, event: Event) -> dict[str, Fact]:
    """The reading of 8.2, where the other one would speak otherwise of a player."""
    results = player.results
    if Result.FORFEIT_WIN not in results or results[-1] is Result.FORFEIT_WIN:
        return {}
    return {"reading": stated(FORFEIT_WINNERS, event.forfeit_winners)}
