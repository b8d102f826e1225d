"""Completion: tests if the remaining players can still be paired legally, and names those who cannot."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.engine.matching import MaximumMatching, bitmask_members
from pairing.engine.paired_round import DecisionCause, PairingImpossible, PairingReason, ReasonKind, make_reason
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer

MAX_PLAYERS_IN_MESSAGE = 12
"""The number of players listed in the message of a failure; `PairingImpossible.players` always has them all."""


def find_first_possible_bye(company: CompatibilityGraph, candidates: Iterable[PairingPlayer]) -> PairingPlayer | None:
    """Return the first candidate who can be left out so that all others can be paired; None if there is none.

    The number of players is odd; `candidates` are among them and are read lazily.
    """
    matching = MaximumMatching(company.complement_graph)
    if matching.deficiency > 1:
        return None
    place = leave_out_first_possible(matching, (company.places[candidate.tpn] for candidate in candidates))
    return None if place is None else company.players[place]


def leave_out_first_possible(matching: MaximumMatching, places: Iterable[int]) -> int | None:
    """Leave out the first player that a maximum matching can leave unpaired, and return their vertex.

    `places` take part in the matching and are read lazily. Return None, with nothing changed, if there is none.
    """
    missable: int | None = None
    for place in places:
        if missable is not None:
            if missable >> place & 1:
                matching.try_leave_out(place)
                return place
        elif matching.try_leave_out(place):
            return place
        else:
            # One decomposition answers for all candidates to come.
            missable = matching.decompose_gallai_edmonds().missable
    return None


def no_legal_round_error(
    company: CompatibilityGraph, article: str, bye_refused: Iterable[PairingReason] = ()
) -> PairingImpossible:
    """Return the error for players who cannot be paired: those who compete for too few opponents, and who has none.

    `article` is the one that cannot be kept. With an odd number, `bye_refused` gives the reasons why nobody may have
    the bye.
    """
    neighbours = company.complement_graph
    parts = MaximumMatching(neighbours).decompose_gallai_edmonds()
    blocking = tuple(company.players[place].tpn for place in bitmask_members(parts.missable))
    wanted = tuple(company.players[place].tpn for place in bitmask_members(parts.blocking))
    causes = [*bye_refused]
    causes += [
        make_reason(article, ReasonKind.COMPLETION, tpn, because=DecisionCause.NO_OPPONENT)
        for tpn in blocking
        if not neighbours[company.places[tpn]]
    ]
    causes.append(make_reason(article, ReasonKind.COMPLETION, *blocking, because=DecisionCause.BLOCKS_REST))
    why = f", because too many of them depend on players {_listed(wanted)}" if wanted else _AMONG_THEMSELVES
    message = f"no legal pairing: players {_listed(blocking)} can't all be paired{why}"
    if len(company.players) % 2:
        message += " (no permitted bye helps)"
    return PairingImpossible(message, players=blocking, causes=causes)


_AMONG_THEMSELVES = " with each other and have no other possible opponents"


def _listed(tpns: Iterable[int]) -> str:
    numbers = [str(tpn) for tpn in sorted(tpns)]
    shown = ", ".join(numbers[:MAX_PLAYERS_IN_MESSAGE])
    rest = len(numbers) - MAX_PLAYERS_IN_MESSAGE
    return f"{shown} and {rest} more" if rest > 0 else shown
