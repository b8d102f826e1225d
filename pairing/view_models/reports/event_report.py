"""The arbiter's report of an event: games, forfeits, byes, late entries, withdrawals, corrections and decisions.

Incidents and appeals, which only the arbiter knows, are filled in by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pairing.view_models.sheets.arbiter_record import decision_of_round
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.sheets.regulations import RegulationsSheet, regulations_sheet
from pairing.view_models.sheets.standings_sheet import StandingsLine, standings_sheet
from pairing.view_models.standings.event_standings import EventStandings
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.sentences import log_line_sentence
from tournaments.club_ratings.member_norms import EventNorms, PlayerNorms, norms_in_event, norms_of_member
from tournaments.models import Bye, Entry, Game, LogEntry, Round, Tournament

_FORFEITS = (Game.Result.WHITE_WINS_FORFEIT, Game.Result.BLACK_WINS_FORFEIT, Game.Result.DOUBLE_FORFEIT)
_OPEN = (Game.Result.PENDING, Game.Result.ADJOURNED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReportRound:
    """Counts of a published round: boards, forfeits, boards without a result, and byes."""

    number: int
    starts_at: datetime | None
    boards: int
    forfeits: int
    open: int
    byes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReportForfeit:
    """A game that was not played."""

    round: int
    board: int
    white: str
    black: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReportBye:
    """A player without a game. `label` is the reason, in the language active when it was made."""

    round: int
    name: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReport:
    """An event's report, in the language active when it was made.

    `federations` have their numbers of players, largest first. `late` and `withdrawn` are names with a round.
    `corrections` and `decisions` are rounds with a sentence.
    """

    regulations: RegulationsSheet
    fide_rated: bool
    arbiter: str
    players: int
    rated: int
    titled: int
    average: int | None
    federations: tuple[tuple[str, int], ...]
    best: tuple[StandingsLine, ...]
    rounds: tuple[EventReportRound, ...]
    rounds_announced: int
    forfeits: tuple[EventReportForfeit, ...]
    byes: tuple[EventReportBye, ...]
    late: tuple[tuple[str, int], ...]
    withdrawn: tuple[tuple[str, int], ...]
    corrections: tuple[tuple[int | None, str], ...]
    decisions: tuple[tuple[int, str], ...]

    @property
    def is_over(self) -> bool:
        """Return True if all announced rounds are published and every board has a result."""
        return len(self.rounds) >= self.rounds_announced and not any(each.open for each in self.rounds)


def event_report(tournament: Tournament, table: EventStandings) -> EventReport:
    """Return an event's report. `table` is the table after the last round with a result."""
    entries = list(tournament.entries.order_by("tpn", "name"))
    rounds = list(tournament.rounds.only_published().select_related("decision").order_by("number"))
    games = list(
        Game.objects.filter(round__in=rounds).select_related("round", "white", "black").order_by("round", "board")
    )
    byes = list(Bye.objects.filter(round__in=rounds).select_related("round", "entry").order_by("round", "entry__tpn"))
    ratings = [entry.rating for entry in entries if entry.rating]
    return EventReport(
        regulations=regulations_sheet(tournament),
        fide_rated=tournament.fide_rated,
        arbiter=tournament.chief_arbiter,
        players=len(entries),
        rated=len(ratings),
        titled=sum(bool(entry.title) for entry in entries),
        average=(2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else None,
        federations=_federations(entries),
        best=standings_sheet(table, rows=table.rows[:3]).lines,
        rounds=tuple(_round(each, games, byes) for each in rounds),
        rounds_announced=tournament.rounds_announced,
        forfeits=tuple(_forfeit(game) for game in games if game.result in _FORFEITS),
        byes=tuple(
            EventReportBye(round=bye.round.number, name=bye.entry.name, label=bye.get_kind_display()) for bye in byes
        ),
        late=tuple((entry.name, entry.entered_in_round) for entry in entries if entry.entered_in_round > 1),
        withdrawn=tuple(
            (entry.name, entry.withdrawn_from_round) for entry in entries if entry.withdrawn_from_round is not None
        ),
        corrections=_corrections(tournament),
        decisions=tuple(
            (each.number, f"{decision.sentence} {decision.reason}".strip())
            for each in rounds
            if (decision := decision_of_round(each)) is not None
        ),
    )


def _federations(entries: Sequence[Entry]) -> tuple[tuple[str, int], ...]:
    counts = Counter(entry.federation for entry in entries if entry.federation)
    return tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _round(this_round: Round, games: Sequence[Game], byes: Sequence[Bye]) -> EventReportRound:
    own = [game for game in games if game.round_id == this_round.pk]
    return EventReportRound(
        number=this_round.number,
        starts_at=this_round.starts_at,
        boards=len(own),
        forfeits=sum(game.result in _FORFEITS for game in own),
        open=sum(game.result in _OPEN for game in own),
        byes=sum(bye.round_id == this_round.pk for bye in byes),
    )


def _forfeit(game: Game) -> EventReportForfeit:
    return EventReportForfeit(
        round=game.round.number,
        board=game.board,
        white=game.white.name,
        black=game.black.name,
        result=format_result(game.result),
    )


def _corrections(tournament: Tournament) -> tuple[tuple[int | None, str], ...]:
    lines = LogEntry.objects.filter(tournament=tournament, action=EventAction.RESULT_CORRECTED.value)
    return tuple(
        (line.round.number if line.round else None, log_line_sentence(line))
        for line in lines.select_related("round").order_by("pk")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NormReportPlayer:
    """A player with enough games and, for a member, their norms from the club's other events."""

    norms: PlayerNorms
    earlier_norms: tuple[EventNorms, ...]

    @property
    def has_reached_norm(self) -> bool:
        return any(not result.missing for result in self.norms.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormReport:
    """All players with enough games for a norm. Players with a norm come first."""

    club: str
    event: str
    city: str
    arbiter: str
    days: tuple[object, ...]
    rounds_announced: int
    players: tuple[NormReportPlayer, ...]


def norm_report(tournament: Tournament) -> NormReport:
    """Return the norm report of a standard chess event."""
    players = [NormReportPlayer(norms=each, earlier_norms=_before(each)) for each in norms_in_event(tournament)]
    return NormReport(
        club=tournament.club.name,
        event=tournament.name,
        city=tournament.city,
        arbiter=tournament.chief_arbiter,
        days=tuple(dict.fromkeys(day for day in (tournament.starts_on, tournament.ends_on) if day)),
        rounds_announced=tournament.rounds_announced,
        players=tuple(sorted(players, key=lambda each: not each.has_reached_norm)),
    )


def _before(norms: PlayerNorms) -> tuple[EventNorms, ...]:
    """Return the member's norms from other events. Empty unless this event brought a norm."""
    member = norms.entry.member
    if member is None or all(result.missing for result in norms.results):
        return ()
    others = (each for each in norms_of_member(member) if each.event.pk != norms.entry.tournament_id)
    return tuple(each for each in others if any(not result.missing for result in each.results))
