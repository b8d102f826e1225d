"""The procedure of C.04.3 as in force since 1 February 2026, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pairing.engine.matching import Matching
from pairing.engine.paired_round import PairedBye, PairedRound, PlayerScore
from pairing.engine.rules.boards import ColouredPair, seat
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_2026.below import Below
from pairing.engine.systems.dutch_2026.bound_faces import BoundFace
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import first_of
from pairing.engine.systems.dutch_2026.colours import Initial, give_colours
from pairing.engine.systems.dutch_2026.criteria import all_costs
from pairing.engine.systems.dutch_2026.downfloaters import Opened, Surroundings
from pairing.engine.systems.dutch_2026.faces import Face
from pairing.engine.systems.dutch_2026.players import rank, take_players, topscorers
from pairing.engine.systems.dutch_2026.reasons import (
    Arrivals,
    Settled,
    explain_bye,
    explain_leavers,
    explain_pairs,
)
from pairing.engine.systems.dutch_2026.rivals import Rivals
from pairing.engine.watching import begin_groups, group_done


def pair(
    snapshot: TournamentSnapshot, *, fictitious: Mapping[PairingNumber, Sequence[int]] | None = None
) -> PairedRound:
    """Pair the next round.

    `fictitious` gives everyone's fictitious half points for rounds 1, 2, ... up to this one (accelerations). Raises
    PairingImpossible where no legal round exists.
    """
    field = take_players(snapshot, fictitious)
    pairs, bye = pair_brackets(field, snapshot)
    return PairedRound(
        system="dutch-2026",
        round_number=snapshot.round_number,
        games=seat(pairs),
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def pair_brackets(
    field: Sequence[Contender], snapshot: TournamentSnapshot
) -> tuple[list[ColouredPair], PairedBye | None]:
    """1.9: bracket by bracket from the top; the one left over in the lowest has the bye."""
    present = sorted((player for player in field if player.to_be_paired), key=rank)
    top = topscorers(present, snapshot)
    below = Below(present, top)
    begin_groups(len(below.spans))
    initial = Initial.of(snapshot)
    pairs: list[ColouredPair] = []
    arrivals: Arrivals = {}
    for group in range(len(below.spans)):
        settled = settle(Surroundings(make_bracket(below, group, sorted(arrivals), top), below, group), arrivals)
        pairs += (give_colours(*each, initial) for each in explain_pairs(settled))
        arrivals = explain_leavers(settled)
        # The graphs of a large bracket go before those of the next are made.
        del settled
        group_done()
    left_over = next(iter(arrivals), None)
    return pairs, None if left_over is None else explain_bye(left_over, below, arrivals[left_over])


def make_bracket(below: Below, group: int, moved_down: Sequence[int], top: frozenset[PairingNumber]) -> Bracket:
    """1.3: a score group with those moved down to it, who are not paired with one another."""
    span = below.spans[group]
    places = (*moved_down, *range(span.start, span.end))
    mdps = (1 << len(moved_down)) - 1
    return Bracket(
        score=below.players[span.start].pairing_score,
        players=tuple(below.players[place] for place in places),
        places=places,
        moved_down=len(moved_down),
        graph=tuple(
            own & ~mdps if vertex < len(moved_down) else own for vertex, own in enumerate(below.graph_of(places))
        ),
        topscorers=top,
    )


def settle(around: Surroundings, arrivals: Arrivals) -> Settled:
    """The first of the best candidates of a bracket."""
    opened = around.open()
    face = best_of(opened)
    candidate = first_of(face, opened.bracket)
    if not opened.certain and not around.passes(candidate.leaving):
        opened = around.open_wide()
        face = best_of(opened)
        candidate = first_of(face, opened.bracket)
    return Settled(around, opened, face, candidate, Rivals(opened.bracket, face, candidate), arrivals)


def best_of(opened: Opened) -> Face | BoundFace:
    """C6 to C21: all candidates that are best by every criterion."""
    face: Face | BoundFace = Face(opened.bracket.graph, opened.matching)
    for costs in (*opened.costs, *all_costs(opened.bracket)):
        face = face.keep_best(costs)
        if isinstance(face, BoundFace) and not face.left.borders:
            face = Face(face.graph, Matching(face.graph, pairs=face.pairs), face.steps)
    return face
