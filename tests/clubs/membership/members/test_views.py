"""Sign-in, the colour scheme and the member list, as seen by each of the cast."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from clubs.models import Club, Member, Membership, Role, User
from common.text.reserved_slugs import RESERVED_CLUB_SLUGS, RESERVED_EVENT_SLUGS
from tests.module_fixtures import make_module_fixtures
from tests.scenario import HTMX, HTMX_BACK, SIGN_IN_FIRST, make_cast

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_cast)


def page(name: str, *more: object) -> str:
    return reverse(name, args=["pod-goncem", *more])


@pytest.mark.parametrize("name", ["member_list", "member_new", "member_edit"])
@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_the_member_list_is_closed_to_others(cast, name, who, status):
    more = [cast.members[0].pk] if name == "member_edit" else []
    assert cast.browser(who).get(page(name, *more)).status_code == status


def test_an_arbiter_reads_the_member_list_and_does_not_change_it(cast):
    arbiter = cast.browser("arbiter")
    assert "Nikt, Jan" in arbiter.get(page("member_list")).text
    assert page("member_new") not in arbiter.get(page("member_list")).text
    assert arbiter.post(page("member_new"), {"family_name": "Nowa"}).status_code == 403
    assert not Member.objects.filter(family_name="Nowa").exists()


def test_a_member_of_another_club_is_not_found(cast):
    other = Member.objects.create(club=Club.objects.get(slug="elsewhere"), family_name="Obca")
    assert cast.browser("secretary").get(page("member_edit", other.pk)).status_code == 404


def test_members_are_found_whatever_the_accents(cast):
    answer = cast.browser("secretary").get(page("member_list"), {"q": "zolc"})
    assert "Żółć, Grażyna" in answer.text
    assert "Nikt, Jan" not in answer.text
    assert answer.text.count("<html") == 1


@pytest.mark.every_database
def test_a_number_finds_the_membership_number_and_ids_and_the_pages_show_it(cast):
    one, other = cast.members[:2]
    Member.objects.filter(pk=other.pk).update(fide_id=99_123_456, national_id="00777")
    secretary = cast.browser("secretary")

    def found(query: str) -> list[int]:
        return [line.member.pk for line in secretary.get(page("member_list"), {"q": query}).context["page"]]

    assert found(str(one.pk)) == found(f"#{one.pk}") == [one.pk]
    assert found("99123456") == found("00777") == [other.pk]
    assert found("9" * 40) == found("²") == []
    for name in ("member_detail", "member_edit"):
        assert f"ember no. {one.pk}" in secretary.get(page(name, one.pk)).text


def test_who_has_the_wrong_role_reads_that_and_is_not_told_to_be_no_officer(cast):
    answer = cast.browser("arbiter").get(page("member_new"))
    assert "include this page" in answer.text
    assert "an officer" not in answer.text


def test_whose_dues_another_pays_reads_no_nothing_charged(cast):
    payer, child = cast.members[:2]
    secretary = cast.browser("secretary")
    assert "Nothing charged yet" in secretary.get(page("member_detail", child.pk)).text
    Member.objects.filter(pk=child.pk).update(family_payer=payer)
    shown = secretary.get(page("member_detail", child.pk)).text
    assert "Nothing charged yet" not in shown
    assert "Dues are charged to" in shown


@pytest.mark.every_database
def test_a_search_by_htmx_gets_the_list_alone(cast):
    answer = cast.browser("secretary").get(page("member_list"), {"q": "nikt"}, headers=HTMX)
    assert "Nikt, Jan" in answer.text
    assert "<html" not in answer.text


def test_going_back_to_a_search_gets_the_whole_page(cast):
    answer = cast.browser("secretary").get(page("member_list"), {"q": "nikt"}, headers=HTMX_BACK)
    assert "<html" in answer.text
    assert "HX-Target" in answer.headers["Vary"]


def test_nobody_found_says_so(cast):
    assert "No one found" in cast.browser("secretary").get(page("member_list"), {"q": "Ghost"}).text


def test_former_members_are_shown_on_demand(cast):
    Member.objects.filter(family_name="Nikt").update(status=Member.Status.FORMER)
    secretary = cast.browser("secretary")
    assert "Nikt, Jan" not in secretary.get(page("member_list")).text
    assert "Nikt, Jan" in secretary.get(page("member_list"), {"status": "all"}).text


def test_an_empty_member_list_says_what_to_do(cast):
    answer = cast.browser("neighbour").get(reverse("member_list", args=["elsewhere"]))
    ways = [answer.text.count(reverse(name, args=["elsewhere"])) for name in ("member_new", "members_import")]
    assert ways == [1, 1]
    assert 'role="search"' not in answer.text
    assert "No members yet" in answer.text


def test_the_list_of_members_takes_as_many_queries_for_six_as_for_sixty(cast, django_assert_max_num_queries):
    secretary = cast.browser("secretary")
    Member.objects.bulk_create(Member(club=cast.club, family_name=f"Kopia {n}") for n in range(60))
    with django_assert_max_num_queries(11):
        secretary.get(page("member_list"))


def test_a_member_is_added(cast):
    values = {"family_name": "Nowa", "given_name": "Ola", "rating": "1800", "federation": "pol", "status": "member"}
    answer = cast.browser("secretary").post(page("member_new"), values)
    assert answer.headers["Location"] == page("member_list")
    added = Member.objects.get(family_name="Nowa")
    assert (added.club, added.rating, added.federation) == (cast.club, 1800, "POL")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"family_name": ""}, "Enter at least the family name"),
        ({"rating": "18OO"}, "whole number"),
        ({"rating": "9999"}, "3500"),
        ({"federation": "Polska"}, "Enter the 3 letters FIDE uses, such as POL, CZE or BUL, or leave this empty"),
        ({"federation": "P1"}, "Enter the 3 letters FIDE uses, such as POL, CZE or BUL, or leave this empty"),
        ({"fide_id": "1100"}, "already has this FIDE ID"),
        ({"left_on": "2020-01-31"}, "To use this leaving date, also change the status to"),
    ],
)
def test_a_wrong_field_says_what_to_do_and_nothing_is_lost(cast, wrong, said):
    Member.objects.filter(family_name="Nikt").update(fide_id=1100)
    values = {"family_name": "Nowa", "given_name": "Apolonia", "rating": "1800", "status": "member"} | wrong
    answer = cast.browser("secretary").post(page("member_new"), values)
    assert answer.status_code == 422
    assert said in answer.text
    assert 'value="Apolonia"' in answer.text
    assert not Member.objects.filter(given_name="Apolonia").exists()


def test_a_member_is_changed(cast):
    member = cast.members[5]
    values = {"family_name": "Ktoś", "given_name": "Jan", "rating": "", "status": "member"}
    cast.browser("secretary").post(page("member_edit", member.pk), values)
    member.refresh_from_db()
    assert (member.family_name, member.rating) == ("Ktoś", 0)


@pytest.mark.parametrize("name", ["member_list", "colour_scheme_set"])
def test_wrong_methods_are_refused(cast, name):
    url = reverse(name) if name == "colour_scheme_set" else page(name)
    refused = cast.browser("secretary").put(url)
    assert refused.status_code == 405


def test_a_wrong_password_says_what_to_do():
    answer = Client().post(reverse("account_login"), {"login": "secretary", "password": "wrong"})
    assert "The username or password is wrong. Check both and try again" in answer.text
    assert 'value="secretary"' in answer.text


def test_signing_in_leads_to_the_page_one_wanted(cast):
    sent = {"login": "secretary", "password": "secretary", "next": page("member_list")}
    assert Client().post(reverse("account_login"), sent).headers["Location"] == page("member_list")


def test_the_link_to_sign_in_asks_for_no_other_page(cast):
    public = Client().get("/pod-goncem/")
    (link,) = re.findall(r'href="(/sign-in/[^"]*)"', public.text)
    link = link.replace("&amp;", "&")
    assert "next=/pod-goncem/" in link
    assert "you asked for" not in Client().get(link).text
    assert "you asked for" in Client().get(page("member_list"), follow=True).text


def test_the_look_is_remembered_in_this_browser():
    client = Client()
    answer = client.post(reverse("colour_scheme_set"), {"look": "dark", "next": reverse("account_login")})
    assert answer.headers["Location"] == reverse("account_login")
    dark = client.get(reverse("account_login")).text
    assert 'dark.css" media="screen">' in dark
    client.post(reverse("colour_scheme_set"), {"look": "auto"})
    assert "prefers-color-scheme" in client.get(reverse("account_login")).text


@pytest.mark.parametrize("elsewhere", ["https://example.com/", "//example.com", "javascript:alert(1)"])
def test_the_look_never_leads_to_another_site(elsewhere):
    assert Client().post(reverse("colour_scheme_set"), {"look": "light", "next": elsewhere}).headers["Location"] == "/"


def test_a_page_that_is_not_there_says_what_to_do():
    answer = Client().get("/no-such-club/")
    assert answer.status_code == 404
    assert reverse("home") in answer.text
    assert reverse("account_login") in answer.text


def test_a_club_cannot_live_where_a_page_is(cast):
    """Every fixed first part of a URL, and every fixed second part below a club, is reserved."""
    first, second = set(), set()
    for pattern in _all_patterns(get_resolver().url_patterns):
        parts = pattern.removeprefix("^").split("/")
        if parts[0].isascii() and parts[0] and "<" not in parts[0]:
            first.add(parts[0])
        elif parts[0] == "<slug:club>" and len(parts) > 1 and parts[1] and "<" not in parts[1]:
            second.add(parts[1])
    assert {"admin", "sign-in"} <= first
    assert "members" in second
    # Slugs contain no dot, so no club or event has the name of a file.
    assert {word for word in first if "." not in word} - RESERVED_CLUB_SLUGS == set()
    assert {word for word in second if "." not in word} - RESERVED_EVENT_SLUGS == set()


def _all_patterns(patterns: list, before: str = "") -> list[str]:
    found = []
    for pattern in patterns:
        here = f"{before}{pattern.pattern}"
        found += _all_patterns(pattern.url_patterns, here) if isinstance(pattern, URLResolver) else [here]
    return found


@pytest.mark.parametrize("address", ["admin", "sign-in", "static"])
def test_a_club_at_the_address_of_a_page_is_refused(address):
    with pytest.raises(ValidationError, match="is reserved"):
        Club(name="Any", slug=address).full_clean()


def test_a_treasurer_reads_the_member_list(cast):
    treasurer = User.objects.create_user("treasurer")
    Membership.objects.create(user=treasurer, club=cast.club, role=Role.TREASURER)
    assert cast.browser("treasurer").get(page("member_list")).status_code == 200


def test_the_language_is_the_browsers_until_another_is_chosen(cast):
    client = Client(headers={"Accept-Language": "bg"})
    assert '<html lang="bg">' in client.get(reverse("home")).text
    client.post(reverse("language_set"), {"language": "cs", "next": "/"})
    assert '<html lang="cs">' in client.get(reverse("home")).text


@pytest.mark.parametrize("language", ["pl", "cs", "bg", "de"])
def test_pages_open_in_every_language(cast, language):
    secretary = cast.browser("secretary")
    for address in (
        page("member_list"),
        page("tournament_new"),
        page("tournament", "sroda"),
        page("tournament_log", "sroda"),
    ):
        assert secretary.get(address, headers={"Accept-Language": language}).status_code == 200
