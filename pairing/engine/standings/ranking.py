"""Ranking: points, then any list of tie-breaks, each among those still tied (FIDE Handbook C.07, article 4.2).

A Keizer season has a ranking of its own, which no tie-break changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber, Result, TournamentSnapshot
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.inputs import StandingsInputs
from pairing.engine.standings.keizer_totals import keizer_order
from pairing.engine.standings.tie_break_codes import TieBreakCode, TieBreakEdition
from pairing.engine.standings.tie_break_columns import TieBreakColumn, TieBreakValue, TieBreakWorkingRow
from pairing.engine.standings.tie_break_registry import TIE_BREAKS, check_tie_breaks_for_points, parse_tie_breaks
from pairing.engine.systems.round_robin import without_annulled_games


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStanding:
    """A player's place in the table, with one value for each tie-break requested."""

    rank: int
    tpn: PairingNumber
    points: HalfPoints
    values: tuple[TieBreakValue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakWorking:
    """How a value was calculated: the article, and the rounds (or tied opponents) that make it up.

    `rows` is empty if the value is part of the starting list or was drawn. `edition` is that of C.07.
    """

    code: TieBreakCode
    article: str
    edition: TieBreakEdition
    tpn: PairingNumber
    value: TieBreakValue
    rows: tuple[TieBreakWorkingRow, ...]


class Ranking:
    """A table after the rounds in a snapshot. It can show how its values were calculated.

    `tie_breaks` are codes in their order; points always come first. `lots` are the places drawn by lot (1 the best),
    for the code LOT. Raises UnknownTieBreak if there is no such code. Raises TieBreaksNeedStandardPoints if a tie-break
    does not support the event's points.
    """

    def __init__(
        self,
        snapshot: TournamentSnapshot,
        tie_breaks: Iterable[str],
        *,
        edition: TieBreakEdition = TieBreakEdition.MARCH_2026,
        lots: Mapping[PairingNumber, int] | None = None,
    ) -> None:
        self.codes = check_tie_breaks_for_points(tie_breaks, snapshot.points)
        if snapshot.system == "round-robin":
            snapshot = without_annulled_games(snapshot)
        self._facts = StandingsInputs(snapshot, edition=edition, lots=lots)
        self._columns: list[TieBreakColumn] = []
        is_keizer = snapshot.system == "keizer"
        self._groups = keizer_order(self._facts) if is_keizer else _by_points(self._facts.points_by_player)
        for code in self.codes:
            column = TIE_BREAKS[code.name].compute_column(self._facts, code, self._groups)
            self._columns.append(column)
            self._groups = _split(self._groups, column)

    @property
    def snapshot(self) -> TournamentSnapshot:
        """The event that is ranked."""
        return self._facts.snapshot

    @cached_property
    def standings(self) -> tuple[PlayerStanding, ...]:
        """Everyone on the starting list, including absent players, from the top.

        Players who are still tied share a rank and are listed by their TPN. In Jahr's method the TPN decides, so there
        are no shared ranks.
        """
        shares = self._facts.snapshot.system != "jahr"
        standings: list[PlayerStanding] = []
        for group in self._groups:
            shared = len(standings) + 1
            for tpn in group:
                standings.append(
                    PlayerStanding(
                        rank=shared if shares else len(standings) + 1,
                        tpn=tpn,
                        points=self._facts.points_by_player[tpn],
                        values=tuple(column.values[tpn] for column in self._columns),
                    )
                )
        return tuple(standings)

    def has_played(self, tpn: PairingNumber) -> bool:
        """Return True if the player has played at least one game."""
        return any(outcome.is_played for outcome in self._facts.outcomes_by_player[tpn])

    def explain_value(self, place: int, tpn: PairingNumber) -> TieBreakWorking:
        """Return how the player's value was calculated for the tie-break at that place in the list (from 0)."""
        code, column = self.codes[place], self._columns[place]
        return TieBreakWorking(
            code=code,
            article=TIE_BREAKS[code.name].article,
            edition=self._facts.edition_for_code(code),
            tpn=tpn,
            value=column.values[tpn],
            rows=column.working_rows(tpn),
        )


def rank_players(
    snapshot: TournamentSnapshot,
    tie_breaks: Iterable[str],
    *,
    edition: TieBreakEdition = TieBreakEdition.MARCH_2026,
    lots: Mapping[PairingNumber, int] | None = None,
) -> tuple[PlayerStanding, ...]:
    """Return just the standings of a Ranking."""
    return Ranking(snapshot, tie_breaks, edition=edition, lots=lots).standings


def explain_tie_break_value(
    snapshot: TournamentSnapshot,
    tie_breaks: Sequence[str],
    *,
    code: str,
    tpn: PairingNumber,
    edition: TieBreakEdition = TieBreakEdition.MARCH_2026,
    lots: Mapping[PairingNumber, int] | None = None,
) -> TieBreakWorking:
    """Return how one value was calculated. `code` is in `tie_breaks`, whose order decides who is still tied."""
    ranking = Ranking(snapshot, tie_breaks, edition=edition, lots=lots)
    return ranking.explain_value(ranking.codes.index(parse_tie_breaks([code])[0]), tpn)


def _by_points(points: Mapping[PairingNumber, HalfPoints]) -> TiedGroups:
    order = sorted(points, key=lambda tpn: (-points[tpn], tpn))
    return [tuple(group) for _, group in groupby(order, key=lambda tpn: points[tpn])]


def _split(groups: TiedGroups, column: TieBreakColumn) -> TiedGroups:
    """Split every group by the column's values, the better first. Tied players keep their order."""
    split: list[Sequence[PairingNumber]] = []
    for group in groups:
        if len(group) == 1:
            split.append(group)
            continue
        order = sorted(group, key=lambda tpn: column.values[tpn].key, reverse=True)
        split += [tuple(tied) for _, tied in groupby(order, key=lambda tpn: column.values[tpn].key)]
    return split


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStanding:
    """A club's place. `players` are the counted players, the best first, with the totals `points` and `rank_sum`."""

    place: int
    club: str
    points: HalfPoints
    rank_sum: int
    players: tuple[PairingNumber, ...]


def rank_clubs(
    standings: Sequence[PlayerStanding], clubs: Mapping[PairingNumber, str], *, counted: int
) -> tuple[ClubStanding, ...]:
    """Rank clubs with at least `counted` players by the points of their best `counted` players.

    With equal points the smaller sum of ranks decides, then the better first player; clubs still equal share the place.
    Players without a club (an empty name) count for none.
    """
    players: dict[str, list[PlayerStanding]] = defaultdict(list)
    for standing in standings:
        if club := clubs.get(standing.tpn, ""):
            players[club].append(standing)
    teams = {club: of_club[:counted] for club, of_club in players.items() if len(of_club) >= counted}
    keys = {
        club: (-sum(each.points for each in team), sum(each.rank for each in team), team[0].rank)
        for club, team in teams.items()
    }
    order = sorted(teams, key=lambda club: (keys[club], club))
    sums: list[ClubStanding] = []
    for key, tied in groupby(order, key=keys.__getitem__):
        place = len(sums) + 1
        for club in tied:
            numbers = tuple(each.tpn for each in teams[club])
            sums.append(ClubStanding(place=place, club=club, points=-key[0], rank_sum=key[1], players=numbers))
    return tuple(sums)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosstableCell:
    """A player's round. `opponent_line` is the opponent's line in this table, from 1, or None."""

    opponent: PairingNumber | None
    opponent_line: int | None
    colour: Colour | None
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosstableRow:
    """A player's line in the crosstable."""

    line: int
    standing: PlayerStanding
    cells: tuple[CrosstableCell, ...]


def build_crosstable(snapshot: TournamentSnapshot, standings: Sequence[PlayerStanding]) -> tuple[CrosstableRow, ...]:
    """Return a line for every standing. Opponents are given by their lines, which are never shared, unlike ranks."""
    lines = {standing.tpn: line for line, standing in enumerate(standings, start=1)}
    cards = {card.tpn: card for card in snapshot.cards}
    return tuple(
        CrosstableRow(
            line=lines[standing.tpn],
            standing=standing,
            cells=tuple(
                CrosstableCell(
                    opponent=record.opponent,
                    opponent_line=None if record.opponent is None else lines.get(record.opponent),
                    colour=record.colour,
                    result=record.result,
                )
                for record in cards[standing.tpn].records
            ),
        )
        for standing in standings
    )
