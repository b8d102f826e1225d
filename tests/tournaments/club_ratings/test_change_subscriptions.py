"""Ratings follow all their sources; events across months."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models import F

from clubs.membership.members.duplicates import merge_members
from clubs.membership.members.forms import MemberForm
from clubs.membership.members.import_export import import_members
from clubs.membership.members.views.members import _saved
from clubs.models import Club, Member, MemberRating, TimeControlKind
from clubs.rating.calculation import fide_regulations
from clubs.rating.lists.import_jobs import get_fide_register, store_list_for_import
from clubs.rating.lists.list_import import run_list_import
from common.jobs.queue import run_job
from tests.clubs.rating.lists.test_reading import ONE_KIND, text_line
from tests.factories import leave_finished, make_club, make_event, make_member, make_user
from tests.module_fixtures import make_module_fixtures
from tests.tournaments.club_ratings.test_rating import MONDAY, a_season, stored
from tournaments.club_ratings.monthly_lists import monthly_rating_list
from tournaments.club_ratings.rating_calculation import find_wrong_stored_ratings
from tournaments.club_ratings.rating_history import club_rating_list
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.entries.enrolment import change_entry, enter_members
from tournaments.entries.member_linking import link_member, unlink_member
from tournaments.events.event_deletion import delete_event
from tournaments.events.event_setup import change_tournament
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.privacy.personal_data import erase_person
from tournaments.results.recording import correct_result
from tournaments.series.evening_schedule import schedule_evenings

pytestmark = pytest.mark.django_db


def club_with_a_season() -> Club:
    """Not calculated yet."""
    club = make_club()
    a_season(club, members=60, boards=20)
    return club


made_once, club = make_module_fixtures(club_with_a_season)


def some_rated(club) -> Member:
    """A junior in the calculation if possible, so that the year of birth matters."""
    rows = MemberRating.objects.filter(kind=TimeControlKind.STANDARD, member__erased_at=None).select_related("member")
    juniors = rows.filter(factor=40, member__birth_year__gte=2008)
    return max(juniors or rows, key=lambda row: (row.state["games"], row.pk)).member


def to_estimate(club) -> None:
    change_entry(Entry.objects.filter(rating__gte=1400).first(), by=None, rating_is_estimate=True)


def to_rated(club) -> None:
    change_entry(Entry.objects.order_by("rating", "pk").first(), by=None, rating=1900)


def another_rating(club) -> None:
    change_entry(Entry.objects.filter(rating__gte=1400).first(), by=None, rating=2333)


def birth_year(club) -> None:
    """On the member's page."""
    member = some_rated(club)
    form = MemberForm(
        {"family_name": member.family_name, "status": "member", "born": "1960"}, instance=member, club=club
    )
    assert form.is_valid(), form.errors
    _saved(form)


def birth_dates_in_a_table(club) -> None:
    member = some_rated(club)
    data = f"number;name;birth\n{member.pk};{member.name};5.5.1960\n".encode()
    assert import_members(club, data, today=date(2026, 11, 21), by=make_user("clerk")).changed_count == 1


def games_before(club) -> None:
    """On the member's page, for a member with an initial rating who is not a junior."""
    rows = MemberRating.objects.filter(kind=TimeControlKind.STANDARD, factor=20, member__erased_at=None)
    rows = rows.exclude(before=F("after"))
    member = max(rows or MemberRating.objects.filter(member__erased_at=None), key=lambda row: row.pk).member
    form = MemberForm(
        {"family_name": member.family_name, "status": "member", "born": member.birth_date_or_year, "games_before": "0"},
        instance=member,
        club=club,
    )
    assert form.is_valid(), form.errors
    _saved(form)


def a_result(club) -> None:
    game = Game.objects.filter(result="1-0", round__state=Round.State.FINISHED).first()
    correct_result(game, "0-0", revision=game.revision, by=None)


def days_of_an_event(club) -> None:
    change_tournament(Tournament.objects.earliest("starts_on"), by=None, ends_on=MONDAY.date() + timedelta(days=60))


def evenings(club) -> None:
    event = Tournament.objects.earliest("starts_on")
    leave_finished(Round.objects.filter(tournament=event, number=5))
    schedule_rating_from_month(club, None)
    schedule_evenings(event, MONDAY + timedelta(days=300), 7, by=None)


def an_erasure(club) -> None:
    erase_person(some_rated(club), by=None, in_results=True)


def a_list_of_fides(club) -> None:
    """K from a list, where the calculation would use another."""
    rows = MemberRating.objects.filter(kind=TimeControlKind.STANDARD, factor__gt=10, member__erased_at=None)
    row = max(rows.filter(factor=20) or rows, key=lambda row: (len(row.games), row.pk))
    Member.objects.filter(pk=row.member_id).update(fide_id=4242)
    said = text_line(number="4242", name="Pionek, Jan", rating="1900", kind_columns=1, factor=10)
    listed = store_list_for_import(
        get_fide_register(), [f"{ONE_KIND}\r\n{said}\r\n".encode()], "s.txt", kind="standard", by=None, month=row.month
    )
    assert run_job(listed.job_id, run_list_import)
    assert MemberRating.objects.get(member=row.member_id, kind=row.kind, month=row.month).factor == 10


def two_made_one(club) -> None:
    member = some_rated(club)
    twin = make_member(club, member.name, birth_year=member.birth_year)
    event = make_event(club, rounds=1, rated_as=TimeControlKind.STANDARD, starts_on=MONDAY.date())
    others = list(Member.objects.filter(entries__rating__gte=1800).exclude(pk=member.pk)[:1])
    enter_members(event, [twin, *others], by=None)
    white, black = event.entries.order_by("pk")
    finished(event, 1, MONDAY.date(), (white.name, black.name, "1-0"))
    schedule_rating_from_month(club, None)
    merge_members(member, twin, from_second=[], by=make_user("secretary"))


def an_event_deleted(club) -> None:
    delete_event(Tournament.objects.earliest("starts_on"), by=None, typed="Środa")


EDITS: list[Callable] = [to_estimate, to_rated, another_rating, birth_year, games_before, birth_dates_in_a_table]
EDITS += [a_result, days_of_an_event, evenings, an_erasure, a_list_of_fides, two_made_one, an_event_deleted]


@pytest.mark.parametrize("edit", EDITS)
def test_after_every_kind_of_edit_what_is_stored_is_what_is_counted(club, monkeypatch, edit):
    monkeypatch.setattr(fide_regulations, "NEW_PLAYER_GAMES", 5)  # nobody plays the required thirty games in one season
    schedule_rating_from_month(club, None)
    before = stored(), stored(TimeControlKind.RAPID)
    edit(club)
    assert find_wrong_stored_ratings(club) == []
    assert (stored(), stored(TimeControlKind.RAPID)) != before


def test_a_guest_taken_for_a_member_and_back_leaves_the_ratings_as_they_were(club):
    schedule_rating_from_month(club, None)
    entry = Entry.objects.select_related("member").filter(member=some_rated(club)).first()
    member = entry.member
    Entry.objects.filter(pk=entry.pk).update(member=None)
    schedule_rating_from_month(club, None)
    before = stored()
    link_member(entry, member, by=None)
    assert stored() != before
    unlink_member(entry, was=member.pk, by=None)
    assert stored() == before
    assert find_wrong_stored_ratings(club) == []


def test_what_is_stored_wrong_is_told_and_left(club):
    schedule_rating_from_month(club, None)
    row = MemberRating.objects.filter(after__isnull=False).first()
    MemberRating.objects.filter(pk=row.pk).update(after=row.after + 1)
    (told,) = find_wrong_stored_ratings(club)
    assert told == (row.member_id, row.kind, row.month.isoformat())
    assert MemberRating.objects.get(pk=row.pk).after == row.after + 1


def test_what_ratings_do_not_come_from_counts_nothing_anew(club, django_assert_max_num_queries):
    schedule_rating_from_month(club, None)
    with django_assert_max_num_queries(12):
        change_entry(Entry.objects.first(), by=None, remark="x")


# -- Months, by hand -------------------------------------------------------------------------------------------------


def finished(event: Tournament, number: int, day: date, *games: tuple[str, str, str], fix: bool = True) -> None:
    """A finished round on that day with these games: White, Black, result."""
    entries = {entry.name: entry for entry in event.entries.all()}
    this_round = event.rounds.get(number=number)
    this_round.starts_at = datetime(day.year, day.month, day.day, 18, tzinfo=UTC) if fix else None
    for board, (white, black, result) in enumerate(games, start=1):
        Game.objects.create(round=this_round, board=board, white=entries[white], black=entries[black], result=result)
    this_round.state = Round.State.FINISHED
    this_round.save()


@pytest.fixture
def two():
    """A club with A and B, both rated 1800, neither a junior, without earlier rated games: K is 40."""
    club = make_club("miesiace", "Miesiące")
    return club, [make_member(club, name, rating=1800, birth_year=1970, games_before=0) for name in ("A", "B")]


def event_of(club, members, rounds: int, starts_on: date, ends_on: date | None = None, **more) -> Tournament:
    event = make_event(club, rounds=rounds, starts_on=starts_on, ends_on=ends_on, **more)
    enter_members(event, members, by=None)
    return event


def months_of(name: str) -> dict[str, tuple]:
    rows = MemberRating.objects.filter(member__family_name=name).order_by("month")
    return {
        f"{row.month:%Y-%m}": (row.before, row.after, [(game["opponent"], game["expected"]) for game in row.games])
        for row in rows
    }


def test_an_event_over_two_months_is_counted_in_the_second_with_the_list_of_the_first(two):
    """12 January, A loses to B: 40 x -0.50 = -20 and +20, published in February: A 1780, B 1820.

    26 January and 2 February, one event of two rounds: A wins, then draws. In force on 26 January were 1800 and 1800,
    so A has (100 - 50) + (50 - 50) = 50 hundredths: +20 on 1780, and B -20 on 1820. With February's list it would be
    44 expected of each game: 56 + 6 = 62, which is +25.
    """
    club, members = two
    first = event_of(club, members, 1, date(2026, 1, 12))
    finished(first, 1, date(2026, 1, 12), ("A", "B", "0-1"))
    second = event_of(club, members, 2, date(2026, 1, 26), date(2026, 2, 2))
    finished(second, 1, date(2026, 1, 26), ("A", "B", "1-0"))
    finished(second, 2, date(2026, 2, 2), ("B", "A", "1/2"))
    schedule_rating_from_month(club, None)
    assert months_of("A") == {
        "2026-01": (1800, 1780, [(1800, 50)]),
        "2026-02": (1780, 1800, [(1800, 50), (1800, 50)]),
    }
    assert months_of("B") == {
        "2026-01": (1800, 1820, [(1800, 50)]),
        "2026-02": (1820, 1800, [(1800, 50), (1800, 50)]),
    }


def test_an_event_of_more_than_30_days_is_reported_month_by_month(two):
    """26 January to 2 March: each game counts in its own month, all with January's list."""
    club, members = two
    event = event_of(club, members, 3, date(2026, 1, 26), date(2026, 3, 2))
    for number, day in enumerate((date(2026, 1, 26), date(2026, 2, 9), date(2026, 3, 2)), start=1):
        finished(event, number, day, ("A", "B", "1-0"))
    schedule_rating_from_month(club, None)
    assert months_of("A") == {
        "2026-01": (1800, 1820, [(1800, 50)]),
        "2026-02": (1820, 1840, [(1800, 50)]),
        "2026-03": (1840, 1860, [(1800, 50)]),
    }


def test_a_rating_won_in_between_is_not_in_force(two):
    """C enters January's event unrated; five games elsewhere rate C before it ends, but not in this event."""
    club, (member, _other) = two
    newcomer = make_member(club, "C", birth_year=1970)
    slow = event_of(club, [member, newcomer], 1, date(2026, 1, 5), date(2026, 2, 2))
    quick = event_of(club, [member, newcomer], 5, date(2026, 1, 6), date(2026, 1, 10))
    for number in range(1, 6):
        finished(quick, number, date(2026, 1, 5 + number), ("A", "C", "1/2"))
    finished(slow, 1, date(2026, 2, 2), ("A", "C", "1-0"))
    schedule_rating_from_month(club, None)
    assert months_of("C")["2026-01"][1] == 1800
    assert months_of("A")["2026-02"][2] == [(None, None)]


def test_rapid_goes_by_the_standard_list_of_the_events_first_month(two):
    """January's standard event gives A 1820 from February; the rapid event began in January, so 1800 is in force."""
    club, members = two
    for member in members:
        member.save()
    standard = event_of(club, members, 1, date(2025, 12, 8))
    finished(standard, 1, date(2025, 12, 8), ("A", "B", "1/2"))
    won = event_of(club, members, 1, date(2026, 1, 12))
    finished(won, 1, date(2026, 1, 12), ("A", "B", "1-0"))
    rapid = event_of(club, members, 1, date(2026, 1, 26), date(2026, 2, 2), rated_as=TimeControlKind.RAPID)
    Entry.objects.filter(tournament=rapid).update(rating=0)
    finished(rapid, 1, date(2026, 2, 2), ("A", "B", "1-0"))
    schedule_rating_from_month(club, None)
    row = MemberRating.objects.get(member=members[0], kind=TimeControlKind.RAPID)
    assert (row.month, row.before, row.games[0]["opponent"], row.games[0]["expected"]) == (
        date(2026, 2, 1),
        1820,
        1800,
        50,
    )
    assert row.after == 1840


def test_an_imported_event_of_more_than_30_days_is_counted_by_the_days_that_its_file_gives(two):
    """Like the event above, but without evenings: the dates come from 132. An invalid date counts as none."""
    club, members = two
    event = event_of(club, members, 3, date(2026, 1, 26), date(2026, 3, 2))
    for number, day in enumerate((date(2026, 1, 26), date(2026, 2, 9), date(2026, 3, 2)), start=1):
        finished(event, number, day, ("A", "B", "1-0"))
    event.rounds.update(starts_at=None)
    for line, months in (
        ("26/01/26  26/02/09  26/03/02", ["2026-01", "2026-02", "2026-03"]),
        ("2026/01/262026/02/092026/03/02", ["2026-01", "2026-02", "2026-03"]),
        ("26/01/26  26/02/31  26/03/02", ["2026-01", "2026-03"]),
        ("", ["2026-03"]),
    ):
        type(event).objects.filter(pk=event.pk).update(report_lines=["132".ljust(91) + line, "001"])
        schedule_rating_from_month(club, None)
        assert sorted(months_of("A")) == months, line


def test_former_members_are_in_the_months_of_their_membership(two):
    club, members = two
    event = event_of(club, members, 1, date(2026, 1, 12))
    finished(event, 1, date(2026, 1, 12), ("A", "B", "0-1"))
    schedule_rating_from_month(club, None)
    left = Member.objects.get(club=club, family_name="A")
    Member.objects.filter(pk=left.pk).update(status="former", left_on=date(2026, 2, 3))
    seen = {
        month: {row.member.name for row in club_rating_list(club, "standard", date(2026, month, 1))}
        for month in (1, 2, 3)
    }
    assert seen == {1: {"A", "B"}, 2: {"A", "B"}, 3: {"B"}}
    assert {row.member.name for row in club_rating_list(club, "standard")} == {"B"}
    (line,) = (each for each in monthly_rating_list(club, "standard", date(2026, 1, 1)).lines if each.member == left)
    assert line.own is not None
