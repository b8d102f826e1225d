"""Standings of an event: one record for the page and the paper alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from django.db.models import Max
from django.utils.translation import gettext as _

from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.standings import TIE_BREAKS_OF_SYSTEM, Edition, Ranking, Standing, UnknownTieBreak
from pairing.explanations.explanations import points_text
from pairing.view_models.standings.kept import KeptTables
from tournaments.audit_log.lines import state_of
from tournaments.entries.entering import numbers_of
from tournaments.import_export.snapshots import snapshot_of
from tournaments.models import Entry, Game, Tournament
from tournaments.problems import ArbiterProblem

LOT = "LOT"
"""The tie-break that decides by the lots drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One player's place. `values` go with the columns of the Standings, each with its decimals already fixed.

    A value that there is not is a dash. `among_all` is the place in the whole table where the row stands in a part
    of it, and None in the whole table.
    """

    place: int
    entry: Entry
    points: Decimal
    values: tuple[Decimal | str, ...]
    among_all: int | None = None

    @property
    def points_text(self) -> str:
        return points_text(int(self.points * 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The table after a round (0: before the first). `columns` are tie-breaks by code, Jahr's `T` and `E` among them.

    Points come before the columns; in Jahr's method they are its game points G. `ranking` can show the working of
    every value, by the numbers in `numbers` (of every entry, by key). Lots stand in a column of their own where they
    decide something; `tied` are the groups who share a place, from the top.
    """

    tournament: Tournament
    after_round: int
    columns: tuple[str, ...]
    rows: tuple[StandingRow, ...]
    ranking: Ranking
    numbers: Mapping[int, PairingNumber]

    @property
    def tied(self) -> tuple[tuple[StandingRow, ...], ...]:
        groups = (tuple(rows) for _place, rows in groupby(self.rows, key=lambda row: row.place))
        return tuple(group for group in groups if len(group) > 1)


def standings(tournament: Tournament, after_round: int | None = None) -> Standings:
    """The table after a round, by the event's own system; default: after the latest round with a published pairing.

    Open boards count as nothing yet. All entries stand in it, absent and withdrawn ones too; a constant number of
    queries. Kept until the next line of the event's log. Raises ArbiterProblem for a tie-break that is not known.
    """
    if after_round is None:
        after_round = tournament.rounds.published().aggregate(last=Max("number"))["last"] or 0
    edition, codes = edition_of(tournament), tuple(tie_breaks_of(tournament, after_round))
    settings = tournament.paired_by(after_round), tournament.rounds_announced, edition, codes
    table = _kept.get(
        (tournament.pk, after_round),
        (state_of(tournament), settings),
        lambda: _made(tournament, after_round, codes, edition),
    )
    return replace(table, tournament=tournament)


def last_played(tournament: Tournament) -> int:
    """The latest published round of which a result is known, 0 for none: what a table for the wall counts up to.

    Before the first result of a round its table has nothing new but byes, and who rests would lead it.
    """
    known = Game.objects.filter(round__in=tournament.rounds.published()).exclude(result=Game.Result.PENDING)
    last: int | None = known.aggregate(last=Max("round__number"))["last"]
    return last or 0


def tie_breaks_of(tournament: Tournament, after_round: int | None = None) -> Sequence[str]:
    """The event's own list, or what the document of the system of that round breaks ties by (None: the present one)."""
    system = tournament.system if after_round is None else tournament.paired_by(after_round).system
    return tournament.tie_breaks or TIE_BREAKS_OF_SYSTEM.get(system, ())


def breaks_ties_by_lot(tournament: Tournament) -> bool:
    """Whether a lot is to be drawn where nothing else tells two places apart."""
    return LOT in tie_breaks_of(tournament)


def edition_of(tournament: Tournament) -> Edition:
    """The edition of FIDE's tie-break regulations in force when the event began."""
    return Edition.on(tournament.starts_on.isoformat() if tournament.starts_on else "")


_kept: KeptTables[Standings] = KeptTables()


def _made(tournament: Tournament, after_round: int, codes: Sequence[str], edition: Edition) -> Standings:
    all_entries = list(tournament.entries.all())
    # A table is ranked by the system of its own round, whatever pairs the next.
    by = tournament.paired_by(after_round)
    snapshot = replace(
        snapshot_of(tournament, all_entries, after_round + 1), system=by.system, procedure=by.procedure or None
    )
    numbers = numbers_of(all_entries)
    lots = {numbers[entry.pk]: entry.lot for entry in all_entries if entry.lot is not None}
    try:
        ranking = _ranking(snapshot, codes, edition, lots)
    except UnknownTieBreak as error:
        raise ArbiterProblem(_("The tie-break %(code)s is not known.") % {"code": error.code}) from error
    entries = {numbers[entry.pk]: entry for entry in all_entries}
    return Standings(
        tournament=tournament,
        after_round=after_round,
        columns=tuple(map(str, ranking.codes)),
        rows=tuple(_row(standing, entries[standing.tpn]) for standing in ranking.standings),
        ranking=ranking,
        numbers=numbers,
    )


def _ranking(
    snapshot: TournamentSnapshot, codes: Sequence[str], edition: Edition, lots: Mapping[PairingNumber, int]
) -> Ranking:
    """The table with its lots, or without their column where they have nothing to decide."""
    if lots and LOT in codes:
        ranking = Ranking(snapshot, codes, edition=edition, lots=lots)
        place = [str(code) for code in ranking.codes].index(LOT)
        if any(standing.values[place].number is not None for standing in ranking.standings):
            return ranking
    return Ranking(snapshot, [code for code in codes if code != LOT], edition=edition)


def _row(standing: Standing, entry: Entry) -> StandingRow:
    return StandingRow(
        place=standing.rank,
        entry=entry,
        points=(Decimal(standing.points) / 2).quantize(Decimal("0.1")),
        values=tuple("–" if value.number is None else Decimal(value.text) for value in standing.values),
    )


def forget_all_tables() -> None:
    """Forget what this process keeps."""
    _kept.clear()
