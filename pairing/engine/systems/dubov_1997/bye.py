"""Articles 4 and 2.2: who sits out a round with an odd number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.paired_round import Cause, PairedBye, Reason, ReasonKind, reason
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import first_to_sit_out, no_legal_round
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, Result
from pairing.engine.systems.dubov_1997.entrants import Entrant, larger_part
from pairing.engine.systems.dubov_1997.groups import article

WITHOUT_PLAY = (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN)
"""2.2: a point without play, after which a player may not rest."""


def choose_bye(entrants: Sequence[Entrant], *, is_first_round: bool) -> PairedBye | None:
    """4: the first of the lowest group whom 2.2 permits and without whom the others can be paired, else one higher up.

    None where the number is even. Raises PairingImpossible where nobody can have it.
    """
    if len(entrants) % 2 == 0:
        return None
    company = Company([entrant.contender for entrant in entrants])
    passed: list[Reason] = []
    chosen = first_to_sit_out(company, _permitted(_candidates(entrants, is_first_round=is_first_round), passed))
    if chosen is None:
        raise no_legal_round(company, article("4"), passed)
    number = "5" if is_first_round else "4"
    why = reason(article(number), ReasonKind.BYE, chosen.tpn, half_points=chosen.pairing_score)
    # The last one noted is the one who got it.
    return PairedBye(player=chosen.tpn, reasons=(why, *passed[:-1]))


def _candidates(entrants: Sequence[Entrant], *, is_first_round: bool) -> Iterator[Contender]:
    """4: the groups from the lowest upwards, each in the order of the bye; 5: in round 1 the largest number first."""
    by_score: dict[int, list[Entrant]] = {}
    for entrant in entrants:
        by_score.setdefault(entrant.contender.pairing_score, []).append(entrant)
    for score in sorted(by_score):
        dominating = larger_part(by_score[score])

        def turn(entrant: Entrant, dominating: Colour | None = dominating) -> tuple[int, bool, int, int]:
            if is_first_round:
                return (0, False, 0, -entrant.tpn)
            keeps_domination = dominating is not None and entrant.due is not dominating
            return (entrant.rating, keeps_domination, -entrant.scaled_average, -entrant.tpn)

        yield from (entrant.contender for entrant in sorted(by_score[score], key=turn))


def _permitted(candidates: Iterator[Contender], passed: list[Reason]) -> Iterator[Contender]:
    """2.2: those who may rest; `passed` notes all come to, the permitted as if they blocked the rest."""
    for player in candidates:
        if player.had(*WITHOUT_PLAY):
            passed.append(_barred(player))
        else:
            passed.append(reason(article("4"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=Cause.BLOCKS_REST))
            yield player


def _barred(player: Contender) -> Reason:
    number = next(number for number, result in enumerate(player.results, start=1) if result in WITHOUT_PLAY)
    return reason(
        article("2.2"),
        ReasonKind.BYE_PASSED_OVER,
        player.tpn,
        because=Cause.HAD_POINT_WITHOUT_PLAY,
        round=number,
    )
