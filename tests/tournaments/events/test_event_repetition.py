"""Repeated events: settings, evenings and prizes, with or without players."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member
from tests.factories import make_event, make_member, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.entries.enrolment import enter_pasted_list, forbid_pair, withdraw_player
from tournaments.events.event_progress import EventProgress, ListedEvent
from tournaments.events.event_repetition import (
    COPIED_FIELDS,
    latest_repeatable_event,
    next_event_date,
    next_event_name,
    repeat_event,
)
from tournaments.events.event_setup import change_tournament
from tournaments.events.forms import TournamentForm
from tournaments.models import EntryFee, OnlineEntry, OnlineEntrySettings, Prize, PrizeFund, Tournament

TODAY = date(2026, 3, 5)


def make_rows() -> Cast:
    cast = make_cast()
    change_tournament(
        cast.event, by=None, name="Evening 9", starts_on=date(2026, 3, 4), ends_on=date(2026, 3, 4), system="dutch-1992"
    )
    cast.event.refresh_from_db()
    return cast


made_once, cast = make_module_fixtures(make_rows)


def again(event: Tournament, today: date = TODAY, *, with_players: bool = False) -> Tournament:
    return repeat_event(event, by=None, with_players=with_players, today=today)[0]


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("Evening 9", "Evening 10"),
        ("Evening 09, blitz", "Evening 10, blitz"),
        ("Autumn Swiss 2026", "Autumn Swiss 2026 (2)"),
        ("Autumn Swiss 2026 (2)", "Autumn Swiss 2026 (3)"),
        ("Blitz", "Blitz (2)"),
        ("Event 123456", "Event 123456 (2)"),
        ("Wieczór 2² ", "Wieczór 3² "),
    ],
)
def test_the_name_after_this_one(name, after):
    assert next_event_name(name) == after


def test_the_name_is_nobody_elses():
    assert next_event_name("Evening 9", taken={"Evening 10", "Evening 11"}) == "Evening 12"
    assert next_event_name("Blitz", taken={"Blitz", "Blitz (2)"}) == "Blitz (3)"
    assert next_event_name("Autumn Swiss 2026", years=1) == "Autumn Swiss 2027"


def test_two_clicks_make_one_event_and_a_later_one_has_another_name(cast):
    change_tournament(cast.event, by=None, name="Blitz")
    cast.event.refresh_from_db()
    first = again(cast.event)
    assert again(cast.event) == first
    assert (first.name, again(cast.event, date(2026, 4, 1)).name) == ("Blitz (2)", "Blitz (3)")


@pytest.mark.parametrize(
    ("first", "last", "today", "expected"),
    [
        (date(2026, 3, 4), None, date(2026, 3, 4), date(2026, 3, 11)),
        (date(2026, 3, 4), None, date(2026, 3, 20), date(2026, 3, 25)),
        # An event of seven Wednesdays starts again when it is over.
        (date(2026, 3, 4), date(2026, 4, 15), date(2026, 3, 5), date(2026, 4, 22)),
        (None, None, date(2026, 3, 5), None),
    ],
)
def test_the_day_is_whole_weeks_on_and_not_past(first, last, today, expected):
    assert next_event_date(Tournament(starts_on=first, ends_on=last), today=today) == expected


def test_every_setting_of_the_form_comes_along():
    """A new field of the form is either copied or listed here."""
    assert set(TournamentForm.Meta.fields) - set(COPIED_FIELDS) == {"name", "starts_on", "ends_on"}


def test_settings_evenings_and_prizes_come_along_and_players_stay(cast):
    PrizeFund.objects.create(tournament=cast.event, sharing="hort", is_published=True)
    Prize.objects.create(fund=cast.event.prize_fund, place=1, cents=5000)
    # Summer time begins between the two: the clock on the wall shows the same hour.
    change_tournament(cast.event, by=None, starts_on=date(2026, 3, 25), ends_on=date(2026, 3, 25))
    cast.event.refresh_from_db()
    zone = timezone.get_current_timezone()
    cast.event.rounds.filter(number=1).update(starts_at=datetime(2026, 3, 25, 18, tzinfo=zone))
    made = again(cast.event, date(2026, 3, 26))
    assert (made.name, made.starts_on, made.ends_on) == ("Evening 10", date(2026, 4, 1), date(2026, 4, 1))
    for name in COPIED_FIELDS:
        assert getattr(made, name) == getattr(cast.event, name), name
    starts = made.rounds.get(number=1).starts_at
    assert starts is not None
    assert timezone.localtime(starts).replace(tzinfo=None) == datetime(2026, 4, 1, 18)
    assert made.prize_fund.sharing == "hort"
    assert not made.prize_fund.is_published
    assert made.prize_fund.prizes.get().cents == 5000
    assert not made.entries.exists()


def test_players_come_with_todays_ratings_but_for_those_who_left(cast):
    enter_pasted_list(cast.event, "Gość, Adam; 1777", by=None)
    guest = cast.event.entries.get(member=None)
    withdraw_player(cast.entry(1), 2, by=None)
    forbid_pair(cast.entry(0), guest, by=None, remark="brothers")
    Member.objects.filter(pk=cast.members[0].pk).update(rating=2111)
    Member.objects.filter(pk=cast.members[2].pk).update(status=Member.Status.FORMER)
    published(cast.event, 1)
    made = again(cast.event, with_players=True)
    assert {entry.name for entry in made.entries.all()} == {entry.name for entry in cast.event.entries.all()} - {
        cast.members[1].name,
        cast.members[2].name,
    }
    assert made.entries.get(member=cast.members[0]).rating == 2111
    assert made.entries.get(member=None).rating == 1777
    assert not made.entries.exclude(tpn=None).exists()
    assert made.forbidden_pairs.get().remark == "brothers"


def test_the_entry_form_comes_only_if_asked_and_guests_who_used_it_never(cast):
    form = OnlineEntrySettings.objects.create(tournament=cast.event, is_open=True, places=40, questions=["Rower?"])
    EntryFee.objects.create(settings=form, name="Wszyscy", amount=1500)
    enter_pasted_list(cast.event, "Gość, Adam\nKlubowa, Ola", by=None)
    for name in ("Gość, Adam", "Klubowa, Ola"):
        OnlineEntry.objects.create(tournament=cast.event, name=name, entry=cast.event.entries.get(name=name))
    ola = make_member(cast.club, "Klubowa, Ola")
    cast.event.entries.filter(name=ola.name).update(member=ola)
    browser = cast.browser("arbiter")
    event_page = reverse("tournament", args=[cast.club.slug, cast.event.slug])
    assert 'name="entry_form"' in browser.get(event_page).content.decode()
    address = reverse("tournament_repeat", args=[cast.club.slug, cast.event.slug])
    browser.post(address, {"players": "yes"})
    made = cast.club.tournaments.exclude(pk=cast.event.pk).get()
    assert not OnlineEntrySettings.objects.filter(tournament=made).exists()
    assert made.entries.filter(member=ola).exists()
    assert not made.entries.filter(name="Gość, Adam").exists()
    made.delete()
    browser.post(address, {"players": "yes", "entry_form": "yes"})
    copy = OnlineEntrySettings.objects.exclude(pk=form.pk).get()
    assert (copy.is_open, copy.places, copy.questions) == (False, 40, ["Rower?"])
    assert [(fee.name, fee.amount) for fee in copy.fees.all()] == [("Wszyscy", 1500)]
    assert form.fees.count() == 1


def test_two_clicks_make_one(cast):
    browser = cast.browser("arbiter")
    address = reverse("tournament_repeat", args=[cast.club.slug, cast.event.slug])
    first = browser.post(address, {"players": "yes"})
    second = browser.post(address, {"players": "yes"}, follow=True)
    assert second.redirect_chain[0][0] == first.url
    assert "was already created" in second.content.decode()
    assert cast.club.tournaments.count() == 2
    # The second week is created from the second event.
    made = cast.club.tournaments.exclude(pk=cast.event.pk).get()
    assert again(made).name == "Evening 11"


def test_what_is_made_again_is_the_latest_that_has_begun():
    days = (("to_come", date(2026, 4, 1)), ("finished", date(2026, 3, 4)), ("finished", date(2026, 3, 3)))
    days += (("running", None), ("to_come", None))
    events = [
        ListedEvent(
            tournament=Tournament(pk=number, starts_on=day), progress=EventProgress(state), round=0, rounds_finished=0
        )
        for number, (state, day) in enumerate(days, start=1)
    ]
    assert latest_repeatable_event(events) == events[1].tournament
    assert latest_repeatable_event([events[0], *events[3:]]) is None


def test_an_event_without_a_day_can_be_made_again(cast):
    event = make_event(cast.club, players=4)
    assert again(event, with_players=True).starts_on is None
