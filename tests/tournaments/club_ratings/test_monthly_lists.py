"""The club's monthly list next to FIDE's, and the club over the years."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from clubs.models import Club, Member, MemberRating, MemberRatingListing, RatingRegister
from clubs.rating.lists.import_jobs import get_fide_register
from tests.factories import make_member
from tests.scenario import make_cast
from tournaments.club_ratings.monthly_lists import (
    RatingTrend,
    club_rating_trend,
    fide_rating_trend,
    monthly_rating_list,
)

pytestmark = pytest.mark.django_db

SEPTEMBER, OCTOBER, NOVEMBER = date(2026, 9, 1), date(2026, 10, 1), date(2026, 11, 1)


def rated(member: Member, month: date, after: int | None, kind: str = "standard") -> None:
    MemberRating.objects.create(member=member, kind=kind, month=month, after=after)


def listed(member: Member, register: RatingRegister, month: date, rating: int, **more: object) -> None:
    MemberRatingListing.objects.create(
        member=member, register=register, kind="standard", month=month, rating=rating, **more
    )


def shown(club: Club, asked_for: date | None) -> list[tuple[str, int | None, list[int | None]]]:
    found = monthly_rating_list(club, "standard", asked_for)
    assert found is not None
    return [
        (
            line.member.name,
            line.own.rating if line.own else None,
            [listing.rating if listing else None for listing in line.listed],
        )
        for line in found.lines
    ]


def test_without_any_list_there_is_no_month(club):
    rated(make_member(club, "Szybki"), OCTOBER, 1500, kind="rapid")
    assert monthly_rating_list(club, "standard", None) is None
    assert club_rating_trend(club, "standard") == RatingTrend(highest=[], median=[], players=[])


def test_a_month_shows_what_was_in_force_then(club):
    fide, national = get_fide_register(), RatingRegister.objects.create(club=club, name="ANAT")
    anna, jan, ola = (make_member(club, name) for name in ("Anna", "Jan", "Ola"))
    rated(anna, SEPTEMBER, 1500)
    rated(anna, NOVEMBER, 1600)
    rated(jan, OCTOBER, 1550)
    listed(anna, fide, SEPTEMBER, 1700, factor=40)
    listed(anna, fide, NOVEMBER, 1720)
    listed(ola, national, OCTOBER, 1810)
    gone = make_member(club, "Odeszły", status=Member.Status.FORMER)
    listed(gone, fide, SEPTEMBER, 2000)
    assert shown(club, SEPTEMBER) == [("Anna", 1500, [1700])]
    assert shown(club, OCTOBER) == [
        ("Jan", 1550, [None, None]),
        ("Anna", 1500, [1700, None]),
        ("Ola", None, [None, 1810]),
    ]
    assert shown(club, NOVEMBER)[0] == ("Anna", 1600, [1720, None])
    assert shown(club, date(2020, 1, 1)) == shown(club, None) == shown(club, NOVEMBER)


def test_the_club_through_the_years_counts_who_is_still_there(club):
    anna, jan, ola = (make_member(club, name) for name in ("Anna", "Jan", "Ola"))
    rated(anna, SEPTEMBER, 1500)
    rated(jan, SEPTEMBER, 1900)
    rated(ola, OCTOBER, 1600)
    Member.objects.filter(pk=jan.pk).update(left_on=date(2026, 10, 15), status=Member.Status.FORMER)
    rated(ola, NOVEMBER, None)
    assert club_rating_trend(club, "standard") == RatingTrend(
        highest=[(SEPTEMBER, 1900), (OCTOBER, 1900), (NOVEMBER, 1500)],
        median=[(SEPTEMBER, 1500), (OCTOBER, 1600), (NOVEMBER, 1500)],
        players=[(SEPTEMBER, 2), (OCTOBER, 3), (NOVEMBER, 1)],
    )


def test_a_rated_newcomer_is_on_the_list_from_joining(club):
    """A boy plays first, a master in November: the club was equally strong in September."""
    boy, master, late = (make_member(club, name) for name in ("Boy", "Master", "Late"))
    Member.objects.filter(pk=late.pk).update(joined_on=date(2026, 10, 9))
    rated(boy, SEPTEMBER, 1500)
    rated(boy, OCTOBER, 1520)
    for member, before in ((master, 2287), (late, 1800)):
        MemberRating.objects.create(member=member, kind="standard", month=NOVEMBER, before=before, after=before + 5)
    assert club_rating_trend(club, "standard") == RatingTrend(
        highest=[(SEPTEMBER, 2287), (OCTOBER, 2287), (NOVEMBER, 2292)],
        median=[(SEPTEMBER, 1500), (OCTOBER, 1800), (NOVEMBER, 1805)],
        players=[(SEPTEMBER, 2), (OCTOBER, 3), (NOVEMBER, 3)],
    )


def test_fides_lists_stand_beside(club, client, secretary):
    fide = get_fide_register()
    anna, jan = make_member(club, "Anna"), make_member(club, "Jan", left_on=date(2026, 10, 15))
    for month in (SEPTEMBER, OCTOBER, NOVEMBER):
        listed(anna, fide, month, 1700, is_inactive=month == OCTOBER)
        listed(jan, fide, month, 1900)
        rated(anna, month, 1600)
    assert fide_rating_trend(club, "standard") == RatingTrend(
        highest=[(SEPTEMBER, 1900), (OCTOBER, 1900), (NOVEMBER, 1700)],
        median=[(SEPTEMBER, 1700), (OCTOBER, 1900), (NOVEMBER, 1700)],
        players=[(SEPTEMBER, 2), (OCTOBER, 1), (NOVEMBER, 1)],
    )
    client.force_login(secretary)
    page = client.get(reverse("ratings_of_month", args=[club.slug])).text
    assert page.count("<polyline") == 6
    assert "Number of rated players" in page


def test_the_page_keeps_the_name_of_who_refused_and_the_file_is_for_who_runs_events():
    cast = make_cast()
    shy, plain = cast.members[:2]
    Member.objects.filter(pk=shy.pk).update(publication_consent="no", publication_consent_on=SEPTEMBER)
    rated(shy, OCTOBER, 1500)
    rated(plain, OCTOBER, 1400)
    rated(plain, NOVEMBER, 1410)
    address = reverse("ratings_of_month", args=["pod-goncem"])
    page = cast.browser("member").get(address, {"month": "2026-10"})
    assert plain.name in page.text
    assert shy.name not in page.text
    assert shy.name in cast.browser("arbiter").get(address).text
    assert cast.browser("arbiter").get(address, {"month": "10000-13"}).status_code == 200
    file = reverse("ratings_of_month_export", args=["pod-goncem", "csv"])
    assert cast.browser("member").get(file).status_code == 403
    lines = cast.browser("arbiter").get(file, {"month": "2026-10"}).content.decode("utf-8-sig").splitlines()
    assert [line.split(";")[3] for line in lines[1:]] == ["1500", "1400"]
