"""Deleted events: visible only to officers, restorable for a while, then erased with all their data."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, MemberRating
from common.jobs.queue import create_job, run_job
from common.models import Job
from operations.demo.removal import remove_demo_club
from operations.integrity.examination import run_integrity_checks
from pairing.access import hall_screen_key
from pairing.rounds.lifecycle.transitions import pair_round
from tests.factories import make_event, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import SIGN_IN_FIRST, Cast, make_cast
from tournaments.check_in.personal_links import check_in_code_url, event_link_url
from tournaments.events.data_retention import ERASURE_JOB, erase_expired_data_in_all_clubs
from tournaments.events.event_deletion import RESTORE_PERIOD, delete_event, event_state_token, restore_event
from tournaments.events.event_setup import change_tournament, create_tournament
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Game, LogEntry, Series, Tournament
from tournaments.privacy.personal_data import collect_personal_data, erase_person
from tournaments.problems import ArbiterProblem, EventDeleted
from tournaments.series.standings import attendance_in_year

pytestmark = pytest.mark.django_db


def make_rows() -> Cast:
    """One round finished, one published."""
    cast = make_cast()
    change_tournament(cast.event, by=None, starts_on=date(2026, 3, 4), players_check_in=True)
    cast.event.rounds.update(starts_at=datetime(2026, 3, 4, 17, tzinfo=timezone.get_current_timezone()))
    played(cast.event, 1)
    published(cast.event, 2)
    cast.event.refresh_from_db()
    return cast


made_once, cast = make_module_fixtures(make_rows)


def of(cast: Cast, name: str) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug])


def gone(cast: Cast) -> None:
    """Delete it, confirmed with its name."""
    assert delete_event(cast.event, by=cast.secretary, typed=cast.event.name)


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("member", 403), ("neighbour", 404)])
def test_others_delete_and_restore_nothing(cast, who, status):
    browser = cast.browser(who)
    assert browser.post(of(cast, "tournament_delete"), {"name": cast.event.name}).status_code == status
    assert browser.post(of(cast, "tournament_repeat")).status_code == status
    gone(cast)
    assert browser.get(reverse("deleted_event_list", args=[cast.club.slug])).status_code == status
    assert browser.post(reverse("deleted_event_restore", args=[cast.club.slug, cast.event.pk])).status_code == status
    assert not Tournament.objects.filter(pk=cast.event.pk).exists()


def test_nobody_restores_the_event_of_another_club(cast):
    gone(cast)
    answer = cast.browser("neighbour").post(
        reverse("deleted_event_restore", args=["elsewhere", cast.event.pk]), follow=True
    )
    assert "be restored" in answer.content.decode()
    assert not Tournament.objects.filter(pk=cast.event.pk).exists()


@pytest.mark.parametrize("typed", ["", "Sroda", "Środa 2"])
def test_an_event_with_players_wants_its_name(cast, typed):
    answer = cast.browser("arbiter").post(of(cast, "tournament_delete"), {"name": typed})
    assert answer.status_code == 422
    assert Tournament.objects.filter(pk=cast.event.pk).exists()


def test_players_entered_in_another_tab_are_not_lost_with_an_empty_event(cast):
    event = make_event(cast.club)
    seen = event_state_token(event)
    assert (
        "It will be deleted immediately, and nothing is lost"
        in cast.browser("arbiter").get(reverse("tournament_delete", args=[cast.club.slug, event.slug])).content.decode()
    )
    from tournaments.entries.enrolment import enter_members

    enter_members(event, cast.members, by=None)
    with pytest.raises(ArbiterProblem, match="type its name exactly as shown"):
        delete_event(event, by=None, seen=seen)


def test_a_round_published_meanwhile_is_looked_at_first(cast):
    event = make_event(cast.club, players=4)
    seen = event_state_token(event)
    published(event, 1)
    with pytest.raises(ArbiterProblem, match="since you opened this page"):
        delete_event(event, by=None, typed="Środa", seen=seen)
    assert delete_event(event, by=None, typed=" środa ", seen=event_state_token(event))


def test_what_comes_too_late_is_told_so(cast):
    waiting = cast.round(3)
    gone(cast)
    with pytest.raises(EventDeleted):
        delete_event(cast.event, by=None, typed=cast.event.name)
    with pytest.raises(EventDeleted):
        change_tournament(cast.event, by=None, name="Czwartek")
    cast.event.rounds.filter(number=2).update(state="finished")
    with pytest.raises(EventDeleted):
        pair_round(waiting.pk, by=None)


def test_the_database_still_keeps_what_nobody_has_deleted(cast):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tournaments_game WHERE round_id = %s", [cast.round(1).pk])


# -- Gone, back again, and erased -------------------------------------------------------------------------------------


def test_an_empty_event_goes_at_once(cast):
    event = make_event(cast.club)
    answer = cast.browser("arbiter").post(reverse("tournament_delete", args=[cast.club.slug, event.slug]))
    assert answer.url == reverse("club", args=[cast.club.slug])
    assert not Tournament.with_deleted.filter(pk=event.pk).exists()


def test_it_is_gone_for_everybody_and_comes_back_as_it_was(cast):
    club = cast.club
    series = Series.objects.create(club=club, name="Zima")
    Tournament.objects.filter(pk=cast.event.pk).update(series=series)
    before, address = export_trf(cast.event), event_link_url(cast.entry(0))
    wall = check_in_code_url(cast.round(3))
    there = [of(cast, name) for name in ("tournament", "standings", "latest_round", "entries", "prizes", "hall_screen")]
    there += [reverse("round", args=[club.slug, cast.event.slug, 1]), address, wall]
    lists = [
        reverse("club", args=[club.slug]),
        reverse("club_calendar", args=[club.slug]),
        reverse("calendar_feed", args=[club.slug]),
        reverse("series_page", args=[club.slug, series.pk]),
        reverse("home"),
    ]
    rated = MemberRating.objects.count()
    assert rated
    assert attendance_in_year(club, 2026).members
    link = of(cast, "tournament")

    gone(cast)
    for who in ("visitor", "member", "arbiter"):
        browser = cast.browser(who)
        for page in there:
            assert browser.get(page).status_code == 404, (who, page)
        for page in lists:
            assert link not in browser.get(page).content.decode(), (who, page)
    assert cast.browser("visitor").get(of(cast, "hall_screen"), {"key": hall_screen_key(cast.event)}).status_code == 404
    assert cast.browser("arbiter").get(of(cast, "trf_export")).status_code == 404
    assert not MemberRating.objects.exists()
    assert not attendance_in_year(club, 2026).members
    assert [
        finding.code for finding in run_integrity_checks(Club.objects.filter(pk=club.pk)) if "rating" in finding.code
    ] == []
    assert collect_personal_data(cast.members[0])["events"], "what is kept of a person is told to him"
    assert make_event(club).slug != cast.event.slug

    page = cast.browser("arbiter").get(reverse("deleted_event_list", args=[club.slug]))
    assert cast.event.name in page.content.decode()
    for _press in range(2):
        cast.browser("arbiter").post(reverse("deleted_event_restore", args=[club.slug, cast.event.pk]))
    for page in there:
        assert cast.browser("visitor").get(page, follow=True).status_code == 200, page
    assert export_trf(Tournament.objects.get(pk=cast.event.pk)) == before
    assert MemberRating.objects.count() == rated
    assert LogEntry.objects.filter(action="event restored").count() == 1


def test_the_periodic_erasing_erases_it_with_everything_when_its_time_is_up(cast, capsys):
    keeps = make_event(cast.club, players=4)
    played(keeps, 1)
    gone(cast)
    Tournament.with_deleted.filter(pk=cast.event.pk).update(
        deleted_at=timezone.now() - RESTORE_PERIOD + timedelta(hours=1)
    )
    call_command("retention", "--erase")
    assert Tournament.with_deleted.filter(pk=cast.event.pk).exists()
    Tournament.with_deleted.filter(pk=cast.event.pk).update(
        deleted_at=timezone.now() - RESTORE_PERIOD - timedelta(hours=1)
    )
    call_command("retention")
    assert "deleted event" in capsys.readouterr().out
    assert Tournament.with_deleted.filter(pk=cast.event.pk).exists()
    job = create_job(ERASURE_JOB, by=None)
    run_job(job.pk, erase_expired_data_in_all_clubs)
    job.refresh_from_db()
    assert (job.state, job.result["events"]) == (Job.State.DONE, 1)
    assert not Tournament.with_deleted.filter(pk=cast.event.pk).exists()
    assert not LogEntry.objects.filter(tournament=cast.event.pk).exists()
    assert Game.objects.filter(round__tournament=keeps).count() == 2
    with pytest.raises(ArbiterProblem, match="permanently deleted"):
        restore_event(cast.club, cast.event.pk, by=None)


def test_a_person_is_erased_from_a_deleted_event_too(cast):
    gone(cast)
    erase_person(cast.members[0], in_results=True, by=cast.secretary)
    restored = restore_event(cast.club, cast.event.pk, by=None)
    assert not restored.entries.filter(name=cast.members[0].name).exists()


def test_a_club_goes_with_its_deleted_events(cast):
    gone(cast)
    Club.objects.filter(pk=cast.club.pk).update(is_demo=True)
    assert remove_demo_club()
    assert not Tournament.with_deleted.filter(pk=cast.event.pk).exists()


def test_an_address_is_not_given_to_another_event_while_it_can_come_back(cast):
    gone(cast)
    assert create_tournament(cast.club, by=None, name="Środa", rounds_announced=3).slug != cast.event.slug
