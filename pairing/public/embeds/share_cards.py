"""Contents of preview images for shared links: a round's first boards, one board, or the top of a table.

They have the names of the linked page, and only show public events.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TypeVar

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.round_pairings import SheetBoard, pairing_sheet
from pairing.view_models.sheets.standings_sheet import StandingsSheet, standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.models import Round, Tournament

MAX_CARD_LINES = 6

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCardLine:
    """A board, or a place of the table if `black` is empty."""

    number: str
    white: str
    black: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCard:
    """The content of a preview image.

    `lines` are at most `MAX_CARD_LINES`; a single board is one line, drawn large.
    """

    club: str
    event: str
    title: str
    about: str
    colour: str
    is_one_board: bool
    lines: tuple[ShareCardLine, ...]

    @property
    def content_hash(self) -> str:
        """A hash of the content, so that the image's address changes with it."""
        return sha256(repr(asdict(self)).encode()).hexdigest()[:12]


def round_share_card(this_round: Round) -> ShareCard:
    """Return the card of a published round, with its first boards."""
    return _in_the_clubs_words(this_round.tournament, lambda: _card_of_round(this_round))


def board_share_card(this_round: Round, board: int) -> ShareCard | None:
    """Return the card of one board of a published round; None if there is no such board."""
    return _in_the_clubs_words(this_round.tournament, lambda: _card_of_board(this_round, board))


def standings_share_card(tournament: Tournament, after: int | None = None) -> ShareCard:
    """Return the card of the table after a published round, by default the latest.

    Raises ArbiterProblem if a tie-break is unknown.
    """
    return _in_the_clubs_words(tournament, lambda: _card_of_table(tournament, after))


def round_title(this_round: Round) -> str:
    return _("Round %(n)s of %(of)s") % {"n": this_round.number, "of": this_round.tournament.rounds_announced}


def board_title(this_round: Round, board: int) -> str:
    return _("Board %(board)s, round %(number)s") % {"board": board, "number": this_round.number}


def standings_title(sheet: StandingsSheet) -> str:
    if not sheet.after_round:
        return _("Starting list")
    if sheet.after_round == sheet.rounds_announced and not sheet.is_provisional:
        return _("Final standings")
    return _("Standings after round %(number)s") % {"number": sheet.after_round}


def format_round_date(this_round: Round) -> str:
    """Return the date of a round; empty if it is not known."""
    return date_format(localtime(this_round.starts_at), "DATE_FORMAT") if this_round.starts_at else ""


def _in_the_clubs_words(tournament: Tournament, make: Callable[[], Made]) -> Made:
    """Make a card in the club's language: that of the program that fetches the image means nothing."""
    with override(tournament.club.language):
        return make()


def _card_of_round(this_round: Round) -> ShareCard:
    sheet = pairing_sheet(this_round, last=MAX_CARD_LINES)
    left = sheet.board_count - len(sheet.boards)
    more = ngettext("and %(n)s more board", "and %(n)s more boards", left) % {"n": left} if left else ""
    return _card(
        this_round.tournament,
        title=round_title(this_round),
        about=" · ".join(each for each in (format_round_date(this_round), more) if each),
        lines=[_line(board) for board in sheet.boards],
    )


def _card_of_board(this_round: Round, board: int) -> ShareCard | None:
    found = pairing_sheet(this_round, first=board, last=board).boards
    if not found:
        return None
    return _card(
        this_round.tournament,
        title=board_title(this_round, board),
        about=format_round_date(this_round),
        lines=[_line(found[0])],
        is_one_board=True,
    )


def _card_of_table(tournament: Tournament, after: int | None) -> ShareCard:
    table = get_event_standings(tournament, after)
    sheet = standings_sheet(table, rows=table.rows[:MAX_CARD_LINES])
    players = ngettext("%(n)s player", "%(n)s players", sheet.player_count) % {"n": sheet.player_count}
    lines = [
        ShareCardLine(
            number=str(line.place),
            white=_name(line.player),
            result=str(line.values[0]) if sheet.after_round else str(line.player.rating or ""),
        )
        for line in sheet.lines
    ]
    return _card(tournament, title=standings_title(sheet), about=players, lines=lines)


def _card(
    tournament: Tournament, *, title: str, about: str, lines: list[ShareCardLine], is_one_board: bool = False
) -> ShareCard:
    return ShareCard(
        club=tournament.club.name,
        event=tournament.name,
        title=title,
        about=about,
        colour=tournament.club.colour,
        is_one_board=is_one_board,
        lines=tuple(lines),
    )


def _line(board: SheetBoard) -> ShareCardLine:
    return ShareCardLine(
        number=str(board.board), white=_name(board.white), black=_name(board.black), result=board.result_text
    )


def _name(player: SheetPlayer) -> str:
    return f"{player.title} {player.name}" if player.title else player.name
