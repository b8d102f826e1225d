"""The pairings of a round."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import Count, Q, QuerySet

from common.text.name_order import name_sort_key
from common.text.name_search import matches_search_words, split_search_words
from pairing.engine.snapshot import Colour
from pairing.view_models.sheets.players_and_results import (
    PLAYER_FIELDS,
    SheetPlayer,
    bye_symbol,
    format_result,
    player_from_fields,
)
from tournaments.entries.pairing_numbers import kept_numbers
from tournaments.models import Bye, Game, Round
from tournaments.results.displayed_game import DisplayedGame

MAX_BOARDS_FOUND = 200
"""The most boards that a search shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetBoard:
    """A board in a round. `game` is the key of its row, and `revision` the revision of its result.

    `reasons` are as stored, for `reasons_from_json`.
    """

    board: int
    game: int
    white: SheetPlayer
    black: SheetPlayer
    result: str
    revision: int
    reasons: tuple[dict[str, Any], ...] = ()

    @property
    def displayed_game(self) -> DisplayedGame:
        """Return the values that forms send with a result of this board."""
        return DisplayedGame(game=self.game, revision=self.revision, result=self.result)

    @property
    def result_text(self) -> str:
        return format_result(self.result)

    @property
    def result_label(self) -> str:
        return str(Game.Result(self.result).label)

    @property
    def is_result_pending(self) -> bool:
        return self.result == Game.Result.PENDING

    @property
    def is_unusual_result(self) -> bool:
        """Return True unless the result is pending, 1–0, ½–½ or 0–1."""
        return self.result not in _ORDINARY


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetBye:
    """A player without a game. `kind` is a `Bye.Kind`, `worth` the points as text, `system` the event's system."""

    player: SheetPlayer
    kind: str
    worth: str
    reasons: tuple[dict[str, Any], ...] = ()
    system: str = ""

    @property
    def label(self) -> str:
        return Bye.Kind(self.kind).label_in(self.system)

    @property
    def is_pairing_allocated(self) -> bool:
        return self.kind == Bye.Kind.PAIRING_ALLOCATED


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSheet:
    """The pairings of a round: boards in order, then byes, the pairing-allocated one last.

    `provisional_until` is empty for a final pairing. `board_count` and `open_board_count` cover the whole round, even
    if `boards` holds only a part. `version` shows if a page is current; people see `edition`.
    """

    club: str
    event: str
    number: int
    rounds_announced: int
    state: str
    version: int
    edition: int
    starts_at: datetime | None
    published_at: datetime | None
    boards: tuple[SheetBoard, ...]
    byes: tuple[SheetBye, ...]
    board_count: int
    open_board_count: int
    paired_at: datetime | None = None
    provisional_until: datetime | None = None

    @property
    def is_draft(self) -> bool:
        return self.state == Round.State.DRAFT

    @property
    def finished_board_count(self) -> int:
        return self.board_count - self.open_board_count

    @property
    def is_public(self) -> bool:
        return self.state in (Round.State.PUBLISHED, Round.State.FINISHED)


def pairing_sheet(
    this_round: Round,
    *,
    first: int = 1,
    last: int | None = None,
    name: str = "",
    only: Collection[int] | None = None,
    with_reasons: bool = False,
    with_reasons_of_byes: bool = False,
) -> PairingSheet:
    """Return the pairings of a round, in three queries, or four with `name`.

    `first` and `last` limit the boards, or `only` lists them. `name` keeps the boards and byes of players whose name
    contains all of its words, ignoring accents and case.
    """
    games = this_round.games.order_by("board")
    counts = games.aggregate(all=Count("pk"), open=Count("pk", filter=Q(result=Game.Result.PENDING)))
    wanted = split_search_words(name)
    if wanted:
        games = games.filter(board__in=_boards_of(games, wanted))
    elif only is not None:
        games = games.filter(board__in=only)
    else:
        games = games.filter(board__range=(first, last or counts["all"]))
    byes = _byes(this_round, with_reasons=with_reasons or with_reasons_of_byes)
    return PairingSheet(
        club=this_round.tournament.club.name,
        event=this_round.tournament.name,
        number=this_round.number,
        rounds_announced=this_round.tournament.rounds_announced,
        state=this_round.state,
        version=this_round.version,
        edition=this_round.publications if this_round.is_public else this_round.publications + 1,
        starts_at=this_round.starts_at,
        published_at=this_round.published_at,
        paired_at=this_round.paired_at,
        provisional_until=this_round.provisional_until if this_round.is_provisional else None,
        boards=tuple(_boards(games, this_round, with_reasons=with_reasons)),
        byes=tuple(bye for bye in byes if matches_search_words(bye.player.name, wanted)),
        board_count=counts["all"],
        open_board_count=counts["open"],
    )


_ORDINARY = (Game.Result.PENDING, Game.Result.WHITE_WINS, Game.Result.DRAW, Game.Result.BLACK_WINS)
_BYE_ORDER = {kind: place for place, kind in enumerate(("F", "H", "Z", "-", "+", "U"))}


def _boards_of(games: QuerySet[Game], wanted: list[str]) -> list[int]:
    """Return the first boards with a player whose name contains all the words."""
    seated = games.values_list("board", "white__name", "black__name")
    found = (board for board, *names in seated if any(matches_search_words(name, wanted) for name in names))
    return list(islice(found, MAX_BOARDS_FOUND))


def _boards(games: QuerySet[Game], this_round: Round, *, with_reasons: bool) -> Iterable[SheetBoard]:
    scores, numbers = this_round.scores, kept_numbers(this_round.tournament, this_round.number)
    fields = ["board", "pk", "result", "revision"]
    fields += [f"{side}__{field}" for side in ("white", "black") for field in PLAYER_FIELDS]
    if with_reasons:
        fields.append("reasons")
    each = len(PLAYER_FIELDS)
    for board, game, result, revision, *players in games.values_list(*fields):
        yield SheetBoard(
            board=board,
            game=game,
            result=result,
            revision=revision,
            white=player_from_fields(players[:each], scores, numbers),
            black=player_from_fields(players[each : 2 * each], scores, numbers),
            reasons=tuple(players[-1]) if with_reasons else (),
        )


def _byes(this_round: Round, *, with_reasons: bool) -> list[SheetBye]:
    numbers = kept_numbers(this_round.tournament, this_round.number)
    fields = ["kind", *(f"entry__{field}" for field in PLAYER_FIELDS), "reasons"]
    byes = [
        SheetBye(
            kind=kind,
            worth=bye_symbol(this_round.tournament, kind),
            player=player_from_fields(player, this_round.scores, numbers),
            reasons=tuple(reasons) if with_reasons else (),
            system=this_round.tournament.system,
        )
        for kind, *player, reasons in this_round.byes.values_list(*fields)
    ]
    return sorted(byes, key=lambda bye: (_BYE_ORDER[bye.kind], bye.player.number or 0, bye.player.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeat:
    """A player's seat in a round. A player without a board has a bye, named by `label`."""

    player: SheetPlayer
    board: int | None = None
    colour: Colour | None = None
    opponent: SheetPlayer | None = None
    label: str = ""

    @property
    def has_white(self) -> bool:
        return self.colour is Colour.WHITE


def seats_in_name_order(sheet: PairingSheet) -> tuple[PlayerSeat, ...]:
    """Return all players on a pairing sheet in the order of their names."""
    return tuple(sorted(_seats(sheet), key=lambda seat: name_sort_key(seat.player.name)))


def _seats(sheet: PairingSheet) -> Iterable[PlayerSeat]:
    for board in sheet.boards:
        yield PlayerSeat(player=board.white, board=board.board, colour=Colour.WHITE, opponent=board.black)
        yield PlayerSeat(player=board.black, board=board.board, colour=Colour.BLACK, opponent=board.white)
    for bye in sheet.byes:
        yield PlayerSeat(player=bye.player, label=bye.label)
