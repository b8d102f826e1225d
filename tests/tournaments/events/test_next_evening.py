"""The next evening: which round it is, and how it is said."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tests.factories import make_event
from tournaments.events.next_evening import next_evening
from tournaments.models import Round, Tournament

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.fixture
def now(monkeypatch):
    """Set the time, which is noon of a Tuesday at first."""

    def set_time(moment: datetime) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: moment)

    set_time(NOON)
    return set_time


@pytest.fixture
def event(club):
    club.time_zone = "Europe/London"
    club.save()
    event = make_event(club, players=2, rounds=3)
    Tournament.objects.filter(pk=event.pk).update(starts_on=None)
    return event


def at(event, number: int, moment: datetime, state: str = "waiting") -> None:
    event.rounds.filter(number=number).update(starts_at=moment, state=state)


def said(event) -> str | None:
    found = next_evening(Tournament.objects.filter(pk=event.pk))
    return found.sentence if found else None


def test_the_next_round_with_a_time(event, now):
    assert said(event) is None
    at(event, 1, datetime(2026, 11, 17, 18, 30, tzinfo=UTC), Round.State.FINISHED)
    at(event, 2, datetime(2026, 12, 1, 18, 30, tzinfo=UTC))
    assert said(event) == "Next: Tuesday 1 December, 18:30, round 2"
    at(event, 2, datetime(2026, 11, 24, 18, 30, tzinfo=UTC))
    assert said(event) == "Tonight, 18:30, round 2"
    at(event, 2, datetime(2026, 11, 24, 10, 0, tzinfo=UTC), Round.State.PUBLISHED)
    assert said(event) == "Today, 10:00, round 2"
    at(event, 2, datetime(2026, 11, 24, 10, 0, tzinfo=UTC), Round.State.FINISHED)
    at(event, 3, datetime(2026, 11, 24, 14, 0, tzinfo=UTC))
    assert said(event) == "Today, 14:00, round 3"
    now(datetime(2026, 11, 25, 0, 30, tzinfo=UTC))
    assert said(event) is None


def test_the_club_s_clock_counts(event, now, club):
    club.time_zone = "Pacific/Auckland"
    club.save()
    at(event, 1, datetime(2026, 11, 24, 10, 30, tzinfo=UTC))
    assert said(event) is None, "there it is Wednesday already"
    at(event, 1, datetime(2026, 11, 25, 6, 0, tzinfo=UTC))
    assert said(event) == "Tonight, 19:00, round 1"


def test_an_event_without_times_counts_with_its_dates(event, now):
    Tournament.objects.filter(pk=event.pk).update(starts_on=date(2026, 12, 12))
    assert said(event) == "Next: Saturday 12 December"
    Tournament.objects.filter(pk=event.pk).update(starts_on=date(2026, 11, 23), ends_on=date(2026, 11, 25))
    assert said(event) == "Today"
    event.rounds.update(state=Round.State.FINISHED)
    assert said(event) is None
