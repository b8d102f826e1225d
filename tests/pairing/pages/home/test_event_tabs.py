"""The current tab of an event on pages without a tab of their own."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.factories import draft_of, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import make_cast

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

made_once, cast = make_module_fixtures(make_cast)


@pytest.mark.parametrize(
    "page",
    ["evenings_edit", "event_files", "fide_report_check", "event_rules_check", "tournament_edit", "tournament_delete"],
)
def test_what_the_overview_leads_to_stands_under_it_and_is_no_players_page(cast, page):
    place = [cast.club.slug, cast.event.slug]
    said = cast.browser("secretary").get(reverse(page, args=place)).text
    assert current_tab(said) == reverse("tournament", args=place)
    assert 'id="pinned"' not in said


def current_tab(said: str) -> str:
    """The address of the only current tab."""
    tabs = said[said.index('<nav class="tabs') : said.index("</nav>", said.index('<nav class="tabs'))]
    [current] = re.findall(r'href="([^"]*)" aria-current="page"', tabs)
    return str(current)


@pytest.mark.parametrize("page", ["round", "round_check_in", "round_edit", "board", "round_replay", "round_map"])
def test_pages_of_a_round_stand_under_rounds(cast, page):
    place = [cast.club.slug, cast.event.slug]
    if page not in ("round", "round_check_in"):
        (draft_of if page == "round_edit" else published)(cast.event, 1)
    board = [1] if page == "board" else []
    for who in ("secretary",) if page in ("round_check_in", "round_edit", "round") else ("secretary", "visitor"):
        answer = cast.browser(who).get(reverse(page, args=[*place, 1, *board]))
        assert current_tab(answer.text) == reverse("latest_round", args=place)


def test_the_tab_of_rounds_leads_officers_to_what_is_next_and_others_to_what_is_published(cast):
    place = [cast.club.slug, cast.event.slug]
    played(cast.event, 1)
    found = {who: cast.browser(who).get(reverse("latest_round", args=place)).url for who in ("arbiter", "visitor")}
    assert found == {"arbiter": reverse("round", args=[*place, 2]), "visitor": reverse("round", args=[*place, 1])}


@pytest.mark.parametrize("page", ["standings_after", "crosstable", "club_standings", "round_replay"])
def test_the_squares_of_the_rounds_keep_to_the_kind_of_page(cast, page):
    place = [cast.club.slug, cast.event.slug]
    for number in (1, 2):
        played(cast.event, number, seed=number)
    about = [f"{reverse(page, args=[*place, number])}?name=x" for number in (1, 2)]
    waiting = reverse("round", args=[*place, 3])
    for who, found in (("secretary", [*about, waiting]), ("visitor", about)):
        said = cast.browser(who).get(reverse(page, args=[*place, 2]), {"page": "1", "name": "x"}).text
        assert re.findall(r'href="([^"]*)"', squares(said)) == found
        assert re.findall(r'href="[^"]*/2/[^"]*"\s[^>]*aria-current="page"', squares(said))


def test_the_squares_choose_the_round_to_print_and_only_officers_get_the_draft(cast):
    place = [cast.club.slug, cast.event.slug]
    played(cast.event, 1)
    draft_of(cast.event, 2)
    printed = [f"{reverse('print_centre', args=place)}?of_round={number}" for number in (1, 2)]
    for who, found in (("secretary", [*printed, reverse("round", args=[*place, 3])]), ("visitor", printed[:1])):
        said = cast.browser(who).get(reverse("print_centre", args=place)).text
        assert re.findall(r'href="([^"]*)"', squares(said)) == found


def squares(said: str) -> str:
    return said[said.index('<ol class="rounds">') : said.index("</ol>", said.index('<ol class="rounds">'))]


def test_the_next_step_of_a_waiting_round_is_check_in_which_says_who_is_paired(cast):
    place = [cast.club.slug, cast.event.slug]
    everyone, signed_up = "unless you mark them absent", "only paired if they said they&#x27;re coming"
    for page in ("tournament", "entries", "entries_add"):
        assert "Go to check-in" in cast.browser("secretary").get(reverse(page, args=place)).text
    for only_sign_ups in (False, True):
        cast.event.only_sign_ups = only_sign_ups
        cast.event.save()
        said = cast.browser("secretary").get(reverse("round", args=[*place, 1])).text.replace("'", "&#x27;")
        assert [everyone in said, signed_up in said] == [not only_sign_ups, only_sign_ups]
