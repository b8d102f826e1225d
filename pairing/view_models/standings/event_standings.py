"""A cache of tables in this process, valid until their event changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby
from threading import Lock
from typing import Generic, Protocol, TypeVar

from django.db import connection
from django.db.models import Max
from django.utils.formats import localize
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.standings import (
    DEFAULT_TIE_BREAKS_BY_SYSTEM,
    PlayerStanding,
    Ranking,
    TieBreakEdition,
    UnknownTieBreak,
)
from pairing.engine.systems.keizer import season_from_round
from pairing.explanations.reason_sentences import points_text
from tournaments.audit_log.recorder import log_position
from tournaments.entries.pairing_numbers import numbers_in_round
from tournaments.import_export.snapshots import snapshot_from_entries
from tournaments.models import Entry, Game, PairingSystem, Tournament
from tournaments.problems import ArbiterProblem

MAX_CACHED_ROWS = 12_000
"""Most rows cached together (about 60 MB); a longer table is cached alone."""


class CacheableTable(Protocol):
    @property
    def rows(self) -> tuple[object, ...]: ...


TableT = TypeVar("TableT", bound=CacheableTable)


class TableCache(Generic[TableT]):
    """The most recently used tables, each with the state it was made from."""

    def __init__(self) -> None:
        self._tables: OrderedDict[Hashable, tuple[Hashable, TableT]] = OrderedDict()
        self._lock = Lock()

    def clear_tables(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._tables.clear()

    def get_or_build_table(self, name: Hashable, state: Hashable, make: Callable[[], TableT]) -> TableT:
        """Return the table with this name and state, making it if needed. A table in another state is replaced.

        Read `state` before anything that `make` reads. Nothing is cached inside a transaction, which may be rolled
        back.
        """
        if connection.in_atomic_block:
            return make()
        with self._lock:
            known, table = self._tables.get(name, (None, None))
            if table is not None and known == state:
                self._tables.move_to_end(name)
                return table
        made = make()
        with self._lock:
            self._tables[name] = state, made
            self._tables.move_to_end(name)
            while (
                len(self._tables) > 1
                and sum(len(table.rows) for _state, table in self._tables.values()) > MAX_CACHED_ROWS
            ):
                self._tables.popitem(last=False)
        return made


LOT_CODE = "LOT"
"""The tie-break that decides by the lots drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One player's place. `values` match the columns of the standings, with fixed decimals.

    A missing value is a dash. `overall_place` is the place in the whole table if the row is in a part of it, otherwise
    None.
    """

    place: int
    entry: Entry
    points: Decimal
    values: tuple[Decimal | str, ...]
    overall_place: int | None = None
    is_ranked_by_total: bool = False
    """True in a Keizer season, whose first value is the total."""

    @property
    def is_ranked(self) -> bool:
        """Return False for a player who has left a Keizer season, and so has no total."""
        return not self.is_ranked_by_total or self.values[0] != "–"

    @property
    def points_text(self) -> str:
        return points_text(int(self.points * 2))

    @property
    def score_text(self) -> str:
        """What the player is ranked by: their points, or in a Keizer season their total."""
        return localize(self.values[0]) if self.is_ranked_by_total else self.points_text


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStandings:
    """The table after a round (0: before the first).

    `columns` are the tie-breaks by code, including Jahr's `T` and `E`. Points come before the columns; in Jahr's method
    they are the game points G. `ranking` can show the working of every value, by number. `pairing_numbers` are the
    numbers by entry key. Lots have a column if they decide a place. `groups_sharing_a_place` starts from the top.
    `first_round` is later than 1 in a table of a part of a Keizer season, as if it had begun with that round.
    """

    tournament: Tournament
    after_round: int
    columns: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    ranking: Ranking
    pairing_numbers: Mapping[int, PairingNumber]
    first_round: int = 1

    @property
    def groups_sharing_a_place(self) -> tuple[tuple[StandingsRow, ...], ...]:
        groups = (tuple(rows) for _place, rows in groupby(self.rows, key=lambda row: row.place))
        return tuple(group for group in groups if len(group) > 1)


def get_event_standings(
    tournament: Tournament, after_round: int | None = None, *, first_round: int = 1
) -> EventStandings:
    """Return the table after a round by the event's own system, by default after the latest published round.

    Open boards count as nothing. Absent and withdrawn players are included. `first_round` gives the table of the rounds
    from it on, in a Keizer season alone (see `parts_of_season`). Takes a constant number of queries; cached until the
    event's log changes. Raises ArbiterProblem if a tie-break is unknown.
    """
    if after_round is None:
        after_round = tournament.rounds.only_published().aggregate(last=Max("number"))["last"] or 0
    edition, codes = tie_break_edition_of_event(tournament), tuple(tie_breaks_of_event(tournament, after_round))
    settings = tournament.pairing_method_of_round(after_round), tournament.rounds_announced, edition, codes
    table = _kept.get_or_build_table(
        (tournament.pk, after_round, first_round),
        (log_position(tournament), settings),
        lambda: _made(tournament, after_round, codes, edition, first_round),
    )
    return replace(table, tournament=tournament)


def parts_of_season(tournament: Tournament, after_round: int) -> range:
    """Return the rounds at which a table for part of a Keizer season can begin. Empty for other systems."""
    is_keizer = tournament.pairing_method_of_round(after_round).system == PairingSystem.KEIZER
    return range(1, after_round + 1) if is_keizer and after_round > 1 else range(0)


def last_round_with_result(tournament: Tournament) -> int:
    """Return the latest published round with a result, 0 if there is none.

    Before the first result of a round, its byes alone would change the table and put players with a bye on top.
    """
    known = Game.objects.filter(round__in=tournament.rounds.only_published()).exclude(result=Game.Result.PENDING)
    last: int | None = known.aggregate(last=Max("round__number"))["last"]
    return last or 0


def tie_breaks_of_event(tournament: Tournament, after_round: int | None = None) -> Sequence[str]:
    """Return the event's tie-breaks, or its system's defaults. `after_round` selects an earlier system."""
    system = tournament.system if after_round is None else tournament.pairing_method_of_round(after_round).system
    usual = DEFAULT_TIE_BREAKS_BY_SYSTEM.get(system, ())
    return usual if system == PairingSystem.KEIZER else tournament.tie_breaks or usual


def has_lot_tie_break(tournament: Tournament) -> bool:
    """Return True if the event breaks remaining ties by lot."""
    return LOT_CODE in tie_breaks_of_event(tournament)


def tie_break_edition_of_event(tournament: Tournament) -> TieBreakEdition:
    """Return the edition of FIDE's tie-break regulations in force when the event began."""
    return TieBreakEdition.edition_for_date(tournament.starts_on.isoformat() if tournament.starts_on else "")


_kept: TableCache[EventStandings] = TableCache()


def _made(
    tournament: Tournament, after_round: int, codes: Sequence[str], edition: TieBreakEdition, first_round: int
) -> EventStandings:
    all_entries = list(tournament.entries.all())
    # A table is ranked by the system of its own round; the next round may have another.
    by = tournament.pairing_method_of_round(after_round)
    snapshot = replace(
        snapshot_from_entries(tournament, all_entries, after_round + 1),
        system=by.system,
        procedure=by.procedure or None,
    )
    if first_round > 1:
        snapshot = season_from_round(snapshot, first_round)
    numbers = numbers_in_round(tournament, all_entries, after_round + 1).by_entry
    lots = {numbers[entry.pk]: entry.lot for entry in all_entries if entry.lot is not None}
    try:
        ranking = _ranking(snapshot, codes, edition, lots)
    except UnknownTieBreak as error:
        raise ArbiterProblem(_unknown_tie_break(error.code)) from error
    entries = {numbers[entry.pk]: entry for entry in all_entries}
    return EventStandings(
        tournament=tournament,
        after_round=after_round,
        columns=tuple(map(str, ranking.codes)),
        rows=tuple(_row(standing, entries[standing.tpn], codes) for standing in ranking.standings),
        ranking=ranking,
        pairing_numbers=numbers,
        first_round=first_round,
    )


_unknown_tie_break = lazy(lambda code: _("Clubnight doesn't know the tie-break %(code)s.") % {"code": code}, str)


def _ranking(
    snapshot: TournamentSnapshot, codes: Sequence[str], edition: TieBreakEdition, lots: Mapping[PairingNumber, int]
) -> Ranking:
    """Return the ranking with lots, or without their column if they decide nothing."""
    if lots and LOT_CODE in codes:
        ranking = Ranking(snapshot, codes, edition=edition, lots=lots)
        place = [str(code) for code in ranking.codes].index(LOT_CODE)
        if any(standing.values[place].number is not None for standing in ranking.standings):
            return ranking
    return Ranking(snapshot, [code for code in codes if code != LOT_CODE], edition=edition)


def _row(standing: PlayerStanding, entry: Entry, codes: Sequence[str]) -> StandingsRow:
    """Return a row. In a Keizer season its points are those of the games over the board."""
    values = tuple("–" if value.number is None else Decimal(value.display_text) for value in standing.values)
    is_keizer = "KP" in codes
    points = Decimal(values[codes.index("KP")]) if is_keizer else Decimal(standing.points) / 2
    return StandingsRow(
        place=standing.rank,
        entry=entry,
        points=points.quantize(Decimal("0.1")),
        is_ranked_by_total=is_keizer,
        values=values,
    )


def clear_standings_cache() -> None:
    """Clear this process's cache of standings."""
    _kept.clear_tables()
