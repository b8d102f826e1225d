"""Recalculates stored ratings, and pairs published rounds again, to compare them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from clubs.models import Club
from operations.integrity.findings import Finding, FindingSeverity
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.snapshot import InvalidSnapshot
from pairing.rounds.comparison.differences import boards_by_system, compare_pairings, saved_boards
from pairing.rounds.lifecycle.draft_checks import is_manually_paired
from tournaments.audit_log.actions import EventAction
from tournaments.club_ratings.rating_calculation import find_wrong_stored_ratings
from tournaments.club_ratings.recalculation import is_recalculating_ratings
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import LogEntry, Round, Tournament
from tournaments.problems import ArbiterProblem


def check_stored_ratings(club: Club) -> Iterator[Finding]:
    """Report stored ratings that differ from a full recalculation."""
    if is_recalculating_ratings(club):
        yield Finding(
            code="ratings-being-counted",
            where=club.slug,
            what="ratings are waiting to be recalculated",
            do="Check again in a moment. If this stays, look at the jobs, because nothing is running them.",
            weight=FindingSeverity.WARNING,
        )
        return
    wrong = find_wrong_stored_ratings(club)
    if wrong:
        months = sorted({f"{kind} {month}" for _member, kind, month in wrong})
        yield Finding(
            code="ratings-stale",
            where=club.slug,
            what=f"{len(wrong)} stored ratings differ from the games, from {months[0]} on",
            do="Choose the club's rating method again on its ratings page to recalculate everything.",
        )


def recheck_round_pairings(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report public rounds that the event's system would now pair differently, with a likely reason."""
    for event in events.select_related("club"):
        for this_round in event.rounds.only_published().order_by("number"):
            this_round.tournament = event
            yield from _paired_otherwise(event, this_round)


def _paired_otherwise(event: Tournament, this_round: Round) -> Iterator[Finding]:
    where = f"{event.club.slug}/{event.slug} round {this_round.number} (row {this_round.pk})"
    try:
        snapshot = snapshot_before_round(event, this_round.number)
        snapshot.check_consistency()
        compared = compare_pairings(saved_boards(this_round), boards_by_system(snapshot))
    except (ArbiterProblem, InvalidSnapshot, PairingImpossible) as error:
        yield Finding(
            code="round-cannot-be-checked",
            where=where,
            what=" ".join(str(error).split()) or type(error).__name__,
            do="Check the round. Its system doesn't allow these pairings.",
            weight=FindingSeverity.WARNING,
        )
        return
    if not compared.is_identical:
        yield Finding(
            code="round-paired-otherwise",
            where=where,
            what=f"{snapshot.system} would pair it differently today ({_why(event, this_round)})",
            do="Nothing to do if this is intended. Otherwise, compare the systems on the round's page.",
            weight=FindingSeverity.WARNING,
        )


def _why(event: Tournament, this_round: Round) -> str:
    if event.report_lines:
        return "the event was imported from a file"
    if any(is_manually_paired(reasons) for reasons in this_round.games.values_list("reasons", flat=True)):
        return "manual changes"
    since = this_round.paired_at or this_round.published_at
    lines = LogEntry.objects.filter(tournament=event, **({"at__gt": since} if since else {}))
    if lines.filter(action=EventAction.RESULT_CORRECTED.value).exists():
        return "a result was corrected afterwards"
    if lines.exclude(round=this_round).exists():
        return "the event was changed afterwards"
    return "the log gives no reason"
