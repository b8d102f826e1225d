"""One search for members, listed players and new guests: who is found, who is added, and no duplicates."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Member, RatingListPlayer, RatingRegister
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.list_import import name_search_text
from tests.factories import make_event, make_member
from tests.scenario import NAMES, Cast, make_cast
from tournaments.entries.player_rows import PlayerRow
from tournaments.entries.player_search import enter_candidate, enter_walk_in, find_player_candidates
from tournaments.models import LogEntry
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club):
    return make_event(club)


def listed(name: str, number: str = "1100012", register: RatingRegister | None = None, **fields: object):
    values = {"federation": "POL", "birth_year": 1990, "standard": 1875, "rapid": 1790} | fields
    return RatingListPlayer.objects.create(
        register=register or get_fide_register(), number=number, name=name, searched=name_search_text(name), **values
    )


def found(event, query):
    return [
        (each.name, each.source, each.entry is not None) for each in find_player_candidates(event, query).candidates
    ]


# -- Who is not entered --------------------------------------------------------------------------------------------


def test_nobody_is_entered_twice(event, club):
    member = make_member(club, "Kot, Ala", fide_id=1100012)
    player = listed("Kot, Alicja")
    enter_candidate(event, f"m{member.pk}", by=None)
    for key in (f"m{member.pk}", f"l{player.pk}"):
        with pytest.raises(ArbiterProblem, match="already entered"):
            enter_candidate(event, key, by=None)
    with pytest.raises(ArbiterProblem, match="already entered"):
        enter_walk_in(event, PlayerRow(line=0, name="ala KOT"), by=None)
    assert event.entries.count() == 1


def test_a_guest_of_the_list_is_not_entered_under_two_spellings(event):
    enter_candidate(event, f"l{listed('Жеков, Петър').pk}", by=None)
    other = listed("Zhekov, Petar", register=RatingRegister.objects.create(name="BG", club=event.club), number="7")
    for key in (f"l{other.pk}",):
        with pytest.raises(ArbiterProblem, match="already entered"):
            enter_candidate(event, key, by=None)


@pytest.mark.every_database
@pytest.mark.parametrize("key", ["", "m", "m0", "m99999", "l1", "x7", "walk", "m" + "9" * 40, "l²"])
def test_a_key_of_nobody_enters_nobody(event, key):
    with pytest.raises(ArbiterProblem, match="This player is no longer on the member list or the rating list"):
        enter_candidate(event, key, by=None)
    assert not LogEntry.objects.filter(action="players entered").exists()


def test_members_and_lists_of_another_club_are_not_there(event):
    from tests.factories import make_club

    other = make_club("elsewhere", "Elsewhere")
    stranger = make_member(other, "Obca, Ewa")
    player = listed("Obca, Zofia", register=RatingRegister.objects.create(name="Other", club=other))
    assert found(event, "obca") == []
    for key in (f"m{stranger.pk}", f"l{player.pk}"):
        with pytest.raises(ArbiterProblem):
            enter_candidate(event, key, by=None)


def test_whoever_was_erased_or_has_left_is_not_found(event, club):
    make_member(club, "Kot, Ala", status=Member.Status.FORMER)
    assert found(event, "kot") == []


# -- Who is found --------------------------------------------------------------------------------------------------


@pytest.mark.every_database
@pytest.mark.parametrize("query", ["los zan", "Żaneta", "ŁOŚ", "1100012", "  łoś,  żaneta "])
def test_members_in_any_script_and_by_their_number(event, club, query):
    make_member(club, "Łoś, Żaneta", 1800, fide_id=1100012)
    assert found(event, query) == [("Łoś, Żaneta", "", False)]


def test_members_as_they_sound(event, club):
    make_member(club, "Szewczenko, Iwan")
    assert found(event, "shevchenko") == [("Szewczenko, Iwan", "", False)]


def test_a_member_and_their_entry_in_the_list_are_one(event, club):
    make_member(club, "Kot, Ala", fide_id=1100012)
    listed("Kot, Ala")
    listed("Kot, Alan", number="1100013")
    assert found(event, "kot") == [("Kot, Ala", "", False), ("Kot, Alan", "FIDE", False)]


def test_whoever_plays_is_shown_as_such_and_last(event, club):
    enter_walk_in(event, PlayerRow(line=0, name="Kotowski, Gość", rating=1500), by=None)
    member = make_member(club, "Kotowska, Ewa")
    enter_candidate(event, f"m{member.pk}", by=None)
    listed("Kotowski, Lech")
    assert found(event, "kotows") == [
        ("Kotowski, Lech", "FIDE", False),
        ("Kotowska, Ewa", "", True),
        ("Kotowski, Gość", "", True),
    ]


def test_a_rating_behind_the_name_is_the_walk_ins(event, club):
    make_member(club, "Kot, Ala")
    findings = find_player_candidates(event, "kot ala 1500")
    assert [each.name for each in findings.candidates] == ["Kot, Ala"]
    assert (findings.walk_in.name, findings.walk_in.rating) == ("kot ala", 1500)


@pytest.mark.parametrize("query", ["", "k", " ", "\x00", "?!"])
def test_too_little_finds_nobody(event, club, query):
    make_member(club, "Kot, Ala")
    assert found(event, query) == [] or len(query.strip()) > 1


# -- Who is entered ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rated_as", "rating"), [("standard", 1875), ("rapid", 1790), ("blitz", 1875), ("", 1875)])
def test_a_player_of_the_list_with_the_rating_of_the_event(club, rated_as, rating):
    event = make_event(club, rated_as=rated_as)
    entry = enter_candidate(event, f"l{listed('Kot, Ala', title='WFM', sex='w').pk}", by=None)
    assert (entry.name, entry.rating, entry.title, entry.sex) == ("Kot, Ala", rating, "WFM", "w")
    assert (entry.federation, entry.birth, entry.fide_id, entry.member) == ("POL", "1990", "1100012", None)


def test_a_number_of_a_national_list_is_no_fide_id_but_finds_the_member(event, club):
    register = RatingRegister.objects.create(name="PZSzach", club=club)
    member = make_member(club, "Nowe, Nazwisko", national_id="PL-7")
    guest = enter_candidate(event, f"l{listed('Gość, Jan', register=register, number='PL-8').pk}", by=None)
    assert guest.fide_id == ""
    entry = enter_candidate(event, f"l{listed('Stare, Nazwisko', register=register, number='PL-7').pk}", by=None)
    assert entry.member == member


# -- The page ------------------------------------------------------------------------------------------------------


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def page(cast: Cast) -> str:
    return reverse("entries_add", args=[cast.club.slug, cast.event.slug])


def test_without_scripts_one_finds_and_one_adds(cast):
    listed("Жеков, Петър")
    secretary = cast.browser("secretary")
    text = secretary.get(page(cast), {"q": "zhekov"}).text
    assert "Жеков, Петър" in text
    assert "data-candidate autofocus" in text
    key = f"l{RatingListPlayer.objects.get().pk}"
    answer = secretary.post(page(cast), {"add": key, "from_round": 1, "q": "zhekov"}, follow=True)
    assert "Жеков, Петър has been entered." in answer.text
    assert "7 players entered" in answer.text
    again = secretary.post(page(cast), {"add": key, "from_round": 1, "q": "zhekov"})
    assert again.status_code == 422
    assert "already entered" in again.text
    assert cast.event.entries.count() == 7


def test_a_walk_in_is_entered_in_the_row_of_the_search(cast):
    secretary = cast.browser("arbiter")
    text = secretary.get(page(cast), {"q": "Przechodzień Jan 1500"}).text
    assert 'value="Przechodzień Jan"' in text
    assert 'value="1500"' in text
    sent = {"add": "walk-in", "name": "Przechodzień, Jan", "rating": "1500", "birth": "", "from_round": 1}
    answer = secretary.post(page(cast), sent, headers={"HX-Request": "true", "HX-Target": "adding"})
    assert "<html" not in answer.text
    assert "Przechodzień, Jan has been entered." in answer.text
    assert cast.event.entries.get(name="Przechodzień, Jan").rating == 1500


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "Enter the player&#x27;s name"),
        ({"name": "\u202e"}, "Enter the player&#x27;s name"),
        ({"rating": "9999"}, "Ratings go up to 3500"),
        ({"rating": "abc"}, "as a whole number"),
        ({"birth": "68"}, "with 4 digits"),
        ({"from_round": "9"}, "published yet"),
        ({"name": NAMES[5]}, "already entered"),
    ],
)
def test_a_walk_in_with_something_wrong_is_kept_in_its_row(cast, wrong, said):
    sent = {"add": "walk-in", "name": "Nowy, Jan", "rating": "1500", "birth": "1968", "from_round": "1", "q": "Nowy"}
    answer = cast.browser("secretary").post(page(cast), sent | wrong)
    assert answer.status_code == 422
    assert said in answer.text
    assert 'id="walk-in-rating"' in answer.text
    assert cast.event.entries.count() == 6


def test_two_of_one_name_are_told_apart_by_the_birth_year(cast):
    Member.objects.filter(pk=cast.members[5].pk).update(birth_year=1960)
    cast.event.entries.filter(name=NAMES[5]).update(birth="1960")
    sent = {"add": "walk-in", "name": NAMES[5], "rating": "", "birth": "2001", "from_round": "1"}
    assert cast.browser("secretary").post(page(cast), sent).status_code == 302
    assert cast.event.entries.count() == 7
