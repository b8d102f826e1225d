"""Changing a draft by hand."""

from __future__ import annotations

import pytest

from pairing.views.editing import swapped
from tournaments.models import Bye, Entry, Round

DRAFT = Round.State.DRAFT


def boards(this_round: Round) -> list[tuple[int | None, int | None]]:
    return list(this_round.games.order_by("board").values_list("white__tpn", "black__tpn"))


def bye_of(this_round: Round) -> Entry:
    return this_round.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED).entry


@pytest.mark.parametrize(("who", "status"), [(None, 404), ("outsider", 404), ("member", 403)])
def test_others_change_nothing(who, status, round_in, signed_in, address, request):
    this_round = round_in(1, DRAFT)
    before = boards(this_round)
    browser = signed_in(request.getfixturevalue(who) if who else None)
    assert browser.get(address("round_edit", 1)).status_code == status
    sent = {"colours": 1, "version": this_round.version}
    assert browser.post(address("round_swap", 1), sent).status_code == status
    assert boards(this_round) == before


def test_methods(round_in, secretary, signed_in, address):
    round_in(1, DRAFT)
    browser = signed_in(secretary)
    assert browser.get(address("round_swap", 1)).status_code == 405
    assert browser.post(address("round_edit", 1)).status_code == 405


def test_a_published_round_is_not_changed(round_in, secretary, signed_in, address):
    this_round = round_in(1, Round.State.PUBLISHED)
    before = boards(this_round)
    browser = signed_in(secretary)
    assert browser.get(address("round_edit", 1)).headers["Location"] == address("round", 1)
    browser.post(address("round_swap", 1), {"colours": 1, "version": this_round.version})
    assert boards(this_round) == before


@pytest.mark.parametrize("ticked", [[], [0], [0, 0], [0, 1, 2]])
def test_exactly_two_are_swapped(ticked, round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    before = boards(this_round)
    players = [game.white_id for game in this_round.games.order_by("board")]
    sent = {"player": [players[place] for place in ticked], "version": this_round.version}
    page = signed_in(secretary).post(address("round_swap", 1), sent, follow=True)
    assert "Tick exactly two players" in page.content.decode()
    assert boards(this_round) == before


def test_a_stale_page_changes_nothing(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    browser = signed_in(secretary)
    browser.post(address("round_swap", 1), {"colours": 1, "version": this_round.version})
    after = boards(this_round)
    page = browser.post(address("round_swap", 1), {"colours": 1, "version": this_round.version}, follow=True)
    assert "changed meanwhile" in page.content.decode()
    assert boards(this_round) == after


def test_colours_of_a_board(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    (white, black), *others = boards(this_round)
    signed_in(secretary).post(address("round_swap", 1), {"colours": 1, "version": this_round.version})
    assert boards(this_round) == [(black, white), *others]


def test_two_players_of_different_boards(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    (first, second), (third, fourth), *others = boards(this_round)
    one, other = this_round.games.get(board=1).white_id, this_round.games.get(board=2).black_id
    sent = {"player": [one, other], "swap": "1", "version": this_round.version}
    signed_in(secretary).post(address("round_swap", 1), sent)
    assert boards(this_round) == [(fourth, second), (third, first), *others]


def test_another_player_gets_the_bye(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    had_bye, one = bye_of(this_round), this_round.games.get(board=1).white
    sent = {"player": [one.pk, had_bye.pk], "swap": "1", "version": this_round.version}
    signed_in(secretary).post(address("round_swap", 1), sent)
    assert bye_of(this_round) == one
    assert this_round.games.get(board=1).white == had_bye


def test_what_the_change_breaks_is_shown_before_publishing(round_in, secretary, signed_in, address):
    earlier = round_in(1, Round.State.FINISHED).games.get(board=1)
    this_round = round_in(2, DRAFT)
    board = this_round.games.get(white__in=[earlier.white, earlier.black])
    opponent = board.black_id if board.white_id in (earlier.white_id, earlier.black_id) else board.white_id
    other = earlier.black_id if earlier.white_id in (board.white_id, board.black_id) else earlier.white_id
    sent = {"player": [opponent, other], "swap": "1", "version": this_round.version}
    browser = signed_in(secretary)
    page = browser.post(address("round_swap", 2), sent, follow=True)
    for text in (page.content.decode(), browser.get(address("round", 2)).content.decode()):
        assert "have met in round 1" in text
        assert "fide-1989 art. 2" in text


def test_swapping_is_its_own_inverse():
    one, two, three, four, five = (Entry(pk=key) for key in range(1, 6))
    pairs = [(one, two), (three, four)]
    assert swapped(pairs, five, one, two) == ([(two, one), (three, four)], five)
    assert swapped(pairs, five, one, five) == ([(five, two), (three, four)], one)
    once = swapped(pairs, five, two, three)
    assert once == ([(one, three), (two, four)], five)
    assert swapped(*once, two, three) == (pairs, five)
