"""Check-in by a few letters and Enter."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.cast import HTMX, NAMES, Cast, make_cast
from tests.sharing import once_a_module
from tournaments.models import Bye, CheckIn, Entry

made_once, cast = once_a_module(make_cast)


def address(cast: Cast) -> str:
    return reverse("check_in", args=[cast.club.slug, cast.event.slug, 1])


def find(cast: Cast, query: str, *, htmx: bool = False, **shown: object):
    sent = {"q": query, "find": "here", **shown}
    headers = HTMX | {"HX-Target": "found"} if htmx else {}
    return cast.browser("secretary").post(address(cast), sent, headers=headers)


def those_here(cast: Cast) -> list[str]:
    return list(CheckIn.objects.filter(state=CheckIn.State.HERE).values_list("entry__name", flat=True))


def test_the_only_one_who_fits_is_here_by_one_press(cast):
    answer = find(cast, NAMES[0][:6])
    assert answer.headers["Location"] == f"{address(cast)}?taken={cast.entry(0).pk}"
    assert those_here(cast) == [NAMES[0]]
    after = cast.browser("secretary").get(answer.headers["Location"]).text
    assert f"{NAMES[0]} is here." in after
    assert re.search(r'<input type="search" id="q" name="q" value=""[^>]* autofocus', after)


def test_of_several_the_one_shown_first_is_here_and_nobody_unseen(cast):
    for number in (1, 2):
        Entry.objects.create(tournament=cast.event, name=f"Zdwojony, {number}")
    answer = find(cast, "zdwojony")
    assert answer.headers["Location"].endswith("?q=zdwojony")
    assert those_here(cast) == []
    shown = cast.browser("secretary").get(answer.headers["Location"]).text
    (first,) = re.findall(r'name="first" value="(\d+)"', shown)
    find(cast, "zdwoj", first=first, of="zdwojony")
    assert those_here(cast) == [], "what was shown was of other letters"
    find(cast, "zdwojony", first=first, of="zdwojony")
    assert those_here(cast) == ["Zdwojony, 1"]
    find(cast, "zdwojony", first=first, of="zdwojony")
    assert those_here(cast) == ["Zdwojony, 1"], "a press too many marks nobody else"


@pytest.mark.parametrize("query", ["", " ", "nobody at all"])
def test_without_a_name_nobody_is_marked(cast, query):
    assert find(cast, query).status_code == 302
    assert not CheckIn.objects.exists()


def test_who_has_a_bye_is_marked_only_when_he_was_shown(cast):
    cast.browser("secretary").post(address(cast), {"entry": cast.entry(0).pk, "mark": "bye"})
    find(cast, NAMES[0])
    assert (those_here(cast), Bye.objects.count()) == ([], 1)
    find(cast, NAMES[0], first=cast.entry(0).pk, of=NAMES[0])
    assert (those_here(cast), Bye.objects.count()) == ([NAMES[0]], 0)


def test_with_scripts_the_list_comes_back_whole_and_says_who(cast):
    answer = find(cast, NAMES[0][:6], htmx=True).text
    assert f"{NAMES[0]} is here." in answer
    assert answer.count('class="door-row') == 6
    assert "<html" not in answer
