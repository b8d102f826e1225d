"""The command `clubnight`: start your own club or a demo club, manage it, or pair report files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

APP = Path(__file__).resolve().parent / "app"
USAGE = """\
usage: clubnight [--port PORT]        start Clubnight for your own club
       clubnight demo [--port PORT]   start it with a made-up club
       clubnight manage COMMAND ...   manage your own club's data ("clubnight manage help" lists the commands)
       clubnight COMMAND ...          work on report files: {commands}
       clubnight --version

Your data: {data}
"""


def main() -> int:
    sys.path.insert(0, str(APP))
    import launch
    from pairing.cli.command_registry import COMMAND_NAMES

    command, rest = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
    data = launch.data_folder()
    if command in ("help", "--help", "-h"):
        print(USAGE.format(commands=", ".join(COMMAND_NAMES), data=data), end="")
        return 0
    if command == "--version":
        from importlib.metadata import version

        print(version("clubnight"))
        return 0
    if command == "manage" or command in COMMAND_NAMES:
        return _manage(data, command, rest)
    return launch.main(["--demo", *rest] if command == "demo" else sys.argv[1:])


def _manage(data: Path, command: str, rest: list[str]) -> int:
    """Run one of Django's commands, or one on report files, with your own club's data."""
    data.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("CLUBNIGHT_VAR", str(data))
    os.environ.setdefault("CLUBNIGHT_DATABASE", str(data / "clubnight.sqlite3"))
    import manage

    sys.argv = ["clubnight manage", *rest] if command == "manage" else ["clubnight", command, *rest]
    manage.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
