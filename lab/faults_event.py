"""The data that `lab.faults` damages, and the check of the damage. Runs in a process of its own, next to the servers.

`prepare` makes a club with an event of 40 players whose first round is published, and events whose first round waits;
the judges are given what was tried, and say how much of it is lost, doubled or wrong, with the evidence.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
PLAYERS, FEW = 40, 16
"""In the event whose results are entered, and in each that waits to be paired."""


def prepare(waiting: int) -> dict[str, Any]:
    """The boards by number with their games' keys, the waiting events' URLs, and a session."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from clubs.models import Club, Membership, Role, User
    from pairing.rounds.lifecycle.transitions import pair_round, publish_round
    from tournaments.models import Round

    club = Club.objects.create(slug="faults", name="Faults")
    user = User.objects.create_user("secretary")
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    event = _event(club, PLAYERS)
    draft = pair_round(event.rounds.get(number=1).pk, by=None).round
    publish_round(draft, by=None, version=Round.objects.get(pk=draft.pk).version)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    # Two hundred commits would take longer than everything else.
    with transaction.atomic():
        events = [_event(club, FEW) for _number in range(waiting)]
    return {
        "session": session.session_key,
        "page": f"/faults/{event.slug}/rounds/1/",
        "boards": dict(draft.games.values_list("board", "pk")),
        "waiting": [f"/faults/{event.slug}/rounds/1/" for event in events],
    }


def _event(club: Any, players: int) -> Any:
    from tournaments.entries.enrolment import enter_pasted_list
    from tournaments.events.event_setup import create_tournament

    event = create_tournament(club, by=None, name="Evening", rounds_announced=5, system="dutch-1992")
    names = "\n".join(f"Pionek, Nr{number}; {2000 - number}" for number in range(players))
    enter_pasted_list(event, names, by=None)
    return event


def judge_results(tries: dict[str, list[tuple[int, str, bool]]]) -> dict[str, Any]:
    """Check that each log line of a board is one revision, sent from the page that showed the one before."""
    from tournaments.models import Game, LogEntry

    found: Counter[str] = Counter()
    evidence = []
    for board, each in tries.items():
        lines = LogEntry.objects.filter(
            action="result entered", round__tournament__slug="evening", details__board=int(board)
        )
        logged = list(lines.order_by("pk").values_list("details__after", flat=True))
        done = dict(enumerate(logged))
        lost = [(seen, result) for seen, result, is_done in each if is_done and done.get(seen) != result]
        # Only this process writes at this board, so a line that it did not try here is a duplicate or has an unknown
        # source.
        doubled = set(done.items()) - {(seen, result) for seen, result, _is_done in each}
        game = Game.objects.get(round__tournament__slug="evening", round__number=1, board=int(board))
        wrong = (game.revision, game.result) != (len(logged), logged[-1] if logged else "")
        found += Counter(lost=len(lost), doubled=len(doubled), wrong=int(wrong))
        if lost or doubled or wrong:
            told = {"board": board, "lost": lost, "doubled": sorted(doubled), "tries": each, "logged": logged}
            evidence.append(told | {"kept": [game.revision, game.result]})
    return _judgement(found, evidence)


def judge_pairings(tries: list[tuple[str, bool]]) -> dict[str, Any]:
    """Check that acknowledged rounds are paired, once."""
    from common.models import Job
    from tournaments.models import LogEntry, Round

    found: Counter[str] = Counter()
    evidence = []
    for address, is_acknowledged in tries:
        slug = address.split("/")[2]
        round = Round.objects.get(tournament__slug=slug, number=1)
        lines = LogEntry.objects.filter(tournament__slug=slug, action="round paired").count()
        is_lost, is_wrong = is_acknowledged and round.state == "waiting", round.games.count() not in (0, FEW // 2)
        found += Counter(lost=int(is_lost), doubled=max(0, lines - 1), wrong=int(is_wrong))
        if is_lost or is_wrong or lines > 1:
            job = Job.objects.filter(arguments__round=round.pk).values("state", "attempt", "error").last()
            evidence.append({"round": address, "state": round.state, "lines": lines, "job": job})
    return _judgement(found, evidence)


def unfinished() -> int:
    """Unfinished jobs."""
    from common.models import Job

    return Job.objects.filter(state__in=["waiting", "running"]).count()


def job_seconds() -> list[float]:
    """From the request for every job until its end."""
    from common.models import Job

    times = Job.objects.values_list("created_at", "finished_at")
    return [(end - begin).total_seconds() for begin, end in times if end is not None]


def hold_round(held: Path) -> None:
    """Lock the round and its games, as somebody does who changes them, until this process is killed."""
    from django.db import transaction

    from tournaments.models import Game, Round

    with transaction.atomic():
        list(Round.objects.filter(tournament__slug="evening").select_for_update(no_key=True))
        list(Game.objects.filter(round__tournament__slug="evening").select_for_update(no_key=True, of=("self",)))
        held.touch()
        threading.Event().wait()


def _judgement(found: Counter[str], evidence: list[dict[str, Any]]) -> dict[str, Any]:
    from operations.integrity.event_checks import check_events
    from tournaments.models import Tournament

    counted = {name: found[name] for name in ("lost", "doubled", "wrong")}
    return counted | {"unsound": len(list(check_events(Tournament.objects.all()))), "evidence": evidence}


def main() -> None:
    """Run a command: its input comes from one JSON file, its result goes to another."""
    django.setup()
    given, found, command, *more = sys.argv[1:]
    if command == "hold":
        hold_round(Path(found))
    if command == "prepare":
        told: Any = prepare(int(more[0]))
    elif command in ("unfinished", "job-seconds"):
        told = unfinished() if command == "unfinished" else job_seconds()
    else:
        judge = judge_results if command == "judge-results" else judge_pairings
        told = judge(json.loads(Path(given).read_text()))
    Path(found).write_text(json.dumps(told))


if __name__ == "__main__":
    main()
