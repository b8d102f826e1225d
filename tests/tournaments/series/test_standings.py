"""The grand prix: best n of m, attendance, ties; and calendars by RFC 5545."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from tests.factories import make_club, make_event, make_member
from tournaments.entries.enrolment import enter_members
from tournaments.events.event_setup import change_tournament
from tournaments.models import Bye, Game, Round, Series, Tournament
from tournaments.series.calendar_feed import CalendarEntry, calendar_entries_of, render_calendar_file
from tournaments.series.evening_schedule import schedule_evenings
from tournaments.series.forms import SeriesForm
from tournaments.series.standings import YearAttendance, build_series_table

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def series(db) -> Series:
    return Series.objects.create(club=make_club(), name="Grand Prix", place_points=[10, 8, 6], events_counted=2)


def event_won_by(series: Series, winner: str, *others: str, loser_gets: str = "1-0") -> Tournament:
    """An event of one round: the winner beats the first of the others, the last has the bye if the number is odd."""
    event = make_event(series.club, rounds=1, series=series)
    names = [winner, *others]
    known = {member.family_name: member for member in series.club.members.all()}
    enter_members(event, [known.get(name) or make_member(series.club, name) for name in names], by=None)
    entries = {entry.name: entry for entry in event.entries.all()}
    this_round = event.rounds.get()
    for board, pair in enumerate(zip(names[::2], names[1::2], strict=False), start=1):
        white, black = (entries[name] for name in pair)
        Game.objects.create(round=this_round, board=board, white=white, black=black, result=loser_gets)
    if len(names) % 2:
        Bye.objects.create(round=this_round, entry=entries[names[-1]], kind=Bye.Kind.PAIRING_ALLOCATED)
    Round.objects.filter(pk=this_round.pk).update(state=Round.State.FINISHED)
    return event


def totals(series: Series) -> dict[str, tuple[int, int]]:
    """Place and total, in points."""
    return {row.name: (row.place, row.total // 2) for row in build_series_table(series).rows}


def test_an_event_that_is_not_over_does_not_count(series):
    event_won_by(series, "Anna", "Bo")
    make_event(series.club, rounds=2, series=series)
    assert len(build_series_table(series).events) == 1


def test_an_event_of_no_series_does_not_count(series):
    event = event_won_by(series, "Anna", "Bo")
    Tournament.objects.filter(pk=event.pk).update(series=None)
    assert build_series_table(series).rows == ()


def test_the_best_two_of_three_count(series):
    event_won_by(series, "Anna", "Bo")
    event_won_by(series, "Bo", "Anna")
    event_won_by(series, "Anna", "Bo")
    assert totals(series) == {"Anna": (1, 20), "Bo": (2, 18)}
    rows = {row.name: [award.counts for award in row.awards] for row in build_series_table(series).rows}
    assert rows == {"Anna": [True, False, True], "Bo": [True, True, False]}


def test_whoever_missed_an_event_has_nothing_from_it(series):
    event_won_by(series, "Anna", "Bo")
    event_won_by(series, "Anna", "Cyd")
    assert totals(series) == {"Anna": (1, 20), "Bo": (2, 8), "Cyd": (2, 8)}
    assert [row.awards[0] is None for row in build_series_table(series).rows] == [False, False, True]


def test_an_evening_counts_for_those_who_came(series):
    """Anna beats Bo, Cyd has the bye and was there; Dan won by forfeit against Eve, and neither came."""
    series.attendance_points = 3
    series.save()
    event_won_by(series, "Anna", "Bo", "Cyd")
    event_won_by(series, "Dan", "Eve", loser_gets="+/-")
    rows = {row.name: (row.evenings, row.evening_half_points) for row in build_series_table(series).rows}
    assert rows == {"Anna": (1, 6), "Bo": (1, 6), "Cyd": (1, 6), "Dan": (0, 0), "Eve": (0, 0)}


def test_points_scored_instead_of_places(series):
    series.award = Series.SeriesScoring.SCORE
    series.save()
    event_won_by(series, "Anna", "Bo", loser_gets="1/2")
    event_won_by(series, "Anna", "Bo")
    assert {row.name: row.total for row in build_series_table(series).rows} == {"Anna": 3, "Bo": 1}


# -- Calendars -------------------------------------------------------------------------------------------------------


def unfolded(file: bytes) -> list[str]:
    return file.decode().replace("\r\n ", "").split("\r\n")


def entry(title: str, **more: object) -> CalendarEntry:
    return CalendarEntry(key="round-7", title=title, place="", tournament=Tournament(), **more)


def test_a_long_name_is_folded_between_letters():
    """At most 75 octets per line, and every line is valid UTF-8."""
    title = "Świętopełk Żółć Първокласников ♞ " * 9
    file = render_calendar_file("Pod Wieżą", [entry(title, starts_at=NOW)], key="example.org", made_at=NOW)
    lines = file.split(b"\r\n")
    assert lines[-1] == b""
    assert all(len(line) <= 75 for line in lines)
    assert all(line.decode() for line in lines[:-1])
    assert f"SUMMARY:{title}" in unfolded(file)


def test_marks_that_mean_something_are_escaped():
    file = render_calendar_file("A", [entry("Wieża; a, b\\c\nd", starts_at=NOW)], key="example.org", made_at=NOW)
    assert r"SUMMARY:Wieża\; a\, b\\c\nd" in unfolded(file)


@pytest.mark.parametrize(("players", "average"), [((), 0), ((6,), 6), ((6, 7), 7), ((6, 7, 6), 6)])
def test_players_an_evening_to_the_nearest_whole_one(players, average):
    evenings = tuple((NOW.date(), count) for count in players)
    assert YearAttendance(by_month=(), players=evenings, members=()).average_players_per_evening == average


def test_the_place_is_said_where_there_is_one():
    said = CalendarEntry(key="round-7", title="A", place="Brno; sál", tournament=Tournament(), starts_at=NOW)
    assert r"LOCATION:Brno\; sál" in unfolded(render_calendar_file("A", [said], key="example.org", made_at=NOW))
    none = unfolded(render_calendar_file("A", [entry("A", starts_at=NOW)], key="example.org", made_at=NOW))
    assert not any(line.startswith("LOCATION") for line in none)


def test_a_series_with_an_event_of_the_club_alone_is_not_shown_to_visitors(client, club):
    for name, is_public in (("Otwarta", True), ("Zamknięta", False)):
        make_event(club, series=Series.objects.create(club=club, name=name), is_public=is_public)
    shown = client.get(f"/{club.slug}/calendar/").text
    assert "Otwarta" in shown
    assert "Zamknięta" not in shown


def test_moments_are_universal_and_whole_days_end_the_day_after():
    days = entry("B", first=date(2026, 12, 30), last=date(2026, 12, 31))
    lines = unfolded(render_calendar_file("A", [entry("A", starts_at=NOW), days], key="example.org", made_at=NOW))
    assert "DTSTART:20261121T120000Z" in lines
    assert "UID:round-7@example.org" in lines
    assert "DTSTART;VALUE=DATE:20261230" in lines
    assert "DTEND;VALUE=DATE:20270101" in lines
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(("ended", "is_shown"), [(None, False), (1, False), (0, True), (-1, True)])
def test_an_event_stands_in_the_calendar_up_to_its_last_day(client, club, ended, is_shown):
    """Days since its end; an event without an end date ended on its first day, two days ago."""
    today = timezone.localdate()
    ends_on = None if ended is None else today - timedelta(days=ended)
    make_event(club, starts_on=today - timedelta(days=2), ends_on=ends_on, is_public=True)
    [kept] = calendar_entries_of(club, club.tournaments.all())
    assert kept.last == (ends_on or today - timedelta(days=2))
    assert ("Środa" in client.get(f"/{club.slug}/calendar/").text) is is_shown


def test_an_evening_keeps_its_name_and_counts_its_changes(client, club):
    """Requested with another host name, it is the same evening; rescheduled, it is a later version of it."""
    event = make_event(club, rounds=1, starts_on=NOW.date(), is_public=True)
    asked = lambda host: unfolded(client.get(f"/{club.slug}/calendar.ics", headers={"host": host}).content)  # noqa: E731

    def facts(host: str) -> dict[str, str]:
        return dict(line.split(":", 1) for line in asked(host) if line.startswith(("UID", "SEQUENCE", "DTSTART")))

    first = facts("localhost")
    assert facts("127.0.0.1") == first
    schedule_evenings(event, NOW, 7, by=None)
    change_tournament(event, by=None, city="Brno")
    moved = facts("127.0.0.1")
    assert int(moved["SEQUENCE"]) > int(first["SEQUENCE"])
    assert moved["UID"].partition("@")[2] == first["UID"].partition("@")[2] == str(club.calendar_key)


def test_a_key_that_no_event_can_have_is_refused(series):
    """SQLite failed on it."""
    form = SeriesForm({"name": "Grand Prix", "attendance_points": "0", "events": ["9" * 30]}, club=series.club)
    assert form.errors["events"]
