"""The page on tie-breaks names existing functions and tests."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from pairing.engine.standings import TIE_BREAKS

HERE = Path(__file__).resolve().parent
PAGE = (HERE.parents[3] / "docs" / "arbiter" / "tie-breaks.md").read_text(encoding="utf-8")
ROWS = [line.split("|") for line in PAGE.splitlines() if line.startswith("|") and "`" in line]
FUNCTIONS = sorted(set(re.findall(r"`([a-z0-9_]+)\.([A-Za-z_]+)`", "".join(cell[3] for cell in ROWS if len(cell) > 4))))
TESTS = sorted(set(re.findall(r"`(test_[a-z0-9_]+)(?:\.\.\.)?`", PAGE)))


def test_the_page_has_its_tables():
    assert len(FUNCTIONS) > 30
    assert len(TESTS) > 15


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_the_functions_there_are(module, name):
    assert hasattr(import_module(f"pairing.engine.standings.{module}"), name)


@pytest.mark.parametrize("name", TESTS)
def test_the_tests_there_are(name):
    sources = {path.stem: path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py")}
    assert name in sources or any(f"def {name}" in source for source in sources.values())


@pytest.mark.parametrize("code", TIE_BREAKS)
def test_every_tie_break_stands_there(code):
    assert code == "PTS" or re.search(rf"[|,] `?{code}`?[ ,(]", PAGE), (
        f"{code} has no row in docs/arbiter/tie-breaks.md"
    )
