"""What an explanation says in short: scores, how the opponent was chosen, and the cause of the colours, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason, ReasonKind
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber


class Meeting(StrEnum):
    """How both players came to be in the same score group."""

    SAME_SCORE = "same_score"
    MOVED_DOWN = "moved_down"
    MOVED_UP = "moved_up"
    BOTH_MOVED = "both_moved"
    ONE_GROUP = "one_group"
    """Different scores in one group without a float: all players were one group."""
    RANKING = "ranking"
    """A Keizer season has no score groups."""
    TABLE = "table"
    ARBITER = "arbiter"
    EXCEPTION = "exception"
    """No legal round existed."""


class ColourHistory(StrEnum):
    """Why a player can be due a colour: the last two games, more games or the last game with the other colour."""

    LAST_TWO = "last_two"
    MORE = "more"
    LAST = "last"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourClaimSummary:
    """Why a player was due the colour they got, and how many games they had with each colour."""

    player: PairingNumber
    colour: Colour
    history: ColourHistory
    whites: int
    blacks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourSummary:
    """The reason for each player's colour.

    `cause` is None in a round robin. `claim` is the player whose claim decided. `both_due` is the colour that both were
    due, if it is the same. `white_claim` and `black_claim` are None where a player's games do not speak for the colour
    they got, and in rounds stored without colours.
    """

    cause: ColourCause | None
    reason: PairingReason
    claim: PairingNumber
    both_due: Colour | None = None
    white_claim: ColourClaimSummary | None = None
    black_claim: ColourClaimSummary | None = None

    def claim_of(self, player: PairingNumber) -> ColourClaimSummary | None:
        return next((one for one in (self.white_claim, self.black_claim) if one and one.player == player), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    """A short summary of a board. `floats` has the first reason of each player who changed groups, and
    `later_floats` the reasons of further steps.

    `group` is the group in which they were paired. `chooser` and `opponent` are None if no system chose.
    `ruled_out` are the reasons of the candidates before the opponent. `notes` are reasons that are said as they are.
    """

    white: PairingNumber
    black: PairingNumber
    meeting: Meeting
    white_score: HalfPoints | None = None
    black_score: HalfPoints | None = None
    group: HalfPoints | None = None
    has_extra_points: bool = False
    floats: tuple[PairingReason, ...] = ()
    later_floats: tuple[PairingReason, ...] = ()
    chooser: PairingNumber | None = None
    opponent: PairingNumber | None = None
    place: int = 1
    ruled_out: tuple[PairingReason, ...] = ()
    colours: ColourSummary | None = None
    notes: tuple[PairingReason, ...] = ()

    def score_of(self, player: PairingNumber) -> HalfPoints:
        return (self.white_score if player == self.white else self.black_score) or 0


class ByeCause(StrEnum):
    """The reason why a player has the bye."""

    LOWEST = "lowest"
    """Nobody is ranked lower."""
    LOWEST_RATED = "lowest_rated"
    """Nobody in the lowest score group has a lower rating (Dubov)."""
    LEFT_OVER = "left_over"
    """Everyone else was paired; lower-ranked players too."""
    LOWER_HAD_ONE = "lower_had_one"
    """Everyone ranked lower has had a bye or a forfeit win."""
    EARLIER_HAD_ONE = "earlier_had_one"
    """The same in an order that is not the ranking (Dubov)."""
    FIRST_POSSIBLE = "first_possible"
    """Others came earlier; at least one was ruled out otherwise."""
    KEIZER = "keizer"
    """The lowest in the ranking of those with the fewest byes."""
    TABLE = "table"
    ARBITER = "arbiter"
    EXCEPTION = "exception"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeSummary:
    """A short summary of a bye. `ruled_out` has the reasons against other candidates, unless they already had a bye."""

    player: PairingNumber
    cause: ByeCause
    ruled_out: tuple[PairingReason, ...] = ()
    notes: tuple[PairingReason, ...] = ()


def summarise_reasons(reasons: Iterable[PairingReason]) -> BoardSummary | ByeSummary | None:
    """Summarise the reasons for one board or bye. Return None if they do not say how it was paired."""
    told = tuple(reasons)
    by_kind = {why.kind: why for why in reversed(told)}
    for kind, summarise in _SUMMARIES.items():
        if kind in by_kind:
            return summarise(by_kind[kind], told)
    return None


def _of_board(colour: PairingReason, told: Sequence[PairingReason]) -> BoardSummary | None:
    """Sum up a board that a system paired."""
    white, black = colour.players
    group = next((why for why in told if why.kind in (ReasonKind.SCORE_GROUP, ReasonKind.RANKS)), None)
    chosen = next((why for why in told if why.kind is ReasonKind.OPPONENT), None)
    if group is None or chosen is None:
        return None
    chooser, opponent = chosen.players
    is_ranking = group.kind is ReasonKind.RANKS
    first_floats: dict[PairingNumber, PairingReason] = {}
    later_floats = []
    for why in told:
        if why.kind is not ReasonKind.FLOATED or why.players[0] not in (white, black):
            continue
        if first_floats.setdefault(why.players[0], why) is not why:
            later_floats.append(why)
    at = _half_points(group, "half_points")
    scores = [
        _half_points(group, name, otherwise=_half_points(first_floats.get(player), "from_half_points", otherwise=at))
        for player, name in ((white, "white_half_points"), (black, "black_half_points"))
    ]
    exceptions = tuple(why for why in told if why.kind is ReasonKind.EXCEPTION)
    after = told[told.index(chosen) :]
    place = chosen.get_fact("place")
    return BoardSummary(
        white=white,
        black=black,
        meeting=Meeting.EXCEPTION
        if exceptions
        else Meeting.RANKING
        if is_ranking
        else _meeting(scores, tuple(first_floats.values())),
        white_score=scores[0],
        black_score=scores[1],
        group=at,
        has_extra_points=group.get_fact("extra") is True,
        floats=tuple(first_floats.values()),
        later_floats=tuple(later_floats),
        chooser=chooser,
        opponent=opponent,
        place=place if isinstance(place, int) else 1,
        ruled_out=tuple(why for why in after if why.kind is ReasonKind.PASSED_OVER and why.players[0] == chooser),
        colours=_colours(colour),
        notes=exceptions or ((group,) if is_ranking else ()),
    )


def _meeting(scores: Sequence[HalfPoints | None], floats: Sequence[PairingReason]) -> Meeting:
    if len(floats) == 2:
        return Meeting.BOTH_MOVED
    if floats:
        return Meeting.MOVED_UP if floats[0].get_fact("direction") == "up" else Meeting.MOVED_DOWN
    return Meeting.SAME_SCORE if scores[0] == scores[1] else Meeting.ONE_GROUP


def _half_points(why: PairingReason | None, name: str, *, otherwise: HalfPoints | None = None) -> HalfPoints | None:
    value = why.get_fact(name) if why else None
    return value if isinstance(value, int) else otherwise


def _colours(reason: PairingReason) -> ColourSummary:
    claim, both_due = reason.get_fact("claim"), reason.get_fact("both_due")
    white, black = reason.players
    return ColourSummary(
        cause=ColourCause(str(reason.get_fact("because"))),
        reason=reason,
        claim=claim if isinstance(claim, int) else white,
        both_due=Colour(both_due) if isinstance(both_due, str) else None,
        white_claim=_claim_by_games(white, Colour.WHITE, reason.get_fact("white_colours")),
        black_claim=_claim_by_games(black, Colour.BLACK, reason.get_fact("black_colours")),
    )


def _claim_by_games(player: PairingNumber, got: Colour, letters: object) -> ColourClaimSummary | None:
    """Return what in a player's games speaks for the colour they got, or None if nothing does."""
    if not isinstance(letters, str):
        return None
    had = got.opposite.value
    if letters.endswith(2 * had):
        history = ColourHistory.LAST_TWO
    elif len(letters) > 1 and 2 * letters.count(had) > len(letters):
        history = ColourHistory.MORE
    elif letters.endswith(had):
        history = ColourHistory.LAST
    else:
        return None
    return ColourClaimSummary(
        player=player,
        colour=got,
        history=history,
        whites=letters.count(Colour.WHITE.value),
        blacks=letters.count(Colour.BLACK.value),
    )


def _of_table(table: PairingReason, told: Sequence[PairingReason]) -> BoardSummary | ByeSummary:
    """Sum up a game or a bye of a round robin."""
    if table.get_fact("rests"):
        return ByeSummary(player=table.players[0], cause=ByeCause.TABLE)
    white, black = table.players
    return BoardSummary(
        white=white,
        black=black,
        meeting=Meeting.TABLE,
        colours=ColourSummary(cause=None, reason=table, claim=white),
        notes=tuple(why for why in told if why.kind is ReasonKind.WITHDRAWN),
    )


def _by_arbiter(manual: PairingReason, told: Sequence[PairingReason]) -> BoardSummary | ByeSummary | None:
    """Sum up what an arbiter set, whatever the system had said before."""
    if len(manual.players) == 1:
        return ByeSummary(player=manual.players[0], cause=ByeCause.ARBITER)
    if len(manual.players) != 2:
        return None
    white, black = manual.players
    return BoardSummary(white=white, black=black, meeting=Meeting.ARBITER)


_HAD_ONE = (
    DecisionCause.MORE_BYES,
    DecisionCause.HAD_BYE,
    DecisionCause.HAD_FORFEIT_WIN,
    DecisionCause.HAD_POINT_WITHOUT_PLAY,
)


def _of_bye(bye: PairingReason, told: Sequence[PairingReason]) -> ByeSummary:
    """Sum up the pairing-allocated bye."""
    passed = {why.players[0]: why for why in told if why.kind is ReasonKind.BYE_PASSED_OVER}
    others = tuple(why for why in passed.values() if why.get_fact("because") not in _HAD_ONE)
    exceptions = tuple(why for why in told if why.kind is ReasonKind.EXCEPTION)
    if exceptions:
        cause = ByeCause.EXCEPTION
    elif bye.get_fact("byes") is not None and bye.get_fact("byes") == bye.get_fact("fewest"):
        cause = ByeCause.KEIZER
    elif others:
        cause = ByeCause.FIRST_POSSIBLE
    elif bye.article == "dubov-1997 art. 4":
        cause = ByeCause.EARLIER_HAD_ONE if passed else ByeCause.LOWEST_RATED
    elif bye.get_fact("lower") == len(passed):
        cause = ByeCause.LOWER_HAD_ONE if passed else ByeCause.LOWEST
    else:
        cause = ByeCause.LEFT_OVER
    return ByeSummary(player=bye.players[0], cause=cause, ruled_out=others, notes=exceptions)


def _by_exception(exception: PairingReason, told: Sequence[PairingReason]) -> BoardSummary | ByeSummary:
    """Sum up what an arbiter allowed because no legal round existed."""
    exceptions = tuple(why for why in told if why.kind is ReasonKind.EXCEPTION)
    if len(exception.players) == 1:
        return ByeSummary(player=exception.players[0], cause=ByeCause.EXCEPTION, notes=exceptions)
    white, black = exception.players
    return BoardSummary(white=white, black=black, meeting=Meeting.EXCEPTION, notes=exceptions)


_SUMMARIES: Mapping[ReasonKind, Callable[..., BoardSummary | ByeSummary | None]] = {
    ReasonKind.MANUAL: _by_arbiter,
    ReasonKind.TABLE: _of_table,
    ReasonKind.COLOUR: _of_board,
    ReasonKind.BYE: _of_bye,
    ReasonKind.EXCEPTION: _by_exception,
}
"""How to sum up reasons by the kind that tells what was paired; the first kind that occurs decides."""
