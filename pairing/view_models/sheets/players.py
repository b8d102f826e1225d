"""One player's card: every round with opponent, colour and result, and the colours so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q

from pairing.engine.rules.colours import ColourPreference, colour_difference, colour_preference
from pairing.engine.snapshot import Colour, HalfPoints
from pairing.engine.systems.jahr import JahrRound, as_points, jahr_values
from pairing.explanations.explanations import points_text
from pairing.view_models.sheets.parts import PLAYER_FIELDS, SYMBOLS, SheetPlayer, bye_symbol, player_from, shown
from tournaments.import_export.snapshots import BYE_RESULTS, SIDES, points_of, snapshot_before
from tournaments.models import Bye, Entry, Game, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class JahrBoxes:
    """What Jahr's card adds to a round (article 10): the counted total and its tenth, None where nothing is added."""

    counted: Decimal | None
    tenth: Decimal | None
    auxiliary: Decimal
    total: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRound:
    """One round of a player. `symbol` is empty while the board is open; `points` are those after the round."""

    number: int
    board: int | None
    colour: Colour | None
    opponent: SheetPlayer | None
    bye_kind: str
    symbol: str
    is_played: bool
    points: HalfPoints
    jahr: JahrBoxes | None
    reasons: tuple[dict[str, Any], ...]

    @property
    def sign(self) -> str:
        return shown(self.symbol)

    @property
    def bye_label(self) -> str:
        return str(Bye.Kind(self.bye_kind).label) if self.bye_kind else ""

    @property
    def points_text(self) -> str:
        return points_text(self.points)

    @property
    def has_white(self) -> bool:
        return self.colour is Colour.WHITE


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSheet:
    """A player's card as far as rounds are published. `colours` are those of his played games."""

    club: str
    event: str
    player: SheetPlayer
    federation: str
    club_name: str
    withdrawn_from_round: int | None
    is_jahr: bool
    rounds: tuple[PlayerRound, ...]
    colours: tuple[Colour, ...]

    @property
    def points_text(self) -> str:
        return points_text(self.rounds[-1].points if self.rounds else 0)

    @property
    def preference(self) -> ColourPreference | None:
        return colour_preference(self.colours)

    @property
    def difference(self) -> int:
        """Whites minus blacks."""
        return colour_difference(self.colours)

    @property
    def whites(self) -> int:
        return sum(colour is Colour.WHITE for colour in self.colours)

    @property
    def blacks(self) -> int:
        return len(self.colours) - self.whites


def player_sheet(entry: Entry) -> PlayerSheet:
    """A player's card, in a number of queries that does not grow with the event. `entry.tournament` has its club."""
    tournament = entry.tournament
    rounds = tuple(_rounds(entry))
    return PlayerSheet(
        club=tournament.club.name,
        event=tournament.name,
        player=player_from([getattr(entry, field) for field in PLAYER_FIELDS], {}),
        federation=entry.federation,
        club_name=entry.club_name,
        withdrawn_from_round=entry.withdrawn_from_round,
        is_jahr=tournament.ever_by_jahr,
        rounds=rounds,
        colours=tuple(each.colour for each in rounds if each.is_played and each.colour is not None),
    )


def _rounds(entry: Entry) -> Iterable[PlayerRound]:
    """His rounds up to the latest published one; a round that has nothing for him is an absence."""
    published = list(entry.tournament.rounds.published().order_by("number").values_list("number", flat=True))
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


def _of_game(entry: Entry, game: Game, before: HalfPoints, jahr: JahrRound | None) -> PlayerRound:
    is_white = game.white_id == entry.pk
    result = SIDES[game.result][0 if is_white else 1] if game.result in SIDES else None
    opponent = game.black if is_white else game.white
    return PlayerRound(
        number=game.round.number,
        board=game.board,
        colour=Colour.WHITE if is_white else Colour.BLACK,
        opponent=player_from([getattr(opponent, field) for field in PLAYER_FIELDS], game.round.scores),
        bye_kind="",
        symbol="" if result is None else SYMBOLS[result],
        is_played=result is not None and result.is_played,
        points=before + (0 if result is None else points_of(entry.tournament).of(result)),
        jahr=_boxes(jahr) if result is not None else None,
        reasons=tuple(game.reasons),
    )


def _of_bye(entry: Entry, number: int, bye: Bye | None, before: HalfPoints, jahr: JahrRound | None) -> PlayerRound:
    kind = bye.kind if bye else Bye.Kind.ABSENT.value
    worth = points_of(entry.tournament).of(BYE_RESULTS[kind])
    return PlayerRound(
        number=number,
        board=None,
        colour=None,
        opponent=None,
        bye_kind=kind,
        symbol=bye_symbol(entry.tournament, kind),
        is_played=False,
        points=before + worth,
        jahr=_boxes(jahr),
        reasons=tuple(bye.reasons) if bye else (),
    )


def _jahr_rounds(entry: Entry, published: list[int]) -> dict[int, JahrRound]:
    """Jahr's values depend on everyone's, so the whole event is worked out for one card."""
    if not entry.tournament.ever_by_jahr or not published:
        return {}
    values = jahr_values(snapshot_before(entry.tournament, published[-1] + 1))
    return {row.number: row for row in values[entry.tpn or 0].rounds}


def _boxes(row: JahrRound | None) -> JahrBoxes | None:
    if row is None:
        return None
    return JahrBoxes(
        counted=None if row.counted is None else as_points(row.counted),
        tenth=None if row.tenth is None else as_points(row.tenth),
        auxiliary=as_points(row.auxiliary),
        total=as_points(row.total),
    )
