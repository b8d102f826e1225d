"""Pairs of actions at the same moment: see `races`, which also runs every pair 200 times or more.

On SQLite, where one writer waits for the other whatever he writes, every third pair runs.
"""

from __future__ import annotations

import pytest
from django.db import connection

from tests.races import PAIRS, STATES, arranged

TIMES = 1
EVERY = 3 if connection.vendor == "sqlite" else 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", STATES)
def test_two_at_one_instant(state):
    """All pairs from one initial state, which is restored after each. A failure names its pair."""
    pairs = [(one, other) for named, one, other in PAIRS[::EVERY] if named == state]
    assert pairs
    with arranged(state) as turns:
        for one, other in pairs:
            assert len(list(turns(one, other, TIMES))) == TIMES, (one, other)
