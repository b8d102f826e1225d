"""Seasons by chance, edited in every way: what is stored stays what would be counted."""

from __future__ import annotations

import os
import random
from contextlib import suppress

import pytest

from clubs.problems import OfficerProblem
from clubs.ratings import fide
from tests.tournaments.rated.test_rating import a_season
from tests.tournaments.rated.test_recounting import EDITS
from tournaments.rated.counting import differing
from tournaments.rated.keeping import rate_from

pytestmark = pytest.mark.django_db


@pytest.mark.one_database
@pytest.mark.parametrize("seed", range(int(os.environ.get("CLUBNIGHT_SEASONS") or 1)))
def test_a_random_season_with_edits_by_chance(club, monkeypatch, seed):
    """CLUBNIGHT_SEASONS=600 makes so many, each with every edit in an order of chance."""
    monkeypatch.setattr(fide, "NEW_UNTIL_GAMES", 5)
    a_season(club, seed=1000 + seed)
    rate_from(club, None)
    # Whatever is done in an event is done before it is deleted; nobody is erased amid one whose evenings were moved.
    for edit in [*random.Random(seed).sample(EDITS[:-1], len(EDITS) - 1), EDITS[-1]]:
        with suppress(OfficerProblem):
            edit(club)
        assert differing(club) == [], edit.__name__
