"""The page of an event's log."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace

import pytest
from django.urls import reverse

from tests.factories import published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.audit_log import views
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import Game
from tournaments.results.recording import enter_result

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

made_once, cast = make_module_fixtures(make_cast)


def entries(cast: Cast) -> list[list[str]]:
    """The sentences of the log, those shown together in one list."""
    answer = cast.browser("secretary").get(reverse("tournament_log", args=[cast.club.slug, cast.event.slug]))
    return [sentences for _day, found in answer.context["of_days"] for _line, _heading, sentences in found]


def test_results_of_one_minute_and_person_are_one_entry(cast, monkeypatch):
    minute = datetime(2026, 11, 24, 18, 0)
    clock = SimpleNamespace(localtime=lambda _at: minute, localdate=lambda _at: minute.date())
    monkeypatch.setattr(views, "timezone", clock)
    this_round = published(cast.event, 1)
    for board, by in ((1, cast.secretary), (2, cast.secretary), (3, None)):
        enter_result(this_round.games.get(board=board), Game.Result.DRAW, revision=0, by=by)
    shown = entries(cast)
    assert [len(found) for found in shown[:2]] == [1, 2]
    assert shown[0][0].startswith("Board 3: ½–½")
    assert [sentence[:7] for sentence in shown[1]] == ["Board 1", "Board 2"]


def test_many_results_or_numbers_are_one_line_that_opens(cast):
    this_round = published(cast.event, 1)
    for board in (1, 2):
        enter_result(this_round.games.get(board=board), Game.Result.DRAW, revision=0, by=cast.secretary)
    record_action(cast.event, EventAction.NUMBERS_CHANGED, by=cast.secretary, numbers="Rook 1 → 2; Pawn 2 → 1")
    record_action(cast.event, EventAction.EVENT_COPIED, by=cast.secretary, name="A" * 120)
    page = cast.browser("secretary").get(reverse("tournament_log", args=[cast.club.slug, cast.event.slug]))
    shown = " ".join(page.text.split())
    assert "<summary>2 results entered</summary>" in shown
    assert "<summary>2 pairing numbers changed</summary>" in shown
    assert '<details class="long"><summary><span>Copied the settings' in shown
