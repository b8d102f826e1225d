"""Players' reports for boards without a result."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F, Q

from tournaments.models import CheckIn, Game, ResultClaim, Round


class ClaimAgreement(StrEnum):
    """Whether one player has reported a result for an open board, or both have reported different ones."""

    ONE = "one"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardClaims:
    """The results reported by White and Black. Each is empty if that player has not reported."""

    white: str
    black: str

    @property
    def agreement(self) -> ClaimAgreement:
        """The state of the reports. Two equal reports become the result, so two open reports differ."""
        return ClaimAgreement.DIFFERENT if self.white and self.black else ClaimAgreement.ONE


def open_claims_by_board(round: Round, *, boards: Collection[int] | None = None) -> dict[int, BoardClaims]:
    """Return the reports for boards without a result, by board. One query."""
    claims = ResultClaim.objects.filter(game__round=round, game__result=Game.Result.PENDING)
    if boards is not None:
        claims = claims.filter(game__board__in=boards)
    found: dict[int, dict[str, str]] = {}
    for board, entry, white, result in claims.values_list("game__board", "entry", "game__white", "result"):
        found.setdefault(board, {})["white" if entry == white else "black"] = result
    return {
        board: BoardClaims(white=sides.get("white", ""), black=sides.get("black", ""))
        for board, sides in sorted(found.items())
    }


def boards_with_late_players(round: Round) -> list[int]:
    """Return boards without a result where a player is marked as late. One query."""
    on_the_way = round.check_ins.filter(state=CheckIn.State.LATE).values("entry")
    late = round.games.filter(Q(white__in=on_the_way) | Q(black__in=on_the_way), result=Game.Result.PENDING)
    return list(late.order_by("board").values_list("board", flat=True))


def disputed_boards(round: Round) -> list[Game]:
    """Return boards whose players report different results. The round can't be finished until the arbiter decides."""
    by_white = ResultClaim.objects.filter(game__round=round, game__result=Game.Result.PENDING, entry=F("game__white"))
    by_black = ResultClaim.objects.filter(game__in=by_white.values("game"), entry=F("game__black"))
    return list(Game.objects.filter(pk__in=by_black.values("game")).select_related("white", "black").order_by("board"))
