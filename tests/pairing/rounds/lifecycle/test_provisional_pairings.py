"""Provisional and final pairings, and the page that says whether a printout is current."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from pairing.rounds.lifecycle.provisional_pairings import declare_pairing_final, parse_provisional_until
from pairing.rounds.lifecycle.transitions import discard_draft, pair_round, publish_round, unpublish_round
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.models import LogEntry, Round
from tournaments.problems import ArbiterProblem

made_once, event, club, secretary = make_seven_player_fixtures()

WAITING, DRAFT = Round.State.WAITING, Round.State.DRAFT
PUBLISHED, FINISHED = Round.State.PUBLISHED, Round.State.FINISHED
WARSAW = ZoneInfo("Europe/Warsaw")
NOW = datetime(2026, 3, 11, 18, 15, tzinfo=WARSAW)


# -- Until when ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["soon", "25:00", "1830x", "18:30:15", "18:60", "<b>"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ArbiterProblem, match="a time"):
        parse_provisional_until(text, now=NOW)


@pytest.mark.parametrize("text", ["18:15", "18:14", "08:00"])
def test_a_time_that_has_passed_is_refused(text):
    with pytest.raises(ArbiterProblem, match="It's already 18:15"):
        parse_provisional_until(text, now=NOW)


@pytest.mark.parametrize("text", ["", "  "])
def test_no_time_is_final_at_once(text):
    assert parse_provisional_until(text, now=NOW) is None


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("18:30", NOW, datetime(2026, 3, 11, 18, 30, tzinfo=WARSAW)),
        ("18.45", NOW, datetime(2026, 3, 11, 18, 45, tzinfo=WARSAW)),
        ("18:16", NOW, datetime(2026, 3, 11, 18, 16, tzinfo=WARSAW)),
        ("00:10", datetime(2026, 3, 11, 23, 50, tzinfo=WARSAW), datetime(2026, 3, 12, 0, 10, tzinfo=WARSAW)),
    ],
)
def test_the_next_time_clocks_show_it(text, now, expected):
    assert parse_provisional_until(text, now=now) == expected


# -- Final -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [WAITING, DRAFT])
def test_nothing_is_final_before_it_is_published(state, round_in):
    this_round = round_in(1, state)
    with pytest.raises(ArbiterProblem, match="isn't published"):
        declare_pairing_final(this_round, by=None)


def test_a_final_pairing_is_declared_final_in_vain(round_in):
    this_round = round_in(1, PUBLISHED)
    declare_pairing_final(this_round, by=None)
    assert not LogEntry.objects.filter(action="pairing declared final").exists()


def test_a_pairing_is_provisional_until_its_time_or_until_declared_final(round_in, secretary):
    this_round = round_in(1, DRAFT)
    end = timezone.now() + timedelta(minutes=15)
    shown = publish_round(this_round, by=secretary, version=this_round.version, provisional_until=end)
    assert shown.is_provisional
    declared = declare_pairing_final(shown, by=secretary)
    assert not declared.is_provisional
    line = LogEntry.objects.get(action="pairing declared final")
    assert (line.actor, line.round) == (secretary, this_round)
    Round.objects.filter(pk=this_round.pk).update(provisional_until=timezone.now() - timedelta(seconds=1))
    assert not Round.objects.get(pk=this_round.pk).is_provisional


def test_a_withdrawn_pairing_is_no_longer_provisional(round_in, secretary):
    this_round = round_in(1, DRAFT)
    end = timezone.now() + timedelta(minutes=15)
    publish_round(this_round, by=secretary, version=this_round.version, provisional_until=end)
    assert unpublish_round(this_round, by=secretary, reason="late").provisional_until is None


# -- Pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_others_do_not_declare_final(who, status, round_in, signed_in, address, request):
    round_in(1, PUBLISHED)
    user = request.getfixturevalue(who) if who else None
    assert signed_in(user).post(address("round_declare_final", 1)).status_code == status


def test_a_time_beside_publish(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    end = timezone.localtime() + timedelta(minutes=20)
    browser = signed_in(secretary)
    refused = browser.post(address("round_publish", 1), {"version": this_round.version, "until": "soon"}, follow=True)
    assert "“soon” isn&#x27;t a time" in refused.content.decode()
    assert Round.objects.get(pk=this_round.pk).state == DRAFT
    browser.post(address("round_publish", 1), {"version": this_round.version, "until": f"{end:%H:%M}"})
    assert Round.objects.get(pk=this_round.pk).is_provisional
    mark = f"provisional until {end:%H:%M}"
    assert mark in signed_in().get(address("round", 1)).content.decode()
    browser.post(address("round_declare_final", 1))
    assert mark not in signed_in().get(address("round", 1)).content.decode()
    assert "final pairings" in signed_in().get(address("round", 1)).content.decode()


def test_a_page_is_fetched_anew_when_its_provisional_time_is_over(round_in, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    rounds = Round.objects.filter(pk=this_round.pk)
    rounds.update(provisional_until=timezone.now() + timedelta(minutes=5))
    phone = signed_in()
    mark = phone.get(address("round", 1))["ETag"]
    assert phone.get(address("round", 1), headers={"If-None-Match": mark}).status_code == 304
    rounds.update(provisional_until=timezone.now() - timedelta(seconds=1))
    assert phone.get(address("round", 1), headers={"If-None-Match": mark}).status_code == 200


def verdict(client, address, version: int) -> str:
    page = client.get(address("pairing_version_status", 1, version))
    assert page.status_code == 200
    return page.content.decode()


def test_only_the_version_that_is_published_is_current(round_in, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    assert "This printout is up to date." in verdict(signed_in(), address, this_round.version)
    for other in (this_round.version - 1, this_round.version + 1, 0):
        text = verdict(signed_in(), address, other)
        assert "out of date" in text
        assert f"Version {this_round.version} replaces version {other}" in text


def test_a_round_taken_back_or_not_published_has_no_current_paper(round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    version = this_round.version
    unpublish_round(this_round, by=secretary, reason="late")
    assert "This printout is no longer valid." in verdict(signed_in(), address, version)
    discard_draft(this_round, by=secretary)
    draft = pair_round(this_round.pk, by=secretary).round
    text = verdict(signed_in(), address, draft.version)
    assert "This printout is no longer valid." in text
    assert not any(game.white.name in text for game in draft.games.select_related("white"))


def test_a_closed_event_says_nothing_about_its_papers(event, round_in, signed_in, address):
    round_in(1, PUBLISHED)
    event.is_public = False
    event.save()
    assert signed_in().get(address("pairing_version_status", 1, 1)).status_code == 404
