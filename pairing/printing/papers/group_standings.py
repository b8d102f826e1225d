"""Printouts of groups: the best of each category, clubs and federations."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from pairing.printing.papers.generic_tables import ListColumn, table_paper
from pairing.printing.pdf.paper_templates import PrintOptions, in_every_language
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.reports.group_standings import CategoryLeadersSheet, GroupStandingsSheet
from pairing.view_models.sheets.standings_sheet import StandingsLine


def category_leaders_paper(sheet: CategoryLeadersSheet, wishes: PrintOptions) -> Paper:
    """The best three of every category, on one list."""
    columns = (
        ListColumn(heading=lazy("Category"), is_bold=True),
        ListColumn(heading=lazy("Players"), is_figure=True),
        ListColumn(heading=lazy("Place"), is_figure=True),
        ListColumn(heading=lazy("Name"), is_row_header=True),
        ListColumn(heading=lazy("Rating"), is_figure=True),
        ListColumn(heading=lazy("Points"), is_figure=True, is_bold=True),
        ListColumn(heading=lazy("Among all"), is_figure=True),
    )
    rows, begin = _best_of(_("All players"), sheet.whole.player_count, sheet.whole.lines), [0]
    for each, size in zip(sheet.categories, sheet.sizes, strict=True):
        begin.append(len(rows))
        rows += _best_of(str(each.label), size, each.table.lines)

    heading = in_every_language(
        lambda: _("Best in each category after round %(number)s") % {"number": sheet.whole.after_round}
    )
    return table_paper(heading, columns, rows, sheet.whole, wishes, groups=begin, is_wall_list=True)


def group_standings_paper(sheet: GroupStandingsSheet, wishes: PrintOptions) -> Paper:
    """Clubs or federations by their best players, who are listed with them."""

    def translate_heading() -> str:
        words = _("Federations after round %(number)s") if sheet.by_federation else _("Clubs after round %(number)s")
        return words % {"number": sheet.after_round}

    columns = (
        ListColumn(heading=lazy("Place"), is_figure=True, is_bold=True),
        ListColumn(heading=lazy("Federation") if sheet.by_federation else lazy("Club"), is_row_header=True),
        ListColumn(heading=lazy("Points"), is_figure=True, is_bold=True),
        ListColumn(heading=lazy("Sum of places"), is_figure=True),
        ListColumn(heading=lazy("Best players")),
    )
    rows = [
        (
            line.place,
            line.club,
            line.points,
            line.places,
            "; ".join(f"{player.name}{_KEPT}{player.points}{_KEPT}({player.place})" for player in line.players),
        )
        for line in sheet.groups.lines
    ]
    lead = _(
        "Only the best %(count)s players from each club or federation count. If scores are equal, the "
        "lower sum of places comes first."
    )
    return table_paper(
        in_every_language(translate_heading),
        columns,
        rows,
        sheet,
        wishes,
        lead=lead % {"count": sheet.groups.counted},
        remark=_left_out(sheet),
        is_wall_list=True,
    )


_KEPT = "\N{NO-BREAK SPACE}"


def _left_out(sheet: GroupStandingsSheet) -> str:
    if not sheet.groups.excluded_clubs:
        return ""
    federations, clubs = _("Federations with too few players: %(names)s."), _("Clubs with too few players: %(names)s.")
    return (federations if sheet.by_federation else clubs) % {"names": ", ".join(sheet.groups.excluded_clubs)}


def _best_of(label: str, size: int, lines: Sequence[StandingsLine]) -> list[tuple[object, ...]]:
    """Return the rows of a category's best players. Only the first has its name and size."""
    return [
        (
            "" if row else label,
            "" if row else size,
            line.place,
            line.player.name_with_title,
            line.player.rating or "–",
            line.values[0],
            "" if line.overall_place is None else line.overall_place,
        )
        for row, line in enumerate(lines)
    ]
