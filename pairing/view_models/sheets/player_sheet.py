"""A player's card: opponent, colour and result of every round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q

from pairing.engine.rules.colour_preferences import ColourPreference, colour_difference, colour_preference
from pairing.engine.snapshot import Colour, HalfPoints, Result, points_by_result_in_system
from pairing.engine.systems.jahr import JahrRound, jahr_values, to_decimal_points
from pairing.explanations.reason_sentences import points_text
from pairing.view_models.sheets.players_and_results import (
    PLAYER_FIELDS,
    RESULT_SYMBOLS,
    SheetPlayer,
    bye_symbol,
    localise_symbol,
    player_from_fields,
)
from tournaments.entries.pairing_numbers import kept_numbers
from tournaments.import_export.snapshots import (
    BYE_RESULTS,
    RESULTS_BY_SIDE,
    point_system_of_event,
    snapshot_before_round,
)
from tournaments.models import Bye, Entry, Game, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class JahrRoundValues:
    """The values that Jahr's card adds to a round (article 10).

    `counted` is the counted total and `tenth` its tenth, both None where nothing is added.
    """

    counted: Decimal | None
    tenth: Decimal | None
    auxiliary: Decimal
    total: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSheetRound:
    """A player's round.

    `symbol` is empty while the board is open; `points` are those after the round.
    """

    number: int
    board: int | None
    colour: Colour | None
    opponent: SheetPlayer | None
    bye_kind: str
    symbol: str
    is_played: bool
    points: HalfPoints
    jahr: JahrRoundValues | None
    reasons: tuple[dict[str, Any], ...]
    system: str = ""

    @property
    def localised_symbol(self) -> str:
        return localise_symbol(self.symbol)

    @property
    def bye_label(self) -> str:
        return Bye.Kind(self.bye_kind).label_in(self.system) if self.bye_kind else ""

    @property
    def points_text(self) -> str:
        return points_text(self.points)

    @property
    def has_white(self) -> bool:
        return self.colour is Colour.WHITE


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSheet:
    """A player's card up to the latest published round. `colours` are the colours of played games."""

    club: str
    event: str
    player: SheetPlayer
    federation: str
    club_name: str
    withdrawn_from_round: int | None
    is_jahr: bool
    rounds: tuple[PlayerSheetRound, ...]
    colours: tuple[Colour, ...]

    @property
    def points_text(self) -> str:
        return points_text(self.rounds[-1].points if self.rounds else 0)

    @property
    def next_colour_preference(self) -> ColourPreference | None:
        return colour_preference(self.colours)

    @property
    def white_minus_black(self) -> int:
        """Return the number of games with White minus the number with Black."""
        return colour_difference(self.colours)

    @property
    def games_with_white(self) -> int:
        return sum(colour is Colour.WHITE for colour in self.colours)

    @property
    def games_with_black(self) -> int:
        return len(self.colours) - self.games_with_white


def player_sheet(entry: Entry) -> PlayerSheet:
    """Return a player's card, in a constant number of queries if `entry.tournament` has its club loaded."""
    tournament = entry.tournament
    rounds = tuple(_rounds(entry))
    return PlayerSheet(
        club=tournament.club.name,
        event=tournament.name,
        player=player_from_fields([getattr(entry, field) for field in PLAYER_FIELDS], {}),
        federation=entry.federation,
        club_name=entry.club_name,
        withdrawn_from_round=entry.withdrawn_from_round,
        is_jahr=tournament.has_jahr_rounds,
        rounds=rounds,
        colours=tuple(each.colour for each in rounds if each.is_played and each.colour is not None),
    )


def _rounds(entry: Entry) -> Iterable[PlayerSheetRound]:
    """Yield the player's published rounds. A round without a game or bye is an absence."""
    published = list(entry.tournament.rounds.only_published().order_by("number").values_list("number", flat=True))
    shown = {"round__tournament": entry.tournament, "round__state__in": [Round.State.PUBLISHED, Round.State.FINISHED]}
    games = {
        game.round.number: game
        for game in Game.objects.filter(Q(white=entry) | Q(black=entry), **shown).select_related(
            "round", "white", "black"
        )
    }
    byes = {bye.round.number: bye for bye in entry.byes.filter(**shown).select_related("round")}
    jahr = _jahr_rounds(entry, published)
    points = 0
    for number in published:
        if number in games:
            row = _of_game(entry, games[number], points, jahr.get(number))
        else:
            row = _of_bye(entry, number, byes.get(number), points, jahr.get(number))
        points = row.points
        yield row


def _of_game(entry: Entry, game: Game, before: HalfPoints, jahr: JahrRound | None) -> PlayerSheetRound:
    is_white = game.white_id == entry.pk
    result = RESULTS_BY_SIDE[game.result][0 if is_white else 1] if game.result in RESULTS_BY_SIDE else None
    opponent = game.black if is_white else game.white
    return PlayerSheetRound(
        number=game.round.number,
        board=game.board,
        colour=Colour.WHITE if is_white else Colour.BLACK,
        opponent=player_from_fields(
            [getattr(opponent, field) for field in PLAYER_FIELDS],
            game.round.scores,
            kept_numbers(entry.tournament, game.round.number),
        ),
        bye_kind="",
        symbol="" if result is None else RESULT_SYMBOLS[result],
        is_played=result is not None and result.is_played,
        points=before + (0 if result is None else _worth(entry.tournament, result)),
        jahr=_boxes(jahr) if result is not None else None,
        reasons=tuple(game.reasons),
    )


def _of_bye(entry: Entry, number: int, bye: Bye | None, before: HalfPoints, jahr: JahrRound | None) -> PlayerSheetRound:
    kind = bye.kind if bye else Bye.Kind.ABSENT.value
    return PlayerSheetRound(
        number=number,
        board=None,
        colour=None,
        opponent=None,
        bye_kind=kind,
        symbol=bye_symbol(entry.tournament, kind),
        is_played=False,
        points=before + _worth(entry.tournament, BYE_RESULTS[kind]),
        jahr=_boxes(jahr),
        reasons=tuple(bye.reasons) if bye else (),
        system=entry.tournament.system,
    )


def _worth(tournament: Tournament, result: Result) -> HalfPoints:
    return points_by_result_in_system(tournament.system, point_system_of_event(tournament))[result]


def _jahr_rounds(entry: Entry, published: list[int]) -> dict[int, JahrRound]:
    """Return Jahr's values by round. They depend on all players, so the whole event is calculated."""
    if not entry.tournament.has_jahr_rounds or not published:
        return {}
    values = jahr_values(snapshot_before_round(entry.tournament, published[-1] + 1))
    return {row.number: row for row in values[entry.tpn or 0].rounds}


def _boxes(row: JahrRound | None) -> JahrRoundValues | None:
    if row is None:
        return None
    return JahrRoundValues(
        counted=None if row.counted_total is None else to_decimal_points(row.counted_total),
        tenth=None if row.added_tenth is None else to_decimal_points(row.added_tenth),
        auxiliary=to_decimal_points(row.auxiliary_points),
        total=to_decimal_points(row.total_points),
    )
