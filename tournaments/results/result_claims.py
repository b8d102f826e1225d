"""What players have reported of their boards, as far as it is still open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F, Q

from tournaments.models import CheckIn, Game, ResultClaim, Round


class ClaimAgreement(StrEnum):
    """How the reports of a board without a result stand."""

    ONE = "one"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardClaims:
    """What White and what Black have reported; empty: nothing."""

    white: str
    black: str

    @property
    def agreement(self) -> ClaimAgreement:
        """Two equal reports are a result already, so two that are here are different."""
        return ClaimAgreement.DIFFERENT if self.white and self.black else ClaimAgreement.ONE


def open_claims_by_board(round: Round, *, boards: Collection[int] | None = None) -> dict[int, BoardClaims]:
    """The reports of boards that have no result yet, by board; one query."""
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
    """The boards without a result that wait for somebody who is on the way, as the door has it; one query."""
    on_the_way = round.check_ins.filter(state=CheckIn.State.LATE).values("entry")
    late = round.games.filter(Q(white__in=on_the_way) | Q(black__in=on_the_way), result=Game.Result.PENDING)
    return list(late.order_by("board").values_list("board", flat=True))


def disputed_boards(round: Round) -> list[Game]:
    """The boards whose players report different results: the arbiter decides, and until then the round waits."""
    by_white = ResultClaim.objects.filter(game__round=round, game__result=Game.Result.PENDING, entry=F("game__white"))
    by_black = ResultClaim.objects.filter(game__in=by_white.values("game"), entry=F("game__black"))
    return list(Game.objects.filter(pk__in=by_black.values("game")).select_related("white", "black").order_by("board"))
