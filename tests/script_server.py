"""A process of a deployment that runs one script after another: starting one for each would take seconds.

It reads a script a line, as a JSON text, and answers a line for each: what it has printed, and where it failed.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from contextlib import redirect_stdout

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.db import connections

    answers = sys.stdout
    for line in sys.stdin:
        printed, failure = io.StringIO(), ""
        try:
            with redirect_stdout(printed):
                exec(json.loads(line), {"__name__": "__main__"})  # noqa: S102 - a test's own script
        except Exception:
            failure = traceback.format_exc()
        finally:
            # As at the end of a process: no connection stays open between two scripts.
            connections.close_all()
        answers.write(json.dumps({"printed": printed.getvalue(), "failure": failure}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
