"""Hard events follow their recipes, and the search finds them. Times are not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lab.families import FAMILIES, Recipe, event_of
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("text", ["", "stars", "stars:1:2", "moons:12:4:3:0:1:0:90:0:1", "stars:a:4:3:0:1:0:90:0:1"])
def test_what_is_no_recipe_is_refused(text: str):
    with pytest.raises(ValueError):
        Recipe.read(text)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_drawn_event_has_a_legal_round_and_its_recipe_gives_it_again(family: str):
    recipe = Recipe.read(f"{family}:24:3:4:2:2:50:30:2:7")
    event = event_of(recipe, system="dutch-1992")
    assert event == event_of(Recipe.read(str(recipe)), system="dutch-1992")
    assert sum(card.unavailable is None for card in event.cards) == 24
    try:
        PAIRING_SYSTEMS["dutch-1992"](event)
    except PairingImpossible as error:
        pytest.fail(str(error))


def test_the_command_searches_and_writes_what_it_found(tmp_path: Path):
    path = tmp_path / "hard.trf"
    command = [sys.executable, "-m", "lab.worst_search"]
    state, tried = tmp_path / "state.json", []
    for _part in range(2):
        searched = subprocess.run(
            [*command, "--minutes", "0.001", "--largest", "24", "--seed", "1", "--state", str(state)],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        tried.append(int(searched.stdout.split()[0]))
        assert tried[-1] == json.loads(state.read_text())["tried"]
    assert tried[0] < tried[1]
    assert "| dutch-1992, stars |" in searched.stdout
    recipe = "chains:24:3:4:2:2:50:30:0:7"
    subprocess.run([*command, "--recipe", recipe, "--write", str(path)], cwd=ROOT, capture_output=True, check=True)
    read = snapshot_from_trf(read_trf(path.read_bytes(), name="hard.trf"), system="dutch-1992")
    assert read.forbidden_pairs == event_of(Recipe.read(recipe)).forbidden_pairs
