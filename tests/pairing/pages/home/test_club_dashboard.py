"""The club's start page: who sees what, and when."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.finance.dues.ledger import charge_member
from clubs.models import Club, Role
from tests.factories import make_user, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import NAMES, Cast, make_cast
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.check_in.presence import set_check_in_state
from tournaments.models import Bye, CheckIn, Game, Round

pytestmark = pytest.mark.django_db


def make_rows() -> Cast:
    cast = make_cast()
    make_user("treasurer", cast.club, Role.TREASURER)
    return cast


made_once, cast = make_module_fixtures(make_rows)


def page(cast: Cast, who: str) -> str:
    return cast.browser(who).get(reverse("club", args=[cast.club.slug])).text


def begin_today(cast: Cast, number: int) -> None:
    cast.event.rounds.filter(number=number).update(starts_at=timezone.now())


# -- What must not be ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["visitor", "neighbour"])
def test_strangers_see_the_events_and_nothing_of_the_day(cast, who):
    begin_today(cast, 1)
    mark_absent(cast.entry(0), cast.round(1), by=None)
    text = page(cast, who)
    assert "Środa" in text
    assert "Go to check-in" not in text
    assert "still to arrive" not in text
    assert NAMES[0] not in text


@pytest.mark.parametrize("who", ["visitor", "member", "arbiter"])
def test_dues_are_for_those_who_see_money(cast, who):
    charge_member(cast.members[1], 9000, text="składka", due_on=date(2020, 1, 1), by=None)
    assert "Players who owe dues" not in page(cast, who)


@pytest.mark.parametrize("who", ["visitor", "member", "arbiter"])
def test_birthdays_are_for_those_who_see_births(cast, who):
    Club.objects.update(shows_birthdays=True)
    cast.members[2].birth_date = timezone.localdate() - timedelta(days=365 * 20 + 5)
    cast.members[2].save()
    assert "Birthdays" not in page(cast, who)


def test_birthdays_stand_there_only_if_the_club_wishes(cast):
    today = timezone.localdate()
    cast.members[2].birth_date = today.replace(year=today.year - 20) if (today.month, today.day) != (2, 29) else today
    cast.members[2].save()
    assert "Birthdays this week" not in page(cast, "secretary")
    cast.browser("secretary").post(reverse("club_birthdays_edit", args=[cast.club.slug]), {"show": "yes"})
    text = page(cast, "secretary")
    assert "Birthdays this week" in text
    assert NAMES[2] in text
    assert str(today.year - 20) not in text, "nobody's age is told"
    cast.browser("secretary").post(reverse("club_birthdays_edit", args=[cast.club.slug]), {"show": "no"})
    assert "Birthdays this week" not in page(cast, "secretary")


def test_dues_that_are_not_due_yet_are_not_shown_at_check_in(cast):
    charge_member(cast.members[1], 9000, text="składka", due_on=timezone.localdate() + timedelta(days=3), by=None)
    assert "Players who owe dues" not in page(cast, "treasurer")


def test_an_evening_that_goes_on_is_not_left_undone(cast):
    published(cast.event, 1)
    assert "Unfinished rounds" not in page(cast, "secretary")


# -- What is ---------------------------------------------------------------------------------------------------------


def test_tonight_with_its_step_and_who_is_missing(cast):
    begin_today(cast, 1)
    set_check_in_state(cast.entry(0), cast.round(1), CheckIn.State.HERE, by=cast.secretary)
    set_check_in_state(cast.entry(1), cast.round(1), CheckIn.State.LATE, by=cast.secretary)
    mark_absent(cast.entry(2), cast.round(1), by=cast.secretary)
    grant_requested_bye(cast.entry(3), cast.round(1), Bye.Kind.HALF_POINT, by=cast.secretary, beyond_quota=True)
    text = page(cast, "secretary")
    assert re.search(r"(Today|Tonight), \d\d:\d\d, round 1", text)
    assert "Go to check-in" in text
    assert "3 still to arrive" in text
    missing, away = text.split("3 still to arrive")[1].split("2 not playing")
    assert NAMES[0] not in missing
    assert NAMES[1] in missing
    assert NAMES[2] in away
    assert NAMES[3] in away


def test_before_check_in_opens_nobody_is_missing(cast):
    begin_today(cast, 1)
    assert "missing" not in page(cast, "secretary")


def test_dues_of_those_who_play(cast):
    charge_member(cast.members[1], 9000, text="składka", due_on=date(2020, 1, 1), by=None)
    text = page(cast, "treasurer")
    assert "Players who owe dues" in text
    assert NAMES[1] in text
    assert "€90.00" in text


def test_what_was_left_undone(cast):
    this_round = published(cast.event, 1)
    Round.objects.filter(pk=this_round.pk).update(published_at=timezone.now() - timedelta(days=7))
    assert "3 boards without a result" in page(cast, "secretary")
    this_round.games.update(result=Game.Result.DRAW)
    assert "All results are in, but the round isn't finished." in page(cast, "secretary")
    assert "Unfinished rounds" not in page(cast, "member")


def test_an_adjourned_game_is_left_undone_even_of_a_closed_round(cast):
    this_round = published(cast.event, 1)
    this_round.games.update(result=Game.Result.DRAW)
    this_round.games.filter(board=1).update(result=Game.Result.ADJOURNED)
    Round.objects.filter(pk=this_round.pk).update(state=Round.State.FINISHED)
    assert "1 adjourned game" in page(cast, "arbiter")


# -- An event's front page -------------------------------------------------------------------------------------------


def front(cast: Cast, who: str = "visitor") -> str:
    return cast.browser(who).get(reverse("tournament", args=[cast.club.slug, cast.event.slug])).text


def test_a_draft_is_nowhere_on_it(cast):
    played(cast.event, 1)
    before = front(cast)
    from tests.factories import draft_of

    draft_of(cast.event, 2)
    after = front(cast)
    assert "Results of round 1" in after
    assert before.count("<tr>") == after.count("<tr>")


def test_results_and_the_top_while_it_runs(cast):
    assert "Top of the table" not in front(cast)
    this_round = played(cast.event, 1)
    text = front(cast)
    assert "Results of round 1" in text
    assert text.index("Results of round 1") < text.index("Top of the table") < text.index("About the event")
    assert this_round.games.first().white.name in text
    assert "Winners" not in text
    published(cast.event, 2)
    assert "Results of round 1" in front(cast), "a round without results shows those of the one before"


def test_a_finished_event_shows_its_winners_first(cast):
    for number in (1, 2, 3):
        played(cast.event, number, seed=number)
    for who in ("visitor", "secretary"):
        text = front(cast, who)
        assert text.index("Winners") < text.index("Results of round 3") < text.index("About the event")
        assert 'class="place-1"' in text


def test_the_front_page_has_the_button_of_the_next_step_for_officers(cast):
    begin_today(cast, 1)
    texts = {who: cast.browser(who).get(reverse("home")).text for who in ("secretary", "member", "visitor")}
    assert [who for who, text in texts.items() if "Go to check-in" in text] == ["secretary"]
    assert all(cast.event.name in text for text in texts.values())


def test_the_next_date_is_one_card_on_the_front_page_the_clubs_page_and_the_events_page(cast):
    begin_today(cast, 1)
    pages = (
        reverse("home"),
        reverse("club", args=[cast.club.slug]),
        reverse("tournament", args=[cast.club.slug, cast.event.slug]),
    )
    cards = {who: [card_on(cast.browser(who).get(page).text) for page in pages] for who in ("secretary", "visitor")}
    for who, found in cards.items():
        assert all(re.search(r"(Today|Tonight), \d\d:\d\d, round 1", card) for card in found)
        assert [card.count("Go to check-in") for card in found] == [int(who == "secretary")] * 3


def card_on(text: str) -> str:
    """The only card of the page."""
    _before, card = text.split('class="date-card"')
    assert 'class="next-step' not in text
    return card.split("</section>")[0]


def test_a_card_that_has_no_date_says_what_is_next(cast):
    assert "Next: check-in for round 1" in card_on(page(cast, "secretary"))
    published(cast.event, 1)
    assert "Round 1 of 3" in card_on(page(cast, "member"))
    assert "3 of 3 boards have no result yet." in card_on(page(cast, "secretary"))
    assert "Find your board." in card_on(front(cast))


# -- What strangers read about the club -------------------------------------------------------------------------------


def test_strangers_read_what_the_club_has_entered_and_its_next_evenings(cast):
    Club.objects.filter(pk=cast.club.pk).update(city="Zamatowice", email="office@goniec.example")
    for number in (2, 3):
        cast.event.rounds.filter(number=number).update(starts_at=timezone.now() + timedelta(days=7 * number))
    text = page(cast, "visitor")
    about = text[text.index('id="about"') : text.index('id="of-club"')]
    assert "Zamatowice" in about
    assert "mailto:office@goniec.example" in about
    rounds = cast.event.rounds_announced
    assert f"Round 3 of {rounds}" in about
    assert f"Round 2 of {rounds}" not in about, "it is on the card"
    assert "Pairings and standings" in text
    assert 'id="about"' not in page(cast, "secretary")


def test_nothing_is_said_where_nothing_is_entered_or_public(cast):
    Club.objects.filter(pk=cast.club.pk).update(city="", email="")
    cast.event.rounds.filter(number=2).update(starts_at=timezone.now() + timedelta(days=7))
    type(cast.event).objects.filter(pk=cast.event.pk).update(is_public=False)
    text = page(cast, "visitor")
    assert "About the club" not in text
    assert "Upcoming evenings" not in text


def test_the_front_page_lists_no_event_twice(cast):
    published(cast.event, 1)
    home = reverse("home")
    assert "Events in progress" in cast.browser("visitor").get(home).text
    cast.event.rounds.filter(number=2).update(starts_at=timezone.now() + timedelta(days=7))
    cast.event.rounds.filter(number=3).update(starts_at=timezone.now() + timedelta(days=14))
    text = cast.browser("visitor").get(home).text
    assert "Events in progress" not in text, "the card has the event"
    assert [text.count(f"Round {number} of {cast.event.rounds_announced}") for number in (2, 3)] == [0, 1]
