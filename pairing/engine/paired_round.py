"""The result of a pairing: boards, the bye, and the reasons for each, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias, cast, overload

from pairing.engine.snapshot import HalfPoints, PairingNumber

ReasonFact = int | str | bool | None | tuple[int, ...]
"""A fact of a reason. Names that end in `_half_points` hold half points; other numbers are plain numbers.

An average rating is exact: two facts whose names end in `_numerator` and `_denominator`. In a list of averages, 0/0
is that of a player without opponents.
"""


class ReasonKind(StrEnum):
    """The statement that a reason makes. Unless noted otherwise, it is about the reason's first player.

    The facts that only show that a statement is true are listed in `pairing/engine/rules/reason_evidence.py`.
    """

    SCORE_GROUP = "score_group"
    """The pair was formed in a group: facts `half_points`, `side` (above, below, median, whole).

    `formed`: position of the pair in the order in which the pairs of the round were formed, from 1.
    `white_half_points` and `black_half_points`: the scores used for pairing; `extra` if they include acceleration.
    """
    FLOATED = "floated"
    """`players=(floater,)`: left their group; `from_half_points`, `to_half_points`, `direction` (down, up), `because`.

    A second player is the one who needed the floater as an opponent. With BLOCKED_MEDIAN: `blocked` have too few
    opponents in the median group, only those in `only`, and each other if `each_other`; `more_blocked` are not named.
    """
    STAYED = "stayed"
    """`players=(kept, floater)`: why `kept` did not float instead; `because` a DecisionCause."""
    OPPONENT = "opponent"
    """`players=(chooser, opponent)`: how the rule chose the opponent; `step`, `place` (1 = first in its order).

    `candidates`: the opponent, up to eight candidates before and three after, in order; `more`: how many come later.
    A floater by Dubov's rules with `candidate_ratings` and their average ratings of opponents. `due`: the colour that
    the chooser is due, `due_white` and `due_black` the candidates, where colours decided.
    `order` by FIDE 1987-89: `down`, the lower half from its top and then the upper from its bottom; `up`, its mirror
    image; `colour`, residents not due the same colour, the other residents, floaters, each from the top; `colour_up`,
    the same from the bottom. `near_ratings`: the candidates' ratings, where those in the first part must be close.
    """
    PASSED_OVER = "passed_over"
    """`players=(chooser, candidate)`: the candidate came earlier in the rule's order; `because` a DecisionCause.

    `round`: the round of the cause, if any. `left`: the two who would have been left with each other, kept apart by
    `left_because`, with `left_round` if any.
    """
    EXCHANGED = "exchanged"
    """`players=(chooser, opponent, first_choice)`: a second scrutiny changed the pair; `because` a DecisionCause."""
    MOVED_TO_HALF = "moved_to_half"
    """`players=(player, *others)`: exchanged between the halves of their group for the others.

    `half`: the half they moved to, S1 or S2. `half_points`: the group.
    """
    EXCHANGE_TRIED = "exchange_tried"
    """`players=(*leaving, *entering)`: an earlier exchange between the halves, `leaving` for as many; `because`.

    No players: the halves before any exchange.
    """
    EXCHANGES_TRIED = "exchanges_tried"
    """`players=()`: further exchanges that failed and are not listed: `count` of them, or `at_least` that number."""
    LACK_OPPONENTS = "in_want"
    """players=some of those below who have too few opponents among themselves: `count` of them lack one.

    `half_points`: the group they are below. `of`: how many they are in all. `bye`: it is one of the places to be
    filled.
    """
    ORDER = "order"
    """players=the score group in the order used, from its top, with `places`, `totals` and `exacts`.

    Totals are hundredths of a point; exact values are counted in units of ten to the power of -`decimals`.
    """
    RANKED = "ranked"
    """`players=(higher, lower)`: `by` (game_points, total, exact, number) with `higher` and `lower`, in those units."""
    BYE_POINTS = "worth"
    """`players=(player,)`: the points of their bye, `half_points`."""
    COLOUR = "colour"
    """`players=(white, black)`: the colour rule; `because` a ColourCause, `claim` the player whose claim decided.

    `white_colours` and `black_colours`: the colours of both players' games, earliest first, as letters w and b.
    `both_due`: the colour that both were due, if it is the same.
    """
    COLUMNS = "columns"
    """players=the White column from its top, then the Black column: the rows around a pair's own.

    `whites`: how many of them are in the White column. `first`: the first row listed, from 1. `of`: all rows. With
    their `ratings` and `averages`.
    """
    COLUMN = "column"
    """`players=(player,)`: put in the column of `colour` though not due it; `because` a DecisionCause.

    `compared`: those who could be, in the order of the rule, with `compared_ratings` and their averages. `due_white`
    and `due_black`: how many were due each colour before anybody changed columns. `movers`: how many changed.
    """
    RANKS = "ranks"
    """`players=(higher, lower, *between)`: the pair of a Keizer season, and those ranked between them.

    `ranks` and `values` of all of them before the round. `between`: one letter for each player between: `p` were paired
    before, `b` has the bye, `a` is not playing in this round, `c` was a candidate.
    """
    REPEATED = "repeated"
    """`players=(white, black)`: may meet again although they met in `round`, as otherwise not everyone could be paired.

    `gap` rounds between two games were enough in this round, where the event wants `wanted`; or `limit`: the most games
    of two players was lifted.
    """
    BYE = "bye"
    """`players=(player,)`: got the pairing-allocated bye; `half_points` of their group.

    `lower`: how many players to be paired are ranked lower; not given where the order for the bye is different (Dubov,
    after round 1). In a Keizer season also `byes`: how many they have had, and `fewest`: how few somebody in the round
    has had. It is less only if none of those can be left out.
    """
    BYE_PASSED_OVER = "bye_passed_over"
    """`players=(candidate,)`: came earlier in the bye's order; `because` a DecisionCause."""
    COMPLETION = "completion"
    """players=those moved: done only so that the others keep a legal round."""
    EXCEPTION = "exception"
    """`players=(white, black)`, or the one with the bye: no legal round existed, the arbiter allowed this; `because`.

    `round`: when the two had met, or when the player got what bars them from the bye.
    """
    TABLE = "table"
    """`players=(white, black)`, or the player who `rests`: `row` of the table for `table` players.

    `cycle`: 1, or 2 where everybody meets for the second time.
    """
    WITHDRAWN = "withdrawn"
    """`players=(player,)`: they have left the event; the game stays in the table and is scored as forfeited."""
    MANUAL = "by_hand"
    """`players=(white, black)`, or the one with the bye: set by the arbiter, regardless of what the system proposed.

    `by` the arbiter's name, empty if unknown. `instead_white` and `instead_black`: the opponent each had before (0: the
    bye).
    """


class DecisionCause(StrEnum):
    """The reason why a candidate was ruled out or a player moved."""

    MET = "met"
    FORBIDDEN = "forbidden"
    SAME_ABSOLUTE_COLOUR = "same_absolute_colour"
    BLOCKS_REST = "blocks_rest"
    BLOCKS_GROUP = "blocks_group"
    SAME_DUE_COLOUR = "same_due_colour"
    MORE_CLASHES = "more_clashes"
    FLOATED_BEFORE = "floated_before"
    RATING_GAP = "rating_gap"
    NO_OPPONENT = "no_opponent"
    OPPONENT_WANTED = "opponent_wanted"
    ODD_GROUP = "odd_group"
    COLOUR_BALANCE = "colour_balance"
    NO_DUE_COLOUR = "no_due_colour"
    LOWER_NUMBER = "lower_number"
    DISADVANTAGE = "disadvantage"
    HAD_BYE = "had_bye"
    HAD_FORFEIT_WIN = "had_forfeit_win"
    HAD_POINT_WITHOUT_PLAY = "had_point_without_play"
    FLOAT_LIMIT = "float_limit"
    BLOCKED_MEDIAN = "blocked_median"
    BETTER_CANDIDATE = "better_candidate"
    """`rule` names the step by which the chosen pairing comes earlier: `moved_down`, `exchange` or `transposition`."""
    HIGHER_BYE = "higher_bye"
    """The bye would have gone to a player with more points."""
    LOOK_AHEAD = "look_ahead"
    MORE_FLOATS = "more_floats"
    FARTHER_GROUP = "farther_group"
    OTHER_COLOUR = "other_colour"
    LOWER_RATING = "lower_rating"
    HIGHER_AVERAGE = "higher_average"
    MET_RECENTLY = "met_recently"
    """They met in `round`, and may meet again from round `again`."""
    MET_OFTEN = "met_often"
    """They have had `count` games, which is the limit."""
    MORE_BYES = "more_byes"
    """They have had `byes` byes, others fewer."""
    WORSE_BY_CRITERION = "worse_by_criterion"
    """With this candidate the pairing meets `criterion` less well, and no earlier criterion better."""


class ColourCause(StrEnum):
    """The cause that decided the colours of a pair. The fact `claim` names the player whose claim decided."""

    ABSOLUTE = "absolute"
    """Only one of the two must have this colour."""
    STRONGER = "stronger"
    """Both due the same: one has the stronger claim, though not an absolute one."""
    BOTH_DUE = "both_due"
    """Each is due the colour they got."""
    ONLY_ONE_DUE = "only_one_due"
    HISTORY = "history"
    """Both due the same: decided by the latest game in which their colours differ, `games_back` played games ago."""
    HIGHER_PLAYER = "higher_player"
    LOWER_PLAYER = "lower_player"
    """With `numbers` (of the claim's player and the other), only the pairing numbers decide who is higher or lower."""
    DIFFERENCE = "difference"
    """Both due the same: decided by the greater colour difference."""
    HIGHER_AVERAGE = "higher_average"
    """White to the higher average rating of opponents, `average`."""
    LOWER_RATING = "lower_rating"
    """White to the lower `rating`."""
    LARGER_NUMBER = "larger_number"
    """White to the larger pairing number."""
    ALTERNATE_PAIRS = "alternate_pairs"
    """Round 1: the colour drawn for the first pair alternates from pair to pair."""
    NUMBER_PARITY = "number_parity"
    """Neither is due a colour: the colour drawn for TPN 1 decides, by the parity of the higher player's TPN."""
    FEWER_WHITES = "fewer_whites"
    """Whites minus Blacks are fewer."""
    LAST_MEETING = "last_meeting"
    """The colours of their last game, in `round`, are reversed."""
    LAST_COLOUR = "last_colour"
    """The higher player in the ranking gets the colour they did not have last."""
    BOARD_PARITY = "board_parity"
    """Neither has played: on odd boards the higher player gets `first_colour`, on even boards the other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingReason:
    """One reason, as data. Its sentence is in `pairing/explanations/reason_sentences.py`.

    `article` names document and article ("fide-1989 art. 11.2"). `facts` are sorted by name. A test checks each of them
    against the snapshot, so every fact must be true.
    """

    article: str
    kind: ReasonKind
    players: tuple[PairingNumber, ...] = ()
    facts: tuple[tuple[str, ReasonFact], ...] = ()

    def get_fact(self, name: str) -> ReasonFact:
        """Return the fact with that name, or None if the reason does not have it."""
        for known, value in self.facts:
            if known == name:
                return value
        return None


def make_reason(article: str, kind: ReasonKind, *players: PairingNumber, **facts: ReasonFact) -> PairingReason:
    """Return a PairingReason with its facts given by name."""
    return PairingReason(article=article, kind=kind, players=players, facts=_by_name(**facts))


def make_single_reason(article: str, kind: ReasonKind, *players: PairingNumber, **facts: ReasonFact) -> PairingReason:
    """Return a PairingReason without using the cache, for facts that no other reason of the round has."""
    return PairingReason(article=article, kind=kind, players=players, facts=tuple(sorted(facts.items())))


def with_facts(why: PairingReason, **facts: ReasonFact) -> PairingReason:
    """Return the reason with further facts. It is a copy that no other reason shares."""
    return PairingReason(
        article=why.article, kind=why.kind, players=why.players, facts=tuple(sorted((*why.facts, *facts.items())))
    )


def copy_reason_for_players(why: PairingReason, *players: PairingNumber) -> PairingReason:
    """Return the same reason for other players."""
    return PairingReason(article=why.article, kind=why.kind, players=players, facts=why.facts)


# Most reasons of a round state the same few facts: the cache keeps them once. It is typed, as True == 1 and a cause
# equals its text.
@lru_cache(maxsize=4096, typed=True)
def _by_name(**facts: ReasonFact) -> tuple[tuple[str, ReasonFact], ...]:
    return tuple(sorted(facts.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedGame:
    """One board in a paired round. `board` counts from 1.

    `formation_number` is the position in the order in which the pairs were formed, from 1; 0 if unknown.
    """

    board: int
    white: PairingNumber
    black: PairingNumber
    reasons: Sequence[PairingReason] = ()
    formation_number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedBye:
    """The pairing-allocated bye of the round."""

    player: PairingNumber
    reasons: tuple[PairingReason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore:
    """A player's scores when the round was paired, in half points. `pairing_score` = real + fictitious."""

    tpn: PairingNumber
    score: HalfPoints
    fictitious: HalfPoints = 0

    @property
    def pairing_score(self) -> HalfPoints:
        return self.score + self.fictitious


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRound:
    """A whole round as the system paired it: boards in order, the bye, everyone's scores by TPN."""

    system: str
    round_number: int
    games: tuple[PairedGame, ...]
    bye: PairedBye | None = None
    scores: tuple[PlayerScore, ...] = field(default=())
    acceleration: str = "none"


class PairingImpossible(Exception):
    """Raised if no legal round exists. `causes` are the reasons, and `players` are those who cannot be paired."""

    def __init__(
        self, message: str, *, players: Iterable[PairingNumber] = (), causes: Iterable[PairingReason] = ()
    ) -> None:
        super().__init__(message)
        self.players = tuple(players)
        self.causes = tuple(causes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonRun:
    """A run of consecutive reasons that differ in their last player only.

    `first` is the first reason; each of `others` is the last player of one further reason.
    """

    first: PairingReason
    others: tuple[PairingNumber, ...]

    @property
    def kind(self) -> ReasonKind:
        return self.first.kind

    @property
    def players(self) -> tuple[PairingNumber, ...]:
        """Return all players that the run names."""
        return (*self.first.players, *self.others)

    def get_fact(self, name: str) -> ReasonFact:
        return self.first.get_fact(name)

    def __iter__(self) -> Iterator[PairingReason]:
        yield self.first
        before = self.first.players[:-1]
        for other in self.others:
            yield copy_reason_for_players(self.first, *before, other)


ReasonEntry: TypeAlias = PairingReason | ReasonRun
"""One entry of a reason sequence: a single reason or a run."""


class ReasonSequence(Sequence[PairingReason]):
    """A sequence of reasons, equal to a tuple of them, that stores runs and expands them when read."""

    __slots__ = ("_length", "told")

    def __init__(self, told: Iterable[ReasonEntry]) -> None:
        self.told = tuple(told)
        self._length = sum(1 + len(one.others) if isinstance(one, ReasonRun) else 1 for one in self.told)

    def __iter__(self) -> Iterator[PairingReason]:
        for one in self.told:
            if isinstance(one, ReasonRun):
                yield from one
            else:
                yield one

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> PairingReason: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[PairingReason, ...]: ...
    def __getitem__(self, place: int | slice) -> PairingReason | tuple[PairingReason, ...]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, ReasonSequence | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def build_reason_sequence(told: Sequence[ReasonEntry]) -> Sequence[PairingReason]:
    """Return the reasons in their order, as a plain tuple if there are no runs."""
    # Check all types at once: nearly every board of an ordinary event has a few plain reasons.
    if ReasonRun in {*map(type, told)}:
        return ReasonSequence(told)
    return cast(tuple[PairingReason, ...], tuple(told))


def list_reason_entries(reasons: Sequence[PairingReason]) -> Sequence[ReasonEntry]:
    """Return the stored entries of a reason sequence, with its runs unexpanded."""
    return reasons.told if isinstance(reasons, ReasonSequence) else reasons
