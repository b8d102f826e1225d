"""A round for other programs: PGN headers for entering the games, and pairings as text for messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pairing.engine.trf import format_time_control_line
from pairing.public.exports.public_names import PublicNames
from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard, pairing_sheet
from tournaments.models import Game, Round, Tournament

_RESULTS = {
    Game.Result.WHITE_WINS: "1-0",
    Game.Result.WHITE_WINS_UNRATED: "1-0",
    Game.Result.DRAW: "1/2-1/2",
    Game.Result.DRAW_UNRATED: "1/2-1/2",
    Game.Result.BLACK_WINS: "0-1",
    Game.Result.BLACK_WINS_UNRATED: "0-1",
}
"""PGN has three results, and `*` for all others: both lost, adjourned, not played yet."""
_FORFEITS = frozenset({Game.Result.WHITE_WINS_FORFEIT, Game.Result.BLACK_WINS_FORFEIT, Game.Result.DOUBLE_FORFEIT})
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


def pgn_headers(event: Tournament, rounds: Iterable[Round]) -> bytes:
    """Return a PGN game without moves for every board of these rounds, in UTF-8. Forfeits are left out."""
    names = PublicNames(event)
    fide_ids = dict(event.entries.values_list("pk", "fide_id"))
    time_control = format_time_control_line(event.time_control).removeprefix("222 ")
    games = (
        _game(board, sheet, names, fide_ids, site=event.city, date=_day(this_round, "."), time_control=time_control)
        for this_round in rounds
        for sheet in [pairing_sheet(this_round)]
        for board in sheet.boards
        if board.result not in _FORFEITS
    )
    return "\n".join(games).encode()


def _game(
    board: SheetBoard,
    sheet: PairingSheet,
    names: PublicNames,
    fide_ids: dict[int, str],
    *,
    site: str,
    date: str,
    time_control: str,
) -> str:
    white, black = board.white, board.black
    result = _RESULTS.get(Game.Result(board.result), "*")
    tags = [
        ("Event", sheet.event),
        ("Site", site or "?"),
        ("Date", date or "????.??.??"),
        ("Round", f"{sheet.number}.{board.board}"),
        ("White", names.public_name_of_entry(white.entry, white.name)),
        ("Black", names.public_name_of_entry(black.entry, black.name)),
        ("Result", result),
        ("WhiteTitle", white.title),
        ("BlackTitle", black.title),
        ("WhiteElo", str(white.rating or "")),
        ("BlackElo", str(black.rating or "")),
        ("WhiteFideId", fide_ids.get(white.entry, "")),
        ("BlackFideId", fide_ids.get(black.entry, "")),
        ("Board", str(board.board)),
        ("TimeControl", time_control),
    ]
    return "\n".join([*_tags(tags), "", result, ""])


def _tags(tags: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, value in tags:
        if value:
            text = _UNPRINTABLE.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')
            yield f'[{name} "{text}"]'


def round_as_text(this_round: Round) -> str:
    """Return the pairings, with any results so far, as text for a message, one line per board."""
    names = PublicNames(this_round.tournament)
    sheet = pairing_sheet(this_round)
    begins = timezone.localtime(sheet.starts_at) if sheet.starts_at else None
    lines = [
        sheet.event,
        " · ".join(
            part
            for part in (
                _("Round %(n)s of %(of)s") % {"n": sheet.number, "of": sheet.rounds_announced},
                date_format(begins, "SHORT_DATETIME_FORMAT") if begins else "",
            )
            if part
        ),
        "",
    ]
    for board in sheet.boards:
        result = f"  {board.result_text}" if board.result_text else ""
        lines.append(f"{board.board}. {_seat(board.white, names)} – {_seat(board.black, names)}{result}")
    lines += [f"{bye.label}: {names.public_name_of_entry(bye.player.entry, bye.player.name)}" for bye in sheet.byes]
    return "\n".join(lines) + "\n"


def _seat(player: SheetPlayer, names: PublicNames) -> str:
    name = names.public_name_of_entry(player.entry, player.name)
    return f"{name} ({player.points})" if player.points else name


def _day(this_round: Round, mark: str) -> str:
    """Return the date of the round as year, month and day. Empty if it is not known."""
    at = this_round.starts_at or this_round.published_at
    return f"{timezone.localdate(at):%Y{mark}%m{mark}%d}" if at else ""
