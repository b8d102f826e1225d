"""Start cards, a row for each round: Jahr's modified card (Szachy 3/1981, article 10) and the plain one.

A card is filled (up to the latest published round), blank (head and empty rows) or spare (empty rows only, for late
entries).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from pairing.engine.rules.colour_preferences import ColourPreference, colour_preference
from pairing.engine.rules.players import FloatDirection
from pairing.engine.snapshot import (
    Colour,
    HalfPoints,
    PairingCard,
    PairingNumber,
    Result,
    TournamentSnapshot,
    points_by_result_in_system,
)
from pairing.engine.systems.jahr import jahr_values
from pairing.engine.systems.jahr.point_totals import Hundredths, JahrRound, JahrValues, rounded_tenth
from pairing.explanations.pairing_warnings import players_with_fictitious_points
from pairing.view_models.sheets.players_and_results import localise_symbol, symbol_of_result
from pairing.view_models.standings.event_standings import StandingsRow, get_event_standings
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Bye, Entry, Game, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class JahrCardBoxes:
    """The boxes for Jahr's method in one row of a start card.

    `counted` and `tenth` are known when the game begins, the others when it is over.
    """

    counted: Hundredths | None
    tenth: Hundredths | None
    auxiliary: Hundredths | None = None
    total: Hundredths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCardRow:
    """One round on a card.

    `bye_kind` is a `Bye.Kind` if there was no opponent. While the board is open, `symbol` is empty and `points` (after
    the round) is None. `colour` is for played games, not forfeits. `due_colour` is the colour due next round.
    """

    number: int
    colour: Colour | None = None
    opponent: PairingNumber | None = None
    opponent_name: str = ""
    bye_kind: str = ""
    float_mark: FloatDirection | None = None
    symbol: str = ""
    points: HalfPoints | None = None
    due_colour: ColourPreference | None = None
    jahr: JahrCardBoxes | None = None

    @property
    def localised_symbol(self) -> str:
        return localise_symbol(self.symbol)

    @property
    def is_empty(self) -> bool:
        return self.opponent is None and not self.bye_kind

    @property
    def bye_label(self) -> str:
        return str(Bye.Kind(self.bye_kind).label) if self.bye_kind else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCardResult:
    """The foot of a card after the last round. `total` and `exact` are values of Jahr's method."""

    place: int
    points: HalfPoints
    total: Hundredths | None = None
    exact: Hundredths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCard:
    """A player's card. A spare card has no number or name.

    `forbidden_opponents` are the players they must not be paired with.
    """

    number: PairingNumber | None = None
    name: str = ""
    title: str = ""
    rating: int = 0
    club_name: str = ""
    federation: str = ""
    birth_year: str = ""
    remark: str = ""
    forbidden_opponents: tuple[PairingNumber, ...] = ()
    rows: tuple[StartCardRow, ...] = ()
    result: StartCardResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCardSheet:
    """Start cards of an event by number, spare ones last."""

    club: str
    event: str
    is_jahr: bool
    rounds_announced: int
    cards: tuple[StartCard, ...]


def start_card_sheet(
    tournament: Tournament, *, filled: bool = True, only: PairingNumber | None = None, spare: int = 0
) -> StartCardSheet:
    """Return the cards of all players or of number `only`, plus `spare` ones, in a constant number of queries."""
    entries = list(tournament.entries.all())
    numbers = pairing_numbers_by_entry(entries)
    chosen = sorted((entry for entry in entries if only in (None, numbers[entry.pk])), key=lambda e: numbers[e.pk])
    fill = _filler(tournament, entries, numbers) if filled and chosen else _leave_empty
    apart = _kept_apart(tournament, numbers)
    empty = tuple(StartCardRow(number=number) for number in range(1, tournament.rounds_announced + 1))
    cards = [_with_head(fill(numbers[entry.pk], empty), entry, apart.get(numbers[entry.pk], ())) for entry in chosen]
    return StartCardSheet(
        club=tournament.club.name,
        event=tournament.name,
        is_jahr=tournament.has_jahr_rounds,
        rounds_announced=tournament.rounds_announced,
        cards=(*cards, *[StartCard(rows=empty)] * spare),
    )


StartCardRows: TypeAlias = tuple[StartCardRow, ...]
StartCardFiller: TypeAlias = Callable[[PairingNumber, StartCardRows], StartCard]
"""Makes a number's card, without its head, from its empty rows."""

_BYE_KINDS: Mapping[Result, str] = {
    Result.PAIRING_ALLOCATED_BYE: Bye.Kind.PAIRING_ALLOCATED,
    Result.FULL_POINT_BYE: Bye.Kind.FULL_POINT,
    Result.HALF_POINT_BYE: Bye.Kind.HALF_POINT,
    Result.ZERO_POINT_BYE: Bye.Kind.ZERO_POINT,
    Result.ABSENT: Bye.Kind.ABSENT,
    Result.FORFEIT_LOSS: Bye.Kind.ABSENT,
    Result.FORFEIT_WIN: Bye.Kind.FORFEIT_WIN,
}


def _leave_empty(number: PairingNumber, empty: StartCardRows) -> StartCard:
    return StartCard(number=number, rows=empty)


def _filler(tournament: Tournament, entries: Iterable[Entry], numbers: Mapping[int, PairingNumber]) -> StartCardFiller:
    """Return a function that fills an event's cards up to the latest published round."""
    published = list(tournament.rounds.only_published().order_by("number"))
    last = published[-1].number if published else 0
    snapshot = snapshot_before_round(tournament, last + 1)
    cards = {card.tpn: card for card in snapshot.cards}
    names = {numbers[entry.pk]: entry.name for entry in entries}
    floats = {contender.tpn: contender.floats for contender in players_with_fictitious_points(snapshot)}
    values = jahr_values(snapshot) if tournament.has_jahr_rounds else {}
    open_rows = _open_rows(published[-1], numbers, names, values) if published else {}
    results = _results(tournament, values) if _is_over(tournament, published) else {}

    def make_start_card(number: PairingNumber, empty: StartCardRows) -> StartCard:
        rounds = values[number].rounds if values else (None,) * last
        rows = list(_played_rows(cards[number], floats[number], rounds, names, snapshot))
        if number in open_rows:
            rows[-1] = open_rows[number]
        return StartCard(number=number, rows=(*rows, *empty[last:]), result=results.get(number))

    return make_start_card


def _played_rows(
    card: PairingCard,
    floats: Iterable[FloatDirection | None],
    jahr: Iterable[JahrRound | None],
    names: Mapping[PairingNumber, str],
    snapshot: TournamentSnapshot,
) -> Iterable[StartCardRow]:
    worth = points_by_result_in_system(snapshot.system, snapshot.points)
    points = 0
    colours: list[Colour] = []
    for number, (record, mark, of_jahr) in enumerate(zip(card.records, floats, jahr, strict=True), start=1):
        points += worth[record.result]
        if record.is_played and record.colour is not None:
            colours.append(record.colour)
        yield StartCardRow(
            number=number,
            colour=record.colour if record.is_played else None,
            opponent=record.opponent,
            opponent_name=names[record.opponent] if record.opponent is not None else "",
            bye_kind="" if record.opponent is not None else _BYE_KINDS[record.result],
            float_mark=mark,
            symbol=symbol_of_result(record.result, snapshot.points, snapshot.system),
            points=points,
            due_colour=colour_preference(colours),
            jahr=_boxes(of_jahr),
        )


def _open_rows(
    latest: Round,
    numbers: Mapping[int, PairingNumber],
    names: Mapping[PairingNumber, str],
    values: Mapping[PairingNumber, JahrValues],
) -> dict[PairingNumber, StartCardRow]:
    """Return the latest round of players still playing: what is known when the game begins (article 3)."""
    rows = {}
    for white, black in latest.games.filter(result=Game.Result.PENDING).values_list("white_id", "black_id"):
        scores = [latest.scores.get(str(entry)) for entry in (white, black)]
        for (own, own_score), (other, other_score), colour in (
            ((white, scores[0]), (black, scores[1]), Colour.WHITE),
            ((black, scores[1]), (white, scores[0]), Colour.BLACK),
        ):
            opponent = numbers[other]
            rows[numbers[own]] = StartCardRow(
                number=latest.number,
                colour=colour,
                opponent=opponent,
                opponent_name=names[opponent],
                float_mark=_float(own_score, other_score),
                jahr=_boxes_of_open_game(values[opponent], latest.number) if values else None,
            )
    return rows


def _float(own: HalfPoints | None, theirs: HalfPoints | None) -> FloatDirection | None:
    if own is None or theirs is None or own == theirs:
        return None
    return FloatDirection.DOWN if own > theirs else FloatDirection.UP


def _boxes(row: JahrRound | None) -> JahrCardBoxes | None:
    if row is None:
        return None
    return JahrCardBoxes(
        counted=row.counted_total, tenth=row.added_tenth, auxiliary=row.auxiliary_points, total=row.total_points
    )


def _boxes_of_open_game(opponent: JahrValues, number: int) -> JahrCardBoxes:
    """Return the opponent's total when the game begins, and its tenth (articles 2 and 3)."""
    counted = opponent.rounds[number - 2].total_points if number > 1 else 0
    return JahrCardBoxes(counted=counted, tenth=rounded_tenth(counted))


def _is_over(tournament: Tournament, published: list[Round]) -> bool:
    finished = [each for each in published if each.state == Round.State.FINISHED]
    return len(finished) == tournament.rounds_announced


def _results(
    tournament: Tournament, values: Mapping[PairingNumber, JahrValues]
) -> dict[PairingNumber, StartCardResult]:
    rows = {row.entry.tpn: row for row in get_event_standings(tournament).rows if row.entry.tpn is not None}
    return {number: _result(row, values.get(number)) for number, row in rows.items()}


def _result(row: StandingsRow, values: JahrValues | None) -> StartCardResult:
    return StartCardResult(
        place=row.place,
        points=int(row.points * 2),
        total=values.total_points if values else None,
        exact=values.exact_value_in_hundredths if values else None,
    )


def _kept_apart(
    tournament: Tournament, numbers: Mapping[int, PairingNumber]
) -> dict[PairingNumber, tuple[PairingNumber, ...]]:
    """Return the forbidden opponents of each number, in order."""
    apart: dict[PairingNumber, set[PairingNumber]] = {}
    for first, second in tournament.forbidden_pairs.values_list("first_id", "second_id"):
        apart.setdefault(numbers[first], set()).add(numbers[second])
        apart.setdefault(numbers[second], set()).add(numbers[first])
    return {number: tuple(sorted(others)) for number, others in apart.items()}


def _with_head(card: StartCard, entry: Entry, not_with: tuple[PairingNumber, ...]) -> StartCard:
    return replace(
        card,
        name=entry.name,
        title=entry.title,
        rating=entry.rating,
        club_name=entry.club_name,
        federation=entry.federation,
        birth_year=entry.birth[:4],
        remark=entry.remark,
        forbidden_opponents=not_with,
    )
