#!/usr/bin/env python
"""Django's command line for Clubnight, and the way past Django for commands that do without it."""

import os
import sys


def main() -> None:
    from pairing.commandline import catalogue

    # Most of the time of pairing a club's evening would be the framework's start.
    if len(sys.argv) > 1 and sys.argv[1] in catalogue.NAMES:
        from pairing.commandline.alone import leave, run

        leave(run(sys.argv[0], sys.argv[1], sys.argv[2:]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads (`head`, a pager) has enough. Python must not try once more to write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


if __name__ == "__main__":
    main()
