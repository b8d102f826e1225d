"""Every system agrees with its literal twin on every round of many random small events.

`CLUBNIGHT_AGREEMENT_EVENTS` sets the number of events a system (30 unless told). The full count:

    CLUBNIGHT_AGREEMENT_EVENTS=5000 .venv/bin/pytest -n 2 tests/pairing/engine/test_agreement.py
"""

from __future__ import annotations

import os

import pytest

from pairing.engine.rule_interpretations import (
    RULE_INTERPRETATIONS,
    TITLE_ORDER,
    non_default_interpretations,
    parse_interpretation,
)
from pairing.engine.systems import CUSTOM_ORDER_PROCEDURES, SWISS_SYSTEMS
from tests.pairing.engine.literal.compare import OTHER_READINGS, compared_rounds

EVENTS = int(os.environ.get("CLUBNIGHT_AGREEMENT_EVENTS", "30"))
CHUNK = 50
NAMES = [*SWISS_SYSTEMS, *(f"jahr+{procedure}" for procedure in CUSTOM_ORDER_PROCEDURES if procedure != "fide-1989")]
"""All the engine offers: a system without a twin fails here."""


@pytest.mark.parametrize("first_seed", range(0, EVENTS, CHUNK))
@pytest.mark.parametrize("name", NAMES)
def test_engine_agrees_with_the_literal_transcription(name: str, first_seed: int) -> None:
    seeds = range(first_seed, min(first_seed + CHUNK, EVENTS))
    compared = list(compared_rounds(name, seeds))
    disagreements = [str(each) for each in compared if not each.agrees]
    assert len(compared) >= len(seeds), "too few rounds were played to say anything"
    assert not disagreements, f"{len(disagreements)} of {len(compared)} rounds\n\n" + "\n\n".join(disagreements[:5])


@pytest.mark.parametrize(("name", "reading"), OTHER_READINGS)
def test_engine_agrees_with_the_literal_transcription_under_every_interpretation(name: str, reading: str) -> None:
    compared = list(
        compared_rounds(
            name, range(max(10, EVENTS // 10)), non_default_interpretations([parse_interpretation(reading)])
        )
    )
    disagreements = [str(each) for each in compared if not each.agrees]
    assert not disagreements, f"{len(disagreements)} of {len(compared)} rounds\n\n" + "\n\n".join(disagreements[:5])


def test_every_reading_is_compared() -> None:
    compared = {reading for _, reading in OTHER_READINGS}
    # The order of titles decides the starting list, before any pairing.
    assert compared == {
        f"{reading.id}={reading.alternative_value}"
        for reading in RULE_INTERPRETATIONS.values()
        if reading.id != TITLE_ORDER
    }
