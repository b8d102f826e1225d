"""An event as a folder of pages for any web site: no server, no scripts, links that hold wherever the folder stands."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override

from pairing.pages.standings.prize_giving import are_prizes_open, fund_of, prize_sheet
from pairing.public.exports.names import PublicNames
from pairing.view_models.sheets.parts import SheetPlayer
from pairing.view_models.sheets.people import people_sheet
from pairing.view_models.sheets.prize_list import PrizeSheetList
from pairing.view_models.sheets.rounds import PairingSheet, pairing_sheet
from pairing.view_models.sheets.tables import StandingsSheet, crosstable_sheet, standings_sheet
from pairing.view_models.standings.event_standings import standings
from tournaments.models import Tournament

STYLE = "pairing/public/exports/folder.css"


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderPage:
    """One page: the name of its file, and what its template needs."""

    name: str
    template: str
    context: dict[str, Any]


def folder_of(tournament: Tournament) -> bytes:
    """The folder as a zip file, in the club's language; the same event gives the same pages.

    What everyone may see of a public event stands in it, and nothing else: published rounds, the table, the starting
    list, prizes once they are open. Raises ArbiterProblem for a tie-break that is not known.
    """
    with override(tournament.club.language):
        pages = [*_pages(tournament)]
        made_on = timezone.localdate()
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as folder:
            for page in pages:
                shown = page.context | {
                    "tournament": tournament,
                    "pages": pages,
                    "here": page.name,
                    "language": get_language(),
                    "made_on": made_on,
                }
                text = render_to_string(f"pairing/public/exports/{page.template}.html", shown)
                folder.writestr(zipfile.ZipInfo(f"{tournament.slug}/{page.name}"), text)
            folder.writestr(zipfile.ZipInfo(f"{tournament.slug}/style.css"), render_to_string(STYLE))
        return out.getvalue()


def _pages(tournament: Tournament) -> Iterator[FolderPage]:
    names = PublicNames(tournament)
    table = standings(tournament)
    sheets = [
        _as_public(pairing_sheet(each), names)
        for each in tournament.rounds.select_related("tournament__club").order_by("number")
        if each.is_public
    ]
    people = people_sheet(tournament)
    kept_back = {entry.tpn or 0: names.of(entry.pk, entry.name) for entry in tournament.entries.all()}
    everybody = [replace(person, name=kept_back.get(person.number, person.name)) for person in people.people]
    yield FolderPage(name="index.html", template="folder_index", context={"rounds": sheets, "players": everybody})
    for sheet in sheets:
        yield FolderPage(name=f"round-{sheet.number}.html", template="folder_round", context={"sheet": sheet})
    if sheets:
        found = _table_as_public(standings_sheet(table), names)
        yield FolderPage(name="standings.html", template="folder_standings", context={"sheet": found})
        crosses = _table_as_public(crosstable_sheet(table), names)
        yield FolderPage(name="crosstable.html", template="folder_crosstable", context={"sheet": crosses})
    yield FolderPage(name="players.html", template="folder_players", context={"players": everybody})
    if are_prizes_open(fund_of(tournament)) and (prizes := prize_sheet(tournament)).lists:
        named = [_prizes_as_public(each, names) for each in prizes.lists]
        yield FolderPage(name="prizes.html", template="folder_prizes", context={"lists": named})


def _public(player: SheetPlayer, names: PublicNames) -> SheetPlayer:
    return replace(player, name=names.of(player.entry, player.name))


def _prizes_as_public(given: PrizeSheetList, names: PublicNames) -> PrizeSheetList:
    return replace(
        given,
        lines=tuple(replace(line, player=_public(line.player, names)) for line in given.lines),
        by_lot=tuple(
            replace(lot, between=tuple(_public(player, names) for player in lot.between)) for lot in given.by_lot
        ),
    )


def _as_public(sheet: PairingSheet, names: PublicNames) -> PairingSheet:
    return replace(
        sheet,
        boards=tuple(
            replace(board, white=_public(board.white, names), black=_public(board.black, names))
            for board in sheet.boards
        ),
        byes=tuple(replace(bye, player=_public(bye.player, names)) for bye in sheet.byes),
    )


def _table_as_public(sheet: StandingsSheet, names: PublicNames) -> StandingsSheet:
    return replace(sheet, lines=tuple(replace(line, player=_public(line.player, names)) for line in sheet.lines))
