"""A player's event so far: performance, rating change, Jahr's total, and possible next opponents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.formats import number_format

from clubs.rating.calculation.performance import EventPerformance, calculate_performance
from pairing.engine.acceleration import fictitious_points
from pairing.engine.rules.players import PairingPlayer, have_met, players_from_snapshot
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems.jahr import jahr_order
from pairing.explanations.reason_sentences import points_text
from pairing.view_models.diagrams.opponent_ratings_chart import OpponentRatingsChart, opponent_ratings_chart
from pairing.view_models.diagrams.place_chart import PlaceChart, place_chart
from pairing.view_models.sheets.player_sheet import PlayerSheet, player_sheet
from tournaments.club_ratings.rating_history import GameRatingChange, member_rating_months
from tournaments.entries.pairing_numbers import numbers_in_round
from tournaments.import_export.snapshots import is_entered_in_round, snapshot_from_entries
from tournaments.models import Entry, PairingSystem, Tournament
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMonth:
    """The rating change of this event's games in one month, in hundredths. None if no K applies.

    `before` is the player's own rating in the club's list used for the calculation.
    """

    month: date
    before: int | None
    factor: int | None
    games: tuple[GameRatingChange, ...]

    @property
    def rating_change(self) -> int | None:
        changes = [game.change for game in self.games if game.change is not None]
        return sum(changes) if changes else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroupPlayer:
    """A player in the score group, in the order that the rules give."""

    entry: Entry
    have_met: bool
    is_self: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NextScoreGroup:
    """Possible opponents in round `number`: the player's score group, once all earlier results are in."""

    number: int
    points: str
    neighbours: tuple[ScoreGroupPlayer, ...]

    @property
    def has_no_opponents_left(self) -> bool:
        """True if the player has met everybody in the group."""
        return all(each.have_met or each.is_self for each in self.neighbours)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerHistory:
    """A player's event history. `total` is Jahr's total as a sum: `1 + 0.05 + 0.10 = 1.15`, or empty."""

    card: PlayerSheet
    places: PlaceChart | None
    path: OpponentRatingsChart | None
    performance: EventPerformance | None
    rated: tuple[RatedMonth, ...]
    total: str
    next_group: NextScoreGroup | None


def player_history(entry: Entry, *, sees_ratings: bool) -> PlayerHistory:
    """Build a player's history from the published rounds. `entry.tournament` has its club."""
    tournament = entry.tournament
    card = player_sheet(entry)
    try:
        places = place_chart(tournament, entry, [row.number for row in card.rounds])
    except ArbiterProblem:
        # Unknown tie-break: the standings page shows the error.
        places = None
    return PlayerHistory(
        card=card,
        places=places,
        path=opponent_ratings_chart(card),
        performance=_performance(card),
        rated=_rated(entry) if sees_ratings else (),
        total=_added_up(card),
        next_group=_next_group(entry, card),
    )


def _performance(card: PlayerSheet) -> EventPerformance | None:
    rated = [
        (row.opponent.rating, row) for row in card.rounds if row.is_played and row.opponent and row.opponent.rating
    ]
    before = {row.number: previous.points for previous, row in zip(card.rounds, card.rounds[1:], strict=False)}
    return calculate_performance(
        [rating for rating, _row in rated], sum(row.points - before.get(row.number, 0) for _, row in rated)
    )


def _rated(entry: Entry) -> tuple[RatedMonth, ...]:
    """Return the club rating changes from this event, the earliest month first."""
    if entry.member is None or not entry.tournament.rated_as:
        return ()
    found = []
    for month in reversed(member_rating_months(entry.member, entry.tournament.rated_as)):
        games = tuple(game for game in month.games if game.game.round.tournament_id == entry.tournament_id)
        if games:
            found.append(
                RatedMonth(month=month.row.month, before=month.row.before, factor=month.row.factor, games=games)
            )
    return tuple(found)


def _added_up(card: PlayerSheet) -> str:
    """Return Jahr's total as a sum: the points of the games and every tenth."""
    boxes = [row.jahr for row in card.rounds if row.jahr is not None]
    tenths = [box.tenth for box in boxes if box.tenth is not None]
    if not tenths:
        return ""
    written = [points_text(_game_points(card)), *(number_format(tenth, 2) for tenth in tenths)]
    return f"{' + '.join(written)} = {number_format(boxes[-1].total, 2)}"


def _game_points(card: PlayerSheet) -> int:
    """Return the points after the last round in Jahr's boxes. An open board has no points yet."""
    return next(row.points for row in reversed(card.rounds) if row.jahr is not None)


def _next_group(entry: Entry, card: PlayerSheet) -> NextScoreGroup | None:
    """Return the next score group. None before round 1, after the last round, with open results, or if withdrawn."""
    tournament = entry.tournament
    latest = card.rounds[-1].number if card.rounds else 0
    if tournament.system == PairingSystem.KEIZER:
        # There are no score groups, and who plays depends on who comes.
        return None
    if not 0 < latest < tournament.rounds_announced or _is_open(tournament, latest):
        return None
    entries = list(tournament.entries.all())
    numbers = numbers_in_round(tournament, entries, latest + 1).by_entry
    by_number = {numbers[each.pk]: each for each in entries if is_entered_in_round(each, latest + 1)}
    field = {each.tpn: each for each in _field(snapshot_from_entries(tournament, entries, latest + 1))}
    own = field.get(numbers.get(entry.pk, 0))
    if own is None or own.tpn not in by_number:
        return None
    group = [each for each in field.values() if each.pairing_score == own.pairing_score and each.tpn in by_number]
    return NextScoreGroup(
        number=latest + 1,
        points=points_text(own.pairing_score),
        neighbours=tuple(
            ScoreGroupPlayer(entry=by_number[each.tpn], have_met=have_met(own, each), is_self=each.tpn == own.tpn)
            for each in group
        ),
    )


def _field(snapshot: TournamentSnapshot) -> tuple[PairingPlayer, ...]:
    """Return the players in the order of the rules. Requested byes and forbidden pairs stay private."""
    numbers = jahr_order(snapshot).positions if snapshot.system == PairingSystem.JAHR else None
    return players_from_snapshot(snapshot, numbers=numbers, fictitious=fictitious_points(snapshot))


def _is_open(tournament: Tournament, number: int) -> bool:
    """Return True if a result of the round is missing."""
    return tournament.rounds.filter(number=number, games__result="").exists()
