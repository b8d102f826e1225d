"""The lab is not part of the test suite, but all its modules can be imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Other programs' engines, which are only in their own environment.
FOREIGN = {"caissify_pair"}

IMPORT_ALL = """
import importlib, sys
import django
django.setup()
for name in sys.argv[1:]:
    importlib.import_module(f"lab.{name}")
"""


def test_every_module_of_the_lab_can_be_imported():
    names = sorted(path.stem for path in (ROOT / "lab").glob("*.py"))
    assert len(names) > 40
    modules = [name for name in names if name not in FOREIGN | {"__init__", "__main__"}]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *modules],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
