#!/usr/bin/env python
"""Django's command line for Clubnight, with a shortcut for commands that do not need Django."""

import os
import sys


def main() -> None:
    from pairing.cli import command_registry

    # Starting Django takes longer than pairing a club's evening.
    if len(sys.argv) > 1 and sys.argv[1] in command_registry.COMMAND_NAMES:
        from pairing.cli.standalone_runner import exit_immediately, run_command

        exit_immediately(run_command(sys.argv[0], sys.argv[1], sys.argv[2:]))
    from config.garbage_collection import collect_garbage_rarely

    collect_garbage_rarely()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if "runserver" in sys.argv[1:2]:
        prepare_development_server(sys.argv[2:])
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except ImproperlyConfigured as wrong:
        sys.exit(" ".join(str(wrong).split()))
    except OperationalError as wrong:
        if "connection" not in str(wrong):
            raise
        from clubs.membership.onboarding.club_creation import database_error_message

        sys.exit(database_error_message(wrong))
    except BrokenPipeError:
        # The reader (`head`, a pager) has stopped. Python must not try to write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def prepare_development_server(arguments: list[str]) -> None:
    """Set up Django's own server: turn on debugging in a checkout, and require a private address when debugging."""
    # Not at the top: importing pathlib takes as long as pairing a club's evening.
    from pathlib import Path

    if (Path(__file__).resolve().parent / ".git").exists():
        os.environ.setdefault("CLUBNIGHT_DEBUG", "1")
    from config.startup_checks import check_listen_address

    asked = next((each for each in arguments if not each.startswith("-")), "127.0.0.1")
    where = asked.rpartition(":")[0] or ("127.0.0.1" if asked.isdecimal() else asked)
    check_listen_address({"0": "0.0.0.0"}.get(where, where), debugging=os.environ.get("CLUBNIGHT_DEBUG") == "1")  # noqa: S104


if __name__ == "__main__":
    main()
