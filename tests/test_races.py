"""Every pair of actions at one instant, a time or two: see `races`, which also runs them 200 times and more."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.races import PAIRS, arranged

TIMES = 1 if connection.vendor == "sqlite" else 2
"""Where one writer waits for the other whatever he writes, as on SQLite, once."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("state", "one", "other"), PAIRS)
def test_two_at_one_instant(state, one, other):
    with arranged(state) as turns:
        assert len(list(turns(one, other, TIMES))) == TIMES
