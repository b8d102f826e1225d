"""Static website of an event: no server, no scripts, and relative links."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override

from pairing.pages.standings.prize_giving import get_prize_fund, has_public_prizes, prize_sheet
from pairing.public.exports.public_names import PublicNames
from pairing.view_models.sheets.players_and_results import SheetPlayer, starting_list_sheet
from pairing.view_models.sheets.prize_sheet import PrizeSheetSection
from pairing.view_models.sheets.round_pairings import PairingSheet, pairing_sheet
from pairing.view_models.sheets.standings_sheet import StandingsSheet, crosstable_sheet, standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.models import Tournament

STYLESHEET_TEMPLATE = "pairing/public/exports/static_site.css"


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticPage:
    """A page: its file name, template and context."""

    name: str
    template: str
    context: dict[str, Any]


def build_static_site(tournament: Tournament) -> bytes:
    """Return the website as a ZIP file, in the club's language. The same event always gives the same pages.

    It has only what a public event shows everyone: published rounds, the table, the starting list, and prizes once they
    are public. Raises ArbiterProblem if a tie-break is unknown.
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
            folder.writestr(zipfile.ZipInfo(f"{tournament.slug}/style.css"), render_to_string(STYLESHEET_TEMPLATE))
        return out.getvalue()


def _pages(tournament: Tournament) -> Iterator[StaticPage]:
    names = PublicNames(tournament)
    table = get_event_standings(tournament)
    sheets = [
        _as_public(pairing_sheet(each), names)
        for each in tournament.rounds.select_related("tournament__club").order_by("number")
        if each.is_public
    ]
    people = starting_list_sheet(tournament)
    kept_back = {entry.tpn or 0: names.public_name_of_entry(entry.pk, entry.name) for entry in tournament.entries.all()}
    everybody = [replace(person, name=kept_back.get(person.number, person.name)) for person in people.players]
    yield StaticPage(name="index.html", template="static_site_index", context={"rounds": sheets, "players": everybody})
    for sheet in sheets:
        yield StaticPage(name=f"round-{sheet.number}.html", template="static_site_round", context={"sheet": sheet})
    if sheets:
        found = _table_as_public(standings_sheet(table), names)
        yield StaticPage(name="standings.html", template="static_site_standings", context={"sheet": found})
        crosses = _table_as_public(crosstable_sheet(table), names)
        yield StaticPage(name="crosstable.html", template="static_site_crosstable", context={"sheet": crosses})
    yield StaticPage(name="players.html", template="static_site_players", context={"players": everybody})
    if has_public_prizes(get_prize_fund(tournament)) and (prizes := prize_sheet(tournament)).lists:
        named = [_prizes_as_public(each, names) for each in prizes.lists]
        yield StaticPage(name="prizes.html", template="static_site_prizes", context={"lists": named})


def _public(player: SheetPlayer, names: PublicNames) -> SheetPlayer:
    return replace(player, name=names.public_name_of_entry(player.entry, player.name))


def _prizes_as_public(given: PrizeSheetSection, names: PublicNames) -> PrizeSheetSection:
    return replace(
        given,
        lines=tuple(replace(line, player=_public(line.player, names)) for line in given.lines),
        by_lot=tuple(
            replace(lot, candidates=tuple(_public(player, names) for player in lot.candidates)) for lot in given.by_lot
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
