"""Random seasons, edited in every way: stored ratings equal calculated ones."""

from __future__ import annotations

import os
import random

import pytest

from clubs.models import MemberRating
from clubs.rating.calculation import fide_regulations
from common.problems import OfficerProblem
from tests.tournaments.club_ratings.test_change_subscriptions import EDITS
from tests.tournaments.club_ratings.test_rating import a_season
from tournaments.club_ratings.rating_calculation import find_wrong_stored_ratings
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.models import Game

pytestmark = pytest.mark.django_db


def seeds() -> range:
    """CLUBNIGHT_SEASONS=600, or 100-200 for a part of them; `-s` prints the edits of each. Default: one."""
    first, _dash, last = (os.environ.get("CLUBNIGHT_SEASONS") or "1").rpartition("-")
    return range(int(first or 0), int(last))


@pytest.mark.one_database
@pytest.mark.parametrize("seed", seeds())
def test_a_random_season_with_edits_by_chance(club, monkeypatch, seed):
    """Three to eight events of 30 to 60 members, with every edit in random order."""
    monkeypatch.setattr(fide_regulations, "NEW_PLAYER_GAMES", 5)
    chance = random.Random(seed)
    members = chance.randrange(30, 61)
    boards = chance.randrange(8, members // 3 + 1)
    a_season(club, seed=1000 + seed, members=members, events=chance.randrange(3, 9), boards=boards)
    schedule_rating_from_month(club, None)
    games, ratings = Game.objects.count(), MemberRating.objects.count()
    # All changes to an event come before its deletion.
    done = []
    for edit in [*chance.sample(EDITS[:-1], len(EDITS) - 1), EDITS[-1]]:
        try:
            edit(club)
        except OfficerProblem:
            continue
        done.append(edit.__name__)
        assert find_wrong_stored_ratings(club) == [], f"after {', '.join(done)}"
    print(f"season {seed}: {games} games, {ratings} months of players, {len(done)} edits")
    assert len(done) > len(EDITS) - 3
