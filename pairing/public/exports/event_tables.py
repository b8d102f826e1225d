"""Tables of an event as headings and rows, for CSV files and workbooks that its officers download."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.tabular.spreadsheets import CellValue
from pairing.pages.standings.prize_giving import prize_sheet
from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import RoundResultCell, crosstable_sheet, standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Bye, CheckIn, Game, Round, Tournament
from tournaments.privacy.personal_data import full_names_behind_initials


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTable:
    """A table to export. `title` is the name of the sheet in a workbook."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[CellValue, ...], ...]


def players_table(tournament: Tournament) -> ExportTable:
    """Return the starting list with full names and the data that federations need."""
    entries = list(tournament.entries.all())
    numbers, full_names = pairing_numbers_by_entry(entries), full_names_behind_initials(tournament)
    rows: list[tuple[CellValue, ...]] = [
        (
            numbers[entry.pk],
            entry.title,
            full_names.get(entry.pk, entry.name),
            entry.sex,
            entry.rating or None,
            entry.federation,
            entry.club_name,
            entry.fide_id,
            entry.birth,
        )
        for entry in sorted(entries, key=lambda one: numbers[one.pk])
    ]
    return ExportTable(
        title=_("Starting list"),
        headings=(
            *(_("No."), _("Title"), _("Name"), _("Sex"), _("Rating"), _("Federation"), _("Club")),
            *(_("FIDE ID"), _("Birth date")),
        ),
        rows=tuple(rows),
    )


def standings_table(tournament: Tournament) -> ExportTable:
    """Return the table after the latest published round. Raises ArbiterProblem if a tie-break is unknown."""
    sheet = standings_sheet(get_event_standings(tournament))
    values = [str(column.heading) for column in sheet.columns]
    return ExportTable(
        title=_("Standings"),
        headings=(_("Place"), _("No."), _("Title"), _("Name"), _("Rating"), _("Federation"), *values),
        rows=tuple(
            (line.place, *_player(line.player), line.federation, *(_value(value) for value in line.values))
            for line in sheet.lines
        ),
    )


def crosstable_table(tournament: Tournament) -> ExportTable:
    """Return the table with every round: opponent's line, colour and result, such as `12w1`.

    The crosstable import reads this format. Raises ArbiterProblem if a tie-break is unknown.
    """
    sheet = crosstable_sheet(get_event_standings(tournament))
    values = [str(column.heading) for column in sheet.columns]
    rounds = [_("Rd %(number)s") % {"number": number} for number in range(1, sheet.after_round + 1)]
    return ExportTable(
        title=_("Crosstable"),
        headings=(_("Place"), _("No."), _("Title"), _("Name"), _("Rating"), _("Federation"), *rounds, *values),
        rows=tuple(
            (
                line.place,
                *_player(line.player),
                line.federation,
                *map(_cell, line.rounds),
                *(_value(value) for value in line.values),
            )
            for line in sheet.lines
        ),
    )


def prizes_table(tournament: Tournament) -> ExportTable:
    """Return the prizes, list by list. Raises ArbiterProblem if a tie-break is unknown."""
    rows: list[tuple[CellValue, ...]] = []
    for each in prize_sheet(tournament).lists:
        rows += [(each.label, line.place, *_player(line.player), str(line.amount), line.working) for line in each.lines]
        rows += [(each.label, "", "", "", "", "", lot.in_kind, str(lot)) for lot in each.by_lot]
    return ExportTable(
        title=_("Prizes"),
        headings=(
            *(_("List"), _("Place"), _("No."), _("Title"), _("Name"), _("Rating"), _("Prize")),
            _("Calculation"),
        ),
        rows=tuple(rows),
    )


def attendance_table(tournament: Tournament) -> ExportTable:
    """Return attendance by published round (present, absent or the kind of bye), with the number of times present."""
    entries = list(tournament.entries.all())
    numbers = pairing_numbers_by_entry(entries)
    rounds = [each for each in tournament.rounds.order_by("number") if each.is_public]
    there = _there(tournament, rounds)
    rows: list[tuple[CellValue, ...]] = []
    for entry in sorted(entries, key=lambda one: numbers[one.pk]):
        cells = [
            there.get((entry.pk, each.pk))
            or ("" if is_entered_in_round(entry, each.number) else str(_("not in the event")))
            for each in rounds
        ]
        came = sum(cell == _("present") for cell in cells)
        rows.append((numbers[entry.pk], entry.title, entry.name, *cells, came))
    return ExportTable(
        title=_("Attendance"),
        headings=(
            *(_("No."), _("Title"), _("Name")),
            *(_("Rd %(number)s") % {"number": each.number} for each in rounds),
            _("Rounds attended"),
        ),
        rows=tuple(rows),
    )


def _there(tournament: Tournament, rounds: list[Round]) -> Mapping[tuple[int, int], str]:
    """Return every player's attendance by the keys of entry and round, in three queries.

    A player who lost by forfeit was absent, unless they were checked in.
    """
    found: dict[tuple[int, int], str] = {}
    kinds = dict(Bye.Kind.choices)
    for entry, key, kind in Bye.objects.filter(round__in=rounds).values_list("entry_id", "round_id", "kind"):
        found[entry, key] = str(kinds[kind])
    for key, white, black, result in Game.objects.filter(round__in=rounds).values_list(
        "round_id", "white_id", "black_id", "result"
    ):
        white_absent = result in (Game.Result.BLACK_WINS_FORFEIT, Game.Result.DOUBLE_FORFEIT)
        black_absent = result in (Game.Result.WHITE_WINS_FORFEIT, Game.Result.DOUBLE_FORFEIT)
        found[white, key] = _("absent") if white_absent else _("present")
        found[black, key] = _("absent") if black_absent else _("present")
    seen = CheckIn.objects.filter(round__in=rounds, state__in=(CheckIn.State.HERE, CheckIn.State.LATE))
    for entry, key in seen.values_list("entry_id", "round_id"):
        found[entry, key] = _("present")
    return found


def pairings_table(this_round: Round) -> ExportTable:
    """Return the boards in a published round with results, then the byes."""
    sheet = pairing_sheet(this_round)
    boards: Iterator[tuple[CellValue, ...]] = (
        (board.board, *_seat(board.white), board.result_text, *_seat(board.black)) for board in sheet.boards
    )
    byes: Iterator[tuple[CellValue, ...]] = ((None, *_seat(bye.player), bye.label, *[None] * 5) for bye in sheet.byes)
    seat = (_("No."), _("Title"), _("Name"), _("Rating"), _("Points"))
    white, black = ([f"{side}: {heading}" for heading in seat] for side in (_("White"), _("Black")))
    return ExportTable(
        title=_("Round %(number)s") % {"number": sheet.number},
        headings=(_("Board"), *white, _("Result"), *black),
        rows=(*boards, *byes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTableChoice:
    """A table of an event with its title. Its key is its name in the URL."""

    title: str | Promise
    make: Callable[[Tournament], ExportTable]


EXPORT_TABLES: Mapping[str, ExportTableChoice] = {
    "players": ExportTableChoice(title=gettext_lazy("Starting list"), make=players_table),
    "standings": ExportTableChoice(title=gettext_lazy("Standings"), make=standings_table),
    "crosstable": ExportTableChoice(title=gettext_lazy("Crosstable"), make=crosstable_table),
    "attendance": ExportTableChoice(title=gettext_lazy("Attendance"), make=attendance_table),
    "prizes": ExportTableChoice(title=gettext_lazy("Prizes"), make=prizes_table),
}


def _player(player: SheetPlayer) -> tuple[CellValue, ...]:
    return player.tpn, player.title, player.name, player.rating or None


def _seat(player: SheetPlayer) -> tuple[CellValue, ...]:
    return (*_player(player), player.points)


def _value(value: object) -> CellValue:
    return value if isinstance(value, int) else str(value)


_PLAIN = {"−": "-", "adj.": "*"}


def _cell(cell: RoundResultCell) -> str:
    """Return a game as `12w1`, a bye as a dash and its points, and an empty string for neither."""
    if cell.opponent_line is not None:
        return f"{cell.opponent_line}{cell.colour}{_PLAIN.get(cell.symbol, cell.symbol)}"
    return f"-{cell.symbol}" if cell.symbol not in ("", "–") else ""
