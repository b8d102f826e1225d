"""What an event needs on paper: starting list, standings, crosstable, wall chart, place cards, badges, diplomas."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.paper.arranging import Cut, cut_sheets
from pairing.paper.making import Wishes, code_of, part_of
from pairing.paper.pdfs import Paper
from pairing.paper.rounds import size_of_list
from pairing.sheets.people import PeopleSheet, Person
from pairing.sheets.prize_list import PrizeSheet
from pairing.sheets.schedule import ScheduleSheet
from pairing.sheets.tables import RoundCell, StandingsSheet

PLACE_CARDS = Cut(across=1, down=2)
BADGES = Cut(across=2, down=4)
USUAL_DIPLOMAS = 3


class PeopleOrder(StrEnum):
    """How a starting list is ordered."""

    NUMBER = "number"
    RATING = "rating"
    NAME = "name"


def starting_list_paper(sheet: PeopleSheet, wishes: Wishes, *, order: PeopleOrder = PeopleOrder.NUMBER) -> Paper:
    """The starting list by number, rating or name."""
    with translation.override(wishes.language):
        people = {
            PeopleOrder.NUMBER: sheet.people,
            PeopleOrder.RATING: sheet.by_rating,
            PeopleOrder.NAME: sheet.by_name,
        }[order]
        context = _of_event(sheet, _("Starting list"), people)
        return Paper(parts=(part_of("starting_list", context, wishes, "lists", wishes.upright),))


def schedule_paper(sheet: ScheduleSheet, wishes: Wishes) -> Paper:
    """All rounds of a round robin."""
    with translation.override(wishes.language):
        context = _of_event(sheet.people, _("Schedule"), sheet.people.people) | {"schedule": sheet.rounds}
        return Paper(parts=(part_of("schedule", context, wishes, "lists", wishes.upright),))


def attendance_paper(sheet: PeopleSheet, wishes: Wishes) -> Paper:
    """Everyone by name, with a box for each round."""
    with translation.override(wishes.language):
        context = _of_event(sheet, _("Attendance"), sheet.by_name)
        return Paper(parts=(part_of("attendance", context, wishes, "lists", wishes.upright),))


def wall_chart_paper(sheet: PeopleSheet, wishes: Wishes) -> Paper:
    """Everyone by number, with boxes to be filled by hand: opponent and colour above, points so far below."""
    with translation.override(wishes.language):
        context = _of_event(sheet, _("Wall chart"), sheet.people)
        return Paper(parts=(part_of("wall_chart", context, wishes, "lists", wishes.sideways),))


def standings_paper(sheet: StandingsSheet, wishes: Wishes, *, address: str = "") -> Paper:
    """The table after a round; `address` is where phones find the latest."""
    with translation.override(wishes.language):
        context = _of_table(sheet, _heading(sheet)) | {"code": code_of(address)}
        context["body_class"] = size_of_list(len(sheet.lines), large=26, middling=34, tight=(38, 45))
        context["with_federation"] = any(line.federation for line in sheet.lines)
        return Paper(parts=(part_of("standings", context, wishes, "lists", wishes.upright),))


def crosstable_paper(sheet: StandingsSheet, wishes: Wishes, *, by_place: bool = False) -> Paper:
    """The table with what every round brought: opponent, colour, result.

    Opponents by number, or, for a `crosstable_sheet`, by their place in it.
    """
    with translation.override(wishes.language):
        context = _of_table(sheet, _("Crosstable after round %(number)s") % {"number": sheet.after_round})
        context |= {
            "by_place": by_place,
            "lines": [(line, [_crossed(cell) for cell in line.rounds]) for line in sheet.lines],
        }
        return Paper(parts=(part_of("crosstable", context, wishes, "lists", wishes.sideways),))


def prizes_paper(sheet: PrizeSheet, wishes: Wishes, *, with_signatures: bool = False) -> Paper:
    """Who gets what: list by list; or one line a player with room to sign when the money is handed out.

    The sheet must have been made in the paper's language.
    """
    with translation.override(wishes.language):
        heading = _("Prizes: signatures") if with_signatures else _("Prizes")
        context = {
            "sheet": sheet,
            "heading": heading,
            "title": f"{heading}, {sheet.event}",
            "club": sheet.club,
            "event": sheet.event,
            "with_signatures": with_signatures,
            "body_class": "list",
        }
        return Paper(parts=(part_of("prizes", context, wishes, "lists", wishes.upright),))


def place_cards_paper(sheet: PeopleSheet, wishes: Wishes) -> Paper:
    """Cards folded along the middle, on which both sides read upright; two on a page."""
    return _pieces("place_cards", gettext_lazy("Place cards"), sheet, list(sheet.people), PLACE_CARDS, "on-2", wishes)


def table_numbers_paper(sheet: PeopleSheet, tables: int, wishes: Wishes) -> Paper:
    """The numbers of tables on folded cards, readable from both sides; two on a page."""
    return _pieces(
        "table_numbers", gettext_lazy("Table numbers"), sheet, list(range(1, tables + 1)), PLACE_CARDS, "on-2", wishes
    )


def badges_paper(sheet: PeopleSheet, wishes: Wishes, *, address_of: Callable[[int], str]) -> Paper:
    """Badges, eight on a page, with the QR code of the player's page; `address_of` a number gives its address."""
    badges = [(person, code_of(address_of(person.number))) for person in sheet.people]
    return _pieces("badges", gettext_lazy("Badges"), sheet, badges, BADGES, "on-8", wishes)


def diplomas_paper(
    sheet: StandingsSheet,
    wishes: Wishes,
    *,
    arbiter: str,
    city: str,
    date: object,
    places: int = USUAL_DIPLOMAS,
) -> Paper:
    """A diploma for each of the first places, a page each."""
    with translation.override(wishes.language):
        context = _of_table(sheet, _("Diplomas"))
        context |= {"lines": sheet.lines[:places], "arbiter": arbiter, "city": city, "date": date}
        context["body_class"] = "diplomas"
        return Paper(parts=(part_of("diplomas", context, wishes, "diplomas", wishes.sideways),))


def _pieces(
    template: str, heading: Promise, sheet: PeopleSheet, things: list[Any], cut: Cut, cut_class: str, wishes: Wishes
) -> Paper:
    with translation.override(wishes.language):
        context = _of_event(sheet, str(heading), ()) | {
            "sheets": cut_sheets(things, cut, stacked=True),
            "marks": cut.marks,
            "body_class": f"{wishes.size} {cut_class}",
        }
        return Paper(parts=(part_of(template, context, wishes, "cut", "pieces", wishes.upright),))


def _crossed(cell: RoundCell) -> str:
    """`12w1` is a win with White against number 12, or against the player on that place."""
    if cell.opponent is None:
        return cell.symbol
    return f"{cell.line or cell.opponent}{cell.colour}{cell.symbol or '·'}"


def _heading(sheet: StandingsSheet) -> str:
    if not sheet.after_round:
        return _("Starting list")
    if sheet.after_round == sheet.rounds_announced and not sheet.is_provisional:
        return _("Final standings")
    return _("Standings after round %(number)s") % {"number": sheet.after_round}


def _of_table(sheet: StandingsSheet, heading: str) -> dict[str, Any]:
    return {
        "sheet": sheet,
        "heading": heading,
        "title": f"{heading}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
        "body_class": "list",
    }


def _of_event(sheet: PeopleSheet, heading: str, people: tuple[Person, ...]) -> dict[str, Any]:
    return {
        "sheet": sheet,
        "people": people,
        "rounds": range(1, sheet.rounds_announced + 1),
        "heading": heading,
        "title": f"{heading}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
        "body_class": "list",
    }
