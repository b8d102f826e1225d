"""Run commands as in a shell: arguments in; status, output and errors out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import load_command_class

from pairing.cli import standalone_runner
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, report


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ended(door: Callable[[], object]) -> Ended:
        status: object = 0
        try:
            status = door() or 0
        except SystemExit as end:
            status = end.code
        captured = capsys.readouterr()
        assert isinstance(status, int)
        assert "Traceback" not in captured.err
        return Ended(status, captured.out, captured.err)

    def run_command(name: str, *arguments: object) -> Ended:
        """By the framework's door and by that past it, which must not differ."""
        texts = [*map(str, arguments)]
        by_framework = ended(lambda: load_command_class("pairing", name).run_from_argv(["manage.py", name, *texts]))
        past_it = ended(lambda: standalone_runner.run_command("manage.py", name, texts))
        usage = "usage: "
        assert past_it.err.startswith(usage) or past_it == by_framework
        assert (past_it.status, past_it.out) == (by_framework.status, by_framework.out)
        return by_framework

    return run_command


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Four players after two rounds; only 1-4 and 2-3 have not met."""
    return write(tmp_path / "evening.trf", "XXR 3", *FOUR_AFTER_TWO_ROUNDS)


def write(path: Path, *lines: str) -> Path:
    path.write_bytes(report(*lines))
    return path
