"""Member statistics: who counts on a day, age groups, joiners and leavers."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.membership.members.statistics import calculate_member_statistics, list_birthdays
from clubs.models import Member
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_member

pytestmark = pytest.mark.django_db

ON = date(2026, 11, 22)


def test_only_members_of_that_day_count(club):
    kinds = Member.Status
    make_member(club, "Jest")
    make_member(club, "Honorowy", status=kinds.HONORARY)
    make_member(club, "Gość", status=kinds.GUEST)
    make_member(club, "Kandydat", status=kinds.APPLICANT)
    make_member(club, "Przyszły", joined_on=date(2026, 11, 23))
    make_member(club, "Nowy", joined_on=ON)
    make_member(club, "Odszedł tego dnia", status=kinds.FORMER, left_on=ON)
    make_member(club, "Odszedł wczoraj", status=kinds.FORMER, left_on=date(2026, 11, 21))
    make_member(club, "Odszedł kiedyś", status=kinds.FORMER)
    found = calculate_member_statistics(club, on=ON)
    assert found.total_count == 4
    assert {each.counted_value: each.total_count for each in found.statuses} == {"member": 3, "honorary": 1}, (
        "as they were that day"
    )
    assert [member.name for member in found.joined] == ["Nowy"]
    assert [member.name for member in found.left] == ["Odszedł wczoraj", "Odszedł tego dnia"]
    assert calculate_member_statistics(club, on=date(2026, 11, 23)).total_count == 4, "one came, one went"


def test_bands_are_of_the_year_and_add_up(club):
    for born, sex in ((2019, "w"), (2018, "m"), (2017, "w"), (2016, "m"), (1976, "w"), (1961, ""), (None, "m")):
        make_member(club, f"Ur. {born}", birth_year=born, sex=sex)
    found = calculate_member_statistics(club, on=ON)
    seen = {
        (band.from_age, band.upper_age_limit): (band.women_count, band.men_count, band.unknown_sex_count)
        for band in found.bands
        if band.total_count
    }
    assert seen == {
        (0, 8): (1, 0, 0),
        (8, 10): (1, 1, 0),
        (10, 12): (0, 1, 0),
        (50, 65): (1, 0, 0),
        (65, None): (0, 0, 1),
        (None, None): (0, 1, 0),
    }
    assert (found.women_count, found.men_count, found.unknown_sex_count, found.total_count) == (3, 3, 1, 7)


def test_titles_stand_highest_first_and_an_estimate_is_no_rating(club):
    make_member(club, "A", title="FM", rating=2300, fide_id=1, sex="w")
    make_member(club, "B", title="IM", rating=2400)
    make_member(club, "D", title="FM", sex="m")
    make_member(club, "C", rating=1500, rating_is_estimate=True)
    found = calculate_member_statistics(club, on=ON)
    assert [
        (each.counted_value, each.women_count, each.men_count, each.unknown_sex_count) for each in found.titles
    ] == [
        ("IM", 0, 0, 1),
        ("FM", 1, 1, 0),
    ]
    assert (found.rated.total_count, found.with_fide_id.women_count, found.with_fide_id.total_count) == (2, 1, 1)


def test_birthdays_are_seen_by_those_who_see_dates_of_birth_and_that_is_written_down():
    cast = make_book()
    jan = cast.members[5]
    assert list_birthdays(cast.club, 2026, 3) == [(date(2026, 3, 28), 2026 - jan.birth_date.year, jan)]
    assert list_birthdays(cast.club, 2026, 4) == []
    march = {"on": "2026-03-01"}
    assert jan.name in cast.browser("secretary").get(page("member_statistics"), march).text
    assert cast.club.data_accesses.filter(what="contact", user=cast.secretary).exists()
    assert jan.name not in cast.browser("arbiter").get(page("member_statistics"), march).text
    assert cast.browser("arbiter").get(page("member_statistics"), {"on": "x"}).status_code == 200
    table = (
        cast.browser("arbiter").get(page("member_statistics_export", "csv")).content.decode("utf-8-sig").splitlines()
    )
    assert int(table[-1].split(";")[-1]) == calculate_member_statistics(cast.club, on=ON).total_count


def test_a_birthday_of_29_february_and_of_the_whole_year(club):
    leap = make_member(club, "Przestępny", birth_date=date(2012, 2, 29))
    late = make_member(club, "Zimowy", birth_date=date(2000, 12, 31))
    make_member(club, "Jeszcze nie", birth_date=date(2027, 1, 1))
    found = list_birthdays(club, 2026)
    assert found == [(date(2026, 2, 28), 14, leap), (date(2026, 12, 31), 26, late)]
    assert list_birthdays(club, 2028, 2) == [(date(2028, 2, 29), 16, leap)]


def test_the_members_of_a_day_are_handed_in_by_name_with_their_clubs():
    cast = make_book()
    jan = cast.members[5]
    Member.objects.filter(pk=jan.pk).update(
        joined_on=date(2026, 2, 1), came_from="Hetman", title="FM", fide_id=77, federation="POL", sex="m"
    )
    Member.objects.filter(pk=cast.members[4].pk).update(
        status=Member.Status.FORMER, left_on=date(2026, 11, 23), went_to="Goniec"
    )
    on = {"on": "2026-11-22", "what": "members"}
    table = (
        cast.browser("secretary")
        .get(page("member_statistics_export", "csv"), on)
        .content.decode("utf-8-sig")
        .splitlines()
    )
    lines = {line.split(";")[0]: line.split(";") for line in table}
    assert lines[jan.family_name][3:11] == [
        jan.birth_date.isoformat(),
        "FM",
        str(jan.rating or ""),
        "POL",
        "77",
        "",
        "member",
        "2026-02-01",
    ]
    assert lines[jan.family_name][11] == "Hetman"
    assert lines[cast.members[4].family_name][-2:] == ["2026-11-23", "Goniec"]
    assert len(table) == 1 + calculate_member_statistics(cast.club, on=ON).total_count
    assert cast.club.data_accesses.filter(what="list export", user=cast.secretary).exists()
    of_arbiter = cast.browser("arbiter").get(page("member_statistics_export", "csv"), on).content.decode("utf-8-sig")
    assert jan.birth_date.isoformat() not in of_arbiter
    assert f"{jan.family_name};{jan.given_name};male;{jan.birth_year};" in of_arbiter
    shown = cast.browser("secretary").get(page("member_statistics"), {"on": "2026-11-22", "birthdays": "year"}).text
    assert "from Hetman" in shown
    assert f"turns {2026 - jan.birth_year}" in shown
