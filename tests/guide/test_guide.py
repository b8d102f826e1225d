"""Checks of the guide without following it (`python -m tests.guide`): files, names and sizes agree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from common.file_store import upload_limits
from common.jobs.kinds import WorkerQueue
from config.environment import SCRIPT_VARIABLES, env
from tests.guide.__main__ import AFTER
from tests.guide.guide_text import GUIDE, commands, parts
from tests.guide.machine import CHECKOUT

DEPLOY = CHECKOUT / "deploy"
SCRIPTS = sorted(path for path in DEPLOY.iterdir() if path.is_file() and path.read_bytes().startswith(b"#!/bin/sh"))
SITE = (DEPLOY / "nginx" / "clubnight.conf").read_text(encoding="utf-8")


def known() -> set[str]:
    """The variables that the settings read."""
    text = (CHECKOUT / "config" / "settings.py").read_text(encoding="utf-8")
    return set(re.findall(r'(?:env|env_readers\.\w+)\("(CLUBNIGHT_\w+)"', text))


def test_a_guide_is_read_as_it_stands():
    text = "# Title\n## One\nwords\n```sh\na\n# why\nb c\n```\n## Two\n```\nnot this\n```\n"
    (one,) = parts(text)
    assert (one.heading, [commands(block) for block in one.blocks]) == ("One", [["a", "b c"]])


def test_whatever_is_asked_behind_a_part_has_its_part():
    headings = {part.heading for part in parts(GUIDE.read_text(encoding="utf-8"))}
    assert set(AFTER) <= headings
    assert len(headings) >= 12


def test_the_table_of_settings_has_each_and_no_other():
    table = GUIDE.read_text(encoding="utf-8").partition("## All settings")[2]
    named = {name for line in table.splitlines() if line.startswith("| `") for name in _names(line.split("|")[1])}
    read = known() - {"CLUBNIGHT_CALLED_FROM"} | {"CLUBNIGHT_LISTEN"}
    assert named == read, "deploy/manage alone says from where it was called, and the units where they listen"


def test_what_is_deployed_sets_nothing_that_is_not_read():
    """A misspelt variable in a file would have no effect."""
    ours = SCRIPT_VARIABLES | {"CLUBNIGHT_CADDY_WAITS", "CLUBNIGHT_CADDY_HOLDS", "CLUBNIGHT_IMAGE"}
    files = [path for path in DEPLOY.rglob("*") if path.is_file() and "secrets" not in path.parts]
    named = {name.removesuffix("_FILE") for path in files for name in _names(path.read_text(encoding="utf-8"))}
    assert named - known() == ours


def test_every_line_of_jobs_has_its_worker():
    target, compose = (
        (DEPLOY / name).read_text(encoding="utf-8") for name in ("systemd/clubnight.target", "compose.yaml")
    )
    for line in WorkerQueue:
        assert f"clubnight-worker@{line.value}.service" in target
        assert f'"--queues", "{line.value}"' in compose


def test_the_web_server_lets_through_what_clubnight_takes():
    usual, lists = (int(size) * 1024**2 for size in re.findall(r"client_max_body_size (\d+)m", SITE))
    assert usual > max(upload_limits.MAX_UPLOAD_BYTES, upload_limits.MAX_EVENT_FILE_BYTES)
    assert lists > upload_limits.MAX_LIST_FILE_BYTES
    assert re.findall(r"max_size (\d+)MiB", (DEPLOY / "Caddyfile").read_text()) == ["301", "41"]


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed")
@pytest.mark.parametrize(("kind", "is_checked"), [("", False), ("several_machines", True)])
def test_caddy_looks_for_failed_machines_if_there_are_several(kind, is_checked):
    """With one machine, a slow answer must not cut off everybody."""
    settings = {"CLUBNIGHT_PAGES_AT": "10.0.0.11:8001 10.0.0.12:8001"} | ({"CLUBNIGHT_UPSTREAMS": kind} if kind else {})
    command = ["caddy", "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)
    proxies = list(_handlers(json.loads(done.stdout), "reverse_proxy"))
    assert len(proxies) == 3
    assert [len(each["upstreams"]) for each in proxies] == [1, 1, 2]
    assert ["health_checks" in each for each in proxies] == [is_checked] * 3
    assert ["keep_alive" in each.get("transport", {}) for each in proxies] == [is_checked] * 3


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_can_be_run_and_read(script):
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", script], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", script], check=True)


def test_a_setting_may_stand_in_a_file(monkeypatch, tmp_path):
    monkeypatch.setenv("CLUBNIGHT_X_FILE", str(tmp_path / "x"))
    with pytest.raises(ImproperlyConfigured, match="CLUBNIGHT_X_FILE"):
        env("CLUBNIGHT_X")
    (tmp_path / "x").write_text("a secret\n")
    assert env("CLUBNIGHT_X") == "a secret"
    monkeypatch.setenv("CLUBNIGHT_X", "")
    assert env("CLUBNIGHT_X", "usual") == ""
    assert env("CLUBNIGHT_Y", "usual") == "usual"


def _handlers(part: Any, name: str) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict) and part.get("handler") == name:
        yield part
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _handlers(each, name)


def _names(text: str) -> set[str]:
    return set(re.findall(r"CLUBNIGHT_[A-Z_]*[A-Z]", text))
