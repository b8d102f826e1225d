"""The weekly drill restores the newest copy far from the real data."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.one_database

MANAGE = """
import os, sys
if sys.argv[1:] == ["restore", "--list"]:
    print("2026-11-28 03:00  12 MB  " + os.environ["CLUBNIGHT_BACKUPS"] + "/newest.zip")
    sys.exit()
with open("said", "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
    values = [os.environ.get(f"CLUBNIGHT_{name}", "none") for name in ("MAIL", "REDIS", "SECRET_KEY")]
    file.write(" ".join(values) + "\\n")
for name in ("VAR", "DATABASE"):
    assert "real" not in os.environ[f"CLUBNIGHT_{name}"]
sys.exit(sys.argv[1] == "doctor" and os.environ.get("DAMAGED") == "1")
"""


@pytest.fixture
def checkout(tmp_path) -> Path:
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy" / "drill", tmp_path / "deploy")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "manage.py").write_text(MANAGE)
    (tmp_path / "copies").mkdir()
    return tmp_path


def drill(checkout: Path, **more: str) -> subprocess.CompletedProcess[str]:
    settings = {"CLUBNIGHT_VAR": "/real", "CLUBNIGHT_DATABASE": "/real", "CLUBNIGHT_MAIL": "smtp://real"}
    settings |= {"CLUBNIGHT_REDIS": "redis://real", "CLUBNIGHT_SECRET_KEY": "real"}
    settings |= {"PATH": os.environ["PATH"], "CLUBNIGHT_COPIES": str(checkout / "copies")}
    return subprocess.run([checkout / "deploy" / "drill"], env=settings | more, capture_output=True, text=True)


def test_the_newest_copy_is_restored_and_checked(checkout):
    newest = checkout / "copies" / "newest.zip"
    newest.touch()
    assert drill(checkout, CLUBNIGHT_DRILL_KEY="key").returncode == 0
    assert (checkout / "said").read_text().splitlines() == [
        f"restore --made-elsewhere --key-file key {newest}",
        "  none",
        "doctor --quick",
        "  none",
    ]
    assert drill(checkout, DAMAGED="1").returncode == 1


def test_old_or_missing_copies_fail(checkout):
    assert "There is no backup" in drill(checkout).stderr
    newest = checkout / "copies" / "newest.zip"
    newest.touch()
    os.utime(newest, (0, 0))
    failed = drill(checkout)
    assert failed.returncode == 1
    assert "more than two days old" in failed.stderr
    assert "plugged in" in drill(checkout, CLUBNIGHT_COPIES="/not/there").stderr
    assert drill(checkout, CLUBNIGHT_COPIES="user@machine:folder").returncode == 0
    assert not (checkout / "said").exists()
