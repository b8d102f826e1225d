"""Processes as started: each collects garbage rarely, and servers freeze what they have loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.garbage_collection import COLLECTION_THRESHOLD

ROOT = Path(__file__).resolve().parents[2]
TELL = "import gc; print('looks', gc.get_threshold()[0], gc.get_freeze_count())"


@pytest.mark.parametrize(
    ("arguments", "keeps"),
    [
        (("manage.py", "shell", "--verbosity", "0", "--command", TELL), False),
        (("-c", f"import config.celery; {TELL}"), False),
        (("-c", f"import config.asgi; {TELL}"), True),
        (("-c", f"import config.wsgi; {TELL}"), True),
    ],
    ids=["command", "worker", "streams", "pages"],
)
def test_a_process_looks_seldom_for_garbage(arguments: tuple[str, ...], keeps: bool, migrated_sqlite: Path):
    told = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "CLUBNIGHT_DATABASE": str(migrated_sqlite)}
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=told, capture_output=True, text=True, check=True)
    (said,) = [line.split() for line in done.stdout.splitlines() if line.startswith("looks")]
    assert int(said[1]) == COLLECTION_THRESHOLD
    assert (int(said[2]) > COLLECTION_THRESHOLD) is keeps
