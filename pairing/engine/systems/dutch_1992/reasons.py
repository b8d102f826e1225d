"""Why a bracket was paired as it was, as data."""

from __future__ import annotations

from pairing.engine.paired_round import PairedBye
from pairing.engine.systems.dutch_1992.brackets import Floater, Pair
from pairing.engine.systems.dutch_1992.candidates import Candidate
from pairing.engine.systems.dutch_1992.options import Surroundings


def explain_pairs(around: Surroundings, candidate: Candidate) -> list[Pair]:
    players = around.company.players
    return [Pair(players[turn.chooser], players[turn.opponent], ()) for turn in candidate.turns]


def explain_floaters(around: Surroundings, candidate: Candidate) -> tuple[Floater, ...]:
    leaving = [*around.bracket.without_opponent, *around.contenders(candidate.leaving)]
    return tuple(Floater(player, ()) for player in leaving)


def explain_bye(floater: Floater) -> PairedBye:
    return PairedBye(player=floater.player.tpn, reasons=floater.reasons)
