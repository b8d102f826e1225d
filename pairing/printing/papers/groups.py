"""Players in groups on paper: tables and diplomas of categories, who is best in each, clubs and federations."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from pairing.printing.papers.events import standings_paper
from pairing.printing.papers.lists import Column, list_paper
from pairing.printing.papers.pieces import USUAL_DIPLOMAS, Signed, diplomas_paper
from pairing.printing.papers.rounds import round_set_paper
from pairing.printing.pdf.making import Wishes
from pairing.printing.pdf.pdfs import Paper
from pairing.view_models.reports.groups import CategoriesSheet, CategoryTable, GroupSheet
from pairing.view_models.sheets.tables import StandingsLine


def category_standings_paper(tables: Sequence[CategoryTable], wishes: Wishes, *, address: str = "") -> Paper:
    """The standings of categories, one after another."""
    papers = (standings_paper(each.table, wishes, address=address, category=_in(wishes, each.label)) for each in tables)
    return round_set_paper(papers)


def category_diplomas_paper(
    tables: Sequence[CategoryTable],
    wishes: Wishes,
    *,
    signed: Signed,
    places: int = USUAL_DIPLOMAS,
) -> Paper:
    """Diplomas for the first places of categories."""
    papers = (
        diplomas_paper(
            each.table,
            wishes,
            signed=signed,
            places=places,
            category=_in(wishes, each.label),
        )
        for each in tables
    )
    return round_set_paper(papers)


def categories_paper(sheet: CategoriesSheet, wishes: Wishes) -> Paper:
    """Every category with its three best, on one list."""
    with translation.override(wishes.language):
        columns = (
            Column(heading=lazy("Category"), is_bold=True),
            Column(heading=lazy("Players"), is_figure=True),
            Column(heading=lazy("Place"), is_figure=True),
            Column(heading=lazy("Name"), is_head=True),
            Column(heading=lazy("Rating"), is_figure=True),
            Column(heading=lazy("Points"), is_figure=True, is_bold=True),
            Column(heading=lazy("Among all"), is_figure=True),
        )
        rows, begin = _best_of(_("All players"), sheet.whole.player_count, sheet.whole.lines), [0]
        for each, size in zip(sheet.categories, sheet.sizes, strict=True):
            begin.append(len(rows))
            rows += _best_of(str(each.label), size, each.table.lines)

        def translate_heading() -> str:
            return _("The best of every category after round %(number)s") % {"number": sheet.whole.after_round}

        return list_paper(
            translate_heading(),
            columns,
            rows,
            wishes,
            club=sheet.whole.club,
            event=sheet.whole.event,
            second_heading=wishes.in_second(translate_heading),
            groups=begin,
        )


def group_paper(sheet: GroupSheet, wishes: Wishes) -> Paper:
    """Clubs or federations by their best players, who are named under them."""
    with translation.override(wishes.language):

        def translate_heading() -> str:
            words = (
                _("Federations after round %(number)s") if sheet.by_federation else _("Clubs after round %(number)s")
            )
            return words % {"number": sheet.after_round}

        columns = (
            Column(heading=lazy("Place"), is_figure=True, is_bold=True),
            Column(heading=lazy("Federation") if sheet.by_federation else lazy("Club"), is_head=True),
            Column(heading=lazy("Points"), is_figure=True, is_bold=True),
            Column(heading=lazy("Sum of places"), is_figure=True),
            Column(heading=lazy("Best players")),
        )
        rows = [
            (
                line.place,
                line.club,
                line.points,
                line.places,
                "; ".join(f"{player.name}{_KEPT}{player.points}{_KEPT}({player.place}.)" for player in line.players),
            )
            for line in sheet.groups.lines
        ]
        lead = _("The %(count)s best of each count; equal points: the smaller sum of places.")
        return list_paper(
            translate_heading(),
            columns,
            rows,
            wishes,
            club=sheet.club,
            event=sheet.event,
            lead=lead % {"count": sheet.groups.counted},
            remark=_left_out(sheet),
            second_heading=wishes.in_second(translate_heading),
        )


_KEPT = "\N{NO-BREAK SPACE}"


def _left_out(sheet: GroupSheet) -> str:
    if not sheet.groups.too_small:
        return ""
    return _("With fewer players: %(names)s.") % {"names": ", ".join(sheet.groups.too_small)}


def _best_of(label: str, size: int, lines: Sequence[StandingsLine]) -> list[tuple[object, ...]]:
    """A category and its best; its name and size stand on the first of its lines."""
    return [
        (
            "" if row else label,
            "" if row else size,
            line.place,
            line.player.titled,
            line.player.rating or "–",
            line.values[0],
            "" if line.among_all is None else line.among_all,
        )
        for row, line in enumerate(lines)
    ]


def _in(wishes: Wishes, label: object) -> str:
    """The name of a category in the paper's language."""
    with translation.override(wishes.language):
        return str(label)
