"""What can be said of the image without building it: its files suffice, and what is set in it is no fault."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.guide.machine import CHECKOUT

CONTAINERFILE = (CHECKOUT / "deploy" / "Containerfile").read_text(encoding="utf-8")
TOLD = dict(
    line.split("=", 1)
    for line in (CHECKOUT / "deploy" / "containers.env.example").read_text(encoding="utf-8").splitlines()
    if line.startswith("CLUBNIGHT_")
)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A folder with what the image copies out of the checkout."""
    folder = tmp_path_factory.mktemp("image")
    for sources, target in re.findall(r"^COPY (?!--)(.+) (\S+)$", CONTAINERFILE, re.MULTILINE):
        for source in sources.split():
            there, here = CHECKOUT / source, folder / (target if target != "./" else source)
            here.parent.mkdir(parents=True, exist_ok=True)
            if there.is_dir():
                shutil.copytree(there, here, ignore=shutil.ignore_patterns("__pycache__", "*.po"))
            else:
                shutil.copy(there, here)
    return folder


def test_the_files_of_the_image_make_a_server_without_a_fault(image, tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CLUBNIGHT_", "DJANGO_"))}
    environment |= TOLD | {"CLUBNIGHT_HTTPS": "1", "CLUBNIGHT_VAR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"CLUBNIGHT_DATABASE": "postgres://clubnight@127.0.0.1:1/clubnight"}
    environment |= {"CLUBNIGHT_REDIS": "redis://127.0.0.1:1/0", "DJANGO_SETTINGS_MODULE": "config.settings"}
    # The pages' program, the streams' and the workers': what each imports is there. Then the server's own opinion.
    script = "import config.celery, config.live, config.wsgi; from django.core.management import call_command as c; "
    script += "c('check', deploy=True, fail_level='WARNING')"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=image, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "no issues" in done.stdout


def test_the_name_of_a_server_is_written_once_a_line(image):
    """The guide tells its reader to change the name three times."""
    assert [name for name, value in TOLD.items() if "chess.example.org" in value] == [
        "CLUBNIGHT_NAME",
        "CLUBNIGHT_HOSTS",
        "CLUBNIGHT_LIVE",
    ]
