"""The pages of an event, as seen by each of the cast."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from unittest.mock import patch

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from clubs.models import Club
from tests.module_fixtures import make_module_fixtures
from tests.scenario import SIGN_IN_FIRST, Cast, make_cast
from tournaments.check_in.byes import mark_absent
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.events.event_progress import EventStage, find_next_step
from tournaments.events.event_setup import create_tournament
from tournaments.models import PairingSystem, Round, Tournament

pytestmark = pytest.mark.django_db

READ = ("tournament", "entries")
RUN = (
    "tournament_edit",
    "tournament_log",
    "trf_export",
    "entries_add_members",
    "entries_paste",
    "entries_import",
    "forbidden_pairs",
    "round_check_in",
    "entry_edit",
)
POST_ONLY = ("entry_withdraw", "entry_reinstate", "entry_remove", "entry_first_round_edit", "forbidden_pair_remove")

made_once, cast = make_module_fixtures(make_cast)


def page(cast: Cast, name: str) -> str:
    more = {"round_check_in": [1], "forbidden_pair_remove": [1]}.get(name, [])
    if name.startswith("entry_"):
        more = [cast.entry(0).pk]
    return reverse(name, args=[cast.club.slug, cast.event.slug, *more])


def set_states(event: Tournament, *states: Round.State) -> None:
    for number, state in enumerate(states, start=1):
        event.rounds.filter(number=number).update(state=state)


@pytest.mark.parametrize("name", RUN)
@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_running_an_event_is_closed_to_others(cast, name, who, status):
    assert cast.browser(who).get(page(cast, name)).status_code == status
    assert cast.browser(who).post(page(cast, name)).status_code in (status, 405)


@pytest.mark.parametrize("name", POST_ONLY)
@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_doing_something_is_closed_to_others(cast, name, who, status):
    assert cast.browser(who).post(page(cast, name), {"from_round": 1}).status_code == status
    assert cast.event.entries.count() == 6


@pytest.mark.parametrize("name", POST_ONLY)
def test_following_a_link_does_nothing(cast, name):
    assert cast.browser("secretary").get(page(cast, name)).status_code == 405


@pytest.mark.parametrize("name", [*RUN, *READ])
def test_wrong_methods_are_refused(cast, name):
    assert cast.browser("secretary").put(page(cast, name)).status_code == 405


@pytest.mark.parametrize("name", [*RUN, *READ])
@pytest.mark.parametrize("who", ["secretary", "arbiter"])
def test_those_who_run_an_event_open_every_page(cast, name, who):
    assert cast.browser(who).get(page(cast, name)).status_code == 200


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("who", ["visitor", "neighbour", "member"])
def test_everyone_reads_a_public_event_and_finds_no_link_to_running_it(cast, name, who):
    answer = cast.browser(who).get(page(cast, name))
    assert answer.status_code == 200
    for closed in RUN:
        assert page(cast, closed) not in answer.text


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize(("who", "status"), [("visitor", 404), ("neighbour", 404), ("member", 200)])
def test_an_event_of_the_club_alone_is_found_by_the_club_alone(cast, name, who, status):
    Tournament.objects.update(is_public=False)
    assert cast.browser(who).get(page(cast, name)).status_code == status


def test_lists_of_events_show_what_one_may_see(cast):
    create_tournament(cast.club, by=None, name="Secret Blitz", rounds_announced=5, is_public=False)
    Round.objects.filter(number=1).update(state=Round.State.PUBLISHED)
    for address in (reverse("home"), reverse("club", args=[cast.club.slug])):
        assert "Secret Blitz" not in cast.browser("visitor").get(address).text
        assert "Secret Blitz" not in cast.browser("neighbour").get(address).text
        assert "Secret Blitz" in cast.browser("member").get(address).text
        assert "Środa" in cast.browser("visitor").get(address).text


def test_lists_of_events_take_as_many_queries_for_one_as_for_thirty(cast, django_assert_max_num_queries):
    for number in range(30):
        create_tournament(cast.club, by=None, name=f"Event {number}", rounds_announced=2)
    Round.objects.filter(number=1).update(state=Round.State.PUBLISHED)
    secretary = cast.browser("secretary")
    for address, most in ((reverse("home"), 13), (reverse("club", args=[cast.club.slug]), 26)):
        with django_assert_max_num_queries(most):
            assert "Event 29" in secretary.get(address).text


def test_an_event_without_a_published_round_says_so_to_visitors(cast):
    assert "No rounds published yet" in cast.browser("visitor").get(page(cast, "tournament")).text


def test_a_draft_is_not_linked_for_visitors(cast):
    set_states(cast.event, Round.State.PUBLISHED, Round.State.DRAFT)
    rounds = [reverse("round", args=[cast.club.slug, cast.event.slug, number]) for number in (1, 2)]
    answer = cast.browser("visitor").get(page(cast, "tournament"))
    assert rounds[0] in answer.text
    assert rounds[1] not in answer.text
    assert rounds[1] in cast.browser("secretary").get(page(cast, "tournament")).text


@pytest.mark.parametrize(
    ("states", "stage"),
    [
        ([], EventStage.PAIR),
        ([Round.State.DRAFT], EventStage.PUBLISH),
        ([Round.State.PUBLISHED], EventStage.FINISH_ROUND),
        ([Round.State.FINISHED], EventStage.PAIR),
        ([Round.State.FINISHED] * 3, EventStage.DONE),
    ],
)
def test_what_comes_next(cast, states, stage):
    set_states(cast.event, *states)
    assert find_next_step(cast.event, list(cast.event.rounds.all())).stage is stage
    assert 'class="date-card' in cast.browser("secretary").get(page(cast, "tournament")).text


def test_what_comes_next_without_players(cast):
    cast.event.entries.all().delete()
    answer = cast.browser("secretary").get(page(cast, "tournament"))
    assert page(cast, "entries_add_members") in answer.text


def test_an_event_is_made(cast):
    values = {
        "name": "Зимен турнир",
        "rounds_announced": "7",
        "system": "fide-1989",
        "acceleration": "none",
        "first_colour": "w",
        "starts_on": "2027-01-06",
        "requested_bye_worth": "H",
        "requested_byes_allowed": "1",
        "late_entry_worth": "Z",
        "is_public": "on",
    }
    answer = cast.browser("secretary").post(reverse("tournament_new", args=[cast.club.slug]), values)
    event = Tournament.objects.get(name="Зимен турнир")
    assert answer.headers["Location"] == reverse("entries_add_members", args=[cast.club.slug, event.slug])
    assert (event.system, event.rounds.count(), str(event.starts_on)) == (PairingSystem.FIDE_1989, 7, "2027-01-06")
    assert not event.bye_in_last_round


def test_the_system_in_force_is_offered_first_or_the_clubs_last_one(cast):
    def offered() -> tuple[str, int, int]:
        html = cast.browser("secretary").get(reverse("tournament_new", args=[cast.club.slug])).content.decode()
        (chosen,) = re.findall(r'<input type="radio" name="system" value="([^"]+)"[^>]* checked', html)
        seen, _another, folded = html.partition("Another system")
        return chosen, seen.count('name="system"'), folded.count('name="system"')

    assert offered() == (cast.event.system, 1, 6), "Jahr's, as in the club's only event"
    create_tournament(cast.club, by=None, name="Swiss", rounds_announced=5, system="dutch-2026")
    assert offered() == ("dutch-2026", 1, 6)
    Tournament.objects.all().delete()
    assert offered() == ("dutch-2026", 1, 6)


def test_a_new_event_begins_today_and_one_that_is_made_keeps_its_days(cast):
    def start(address):
        (field,) = re.findall(r'<input[^>]*name="starts_on"[^>]*>', cast.browser("secretary").get(address).text)
        return (re.findall(r'value="([^"]*)"', field) or [""])[0]

    with patch("django.utils.timezone.now", return_value=datetime(2027, 1, 6, 12, tzinfo=UTC)):
        assert start(reverse("tournament_new", args=[cast.club.slug])) == "2027-01-06"
        Tournament.objects.update(starts_on=None)
        assert start(page(cast, "tournament_edit")) == ""
        Tournament.objects.update(starts_on=date(2026, 12, 30))
        assert start(page(cast, "tournament_edit")) == "2026-12-30"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "Enter a name for the event"),
        ({"rounds_announced": ""}, "Enter the number of rounds. You can change it later"),
        ({"rounds_announced": "100"}, "Enter at most 99 rounds"),
        ({"ends_on": "2026-01-01"}, "The event ends before it starts. Change one of the dates"),
        ({"starts_on": "6.1.27x"}, "year-month-day"),
        (
            {"acceleration": "progressive", "group_limit_a": "1800", "group_limit_c": "1900"},
            "The limit for group A must be above the limit for group C",
        ),
        (
            {"acceleration": "progressive", "group_limit_a": "1800"},
            "Enter both limits, or leave both empty for 2000 and 1600",
        ),
    ],
)
def test_a_wrong_event_says_what_to_do_and_nothing_is_lost(cast, wrong, said):
    values = {
        "name": "Wiosna",
        "rounds_announced": "5",
        "system": "jahr",
        "acceleration": "none",
        "first_colour": "w",
        "starts_on": "2027-01-06",
        "requested_bye_worth": "H",
        "requested_byes_allowed": "1",
        "late_entry_worth": "Z",
        "city": "Nibylandów Górny",
    } | wrong
    answer = cast.browser("arbiter").post(reverse("tournament_new", args=[cast.club.slug]), values)
    assert answer.status_code == 422
    assert said in answer.text
    assert "Nibylandów Górny" in answer.text
    assert Tournament.objects.count() == 1


def test_an_event_called_like_a_page_gets_another_address(cast):
    made = create_tournament(cast.club, by=None, name="Members", rounds_announced=5)
    assert made.slug != "members"


def event_values(event: Tournament) -> dict[str, object]:
    names = (
        "name system procedure rounds_announced acceleration first_colour requested_bye_worth requested_byes_allowed"
        " late_entry_worth"
    )
    return {name: getattr(event, name) for name in names.split()}


def test_an_event_is_changed_and_the_log_says_how(cast):
    secretary = cast.browser("secretary")
    secretary.post(page(cast, "tournament_edit"), event_values(cast.event) | {"rounds_announced": "5"})
    cast.event.refresh_from_db()
    assert (cast.event.rounds_announced, cast.event.rounds.count()) == (5, 5)
    log = secretary.get(page(cast, "tournament_log")).text
    assert "Changed the event: " in log
    assert "rounds: 5 (previously: 3)" in log


def test_fixed_values_are_shown_and_the_form_says_so(cast):
    set_states(cast.event, Round.State.PUBLISHED)
    secretary = cast.browser("secretary")
    assert "Round 1 is paired" in secretary.get(page(cast, "tournament_edit")).text
    values = event_values(cast.event) | {"system": "dubov-1997", "first_colour": "b", "name": "Środa wieczór"}
    secretary.post(page(cast, "tournament_edit"), values)
    cast.event.refresh_from_db()
    assert (cast.event.system, cast.event.first_colour, cast.event.name) == (PairingSystem.JAHR, "w", "Środa wieczór")


def test_what_is_refused_is_said_on_the_form_and_nothing_is_lost(cast):
    set_states(cast.event, Round.State.FINISHED, Round.State.FINISHED)
    values = event_values(cast.event) | {"rounds_announced": "1", "name": "Still here"}
    answer = cast.browser("secretary").post(page(cast, "tournament_edit"), values)
    assert answer.status_code == 422
    assert "Round 2 is already paired" in answer.text
    assert 'value="Still here"' in answer.text
    cast.event.refresh_from_db()
    assert (cast.event.rounds_announced, cast.event.name) == (3, "Środa")


def test_the_log_names_the_one_who_did_it(cast):
    enter_pasted_list(cast.event, "Gość, Anna", by=cast.secretary)
    log = cast.browser("secretary").get(page(cast, "tournament_log")).text
    assert "Entered players (1): Gość, Anna" in log
    assert "secretary" in log


def test_the_log_has_a_heading_for_each_day_and_no_order_but_time(cast):
    for entry, number in enumerate((1, 2, 1, 3)):
        mark_absent(cast.entry(entry), cast.round(number), by=cast.secretary)
    log = cast.browser("secretary").get(page(cast, "tournament_log")).text
    body = log.split("Entries can never be changed.")[1]
    assert re.findall(r"<h2>(.*?)</h2>", body) == [date_format(timezone.localdate(), "DATE_FORMAT")]
    assert re.findall(r" · round (\d)</span>", body) == ["3", "1", "2", "1"]


def test_the_report_file_is_handed_out_under_the_events_name(cast):
    answer = cast.browser("arbiter").get(page(cast, "trf_export"))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{cast.event.slug}.trf"'
    assert "Niebyłowicz-Fikcyjska" in answer.content.decode()
    assert "\r\n142 " in answer.content.decode()
    older = cast.browser("arbiter").get(page(cast, "trf_export") + "?codes=trf16").content.decode()
    assert "\r\nXXR " in older
    assert "\r\n142 " not in older
    check = cast.browser("arbiter").get(page(cast, "fide_report_check")).text
    assert page(cast, "trf_export") + "?codes=trf16" in check


def test_an_empty_club_says_what_to_do(cast):
    elsewhere = Club.objects.get(slug="elsewhere")
    answer = cast.browser("neighbour").get(reverse("club", args=[elsewhere.slug]))
    assert reverse("tournament_new", args=[elsewhere.slug]) in answer.text
    assert "no public event" in cast.browser("visitor").get(reverse("club", args=[elsewhere.slug])).text
