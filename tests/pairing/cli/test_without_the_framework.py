"""The commands start without Django, whose import would take most of the time; `manage.py` still lists them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pairing.cli import standalone_runner
from pairing.cli.command_registry import COMMAND_NAMES, load_command

ROOT = Path(__file__).resolve().parents[3]


def ended(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("door", ["manage.py", "clubnight"])
def test_without_a_command_or_with_an_unknown_one(door: str):
    if door == "clubnight":
        assert ended(door).returncode == 2
        assert "invalid choice: 'migrate'" in ended(door, "migrate").stderr
    assert ended(door, "pair").returncode == 2


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_a_command_imports_neither_the_framework_nor_the_web_part(name: str):
    loaded = ended(
        "-c",
        f"import sys; from pairing.cli.command_registry import load_command; load_command({name!r})\n"
        "from pairing.cli import standalone_runner\n"
        "print(*sorted(sys.modules))",
    )
    modules = loaded.stdout.split()
    assert "pairing.engine.systems" in modules
    assert not [
        one
        for one in modules
        if one.split(".")[0] in {"django", "operations", "tournaments", "clubs", "common", "config"}
    ]


def test_both_commands_pair_alike(evening: Path):
    answers = [ended(door, "pair", "--system", "fide-1989", evening) for door in ("manage.py", "clubnight")]
    assert [(one.returncode, one.stdout) for one in answers] == [(0, answers[0].stdout)] * 2
    assert answers[0].stdout.startswith("2\n")


def test_both_commands_give_the_reasons_in_words(evening: Path):
    told = [ended(door, "pair", "--system", "fide-1989", "--explain", evening) for door in ("manage.py", "clubnight")]
    assert told[0].stdout == told[1].stdout
    assert "fide-1989 art. " in told[0].stdout


def test_a_python_without_the_framework_is_told_which_has_it(evening: Path):
    """With the system's Python: `-S` hides installed packages."""
    command = [sys.executable, "-S", "clubnight", "pair", "--system", "fide-1989", "--explain", evening]
    failed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert ".venv/bin/python clubnight pair" in failed.stderr


def test_a_failed_command_says_so_and_ends_with_its_status(tmp_path: Path):
    failed = ended("clubnight", "pair", "--system", "jahr", tmp_path / "no.trf")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith("CommandError: ")
    assert "can't be read" in failed.stderr


def test_the_framework_lists_them():
    listed = ended("manage.py", "help").stdout.split()
    assert set(COMMAND_NAMES) <= set(listed)


def test_every_command_says_what_it_does():
    assert all(load_command(name).help.endswith(".") for name in COMMAND_NAMES)


def test_options_of_the_framework_change_nothing(evening: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["--system", "fide-1989", str(evening)]
    standalone_runner.run_command("manage.py", "pair", arguments)
    plain = capsys.readouterr().out
    standalone_runner.run_command("manage.py", "pair", ["--no-color", "--verbosity", "0", *arguments])
    assert capsys.readouterr().out == plain
