"""Check-in with a few letters and Enter."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.module_fixtures import make_module_fixtures
from tests.scenario import HTMX, NAMES, Cast, make_cast
from tournaments.models import Bye, CheckIn, Entry

made_once, cast = make_module_fixtures(make_cast)


def address(cast: Cast) -> str:
    return reverse("round_check_in", args=[cast.club.slug, cast.event.slug, 1])


def find(cast: Cast, query: str, *, htmx: bool = False, **shown: object):
    sent = {"q": query, "find": "here", **shown}
    headers = HTMX | {"HX-Target": "found"} if htmx else {}
    return cast.browser("secretary").post(address(cast), sent, headers=headers)


def those_here(cast: Cast) -> list[str]:
    return list(CheckIn.objects.filter(state=CheckIn.State.HERE).values_list("entry__name", flat=True))


def test_the_only_match_is_checked_in_with_one_key(cast):
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


def test_after_a_search_the_page_still_gets_its_updates(cast):
    """The round's page listens for updates, and requests them at the address that the search leaves in the browser."""
    live = cast.browser("secretary").get(f"{address(cast)}?q=", headers=HTMX | {"HX-Target": "live"}).text
    assert 'id="live"' in live
    assert "<html" not in live


@pytest.mark.parametrize("query", ["", " ", "nobody at all"])
def test_without_a_name_nobody_is_marked(cast, query):
    assert find(cast, query).status_code == 302
    assert not CheckIn.objects.exists()


def test_a_bye_is_marked_only_when_it_was_shown(cast):
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


def enter(cast: Cast, *names: str) -> list[Entry]:
    return [Entry.objects.create(tournament=cast.event, name=name) for name in names]


def note(cast: Cast, entry: Entry, how: str) -> None:
    cast.browser("secretary").post(address(cast), {"entry": entry.pk, "mark": how})


@pytest.mark.parametrize(
    ("names", "query", "expected"),
    [
        (("Zmyślin, Adam", "Nowy-Zmyślin, Jan", "Kto, Zmyślimir"), "zmyśl", 0),
        (("Owymyśl, Adam", "Kto, Wymyślimir"), "wymyśl", 1),
        (("Xylski, Adam", "Xylski, Jan"), "xylski a", 0),
        (("Xylski, Adam", "Xylski, Jan"), "Xylski, J", 1),
        (("Xylski, Adam", "Xylska, Jan"), "xyl j", 1),
        (("van den Xyl, Jan", "Kto, Xylomir"), "xyl", 0),
        (("Axylski, Adam", "Kto, Jan"), "xyl", 0),
    ],
)
def test_enter_unseen_means_who_fits_best(cast, names, query, expected):
    entries = enter(cast, *names)
    find(cast, query)
    assert those_here(cast) == [entries[expected].name]


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("how", ["here", "absent", "bye"])
def test_of_two_alike_the_one_still_to_come_is_meant(cast, how, htmx):
    seen, to_come = enter(cast, "Xylski, Adam", "Xylski, Jan")
    note(cast, seen, how)
    find(cast, "xylski", htmx=htmx)
    assert to_come.name in those_here(cast)
    assert (seen.name in those_here(cast)) is (how == "here")


def test_nobody_is_here_for_a_name_that_fits_another_who_is_here_better(cast):
    adam, _jan = enter(cast, "Xylski, Adam", "Xylski, Jan")
    note(cast, adam, "here")
    find(cast, "xylski a")
    assert those_here(cast) == [adam.name]


def test_who_was_noted_absent_is_here_where_nobody_else_fits(cast):
    note(cast, cast.entry(0), "absent")
    find(cast, NAMES[0])
    assert (those_here(cast), Bye.objects.count()) == ([NAMES[0]], 0)


def test_who_fits_best_is_shown_first_and_those_here_last(cast):
    here, part, family = enter(cast, "Xyl, Adam", "Axyl, Jan", "Xylski, Ewa")
    note(cast, here, "here")
    shown = cast.browser("secretary").get(f"{address(cast)}?q=xyl").text
    assert [int(key) for key in re.findall(r'id="player-(\d+)"', shown)] == [family.pk, part.pk, here.pk]
    assert f'name="first" value="{family.pk}"' in shown


def said(html: str) -> str:
    (words,) = re.findall(r'<p id="said"[^>]*>(.*?)</p>', html)
    return words


@pytest.mark.parametrize("htmx", [False, True])
def test_a_player_who_is_here_is_shown_as_here(cast, htmx):
    note(cast, cast.entry(0), "here")
    answer = find(cast, NAMES[0][:6], htmx=htmx)
    html = answer.text if htmx else cast.browser("secretary").get(answer.headers["Location"]).text
    assert said(html) == f"{NAMES[0]} is already here."


def test_of_several_all_of_whom_are_here_it_is_said_too(cast):
    two = enter(cast, "Xylski, Adam", "Xylski, Jan")
    find(cast, "xyl", htmx=True)
    assert said(find(cast, "xyl", htmx=True).text) == "2 players match “xyl”. Nobody is marked yet."
    for each in two:
        note(cast, each, "here")
    assert said(find(cast, "xyl", htmx=True).text) == "Everyone matching “xyl” is already here."
