"""The prizes page and the prize settings."""

from __future__ import annotations

import pytest
from django.utils.html import escape

from pairing.pages.standings.prize_giving import EVERYONE, PrizesOfList, get_prize_fund, prizes_by_list, set_prizes
from tests.factories import played
from tests.pairing.seven_players import make_seven_player_fixtures
from tournaments.models import Round

made_once, event, club, secretary = make_seven_player_fixtures()

FINISHED = Round.State.FINISHED


@pytest.fixture
def fund(event):
    return set_prizes(
        event, [PrizesOfList(category=EVERYONE, prizes=(10000, 5000))], sharing="place", one_prize_each=True, by=None
    )


def said(**changes: str) -> dict[str, str]:
    return {
        "everyone": "100\n50,50\n",
        "sharing": "equally",
        "one_prize_each": "on",
        "category_0": "below-2000",
        "prizes_0": "30",
        "category_1": "",
        "prizes_1": "",
    } | changes


def kept(event) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.category, each.prizes) for each in prizes_by_list(get_prize_fund(event))]


@pytest.mark.parametrize("name", ["prizes_edit", "prizes_publish"])
def test_only_officers_set_and_publish(name, event, fund, member, outsider, signed_in, address):
    assert signed_in().post(address(name), said()).status_code == 401
    assert signed_in(outsider).post(address(name), said()).status_code == 404
    assert signed_in(member).post(address(name), said()).status_code == 403
    assert kept(event) == [("", (10000, 5000))]
    assert not get_prize_fund(event).is_published


def test_publishing_is_no_page(event, secretary, signed_in, address):
    assert signed_in(secretary).get(address("prizes_publish")).status_code == 405


def test_readers_see_nothing_before_the_event_is_over(fund, round_in, member, secretary, signed_in, address):
    round_in(2, FINISHED)
    for user in (None, member):
        page = signed_in(user).get(address("prizes"))
        assert page.status_code == 200
        assert page.context["sheet"] is None
        assert "100.00" not in page.content.decode()
        assert address("prizes") not in signed_in(user).get(address("standings")).content.decode()
    assert "100.00" in signed_in(secretary).get(address("prizes")).content.decode()


def test_readers_see_them_when_the_event_is_over(event, fund, round_in, member, outsider, signed_in, address):
    round_in(3, FINISHED)
    assert "100.00" in signed_in().get(address("prizes")).content.decode()
    assert address("prizes") in signed_in().get(address("standings")).content.decode()
    event.is_public = False
    event.save()
    for user in (None, outsider):
        assert signed_in(user).get(address("prizes")).status_code == 404
    assert signed_in(member).get(address("prizes")).status_code == 200


def test_readers_see_them_when_they_are_published(fund, round_in, secretary, signed_in, address):
    round_in(1, FINISHED)
    signed_in(secretary).post(address("prizes_publish"))
    assert "100.00" in signed_in().get(address("prizes")).content.decode()
    signed_in(secretary).post(address("prizes_publish"), {"take_back": "1"})
    assert "100.00" not in signed_in().get(address("prizes")).content.decode()


def test_an_event_without_prizes(event, secretary, signed_in, address):
    assert "No prizes yet" in signed_in(secretary).get(address("prizes")).content.decode()
    assert signed_in().get(address("prizes")).context["sheet"] is None


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        ("everyone", "50\n100", "A prize can't be larger than the one above it."),
        ("everyone", "80 zloty", "“80 zloty” isn't an amount. Enter 80 or 80.50, for example."),
        ("everyone", "£80", "Amounts are in EUR. Enter 80 or 80.50, for example."),
        ("everyone", "80 + ", "“80 +” isn't an amount. Enter 80 or 80.50, for example."),
        ("everyone", "+80", "“+80” isn't an amount. Enter 80 or 80.50, for example."),
        ("everyone", "-5", "“-5” isn't an amount. Enter 80 or 80.50, for example."),
        ("everyone", "c" * 81, f"“{'c' * 40}…” is too long. An item can have up to 80 characters."),
        ("everyone", "a cup\n50", "A prize can't be larger than the one above it."),
        ("everyone", "100\n0", "A prize can't be 0. Remove the line."),
        ("everyone", "100\n\n50", "“” isn't an amount. Enter 80 or 80.50, for example."),
        ("everyone", "1\n" * 101, "A prize list can have up to 100 prizes."),
        ("category_0", "", "Choose a category for these prizes."),
        ("category_0", "martians", "martians"),
        ("category_1", "below-2000", "This category is listed twice."),
        ("sharing", "by-force", "by-force"),
    ],
)
def test_what_cannot_be_kept_is_said(field, text, problem, event, fund, secretary, signed_in, address):
    page = signed_in(secretary).post(address("prizes_edit"), said(**{field: text}))
    assert page.status_code == 422
    assert escape(problem) in page.content.decode()
    assert kept(event) == [("", (10000, 5000))]


def test_setting_the_prizes(event, secretary, signed_in, address):
    browser = signed_in(secretary)
    assert browser.get(address("prizes_edit")).status_code == 200
    assert browser.post(address("prizes_edit"), said()).status_code == 302
    assert kept(event) == [("", (10000, 5050)), ("below-2000", (3000,))]
    fund = get_prize_fund(event)
    assert (fund.sharing, fund.one_prize_each) == ("equally", True)
    form = browser.get(address("prizes_edit")).content.decode()
    assert "100\n50.50</textarea>" in form
    assert "Set 3 prizes worth 180.50 in total" in browser.get(address("tournament_log")).content.decode()


def test_prizes_are_written_with_their_currency_or_without(event, secretary, signed_in, address):
    written = "€ 100\n80,-\n50 € + a cup\nEUR 20\n€10 book token\nPen 3"
    assert signed_in(secretary).post(address("prizes_edit"), said(everyone=written, prizes_0="")).status_code == 302
    (everyone,) = prizes_by_list(get_prize_fund(event))
    assert everyone.prizes == (10000, 8000, 5000, 2000, 0, 0)
    assert everyone.things == ("", "", "a cup", "", "€10 book token", "Pen 3")


def test_a_list_left_empty_is_gone(event, fund, secretary, signed_in, address):
    signed_in(secretary).post(address("prizes_edit"), said(everyone="", one_prize_each=""))
    assert kept(event) == [("below-2000", (3000,))]
    assert not get_prize_fund(event).one_prize_each


def test_things_are_prizes_beside_money_and_instead_of_it(event, fund, secretary, signed_in, address):
    played(event, 1)
    browser = signed_in(secretary)
    answer = browser.post(address("prizes_edit"), said(everyone="100 + Puchar <b>\n50.50\nksiążka"))
    assert answer.status_code == 302
    assert [(prize.cents, prize.thing) for prize in event.prize_fund.prizes.filter(category="")] == [
        (10000, "Puchar <b>"),
        (5050, ""),
        (0, "książka"),
    ]
    form = browser.get(address("prizes_edit")).context["form"]
    assert form["everyone"].value() == "100 + Puchar <b>\n50.50\nksiążka"
    page = browser.get(address("prizes")).content.decode()
    assert "+ Puchar &lt;b&gt;" in page
    assert "książka" in page
    sheet = browser.get(address("prizes")).context["sheet"]
    assert sheet.total.cents == 18050
    assert [line.amount.in_kind for line in sheet.lists[0].lines][:3] == ["Puchar <b>", "", "książka"]
    assert [each.amount.in_kind for each in sheet.receivers].count("książka") == 1
