"""Follow the guide: `python -m tests.guide [--system FOLDER]`, as root. Exits with status 1 if a command fails."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.guide import checks, machine, versions
from tests.guide.checks import Asked
from tests.guide.guide_text import GUIDE, commands, parts

NAME, FROM = "chess.example.org", "https://git.example.org/clubnight/clubnight.git"
OUTSIDE = ("docker ",)
"""Commands that need what a machine in a machine has not: said in the protocol, with the block they stand in."""
FETCHES = "./dev server"
"""Goes by this machine's network."""

HOW_IT_STANDS = """journalctl --lines 8
tail -n 5 /var/log/nginx/error.log; runuser -u postgres -- psql -At clubnight -c \\
'SELECT id, task, state, error, sent_at, started_at FROM common_job'"""
"""Asked where an answer is wrong."""

AFTER: Mapping[str, Callable[[Asked], None]] = {
    "Start": checks.after_start,
    "The web server": checks.after_web_server,
    "Create the club": checks.after_moving_in,
    "Mail": checks.after_mail,
    "Backups": checks.after_backups,
    "Upgrade": versions.after_going_back,
    "Keys": checks.after_keys,
    "Look after the server": checks.after_looking,
    "Caddy instead of nginx": checks.after_caddy,
    "A small server without PostgreSQL and Redis": checks.after_small_server,
}


class CommandFailed(Exception):
    """A command of the guide that did not succeed."""


class Terminal:
    """A shell on the machine, kept open like a reader's."""

    def __init__(self, root: Path) -> None:
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "TERM": "dumb",
        }
        environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "LANG"))}
        self._shell = subprocess.Popen(
            ["chroot", root, "bash", "--noprofile", "--norc"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str) -> str:
        """The output of the command. Raises CommandFailed with it."""
        assert self._shell.stdin
        assert self._shell.stdout
        self._shell.stdin.write(f'{command}\nended=$?; echo; echo "::ended $ended"\n')
        self._shell.stdin.flush()
        printed: list[str] = []
        for line in self._shell.stdout:
            if line.startswith("::ended "):
                if line.split()[1] != "0":
                    raise CommandFailed("".join(printed))
                return "".join(printed)
            printed.append(line)
        raise CommandFailed("the shell has ended: " + "".join(printed))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.guide", description=__doc__)
    parser.add_argument(
        "--system", type=Path, default=Path("/"), help="a Debian's root folder in place of this machine's"
    )
    options = parser.parse_args()
    if why := machine.cannot_be_had():
        print(f"The guide cannot be walked here: {why}.", file=sys.stderr)
        return 2
    if machine.INSIDE not in os.environ:
        return machine.enter(sys.argv[1:])
    root = machine.put_up(Path(os.environ[machine.INSIDE]), name=NAME, system=options.system)
    origin = machine.publish_sources(root, FROM)
    return walk(root, origin)


def walk(root: Path, origin: Path) -> int:
    """Every command in order, and the checks after each part."""
    terminal = Terminal(root)
    began = time.monotonic()

    def shell(command: str) -> str:
        return terminal.run(f"( {command} )")

    asked = Asked(root, NAME, shell, began)
    failures = 0
    for part in parts(GUIDE.read_text(encoding="utf-8")):
        print(f"\n## {part.heading}", flush=True)
        if part.heading == "Upgrade":
            versions.release_good_one(origin)
        for block in part.blocks:
            if any(each.startswith(OUTSIDE) for each in commands(block)):
                print("   not walked, for want of what it needs:", *commands(block), sep="\n     ")
                continue
            for command in commands(block):
                if not run(terminal, command):
                    return 1
            if "deploy/upgrade\n" in block:
                failures += not ask(versions.after_upgrade, asked)
                versions.release_bad_one(origin)
                failures += not ask(versions.try_the_bad_one, asked)
        if part.heading in AFTER:
            failures += not ask(AFTER[part.heading], asked)
    print(f"\nThe whole guide: {time.monotonic() - began:.0f} seconds; {failures} answers were wrong.")
    return min(failures, 1)


def ask(about: Callable[[Asked], None], asked: Asked) -> bool:
    """Run a check; print what is correct and what is not."""
    failure = ""
    try:
        about(asked)
    except (AssertionError, CommandFailed, OSError):
        failure = traceback.format_exc(limit=-3)
    for each in asked.holds:
        print(f"   = {each}", flush=True)
    asked.holds.clear()
    if failure:
        print(f"   ! {failure}", flush=True)
        print(asked.shell(f"({HOW_IT_STANDS}) 2>&1 || true"), flush=True)
    return not failure


def run(terminal: Terminal, command: str) -> bool:
    began = time.monotonic()
    typed = command.replace(FETCHES, f"nsenter --net=/run/network {FETCHES}")
    try:
        terminal.run(typed)
    except CommandFailed as failed:
        print(f"   ! {command}\n{failed}", flush=True)
        return False
    print(f"   $ {command}   ({time.monotonic() - began:.1f} s)", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
