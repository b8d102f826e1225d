"""The procedure of C.04.3 as in force since 1 February 2026, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pairing.engine.matching import MaximumMatching
from pairing.engine.paired_round import PairedBye, PairedRound, PlayerScore
from pairing.engine.progress import advance_group_progress, start_group_progress
from pairing.engine.rules.board_order import ColouredPair, assign_boards
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.reason_evidence import add_evidence
from pairing.engine.rules.round_groups import EvidenceRules
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidate_sets import CandidateSet, OddSetCandidates
from pairing.engine.systems.dutch_2026.candidates import find_first_candidate
from pairing.engine.systems.dutch_2026.colours import InitialColour, allocate_colours
from pairing.engine.systems.dutch_2026.completion_criterion import CompletionMatching
from pairing.engine.systems.dutch_2026.counterfactuals import CriterionCounterfactuals
from pairing.engine.systems.dutch_2026.criteria import all_criterion_costs
from pairing.engine.systems.dutch_2026.downfloaters import BracketWithExits, DownfloaterSearch
from pairing.engine.systems.dutch_2026.players import (
    players_with_floats,
    rank_key,
    topscorers,
    without_absolute_preference,
)
from pairing.engine.systems.dutch_2026.reasons import (
    FloatReasonsByPlace,
    PairedBracket,
    explain_bye,
    explain_downfloaters,
    explain_pairs,
)


def pair_next_round(
    snapshot: TournamentSnapshot, *, fictitious: Mapping[PairingNumber, Sequence[int]] | None = None
) -> PairedRound:
    """Pair the next round.

    `fictitious` gives everyone's fictitious half points for rounds 1, 2, ... up to this one (accelerations). Raises
    PairingImpossible if there is no legal round.
    """
    field = players_with_floats(snapshot, fictitious)
    pairs, bye = pair_brackets(field, snapshot)
    present = [player for player in field if player.is_to_be_paired]
    top = topscorers(present, snapshot)
    games, bye = add_evidence(
        assign_boards(pairs),
        bye,
        present,
        EvidenceRules(floaters_meet=False),
        excused={player.tpn: without_absolute_preference(player) for player in present if player.tpn in top},
    )
    return PairedRound(
        system="dutch-2026",
        round_number=snapshot.round_number,
        games=games,
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def pair_brackets(
    field: Sequence[PairingPlayer], snapshot: TournamentSnapshot
) -> tuple[list[ColouredPair], PairedBye | None]:
    """Pair bracket by bracket from the top (1.9). The player left over at the end gets the bye."""
    present = sorted((player for player in field if player.is_to_be_paired), key=rank_key)
    top = topscorers(present, snapshot)
    below = CompletionMatching(present, top)
    start_group_progress(len(below.spans))
    initial = InitialColour.from_snapshot(snapshot)
    pairs: list[ColouredPair] = []
    arrivals: FloatReasonsByPlace = {}
    for group in range(len(below.spans)):
        settled = pair_bracket(
            DownfloaterSearch(make_bracket(below, group, sorted(arrivals), top), below, group), arrivals
        )
        pairs += (allocate_colours(*each, initial) for each in explain_pairs(settled))
        arrivals = explain_downfloaters(settled)
        # Free the graphs of a large bracket before building the next.
        del settled
        advance_group_progress()
    left_over = next(iter(arrivals), None)
    return pairs, None if left_over is None else explain_bye(left_over, below, arrivals[left_over])


def make_bracket(
    below: CompletionMatching, group: int, moved_down: Sequence[int], top: frozenset[PairingNumber]
) -> Bracket:
    """Build a bracket (1.3) from a score group and the players moved down to it, who cannot play one another."""
    span = below.spans[group]
    places = (*moved_down, *range(span.start, span.end))
    mdps = (1 << len(moved_down)) - 1
    return Bracket(
        score=below.players[span.start].pairing_score,
        players=tuple(below.players[place] for place in places),
        places=places,
        moved_down_count=len(moved_down),
        graph=tuple(
            own & ~mdps if vertex < len(moved_down) else own
            for vertex, own in enumerate(below.compatibility_graph_of(places))
        ),
        topscorers=top,
    )


def pair_bracket(around: DownfloaterSearch, arrivals: FloatReasonsByPlace) -> PairedBracket:
    """Find the best candidate of a bracket, the first if several are equally good."""
    opened = around.open_exits()
    face = find_best_candidates(opened)
    candidate = find_first_candidate(face, opened.bracket)
    if not opened.is_certain and not around.can_leave_together(candidate.leaving):
        opened = around.open_exits_to_everyone()
        face = find_best_candidates(opened)
        candidate = find_first_candidate(face, opened.bracket)
    explained = opened, face
    if not opened.is_certain and len(opened.bracket.places) + around.count_below() <= MAX_PLAYERS_EXPLAINED_TOGETHER:
        # Exits chosen one by one say too little about what others who leave together would have cost.
        wide = around.open_exits_to_everyone()
        explained = wide, find_best_candidates(wide)
        find_first_candidate(explained[1], explained[0].bracket)
    return PairedBracket(
        around,
        opened,
        face,
        candidate,
        CriterionCounterfactuals(explained[0].bracket, explained[1], candidate),
        arrivals,
    )


MAX_PLAYERS_EXPLAINED_TOGETHER = 100
"""With at most this many players in a bracket and below, compare all sets of downfloaters for the reasons."""


def find_best_candidates(opened: BracketWithExits) -> CandidateSet | OddSetCandidates:
    """Find all candidates that are best under C6 to C21."""
    face: CandidateSet | OddSetCandidates = CandidateSet(opened.bracket.graph, opened.matching)
    for costs in (*opened.costs, *all_criterion_costs(opened.bracket)):
        face = face.keep_best_candidates(costs)
        if isinstance(face, OddSetCandidates) and not face.remaining_graph.borders:
            face = CandidateSet(face.graph, MaximumMatching(face.graph, pairs=face.current_pairs), face.steps)
    return face
