"""The procedure of C.04.3 as in force since 1 February 2026, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pairing.engine.paired_round import PairedBye, PairedRound, PlayerScore
from pairing.engine.rules.boards import ColouredPair, seat
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_2026.below import Below, Numbering
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import Candidate, first_of
from pairing.engine.systems.dutch_2026.colours import give_colours
from pairing.engine.systems.dutch_2026.criteria import all_costs
from pairing.engine.systems.dutch_2026.downfloaters import Opened, Surroundings
from pairing.engine.systems.dutch_2026.faces import Face, OddSet, WeighedFace
from pairing.engine.systems.dutch_2026.players import rank, take_players, topscorers
from pairing.engine.watching import begin_groups, group_done


def pair(
    snapshot: TournamentSnapshot, *, fictitious: Mapping[PairingNumber, Sequence[int]] | None = None
) -> PairedRound:
    """Pair the next round.

    `fictitious` gives everyone's fictitious half points for rounds 1, 2, ... up to this one (accelerations). Raises
    PairingImpossible where no legal round exists.
    """
    field = take_players(snapshot, fictitious)
    present = sorted((player for player in field if player.to_be_paired), key=rank)
    top = topscorers(present, snapshot)
    pairs, bye = [], None
    below = Below(present, top)
    begin_groups(len(below.spans))
    moved: tuple[int, ...] = ()
    for group, span in enumerate(below.spans):
        level = below.go_down_to(group)
        places = (*moved, *range(span.start, span.end))
        graph = Numbering(places).graph(below.neighbours)
        mdps = (1 << len(moved)) - 1
        bracket = Bracket(
            score=present[span.start].pairing_score,
            players=tuple(present[place] for place in places),
            places=places,
            moved_down=len(moved),
            graph=tuple(own & ~mdps if vertex < len(moved) else own for vertex, own in enumerate(graph)),
            topscorers=top,
        )
        around = Surroundings(bracket, below, group, level)
        candidate = settle(around)
        for turn in candidate.turns:
            one, other = bracket.players[turn.chooser], bracket.players[turn.opponent]
            pairs.append(give_colours(one, other, (), snapshot.first_colour))
        moved = tuple(places[vertex] for vertex in candidate.leaving)
        group_done()
    if moved:
        bye = PairedBye(player=present[moved[0]].tpn)
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


def settle(around: Surroundings) -> Candidate:
    """The first of the best candidates of a bracket."""
    opened = around.open()
    candidate = first_of(best_of(opened), opened.bracket)
    if not opened.certain and not around.passes(candidate.leaving):
        opened = around.open_wide()
        candidate = first_of(best_of(opened), opened.bracket)
    return candidate


def best_of(opened: Opened) -> Face | WeighedFace:
    """C6 to C21: all candidates that are best by every criterion."""
    costs = [*opened.costs, *all_costs(opened.bracket)]
    if opened.matching is not None:
        face = Face(opened.bracket.graph, opened.matching)
        try:
            for one in costs:
                face.keep_best(one)
            return face
        except OddSet:
            pass
    return WeighedFace(opened.bracket.graph, costs)
