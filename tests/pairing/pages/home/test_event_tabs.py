"""The current tab of an event on pages without a tab of their own."""

from __future__ import annotations

import pytest
from django.urls import reverse

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
    tabs = said[said.index('<nav class="tabs') : said.index("</nav>", said.index('<nav class="tabs'))]
    overview = f'href="{reverse("tournament", args=place)}"'
    assert [f'{overview} aria-current="page"' in tabs, tabs.count("aria-current")] == [True, 1]
    assert 'id="pinned"' not in said


def test_the_next_step_of_a_waiting_round_is_check_in_and_says_who_is_paired(cast):
    place = [cast.club.slug, cast.event.slug]
    everyone, signed_up = "unless you mark them absent", "only paired if they said they're coming"
    for page in ("tournament", "entries", "entries_add"):
        for only_sign_ups in (False, True):
            cast.event.only_sign_ups = only_sign_ups
            cast.event.save()
            said = cast.browser("secretary").get(reverse(page, args=place)).text
            assert "Go to check-in" in said
            assert [everyone in said, signed_up in said] == [not only_sign_ups, only_sign_ups]
