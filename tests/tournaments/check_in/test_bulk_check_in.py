"""Bulk check-in: everybody, everybody except a few, and undo."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.factories import draft_of, entries_to_pair, make_event, player, round_of
from tests.module_fixtures import make_module_fixtures
from tests.scenario import make_cast
from tournaments.check_in.bulk_check_in import (
    check_in_all_players,
    entries_shown_on_page,
    is_bulk_check_in,
    undo_bulk_check_in,
)
from tournaments.check_in.byes import grant_requested_bye
from tournaments.check_in.presence import (
    CheckInStatus,
    check_in_rows,
    entries_changed_since,
    latest_log_id,
    latest_log_line,
    set_check_in_state,
)
from tournaments.entries.enrolment import reinstate_player, withdraw_player
from tournaments.models import Bye, CheckIn, LogEntry
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club):
    return make_event(club, players=6)


def keys(event, *numbers: int) -> set[int]:
    return {player(event, number).pk for number in numbers}


def seen(event) -> list[CheckInStatus]:
    return [line.status for line in check_in_rows(round_of(event, 1))]


def test_nobody_is_marked_once_the_round_is_paired(event):
    press = keys(event, *range(1, 7))
    check_in_all_players(round_of(event, 1), shown=press, by=None)
    line = latest_log_id(round_of(event, 1))
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem, match="already paired"):
        check_in_all_players(round_of(event, 1), shown=press, by=None)
    with pytest.raises(ArbiterProblem, match="already paired"):
        undo_bulk_check_in(round_of(event, 1), line, by=None)


def test_players_with_another_state_keep_it(event):
    this_round = round_of(event, 1)
    set_check_in_state(player(event, 1), this_round, "absent", by=None)
    set_check_in_state(player(event, 2), this_round, "late", by=None)
    grant_requested_bye(player(event, 3), this_round, Bye.Kind.HALF_POINT, by=None)
    marked = check_in_all_players(this_round, shown=keys(event, 1, 2, 3, 4, 5), absent=keys(event, 4, 6), by=None)
    assert (marked.here, marked.absent) == (1, 1)
    assert seen(event) == [
        CheckInStatus.ABSENT,
        CheckInStatus.LATE,
        CheckInStatus.BYE,
        CheckInStatus.ABSENT,
        CheckInStatus.HERE,
        CheckInStatus.NOT_YET,
    ]
    assert {entry.pk for entry in entries_to_pair(this_round)} == keys(event, 2, 5, 6)


def test_a_second_click_finds_nobody(event):
    everybody = keys(event, *range(1, 7))
    check_in_all_players(round_of(event, 1), shown=everybody, by=None)
    with pytest.raises(ArbiterProblem, match="Everyone has already been marked"):
        check_in_all_players(round_of(event, 1), shown=everybody, by=None)
    assert CheckIn.objects.count() == 6


def test_other_devices_learn_of_each_row(event):
    before = latest_log_id(round_of(event, 1))
    check_in_all_players(round_of(event, 1), shown=keys(event, 1, 2), absent=keys(event, 2), by=None)
    assert entries_changed_since(round_of(event, 1), before) == keys(event, 1, 2)


def test_a_bulk_check_in_is_undone_whole_but_not_over_later_changes(event):
    this_round = round_of(event, 1)
    check_in_all_players(this_round, shown=keys(event, 1, 2, 3), absent=keys(event, 3), by=None)
    line = latest_log_id(this_round)
    set_check_in_state(player(event, 4), this_round, "here", by=None)
    assert not is_bulk_check_in(latest_log_line(this_round))
    with pytest.raises(ArbiterProblem, match="one by one"):
        undo_bulk_check_in(this_round, line, by=None)
    assert seen(event)[:4] == [CheckInStatus.HERE, CheckInStatus.HERE, CheckInStatus.ABSENT, CheckInStatus.HERE]
    check_in_all_players(this_round, shown=keys(event, 5, 6), absent=keys(event, 6), by=None)
    undo_bulk_check_in(this_round, latest_log_id(this_round), by=None)
    assert seen(event) == [
        CheckInStatus.HERE,
        CheckInStatus.HERE,
        CheckInStatus.ABSENT,
        CheckInStatus.HERE,
        CheckInStatus.NOT_YET,
        CheckInStatus.NOT_YET,
    ]


def test_who_has_come_since_the_page_was_made_is_not_meant(event):
    this_round = round_of(event, 1)
    withdraw_player(player(event, 2), 1, by=None)
    newest, since = player(event, 5).pk, LogEntry.objects.latest("pk").pk
    set_check_in_state(player(event, 1), this_round, "here", by=None)
    set_check_in_state(player(event, 1), this_round, "", by=None)
    reinstate_player(player(event, 2), by=None)
    assert entries_shown_on_page(this_round, newest=newest, since=since) == keys(event, 1, 3, 4, 5)
    assert entries_shown_on_page(this_round, newest=newest, since=LogEntry.objects.latest("pk").pk) == keys(
        event, 1, 2, 3, 4, 5
    )


# -- The page ------------------------------------------------------------------------------------------------------

made_once, cast = make_module_fixtures(make_cast)


def test_all_but_one_by_the_page(cast):
    def page(name: str) -> str:
        return reverse(name, args=[cast.club.slug, cast.event.slug, 1])

    secretary = cast.browser("secretary")
    assert "Everyone is here" in secretary.get(page("round_check_in")).text
    shown = [cast.entry(place).pk for place in range(6)]
    newest, since = (as_sent(secretary.get(page("round_check_in")).text, name) for name in ("newest", "since"))
    for nothing in ({}, {"newest": "x", "since": since}, {"since": since}):
        secretary.post(page("check_in_everybody"), nothing | {"who": "everybody"})
        assert not CheckIn.objects.exists()
    sent = {"newest": newest, "since": since, "absent": [shown[0], "x"], "who": "others"}
    answer = secretary.post(page("check_in_everybody"), sent, follow=True)
    assert "5 players are here. 1 player is absent." in answer.text
    assert "Everyone is here" not in answer.text
    line = LogEntry.objects.first()
    assert f'name="line" value="{line.pk}"' in answer.text
    wrong = secretary.post(page("check_in_everybody_undo"), {"line": line.pk - 1}, follow=True)
    assert "one by one" in wrong.text
    secretary.post(page("check_in_everybody_undo"), {"line": line.pk})
    assert not CheckIn.objects.exists()
    # The ticks only count for the button next to them.
    secretary.post(page("check_in_everybody"), sent | {"who": "everybody"})
    assert CheckIn.objects.filter(state="here").count() == 6


def as_sent(html: str, name: str) -> str:
    return re.search(f'name="{name}" value="([^"]*)"', html)[1]


def test_a_long_list_comes_by_pages_and_stays_where_it_was(cast, monkeypatch):
    for name, count in {"ROWS_PER_PAGE": 4, "MAX_TICKABLE_NAMES": 5, "MAX_CHANGED_ROWS": 5}.items():
        monkeypatch.setattr(f"tournaments.check_in.views.round_check_in.{name}", count)
    address = reverse("round_check_in", args=[cast.club.slug, cast.event.slug, 1])
    arbiter = cast.browser("arbiter")
    first, second = (arbiter.get(f"{address}?page={number}").text for number in (1, 2))
    assert (first.count('class="door-row'), second.count('class="door-row')) == (4, 2)
    assert 'name="absent"' not in first
    assert "Mark absent players first" in first
    last = cast.entry(1)
    assert f'id="player-{last.pk}"' not in first
    assert f'id="player-{last.pk}"' in arbiter.get(f"{address}?q={last.name.split(',')[0]}").text
    answer = arbiter.post(address, {"entry": last.pk, "mark": "absent", "page": as_sent(second, "page")})
    assert answer.headers["Location"] == f"{address}?page=2#player-{last.pk}"
    sent = {name: as_sent(first, name) for name in ("newest", "since")}
    arbiter.post(reverse("check_in_everybody", args=[cast.club.slug, cast.event.slug, 1]), sent | {"who": "everybody"})
    assert seen(cast.event).count(CheckInStatus.HERE) == 5
    news = arbiter.get(f"{address}?since=0&open=yes", headers={"HX-Request": "true"})
    assert (news.status_code, news.headers["HX-Refresh"]) == (204, "true")
