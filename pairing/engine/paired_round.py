"""What comes out of a pairing: boards, the bye, and the reason for each, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from pairing.engine.snapshot import HalfPoints, PairingNumber

ReasonFact = int | str | bool | None | tuple[int, ...]
"""A fact of a reason; points are half points under names that end in `_half_points`, numbers are numbers.

An average rating is exact: `average_numerator` over `average_denominator`.
"""


class ReasonKind(StrEnum):
    """What a reason says. `players` of a Reason begins with the player it speaks of."""

    SCORE_GROUP = "score_group"
    """The pair was formed in a group: facts `half_points`, `side` (above, below, median, whole).

    `formation_number`: which pair of the round it was to be formed, from 1.
    """
    FLOATED = "floated"
    """players=(floater,): left his group; `from_half_points`, `to_half_points`, `direction` (down, up), `because`.

    A second player is the one he was moved up for.
    """
    STAYED = "stayed"
    """players=(kept, floater): why `kept` did not float instead; `because` a Cause."""
    OPPONENT = "opponent"
    """players=(chooser, opponent): how the rule gave him; `step`, `place` (1 = first candidate in its order).

    `order` by FIDE 1987-89: `down`, the lower half from its top and then the upper from its bottom; `up`, the mirror
    image of it; `colour`, residents not due the same colour, the other residents, floaters.
    """
    PASSED_OVER = "passed_over"
    """players=(chooser, candidate): stood before in the rule's order; `because` a Cause, with `round` if any.

    `left`: the two who would have been left with each other, kept apart by `left_because`, with `left_round` if any.
    """
    EXCHANGED = "exchanged"
    """players=(chooser, opponent, first_choice): a second scrutiny changed the pair; `because` a Cause."""
    MOVED_TO_HALF = "moved_to_half"
    """players=(player, *others): exchanged between the halves of his group for the others; `half` he came to, S1 or S2.

    `half_points`: the group.
    """
    EXCHANGE_TRIED = "exchange_tried"
    """players=(*leaving, *entering): an earlier exchange between the halves, `leaving` players for as many; `because`.

    No players: the halves as they stood at first.
    """
    EXCHANGES_TRIED = "exchanges_tried"
    """players=(): so many more exchanges than are told failed: `count`, or `at_least` so many."""
    LACK_OPPONENTS = "in_want"
    """players=some of those below who have too few opponents among themselves: `count` of them lack one.

    `half_points` the group they are below; `of`: how many they are in all; `bye`: it is one of the places to be filled.
    """
    ORDER = "order"
    """players=the score group in the order used, from its top: `places`, `totals` and `exacts` go with them.

    Totals are hundredths of a point, exact values are counted in units of ten to the power of -`decimals`.
    """
    RANKED = "ranked"
    """players=(higher, lower): `by` (game_points, total, exact, number) with `higher` and `lower`, in those units."""
    BYE_POINTS = "worth"
    """players=(player,): what his bye is worth: `half_points`."""
    COLOUR = "colour"
    """players=(white, black): the colour rule; `because` a ColourCause, `claim` the player whose claim decided."""
    COLUMN = "column"
    """players=(player,): stood in the column of `colour` though not due it; `because` a Cause."""
    BYE = "bye"
    """players=(player,): got the pairing-allocated bye; `half_points` of his group."""
    BYE_PASSED_OVER = "bye_passed_over"
    """players=(candidate,): stood before in the bye's order; `because` a Cause."""
    COMPLETION = "completion"
    """players=those moved: done only so that the others keep a legal round."""
    EXCEPTION = "exception"
    """players=(white, black), or the one with the bye: no legal round existed, and the arbiter let this be; `because`.

    `round`: when the two had met, or what bars him from the bye was.
    """
    TABLE = "table"
    """players=(white, black), or the one who `rests`: `row` of the table for `table` players.

    `cycle`: 1, or 2 where everybody meets for the second time.
    """
    WITHDRAWN = "withdrawn"
    """players=(player,): he has left the event; the game stands in the table and is scored as forfeited."""
    MANUAL = "by_hand"
    """players=(white, black), or the one with the bye: the arbiter set it, whatever the system proposed.

    `by` his name, empty where none is known; `instead_white` and `instead_black` whom each was to play before (0: the
    bye).
    """


class DecisionCause(StrEnum):
    """Why a candidate was ruled out or a player moved."""

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
    """`rule` says by what the pairing made comes earlier: `moved_down`, `exchange` or `transposition`."""
    LOOK_AHEAD = "look_ahead"
    MORE_FLOATS = "more_floats"
    FARTHER_GROUP = "farther_group"
    OTHER_COLOUR = "other_colour"
    LOWER_RATING = "lower_rating"
    HIGHER_AVERAGE = "higher_average"
    WORSE_BY_CRITERION = "worse_by_criterion"
    """The candidates with it keep that `criterion` less well, others before it no better."""


class ColourCause(StrEnum):
    """Why the colours of a pair fell as they did. The reason's facts name the player whose claim decided: `claim`."""

    ABSOLUTE = "absolute"
    """He alone must have it."""
    STRONGER = "stronger"
    """Both due the same: his claim is the stronger one, though not absolute."""
    BOTH_DUE = "both_due"
    """Each is due the colour he got."""
    ONLY_ONE_DUE = "only_one_due"
    HISTORY = "history"
    """Both due the same: the latest place where their histories differ, `games_back` played games ago, decides."""
    HIGHER_PLAYER = "higher_player"
    LOWER_PLAYER = "lower_player"
    DIFFERENCE = "difference"
    """Both due the same: his colour difference is the greater one."""
    HIGHER_AVERAGE = "higher_average"
    """White to the higher average rating of opponents, which is `average`."""
    LOWER_RATING = "lower_rating"
    """White to the lower `rating`."""
    LARGER_NUMBER = "larger_number"
    """White to the larger pairing number."""
    ALTERNATE_PAIRS = "alternate_pairs"
    """Round 1: the colour drawn for the first pair alternates from pair to pair."""
    NUMBER_PARITY = "number_parity"
    """Neither due any: the colour drawn for TPN 1, by the parity of the higher player's TPN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingReason:
    """One reason, as data: its words stand in `pairing/explanations/reason_sentences.py`.

    `article` names document and article ("fide-1989 art. 11.2"). `facts` are sorted by name; a test re-checks
    each against the snapshot, so nothing may be stated that is not so.
    """

    article: str
    kind: ReasonKind
    players: tuple[PairingNumber, ...] = ()
    facts: tuple[tuple[str, ReasonFact], ...] = ()

    def get_fact(self, name: str) -> ReasonFact:
        """The fact of that name, None where the reason does not state it."""
        return dict(self.facts).get(name)


def make_reason(article: str, kind: ReasonKind, *players: PairingNumber, **facts: ReasonFact) -> PairingReason:
    """A Reason with its facts given by name."""
    return PairingReason(article=article, kind=kind, players=players, facts=_by_name(**facts))


def reason_for_players(why: PairingReason, *players: PairingNumber) -> PairingReason:
    """The same reason, told of other players."""
    return PairingReason(article=why.article, kind=why.kind, players=players, facts=why.facts)


# Most reasons of a round state the same few facts, which are then kept once. Typed, as True is 1 and a Cause its text.
@lru_cache(maxsize=4096, typed=True)
def _by_name(**facts: ReasonFact) -> tuple[tuple[str, ReasonFact], ...]:
    return tuple(sorted(facts.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedGame:
    """One board of a paired round; `board` counts from 1. `formation_number` tells which pair it was to be formed, from
    1."""

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
    """A player's scores when the round was paired, in half points; `pairing_score` = real + fictitious."""

    tpn: PairingNumber
    score: HalfPoints
    fictitious: HalfPoints = 0

    @property
    def pairing_score(self) -> HalfPoints:
        return self.score + self.fictitious


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRound:
    """A whole round as the system made it: boards in their order, the bye, everyone's scores by TPN."""

    system: str
    round_number: int
    games: tuple[PairedGame, ...]
    bye: PairedBye | None = None
    scores: tuple[PlayerScore, ...] = field(default=())
    acceleration: str = "none"


class PairingImpossible(Exception):
    """No legal round exists. `causes` says why, and `players` who stand in the way."""

    def __init__(
        self, message: str, *, players: Iterable[PairingNumber] = (), causes: Iterable[PairingReason] = ()
    ) -> None:
        super().__init__(message)
        self.players = tuple(players)
        self.causes = tuple(causes)
