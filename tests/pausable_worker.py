"""A worker that pauses in the middle of pairing while the file named by HOLD exists."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import django
from celery import current_app

HOLD = "CLUBNIGHT_TEST_HOLD"


def main() -> None:
    """Pair as usual, but start only when the file is gone; can be stopped meanwhile like any long pairing."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    import config.celery  # noqa: F401 - makes the queue's application the current one
    from pairing.engine.progress import check_cancelled
    from pairing.engine.systems import PAIRING_SYSTEMS
    from pairing.rounds.lifecycle import transitions as rounds

    def held(system: Callable) -> Callable:
        def pair(snapshot):
            while Path(os.environ[HOLD]).exists():
                check_cancelled()
                time.sleep(0.01)
            return system(snapshot)

        return pair

    # patch.object fails if the module has no such name: otherwise a worker that never pauses would only look slow.
    patch.object(rounds, "PAIRING_SYSTEMS", {name: held(each) for name, each in PAIRING_SYSTEMS.items()}).start()
    current_app.worker_main(["worker", "--pool", "solo", "--without-gossip"])


if __name__ == "__main__":
    main()
