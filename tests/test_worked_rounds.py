"""The systems pair the worked rounds in `docs/arbiter/systems/` as described."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pairing.engine.acceleration.progressive import nearest_valid_limits
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf

PAGES = Path(__file__).resolve().parent.parent / "docs" / "arbiter" / "systems"


def worked(page: str, word: str = "Boards") -> str:
    """The boards of a page, White first."""
    (found,) = re.findall(rf"^{word}: (.*)$", (PAGES / page).read_text(encoding="utf-8"), re.MULTILINE)
    return found


def paired(system: str, acceleration: str = "none") -> str:
    snapshot = snapshot_from_trf(read_trf((PAGES / "example.trf").read_bytes(), name="example.trf"), system=system)
    limits = nearest_valid_limits([card.rating for card in snapshot.cards]) if acceleration == "progressive" else None
    made = PAIRING_SYSTEMS[system](replace(snapshot, acceleration=acceleration, group_limits=limits))
    assert made.bye is None
    return " ".join(f"{game.white}-{game.black}" for game in made.games)


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_every_system_has_a_page_with_a_worked_round(system: str):
    assert paired(system) == worked(f"{system}.md")


@pytest.mark.parametrize(("acceleration", "word"), [("progressive", "Boards"), ("baku", "Baku")])
def test_accelerated_rounds(acceleration: str, word: str):
    assert paired("dutch-1992", acceleration) == worked("progressive-acceleration.md", word)


def test_the_systems_differ_on_the_example():
    assert len({paired(system) for system in SWISS_SYSTEMS}) > 1
