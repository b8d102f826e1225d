"""The check-in code: players check themselves in, and what a joker cannot do."""

from __future__ import annotations

import time

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, player
from tests.module_fixtures import make_module_fixtures
from tests.scenario import HTMX, NAMES, Cast, make_cast
from tournaments.check_in.byes import grant_requested_bye
from tournaments.check_in.personal_links import check_in_code_url, event_link_url
from tournaments.check_in.presence import (
    CheckInStatus,
    check_in_rows,
    load_round_check_in,
    set_check_in_state,
)
from tournaments.models import Bye, CheckIn, Entry, Round


def make_rows() -> Cast:
    made = make_cast()
    made.event.players_check_in = True
    made.event.save()
    return made


made_once, cast = make_module_fixtures(make_rows)


def wall(cast: Cast, number: int = 1) -> str:
    return check_in_code_url(cast.round(number))


def test_a_wrong_code_another_rounds_and_another_events_code_open_nothing(cast):
    good = wall(cast)
    token = good.rstrip("/").rpartition("/")[2]
    other = make_event(cast.club, players=2, players_check_in=True)
    for address in (
        good.replace(token, f"2.{token.partition('.')[2]}"),
        good.replace(token, "1.AAAAAAAAAAAAAAAA"),
        good.replace(token, "x"),
        good.replace(cast.event.slug, other.slug),
    ):
        assert Client().get(address).status_code == 404
        assert Client().post(address, {"entry": cast.entry(0).pk}).status_code == 404
    assert Client().put(good).status_code == 405


def test_where_the_event_does_not_let_them_there_is_no_wall(cast):
    address = wall(cast)
    cast.event.players_check_in = False
    cast.event.save()
    assert Client().get(address).status_code == 404


def test_the_code_ends_when_check_in_is_closed(cast):
    address = wall(cast)
    Round.objects.filter(number=1).update(check_in_closed_at=timezone.now())
    for answer in (Client().get(address), Client().post(address, {"entry": cast.entry(0).pk})):
        assert answer.status_code == 410
        assert "Check-in is closed" in answer.content.decode()
    assert not CheckIn.objects.exists()


def test_find_your_name_one_tap_big_confirmation(cast):
    phone = Client()
    assert NAMES[1] in phone.get(wall(cast)).content.decode()
    found = phone.get(wall(cast), {"q": "измис"}, headers=HTMX).content.decode()
    assert NAMES[1] in found
    assert NAMES[0] not in found
    assert "<html" not in found
    answer = phone.post(wall(cast), {"entry": cast.entry(1).pk}, follow=True).content.decode()
    assert "You are checked in for round 1" in answer
    assert NAMES[1] in answer
    assert CheckIn.objects.get().by_player
    html = (
        cast.browser("arbiter")
        .get(reverse("round_check_in", args=[cast.club.slug, cast.event.slug, 1]))
        .content.decode()
    )
    assert "from phone" in html


@pytest.mark.parametrize("entry", ["", "x", "99999999", "٣", "9" * 40])
@pytest.mark.every_database
def test_a_mangled_tap(cast, entry):
    assert Client().post(wall(cast), {"entry": entry}).status_code == 404


def test_somebody_of_another_event_cannot_be_checked_in(cast):
    stranger = player(make_event(cast.club, players=1), 1)
    assert Client().post(wall(cast), {"entry": stranger.pk}).status_code == 404


def test_the_same_device_takes_it_back_and_no_other(cast):
    phone, other = Client(), Client()
    entry = cast.entry(1)
    assert "Undo" in phone.post(wall(cast), {"entry": entry.pk}, follow=True).content.decode()
    assert "Undo" not in other.post(wall(cast), {"entry": entry.pk}, follow=True).content.decode()
    other.post(wall(cast), {"entry": entry.pk, "tap": "undo"})
    assert CheckIn.objects.exists()
    phone.post(wall(cast), {"entry": entry.pk, "tap": "undo"})
    assert not CheckIn.objects.exists()


def test_one_phone_checks_in_a_family_but_not_the_whole_hall(cast):
    phone = Client()
    for place in range(4):
        assert phone.post(wall(cast), {"entry": cast.entry(place).pk}).status_code == 302
    answer = phone.post(wall(cast), {"entry": cast.entry(4).pk})
    assert answer.status_code == 422
    assert "has already checked in 4 players" in answer.content.decode()
    assert CheckIn.objects.count() == 4
    phone.post(wall(cast), {"entry": cast.entry(0).pk, "tap": "undo"})
    assert phone.post(wall(cast), {"entry": cast.entry(4).pk}).status_code == 302


def test_the_arbiters_absent_and_a_bye_stand_and_the_player_reads_so(cast):
    set_check_in_state(cast.entry(0), cast.round(1), "absent", by=cast.secretary)
    grant_requested_bye(cast.entry(1), cast.round(1), "H", by=cast.secretary)
    for place in (0, 1):
        html = Client().post(wall(cast), {"entry": cast.entry(place).pk}, follow=True).content.decode()
        assert "told the arbiter" in html
    assert Bye.objects.count() == 2


def test_the_wall_code_is_only_for_people_in_the_hall(cast):
    answer = Client().get(wall(cast))
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "/sign-in/" not in answer.content.decode()


@pytest.mark.parametrize("players", [6, 300])
def test_the_wall_takes_as_many_queries_for_any_number(club, players, django_assert_num_queries):
    event = make_event(club, players=6, players_check_in=True)
    Entry.objects.bulk_create(Entry(tournament=event, name=f"Kopia, {number:03}") for number in range(players - 6))
    address = check_in_code_url(event.rounds.select_related("tournament__club").get(number=1))
    with django_assert_num_queries(5):
        assert Client().get(address).status_code == 200


# -- From elsewhere --------------------------------------------------------------------------------------------------


def everybody_from_fresh_browsers(cast: Cast, address: str) -> None:
    for place in range(len(NAMES)):
        assert Client().post(address, {"entry": cast.entry(place).pk}, follow=True).status_code == 200


def test_a_printed_code_checks_nobody_in_until_an_officer_confirms(cast):
    everybody_from_fresh_browsers(cast, check_in_code_url(cast.round(1), on_paper=True))
    assert {line.status for line in check_in_rows(cast.round(1))} == {CheckInStatus.NOT_YET}
    assert all(line.has_claimed_presence for line in check_in_rows(cast.round(1)))
    assert len(load_round_check_in(cast.round(1)).unseen_entry_ids) == len(NAMES)
    page = reverse("round_check_in", args=[cast.club.slug, cast.event.slug, 1])
    assert cast.browser("arbiter").get(page).text.count('value="not-seen"') == len(NAMES), (
        "what is said can be put aside"
    )
    cast.browser("arbiter").post(page, {"entry": cast.entry(5).pk, "mark": "not-seen"})
    assert not CheckIn.objects.filter(entry=cast.entry(5)).exists()
    set_check_in_state(cast.entry(0), cast.round(1), "here", by=cast.secretary)
    assert not CheckIn.objects.get(entry=cast.entry(0)).says_here_at
    html = Client().post(check_in_code_url(cast.round(1), on_paper=True), {"entry": cast.entry(1).pk}, follow=True).text
    assert "Go to the desk so the arbiter can check you in" in html


def test_a_code_that_has_moved_on_is_worth_no_more_than_paper(cast, monkeypatch):
    address, now = wall(cast), time.time()
    monkeypatch.setattr("time.time", lambda: now + 9 * 60)
    Client().post(address, {"entry": cast.entry(0).pk})
    monkeypatch.setattr("time.time", lambda: now + 16 * 60)
    Client().post(address, {"entry": cast.entry(1).pk})
    seen = {line.entry.pk: line for line in check_in_rows(cast.round(1))}
    assert seen[cast.entry(0).pk].status is CheckInStatus.HERE
    assert (seen[cast.entry(1).pk].status, seen[cast.entry(1).pk].has_claimed_presence) == (CheckInStatus.NOT_YET, True)
    token = address.rstrip("/").rpartition("/")[2]
    moment = token.partition(".")[2].partition("-")[0]
    assert Client().get(address.replace(moment, str(int(moment) + 3))).status_code == 404


def test_a_page_never_gives_out_a_newer_code(cast, monkeypatch):
    address, now = wall(cast), time.time()
    paper = check_in_code_url(cast.round(1), on_paper=True)
    monkeypatch.setattr("time.time", lambda: now + 16 * 60)
    for known in (address, paper):
        text = Client().get(known).text + Client().post(known, {"entry": cast.entry(0).pk}, follow=True).text
        assert wall(cast) not in text


def test_the_code_on_screen_changes_but_not_the_printed_one(cast):
    page = reverse("check_in_code", args=[cast.club.slug, cast.event.slug, 1])
    shown = cast.browser("arbiter").get(page)
    assert shown.headers["Refresh"] == "60"
    assert wall(cast) in shown.text
    printed = cast.browser("arbiter").get(page, {"paper": ""})
    assert "Refresh" not in printed.headers
    assert check_in_code_url(cast.round(1), on_paper=True) in printed.text


def test_the_walls_code_is_a_picture_of_its_own(cast):
    answer = cast.browser("arbiter").get(reverse("check_in_code_picture", args=[cast.club.slug, cast.event.slug, 1]))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b'<svg xmlns="http://www.w3.org/2000/svg"')
    assert "no-store" in answer.headers["Cache-Control"]


def test_too_many_taps_by_one_link(cast):
    address = f"{event_link_url(cast.entry(0))}check-in/"
    answers = [Client().post(address, {"round": 1, "tap": "here"}).status_code for _tap in range(31)]
    assert answers[:30] == [302] * 30
    assert answers[30] == 429
    assert Client().post(f"{event_link_url(cast.entry(1))}check-in/", {"round": 1, "tap": "here"}).status_code == 302
    assert Client().get(event_link_url(cast.entry(0))).status_code == 200
