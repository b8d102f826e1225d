"""A club's settings on one page, its colour, and its permanent menu."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from clubs.models import Club, ClubLetterhead, Role, User
from tests.clubs.member_scenario import owing
from tests.factories import make_member, make_user
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_cast)


def send(cast: Cast, section: str, **fields: object):
    return cast.browser("secretary").post(
        reverse("club_settings", args=[cast.club.slug]), {"section": section, **fields}
    )


def menu(cast: Cast, who: str, page: str = "club") -> list[str]:
    answer = cast.browser(who).get(reverse(page, args=[cast.club.slug]))
    return [way.name for way in answer.context["menu"]]


@pytest.mark.parametrize("section", ["", "money", "nothing"])
def test_sections_that_are_none(cast, section):
    assert send(cast, section, name="x").status_code == 400


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("identity", {"name": ""}),
        ("identity", {"name": "x", "colour": "url(x)"}),
        ("languages", {"language": "xx"}),
        ("languages", {"language": "pl", "time_zone": "Mars/Olympus"}),
        ("byes", {"requested_byes_allowed": -1, "requested_bye_worth": "H", "bye_deadline_hours": 0}),
        ("byes", {"requested_byes_allowed": 1, "requested_bye_worth": "F", "bye_deadline_hours": 0}),
        ("byes", {"requested_byes_allowed": 1, "requested_bye_worth": "H", "bye_deadline_hours": 721}),
    ],
)
def test_what_is_wrong_changes_nothing(cast, section, fields):
    before = Club.objects.values().get(pk=cast.club.pk)
    answer = send(cast, section, **fields)
    assert answer.status_code == 422
    assert Club.objects.values().get(pk=cast.club.pk) == before


def test_the_secretary_changes_the_currency_until_the_ledger_has_lines(cast):
    send(cast, "identity", name="x", currency="gbp")
    cast.club.refresh_from_db()
    assert cast.club.currency == "GBP"
    owing(make_member(cast.club, "Nikt, Jan"), 100)
    assert "entries in GBP" in send(cast, "identity", name="x", currency="CZK").text
    assert send(cast, "identity", name="y", currency="").status_code == 302
    cast.club.refresh_from_db()
    assert (cast.club.name, cast.club.currency) == ("y", "GBP")


def test_one_section_leaves_the_others_alone(cast):
    send(cast, "languages", language="cs", time_zone="Asia/Tokyo")
    answer = send(cast, "identity", name="Nowa Wieża", city="Brno", colour="#0000AA")
    assert answer.headers["Location"].endswith("#identity")
    cast.club.refresh_from_db()
    assert (cast.club.name, cast.club.colour, cast.club.language) == ("Nowa Wieża", "#0000aa", "cs")
    assert cast.club.slug == "pod-goncem", "so printed links keep working"


def test_the_logo_goes_to_the_papers(cast):
    picture = BytesIO()
    Image.new("RGB", (20, 20), "red").save(picture, "PNG")
    send(cast, "identity", name="x", logo_file=SimpleUploadedFile("logo.png", picture.getvalue()))
    assert bytes(ClubLetterhead.objects.get(club=cast.club).logo).startswith(b"\x89PNG")
    assert send(cast, "identity", name="x", logo_file=SimpleUploadedFile("l.png", b"no")).status_code == 422


def test_new_events_begin_with_the_clubs_rules_of_byes(cast):
    send(cast, "byes", requested_byes_allowed=5, requested_bye_worth="Z", bye_in_last_round="on", bye_deadline_hours=4)
    form = cast.browser("secretary").get(reverse("tournament_new", args=[cast.club.slug])).context["form"]
    assert form["requested_byes_allowed"].value() == 5
    assert form["requested_bye_worth"].value() == "Z"
    assert form["bye_in_last_round"].value() is True
    assert form["bye_deadline_hours"].value() == 4
    sent = {"requested_byes_allowed": 5, "requested_bye_worth": "Z", "bye_deadline_hours": 720}
    assert send(cast, "byes", **sent).status_code == 302, "thirty days are not too many"


def test_times_are_the_clubs(cast):
    this_round = cast.round(1)
    this_round.starts_at = datetime(2026, 9, 1, 16, 30, tzinfo=UTC)
    this_round.save()
    page = reverse("evenings_edit", args=[cast.club.slug, cast.event.slug])
    assert "18:30" in cast.browser("secretary").get(page).text
    send(cast, "languages", language="pl", time_zone="Europe/Sofia")
    assert "19:30" in cast.browser("secretary").get(page).text
    # The next request starts again with the server's clock.
    Club.objects.update(time_zone="")
    assert "18:30" in cast.browser("secretary").get(page).text


@pytest.mark.parametrize(
    ("who", "ways"),
    [
        ("visitor", ["events", "calendar"]),
        ("neighbour", ["events", "calendar"]),
        ("member", ["events", "ratings", "calendar"]),
        ("arbiter", ["events", "members", "ratings", "calendar"]),
        ("secretary", ["events", "members", "ratings", "calendar", "dues_overview", "settings"]),
    ],
)
def test_the_menu_leads_where_one_may_go(cast, who, ways):
    assert menu(cast, who) == ways
    browser = cast.browser(who)
    answer = browser.get(reverse("club", args=[cast.club.slug]))
    for way in answer.context["menu"]:
        assert browser.get(way.url).status_code == 200
    assert answer.text.count('aria-current="page"') == 3, "once in either form of the menu, and the name above"


def test_the_menu_stands_on_the_pages_of_events_too(cast):
    member = User.objects.get(username="member")
    cast.members[5].user = member
    cast.members[5].save()
    answer = cast.browser("member").get(reverse("tournament", args=[cast.club.slug, cast.event.slug]))
    assert "own" in [way.name for way in answer.context["menu"]]


def current(text: str) -> list[str]:
    """The titles marked in the wide menu."""
    menu = text.split('class="club-menu wide"')[1].split("</nav>")[0]
    return re.findall(r'aria-current="page">([^<]+)<', menu)


@pytest.mark.parametrize(
    ("where", "title"),
    [
        ("bank_lines_review", "Dues"),
        ("accounting_overview", "Dues"),
        ("club_print_centre", "Members"),
        ("guest_list", "Members"),
        ("letterhead_settings", "Settings"),
        ("club_calendar", "Calendar"),
        ("club_ratings", "Ratings"),
        ("tournament_new", "Events"),
    ],
)
def test_the_menu_marks_the_part_that_a_page_belongs_to(cast, where, title):
    assert current(cast.browser("secretary").get(reverse(where, args=[cast.club.slug])).text) == [title]


@pytest.mark.parametrize("where", ["dues_overview", "bank_lines_review", "accounting_overview"])
def test_the_menu_marks_dues_on_every_page_about_money(cast, where):
    make_user("treasurer", cast.club, Role.TREASURER)
    assert current(cast.browser("treasurer").get(reverse(where, args=[cast.club.slug])).text) == ["Dues"]


@pytest.mark.parametrize("where", ["tournament", "entries", "print_centre", "tournament_log", "tournament_edit"])
def test_the_menu_marks_events_inside_an_event(cast, where):
    text = cast.browser("secretary").get(reverse(where, args=[cast.club.slug, cast.event.slug])).text
    assert current(text) == ["Events"]


def test_on_a_phone_the_menu_has_the_account(cast):
    text = cast.browser("secretary").get(reverse("club", args=[cast.club.slug])).text
    folded = text.split('class="club-menu folded"')[1].split("</details>")[0]
    assert [reverse("own_account") in folded, reverse("account_logout") in folded] == [True, True]
    assert "club-menu" not in cast.browser("secretary").get("/account/").text
