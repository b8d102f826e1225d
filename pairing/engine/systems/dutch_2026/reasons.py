"""The reasons for the pairing of a bracket, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.paired_round import (
    DecisionCause,
    PairedBye,
    PairingReason,
    ReasonEntry,
    ReasonFact,
    ReasonKind,
    ReasonRun,
    copy_reason_for_players,
    make_reason,
    make_single_reason,
    with_facts,
)
from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.rules.compatibility import PairingObstacle, find_pairing_obstacle, leftover_pair_facts
from pairing.engine.rules.exchanges import MAX_COUNTED_EXCHANGES, MAX_LISTED_EXCHANGES, earlier_exchanges
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.rejected_candidates import candidate_facts, candidates_near_opponent
from pairing.engine.rules.shared_facts import (
    MAX_LISTED_HALF,
    KeptPlayer,
    earlier_float_facts,
    half_facts,
    kept_facts,
)
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidate_sets import CandidateSet, OddSetCandidates
from pairing.engine.systems.dutch_2026.candidates import CandidatePairing, TranspositionStep
from pairing.engine.systems.dutch_2026.completion_criterion import CompletionMatching, explain_bye_refusal
from pairing.engine.systems.dutch_2026.counterfactuals import CriterionCounterfactuals, FailedCriterion
from pairing.engine.systems.dutch_2026.downfloater_counterfactuals import DownfloaterCounterfactuals
from pairing.engine.systems.dutch_2026.downfloaters import BracketWithExits, DownfloaterSearch
from pairing.engine.systems.dutch_2026.players import article_reference, count_unplayed_games, is_due_colour

CRITERION_ROUNDS_BACK = {"C14": 1, "C15": 1, "C16": 2, "C17": 2, "C18": 1, "C19": 1, "C20": 2, "C21": 2}
"""How many rounds back each criterion looks for floats."""
DOWNFLOAT_CRITERIA = ("C14", "C16", "C18", "C20")
"""The criteria about players who floated down; the others are about those who floated up."""
MAX_NAMED_PLAYERS = 12
"""Name at most this many players who lack opponents below."""
MAX_LISTED_CRITERIA = 8
"""In groups with at most this many pairs, say on what other pairings without an exchange fail."""
_OVER = ReasonKind.PASSED_OVER
_DOWNFLOATER_CAUSES = {
    "C4": DecisionCause.BLOCKS_REST,
    "C5": DecisionCause.HIGHER_BYE,
    "C6": DecisionCause.BLOCKS_GROUP,
    "C8": DecisionCause.LOOK_AHEAD,
}
"""The causes by the first criterion of downfloaters that decides; the others only name the criterion."""
FloatReasonsByPlace = dict[int, tuple[PairingReason, ...]]
"""The reasons why players came down to the current bracket, by place."""


class PairedBracket(NamedTuple):
    """A bracket with its pairing and the data needed to explain it."""

    downfloater_search: DownfloaterSearch
    bracket_with_exits: BracketWithExits
    candidate_set: CandidateSet | OddSetCandidates
    candidate: CandidatePairing
    counterfactuals: CriterionCounterfactuals
    arrivals: FloatReasonsByPlace

    @property
    def bracket(self) -> Bracket:
        return self.bracket_with_exits.bracket

    @property
    def is_lowest_bracket(self) -> bool:
        return self.downfloater_search.group + 1 == len(self.downfloater_search.below.spans)

    @property
    def downfloater_counterfactuals(self) -> DownfloaterCounterfactuals:
        return DownfloaterCounterfactuals(
            self.downfloater_search, self.bracket_with_exits.leavers, self.candidate.leaving
        )


def explain_pairs(settled: PairedBracket) -> Iterator[tuple[PairingPlayer, PairingPlayer, tuple[ReasonEntry, ...]]]:
    """Yield the pairs of a bracket with all their reasons except the colour reason."""
    bracket = settled.bracket
    group = make_reason(article_reference("1.3"), ReasonKind.SCORE_GROUP, half_points=bracket.score)
    exchanged = _exchanged(settled)
    tried = _earlier_exchanges(settled) if exchanged else ()
    wanted = [*_lack_of_opponents(settled)] if tried and _rests_on_lower_players(tried[0]) else []
    for number, turn in enumerate(settled.candidate.turns):
        both = (turn.chooser, turn.opponent)
        came = [why for vertex in both for why in settled.arrivals.get(bracket.places[vertex], ())]
        moved = [exchanged[vertex] for vertex in both if vertex in exchanged]
        if moved:
            moved += (*tried, *wanted)
        elif not turn.is_moved_down:
            # Later pairs only make sense with the exchanges, which changed the halves.
            moved += (*exchanged.values(), *tried[:1])
        one, other = (bracket.players[vertex] for vertex in both)
        yield one, other, (group, *came, *moved, _chosen(settled, turn), *_passed_over(settled, number))


def _rests_on_lower_players(why: PairingReason) -> bool:
    """Return True if somebody could not leave, or not alone, because of the players below (C4, C5)."""
    causes = {str(why.get_fact("because")), *str(why.get_fact("kept_because")).split(",")}
    return not causes.isdisjoint((DecisionCause.BLOCKS_REST, DecisionCause.HIGHER_BYE))


def explain_downfloaters(settled: PairedBracket) -> FloatReasonsByPlace:
    """Return the reasons for all players who leave. If only one does, also say why lower players stay."""
    bracket, leaving = settled.bracket, settled.candidate.leaving
    told: FloatReasonsByPlace = {}
    exchanged = _exchanged(settled)
    for vertex in leaving:
        # The player left over in the lowest bracket gets the bye instead.
        why = [] if settled.is_lowest_bracket else [_left(settled, vertex)]
        if vertex in exchanged:
            why += (exchanged[vertex], *_earlier_exchanges(settled))
        if len(leaving) == 1:
            why += _others_stayed(settled, vertex)
        if any(map(_rests_on_lower_players, why)):
            why += _lack_of_opponents(settled)
        told[bracket.places[vertex]] = (*settled.arrivals.get(bracket.places[vertex], ()), *why)
    return told


def explain_bye(place: int, below: CompletionMatching, whys: tuple[PairingReason, ...]) -> PairedBye:
    """Explain why the last player left over gets the bye (C5), and why nobody with a lower score does."""
    player = below.players[place]
    got = make_reason(
        article_reference("C5"),
        ReasonKind.BYE,
        player.tpn,
        half_points=player.pairing_score,
        step="left over",
        lower=len(below.players) - place - 1,
    )
    lower = [one for one in below.players[place + 1 :] if one.pairing_score < player.pairing_score]
    told = {why.players[0] for why in whys if why.kind is ReasonKind.BYE_PASSED_OVER}
    over = [
        explain_bye_refusal(one)
        or make_reason(article_reference("C4"), ReasonKind.BYE_PASSED_OVER, one.tpn, because=DecisionCause.BLOCKS_REST)
        for one in lower
        if one.tpn not in told
    ]
    return PairedBye(player=player.tpn, reasons=(got, *whys, *over))


def _left(settled: PairedBracket, vertex: int) -> PairingReason:
    """Explain why a player leaves: no opponent or odd number (C1, C3, C6), or the players below need it (C4, C5)."""
    bracket, around = settled.bracket, settled.downfloater_search
    inside = bracket.graph[vertex] & bracket.player_mask
    if bracket.size == 1:
        number, cause = "C6", DecisionCause.NO_OPPONENT
    elif not inside:
        number, cause = "C1", DecisionCause.NO_OPPONENT
        if any(
            (between := _obstacle(bracket, bracket.players[vertex], one))
            and between.cause is DecisionCause.SAME_ABSOLUTE_COLOUR
            for one in bracket.players
            if one is not bracket.players[vertex]
        ):
            number = "C3"
    elif len(settled.candidate.leaving) == 1:
        number, cause = "C6", DecisionCause.ODD_GROUP
    elif len(settled.candidate.leaving) == around.inside.deficiency:
        number, cause = "C6", DecisionCause.BLOCKS_GROUP
    else:
        number = settled.downfloater_counterfactuals.criterion_against_fewer()
        cause = _DOWNFLOATER_CAUSES[number]
    return make_reason(
        article_reference(number),
        ReasonKind.FLOATED,
        bracket.players[vertex].tpn,
        from_half_points=bracket.score,
        to_half_points=around.below.players[around.below.spans[around.group + 1].start].pairing_score,
        direction="down",
        because=cause,
    )


def _lack_of_opponents(settled: PairedBracket) -> Iterator[PairingReason]:
    """Explain which lower players have too few opponents among themselves (C4)."""
    around = settled.downfloater_search
    level = around.below.levels[around.group]
    if not level.lacking:
        return
    players = around.below.players
    missable, blocking = level.parts.missable, level.parts.blocking
    lacking = [*bitmask_members(missable & ~(1 << around.below.bye))]
    only = [players[place].tpn for place in bitmask_members(blocking) if place < len(players)]
    why = make_reason(
        article_reference("C4"),
        ReasonKind.LACK_OPPONENTS,
        *(players[place].tpn for place in lacking[:MAX_NAMED_PLAYERS]),
        half_points=settled.bracket.score,
        count=level.lacking,
        of=len(lacking),
        bye=bool(missable >> around.below.bye & 1),
    )
    inside = bitmask_of(lacking)
    each_other = any(around.below.neighbours[place] & inside for place in lacking)
    why = with_facts(why, only=tuple(only[:MAX_NAMED_PLAYERS]), each_other=each_other)
    yield why if around.below.has_open_bye else with_facts(why, bye_half_points=around.below.bye_score)


def _others_stayed(settled: PairedBracket, leaver: int) -> Iterator[PairingReason]:
    """Explain why each player below the leaver stays, in order."""
    for vertex in range(leaver + 1, settled.bracket.size):
        yield _stayed(settled, vertex, leaver)


def _stayed(settled: PairedBracket, vertex: int, leaver: int) -> PairingReason:
    bracket = settled.bracket
    one, gone = bracket.players[vertex], bracket.players[leaver]
    kind = ReasonKind.BYE_PASSED_OVER if settled.is_lowest_bracket else ReasonKind.STAYED
    players = (one.tpn,) if settled.is_lowest_bracket else (one.tpn, gone.tpn)

    def make_reason_with_cause(number: str, cause: DecisionCause, **facts: ReasonFact) -> PairingReason:
        return make_reason(article_reference(number), kind, *players, because=cause, **facts)

    if settled.is_lowest_bracket and (refused := explain_bye_refusal(one)) is not None:
        return refused
    step = settled.downfloater_counterfactuals.criterion_against_leaving(vertex)
    if step in _DOWNFLOATER_CAUSES:
        # In the lowest bracket, the others would be without a legal round.
        number = "C4" if step == "C6" and settled.is_lowest_bracket else step
        return make_reason_with_cause(number, _DOWNFLOATER_CAUSES[step], **_bye_score(settled, step))
    if step == "C9":
        unplayed = {"unplayed": count_unplayed_games(one), "fewest_unplayed": count_unplayed_games(gone)}
        return make_reason_with_cause(step, DecisionCause.WORSE_BY_CRITERION, criterion=step, **unplayed)
    if step is not None:
        return make_reason_with_cause(step, DecisionCause.WORSE_BY_CRITERION, criterion=step, **_shown(settled, step))
    criterion, counts = settled.counterfactuals.failed_criterion_for_leaving(vertex)
    if criterion is None:
        return make_reason_with_cause("4.2", DecisionCause.BETTER_CANDIDATE, **_without(settled, vertex))
    if criterion == "C6":
        return make_reason_with_cause(criterion, DecisionCause.BLOCKS_GROUP)
    if (
        counts
        and criterion in ("C14", "C16")
        and one.float_rounds_ago(CRITERION_ROUNDS_BACK[criterion]) is FloatDirection.DOWN
    ):
        floated: dict[str, ReasonFact] = {
            "round": len(one.floats) + 1 - CRITERION_ROUNDS_BACK[criterion],
            "direction": FloatDirection.DOWN.value,
        }
        return make_reason_with_cause(criterion, DecisionCause.FLOATED_BEFORE, **floated)
    return make_reason_with_cause(
        criterion, DecisionCause.WORSE_BY_CRITERION, criterion=criterion, **_shown(settled, criterion)
    )


def _bye_score(settled: PairedBracket, criterion: str) -> dict[str, ReasonFact]:
    """Return the lowest possible score of the bye, if C5 decided."""
    return {"bye_half_points": settled.downfloater_search.below.bye_score} if criterion == "C5" else {}


def _without(settled: PairedBracket, vertex: int) -> dict[str, ReasonFact]:
    """Return the first pair, or step, that would have been different if this player had left."""
    bracket, turns = settled.bracket, settled.candidate.turns
    for turn in turns:
        if vertex == turn.chooser:
            return {"rule": "moved_down_set" if turn.is_moved_down else "exchange"}
    if bracket.size > 2 * MAX_LISTED_HALF:
        return {}
    found = settled.counterfactuals.find_changed_turn(vertex, bracket.resident_mask)
    if found is None:
        return {"rule": "exchange"}
    players = bracket.players
    chooser, first, then = (players[one].tpn for one in (found[0].chooser, found[0].opponent, found[1]))
    return {"chooser": chooser, "first": first, "then": then}


def _kept(settled: PairedBracket, group: Iterable[int]) -> dict[str, ReasonFact]:
    """Return who in a group could not be the only one to leave it, and why (C4, C5, C6 or C8)."""
    if len(settled.candidate.leaving) != 1:
        return {}
    kept: list[KeptPlayer] = []
    for vertex in group:
        player = settled.bracket.players[vertex]
        if settled.is_lowest_bracket and explain_bye_refusal(player) is not None:
            kept.append(KeptPlayer(player.tpn, DecisionCause.HAD_POINT_WITHOUT_PLAY))
            continue
        step = settled.downfloater_counterfactuals.criterion_against_leaving(vertex)
        if step in _DOWNFLOATER_CAUSES:
            kept.append(KeptPlayer(player.tpn, _DOWNFLOATER_CAUSES[step]))
    return kept_facts(kept)


def _exchanged(settled: PairedBracket) -> dict[int, PairingReason]:
    """Explain who changed between S1 and S2 (4.3). No transposition works without it."""
    players, score = settled.bracket.players, settled.bracket.score
    leaving, entering = settled.candidate.exchange.leaving, settled.candidate.exchange.entering
    return {
        vertex: make_reason(
            article_reference("4.3"),
            ReasonKind.MOVED_TO_HALF,
            players[vertex].tpn,
            *(players[other].tpn for other in instead),
            half=half,
            half_points=score,
        )
        for vertices, half, instead in ((leaving, "S2", entering), (entering, "S1", leaving))
        for vertex in vertices
    }


def _earlier_exchanges(settled: PairedBracket) -> tuple[PairingReason, ...]:
    """Return why each exchange before the one made failed."""
    return tuple(_each_earlier_exchange(settled))


def _each_earlier_exchange(settled: PairedBracket) -> Iterator[PairingReason]:
    """Explain what each earlier exchange failed on (4.3), starting with no exchange."""
    bracket, candidate = settled.bracket, settled.candidate
    first = [turn[:2] for turn in candidate.turns if turn.is_moved_down]
    gone = bitmask_of(vertex for pair in first for vertex in pair)
    group = list(bitmask_members(bracket.resident_mask & ~gone))
    pairs = len(candidate.turns) - len(first)
    leaving = bitmask_of(range(bracket.moved_down_count)) & ~gone
    earlier = earlier_exchanges(group, pairs, candidate.exchange)
    for one in islice(earlier, MAX_LISTED_EXCHANGES):
        upper = bitmask_of(group[:pairs]) & ~bitmask_of(one.leaving) | bitmask_of(one.entering)
        lower = bitmask_of(group) & ~upper
        found, before = settled.counterfactuals.failed_criterion_for_halves(upper, lower, first, leaving)
        criterion = found or settled.downfloater_counterfactuals.criterion_against_halves(upper, lower, first, leaving)
        players = [bracket.players[vertex].tpn for vertex in (*one.leaving, *one.entering)]
        facts: dict[str, ReasonFact] = {"because": _DOWNFLOATER_CAUSES.get(criterion), **_bye_score(settled, criterion)}
        if criterion not in _DOWNFLOATER_CAUSES:
            facts = {"because": DecisionCause.WORSE_BY_CRITERION, "criterion": criterion}
            facts |= _shown(settled, criterion, of_halves=True)
        if not one.leaving:
            facts |= half_facts([bracket.players[vertex].tpn for vertex in group], pairs) | _kept(settled, group)
        if (
            not one.leaving
            and pairs <= MAX_LISTED_CRITERIA
            and (others := settled.counterfactuals.criteria_against_some(before, upper, lower, first, leaving))
        ):
            facts["others_fail"] = ",".join(others)
        yield make_reason(
            article_reference(criterion),
            ReasonKind.EXCHANGE_TRIED,
            *players,
            leaving=len(one.leaving),
            half_points=bracket.score,
            **facts,
        )
    if more := sum(1 for _ in islice(earlier, MAX_COUNTED_EXCHANGES - MAX_LISTED_EXCHANGES)):
        all_counted = more < MAX_COUNTED_EXCHANGES - MAX_LISTED_EXCHANGES
        yield make_reason(article_reference("4.3"), ReasonKind.EXCHANGES_TRIED, count=more, at_least=not all_counted)


def _shown(settled: PairedBracket, criterion: str, *, turn: int = 0, of_halves: bool = False) -> dict[str, ReasonFact]:
    """Return the numbers behind a failed criterion: preferences not met in the pairing chosen, or who floated before.

    Only the pairs from this turn on count. `of_halves` leaves out the pairs of moved-down players.
    """
    players, moved_down = settled.bracket.players, settled.bracket.moved_down_count
    turns = [one for one in settled.candidate.turns[turn:] if not (of_halves and one.is_moved_down)]
    left = sorted({*settled.candidate.leaving, *(vertex for one in turns for vertex in one[:2])})
    if criterion in CRITERION_ROUNDS_BACK:
        direction = FloatDirection.DOWN if criterion in DOWNFLOAT_CRITERIA else FloatDirection.UP
        floated = [players[vertex] for vertex in left if vertex >= moved_down or criterion in ("C18", "C20")]
        return earlier_float_facts(floated, direction, (CRITERION_ROUNDS_BACK[criterion],))
    last = [(players[one.chooser], players[one.opponent]) for one in turns]
    if criterion == "C12":
        clashes = sum(one.due_colour is not None and one.due_colour is other.due_colour for one, other in last)
        return {"clashes": clashes, "of": len(last)}
    if criterion == "C13":
        strong = [players[vertex] for vertex in left if _is_strong(players[vertex])]
        facts: dict[str, ReasonFact] = {"unmet": sum(_leaves_strong_unmet(one, other) for one, other in last)}
        if len(strong) <= MAX_NAMED_PLAYERS:
            for name, strength in (("strong", PreferenceStrength.STRONG), ("must", PreferenceStrength.ABSOLUTE)):
                for colour in Colour:
                    facts[f"{name}_{colour.name.lower()}"] = tuple(
                        player.tpn for player in strong if is_due_colour(player, colour, strength)
                    )
        return facts
    return {}


def _is_strong(player: PairingPlayer) -> bool:
    return player.preference is not None and player.preference.strength >= PreferenceStrength.STRONG


def _leaves_strong_unmet(one: PairingPlayer, other: PairingPlayer) -> bool:
    """Return True if a strong preference is not met because the opponent has one too, or an absolute one (C13)."""
    return (
        _is_strong(one)
        and _is_strong(other)
        and one.due_colour is other.due_colour
        and PreferenceStrength.STRONG in (one.preference.strength, other.preference.strength)  # type: ignore[union-attr]
    )


def _chosen(settled: PairedBracket, turn: TranspositionStep) -> PairingReason:
    """Return the rule and step that gave the opponent (3.3 and 4)."""
    if turn.is_moved_down:
        number, step = ("4.2" if turn.passed else "3.3"), "moved down"
    elif settled.candidate.exchange.leaving:
        number, step = "4.3", "exchange"
    else:
        number, step = ("4.2", "transposition") if turn.passed else ("3.3", "order")
    players = settled.bracket.players
    listed = [players[vertex].tpn for vertex in candidates_near_opponent(turn.passed, turn.opponent, turn.later)]
    tpns = (players[turn.chooser].tpn, players[turn.opponent].tpn)
    return make_single_reason(
        article_reference(number),
        ReasonKind.OPPONENT,
        *tpns,
        step=step,
        place=len(turn.passed) + 1,
        **candidate_facts(listed, turn.later),
    )


def _obstacle(bracket: Bracket, one: PairingPlayer, other: PairingPlayer) -> PairingObstacle | None:
    top = one.tpn in bracket.topscorers or other.tpn in bracket.topscorers
    return find_pairing_obstacle(one, other, any_colour=top)


def _last_two(settled: PairedBracket, number: int, vertex: int) -> dict[str, ReasonFact]:
    """Return the last two players who would be left with each other, where one more pair follows and nobody leaves."""
    bracket, turns = settled.bracket, settled.candidate.turns
    if number + 2 != len(turns) or settled.candidate.leaving:
        return {}
    left = {turns[-1].chooser, turns[-1].opponent, turns[number].opponent} - {vertex}
    one, other = (bracket.players[place] for place in sorted(left))
    return leftover_pair_facts(one, other, any_colour=bool({one.tpn, other.tpn} & bracket.topscorers))


def _passed_over(settled: PairedBracket, number: int) -> list[ReasonEntry]:
    """Explain why the players before the opponent were passed over. Equal reasons in a row become one run."""
    passed = settled.candidate.turns[number].passed
    if not passed:
        return []
    *few, (mostly, _) = sorted(
        settled.counterfactuals.group_by_failed_criterion(number).items(), key=lambda told: told[1].bit_count()
    )
    usual = _teller(settled, number, mostly)
    if not few:
        return usual.list_reasons(passed)
    others: dict[int, _Teller] = {}
    for against, who in few:
        others.update(dict.fromkeys(bitmask_members(who), _teller(settled, number, against)))
    runs = groupby(passed, lambda vertex: others.get(vertex, usual))
    return [one for teller, some in runs for one in teller.list_reasons([*some])]


class _Teller(NamedTuple):
    """Builds the reasons for players passed over in a turn for one cause. `alike` means one reason fits all."""

    players: Sequence[PairingPlayer]
    tell: Callable[[int], PairingReason]
    alike: bool

    def list_reasons(self, vertices: Sequence[int]) -> list[ReasonEntry]:
        """Return the reasons for players skipped one after another in a turn."""
        if len(vertices) == 1 or not self.alike:
            return [self.tell(vertex) for vertex in vertices]
        players = self.players
        others = tuple([players[vertex].tpn for vertex in vertices[1:]])
        return [ReasonRun(first=self.tell(vertices[0]), others=others)]


def _teller(settled: PairedBracket, number: int, against: FailedCriterion) -> _Teller:
    players, turn = settled.bracket.players, settled.candidate.turns[number]
    chooser, opponent = players[turn.chooser], players[turn.opponent]
    criterion, colour = against.criterion, chooser.due_colour
    if criterion == "C6":
        return _Teller(players, lambda vertex: _blocking(settled, number, vertex), alike=False)
    if against.is_by_own_pair and criterion in ("C15", "C17", "C19", "C21"):
        return _Teller(players, lambda vertex: _up_before(chooser, players[vertex], criterion), alike=False)
    if criterion is None:
        same = make_reason(
            article_reference("4.4" if turn.is_moved_down else "4.3"),
            _OVER,
            because=DecisionCause.BETTER_CANDIDATE,
            rule="moved_down_set" if turn.is_moved_down else "exchange",
        )
    # If the opponent is due it too, the colour is not the reason.
    elif (
        against.is_by_own_pair
        and criterion in ("C12", "C13")
        and colour is not None
        and not is_due_colour(opponent, colour)
    ):
        same = make_reason(
            article_reference(criterion), _OVER, because=DecisionCause.SAME_DUE_COLOUR, colour=colour.value
        )
    else:
        cause = _DOWNFLOATER_CAUSES.get(criterion, DecisionCause.WORSE_BY_CRITERION)
        same = make_reason(article_reference(criterion), _OVER, because=cause, criterion=criterion)
        if criterion in CRITERION_ROUNDS_BACK or criterion == "C13":
            same = with_facts(same, **_shown(settled, criterion, turn=number))
        elif criterion == "C12":
            later = settled.candidate.turns[number:]
            left = {*settled.candidate.leaving, *(one for each in later for one in each[:2])} - {turn.chooser}
            same = with_facts(same, **_kept(settled, sorted(left)))
    return _Teller(players, lambda vertex: copy_reason_for_players(same, chooser.tpn, players[vertex].tpn), alike=True)


def _blocking(settled: PairedBracket, number: int, vertex: int) -> PairingReason:
    """Explain what keeps two players apart, or that someone else would be left without an opponent."""
    bracket, turn = settled.bracket, settled.candidate.turns[number]
    chooser, other = bracket.players[turn.chooser], bracket.players[vertex]
    if between := _obstacle(bracket, chooser, other):
        by = "C3" if between.cause is DecisionCause.SAME_ABSOLUTE_COLOUR else "C1"
        return make_reason(article_reference(by), _OVER, chooser.tpn, other.tpn, because=between.cause, **between.facts)
    pairs = [each[:2] for each in settled.candidate.turns[:number]]
    criterion = settled.downfloater_counterfactuals.criterion_against_pairs([*pairs, (turn.chooser, vertex)])
    facts = _bye_score(settled, criterion)
    cause = _DOWNFLOATER_CAUSES.get(criterion)
    if cause is None:
        cause, facts["criterion"] = DecisionCause.WORSE_BY_CRITERION, criterion
    last_two = _last_two(settled, number, vertex)
    if cause is DecisionCause.BLOCKS_REST and (last_two or settled.is_lowest_bracket):
        cause = DecisionCause.BLOCKS_GROUP
    if cause is DecisionCause.BLOCKS_GROUP:
        facts |= last_two
    return make_reason(article_reference(criterion), _OVER, chooser.tpn, other.tpn, because=cause, **facts)


def _up_before(chooser: PairingPlayer, other: PairingPlayer, criterion: str) -> PairingReason:
    """Explain that the player floated up in the round the criterion looks at."""
    return make_reason(
        article_reference(criterion),
        _OVER,
        chooser.tpn,
        other.tpn,
        because=DecisionCause.FLOATED_BEFORE,
        round=len(other.floats) + 1 - CRITERION_ROUNDS_BACK[criterion],
        direction=FloatDirection.UP.value,
        floater=other.tpn,
    )
