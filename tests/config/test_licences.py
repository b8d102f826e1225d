"""Every package a server installs has a licence that we know, and no known vulnerability goes unseen."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from config import licences

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.one_database


def listed() -> dict[str, str]:
    lines = licences.LIST.read_text(encoding="utf-8").partition("\n\n")[2].splitlines()
    return dict(line.split(": ", 1) for line in lines)


def test_the_list_is_what_the_packages_say():
    assert listed().keys() == set(licences.installed_packages())
    assert licences.render_list() == licences.LIST.read_text(encoding="utf-8")


def test_every_licence_is_permissive_or_explained():
    explained = (ROOT / "docs" / "project" / "decisions" / "0007-dependencies.md").read_text(encoding="utf-8")
    for name, licence in listed().items():
        if name in licences.OTHERS:
            assert licence == licences.OTHERS[name]
            assert name.removesuffix("-binary") in explained
        else:
            assert set(re.split(r", | OR | AND ", licence)) <= licences.PERMISSIVE, name


@pytest.mark.parametrize(
    ("changes", "status"),
    [({}, 1), ({"withdrawn": "2026-01-01T00:00:00Z"}, 0), ({"version": "0.0.1"}, 0), ({"ecosystem": "npm"}, 0)],
)
def test_a_vulnerable_version_in_the_lock_file_is_found_offline(tmp_path, changes, status):
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    version = next(package["version"] for package in lock["package"] if package["name"] == "django-ninja")
    package = {"name": "Django_Ninja", "ecosystem": changes.get("ecosystem", "PyPI")}
    affected = {"package": package, "versions": ["0.9", changes.get("version", version)]}
    advisory = {"id": "PYSEC-1", "summary": "Bad.", "affected": [affected]}
    advisory |= {name: value for name, value in changes.items() if name == "withdrawn"}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as database:
        database.writestr("PYSEC-1.json", json.dumps(advisory))
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "audit", tmp_path / "all.zip"], capture_output=True, text=True
    )
    assert done.returncode == status, done.stderr
    assert (f"django-ninja {version}: PYSEC-1 Bad." in done.stdout) == bool(status)


def test_without_a_database_nothing_passes(tmp_path):
    done = subprocess.run([sys.executable, ROOT / ".ci" / "audit", tmp_path / "none"], capture_output=True, text=True)
    assert done.returncode == 2
