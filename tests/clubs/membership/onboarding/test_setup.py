"""An empty server, set up in the browser by whoever has the code; later clubs."""

from __future__ import annotations

import re
from io import StringIO
from types import SimpleNamespace

import pytest
from django.contrib.messages import get_messages
from django.core.management import call_command
from django.db import OperationalError, ProgrammingError
from django.test import Client
from django.urls import reverse

from clubs.membership.onboarding import club_creation
from clubs.membership.onboarding.club_creation import (
    approve_club_request,
    available_club_slug,
    create_club,
    is_server_empty,
    is_set_up_code,
    set_up_announcement,
    set_up_code,
)
from clubs.models import Club, ClubRequest, Invitation, Member, Membership, Role, User
from common.problems import OfficerProblem
from tests.factories import make_club as club_row
from tests.factories import make_user

pytestmark = pytest.mark.django_db

ACCOUNT = {
    "first_name": "Sabina",
    "last_name": "Zmyślona",
    "username": "sabina",
    "email": "sabina@poczta.example",
    "password1": "a night at the club",
    "password2": "a night at the club",
}
CLUB = {"club-name": "Pod Wieżą", "club-city": "Zamatowice", "club-language": "pl", "club-colour": "#a01020"}
SET_UP = "/set-up/"


def with_code() -> Client:
    browser = Client()
    assert browser.post(SET_UP, {"code": set_up_code().lower()}).status_code == 302
    return browser


# -- Closed ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["", "AAAA-BBBB-CCCC", "x" * 40, "ą" * 12])
def test_without_the_code_there_is_no_form(code):
    browser = Client()
    answer = browser.post(SET_UP, {"code": code})
    assert answer.status_code == 422
    assert "password1" not in answer.text
    assert browser.post(SET_UP, ACCOUNT | CLUB).status_code == 422
    assert is_server_empty()


def test_the_code_of_a_printed_link_is_filled_in():
    assert 'value="AAAA-BBBB-CCCC"' in Client().get(SET_UP, {"code": "AAAA-BBBB-CCCC"}).text


@pytest.mark.usefixtures("no_time_passes")
def test_guessing_the_code_is_slowed_down():
    for _ in range(11):
        answer = Client().post(SET_UP, {"code": "AAAA-BBBB-CCCC"})
    assert "Too many failed attempts" in answer.text
    browser = Client()
    browser.post(SET_UP, {"code": set_up_code()})
    assert "set_up_code" not in browser.session


def test_the_code_opens_nothing_once_somebody_has_a_log_in():
    browser = with_code()
    make_user("somebody")
    assert browser.get(SET_UP).headers["Location"] == "/"
    assert browser.post(SET_UP, ACCOUNT | CLUB).headers["Location"] == "/"
    assert User.objects.count() == 1
    assert set_up_announcement() == ""


@pytest.mark.parametrize(
    ("vendor", "problem", "said"),
    [
        ("postgresql", OperationalError, "Can't reach the database"),
        ("postgresql", ProgrammingError, "The database has not been created yet"),
        ("sqlite", OperationalError, "The database has not been created yet"),
    ],
)
def test_a_server_that_cannot_ask_its_database_says_what_to_do(vendor, problem, said, monkeypatch):
    """A missing table is an OperationalError on SQLite, and a ProgrammingError on PostgreSQL."""

    def is_empty_is_not_known() -> bool:
        raise problem("it says why")

    monkeypatch.setattr(club_creation, "is_server_empty", is_empty_is_not_known)
    monkeypatch.setattr(club_creation, "connection", SimpleNamespace(vendor=vendor))
    assert set_up_announcement().startswith(said)


@pytest.mark.parametrize(
    ("browser", "federation", "written", "kept"),
    [
        ("en-GB,en;q=0.9", "", "", "PLN"),
        ("en-GB", "cze", "", "CZK"),
        ("en-GB", "POL", "GBP", "GBP"),
        ("en-GB", "XYZ", " eur ", "EUR"),
    ],
)
def test_the_currency_is_what_is_written_else_that_of_federation_or_language(browser, federation, written, kept):
    sent = ACCOUNT | CLUB | {"club-federation": federation, "club-currency": written}
    assert with_code().post(SET_UP, sent, headers={"Accept-Language": browser}).status_code == 302
    assert Club.objects.get().currency == kept


@pytest.mark.parametrize(
    ("browser", "preset"),
    [("en-GB,en;q=0.9", "GBP"), ("pl", "PLN"), ("de-CH", "CHF"), ("de", "EUR"), ("en-US", "USD"), ("", "EUR")],
)
def test_the_currency_is_preset_by_the_browsers_language(browser, preset):
    form = with_code().get(SET_UP, headers={"Accept-Language": browser}).context["form"]
    assert form["currency"].value() == preset


def focused(answer) -> list[str]:
    return [re.search(r'name="([^"]*)"', tag)[1] for tag in re.findall(r"<[^>]* autofocus[ >]", answer.text + " ")]


def test_the_first_field_of_a_form_for_something_new_has_the_focus():
    browser = with_code()
    assert focused(browser.get(SET_UP)) == ["first_name"]
    assert focused(browser.post(SET_UP, ACCOUNT | CLUB | {"club-name": ""})) == [], "what is wrong stands above"
    browser.post(SET_UP, ACCOUNT | CLUB)
    club = Club.objects.get().slug
    member = Member.objects.create(club=Club.objects.get(), family_name="Nikt", given_name="Jan")
    assert focused(browser.get("/clubs/new/")) == ["name"]
    assert focused(browser.get(f"/{club}/events/new/")) == ["name"]
    assert focused(browser.get(reverse("member_new", args=[club]))) == ["family_name"]
    assert focused(browser.get(reverse("member_edit", args=[club, member.pk]))) == []


def test_a_new_club_hears_its_currency_and_clock():
    browser = with_code()
    sent = ACCOUNT | CLUB | {"club-currency": "CZK", "club-time_zone": "Asia/Tokyo"}
    text = browser.post(SET_UP, sent, follow=True).text
    assert "Currency: CZK. Time zone: Asia/Tokyo." in text


@pytest.mark.parametrize("currency", ["€", "EURO", "zł", "12E"])
def test_what_is_no_currency_makes_nothing(currency):
    answer = with_code().post(SET_UP, ACCOUNT | CLUB | {"club-currency": currency})
    assert answer.status_code == 422
    assert is_server_empty()


def test_of_two_with_the_code_one_is_too_late():
    first, second = with_code(), with_code()
    first.post(SET_UP, ACCOUNT | CLUB)
    second.post(SET_UP, ACCOUNT | CLUB | {"username": "other", "email": ""})
    assert User.objects.count() == Club.objects.count() == 1


def test_who_was_too_late_while_the_other_was_setting_up_is_told_so(monkeypatch):
    first, second = with_code(), with_code()
    first.post(SET_UP, ACCOUNT | CLUB)
    monkeypatch.setattr("clubs.membership.onboarding.views.is_server_empty", lambda: True)
    answer = second.post(SET_UP, ACCOUNT | CLUB | {"username": "other", "email": ""})
    assert answer.headers["Location"] == "/"
    (said,) = get_messages(answer.wsgi_request)
    assert "Someone else has already set up this server" in str(said)
    assert User.objects.count() == Club.objects.count() == 1


def test_a_server_with_a_new_key_has_a_new_code(settings):
    before = set_up_code()
    settings.SECRET_KEY = "another"
    assert not is_set_up_code(before)


@pytest.mark.parametrize(
    "change", [{"password2": "other"}, {"club-name": ""}, {"club-colour": "red"}, {"username": "a b"}]
)
def test_a_mistake_makes_nothing_and_keeps_what_was_written(change):
    answer = with_code().post(SET_UP, ACCOUNT | CLUB | change)
    assert answer.status_code == 422
    assert "Zamatowice" in answer.text
    assert "sabina@poczta.example" in answer.text
    assert is_server_empty()


@pytest.mark.parametrize("name", ["server_clubs", "club_new"])
def test_clubs_are_made_by_the_administrator_alone(name):
    secretary = make_user("secretary", club_row(), Role.SECRETARY)
    browser = Client()
    browser.force_login(secretary)
    assert browser.get(reverse(name)).status_code == 404
    assert browser.post(reverse("club_new"), {"name": "Rokada"}).status_code == 404


def test_asking_for_a_club_is_closed_unless_set():
    make_user("somebody")
    assert Client().get(reverse("club_request_new")).status_code == 404
    assert "Request a club" not in Client().get("/").text


# -- Open ------------------------------------------------------------------------------------------------------------


def test_the_code_is_shown_again():
    out = StringIO()
    call_command("setup_code", stdout=out)
    assert set_up_code() in out.getvalue()
    assert SET_UP in out.getvalue()
    make_user("somebody")
    out = StringIO()
    call_command("setup_code", stdout=out)
    assert set_up_code() not in out.getvalue()


def test_an_empty_server_leads_whoever_opens_it_there():
    answer = Client().get("/", follow=True)
    assert answer.redirect_chain == [(SET_UP, 302)]
    assert set_up_code() not in answer.text


def test_setting_up_the_first_club():
    browser = with_code()
    answer = browser.post(SET_UP, ACCOUNT | CLUB, follow=True)
    assert "Create your first event" in answer.text
    user, club = User.objects.get(), Club.objects.get()
    assert user.is_superuser
    assert user.check_password("a night at the club")
    assert (club.name, club.slug, club.city, club.language) == ("Pod Wieżą", "pod-wieza", "Zamatowice", "pl")
    assert club.colour == "#a01020"
    assert Membership.objects.get(user=user).role == Role.SECRETARY
    assert browser.get("/pod-wieza/events/new/").status_code == 200
    assert "/look/a01020/auto.css" in browser.get("/pod-wieza/").text


@pytest.mark.parametrize(
    ("chosen", "step"),
    [("", "rating_list_overview"), ("fide", "rating_list_upload"), ("national", "rating_register_new")],
)
def test_the_rating_list_that_was_chosen_is_the_next_step(chosen, step):
    browser = with_code()
    answer = browser.post(SET_UP, ACCOUNT | CLUB | {"club-rating_list": chosen}, follow=True)
    assert f'href="{reverse(step, args=["pod-wieza"])}"' in answer.text
    assert browser.get(reverse(step, args=["pod-wieza"])).status_code == 200


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Łódź Rokada", "lodz-rokada"),
        ("Шах клуб", "club"),
        ("Clubs", "clubs-club"),
        ("!", "club"),
        ("a" * 90, "a" * 40),
    ],
)
def test_addresses_made_from_names(name, address):
    assert available_club_slug(name) == address
    Club.objects.create(name=name, slug=address)
    assert available_club_slug(name) == f"{address}-2"


def test_a_later_club_with_an_invitation_for_its_secretary(mailoutbox):
    root = User.objects.create_superuser("root", password="root")
    browser = Client()
    browser.force_login(root)
    sent = {"name": "Rokada", "language": "cs", "colour": "#14613f", "secretary_email": "nova@posta.example"}
    assert browser.get(reverse("club_new")).status_code == 200
    assert browser.post(reverse("club_new"), sent | {"name": ""}).status_code == 422
    answer = browser.post(reverse("club_new"), sent, follow=True)
    assert "/join/" in answer.text
    assert mailoutbox[0].to == ["nova@posta.example"]
    assert Invitation.objects.get().role == Role.SECRETARY
    club = Club.objects.get()
    assert club.colour == "", "the house's colour is kept as none"
    assert not Membership.objects.exists()


def test_a_club_that_somebody_asks_for(settings, mailoutbox):
    settings.CLUB_REQUESTS_ALLOWED = True
    root = User.objects.create_superuser("root", password="root")
    sent = {"name": "Rokada", "city": "Brno", "asked_by": "Iva", "email": "iva@posta.example", "words": "<b>"}
    assert "iva@posta.example" in Client().post(reverse("club_request_new"), sent).text
    assert not Club.objects.exists()
    browser = Client()
    browser.force_login(root)
    assert "&lt;b&gt;" in browser.get(reverse("server_clubs")).text
    asked = ClubRequest.objects.get()
    browser.post(reverse("club_request_answer", args=[asked.pk]), {"answer": "make"})
    assert Club.objects.get().slug == "rokada"
    assert "/join/" in mailoutbox[0].body
    with pytest.raises(OfficerProblem):
        approve_club_request(asked, by=root)
    browser.post(reverse("club_request_answer", args=[asked.pk]), {"answer": "no"})
    assert ClubRequest.objects.get().state == "made"
    another = ClubRequest.objects.create(name="Roszada", asked_by="Iva", email="iva@posta.example")
    browser.post(reverse("club_request_answer", args=[another.pk]), {"answer": "no"})
    assert ClubRequest.objects.get(name="Roszada").state == "refused"
    assert Club.objects.count() == 1


def test_asking_is_slowed_down(settings):
    settings.CLUB_REQUESTS_ALLOWED = True
    make_user("somebody")
    for number in range(8):
        sent = {"name": f"Rokada {number}", "asked_by": "Iva", "email": "iva@posta.example"}
        answer = Client().post(reverse("club_request_new"), sent)
    assert answer.status_code == 422
    assert ClubRequest.objects.count() == 5


def test_a_made_up_club_is_no_club_of_the_server():
    Club.objects.create(name="Demo", slug="demo-club", is_demo=True)
    assert is_server_empty()
    create_club(Club(name="Real"), secretary=make_user("somebody"))
    page = Client().get("/").text
    assert page.index("Real") < page.index("Try the demo") < page.index("Demo")
