"""What a pairing set by hand breaks, named by article; the arbiter decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from pairing.engine.acceleration import fictitious_points
from pairing.engine.legality import Law
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.field import Contender, Float, take_field
from pairing.engine.snapshot import Colour, PairingNumber, TournamentSnapshot


class WarningKind(StrEnum):
    """What is broken."""

    MET = "met"
    """players=(white, black): they have met, in `round`."""
    FORBIDDEN = "forbidden"
    """players=(white, black): a rule of the event says they must not meet."""
    SAME_ABSOLUTE_COLOUR = "same_absolute_colour"
    """players=(white, black): both must have the same colour."""
    WRONG_ABSOLUTE_COLOUR = "wrong_absolute_colour"
    """players=(player,): he must have the other colour."""
    FAR_APART = "far_apart"
    """players=(white, black): their scores differ by two points or more."""
    SECOND_BYE = "second_bye"
    """players=(player,): he has had the bye, or won without play, in `round`."""
    NOT_LOWEST_GROUP = "not_lowest_group"
    """players=(player,): the bye goes to someone who is not in the lowest score group."""
    FLOATS_AGAIN = "floats_again"
    """players=(player,): he floats again as he did in `round`, the one just before or, by the Dutch B6, two before."""
    FLOAT_LIMIT = "float_limit"
    """players=(player,): he has floated up as often as Dubov's rules allow."""
    COLOURS_TURNED = "colours_turned"
    """players=(white, black): turned, more of the two would have the colour due."""
    COLOUR_DENIED = "colour_denied"
    """players=(player,): both are due the same colour, and he does not get it."""


class Severity(IntEnum):
    """How bad it is; greater is worse."""

    NOTE = 1
    """What the rules cannot always avoid."""
    DOUBTFUL = 2
    """What the rules avoid where they can."""
    FORBIDDEN = 3
    """What no pairing may hold."""


_FORBIDDEN = frozenset(
    {
        WarningKind.MET,
        WarningKind.FORBIDDEN,
        WarningKind.SAME_ABSOLUTE_COLOUR,
        WarningKind.WRONG_ABSOLUTE_COLOUR,
        WarningKind.SECOND_BYE,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingWarning:
    """One article a pairing breaks; the arbiter may publish it all the same. `players` are pairing numbers.

    `board` is the place of the pair among those looked at, from 1; None for the bye.
    """

    kind: WarningKind
    article: str
    players: tuple[PairingNumber, ...]
    round: int | None = None
    board: int | None = None

    @property
    def severity(self) -> Severity:
        if self.kind is WarningKind.COLOUR_DENIED:
            return Severity.NOTE
        return Severity.FORBIDDEN if self.kind in _FORBIDDEN else Severity.DOUBTFUL


_COLOURS = (WarningKind.SAME_ABSOLUTE_COLOUR, WarningKind.WRONG_ABSOLUTE_COLOUR)
_DUE_COLOURS = (WarningKind.COLOURS_TURNED, WarningKind.COLOUR_DENIED)
_ARTICLES: Mapping[str, Mapping[WarningKind, str]] = {
    "fide-1989": {
        WarningKind.MET: "art. 2",
        **dict.fromkeys(_COLOURS, "art. 9.1"),
        WarningKind.FAR_APART: "art. 3",
        WarningKind.SECOND_BYE: "art. 8.2",
        WarningKind.NOT_LOWEST_GROUP: "art. 8.1",
        WarningKind.FLOATS_AGAIN: "art. 10.10",
        **dict.fromkeys(_DUE_COLOURS, "art. 12.1"),
    },
    "dutch-1992": {
        WarningKind.MET: "B1",
        **dict.fromkeys(_COLOURS, "B2"),
        WarningKind.FAR_APART: "B3",
        WarningKind.SECOND_BYE: "B1",
        WarningKind.NOT_LOWEST_GROUP: "A5",
        WarningKind.FLOATS_AGAIN: "B5",
        **dict.fromkeys(_DUE_COLOURS, "B4"),
    },
    "dubov-1997": {
        WarningKind.MET: "art. 2.1",
        **dict.fromkeys(_COLOURS, "art. 2.3"),
        WarningKind.FAR_APART: "art. 3",
        WarningKind.SECOND_BYE: "art. 2.2",
        WarningKind.NOT_LOWEST_GROUP: "art. 4",
        WarningKind.FLOATS_AGAIN: "art. 2.5",
        WarningKind.FLOAT_LIMIT: "art. 2.5",
        **dict.fromkeys(_DUE_COLOURS, "art. 3.1"),
    },
    "dutch-2026": {
        WarningKind.MET: "C1",
        **dict.fromkeys(_COLOURS, "C3"),
        WarningKind.FAR_APART: "C6",
        WarningKind.SECOND_BYE: "C2",
        WarningKind.NOT_LOWEST_GROUP: "C5",
        WarningKind.FLOATS_AGAIN: "C14",
        **dict.fromkeys(_DUE_COLOURS, "C12"),
    },
}
"""The article of each document that forbids it. The event's own rule against a pair has none."""

_DUTCH = ("dutch-1992", "dutch-2026")
_FLOATS = {
    ("dutch-1992", Float.DOWN): ("dutch-1992 B5", "dutch-1992 B6"),
    ("dutch-1992", Float.UP): ("dutch-1992 B5", "dutch-1992 B6"),
    ("dutch-2026", Float.DOWN): ("dutch-2026 C14", "dutch-2026 C16"),
    ("dutch-2026", Float.UP): ("dutch-2026 C15", "dutch-2026 C17"),
}
"""The articles on a float as in the last round, and as in the round before that."""
_FAR = 4
"""Half points."""
_UPFLOATS, _LONG_EVENT = 3, 10
"""Dubov 2.5: so many upfloats in an event, one more in an event of so many rounds."""


def warnings_for(
    snapshot: TournamentSnapshot, pairs: Iterable[tuple[PairingNumber, PairingNumber]], bye: PairingNumber | None = None
) -> tuple[PairingWarning, ...]:
    """What a pairing (white, black by number) breaks, board by board, then the bye.

    Articles are those of the snapshot's system; under Jahr's order, of the procedure it is combined with. A round robin
    has a table, and breaks nothing.
    """
    if snapshot.system == "round-robin":
        return ()
    return tuple(_Examination(snapshot).warnings(pairs, bye))


def accelerated_field(snapshot: TournamentSnapshot) -> tuple[Contender, ...]:
    """Everyone with the pairing scores the event's systems see."""
    return take_field(snapshot, fictitious=fictitious_points(snapshot))


class _Examination:
    def __init__(self, snapshot: TournamentSnapshot) -> None:
        system = (snapshot.procedure or "fide-1989") if snapshot.system == "jahr" else snapshot.system
        self.system, self.articles = system, _ARTICLES[system]
        self.snapshot = snapshot
        self.law = Law(snapshot)
        self.field = {contender.tpn: contender for contender in accelerated_field(snapshot)}

    def warnings(
        self, pairs: Iterable[tuple[PairingNumber, PairingNumber]], bye: PairingNumber | None
    ) -> Iterator[PairingWarning]:
        for board, (white, black) in enumerate(pairs, start=1):
            for warning in self._of_pair(self.field[white], self.field[black]):
                yield replace(warning, board=board)
        if bye is not None:
            yield from self._of_bye(self.field[bye])

    def _of_pair(self, white: Contender, black: Contender) -> Iterator[PairingWarning]:
        both = (white.tpn, black.tpn)
        if black.tpn in white.met_in:
            yield self._warning(WarningKind.MET, *both, round=white.met_in[black.tpn])
        if black.tpn in white.forbidden:
            yield self._warning(WarningKind.FORBIDDEN, *both)
        absolute = list(self._of_colours(white, black)) if self._colours_count(white, black) else []
        yield from absolute
        apart = abs(white.pairing_score - black.pairing_score)
        if 2 * apart >= _FAR * self.snapshot.points.win:
            yield self._warning(WarningKind.FAR_APART, *both)
        if white.pairing_score != black.pairing_score:
            yield from self._of_floats(*sorted((white, black), key=lambda player: -player.pairing_score))
        if not absolute:
            yield from self._of_due_colours(white, black)

    def _colours_count(self, white: Contender, black: Contender) -> bool:
        """Not in the last round: for anyone by FIDE 1987-89 art. 13, above half by the rules of 1992 and 2026."""
        if not self.snapshot.is_last_round or self.system == "dubov-1997":
            return True
        most = self.snapshot.points.win * self.snapshot.rounds_paired
        return self.system in _DUTCH and 2 * max(white.score, black.score) <= most

    def _of_colours(self, white: Contender, black: Contender) -> Iterator[PairingWarning]:
        must = (absolute_colour(white), absolute_colour(black))
        if must[0] is not None and must[0] is must[1]:
            yield self._warning(WarningKind.SAME_ABSOLUTE_COLOUR, white.tpn, black.tpn)
            return
        if must[0] is Colour.BLACK:
            yield self._warning(WarningKind.WRONG_ABSOLUTE_COLOUR, white.tpn)
        if must[1] is Colour.WHITE:
            yield self._warning(WarningKind.WRONG_ABSOLUTE_COLOUR, black.tpn)

    def _of_due_colours(self, white: Contender, black: Contender) -> Iterator[PairingWarning]:
        due = (white.due_colour, black.due_colour)
        if due[0] is not None and due[0] is due[1]:
            denied = black if due[0] is Colour.WHITE else white
            yield self._warning(WarningKind.COLOUR_DENIED, denied.tpn)
        elif due[0] is Colour.BLACK or due[1] is Colour.WHITE:
            yield self._warning(WarningKind.COLOURS_TURNED, white.tpn, black.tpn)

    def _of_floats(self, higher: Contender, lower: Contender) -> Iterator[PairingWarning]:
        """Who floats in this pair, and has floated so before: not asked in the last round."""
        if self.snapshot.is_last_round and self.system != "dutch-2026":
            return
        before = self.snapshot.rounds_paired
        if self.system == "dubov-1997":
            if lower.floated(1) is Float.UP:
                yield self._warning(WarningKind.FLOATS_AGAIN, lower.tpn, round=before)
            if lower.floats.count(Float.UP) >= self._upfloats_allowed():
                yield self._warning(WarningKind.FLOAT_LIMIT, lower.tpn)
            return
        for player, direction in ((higher, Float.DOWN), (lower, Float.UP)):
            # The rules of 1987-89 count a float of either kind, the Dutch ones the same one.
            counts = (direction,) if self.system in _DUTCH else tuple(Float)
            latest, earlier = _FLOATS[self.system, direction] if self.system in _DUTCH else ("", "")
            if player.floated(1) in counts:
                again = self._warning(WarningKind.FLOATS_AGAIN, player.tpn, round=before)
                yield replace(again, article=latest) if latest else again
            elif self.system in _DUTCH and player.floated(2) is direction:
                again = self._warning(WarningKind.FLOATS_AGAIN, player.tpn, round=before - 1)
                yield replace(again, article=earlier)

    def _upfloats_allowed(self) -> int:
        return _UPFLOATS + ((self.snapshot.rounds_announced or 0) >= _LONG_EVENT)

    def _of_bye(self, player: Contender) -> Iterator[PairingWarning]:
        for breach in self.law.of_bye(player.tpn):
            yield self._warning(WarningKind.SECOND_BYE, player.tpn, round=breach.round_number)
        lowest = min(other.pairing_score for other in self.field.values() if other.to_be_paired)
        if player.pairing_score > lowest:
            yield self._warning(WarningKind.NOT_LOWEST_GROUP, player.tpn)

    def _warning(self, kind: WarningKind, *players: PairingNumber, round: int | None = None) -> PairingWarning:
        article = f"{self.system} {self.articles[kind]}" if kind in self.articles else ""
        return PairingWarning(kind=kind, article=article, players=players, round=round)
