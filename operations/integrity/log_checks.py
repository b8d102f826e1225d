"""Checks that the results and rounds of events match their logs."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from operations.integrity.findings import Finding
from tournaments.audit_log.logged_results import results_from_log
from tournaments.models import Round, Tournament

BY_THE_PAPERS = (
    "Compare with the arbiter's printouts and a backup, and correct the board on the round's page. "
    "Only then recalculate ratings."
)


def check_results_by_log(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report boards and finished rounds that contradict the log. Two queries per event.

    Data that may just be changing is read again before it is reported.
    """
    for event in events.select_related("club"):
        wrong = _not_in_the_log(event)
        if wrong:
            # A result may have been entered between the two reads.
            wrong &= _not_in_the_log(event)
        for number, key, code, what in sorted(wrong):
            place = f"{event.club.slug}/{event.slug} round {number} (row {key})"
            yield Finding(code=code, where=place, what=what, do=BY_THE_PAPERS)


def _rounds_of(event: Tournament) -> list[tuple[int, int, str, int | None, str | None]]:
    """Return key, number, state, board and result for every board of the public rounds."""
    return list(event.rounds.only_published().values_list("pk", "number", "state", "games__board", "games__result"))


def _not_in_the_log(event: Tournament) -> set[tuple[int, int, str, str]]:
    """Return number, key, code and text for each contradiction.

    Results from a report file have no log lines and are skipped.
    """
    # Rounds are read first: a finished round then has its log line.
    rounds = _rounds_of(event)
    told = results_from_log(event.log.order_by("seal_number", "pk").values("action", "details", "round_id"))
    found = set()
    is_of_a_file = bool(event.report_lines)
    for key, number, state, board, result in rounds:
        if state == Round.State.FINISHED and told.finished.get(key, is_of_a_file) is False:
            what = "is finished, but the log doesn't say so"
            found.add((number, key, "round-finished-without-a-line", what))
        if board is None or key in told.rounds_without_moves:
            continue
        said = told.results.get((key, board))
        if (said is None and is_of_a_file) or (said or "") == result:
            continue
        what = f"board {board} has {result or 'no result'}, but in the log {said or 'none'}"
        found.add((number, key, "result-not-in-the-log", what))
    return found
