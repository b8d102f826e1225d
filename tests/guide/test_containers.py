"""Checks of the image without building it: its files are complete, and its settings are valid."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch

import pytest
import yaml

from release.hatch_build import wheel_files
from tests.guide.machine import CHECKOUT

CONTAINERFILE = (CHECKOUT / "deploy" / "Containerfile").read_text(encoding="utf-8")
COMPOSED = yaml.safe_load((CHECKOUT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSED["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "${CLUBNIGHT_IMAGE:-clubnight}"}
TOLD = dict(
    line.split("=", 1)
    for line in (CHECKOUT / "deploy" / "containers.env.example").read_text(encoding="utf-8").splitlines()
    if line.startswith("CLUBNIGHT_")
)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The folder in which the image's programs start: the application in the package that it installs."""
    folder = tmp_path_factory.mktemp("image")
    for source, target in wheel_files(CHECKOUT).items():
        place = folder / target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / source, place)
    return folder / "clubnight" / "app"


def test_the_image_gets_what_it_copies():
    """From the checkout and from what `./dev release` builds, unless .dockerignore keeps it out."""
    copied = {
        name for names in re.findall(r"^COPY (?!--)(.+) \S+$", CONTAINERFILE, re.MULTILINE) for name in names.split()
    }
    kept = {
        line[1:] for line in (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"
    }
    assert copied == kept
    assert [name for name in copied if not name.startswith("dist/") and not (CHECKOUT / name).exists()] == []
    # The package's name begins like the engine's, which the image does not need.
    assert fnmatch("dist/clubnight-0.1.0-py3-none-any.whl", "dist/clubnight-*.whl")
    assert not fnmatch("dist/clubnight_engine-0.1.0-py3-none-any.whl", "dist/clubnight-*.whl")


def test_programs_of_the_image_are_where_it_puts_them():
    healthy = [
        service["healthcheck"]["test"] for service in SERVICES.values() if "test" in service.get("healthcheck", {})
    ]
    named = {word for words in healthy for word in words if word.startswith("/opt/")}
    named |= set(re.findall(r'"(/opt/[^"]+)"', CONTAINERFILE))
    assert named == {"/opt/clubnight/alive"}
    assert "WORKDIR /opt/clubnight\n" in CONTAINERFILE
    assert "COPY deploy/alive alive\n" in CONTAINERFILE


def test_the_files_of_the_image_make_a_server_without_a_fault(image, tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CLUBNIGHT_", "DJANGO_"))}
    environment |= TOLD | {"CLUBNIGHT_HTTPS": "1", "CLUBNIGHT_VAR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"CLUBNIGHT_DATABASE": "postgres://clubnight@127.0.0.1:1/clubnight"}
    environment |= {"CLUBNIGHT_MAIL": "smtp://127.0.0.1:1"}
    environment |= {"CLUBNIGHT_REDIS": "redis://127.0.0.1:1/0", "DJANGO_SETTINGS_MODULE": "config.settings"}
    # Check that the pages, the streams and the workers can import all they need, then run the server's own check.
    script = "import config.celery, config.asgi, config.wsgi; from django.core.management import call_command as c; "
    script += "c('check', deploy=True, fail_level='WARNING')"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=image, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "no issues" in done.stdout


def test_the_name_of_a_server_is_written_once_a_line(image):
    """The guide tells its reader to change the host name three times."""
    assert [name for name, value in TOLD.items() if "chess.example.org" in value] == [
        "CLUBNIGHT_NAME",
        "CLUBNIGHT_HOSTS",
        "CLUBNIGHT_LIVE",
    ]


# -- What starts what ------------------------------------------------------------------------------------------------


def used(section: str) -> set[str]:
    """The names of `secrets`, `volumes` or `env_networks` that services use, without folders of this machine."""
    given = [each for service in SERVICES.values() for each in service.get(section, [])]
    return {name for name in (each.partition(":")[0] for each in given) if not name.startswith(".")}


@pytest.mark.parametrize("section", ["secrets", "volumes", "networks"])
def test_what_services_use_is_declared_and_nothing_else(section):
    assert used(section) == set(COMPOSED[section])


def test_services_that_others_wait_for_have_a_health_check():
    """A service that must be healthy has a check of its own or the image's; one that must complete does end.

    Caddy waits for none: a server whose pages are slow to start would have no pages at all.
    """
    waits = {name: service["depends_on"] for name, service in SERVICES.items() if "depends_on" in service}
    assert waits.pop("caddy") == ["pages", "officers", "streams"]
    waited = [(other, how["condition"]) for others in waits.values() for other, how in others.items()]
    assert {condition for _other, condition in waited} == {"service_healthy", "service_completed_successfully"}
    for other, condition in waited:
        check = SERVICES[other].get("healthcheck", {})
        if condition == "service_healthy":
            assert "test" in check or (other in OURS and not check), other
        else:
            assert (SERVICES[other]["restart"], check) == ("no", {"disable": True}), other


def test_our_services_write_nowhere_else_and_may_do_nothing_else():
    for name, service in OURS.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {each.partition(":")[2] for each in service["volumes"]} == set(
            re.findall(r'"(/var/[^"]+)"', CONTAINERFILE.partition("VOLUME")[2].partition("\n")[0])
        ), name
    *_before, last = re.findall(r"^USER (\S+)$", CONTAINERFILE, re.MULTILINE)
    assert last == "10001:10001"


def test_every_image_of_others_has_its_registry_and_its_version():
    of_others = [service["image"] for name, service in SERVICES.items() if name not in OURS]
    of_others += re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE)
    assert len(of_others) == 5
    for image in of_others:
        assert re.fullmatch(r"docker\.io/library/\w+:\d[\w.-]*", image), image


@pytest.mark.parametrize(
    ("service", "unit"),
    [("streams", "streams"), ("beat", "beat"), ("rounds", "worker@"), ("papers", "worker@"), ("chores", "worker@")],
)
def test_containers_start_what_units_start(service, unit):
    """Except for addresses, and a worker's name: each container has a host name of its own."""
    text = (CHECKOUT / "deploy" / "systemd" / f"clubnight-{unit}.service").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ExecStart=/opt/clubnight/.venv/bin/(.*)$", text, re.MULTILINE)
    line = line.replace(" --hostname %i@%%h", "").replace("%i", service).replace("${CLUBNIGHT_LISTEN}", "0.0.0.0")  # noqa: S104
    assert SERVICES[service]["command"] == line.split()
