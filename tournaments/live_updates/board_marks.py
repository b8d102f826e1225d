"""Marks that tell a page whether one of its boards has changed.

Everyone gets the same page. It has one mark for the rounds and one for each board of the latest public round. A device
that knows its owner reloads their board only if one of these marks has changed. So one result wakes two phones, not two
thousand. A mark is keyed: it reveals that something changed, never the content.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from tournaments.models import Game, ResultClaim, Round, Tournament

_LETTERS_OF_BOARD, _LETTERS_OF_ROUNDS = 3, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChangeMarks:
    """The marks of an event: `published` is the latest public round or 0, `boards` has 3 hex digits per board."""

    published: int
    rounds: str
    boards: str


def load_board_version_marks(tournament: Tournament) -> BoardChangeMarks:
    """Return the marks of an event as players see it, in three queries. Drafts do not change them."""
    rounds = list(
        tournament.rounds.order_by("number").values_list("pk", "number", "state", "publications", "starts_at")
    )
    public = [each for each in rounds if each[2] in (Round.State.PUBLISHED, Round.State.FINISHED)]
    seen = [(each[1], each[2] if each in public else "", each[3] if each in public else 0, each[4]) for each in rounds]
    return BoardChangeMarks(
        published=public[-1][1] if public else 0,
        rounds=_digest("rounds", tournament.pk, seen)[:_LETTERS_OF_ROUNDS],
        boards=_of_boards(public[-1][0]) if public else "",
    )


def _of_boards(latest: int) -> str:
    games = (
        Game.objects.filter(round=latest).order_by("board").values_list("pk", "white", "black", "revision", "result")
    )
    reports: dict[int, list[tuple[int, str]]] = {}
    for game, entry, result in (
        ResultClaim.objects.filter(game__round=latest).order_by("entry").values_list("game", "entry", "result")
    ):
        reports.setdefault(game, []).append((entry, result))
    return "".join(_digest("board", *game, reports.get(game[0]))[:_LETTERS_OF_BOARD] for game in games)


def _digest(*values: object) -> str:
    return salted_hmac("tournaments.live_updates.board_marks", repr(values), algorithm="sha256").hexdigest()
