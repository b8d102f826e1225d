"""Standings of an event: one record for the page and the paper alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from django.db.models import Max
from django.utils.translation import gettext as _

from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.standings import (
    DEFAULT_TIE_BREAKS_BY_SYSTEM,
    PlayerStanding,
    Ranking,
    TieBreakEdition,
    UnknownTieBreak,
)
from pairing.explanations.reason_sentences import points_text
from pairing.view_models.standings.table_cache import TableCache
from tournaments.audit_log.recorder import log_position
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.import_export.snapshots import snapshot_from_entries
from tournaments.models import Entry, Game, Tournament
from tournaments.problems import ArbiterProblem

LOT_CODE = "LOT"
"""The tie-break that decides by the lots drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One player's place. `values` go with the columns of the Standings, each with its decimals already fixed.

    A value that there is not is a dash. `overall_place` is the place in the whole table where the row stands in a part
    of it, and None in the whole table.
    """

    place: int
    entry: Entry
    points: Decimal
    values: tuple[Decimal | str, ...]
    overall_place: int | None = None

    @property
    def points_text(self) -> str:
        return points_text(int(self.points * 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStandings:
    """The table after a round (0: before the first). `columns` are tie-breaks by code, Jahr's `T` and `E` among them.

    Points come before the columns; in Jahr's method they are its game points G. `ranking` can show the working of
    every value, by the numbers in `numbers` (of every entry, by key). Lots stand in a column of their own where they
    decide something; `groups_sharing_a_place` are the groups who share a place, from the top.
    """

    tournament: Tournament
    after_round: int
    columns: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    ranking: Ranking
    pairing_numbers: Mapping[int, PairingNumber]

    @property
    def groups_sharing_a_place(self) -> tuple[tuple[StandingsRow, ...], ...]:
        groups = (tuple(rows) for _place, rows in groupby(self.rows, key=lambda row: row.place))
        return tuple(group for group in groups if len(group) > 1)


def get_event_standings(tournament: Tournament, after_round: int | None = None) -> EventStandings:
    """The table after a round, by the event's own system; default: after the latest round with a published pairing.

    Open boards count as nothing yet. All entries stand in it, absent and withdrawn ones too; a constant number of
    queries. Kept until the next line of the event's log. Raises ArbiterProblem for a tie-break that is not known.
    """
    if after_round is None:
        after_round = tournament.rounds.only_published().aggregate(last=Max("number"))["last"] or 0
    edition, codes = tie_break_edition_of_event(tournament), tuple(tie_breaks_of_event(tournament, after_round))
    settings = tournament.pairing_method_of_round(after_round), tournament.rounds_announced, edition, codes
    table = _kept.get_or_make_table(
        (tournament.pk, after_round),
        (log_position(tournament), settings),
        lambda: _made(tournament, after_round, codes, edition),
    )
    return replace(table, tournament=tournament)


def last_round_with_result(tournament: Tournament) -> int:
    """The latest published round of which a result is known, 0 for none: what a table for the wall counts up to.

    Before the first result of a round its table has nothing new but byes, and who rests would lead it.
    """
    known = Game.objects.filter(round__in=tournament.rounds.only_published()).exclude(result=Game.Result.PENDING)
    last: int | None = known.aggregate(last=Max("round__number"))["last"]
    return last or 0


def tie_breaks_of_event(tournament: Tournament, after_round: int | None = None) -> Sequence[str]:
    """The event's own list, or what the document of the system of that round breaks ties by (None: the present one)."""
    system = tournament.system if after_round is None else tournament.pairing_method_of_round(after_round).system
    return tournament.tie_breaks or DEFAULT_TIE_BREAKS_BY_SYSTEM.get(system, ())


def has_lot_tie_break(tournament: Tournament) -> bool:
    """Whether a lot is to be drawn where nothing else tells two places apart."""
    return LOT_CODE in tie_breaks_of_event(tournament)


def tie_break_edition_of_event(tournament: Tournament) -> TieBreakEdition:
    """The edition of FIDE's tie-break regulations in force when the event began."""
    return TieBreakEdition.in_force_on_date(tournament.starts_on.isoformat() if tournament.starts_on else "")


_kept: TableCache[EventStandings] = TableCache()


def _made(tournament: Tournament, after_round: int, codes: Sequence[str], edition: TieBreakEdition) -> EventStandings:
    all_entries = list(tournament.entries.all())
    # A table is ranked by the system of its own round, whatever pairs the next.
    by = tournament.pairing_method_of_round(after_round)
    snapshot = replace(
        snapshot_from_entries(tournament, all_entries, after_round + 1),
        system=by.system,
        procedure=by.procedure or None,
    )
    numbers = pairing_numbers_by_entry(all_entries)
    lots = {numbers[entry.pk]: entry.lot for entry in all_entries if entry.lot is not None}
    try:
        ranking = _ranking(snapshot, codes, edition, lots)
    except UnknownTieBreak as error:
        raise ArbiterProblem(_("The tie-break %(code)s is not known.") % {"code": error.code}) from error
    entries = {numbers[entry.pk]: entry for entry in all_entries}
    return EventStandings(
        tournament=tournament,
        after_round=after_round,
        columns=tuple(map(str, ranking.codes)),
        rows=tuple(_row(standing, entries[standing.tpn]) for standing in ranking.standings),
        ranking=ranking,
        pairing_numbers=numbers,
    )


def _ranking(
    snapshot: TournamentSnapshot, codes: Sequence[str], edition: TieBreakEdition, lots: Mapping[PairingNumber, int]
) -> Ranking:
    """The table with its lots, or without their column where they have nothing to decide."""
    if lots and LOT_CODE in codes:
        ranking = Ranking(snapshot, codes, edition=edition, lots=lots)
        place = [str(code) for code in ranking.codes].index(LOT_CODE)
        if any(standing.values[place].number is not None for standing in ranking.standings):
            return ranking
    return Ranking(snapshot, [code for code in codes if code != LOT_CODE], edition=edition)


def _row(standing: PlayerStanding, entry: Entry) -> StandingsRow:
    return StandingsRow(
        place=standing.rank,
        entry=entry,
        points=(Decimal(standing.points) / 2).quantize(Decimal("0.1")),
        values=tuple("–" if value.number is None else Decimal(value.display_text) for value in standing.values),
    )


def clear_standings_cache() -> None:
    """Forget what this process keeps."""
    _kept.clear_tables()
