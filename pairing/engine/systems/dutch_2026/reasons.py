"""Why a bracket was paired as it was, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from pairing.engine.matching import members
from pairing.engine.paired_round import Cause, Fact, PairedBye, Reason, ReasonKind, reason, retold
from pairing.engine.reason_runs import Run, Told
from pairing.engine.rules.compatibility import Obstacle, left_apart, obstacle
from pairing.engine.rules.field import Contender, Float
from pairing.engine.systems.dutch_2026.below import Below, bye_refused
from pairing.engine.systems.dutch_2026.bound_faces import BoundFace
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidates import Candidate, Turn
from pairing.engine.systems.dutch_2026.downfloaters import Opened, Surroundings
from pairing.engine.systems.dutch_2026.faces import Face
from pairing.engine.systems.dutch_2026.players import article, is_due
from pairing.engine.systems.dutch_2026.rivals import Against, Rivals

BACK = {"C14": 1, "C15": 1, "C16": 2, "C17": 2, "C18": 1, "C19": 1, "C20": 2, "C21": 2}
"""How many rounds ago the floats were that a criterion counts."""
_OVER = ReasonKind.PASSED_OVER
Arrivals = dict[int, tuple[Reason, ...]]
"""By place: what has brought a player down to the bracket in hand."""


class Settled(NamedTuple):
    """A bracket with its pairing, and what is needed to say why it is the one."""

    around: Surroundings
    opened: Opened
    face: Face | BoundFace
    candidate: Candidate
    rivals: Rivals
    arrivals: Arrivals

    @property
    def bracket(self) -> Bracket:
        return self.opened.bracket

    @property
    def is_lowest(self) -> bool:
        return self.around.group + 1 == len(self.around.below.spans)


def explain_pairs(settled: Settled) -> Iterator[tuple[Contender, Contender, tuple[Told, ...]]]:
    """The pairs of a bracket, each with all its reasons but that for the colours."""
    bracket = settled.bracket
    group = reason(article("1.3"), ReasonKind.SCORE_GROUP, half_points=bracket.score)
    exchanged = _exchanged(settled)
    for number, turn in enumerate(settled.candidate.turns):
        both = (turn.chooser, turn.opponent)
        came = [why for vertex in both for why in settled.arrivals.get(bracket.places[vertex], ())]
        moved = [exchanged[vertex] for vertex in both if vertex in exchanged]
        if not moved and not turn.mdp:
            # Who stands in which half now is not to be understood without them.
            moved += exchanged.values()
        one, other = (bracket.players[vertex] for vertex in both)
        yield one, other, (group, *came, *moved, _chosen(settled, turn), *_passed_over(settled, number))


def explain_leavers(settled: Settled) -> Arrivals:
    """All who leave a bracket with what brought them there; of one who leaves alone, why not those below him."""
    bracket, leaving = settled.bracket, settled.candidate.leaving
    told: Arrivals = {}
    exchanged = _exchanged(settled)
    for vertex in leaving:
        # The one left over in the lowest bracket floats no further: he has the bye.
        why = [] if settled.is_lowest else [_left(settled, vertex)]
        if vertex in exchanged:
            why.append(exchanged[vertex])
        if len(leaving) == 1:
            why += _others_stayed(settled, vertex)
        told[bracket.places[vertex]] = (*settled.arrivals.get(bracket.places[vertex], ()), *why)
    return told


def explain_bye(place: int, below: Below, whys: tuple[Reason, ...]) -> PairedBye:
    """C5: the bye for the one left over in the lowest bracket, and why for none of a lower score."""
    player = below.players[place]
    got = reason(article("C5"), ReasonKind.BYE, player.tpn, half_points=player.pairing_score, step="left over")
    lower = [one for one in below.players[place + 1 :] if one.pairing_score < player.pairing_score]
    told = {why.players[0] for why in whys if why.kind is ReasonKind.BYE_PASSED_OVER}
    over = [
        bye_refused(one) or reason(article("C4"), ReasonKind.BYE_PASSED_OVER, one.tpn, because=Cause.BLOCKS_REST)
        for one in lower
        if one.tpn not in told
    ]
    return PairedBye(player=player.tpn, reasons=(got, *whys, *over))


def _left(settled: Settled, vertex: int) -> Reason:
    """C6: nobody was left for him, or the number was odd; C4: more had to leave for the sake of those below."""
    bracket, around = settled.bracket, settled.around
    inside = bracket.graph[vertex] & bracket.everyone
    if not inside:
        number, cause = "C1", Cause.NO_OPPONENT
        if any(
            (between := _obstacle(bracket, bracket.players[vertex], one))
            and between.cause is Cause.SAME_ABSOLUTE_COLOUR
            for one in bracket.players
            if one is not bracket.players[vertex]
        ):
            number = "C3"
    elif len(settled.candidate.leaving) == 1:
        number, cause = "C6", Cause.ODD_GROUP
    elif len(settled.candidate.leaving) == around.inside.deficiency:
        number, cause = "C6", Cause.BLOCKS_GROUP
    else:
        number, cause = "C4", Cause.BLOCKS_REST
    return reason(
        article(number),
        ReasonKind.FLOATED,
        bracket.players[vertex].tpn,
        from_half_points=bracket.score,
        to_half_points=around.below.players[around.below.spans[around.group + 1].start].pairing_score,
        direction="down",
        because=cause,
    )


def _others_stayed(settled: Settled, leaver: int) -> Iterator[Reason]:
    """Those lower than the one who leaves, whom the first candidate of all would have left over: why not they."""
    for vertex in range(leaver + 1, settled.bracket.size):
        yield _stayed(settled, vertex, leaver)


def _stayed(settled: Settled, vertex: int, leaver: int) -> Reason:
    bracket = settled.bracket
    one, gone = bracket.players[vertex], bracket.players[leaver]
    kind = ReasonKind.BYE_PASSED_OVER if settled.is_lowest else ReasonKind.STAYED
    players = (one.tpn,) if settled.is_lowest else (one.tpn, gone.tpn)

    def because(number: str, cause: Cause, **facts: Fact) -> Reason:
        return reason(article(number), kind, *players, because=cause, **facts)

    if settled.is_lowest and (refused := bye_refused(one)) is not None:
        return refused
    for step, left in settled.opened.leavers:
        if not left >> vertex & 1:
            if step == "C4":
                missable = settled.around.missable >> vertex & 1
                return because("C4" if missable else "C6", Cause.BLOCKS_REST if missable else Cause.BLOCKS_GROUP)
            if step == "C8":
                return because("C8", Cause.LOOK_AHEAD)
            return because(step, Cause.WORSE_BY_CRITERION, criterion=step)
    criterion, counts = settled.rivals.criterion_against_leaving(vertex)
    if criterion is None:
        return because("4.2", Cause.BETTER_CANDIDATE)
    if criterion == "C6":
        return because(criterion, Cause.BLOCKS_GROUP)
    if counts and criterion in ("C14", "C16") and one.floated(BACK[criterion]) is Float.DOWN:
        floated: dict[str, Fact] = {"round": len(one.floats) + 1 - BACK[criterion], "direction": Float.DOWN.value}
        return because(criterion, Cause.FLOATED_BEFORE, **floated)
    return because(criterion, Cause.WORSE_BY_CRITERION, criterion=criterion)


def _exchanged(settled: Settled) -> dict[int, Reason]:
    """4.3: who changed between S1 and S2, and for whom, as no transposition would do without it."""
    players, score = settled.bracket.players, settled.bracket.score
    leaving, entering = settled.candidate.exchange.leaving, settled.candidate.exchange.entering
    return {
        vertex: reason(
            article("4.3"),
            ReasonKind.MOVED_TO_HALF,
            players[vertex].tpn,
            *(players[other].tpn for other in instead),
            half=half,
            half_points=score,
        )
        for vertices, half, instead in ((leaving, "S2", entering), (entering, "S1", leaving))
        for vertex in vertices
    }


def _chosen(settled: Settled, turn: Turn) -> Reason:
    """3.3 and 4: the rule that gave the opponent, and what its step is called."""
    if turn.mdp:
        number, step = ("4.2" if turn.passed else "3.3"), "moved down"
    elif settled.candidate.exchange.leaving:
        number, step = "4.3", "exchange"
    else:
        number, step = ("4.2", "transposition") if turn.passed else ("3.3", "order")
    tpns = (settled.bracket.players[turn.chooser].tpn, settled.bracket.players[turn.opponent].tpn)
    return reason(article(number), ReasonKind.OPPONENT, *tpns, step=step, place=len(turn.passed) + 1)


def _obstacle(bracket: Bracket, one: Contender, other: Contender) -> Obstacle | None:
    top = one.tpn in bracket.topscorers or other.tpn in bracket.topscorers
    return obstacle(one, other, any_colour=top)


def _last_two(settled: Settled, number: int, vertex: int) -> dict[str, Fact]:
    """Who would have been left with whom, where one more pair was to be made and nobody leaves."""
    bracket, turns = settled.bracket, settled.candidate.turns
    if number + 2 != len(turns) or settled.candidate.leaving:
        return {}
    left = {turns[-1].chooser, turns[-1].opponent, turns[number].opponent} - {vertex}
    one, other = (bracket.players[place] for place in sorted(left))
    return left_apart(one, other, any_colour=bool({one.tpn, other.tpn} & bracket.topscorers))


def _passed_over(settled: Settled, number: int) -> list[Told]:
    """What ruled out each of those who stood before the opponent; of those alike who follow one another as one run."""
    passed = settled.candidate.turns[number].passed
    if not passed:
        return []
    *few, (mostly, _) = sorted(settled.rivals.all_against(number).items(), key=lambda told: told[1].bit_count())
    usual = _teller(settled, number, mostly)
    if not few:
        return usual.told_of(passed)
    others: dict[int, _Teller] = {}
    for against, who in few:
        others.update(dict.fromkeys(members(who), _teller(settled, number, against)))
    runs = groupby(passed, lambda vertex: others.get(vertex, usual))
    return [one for teller, some in runs for one in teller.told_of([*some])]


class _Teller(NamedTuple):
    """Says of players that they were passed over in a turn because of one thing; of all the same, if they are alike."""

    players: Sequence[Contender]
    tell: Callable[[int], Reason]
    alike: bool

    def told_of(self, vertices: Sequence[int]) -> list[Told]:
        """What to say of some who follow one another."""
        if len(vertices) == 1 or not self.alike:
            return [self.tell(vertex) for vertex in vertices]
        players = self.players
        others = tuple([players[vertex].tpn for vertex in vertices[1:]])
        return [Run(first=self.tell(vertices[0]), others=others)]


def _teller(settled: Settled, number: int, against: Against) -> _Teller:
    players, turn = settled.bracket.players, settled.candidate.turns[number]
    chooser, opponent = players[turn.chooser], players[turn.opponent]
    criterion, colour = against.criterion, chooser.due_colour
    if criterion == "C6":
        return _Teller(players, lambda vertex: _blocking(settled, number, vertex), alike=False)
    if against.counts and criterion in ("C15", "C17", "C19", "C21"):
        return _Teller(players, lambda vertex: _up_before(chooser, players[vertex], criterion), alike=False)
    if criterion is None:
        same = reason(article("4.4" if turn.mdp else "4.3"), _OVER, because=Cause.BETTER_CANDIDATE)
    # Where the opponent is due it as well, it is not what speaks against the one passed over.
    elif against.counts and criterion in ("C12", "C13") and colour is not None and not is_due(opponent, colour):
        same = reason(article(criterion), _OVER, because=Cause.SAME_DUE_COLOUR, colour=colour.value)
    else:
        same = reason(article(criterion), _OVER, because=Cause.WORSE_BY_CRITERION, criterion=criterion)
    return _Teller(players, lambda vertex: retold(same, chooser.tpn, players[vertex].tpn), alike=True)


def _blocking(settled: Settled, number: int, vertex: int) -> Reason:
    """What keeps the two apart, or that nobody must leave for whom there is an opponent."""
    bracket, turn = settled.bracket, settled.candidate.turns[number]
    chooser, other = bracket.players[turn.chooser], bracket.players[vertex]
    if between := _obstacle(bracket, chooser, other):
        by = "C3" if between.cause is Cause.SAME_ABSOLUTE_COLOUR else "C1"
        return reason(article(by), _OVER, chooser.tpn, other.tpn, because=between.cause, **between.facts)
    facts = _last_two(settled, number, vertex)
    return reason(article("C6"), _OVER, chooser.tpn, other.tpn, because=Cause.BLOCKS_GROUP, **facts)


def _up_before(chooser: Contender, other: Contender, criterion: str) -> Reason:
    """He floated up in the round that the criterion looks at."""
    return reason(
        article(criterion),
        _OVER,
        chooser.tpn,
        other.tpn,
        because=Cause.FLOATED_BEFORE,
        round=len(other.floats) + 1 - BACK[criterion],
        direction=Float.UP.value,
        floater=other.tpn,
    )
