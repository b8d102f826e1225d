"""The procedure of the Dubov Swiss system (FIDE 1997) from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from pairing.engine.matching import bitmask_members
from pairing.engine.paired_round import DecisionCause, PairedRound, PairingReason, PlayerScore, ReasonKind, make_reason
from pairing.engine.progress import advance_group_progress, start_group_progress
from pairing.engine.rule_interpretations import (
    FIRST_ROUND_COLOURS,
    RULE_INTERPRETATIONS,
    UPFLOAT_COUNTING,
    format_interpretation,
)
from pairing.engine.rules.board_order import assign_boards
from pairing.engine.rules.compatibility import CompatibilityGraph, no_legal_round_error
from pairing.engine.rules.players import PairingPlayer, players_from_snapshot
from pairing.engine.rules.reason_evidence import add_evidence
from pairing.engine.rules.rejected_candidates import candidate_facts, candidates_near_opponent, take_later_candidates
from pairing.engine.rules.round_groups import EvidenceRules
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.dubov_1997.bye import choose_bye
from pairing.engine.systems.dubov_1997.colours import allocate_colours
from pairing.engine.systems.dubov_1997.column_pairing import balance_colour_columns, pair_colour_columns
from pairing.engine.systems.dubov_1997.downfloaters import send_down_floaters
from pairing.engine.systems.dubov_1997.players import (
    DubovPlayer,
    UpfloatRounds,
    average_opponent_ratings,
    build_dubov_players,
    find_upfloat_rounds,
)
from pairing.engine.systems.dubov_1997.procedure_state import (
    DubovEvent,
    Pair,
    PlayersBelowGroup,
    ScoreGroupInProgress,
    article_reference,
    explain_rejected_candidate,
)
from pairing.engine.systems.dubov_1997.upfloaters import complete_odd_group, pair_incoming_floaters, supply_opponents

MIN_LONG_EVENT_ROUNDS = 10
"""From this many rounds on, a player may float up one more time (2.5)."""


def pair_next_round(
    snapshot: TournamentSnapshot, *, fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None = None
) -> PairedRound:
    """Pair the next round.

    `fictitious` gives everyone's fictitious half points for rounds 1, 2, ... up to this one (accelerations). Raises
    PairingImpossible if there is no legal round.
    """
    field = players_from_snapshot(snapshot, fictitious=fictitious)
    moved_up = None
    if (
        snapshot.chosen_interpretation(UPFLOAT_COUNTING) == RULE_INTERPRETATIONS[UPFLOAT_COUNTING].alternative_value
        and not snapshot.is_last_round
    ):
        moved_up = find_upfloat_rounds(snapshot, field, partial(_pair_anew, fictitious))
    return _pair(snapshot, field, fictitious, moved_up)


def _pair_anew(
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None, before: TournamentSnapshot, moved_up: UpfloatRounds
) -> PairedRound:
    """Pair an earlier round again. `fictitious` has the points up to a later one."""
    if fictitious is not None:
        fictitious = {tpn: points[: before.round_number] for tpn, points in fictitious.items()}
    return _pair(before, players_from_snapshot(before, fictitious=fictitious), fictitious, moved_up)


def _pair(
    snapshot: TournamentSnapshot,
    field: Sequence[PairingPlayer],
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None,
    moved_up: UpfloatRounds | None,
) -> PairedRound:
    present = build_dubov_players(
        (player for player in field if player.is_to_be_paired), average_opponent_ratings(snapshot), snapshot
    )
    bye = choose_bye(present, is_first_round=snapshot.rounds_paired == 0)
    event = event_from_snapshot(
        snapshot, [entrant for entrant in present if bye is None or entrant.tpn != bye.player], moved_up
    )
    games, bye = add_evidence(
        assign_boards(allocate_colours(one, event) for one in pair_score_groups(event)),
        bye,
        [entrant.contender for entrant in present],
        EvidenceRules(has_bye_first=True, moves_up_first=True),
    )
    return PairedRound(
        system="dubov-1997",
        round_number=snapshot.round_number,
        games=games,
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def event_from_snapshot(
    snapshot: TournamentSnapshot, entrants: Sequence[DubovPlayer], moved_up: UpfloatRounds | None = None
) -> DubovEvent:
    """Read facts about the event. Its number of rounds and the last round decide who may float up (2.5).

    `moved_up` is set where upfloats are not read from the float marks.
    """
    rounds = snapshot.rounds_announced
    return DubovEvent(
        entrants=tuple(entrants),
        company=CompatibilityGraph([entrant.contender for entrant in entrants]),
        rounds_paired=snapshot.rounds_paired,
        is_last_round=snapshot.is_last_round,
        upfloat_limit=4 if rounds is not None and rounds >= MIN_LONG_EVENT_ROUNDS else 3,
        first_colour=snapshot.first_colour,
        interpretations={name: snapshot.chosen_interpretation(name) for name in RULE_INTERPRETATIONS},
        counted_upfloats=moved_up,
    )


def pair_score_groups(event: DubovEvent) -> Iterator[Pair]:
    """Pair the groups from the top down. Unpaired players go on to the next (6, 7)."""
    below = PlayersBelowGroup(event)
    if below.matching.deficiency:
        raise no_legal_round_error(event.company, article_reference("2"))
    start_group_progress(len(below.groups))
    group = None
    while group := below.take_next_group(group):
        next_group = below.nearest_group()
        supply_opponents(group, below, event)
        complete_odd_group(group, below, event, next_group)
        send_down_floaters(group, below, event)
        for one in pair_first_round_group(group, event) if event.is_first_round else pair_group_members(group, event):
            yield one._replace(reasons=(_in_group(group), *_floats(one), *one.reasons))
        advance_group_progress()


def pair_group_members(group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair the floaters from above, then the rest in two columns (8, 6)."""
    yield from pair_incoming_floaters(group, event)
    yield from pair_colour_columns(
        balance_colour_columns(bitmask_members(group.member_mask), group.score, event), group, event
    )


def _in_group(group: ScoreGroupInProgress) -> PairingReason:
    return make_reason(article_reference("6.1"), ReasonKind.SCORE_GROUP, half_points=group.score)


def _floats(one: Pair) -> tuple[PairingReason, ...]:
    notes = one.group.notes
    return (*notes.get(one.chooser, ()), *notes.get(one.opponent, ()))


COLOURS_BY_NUMBER = RULE_INTERPRETATIONS[FIRST_ROUND_COLOURS].alternative_value


def pair_first_round_group(group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair the halves in order (5). Colours alternate from pair to pair, or by odd and even numbers.

    If that opponent is impossible, the player gets the first possible of the bottom half from its top, then of their
    own half from its bottom.
    """
    # Places are in the order of pairing numbers.
    left = list(bitmask_members(group.member_mask))
    top, bottom = left[: len(left) // 2], left[len(left) // 2 :]
    colour = event.first_colour
    while top or bottom:
        chooser = (top or bottom).pop(0)
        pair = _first_round_pair(chooser, top, bottom, group, event)
        opponent = pair.opponent
        (top if opponent in top else bottom).remove(opponent)
        odd = event.entrants[chooser].tpn % 2 == 1
        by_number = event.first_colour if odd else event.first_colour.opposite
        given = by_number if event.has_interpretation(FIRST_ROUND_COLOURS, COLOURS_BY_NUMBER) else colour
        reading = (
            None
            if by_number is colour
            else format_interpretation(FIRST_ROUND_COLOURS, event.interpretations[FIRST_ROUND_COLOURS])
        )
        yield pair._replace(white=chooser if given is Colour.WHITE else opponent, interpretation=reading)
        colour = colour.opposite


def _first_round_pair(
    chooser: int, top: list[int], bottom: list[int], group: ScoreGroupInProgress, event: DubovEvent
) -> Pair:
    candidates = [*bottom, *reversed(top)]
    tried: list[int] = []

    def record_tried_candidates() -> Iterator[int]:
        for candidate in candidates:
            tried.append(candidate)
            yield candidate

    group.matching.fix_first_possible_pair(chooser, record_tried_candidates())
    *passed, opponent = tried
    one, other = event.entrants[chooser], event.entrants[opponent]
    later = take_later_candidates(candidates[len(tried) :], len(candidates) - len(tried))
    listed = (event.entrants[place].tpn for place in candidates_near_opponent(passed, opponent, later))
    why = make_reason(
        article_reference("5"),
        ReasonKind.OPPONENT,
        one.tpn,
        other.tpn,
        step="halves",
        place=len(tried),
        **candidate_facts(listed, later),
    )
    over = (
        explain_rejected_candidate(one, event.entrants[candidate], "5", DecisionCause.BLOCKS_GROUP)
        for candidate in passed
    )
    return Pair(chooser, opponent, group, (why, *over))
