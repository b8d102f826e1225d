"""The procedure of the Swiss system based on rating of 1992, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pairing.engine.paired_round import PairedBye, PairedRound, PlayerScore
from pairing.engine.progress import advance_group_progress, start_group_progress
from pairing.engine.rules.board_order import assign_boards
from pairing.engine.rules.colour_preferences import non_absolute_preference
from pairing.engine.rules.players import PairingPlayer, PlayerOrder, players_from_snapshot, score_groups
from pairing.engine.rules.reason_evidence import add_evidence
from pairing.engine.rules.round_groups import EvidenceRules
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_1992.brackets import Bracket, Downfloater, Pair, a2_sort_key, make_bracket
from pairing.engine.systems.dutch_1992.candidate_search import BracketContext
from pairing.engine.systems.dutch_1992.candidates import find_first_candidate
from pairing.engine.systems.dutch_1992.colours import allocate_colours
from pairing.engine.systems.dutch_1992.completion_criterion import UnpairedPlayers
from pairing.engine.systems.dutch_1992.reasons import explain_bye, explain_floaters, explain_pairs


def pair_next_round(
    snapshot: TournamentSnapshot,
    *,
    order: PlayerOrder | None = None,
    fictitious: Mapping[PairingNumber, Sequence[int]] | None = None,
) -> PairedRound:
    """Pair the next round.

    `order` replaces the TPNs inside score groups (Jahr). `fictitious` gives everyone's fictitious half points for
    rounds 1, 2, ... up to this one (accelerations). Raises PairingImpossible if there is no legal round.
    """
    field = players_from_snapshot(snapshot, numbers=order.positions if order else None, fictitious=fictitious)
    present = [player for player in field if player.is_to_be_paired]
    if snapshot.is_last_round:
        present = apply_last_round_rules(present, snapshot)
    pairs, bye = pair_brackets(present)
    boards = assign_boards(allocate_colours(one, snapshot.first_colour) for one in pairs)
    games, bye = add_evidence(boards, bye, present, EvidenceRules())
    return PairedRound(
        system=order.system if order else "dutch-1992",
        round_number=snapshot.round_number,
        games=games,
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def apply_last_round_rules(players: Iterable[PairingPlayer], snapshot: TournamentSnapshot) -> list[PairingPlayer]:
    """Remove absolute preferences and float rules for players with over half of the maximum score (A7 a, note to B)."""
    return [
        replace(player, preference=non_absolute_preference(player.colours), floats=())
        if player.score > snapshot.rounds_paired
        else player
        for player in players
    ]


def pair_brackets(players: Sequence[PairingPlayer]) -> tuple[list[Pair], PairedBye | None]:
    """Pair bracket by bracket from the top (C). The last player left over gets the bye (A5)."""
    unpaired = UnpairedPlayers(sorted(players, key=a2_sort_key))
    groups = score_groups(players)
    start_group_progress(len(groups))
    pairs: list[Pair] = []
    floaters: tuple[Downfloater, ...] = ()
    for number, group in enumerate(groups):
        following = groups[number + 1].residents if number + 1 < len(groups) else None
        bracket = make_bracket(group.score, floaters, group.residents, following)
        formed, floaters = pair_bracket(bracket, unpaired)
        pairs += formed
        advance_group_progress()
    return pairs, explain_bye(floaters[0], players) if floaters else None


def pair_bracket(bracket: Bracket, unpaired: UnpairedPlayers) -> tuple[list[Pair], tuple[Downfloater, ...]]:
    """Return the pairs in a bracket, and everyone who moves down from it."""
    unpaired.remove_players(bracket.company.players)
    around = BracketContext(bracket, unpaired)
    candidate = find_first_candidate(around)
    pairs, floaters = explain_pairs(around, candidate), explain_floaters(around, candidate)
    unpaired.return_downfloaters(around.players_at_vertices(candidate.leaving))
    return pairs, floaters
