"""The articles that a manual pairing breaks. The arbiter may publish it anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from pairing.engine.acceleration import fictitious_points
from pairing.engine.legality import AbsoluteCriteria
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.players import FloatDirection, PairingPlayer, players_from_snapshot
from pairing.engine.snapshot import Colour, PairingNumber, TournamentSnapshot


class PairingWarningKind(StrEnum):
    """The rule that is broken."""

    MET = "met"
    """players=(white, black): they have met, in `round`."""
    FORBIDDEN = "forbidden"
    """players=(white, black): a rule of the event says they must not meet."""
    SAME_ABSOLUTE_COLOUR = "same_absolute_colour"
    """players=(white, black): both must have the same colour."""
    WRONG_ABSOLUTE_COLOUR = "wrong_absolute_colour"
    """players=(player,): they must have the other colour."""
    FAR_APART = "far_apart"
    """players=(white, black): their scores differ by two points or more."""
    SECOND_BYE = "second_bye"
    """players=(player,): they have had the bye, or won without play, in `round`."""
    NOT_LOWEST_GROUP = "not_lowest_group"
    """players=(player,): the bye goes to someone who is not in the lowest score group."""
    FLOATS_AGAIN = "floats_again"
    """players=(player,): they float again as in `round`, the one just before or, by the Dutch B6, two before."""
    FLOAT_LIMIT = "float_limit"
    """players=(player,): they have floated up as often as Dubov's rules allow."""
    COLOURS_TURNED = "colours_turned"
    """players=(white, black): with colours swapped, more of the two would have the colour they are due."""
    COLOUR_DENIED = "colour_denied"
    """players=(player,): both are due the same colour, and they do not get it."""


class WarningSeverity(IntEnum):
    """How serious a warning is. A larger value is more serious."""

    NOTE = 1
    """What the rules cannot always avoid."""
    DOUBTFUL = 2
    """What the rules avoid where they can."""
    FORBIDDEN = 3
    """What no pairing may contain."""


_FORBIDDEN = frozenset(
    {
        PairingWarningKind.MET,
        PairingWarningKind.FORBIDDEN,
        PairingWarningKind.SAME_ABSOLUTE_COLOUR,
        PairingWarningKind.WRONG_ABSOLUTE_COLOUR,
        PairingWarningKind.SECOND_BYE,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingWarning:
    """An article that a pairing breaks. The arbiter may still publish it. `players` are pairing numbers.

    `board` is the pair's position among those checked, from 1; None for the bye.
    """

    kind: PairingWarningKind
    article: str
    players: tuple[PairingNumber, ...]
    round: int | None = None
    board: int | None = None

    @property
    def severity(self) -> WarningSeverity:
        if self.kind is PairingWarningKind.COLOUR_DENIED:
            return WarningSeverity.NOTE
        return WarningSeverity.FORBIDDEN if self.kind in _FORBIDDEN else WarningSeverity.DOUBTFUL


_COLOURS = (PairingWarningKind.SAME_ABSOLUTE_COLOUR, PairingWarningKind.WRONG_ABSOLUTE_COLOUR)
_DUE_COLOURS = (PairingWarningKind.COLOURS_TURNED, PairingWarningKind.COLOUR_DENIED)
_ARTICLES: Mapping[str, Mapping[PairingWarningKind, str]] = {
    "fide-1989": {
        PairingWarningKind.MET: "art. 2",
        **dict.fromkeys(_COLOURS, "art. 9.1"),
        PairingWarningKind.FAR_APART: "art. 3",
        PairingWarningKind.SECOND_BYE: "art. 8.2",
        PairingWarningKind.NOT_LOWEST_GROUP: "art. 8.1",
        PairingWarningKind.FLOATS_AGAIN: "art. 10.10",
        **dict.fromkeys(_DUE_COLOURS, "art. 12.1"),
    },
    "dutch-1992": {
        PairingWarningKind.MET: "B1",
        **dict.fromkeys(_COLOURS, "B2"),
        PairingWarningKind.FAR_APART: "B3",
        PairingWarningKind.SECOND_BYE: "B1",
        PairingWarningKind.NOT_LOWEST_GROUP: "A5",
        PairingWarningKind.FLOATS_AGAIN: "B5",
        **dict.fromkeys(_DUE_COLOURS, "B4"),
    },
    "dubov-1997": {
        PairingWarningKind.MET: "art. 2.1",
        **dict.fromkeys(_COLOURS, "art. 2.3"),
        PairingWarningKind.FAR_APART: "art. 3",
        PairingWarningKind.SECOND_BYE: "art. 2.2",
        PairingWarningKind.NOT_LOWEST_GROUP: "art. 4",
        PairingWarningKind.FLOATS_AGAIN: "art. 2.5",
        PairingWarningKind.FLOAT_LIMIT: "art. 2.5",
        **dict.fromkeys(_DUE_COLOURS, "art. 3.1"),
    },
    "dutch-2026": {
        PairingWarningKind.MET: "C1",
        **dict.fromkeys(_COLOURS, "C3"),
        PairingWarningKind.FAR_APART: "C6",
        PairingWarningKind.SECOND_BYE: "C2",
        PairingWarningKind.NOT_LOWEST_GROUP: "C5",
        PairingWarningKind.FLOATS_AGAIN: "C14",
        **dict.fromkeys(_DUE_COLOURS, "C12"),
    },
}
"""The article of each document that forbids it. The event's own rule against a pair has none."""

_DUTCH = ("dutch-1992", "dutch-2026")
_FLOATS = {
    ("dutch-1992", FloatDirection.DOWN): ("dutch-1992 B5", "dutch-1992 B6"),
    ("dutch-1992", FloatDirection.UP): ("dutch-1992 B5", "dutch-1992 B6"),
    ("dutch-2026", FloatDirection.DOWN): ("dutch-2026 C14", "dutch-2026 C16"),
    ("dutch-2026", FloatDirection.UP): ("dutch-2026 C15", "dutch-2026 C17"),
}
"""The articles on a float as in the last round, and as in the round before that."""
_FAR = 4
"""In half points."""
_UPFLOATS, _LONG_EVENT = 3, 10
"""Dubov 2.5: the limit of upfloats, one more in an event of this many rounds."""


def find_pairing_warnings(
    snapshot: TournamentSnapshot, pairs: Iterable[tuple[PairingNumber, PairingNumber]], bye: PairingNumber | None = None
) -> tuple[PairingWarning, ...]:
    """Return the articles that a pairing (White, Black by number) breaks, board by board, then the bye.

    Articles are those of the snapshot's system. Under Jahr's order they are those of the procedure used. A round robin
    breaks nothing, as it has a table, nor does a Keizer season, whose limits aren't strict rules.
    """
    if snapshot.system in ("round-robin", "keizer"):
        return ()
    return tuple(_Examination(snapshot).find_warnings(pairs, bye))


def players_with_fictitious_points(snapshot: TournamentSnapshot) -> tuple[PairingPlayer, ...]:
    """Return all players, with the fictitious points that the event's systems give them."""
    return players_from_snapshot(snapshot, fictitious=fictitious_points(snapshot))


class _Examination:
    def __init__(self, snapshot: TournamentSnapshot) -> None:
        system = (snapshot.procedure or "fide-1989") if snapshot.system == "jahr" else snapshot.system
        self.system, self.articles = system, _ARTICLES[system]
        self.snapshot = snapshot
        self.law = AbsoluteCriteria(snapshot)
        self.field = {contender.tpn: contender for contender in players_with_fictitious_points(snapshot)}

    def find_warnings(
        self, pairs: Iterable[tuple[PairingNumber, PairingNumber]], bye: PairingNumber | None
    ) -> Iterator[PairingWarning]:
        for board, (white, black) in enumerate(pairs, start=1):
            for warning in self._of_pair(self.field[white], self.field[black]):
                yield replace(warning, board=board)
        if bye is not None:
            yield from self._of_bye(self.field[bye])

    def _of_pair(self, white: PairingPlayer, black: PairingPlayer) -> Iterator[PairingWarning]:
        both = (white.tpn, black.tpn)
        if black.tpn in white.met_in_round:
            yield self._warning(PairingWarningKind.MET, *both, round=white.met_in_round[black.tpn])
        if black.tpn in white.forbidden_opponents:
            yield self._warning(PairingWarningKind.FORBIDDEN, *both)
        absolute = list(self._of_colours(white, black)) if self._colours_count(white, black) else []
        yield from absolute
        apart = abs(white.pairing_score - black.pairing_score)
        if 2 * apart >= _FAR * self.snapshot.points.win:
            yield self._warning(PairingWarningKind.FAR_APART, *both)
        if white.pairing_score != black.pairing_score:
            yield from self._of_floats(*sorted((white, black), key=lambda player: -player.pairing_score))
        if not absolute:
            yield from self._of_due_colours(white, black)

    def _colours_count(self, white: PairingPlayer, black: PairingPlayer) -> bool:
        """Return True if colours count for this pair.

        In the last round they do not: for anyone by FIDE 1987-89 art. 13, above half by the rules of 1992 and 2026.
        """
        if not self.snapshot.is_last_round or self.system == "dubov-1997":
            return True
        most = self.snapshot.points.win * self.snapshot.rounds_paired
        return self.system in _DUTCH and 2 * max(white.score, black.score) <= most

    def _of_colours(self, white: PairingPlayer, black: PairingPlayer) -> Iterator[PairingWarning]:
        must = (absolute_colour(white), absolute_colour(black))
        if must[0] is not None and must[0] is must[1]:
            yield self._warning(PairingWarningKind.SAME_ABSOLUTE_COLOUR, white.tpn, black.tpn)
            return
        if must[0] is Colour.BLACK:
            yield self._warning(PairingWarningKind.WRONG_ABSOLUTE_COLOUR, white.tpn)
        if must[1] is Colour.WHITE:
            yield self._warning(PairingWarningKind.WRONG_ABSOLUTE_COLOUR, black.tpn)

    def _of_due_colours(self, white: PairingPlayer, black: PairingPlayer) -> Iterator[PairingWarning]:
        due = (white.due_colour, black.due_colour)
        if due[0] is not None and due[0] is due[1]:
            denied = black if due[0] is Colour.WHITE else white
            yield self._warning(PairingWarningKind.COLOUR_DENIED, denied.tpn)
        elif due[0] is Colour.BLACK or due[1] is Colour.WHITE:
            yield self._warning(PairingWarningKind.COLOURS_TURNED, white.tpn, black.tpn)

    def _of_floats(self, higher: PairingPlayer, lower: PairingPlayer) -> Iterator[PairingWarning]:
        """Return who floats in this pair and has floated before. Not checked in the last round."""
        if self.snapshot.is_last_round and self.system != "dutch-2026":
            return
        before = self.snapshot.rounds_paired
        if self.system == "dubov-1997":
            if lower.float_rounds_ago(1) is FloatDirection.UP:
                yield self._warning(PairingWarningKind.FLOATS_AGAIN, lower.tpn, round=before)
            if lower.floats.count(FloatDirection.UP) >= self._upfloats_allowed():
                yield self._warning(PairingWarningKind.FLOAT_LIMIT, lower.tpn)
            return
        for player, direction in ((higher, FloatDirection.DOWN), (lower, FloatDirection.UP)):
            # The rules of 1987-89 count floats in either direction, the Dutch ones only the same direction.
            counts = (direction,) if self.system in _DUTCH else tuple(FloatDirection)
            latest, earlier = _FLOATS[self.system, direction] if self.system in _DUTCH else ("", "")
            if player.float_rounds_ago(1) in counts:
                again = self._warning(PairingWarningKind.FLOATS_AGAIN, player.tpn, round=before)
                yield replace(again, article=latest) if latest else again
            elif self.system in _DUTCH and player.float_rounds_ago(2) is direction:
                again = self._warning(PairingWarningKind.FLOATS_AGAIN, player.tpn, round=before - 1)
                yield replace(again, article=earlier)

    def _upfloats_allowed(self) -> int:
        return _UPFLOATS + ((self.snapshot.rounds_announced or 0) >= _LONG_EVENT)

    def _of_bye(self, player: PairingPlayer) -> Iterator[PairingWarning]:
        for breach in self.law.bye_breaches(player.tpn):
            yield self._warning(PairingWarningKind.SECOND_BYE, player.tpn, round=breach.round_number)
        lowest = min(other.pairing_score for other in self.field.values() if other.is_to_be_paired)
        if player.pairing_score > lowest:
            yield self._warning(PairingWarningKind.NOT_LOWEST_GROUP, player.tpn)

    def _warning(self, kind: PairingWarningKind, *players: PairingNumber, round: int | None = None) -> PairingWarning:
        article = f"{self.system} {self.articles[kind]}" if kind in self.articles else ""
        return PairingWarning(kind=kind, article=article, players=players, round=round)
