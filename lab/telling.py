"""Notifications under faults: `python -m lab.telling [--players 60] [--kills 20]`.

A round is published while the mail server is down; it comes back, and the worker is killed with SIGKILL in the middle
of sending, again and again. Prints how often each player was told by letter and by notification: it must be once. Needs
redis-server. What a crash leaves to be waited for (a dead worker's ten seconds, a claim's half minute) is not waited
for: its rows are dated back.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import redis

from tests.deployment import Deployment
from tests.mail_server import MailServer
from tests.push_service import PushService
from tests.servers import free_port

PATIENCE = 120.0

MAKE = """
import config.celery
from clubs.models import Club, Member
from pairing.rounds.lifecycle.transitions import pair_round
from tournaments.entries.enrolment import enter_members
from tournaments.events.event_setup import create_tournament
from tournaments.models import Entry
from tournaments.notifications.preferences import PREFERENCE_FIELDS, PushSubscription
from tournaments.notifications.preferences import add_push_device, save_email_preferences

club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza")
event = create_tournament(club, by=None, name="Wednesday", rounds_announced=5)
members = [
    Member.objects.create(club=club, family_name=f"Player{{n:03}}", rating=2400 - n, email=f"player{{n}}@mail.example")
    for n in range({players})
]
enter_members(event, members, by=None)
devices = {devices!r}
entries = event.entries.select_related("member", "tournament__club").order_by("pk")
for entry, device in zip(entries, devices, strict=True):
    save_email_preferences(entry, PREFERENCE_FIELDS, site="https://chess.example/")
    add_push_device(entry, PushSubscription(**device), PREFERENCE_FIELDS, site="https://chess.example/")
print(pair_round(event.rounds.get(number=1).pk, by=None).round.pk)
"""

PUBLISH = """
import config.celery
from pairing.rounds.lifecycle.transitions import publish
from tournaments.models import Round

this_round = Round.objects.get(pk={round})
publish(this_round, by=None, version=this_round.version)
"""

LOOK = """
import json
import config.celery
from collections import Counter
from common.schedule.due_tasks import start_due_tasks
from common.jobs.queue import requeue_lost
from tournaments.models import Notification

start_due_tasks()
requeue_lost()
print(json.dumps(Counter(Notification.objects.values_list("state", flat=True))))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """By player: the complete emails on the mail server, and the notifications shown on the device.

    `among_letters`: how many of the kills came when letters were going out already. `unheard`: letters handed over
    whose answer was not heard; `again`: notifications that came to a device twice, and were shown once.
    """

    players: int
    kills: int
    among_letters: int
    letters: tuple[int, ...]
    shown: tuple[int, ...]
    unheard: int
    again: int

    @property
    def is_right(self) -> bool:
        return set(self.letters) == set(self.shown) == {1}


def tell_under_faults(
    deployment: Deployment, *, mail: MailServer, pushes: PushService, players: int, kills: int
) -> Told:
    """Publish with the mail server down, then kill the worker so many times while it sends."""
    devices = [pushes.device() for _each in range(players)]
    parts = [{"endpoint": one.endpoint, "p256dh": one.p256dh, "auth": one.auth} for one in devices]
    this_round = deployment.shell(MAKE.format(players=players, devices=parts))
    with deployment.worker():
        deployment.shell(PUBLISH.format(round=this_round))
        _until(lambda: len(pushes.taken) >= min(3, players))

    def told() -> int:
        return len(mail.letters) + len(pushes.taken)

    def has_told_more_than(before: int) -> Callable[[], bool]:
        return lambda: told() > before

    mail.open()
    done = among_letters = 0
    while done < kills:
        _date_back(deployment)
        if not _is_waiting(_states(deployment)):
            break
        before = told()
        with deployment.worker():
            # A job that has lost five workers is abandoned; the next scheduled check starts another. A worker itself
            # starts slowly on a busy machine.
            if not _until(has_told_more_than(before), give_up=45):
                continue
            time.sleep(random.uniform(0, 2 * mail.pause))
        done += 1
        among_letters += bool(mail.letters)
    with deployment.worker():
        states, deadline = _states(deployment), time.monotonic() + 3 * PATIENCE
        while time.monotonic() < deadline:
            _date_back(deployment)
            states = _states(deployment)
            if not _is_waiting(states):
                break
            time.sleep(0.5)
        # The last email is already marked and on its way: the worker must not be killed in the middle of it.
        seen: Mapping[str, int] = {}
        while states != seen:
            time.sleep(10 * mail.pause)
            seen, states = states, _states(deployment)
    letters = Counter(to for to, _letter in mail.letters)
    sent = [(path, message["id"]) for (path, *_rest), message in zip(pushes.taken, pushes.shown(), strict=True)]
    shown = Counter(path for path, _message in set(sent))
    return Told(
        players=players,
        kills=done,
        among_letters=among_letters,
        letters=tuple(letters[f"player{number}@mail.example"] for number in range(players)),
        shown=tuple(shown[f"/device/{number + 1}"] for number in range(players)),
        unheard=states.get("handed", 0),
        again=len(sent) - len(set(sent)),
    )


def deployed(folder: Path, *, queue: str, mail: MailServer, pushes: PushService, database: str = "") -> Deployment:
    """A deployment whose emails and notifications go to these two servers."""
    deployment = Deployment(
        folder, database=database or str(folder / "db.sqlite3"), queue=queue, is_migrated=bool(database)
    )
    deployment.environment |= {
        "CLUBNIGHT_MAIL": f"smtp://127.0.0.1:{mail.port}",
        "CLUBNIGHT_MAIL_FROM": "club@chess.example",
        "CLUBNIGHT_PUSH_SERVICES": pushes.origin,
    }
    return deployment


def _until(is_so: Callable[[], object], *, give_up: float = PATIENCE) -> bool:
    deadline = time.monotonic() + give_up
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _states(deployment: Deployment) -> Mapping[str, int]:
    """The number of messages in each state, once everything due has started; no empty states."""
    states: Mapping[str, int] = json.loads(deployment.shell(LOOK))
    return states


def _is_waiting(states: Mapping[str, int]) -> bool:
    return "waiting" in states or "claimed" in states


def _date_back(deployment: Deployment) -> None:
    """As if a minute had passed since the last worker died, or an attempt failed."""
    past = (datetime.now(UTC) - timedelta(minutes=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with closing(sqlite3.connect(deployment.database, timeout=20)) as rows, rows:
        rows.execute(
            "UPDATE common_job SET heartbeat_at = ?, sent_at = ? WHERE state IN ('running', 'waiting')", [past, past]
        )
        rows.execute("UPDATE tournaments_notification SET claimed_at = ? WHERE state = 'claimed'", [past])
        rows.execute("UPDATE tournaments_notification SET due_at = ? WHERE state = 'waiting'", [past])
        rows.execute("UPDATE common_scheduledtaskrun SET due_at = ? WHERE name = 'telling'", [past])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--kills", type=int, default=20)
    chosen = parser.parse_args()
    program = shutil.which("redis-server")
    if program is None:
        sys.exit("redis-server is not installed")
    with tempfile.TemporaryDirectory(prefix="clubnight-telling-") as name:
        port = free_port()
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", name, "--save", ""]
        queue = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        mail, pushes = MailServer(free_port(), pause=0.1), PushService()
        deployment = deployed(Path(name), queue=f"redis://127.0.0.1:{port}/0", mail=mail, pushes=pushes)
        try:
            _until(lambda: redis.Redis(port=port).ping())
            told = tell_under_faults(deployment, mail=mail, pushes=pushes, players=chosen.players, kills=chosen.kills)
        finally:
            deployment.end()
            mail.close()
            pushes.close()
            queue.terminate()
            queue.wait()
    print("| | letters | notifications |")
    print("| --- | --- | --- |")
    for times in (0, 1, 2):
        words = ("not told", "told once", "told twice or more")[times]
        of = [sum(each == times if times < 2 else each > 1 for each in one) for one in (told.letters, told.shown)]
        print(f"| players {words} | {of[0]} | {of[1]} |")
    print(f"| answer not heard; came twice, shown once | {told.unheard} | {told.again} |")
    print(f"\n{told.players} players, mail server down at first, worker killed {told.kills} times while it sent,")
    print(f"{told.among_letters} of them among the letters")
    sys.exit(not told.is_right)


if __name__ == "__main__":
    main()
