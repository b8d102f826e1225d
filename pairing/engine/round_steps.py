"""How a round came to be, step by step: the reasons of its boards in the order in which things happened.

Nothing is worked out anew: steps and reasons are the same data, so that both say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from pairing.engine.paired_round import PairedGame, PairedRound, Reason, ReasonKind
from pairing.engine.snapshot import HalfPoints, PairingNumber


class StepKind(StrEnum):
    """What happens in a step."""

    GROUPS = "groups"
    """The players stand in their score groups: one step a group, `players` by number."""
    BYE = "bye"
    """players=(player,): he rests."""
    FLOAT = "float"
    """players=(player,): he moves to the group of `half_points`."""
    PAIR = "pair"
    """players=(chooser, opponent): a pair is formed in the group of `half_points`."""
    BOARD = "board"
    """players=(white, black): colours and board, `board` its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step, and why."""

    kind: StepKind
    players: tuple[PairingNumber, ...]
    half_points: HalfPoints | None = None
    board: int | None = None
    reasons: tuple[Reason, ...] = ()


def steps_of(paired: PairedRound) -> tuple[Step, ...]:
    """The steps of a round as the engine made it, from the score groups to the boards in their order."""
    return tuple(_Replay(paired).steps())


class _Replay:
    def __init__(self, paired: PairedRound) -> None:
        self._paired = paired
        self._moves = {tpn: moves for game in paired.games for tpn, moves in _moves_of(game).items()}
        self._told: set[tuple[PairingNumber, int]] = set()

    def steps(self) -> Iterator[Step]:
        if self._paired.system == "round-robin":
            yield from self._table()
            return
        yield from self._groups()
        if bye := self._paired.bye:
            yield Step(kind=StepKind.BYE, players=(bye.player,), reasons=bye.reasons)
        in_turn = sorted(self._paired.games, key=lambda game: game.formed)
        for score, games in groupby(in_turn, key=_group_of):
            pairs = list(games)
            yield from self._floats(score, pairs)
            for game in pairs:
                yield _pair(game, score)
        for game in self._paired.games:
            colours = tuple(why for why in game.reasons if why.kind in _OF_COLOURS)
            players = (game.white, game.black)
            yield Step(kind=StepKind.BOARD, players=players, board=game.board, reasons=colours)

    def _table(self) -> Iterator[Step]:
        """The boards as they stand in the table, which needs no steps."""
        if bye := self._paired.bye:
            yield Step(kind=StepKind.BYE, players=(bye.player,), reasons=bye.reasons)
        for game in self._paired.games:
            yield Step(kind=StepKind.BOARD, players=(game.white, game.black), board=game.board, reasons=game.reasons)

    def _groups(self) -> Iterator[Step]:
        seated = {tpn for game in self._paired.games for tpn in (game.white, game.black)}
        if self._paired.bye:
            seated.add(self._paired.bye.player)
        scores = {score.tpn: score.pairing for score in self._paired.scores if score.tpn in seated}
        for score in sorted(set(scores.values()), reverse=True):
            players = tuple(tpn for tpn in sorted(scores) if scores[tpn] == score)
            yield Step(kind=StepKind.GROUPS, players=players, half_points=score)

    def _floats(self, score: HalfPoints, pairs: list[PairedGame]) -> Iterator[Step]:
        """Who has come to the group on his way, then who leaves it before it is paired."""
        here = {tpn for game in pairs for tpn in (game.white, game.black)}
        for tpn in sorted(self._moves):
            yield from self._told_up_to(tpn, score, arrives=tpn in here)

    def _told_up_to(self, tpn: PairingNumber, score: HalfPoints, *, arrives: bool) -> Iterator[Step]:
        """A player's moves so far: all, if he arrives for good; else up to the one out of this group."""
        moves = self._moves[tpn]
        leaving = [place for place, (why, _) in enumerate(moves) if why.fact("from_half_points") == score]
        last = len(moves) if arrives else leaving[0] + 1 if leaving else 0
        for place in range(last):
            if (tpn, place) not in self._told:
                self._told.add((tpn, place))
                why, notes = moves[place]
                to = why.fact("to_half_points")
                yield Step(
                    kind=StepKind.FLOAT,
                    players=(tpn,),
                    half_points=to if isinstance(to, int) else None,
                    reasons=(why, *notes),
                )


_OF_COLOURS = (ReasonKind.COLOUR, ReasonKind.RANKED)
_OF_A_FLOAT = (ReasonKind.STAYED, ReasonKind.IN_WANT)


def _group_of(game: PairedGame) -> HalfPoints:
    group = next(why.fact("half_points") for why in game.reasons if why.kind is ReasonKind.SCORE_GROUP)
    return group if isinstance(group, int) else 0


def _moves_of(game: PairedGame) -> dict[PairingNumber, list[tuple[Reason, list[Reason]]]]:
    """Everybody's floats in their order, each with what is said beside it."""
    moves: dict[PairingNumber, list[tuple[Reason, list[Reason]]]] = {}
    latest: list[Reason] | None = None
    for why in game.reasons:
        if why.kind is ReasonKind.FLOATED:
            latest = []
            moves.setdefault(why.players[0], []).append((why, latest))
        elif why.kind is ReasonKind.OPPONENT:
            latest = None
        elif latest is not None and (why.kind in _OF_A_FLOAT or why.kind is ReasonKind.PASSED_OVER):
            latest.append(why)
    return moves


def _pair(game: PairedGame, score: HalfPoints) -> Step:
    """The forming of a pair: who chose, whom he passed over, what was exchanged."""
    chosen = next(why for why in game.reasons if why.kind is ReasonKind.OPPONENT)
    told = {why for moves in _moves_of(game).values() for move, notes in moves for why in (move, *notes)}
    reasons = tuple(why for why in game.reasons if why not in told and why.kind not in _OF_COLOURS)
    return Step(kind=StepKind.PAIR, players=chosen.players, half_points=score, reasons=reasons)
