"""Articles that can be interpreted in two ways: both interpretations, the default and why.

An event may choose interpretations other than the defaults. Its snapshot holds them. A reason that depends on one
states it as the fact `reading`, in the form of the command line: `fide-1989:8.2=next-round`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

ChosenInterpretations: TypeAlias = tuple[tuple[str, str], ...]
"""The readings an event has chosen instead of the defaults: pairs of id and value, sorted by id."""


class InvalidInterpretation(ValueError):
    """Raised if there is no such interpretation, or it has no such value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpretationOption:
    """One interpretation of an article: its name on the command line, and its meaning."""

    value: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInterpretation:
    """One article that can be interpreted in two ways.

    `article_text` is our translation. The first of `options` is the default, for the reason in `default_rationale`.
    """

    system: str
    article: str
    article_text: str
    options: tuple[InterpretationOption, InterpretationOption]
    default_rationale: str

    @property
    def id(self) -> str:
        return f"{self.system}:{self.article}"

    @property
    def default_value(self) -> str:
        return self.options[0].value

    @property
    def alternative_value(self) -> str:
        return self.options[1].value

    def applies_to_system(self, system: str, procedure: str | None) -> bool:
        """Return True if this interpretation affects events with that system (or Jahr's order with that procedure)."""
        if system == "jahr":
            return self.system in ("jahr", procedure or "fide-1989")
        return self.system == system


FORFEIT_WIN_BYES = "fide-1989:8.2"
TITLE_ORDER = "dutch-1992:A2c"
UPFLOAT_COUNTING = "dubov-1997:2.5"
FIRST_ROUND_COLOURS = "dubov-1997:5"
ARO_TIE_ORDER = "dubov-1997:6.2"
UPFLOATER_SOURCE = "dubov-1997:7.1"
ODD_GROUP_UPFLOATER_SOURCE = "dubov-1997:7.2"
COLUMN_BALANCE_TIE_ORDER = "dubov-1997:7.3"
EXACT_TOTALS = "jahr:6"
INITIAL_COLOUR = "dutch-2026:5.2.5"

_BY_NUMBER = InterpretationOption(value="number", meaning="in the order of the pairing numbers")
_BY_NAME = InterpretationOption(value="name", meaning="by name, in alphabetical order")
_WHY_NUMBER = (
    "If everything else is equal, a starting list is already in alphabetical order. People with the same list "
    "then agree, whatever alphabet their computers use."
)
_POSSIBLE = InterpretationOption(
    value="next-possible", meaning="the player comes from the nearest lower group with an eligible player"
)
_NEXT = InterpretationOption(
    value="next-group", meaning="only players in the next lower group when this group's turn begins can be moved up"
)
_WHY_POSSIBLE = (
    "More players stay in their own groups. The article says “the lower group”, but not what to do if nobody there is "
    "eligible."
)

RULE_INTERPRETATIONS: Mapping[str, RuleInterpretation] = {
    reading.id: reading
    for reading in (
        RuleInterpretation(
            system="fide-1989",
            article="8.2",
            article_text="A player who won a point because their opponent did not appear may not have a bye in the "
            "next round.",
            options=(
                InterpretationOption(value="event", meaning="no bye for the rest of the event after a win by forfeit"),
                InterpretationOption(value="next-round", meaning="no bye in the round right after a win by forfeit"),
            ),
            default_rationale="The English rules of the time say “subsequently”. The Bulgarian may mean the same.",
        ),
        RuleInterpretation(
            system="dutch-1992",
            article="A2c",
            article_text="FIDE titles (IGM - WGM - IM - WIM - FM - WFM - no title).",
            options=(
                InterpretationOption(
                    value="document", meaning="GM, WGM, IM, WIM, FM, WFM, none; other titles count as none"
                ),
                InterpretationOption(value="modern", meaning="GM, IM, WGM, FM, WIM, CM, WFM, WCM, none"),
            ),
            default_rationale="Events with this system follow its document. Numbers that a list already has are kept.",
        ),
        RuleInterpretation(
            system="dubov-1997",
            article="2.5",
            article_text="Except in the last round, a player may not be moved to a higher group twice in a row "
            "or more than three times (four times in more than nine rounds).",
            options=(
                InterpretationOption(
                    value="all-upfloats", meaning="players who met a downfloater count as moved up too"
                ),
                InterpretationOption(value="moved-up", meaning="only moves under 7.1 and 7.2 count as moving up"),
            ),
            default_rationale="Either way, the opponent was stronger. A report file shows who played whom, not why.",
        ),
        RuleInterpretation(
            system="dubov-1997",
            article="5",
            article_text="All players with odd numbers have the same colour, and those with even numbers the other.",
            options=(
                InterpretationOption(
                    value="position", meaning="colours alternate from one pair to the next, even if players are absent"
                ),
                InterpretationOption(
                    value="number", meaning="odd and even pairing numbers decide, even if players are absent"
                ),
            ),
            default_rationale="In the sentence before, the colours of one pair are drawn, “for instance the first”. "
            "The others then alternate.",
        ),
        RuleInterpretation(
            system="dubov-1997",
            article="6.2",
            article_text="If ARO and R are equal, the players are placed in alphabetical order.",
            options=(_BY_NUMBER, _BY_NAME),
            default_rationale=_WHY_NUMBER,
        ),
        RuleInterpretation(
            system="dubov-1997",
            article="7.1",
            article_text="A player of the lower group who has not played them is moved up.",
            options=(_POSSIBLE, _NEXT),
            default_rationale=_WHY_POSSIBLE,
        ),
        RuleInterpretation(
            system="dubov-1997",
            article="7.2",
            article_text="If the number in the group is odd, a player of the lower group is moved into it.",
            options=(_POSSIBLE, _NEXT),
            default_rationale=_WHY_POSSIBLE,
        ),
        RuleInterpretation(
            system="dubov-1997",
            article="7.3",
            article_text="If R and ARO are both equal, the list is in alphabetical order and the upper half is moved.",
            options=(_BY_NUMBER, _BY_NAME),
            default_rationale=_WHY_NUMBER,
        ),
        RuleInterpretation(
            system="jahr",
            article="6",
            article_text="Add up the exact points of the opponents met, without the rounding of article 4.",
            options=(
                InterpretationOption(value="rounded", meaning="the sum of the opponents' totals with rounded tenths"),
                InterpretationOption(value="unrounded", meaning="the same sum, without rounding the tenths"),
            ),
            default_rationale="An arbiter can only add up the totals on the cards. There are no other totals.",
        ),
        RuleInterpretation(
            system="dutch-2026",
            article="5.2.5",
            article_text="If the higher ranked player has an odd pairing number, they get the initial colour, or else "
            "the other.",
            options=(
                InterpretationOption(
                    value="paired", meaning="only players who were paired in this or an earlier round are counted"
                ),
                InterpretationOption(
                    value="list", meaning="numbers on the starting list decide the colour, even if players are absent"
                ),
            ),
            default_rationale="Players who have yet to arrive have no pairing number (C.04.2:2.4). FIDE's commission "
            "confirmed this in August 2026.",
        ),
    )
}
"""All readings by id. 7.3 also covers 7.4."""


def parse_interpretation(text: str) -> tuple[str, str]:
    """Parse `fide-1989:8.2=next-round` into id and value. Raises InvalidInterpretation if it does not exist."""
    name, between, value = text.partition("=")
    if not between:
        raise InvalidInterpretation(f"expected a reading such as fide-1989:8.2=next-round, found {text!r}")
    check_interpretation(name, value)
    return name, value


def check_interpretation(name: str, value: str) -> None:
    """Raise InvalidInterpretation unless the interpretation and its value exist."""
    if name not in RULE_INTERPRETATIONS:
        raise InvalidInterpretation(f"there is no reading {name!r}; there are {', '.join(RULE_INTERPRETATIONS)}")
    values = [choice.value for choice in RULE_INTERPRETATIONS[name].options]
    if value not in values:
        raise InvalidInterpretation(f"{name} can be read as {' or '.join(values)}, not as {value!r}")


def non_default_interpretations(pairs: Iterable[tuple[str, str]]) -> ChosenInterpretations:
    """Return the interpretations that are not defaults, sorted. The last value given for an article counts.

    Raises InvalidInterpretation if an interpretation or value does not exist.
    """
    chosen: dict[str, str] = {}
    for name, value in pairs:
        check_interpretation(name, value)
        chosen[name] = value
    return tuple(
        sorted((name, value) for name, value in chosen.items() if value != RULE_INTERPRETATIONS[name].default_value)
    )


def format_interpretation(name: str, value: str) -> str:
    """Return an interpretation in the form that reasons and the command line use."""
    return f"{name}={value}"
