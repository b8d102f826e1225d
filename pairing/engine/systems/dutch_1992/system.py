"""The procedure of the Swiss system based on rating of 1992, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pairing.engine.paired_round import PairedBye, PairedRound, PlayerScore
from pairing.engine.rules.boards import seat
from pairing.engine.rules.colours import relative_preference
from pairing.engine.rules.field import Contender, take_field
from pairing.engine.rules.order import Order
from pairing.engine.rules.score_groups import score_groups
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_1992.brackets import Bracket, Floater, Pair, a2, make_bracket
from pairing.engine.systems.dutch_1992.candidates import first_candidate
from pairing.engine.systems.dutch_1992.colours import give_colours
from pairing.engine.systems.dutch_1992.options import Surroundings
from pairing.engine.systems.dutch_1992.reasons import explain_bye, explain_floaters, explain_pairs
from pairing.engine.systems.dutch_1992.unpaired import Unpaired
from pairing.engine.watching import begin_groups, group_done


def pair(
    snapshot: TournamentSnapshot,
    *,
    order: Order | None = None,
    fictitious: Mapping[PairingNumber, Sequence[int]] | None = None,
) -> PairedRound:
    """Pair the next round.

    `order` replaces the TPNs inside score groups (Jahr); `fictitious` gives everyone's fictitious half points for
    rounds 1, 2, ... up to this one (accelerations). Raises PairingImpossible where no legal round exists.
    """
    field = take_field(snapshot, numbers=order.positions if order else None, fictitious=fictitious)
    present = [player for player in field if player.to_be_paired]
    pairs, bye = pair_brackets(in_last_round(present, snapshot) if snapshot.is_last_round else present)
    return PairedRound(
        system=order.system if order else "dutch-1992",
        round_number=snapshot.round_number,
        games=seat(give_colours(one, snapshot.first_colour) for one in pairs),
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def in_last_round(players: Iterable[Contender], snapshot: TournamentSnapshot) -> list[Contender]:
    """A7 a, note to B: with more than half of the maximum nobody must have a colour, and floats do not count."""
    return [
        replace(player, preference=relative_preference(player.colours), floats=())
        if player.score > snapshot.rounds_paired
        else player
        for player in players
    ]


def pair_brackets(players: Sequence[Contender]) -> tuple[list[Pair], PairedBye | None]:
    """C: bracket by bracket from the top; the one left over in the last has the bye (A5)."""
    unpaired = Unpaired(sorted(players, key=a2))
    groups = score_groups(players)
    begin_groups(len(groups))
    pairs: list[Pair] = []
    floaters: tuple[Floater, ...] = ()
    for number, group in enumerate(groups):
        following = groups[number + 1].residents if number + 1 < len(groups) else None
        bracket = make_bracket(group.score, floaters, group.residents, following)
        formed, floaters = pair_bracket(bracket, unpaired)
        pairs += formed
        group_done()
    return pairs, explain_bye(floaters[0]) if floaters else None


def pair_bracket(bracket: Bracket, unpaired: Unpaired) -> tuple[list[Pair], tuple[Floater, ...]]:
    """The pairs of a bracket, and all who leave it downwards."""
    unpaired.take_out(bracket.company.players)
    around = Surroundings(bracket, unpaired)
    candidate = first_candidate(around)
    pairs, floaters = explain_pairs(around, candidate), explain_floaters(around, candidate)
    unpaired.bring_back(around.contenders(candidate.leaving))
    return pairs, floaters
