"""Where a document can be read in more than one way: every such place, both readings, the default and why.

An event may choose other readings than the defaults; they stand in its snapshot. A reason whose decision hangs on a
reading states it as the fact `reading`, in the same words as the command line: `fide-1989:8.2=next-round`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Readings: TypeAlias = tuple[tuple[str, str], ...]
"""The readings an event has chosen besides the defaults: pairs of id and value, sorted by id."""


class InvalidReading(ValueError):
    """There is no such reading, or it has no such value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way to read the place: its name on the command line, and what it says."""

    value: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One place. `words` is our translation of the document's; the first of `choices` is the default, `why` says so."""

    system: str
    article: str
    words: str
    choices: tuple[Choice, Choice]
    why: str

    @property
    def id(self) -> str:
        return f"{self.system}:{self.article}"

    @property
    def default(self) -> str:
        return self.choices[0].value

    @property
    def other(self) -> str:
        return self.choices[1].value

    def concerns(self, system: str, procedure: str | None) -> bool:
        """Whether events of that system, and of that procedure under Jahr's order, ask this reading."""
        if system == "jahr":
            return self.system in ("jahr", procedure or "fide-1989")
        return self.system == system


FORFEIT_WINNERS = "fide-1989:8.2"
TITLES = "dutch-1992:A2c"
MOVED_UP = "dubov-1997:2.5"
FIRST_COLOURS = "dubov-1997:5"
ROWS = "dubov-1997:6.2"
SUPPLIED = "dubov-1997:7.1"
COMPLETED = "dubov-1997:7.2"
COLUMNS = "dubov-1997:7.3"
EXACT = "jahr:6"
INITIAL_COLOUR = "dutch-2026:5.2.5"

_BY_NUMBER = Choice(value="number", says="in the order of the pairing numbers")
_BY_NAME = Choice(value="name", says="by name, in alphabetical order")
_WHY_NUMBER = (
    "A starting list is itself ordered by name where nothing else differs, and two people with the same list agree, "
    "whatever alphabet their computers use."
)
_POSSIBLE = Choice(value="next-possible", says="from the nearest lower group that has an acceptable player")
_NEXT = Choice(value="next-group", says="from the next lower group alone, as it stands when the group's turn begins")
_WHY_POSSIBLE = (
    "It keeps more players in their own groups; the words name “the lower group” and do not say what if it has none."
)

READINGS: Mapping[str, Reading] = {
    reading.id: reading
    for reading in (
        Reading(
            system="fide-1989",
            article="8.2",
            words="A player who has won a point because his opponent did not appear may not rest in the next round.",
            choices=(
                Choice(value="event", says="nobody rests in the event after a win by forfeit"),
                Choice(value="next-round", says="he may not rest in the round just after; later he may"),
            ),
            why="The English rules of the time say “subsequently”; the Bulgarian words may render that.",
        ),
        Reading(
            system="dutch-1992",
            article="A2c",
            words="FIDE titles (IGM - WGM - IM - WIM - FM - WFM - no title).",
            choices=(
                Choice(value="document", says="GM, WGM, IM, WIM, FM, WFM, none; other titles count as none"),
                Choice(value="modern", says="GM, IM, WGM, FM, WIM, CM, WFM, WCM, none"),
            ),
            why="An event of this system follows its document. A list that comes with its numbers keeps them.",
        ),
        Reading(
            system="dubov-1997",
            article="2.5",
            words="Except in the last round a player may not be moved to a higher group twice running, nor more than "
            "three times (four times in more than nine rounds).",
            choices=(
                Choice(value="all-upfloats", says="who met a floater from above was moved up as well"),
                Choice(value="moved-up", says="only those moved up by 7.1 and 7.2 were"),
            ),
            why="Both mean a stronger opponent; and a report file tells who met whom, not why.",
        ),
        Reading(
            system="dubov-1997",
            article="5",
            words="All players with odd numbers have the same colour, those with even numbers the other.",
            choices=(
                Choice(value="position", says="the colour alternates pair by pair, whoever is absent"),
                Choice(value="number", says="odd and even pairing numbers decide, also when somebody is absent"),
            ),
            why="The text before draws the colours of one pair, “for instance the first”; the others follow in turn.",
        ),
        Reading(
            system="dubov-1997",
            article="6.2",
            words="If ARO and R are equal, the players are placed in alphabetical order.",
            choices=(_BY_NUMBER, _BY_NAME),
            why=_WHY_NUMBER,
        ),
        Reading(
            system="dubov-1997",
            article="7.1",
            words="A player of the lower group who has not played him is moved up.",
            choices=(_POSSIBLE, _NEXT),
            why=_WHY_POSSIBLE,
        ),
        Reading(
            system="dubov-1997",
            article="7.2",
            words="If the number in the group is odd, a player of the lower group is to be moved into it.",
            choices=(_POSSIBLE, _NEXT),
            why=_WHY_POSSIBLE,
        ),
        Reading(
            system="dubov-1997",
            article="7.3",
            words="Where R and ARO are both equal, the list is made in alphabetical order and the upper half is moved.",
            choices=(_BY_NUMBER, _BY_NAME),
            why=_WHY_NUMBER,
        ),
        Reading(
            system="jahr",
            article="6",
            words="Count up exactly the points of the opponents met, and so take away the roundings of article 4.",
            choices=(
                Choice(value="rounded", says="the sum of the opponents' totals as they were kept, tenths rounded"),
                Choice(value="unrounded", says="the same sum of totals whose tenths were never rounded"),
            ),
            why="The totals on the cards are what an arbiter can count up; no second account is kept beside them.",
        ),
        Reading(
            system="dutch-2026",
            article="5.2.5",
            words="If the higher ranked player has an odd pairing number he gets the initial colour, else the other.",
            choices=(
                Choice(value="list", says="the number of the starting list, whoever is absent from round 1"),
                Choice(value="present", says="in round 1 the number among those who are paired in it"),
            ),
            why="Numbers are given when players are entered, and an absence of one round takes none away. Events whose "
            "late entrants get their numbers when they come have paired round 1 by the other.",
        ),
    )
}
"""By id. 7.3 holds for 7.4 as well."""


def parse_reading(text: str) -> tuple[str, str]:
    """`fide-1989:8.2=next-round` as id and value. Raises InvalidReading."""
    name, between, value = text.partition("=")
    if not between:
        raise InvalidReading(f"expected a reading such as fide-1989:8.2=next-round, found {text!r}")
    check_reading(name, value)
    return name, value


def check_reading(name: str, value: str) -> None:
    """Raise InvalidReading unless there is such a reading with such a value."""
    if name not in READINGS:
        raise InvalidReading(f"there is no reading {name!r}; there are {', '.join(READINGS)}")
    values = [choice.value for choice in READINGS[name].choices]
    if value not in values:
        raise InvalidReading(f"{name} can be read as {' or '.join(values)}, not as {value!r}")


def chosen_readings(pairs: Iterable[tuple[str, str]]) -> Readings:
    """Those that are not the defaults, sorted; of several values for one place the last. Raises InvalidReading."""
    chosen: dict[str, str] = {}
    for name, value in pairs:
        check_reading(name, value)
        chosen[name] = value
    return tuple(sorted((name, value) for name, value in chosen.items() if value != READINGS[name].default))


def stated(name: str, value: str) -> str:
    """A reading as a reason states it, and as the command line takes it."""
    return f"{name}={value}"
