"""The procedure of the FIDE Swiss rules of 1987, as amended in 1988 and 1989, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pairing.engine.matching import MaximumMatching
from pairing.engine.paired_round import PairedRound, PairingReason, PlayerScore, ReasonFact, ReasonKind, make_reason
from pairing.engine.progress import advance_group_progress, start_group_progress
from pairing.engine.rule_interpretations import FORFEIT_WIN_BYES
from pairing.engine.rules.board_order import assign_boards
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer, PlayerOrder, ScoreGroup, players_from_snapshot, score_groups
from pairing.engine.rules.reason_evidence import add_evidence
from pairing.engine.rules.round_groups import EvidenceRules
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.fide_1989.article_10_conditions import Article10Conditions
from pairing.engine.systems.fide_1989.bye import choose_bye
from pairing.engine.systems.fide_1989.colours import allocate_colours
from pairing.engine.systems.fide_1989.incoming_floaters import pair_incoming_floaters
from pairing.engine.systems.fide_1989.outgoing_floaters import send_out_floaters
from pairing.engine.systems.fide_1989.procedure_state import (
    Fide1989Event,
    Floater,
    MedianSide,
    Pair,
    ScoreBracket,
    article_reference,
)
from pairing.engine.systems.fide_1989.resident_pairing import pair_residents, widen_median_group


def pair_next_round(
    snapshot: TournamentSnapshot,
    *,
    order: PlayerOrder | None = None,
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None = None,
) -> PairedRound:
    """Pair the next round.

    `order` replaces the TPNs inside score groups (Jahr). `fictitious` gives everyone's fictitious half points for
    rounds 1, 2, ... up to this one (accelerations). Raises PairingImpossible if there is no legal round.
    """
    field = players_from_snapshot(snapshot, numbers=order.positions if order else None, fictitious=fictitious)
    present = [player for player in field if player.is_to_be_paired]
    event = event_from_snapshot(snapshot, by_rating=order is None)
    bye = choose_bye(present, event)
    to_pair = [player for player in present if bye is None or player.tpn != bye.player]
    median = median_score(snapshot, to_pair, accelerated=_is_accelerated(snapshot, fictitious))
    pairs = pair_score_groups(score_groups(to_pair), median, event)
    games, bye = add_evidence(
        assign_boards(allocate_colours(one, event) for one in pairs),
        bye,
        present,
        EvidenceRules(any_colour=event.any_colour, has_bye_first=True),
    )
    return PairedRound(
        system=order.system if order else "fide-1989",
        round_number=snapshot.round_number,
        games=games,
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def event_from_snapshot(snapshot: TournamentSnapshot, *, by_rating: bool) -> Fide1989Event:
    """Read facts about the event: a maxi event has more listed players than 2 to the power of its rounds (preface)."""
    rounds = snapshot.rounds_announced
    return Fide1989Event(
        round_number=snapshot.round_number,
        forfeit_win_byes=snapshot.chosen_interpretation(FORFEIT_WIN_BYES),
        is_maxi=by_rating and rounds is not None and len(snapshot.cards) > 2**rounds,
        any_colour=snapshot.is_last_round,
        first_colour=snapshot.first_colour,
    )


def median_score(snapshot: TournamentSnapshot, players: Sequence[PairingPlayer], *, accelerated: bool) -> HalfPoints:
    """Return the median score (9.2): half the rounds played or, with acceleration, the middle player's score."""
    if not accelerated or not players:
        return snapshot.rounds_paired
    scores = sorted((player.pairing_score for player in players), reverse=True)
    return scores[(len(scores) + 1) // 2 - 1]


def pair_score_groups(groups: Sequence[ScoreGroup], median: HalfPoints, event: Fide1989Event) -> list[Pair]:
    """Pair the groups above the median downwards, the groups below it upwards, then the median group (9.2)."""
    middle = next((group for group in groups if group.score == median), ScoreGroup(score=median, residents=()))
    above = [group for group in groups if group.score > median]
    below = [group for group in reversed(groups) if group.score < median]
    start_group_progress(len(above) + len(below) + 1)
    pairs_above, from_above = pair_median_side(MedianSide.ABOVE, above, middle, event)
    pairs_below, from_below = pair_median_side(MedianSide.BELOW, below, middle, event)
    group = ScoreBracket(
        score=median,
        side=MedianSide.MEDIAN if above or below else MedianSide.WHOLE,
        residents=middle.residents,
        incoming=(*from_above, *from_below),
    )
    company = CompatibilityGraph(group.all_players(), any_colour=event.any_colour)
    matching = MaximumMatching(company.neighbour_masks)
    if matching.deficiency:
        group, pairs_above, pairs_below = widen_median_group(group, pairs_above, pairs_below, event)
        company = CompatibilityGraph(group.all_players(), any_colour=event.any_colour)
        matching = MaximumMatching(company.neighbour_masks)
    pairs = [*pairs_above, *pairs_below, *pair_group_members(group, company, matching, event)]
    advance_group_progress()
    return pairs


def pair_median_side(
    side: MedianSide, groups: Sequence[ScoreGroup], middle: ScoreGroup, event: Fide1989Event
) -> tuple[list[Pair], tuple[Floater, ...]]:
    """Pair the groups on one side, farthest from the median first. Return the pairs and the floaters to the median."""
    pairs: list[Pair] = []
    floaters: tuple[Floater, ...] = ()
    for this, following in pairwise([*groups, middle]):
        group = ScoreBracket(score=this.score, side=side, residents=this.residents, incoming=floaters)
        formed, floaters = pair_score_group(group, following, event)
        pairs += formed
        advance_group_progress()
    return pairs, floaters


def pair_score_group(
    group: ScoreBracket, following: ScoreGroup, event: Fide1989Event
) -> tuple[list[Pair], tuple[Floater, ...]]:
    """Send the floaters to the following group (9.3), then pair the players who stay."""
    company = CompatibilityGraph(group.all_players(), any_colour=event.any_colour)
    beyond = CompatibilityGraph(following.residents, any_colour=event.any_colour)
    matching = MaximumMatching(company.neighbour_masks)
    floaters = send_out_floaters(Article10Conditions(group, company, beyond), matching, following, event)
    return pair_group_members(group, company, matching, event), floaters


def pair_group_members(
    group: ScoreBracket, company: CompatibilityGraph, matching: MaximumMatching, event: Fide1989Event
) -> list[Pair]:
    """Pair incoming floaters first, then the rest (10.6.3, 10.7.3), in the order in which pairs are formed."""
    pairs = [*pair_incoming_floaters(group, company, matching, event)]
    pairs += pair_residents(group, company, matching, event)
    return [one._replace(reasons=(_in_group(group, event), *_floats(one), *one.reasons)) for one in pairs]


def _in_group(group: ScoreBracket, event: Fide1989Event) -> PairingReason:
    facts: dict[str, ReasonFact] = {"half_points": group.score, "side": group.side}
    # With an acceleration, the median may be another score.
    if group.side is MedianSide.MEDIAN and group.score == event.round_number - 1:
        facts["rounds"] = group.score
    return make_reason(article_reference("9.2"), ReasonKind.SCORE_GROUP, **facts)


def _floats(one: Pair) -> tuple[PairingReason, ...]:
    return (*one.group.float_reasons(one.chooser), *one.group.float_reasons(one.opponent))


def _is_accelerated(
    snapshot: TournamentSnapshot, fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None
) -> bool:
    return fictitious is not None or any(card.fictitious for card in snapshot.cards)
