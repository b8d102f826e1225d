"""The steps by which a round was paired: the reasons for its boards, in the order in which they applied.

Nothing is computed again. Steps and reasons are the same data, so they always agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from pairing.engine.paired_round import PairedBye, PairedGame, PairedRound, PairingReason, ReasonKind
from pairing.engine.snapshot import HalfPoints, PairingNumber


class TraceStepKind(StrEnum):
    """The kinds of step."""

    GROUPS = "groups"
    """The players in their score groups: one step per group, `players` in its order."""
    BYE = "bye"
    """players=(player,): they get the bye."""
    FLOAT = "float"
    """players=(player,): they move to the group of `half_points`."""
    PAIR = "pair"
    """players=(chooser, opponent): a pair is formed in the group of `half_points`.

    Without `half_points` no group formed it: the arbiter set (white, black).
    """
    BOARD = "board"
    """players=(white, black): colours and board, `board` its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """One step, with its reasons.

    For a PAIR, `waiting` are all who have no opponent in the group yet, in its order. `earlier_pairs` are those that
    the group formed before. `outgoing_floaters` are the members who float out of the group, each with their new group.
    `incoming_floaters` are those paired in it from elsewhere, each with their own group. `bye` is the member with the
    bye. For a BYE, all these are about the group that has the bye, and `earlier_pairs` are all its pairs.
    """

    kind: TraceStepKind
    players: tuple[PairingNumber, ...]
    half_points: HalfPoints | None = None
    board: int | None = None
    reasons: Sequence[PairingReason] = ()
    waiting: tuple[PairingNumber, ...] = ()
    earlier_pairs: tuple[tuple[PairingNumber, PairingNumber], ...] = ()
    bye: PairingNumber | None = None
    outgoing_floaters: tuple[tuple[PairingNumber, HalfPoints], ...] = ()
    incoming_floaters: tuple[tuple[PairingNumber, HalfPoints], ...] = ()


def trace_pairing_steps(paired: PairedRound) -> tuple[TraceStep, ...]:
    """Return the steps of a round as the engine paired it, from the score groups to the boards.

    Boards that an arbiter set come after those formed by the groups. Older rounds may not state the order of their
    pairs: they are shown group by group, and by boards within each group.
    """
    return tuple(_Replay(paired).replay_steps())


def steps_by_players(steps: Iterable[TraceStep]) -> dict[frozenset[PairingNumber], TraceStep]:
    """Return the step that formed each pair, by its two players, and the step that gave one player the bye."""
    kinds = (TraceStepKind.PAIR, TraceStepKind.BYE)
    return {frozenset(step.players): step for step in steps if step.kind in kinds}


def opponent_in_steps(steps: Iterable[TraceStep], player: PairingNumber) -> PairingNumber | None:
    """Return the player's opponent, or None if they have no game."""
    pairs = (step.players for step in steps if step.kind in (TraceStepKind.PAIR, TraceStepKind.BOARD))
    return next((one if other == player else other for one, other in pairs if player in (one, other)), None)


def is_step_about_player(step: TraceStep, player: PairingNumber, opponent: PairingNumber | None = None) -> bool:
    """Return True if a step moves this player, its reasons name them, or it brings their opponent into their group."""
    if step.kind is TraceStepKind.GROUPS or player in step.players:
        return player in step.players
    if step.kind is TraceStepKind.FLOAT and step.players[0] == opponent:
        return True
    telling = (why for why in step.reasons if why.kind is not ReasonKind.ORDER)
    return any(player in why.players for why in telling)


class _Replay:
    def __init__(self, paired: PairedRound) -> None:
        self._paired = paired
        self._moves = {tpn: moves for game in paired.games for tpn, moves in _moves_of(game).items()}
        self._told: set[tuple[PairingNumber, int]] = set()
        self._scores = {score.tpn: score.pairing_score for score in paired.scores}
        self._places = _places_told(paired.games)

    def replay_steps(self) -> Iterator[TraceStep]:
        if self._paired.system in ("round-robin", "keizer"):
            yield from self._table()
            return
        yield from self._groups()
        by_groups = _in_turn([game for game in self._paired.games if _group_of(game) is not None])
        if bye := self._paired.bye:
            yield self._bye(bye, by_groups)
        for score, games in groupby(by_groups, key=_group_of):
            pairs = list(games)
            elsewhere, came = self._elsewhere(score), self._came(score)
            yield from self._floats(score or 0, pairs)
            for place, game in enumerate(pairs):
                left = [tpn for later in pairs[place:] for tpn in (later.white, later.black)]
                yield replace(
                    _pair(game, score, self._in_order(left)),
                    earlier_pairs=tuple((earlier.white, earlier.black) for earlier in pairs[:place]),
                    outgoing_floaters=elsewhere,
                    incoming_floaters=came,
                    bye=self._bye_in(score),
                )
        for game in self._paired.games:
            if _group_of(game) is None:
                yield TraceStep(kind=TraceStepKind.PAIR, players=(game.white, game.black), reasons=game.reasons)
        for game in self._paired.games:
            colours = tuple(why for why in game.reasons if why.kind in _OF_COLOURS and _group_of(game) is not None)
            players = (game.white, game.black)
            yield TraceStep(kind=TraceStepKind.BOARD, players=players, board=game.board, reasons=colours)

    def _bye(self, bye: PairedBye, by_groups: Sequence[PairedGame]) -> TraceStep:
        score = self._last_group(bye)
        return TraceStep(
            kind=TraceStepKind.BYE,
            players=(bye.player,),
            half_points=score,
            reasons=bye.reasons,
            earlier_pairs=tuple((game.white, game.black) for game in by_groups if _group_of(game) == score),
            outgoing_floaters=self._elsewhere(score),
            incoming_floaters=self._came(score),
        )

    def _table(self) -> Iterator[TraceStep]:
        """Yield the boards in the order of a table or ranking, which needs no other steps."""
        if bye := self._paired.bye:
            yield TraceStep(kind=TraceStepKind.BYE, players=(bye.player,), reasons=bye.reasons)
        for game in self._paired.games:
            yield TraceStep(
                kind=TraceStepKind.BOARD, players=(game.white, game.black), board=game.board, reasons=game.reasons
            )

    def _groups(self) -> Iterator[TraceStep]:
        seated = {tpn for game in self._paired.games for tpn in (game.white, game.black)}
        if self._paired.bye:
            seated.add(self._paired.bye.player)
        scores = {tpn: score for tpn, score in self._scores.items() if tpn in seated}
        for score in sorted(set(scores.values()), reverse=True):
            players = self._in_order(tpn for tpn in scores if scores[tpn] == score)
            yield TraceStep(kind=TraceStepKind.GROUPS, players=players, half_points=score)

    def _elsewhere(self, score: HalfPoints | None) -> tuple[tuple[PairingNumber, HalfPoints], ...]:
        """Return the players who float out of a group, each with their new group."""
        went = {
            why.players[0]: to
            for why in self._floated
            if why.get_fact("from_half_points") == score
            if isinstance(to := why.get_fact("to_half_points"), int)
        }
        return tuple((tpn, went[tpn]) for tpn in self._in_order(went))

    def _came(self, score: HalfPoints | None) -> tuple[tuple[PairingNumber, HalfPoints], ...]:
        """Return the players who float into a group to stay, each with their own group."""
        last = {why.players[0]: why.get_fact("to_half_points") for why in self._floated}
        came = [tpn for tpn, to in last.items() if to == score]
        return tuple((tpn, self._scores.get(tpn, 0)) for tpn in self._in_order(came))

    @cached_property
    def _floated(self) -> tuple[PairingReason, ...]:
        """Every float of the round, each player's in their order."""
        told = (*(game.reasons for game in self._paired.games), self._paired.bye.reasons if self._paired.bye else ())
        return tuple(why for reasons in told for why in reasons if why.kind is ReasonKind.FLOATED)

    def _last_group(self, bye: PairedBye) -> HalfPoints | None:
        """Return the group of the player with the bye, or the last to which they floated."""
        to = [why.get_fact("to_half_points") for why in self._floated if why.players[0] == bye.player]
        return to[-1] if to and isinstance(to[-1], int) else self._scores.get(bye.player)

    def _bye_in(self, score: HalfPoints | None) -> PairingNumber | None:
        """Return the player with the bye if this was their group, or the last to which they floated."""
        bye = self._paired.bye
        return bye.player if bye and score == self._last_group(bye) else None

    def _in_order(self, players: Iterable[PairingNumber]) -> tuple[PairingNumber, ...]:
        """Return players by score, highest first, then in the order that a reason states, else by number."""
        return tuple(
            sorted(players, key=lambda tpn: (-self._scores.get(tpn, 0), self._places.get(tpn, tpn), tpn)),
        )

    def _floats(self, score: HalfPoints, pairs: list[PairedGame]) -> Iterator[TraceStep]:
        """Yield the floats into the group, then those out of it, before it is paired."""
        here = {tpn for game in pairs for tpn in (game.white, game.black)}
        for tpn in sorted(self._moves):
            yield from self._told_up_to(tpn, score, arrives=tpn in here)

    def _told_up_to(self, tpn: PairingNumber, score: HalfPoints, *, arrives: bool) -> Iterator[TraceStep]:
        """Yield a player's moves so far: all of them if they stay in this group, else up to the one that leaves it."""
        moves = self._moves[tpn]
        leaving = [place for place, (why, _) in enumerate(moves) if why.get_fact("from_half_points") == score]
        last = len(moves) if arrives else leaving[0] + 1 if leaving else 0
        for place in range(last):
            if (tpn, place) not in self._told:
                self._told.add((tpn, place))
                why, notes = moves[place]
                to = why.get_fact("to_half_points")
                yield TraceStep(
                    kind=TraceStepKind.FLOAT,
                    players=(tpn,),
                    half_points=to if isinstance(to, int) else None,
                    reasons=(why, *notes),
                )


_OF_COLOURS = (ReasonKind.COLOUR, ReasonKind.RANKED)
_OF_A_FLOAT = (
    ReasonKind.STAYED,
    ReasonKind.LACK_OPPONENTS,
    ReasonKind.PASSED_OVER,
    ReasonKind.MOVED_TO_HALF,
    ReasonKind.EXCHANGE_TRIED,
    ReasonKind.EXCHANGES_TRIED,
)
_TURN_OF_SIDES = {"above": 0, "below": 1, "median": 2}


def _group_of(game: PairedGame) -> HalfPoints | None:
    """Return the group that formed the pair, or None if the arbiter set it."""
    kinds = {why.kind: why for why in game.reasons}
    if ReasonKind.SCORE_GROUP not in kinds or ReasonKind.OPPONENT not in kinds:
        return None
    group = kinds[ReasonKind.SCORE_GROUP].get_fact("half_points")
    return group if isinstance(group, int) else 0


def _in_turn(games: Sequence[PairedGame]) -> list[PairedGame]:
    """Return the games in the order in which they were formed, as far as it is known."""
    if all(game.formation_number for game in games):
        return sorted(games, key=lambda game: game.formation_number)

    def game_sort_key(game: PairedGame) -> tuple[int, int, int]:
        group = next(why for why in game.reasons if why.kind is ReasonKind.SCORE_GROUP)
        side, score = _TURN_OF_SIDES.get(str(group.get_fact("side")), 0), _group_of(game) or 0
        return side, score if side == 1 else -score, game.board

    return sorted(games, key=game_sort_key)


def _places_told(games: Iterable[PairedGame]) -> dict[PairingNumber, int]:
    """Return everybody's place in their group, where a reason states it (Jahr's method)."""
    return {
        tpn: place
        for game in games
        for why in game.reasons
        if why.kind is ReasonKind.ORDER and isinstance(places := why.get_fact("places"), tuple)
        for tpn, place in zip(why.players, places, strict=False)
    }


def _moves_of(game: PairedGame) -> dict[PairingNumber, list[tuple[PairingReason, list[PairingReason]]]]:
    """Return everybody's floats in their order, each with the reasons that go with it.

    These include reasons for the group they left.
    """
    moves: dict[PairingNumber, list[tuple[PairingReason, list[PairingReason]]]] = {}
    left: object = None
    latest: list[PairingReason] | None = None
    for why in game.reasons:
        if why.kind is ReasonKind.FLOATED:
            left, latest = why.get_fact("from_half_points"), []
            moves.setdefault(why.players[0], []).append((why, latest))
        elif why.kind is ReasonKind.OPPONENT or (
            why.kind is ReasonKind.MOVED_TO_HALF and why.get_fact("half_points") not in (None, left)
        ):
            latest = None
        elif latest is not None and why.kind in _OF_A_FLOAT:
            latest.append(why)
    return moves


def _pair(game: PairedGame, score: HalfPoints | None, waiting: tuple[PairingNumber, ...]) -> TraceStep:
    """Return the step that forms a pair: who chose, who was passed over, what was exchanged."""
    chosen = next(why for why in game.reasons if why.kind is ReasonKind.OPPONENT)
    told = {why for moves in _moves_of(game).values() for move, notes in moves for why in (move, *notes)}
    reasons = tuple(why for why in game.reasons if why not in told and why.kind not in _OF_COLOURS)
    return TraceStep(
        kind=TraceStepKind.PAIR, players=chosen.players, half_points=score, reasons=reasons, waiting=waiting
    )


# -- The state of the pairing after each step ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroupState:
    """A score group after some steps.

    `waiting` are the players without an opponent: residents in their order, then floaters. `incoming_floaters` are
    those of them, and of `pairs`, who belong to another group.
    """

    half_points: HalfPoints
    waiting: tuple[PairingNumber, ...]
    incoming_floaters: frozenset[PairingNumber]
    pairs: tuple[tuple[PairingNumber, PairingNumber], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceState:
    """The state after some steps: the groups from the highest, pairs outside all groups, the bye, and the boards."""

    score_groups: tuple[ScoreGroupState, ...]
    ungrouped_pairs: tuple[tuple[PairingNumber, PairingNumber], ...]
    bye: PairingNumber | None
    boards: tuple[tuple[int, PairingNumber, PairingNumber], ...]


def state_after_steps(steps: Iterable[TraceStep]) -> TraceState:
    """Return the state after these steps, which must be the first steps of a round."""
    waiting: dict[HalfPoints, list[PairingNumber]] = {}
    came: dict[HalfPoints, set[PairingNumber]] = {}
    pairs: dict[HalfPoints | None, list[tuple[PairingNumber, PairingNumber]]] = {}
    bye: PairingNumber | None = None
    boards = []
    for step in steps:
        match step.kind:
            case TraceStepKind.GROUPS:
                waiting[step.half_points or 0] = list(step.players)
            case TraceStepKind.BYE:
                (bye,) = step.players
                _take(waiting, bye)
            case TraceStepKind.FLOAT:
                (floater,) = step.players
                _take(waiting, floater)
                waiting.setdefault(step.half_points or 0, []).append(floater)
                came.setdefault(step.half_points or 0, set()).add(floater)
            case TraceStepKind.PAIR:
                for player in step.players:
                    _take(waiting, player)
                pairs.setdefault(step.half_points, []).append((step.players[0], step.players[1]))
            case TraceStepKind.BOARD:
                boards.append((step.board or 0, step.players[0], step.players[1]))
    return TraceState(
        score_groups=tuple(
            ScoreGroupState(
                half_points=score,
                waiting=tuple(waiting[score]),
                incoming_floaters=frozenset(came.get(score, ())),
                pairs=tuple(pairs.get(score, ())),
            )
            for score in sorted(waiting, reverse=True)
        ),
        ungrouped_pairs=tuple(pairs.get(None, ())),
        bye=bye,
        boards=tuple(boards),
    )


def _take(waiting: dict[HalfPoints, list[PairingNumber]], player: PairingNumber) -> None:
    for group in waiting.values():
        if player in group:
            group.remove(player)
