"""Start cards, one a player, one row a round: Jahr's modified card (Szachy 3/1981, article 10), and the plain one.

A card is filled as far as rounds are published, blank (head and empty rows), or spare (rows alone, for late entries).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from pairing.engine.rules.colours import ColourPreference, colour_preference
from pairing.engine.rules.field import Float
from pairing.engine.snapshot import Colour, HalfPoints, PairingCard, PairingNumber, PointSystem, Result
from pairing.engine.systems.jahr import jahr_values
from pairing.engine.systems.jahr.totals import Hundredths, JahrRound, JahrValues, tenth
from pairing.explanations.warnings import accelerated_field
from pairing.view_models.sheets.parts import shown, unplayed_symbol
from pairing.view_models.standings.event_standings import StandingRow, standings
from tournaments.entries.entering import numbers_of
from tournaments.import_export.snapshots import snapshot_before
from tournaments.models import Bye, Entry, Game, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBoxes:
    """Jahr's boxes of a row. `counted` and `tenth` are known when the game begins, the others when it is over."""

    counted: Hundredths | None
    tenth: Hundredths | None
    auxiliary: Hundredths | None = None
    total: Hundredths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One round of a card.

    `bye_kind` is a `Bye.Kind` where there was no opponent. `symbol` is empty and `points`, those after the round, None
    while the board is open. `colour` is that of a game, not of a forfeit. `due` is the colour due for the next round.
    """

    number: int
    colour: Colour | None = None
    opponent: PairingNumber | None = None
    opponent_name: str = ""
    bye_kind: str = ""
    float_mark: Float | None = None
    symbol: str = ""
    points: HalfPoints | None = None
    due: ColourPreference | None = None
    jahr: CardBoxes | None = None

    @property
    def sign(self) -> str:
        return shown(self.symbol)

    @property
    def is_empty(self) -> bool:
        return self.opponent is None and not self.bye_kind

    @property
    def bye_label(self) -> str:
        return str(Bye.Kind(self.bye_kind).label) if self.bye_kind else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardResult:
    """The foot of a card after the last round; `total` and `exact` are Jahr's."""

    place: int
    points: HalfPoints
    total: Hundredths | None = None
    exact: Hundredths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCard:
    """A player's card. A spare card has no number and no name. `not_with` are those he must not be paired with."""

    number: PairingNumber | None = None
    name: str = ""
    title: str = ""
    rating: int = 0
    club_name: str = ""
    federation: str = ""
    birth_year: str = ""
    remark: str = ""
    not_with: tuple[PairingNumber, ...] = ()
    rows: tuple[CardRow, ...] = ()
    result: CardResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSheet:
    """Start cards of an event, in the order of their numbers, spare ones last."""

    club: str
    event: str
    is_jahr: bool
    rounds_announced: int
    cards: tuple[StartCard, ...]


def card_sheet(
    tournament: Tournament, *, filled: bool = True, only: PairingNumber | None = None, spare: int = 0
) -> CardSheet:
    """The cards of everyone, or of number `only`, and so many spare ones; a constant number of queries."""
    entries = list(tournament.entries.all())
    numbers = numbers_of(entries)
    chosen = sorted((entry for entry in entries if only in (None, numbers[entry.pk])), key=lambda e: numbers[e.pk])
    fill = _filler(tournament, entries, numbers) if filled and chosen else _leave_empty
    apart = _kept_apart(tournament, numbers)
    empty = tuple(CardRow(number=number) for number in range(1, tournament.rounds_announced + 1))
    cards = [_with_head(fill(numbers[entry.pk], empty), entry, apart.get(numbers[entry.pk], ())) for entry in chosen]
    return CardSheet(
        club=tournament.club.name,
        event=tournament.name,
        is_jahr=tournament.ever_by_jahr,
        rounds_announced=tournament.rounds_announced,
        cards=(*cards, *[StartCard(rows=empty)] * spare),
    )


Rows: TypeAlias = tuple[CardRow, ...]
Filler: TypeAlias = Callable[[PairingNumber, Rows], StartCard]
"""Makes the card of a number, without its head, from its empty rows."""

_BYE_KINDS: Mapping[Result, str] = {
    Result.PAIRING_ALLOCATED_BYE: Bye.Kind.PAIRING_ALLOCATED,
    Result.FULL_POINT_BYE: Bye.Kind.FULL_POINT,
    Result.HALF_POINT_BYE: Bye.Kind.HALF_POINT,
    Result.ZERO_POINT_BYE: Bye.Kind.ZERO_POINT,
    Result.ABSENT: Bye.Kind.ABSENT,
    Result.FORFEIT_LOSS: Bye.Kind.ABSENT,
    Result.FORFEIT_WIN: Bye.Kind.FORFEIT_WIN,
}


def _leave_empty(number: PairingNumber, empty: Rows) -> StartCard:
    return StartCard(number=number, rows=empty)


def _filler(tournament: Tournament, entries: Iterable[Entry], numbers: Mapping[int, PairingNumber]) -> Filler:
    """What fills the cards of an event, as far as its rounds are published."""
    published = list(tournament.rounds.published().order_by("number"))
    last = published[-1].number if published else 0
    snapshot = snapshot_before(tournament, last + 1)
    cards = {card.tpn: card for card in snapshot.cards}
    names = {numbers[entry.pk]: entry.name for entry in entries}
    floats = {contender.tpn: contender.floats for contender in accelerated_field(snapshot)}
    values = jahr_values(snapshot) if tournament.ever_by_jahr else {}
    open_rows = _open_rows(published[-1], numbers, names, values) if published else {}
    results = _results(tournament, values) if _is_over(tournament, published) else {}
    worth = snapshot.points

    def fill(number: PairingNumber, empty: Rows) -> StartCard:
        rounds = values[number].rounds if values else (None,) * last
        rows = list(_played_rows(cards[number], floats[number], rounds, names, worth))
        if number in open_rows:
            rows[-1] = open_rows[number]
        return StartCard(number=number, rows=(*rows, *empty[last:]), result=results.get(number))

    return fill


def _played_rows(
    card: PairingCard,
    floats: Iterable[Float | None],
    jahr: Iterable[JahrRound | None],
    names: Mapping[PairingNumber, str],
    worth: PointSystem,
) -> Iterable[CardRow]:
    points = 0
    colours: list[Colour] = []
    for number, (record, mark, of_jahr) in enumerate(zip(card.records, floats, jahr, strict=True), start=1):
        points += worth.of(record.result)
        if record.is_played and record.colour is not None:
            colours.append(record.colour)
        yield CardRow(
            number=number,
            colour=record.colour if record.is_played else None,
            opponent=record.opponent,
            opponent_name=names[record.opponent] if record.opponent is not None else "",
            bye_kind="" if record.opponent is not None else _BYE_KINDS[record.result],
            float_mark=mark,
            symbol=unplayed_symbol(record.result, worth),
            points=points,
            due=colour_preference(colours),
            jahr=_boxes(of_jahr),
        )


def _open_rows(
    latest: Round,
    numbers: Mapping[int, PairingNumber],
    names: Mapping[PairingNumber, str],
    values: Mapping[PairingNumber, JahrValues],
) -> dict[PairingNumber, CardRow]:
    """The latest round of those still playing: all that is known when the game begins (article 3)."""
    rows = {}
    for white, black in latest.games.filter(result=Game.Result.PENDING).values_list("white_id", "black_id"):
        scores = [latest.scores.get(str(entry)) for entry in (white, black)]
        for (own, own_score), (other, other_score), colour in (
            ((white, scores[0]), (black, scores[1]), Colour.WHITE),
            ((black, scores[1]), (white, scores[0]), Colour.BLACK),
        ):
            opponent = numbers[other]
            rows[numbers[own]] = CardRow(
                number=latest.number,
                colour=colour,
                opponent=opponent,
                opponent_name=names[opponent],
                float_mark=_float(own_score, other_score),
                jahr=_boxes_of_open_game(values[opponent], latest.number) if values else None,
            )
    return rows


def _float(own: HalfPoints | None, theirs: HalfPoints | None) -> Float | None:
    if own is None or theirs is None or own == theirs:
        return None
    return Float.DOWN if own > theirs else Float.UP


def _boxes(row: JahrRound | None) -> CardBoxes | None:
    if row is None:
        return None
    return CardBoxes(counted=row.counted, tenth=row.tenth, auxiliary=row.auxiliary, total=row.total)


def _boxes_of_open_game(opponent: JahrValues, number: int) -> CardBoxes:
    """The opponent's total when the game begins, and its tenth (articles 2 and 3)."""
    counted = opponent.rounds[number - 2].total if number > 1 else 0
    return CardBoxes(counted=counted, tenth=tenth(counted))


def _is_over(tournament: Tournament, published: list[Round]) -> bool:
    finished = [each for each in published if each.state == Round.State.FINISHED]
    return len(finished) == tournament.rounds_announced


def _results(tournament: Tournament, values: Mapping[PairingNumber, JahrValues]) -> dict[PairingNumber, CardResult]:
    rows = {row.entry.tpn: row for row in standings(tournament).rows if row.entry.tpn is not None}
    return {number: _result(row, values.get(number)) for number, row in rows.items()}


def _result(row: StandingRow, values: JahrValues | None) -> CardResult:
    return CardResult(
        place=row.place,
        points=int(row.points * 2),
        total=values.total if values else None,
        exact=values.exact_hundredths if values else None,
    )


def _kept_apart(
    tournament: Tournament, numbers: Mapping[int, PairingNumber]
) -> dict[PairingNumber, tuple[PairingNumber, ...]]:
    """For every number named in a rule, the numbers he must not be paired with, in their order."""
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
        not_with=not_with,
    )
