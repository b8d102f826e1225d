"""Article 8: who sits out a round with an odd number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.paired_round import Cause, PairedBye, Reason, ReasonKind, reason
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import first_to_sit_out, no_legal_round
from pairing.engine.rules.field import Contender
from pairing.engine.rules.score_groups import score_groups
from pairing.engine.snapshot import Result
from pairing.engine.systems.fide_1989.groups import Event, article


def choose_bye(players: Sequence[Contender], event: Event) -> PairedBye | None:
    """8.1: of the lowest score group the largest number whom 8.2 permits and without whom the others can be paired.

    None where the number is even. Raises PairingImpossible where nobody can have it.
    """
    if len(players) % 2 == 0:
        return None
    company = Company(players, any_colour=event.any_colour)
    passed: list[Reason] = []
    chosen = first_to_sit_out(company, _permitted(players, passed))
    if chosen is None:
        raise no_legal_round(company, article("8"), passed)
    why = reason(article("8.1"), ReasonKind.BYE, chosen.tpn, half_points=chosen.pairing_score)
    # The last one noted is the one who got it.
    return PairedBye(player=chosen.tpn, reasons=(why, *passed[:-1]))


def _permitted(players: Sequence[Contender], passed: list[Reason]) -> Iterator[Contender]:
    """8.2: the candidates in their order; `passed` notes all come to, the permitted as if they blocked the rest."""
    for group in reversed(score_groups(players)):
        for player in reversed(group.residents):
            barred = _barred(player)
            if barred:
                passed.append(barred)
            else:
                passed.append(reason(article("8.1"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=Cause.BLOCKS_REST))
                yield player


def _barred(player: Contender) -> Reason | None:
    """8.2: nobody rests twice, nor after a point for an opponent who did not come."""
    for result, cause in (
        (Result.PAIRING_ALLOCATED_BYE, Cause.HAD_BYE),
        (Result.FORFEIT_WIN, Cause.HAD_FORFEIT_WIN),
    ):
        if result in player.results:
            number = player.results.index(result) + 1
            return reason(article("8.2"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=cause, round=number)
    return None
