"""What `bench.faults` does its harm to, and how the harm is judged: run in a process of its own, beside the servers.

`prepare` makes a club with an event of 40 players whose first round is published, and events whose first round waits;
prints JSON. `judge` reads what was tried from standard input and prints how much of it is lost, doubled or wrong.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
PLAYERS = 40


def prepare(waiting: int) -> dict[str, Any]:
    """The boards by number with the keys of their games, the waiting events' addresses, and a session."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from clubs.models import Club, Membership, Role, User
    from pairing.rounds.pairing import pair_round, publish
    from tournaments.models import Round

    club = Club.objects.create(slug="faults", name="Faults")
    user = User.objects.create_user("secretary")
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    event = _event(club)
    draft = pair_round(event.rounds.get(number=1).pk, by=None).round
    publish(draft, by=None, version=Round.objects.get(pk=draft.pk).version)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return {
        "session": session.session_key,
        "page": f"/faults/{event.slug}/rounds/1/",
        "boards": dict(draft.games.values_list("board", "pk")),
        "waiting": [f"/faults/{_event(club).slug}/rounds/1/" for _number in range(waiting)],
    }


def _event(club: Any) -> Any:
    from tournaments.entries.entering import enter_pasted_list
    from tournaments.events.setting_up import create_tournament

    event = create_tournament(club, by=None, name="Evening", rounds_announced=5, system="dutch-1992")
    names = "\n".join(f"Pionek, Nr{number}; {2000 - number}" for number in range(PLAYERS))
    enter_pasted_list(event, names, by=None)
    return event


def judge_results(tries: dict[str, list[tuple[str, bool]]]) -> dict[str, int]:
    """Each board was written by one hand, so the log must hold what was acknowledged, in its order, and no stranger."""
    from tournaments.models import Game, LogEntry

    found = Counter(lost=0, doubled=0, wrong=0)
    for board, each in tries.items():
        lines = LogEntry.objects.filter(
            action="result entered", round__tournament__slug="evening", details__board=int(board)
        )
        logged = list(lines.order_by("pk").values_list("details__after", flat=True))
        acknowledged = [result for result, is_acknowledged in each if is_acknowledged]
        found["lost"] += len(acknowledged) - _in_common(acknowledged, logged)
        # Every line is one try, in their order: what is left over was written twice, or never tried at all.
        found["doubled"] += len(logged) - _in_common([result for result, _done in each], logged)
        kept = Game.objects.get(round__tournament__slug="evening", round__number=1, board=int(board)).result
        found["wrong"] += kept != (logged[-1] if logged else "")
    return dict(found) | _unsound()


def _in_common(one: list[str], other: list[str]) -> int:
    """The length of the longest sequence that stands in both, in order."""
    row = [0] * (len(other) + 1)
    for left in one:
        before, row = row, [0]
        for place, right in enumerate(other):
            row.append(before[place] + 1 if left == right else max(before[place + 1], row[place]))
    return row[-1]


def judge_pairings(tries: list[tuple[str, bool]]) -> dict[str, int]:
    """What was acknowledged is paired, once."""
    from tournaments.models import LogEntry, Round

    found = Counter(lost=0, doubled=0, wrong=0)
    for address, is_acknowledged in tries:
        slug = address.split("/")[2]
        round = Round.objects.get(tournament__slug=slug, number=1)
        lines = LogEntry.objects.filter(tournament__slug=slug, action="round paired").count()
        found["lost"] += is_acknowledged and round.state == "waiting"
        found["doubled"] += max(0, lines - 1)
        found["wrong"] += round.state == "draft" and round.games.count() != PLAYERS // 2
    return dict(found) | _unsound()


def unfinished() -> int:
    """Jobs that are not over."""
    from clubs.models import Job

    return Job.objects.filter(state__in=["waiting", "running"]).count()


def _unsound() -> dict[str, int]:
    from pairing.doctor.events import broken_events
    from tournaments.models import Tournament

    return {"unsound": len(list(broken_events(Tournament.objects.all())))}


def main() -> None:
    """One command; what it needs on standard input, what it found on standard output, as JSON."""
    django.setup()
    command, *more = sys.argv[1:]
    if command == "prepare":
        told: Any = prepare(int(more[0]))
    elif command == "unfinished":
        told = unfinished()
    else:
        judge = judge_results if command == "judge-results" else judge_pairings
        told = judge(json.load(sys.stdin))
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
