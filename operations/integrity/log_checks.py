"""Checks that event logs match their seals, and that results and rounds match the logs."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from clubs.models import User
from common.models import ScheduledTaskRun
from operations.integrity.findings import Finding, FindingSeverity
from tournaments.audit_log.logged_results import LoggedResults, results_from_log
from tournaments.audit_log.seal_chain import ChainContext, find_chain_breaks, select_chain_columns
from tournaments.audit_log.sealing import SEAL_SCHEDULE
from tournaments.models import Round, SealedLog, Tournament

PAST_THE_PROGRAM = "Someone changed the database outside Clubnight. Compare it with a backup and an export."
BY_THE_PAPERS = (
    "Compare with the arbiter's printouts and a backup, and correct the board on the round's page. "
    "Only then recalculate ratings."
)
_WARNINGS = {"log-out-of-time": "Compare with a backup and an export, unless the server's clock was wrong then."}


def check_event_logs(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report changed, deleted or inserted log lines, and boards and rounds that contradict the log.

    Two queries for each event. Data that may just be changing is read again before it is reported.
    """
    ends = {event: (lines, seal) for event, lines, seal in SealedLog.objects.values_list("tournament", "lines", "seal")}
    actors = set(User.objects.values_list("pk", flat=True))
    due = ScheduledTaskRun.objects.filter(name=SEAL_SCHEDULE.name).values_list("due_at", flat=True).first()
    for event in events.select_related("club"):
        place = f"{event.club.slug}/{event.slug}"
        # Rounds are read first: a finished round then has its log line.
        rounds = _rounds_of(event)
        lines = list(select_chain_columns(event.log.order_by("pk")))
        beside = ChainContext(
            actors=actors,
            rounds={key for key, *_rest in rounds},
            sealing_due_at=due,
            end=ends.get(event.pk, (0, "")),
        )
        for found in find_chain_breaks(lines, beside):
            yield Finding(
                code=found.code,
                where=place + (f" (log row {found.line})" if found.line else ""),
                what=found.problem,
                do=_WARNINGS.get(found.code, PAST_THE_PROGRAM),
                weight=FindingSeverity.WARNING if found.code in _WARNINGS else FindingSeverity.ERROR,
            )
        wrong = _not_in_the_log(event, rounds, results_from_log(lines))
        if wrong:
            # A result may have been entered between the two reads.
            wrong &= _not_in_the_log(
                event, _rounds_of(event), results_from_log(select_chain_columns(event.log.order_by("pk")))
            )
        for number, key, code, what in sorted(wrong):
            yield Finding(code=code, where=f"{place} round {number} (row {key})", what=what, do=BY_THE_PAPERS)


def _rounds_of(event: Tournament) -> list[tuple[int, int, str, int | None, str | None]]:
    """Return key, number, state, board and result for every board of the public rounds."""
    return list(event.rounds.only_published().values_list("pk", "number", "state", "games__board", "games__result"))


def _not_in_the_log(
    event: Tournament, rounds: list[tuple[int, int, str, int | None, str | None]], told: LoggedResults
) -> set[tuple[int, int, str, str]]:
    """Return number, key, code and text for each contradiction.

    Results from a report file have no log lines and are skipped.
    """
    found = set()
    is_of_a_file = bool(event.report_lines)
    for key, number, state, board, result in rounds:
        if state == Round.State.FINISHED and told.finished.get(key, is_of_a_file) is False:
            what = "is finished, but not according to the log"
            found.add((number, key, "round-finished-without-a-line", what))
        if board is None or key in told.rounds_without_moves:
            continue
        said = told.results.get((key, board))
        if (said is None and is_of_a_file) or (said or "") == result:
            continue
        what = f"board {board} has {result or 'no result'}, and by the log {said or 'none'}"
        found.add((number, key, "result-not-in-the-log", what))
    return found
