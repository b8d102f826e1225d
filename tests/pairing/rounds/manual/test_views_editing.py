"""The page for editing a draft, undo and restore points."""

from __future__ import annotations

import re

import pytest

from clubs.models import Role
from pairing.models import EditingSession, RestorePoint
from pairing.rounds.lifecycle.editing_sessions import active_editing_session
from pairing.rounds.lifecycle.transitions import discard_draft, pair_round
from tests.factories import make_event, make_user, player
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.models import Bye, Entry, Round

made_once, event, club, secretary = make_seven_player_fixtures()

DRAFT = Round.State.DRAFT
HTMX = {"HX-Request": "true", "HX-Target": "editing"}
POSTS = ("round_edit_begin", "round_edit_apply", "round_edit_end", "round_undo", "round_redo")


def boards(this_round: Round) -> list[tuple[int | None, int | None]]:
    return list(this_round.games.order_by("board").values_list("white__tpn", "black__tpn"))


def bye_of(this_round: Round) -> Entry:
    return this_round.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED).entry


def text(answer) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def bohdan(club):
    return make_user("bohdan", club, Role.ARBITER)


@pytest.fixture
def point(round_in, secretary):
    this_round = round_in(1, DRAFT)
    discard_draft(this_round, by=secretary)
    pair_round(this_round.pk, by=secretary)
    return RestorePoint.objects.get()


# -- What is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_others_change_nothing(who, status, point, signed_in, address, request):
    this_round = Round.objects.get(pk=point.round_id)
    before = boards(this_round)
    browser = signed_in(request.getfixturevalue(who) if who else None)
    for page in ("round_edit", "round_edit_review"):
        assert browser.get(address(page, 1)).status_code == status
    for page in POSTS:
        assert browser.post(address(page, 1), {"turn": 1, "version": this_round.version}).status_code == status
    restored = browser.post(address("round_restore", 1, point.pk), {"version": this_round.version})
    assert restored.status_code == status
    assert boards(this_round) == before
    assert not EditingSession.objects.exists()
    this_round.refresh_from_db()
    assert this_round.state == DRAFT


def test_methods(point, secretary, signed_in, address):
    browser = signed_in(secretary)
    for page in POSTS:
        assert browser.get(address(page, 1)).status_code == 405
    assert browser.get(address("round_restore", 1, point.pk)).status_code == 405
    for page in ("round_edit", "round_edit_review"):
        assert browser.post(address(page, 1)).status_code == 405


def test_a_published_round_is_not_changed(round_in, secretary, signed_in, address):
    this_round = round_in(1, Round.State.PUBLISHED)
    before = boards(this_round)
    browser = signed_in(secretary)
    refused = browser.get(address("round_edit", 1), follow=True)
    assert refused.redirect_chain[0][0].split("?")[0] == address("round", 1)
    notice = text(refused).split('class="notice care" role="alert"')[1].split("</div>")[0]
    assert ["Unpublish the round first" in notice, address("round_unpublish", 1) in notice] == [True, True]
    assert browser.get(address("round_edit_review", 1)).headers["Location"] == address("round", 1)
    for page in POSTS:
        answer = browser.post(address(page, 1), {"turn": 1, "version": this_round.version})
        assert answer.headers["Location"] == address("round", 1)
    answer = browser.post(address("round_edit_apply", 1), {"turn": 1, "version": this_round.version}, headers=HTMX)
    assert answer.headers["HX-Redirect"] == address("round", 1)
    answer = browser.post(address("round_undo", 1), {"version": this_round.version}, follow=True)
    assert "is published. Unpublish it first, then undo" in text(answer)
    assert boards(this_round) == before


def test_a_round_with_results_is_not_offered_for_unpublishing(round_in, secretary, signed_in, address):
    round_in(1, Round.State.FINISHED)
    said = text(signed_in(secretary).get(address("round_edit", 1), follow=True))
    assert ["already has results" in said, address("round_unpublish", 1) in said] == [True, False]
    assert "already has results" not in text(signed_in().get(address("round", 1), {"edit": "refused"}))


def test_a_refused_change_is_said_between_the_title_and_the_boards(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    sent = {"swap": 1, "version": this_round.version}
    said = text(signed_in(secretary).post(address("round_edit_apply", 1), sent, follow=True))
    assert said.index("</h1>") < said.index("Select 2 players first.") < said.index('id="change"')


@pytest.mark.parametrize("ticked", [[], [0], [0, 0], [0, 1, 2]])
@pytest.mark.parametrize("pressed", ["swap", "pair"])
def test_exactly_two_are_swapped_or_paired(ticked, pressed, round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    before = boards(this_round)
    players = [game.white_id for game in this_round.games.order_by("board")]
    sent = {"player": [players[place] for place in ticked], pressed: "1", "version": this_round.version}
    page = signed_in(secretary).post(address("round_edit_apply", 1), sent, follow=True)
    assert "Select 2 players first" in text(page)
    assert boards(this_round) == before


@pytest.mark.parametrize(
    "sent",
    [
        {"turn": "nine"},
        {"turn": "99"},
        {"unpair": "-1"},
        {"unpair": "9999999999999999999"},
        {"move": "1", "board": "1"},
        {"move": "1", "board": "1", "to": "12"},
        {"bye": "1"},
        {"take_out": "1", "player": "0"},
        {"put_in": "0"},
        {"put_in": ""},
        {"swap": "1", "player": ["x", "y"]},
    ],
)
@pytest.mark.every_database
def test_nonsense_changes_nothing(sent, round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    before = boards(this_round)
    page = signed_in(secretary).post(
        address("round_edit_apply", 1), sent | {"version": this_round.version}, headers=HTMX
    )
    assert page.status_code == 422
    assert 'class="notice problem"' in text(page)
    assert boards(this_round) == before


def test_nobody_is_put_in_who_does_not_take_part(round_in, club, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    stranger = player(make_event(club, players=1), 1)
    sent = {"put_in": stranger.pk, "version": this_round.version}
    page = signed_in(secretary).post(address("round_edit_apply", 1), sent, headers=HTMX)
    assert "in the event or is already in the round" in text(page)


def test_a_stale_page_changes_nothing(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    browser = signed_in(secretary)
    browser.post(address("round_edit_apply", 1), {"turn": 1, "version": this_round.version})
    after = boards(this_round)
    for page in ("round_edit_apply", "round_undo", "round_edit_end"):
        sent = {"turn": 1, "version": this_round.version, "choice": "back"}
        assert "have changed" in text(browser.post(address(page, 1), sent, follow=True))
    assert "have changed" in text(browser.post(address("round_edit_apply", 1), {"turn": 1}, follow=True))
    assert boards(this_round) == after


def test_another_rounds_pairing_is_not_restored(point, round_in, event, secretary, signed_in, address):
    answer = signed_in(secretary).post(address("round_restore", 2, point.pk), {"version": 0})
    assert answer.status_code == 404


# -- What is done --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_colours_of_a_board(headers, round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    (white, black), *others = boards(this_round)
    sent = {"turn": 1, "version": this_round.version}
    answer = signed_in(secretary).post(address("round_edit_apply", 1), sent, headers=headers)
    assert boards(this_round) == [(black, white), *others]
    if headers:
        assert answer.status_code == 200
        assert "<html" not in text(answer)
        assert re.search(
            'hx-swap-oob="innerHTML:#said"><p class="notice good">[^<]* now has White on board 1', text(answer)
        )
        assert 'name="version" value="2"' in text(answer)
    else:
        assert answer.headers["Location"] == address("round_edit", 1)


def test_two_players_of_different_boards(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    (first, second), (third, fourth), *others = boards(this_round)
    one, other = this_round.games.get(board=1).white_id, this_round.games.get(board=2).black_id
    sent = {"player": [one, other], "swap": "1", "version": this_round.version}
    page = signed_in(secretary).post(address("round_edit_apply", 1), sent, follow=True)
    assert boards(this_round) == [(fourth, second), (third, first), *others]
    assert "have swapped places" in text(page)
    assert "Set manually by the arbiter, instead of" in text(page)


def test_everything_by_the_buttons_of_the_page(round_in, secretary, signed_in, address):
    """A pair is removed, one player stays away, the other gets the bye, and the earlier bye is paired late."""
    this_round = round_in(1, DRAFT)
    browser = signed_in(secretary)
    game, had_bye = this_round.games.get(board=2), bye_of(this_round)

    def press(**sent):
        this_round.refresh_from_db()
        return text(browser.post(address("round_edit_apply", 1), sent | {"version": this_round.version}, follow=True))

    page = press(unpair=2)
    assert "2 players are not paired yet" in page
    assert this_round.games.count() == 2
    assert "is now absent this round" in press(take_out=1, player=game.white_id)
    assert "now has the bye" in press(bye=1, player=game.black_id)
    assert bye_of(this_round) == game.black
    assert "is now in the round but not paired yet" in press(put_in=game.white_id)
    last = this_round.games.count() + 1
    assert f" on board {last}, and " in press(pair=1, player=[game.white_id, had_bye.pk])
    assert this_round.games.get(board=last).reasons[0]["kind"] == "by_hand"
    assert "is now board 1" in press(move=1, board=last, to=1)
    assert {this_round.games.get(board=1).white, this_round.games.get(board=1).black} == {game.white, had_bye}
    page = press(take_bye=1)
    assert "Nobody has the bye" in page
    assert not this_round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).exists()
    assert "1 player is not paired yet" in page


def test_what_is_not_paired_is_said_before_publishing_and_stops_it(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    game = this_round.games.get(board=1)
    browser = signed_in(secretary)
    browser.post(address("round_edit_apply", 1), {"unpair": 1, "version": this_round.version})
    page = text(browser.get(address("round", 1)))
    assert "Not paired yet:" in page
    assert game.white.name in page.partition("Not paired yet:")[2].partition("</div>")[0]
    this_round.refresh_from_db()
    page = text(browser.post(address("round_publish", 1), {"version": this_round.version}, follow=True))
    assert f"Not paired yet: {game.black.name}" in page or f"Not paired yet: {game.white.name}" in page
    this_round.refresh_from_db()
    assert this_round.state == DRAFT


def test_what_the_change_breaks_is_shown_in_its_row_and_before_publishing(round_in, secretary, signed_in, address):
    earlier = round_in(1, Round.State.FINISHED).games.get(board=1)
    this_round = round_in(2, DRAFT)
    board = this_round.games.get(white__in=[earlier.white, earlier.black])
    opponent = board.black_id if board.white_id in (earlier.white_id, earlier.black_id) else board.white_id
    other = earlier.black_id if earlier.white_id in (board.white_id, board.black_id) else earlier.white_id
    sent = {"player": [opponent, other], "swap": "1", "version": this_round.version}
    browser = signed_in(secretary)
    page = text(browser.post(address("round_edit_apply", 2), sent, follow=True))
    for shown in (page, text(browser.get(address("round", 2)))):
        assert "met in round 1" in shown
        assert "fide-1989 art. 2" in shown
    row = page.partition(f'id="board-{board.board}"')[2]
    assert 'class="forbidden"' in row.partition(">")[0]
    assert "met in round 1" in row.partition('id="board-')[0]


# -- Undo, redo, restore -------------------------------------------------------------------------------------------


def test_undo_and_redo_on_both_pages(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    before = boards(this_round)
    browser = signed_in(secretary)
    browser.post(address("round_edit_apply", 1), {"turn": 1, "version": 1})
    after = boards(this_round)
    answer = browser.post(address("round_undo", 1), {"page": "edit", "version": 2}, headers=HTMX)
    assert "Undone: colours swapped." in text(answer)
    assert boards(this_round) == before
    assert 'id="undo-button"' not in text(answer), "the pairing as a whole is undone on the round's page"
    answer = browser.post(address("round_redo", 1), {"page": "edit", "version": 3})
    assert answer.headers["Location"] == address("round_edit", 1)
    assert boards(this_round) == after
    page = text(browser.post(address("round_undo", 1), {"version": 4}, follow=True))
    assert "Undone: colours swapped." in page
    assert "Undo: paired by the system" in page
    assert "Redo: colours swapped" in page
    page = text(browser.post(address("round_undo", 1), {"version": 5}, follow=True))
    assert "Redo: paired by the system" in page
    assert Round.objects.get(pk=this_round.pk).state == Round.State.WAITING


def test_a_discarded_draft_is_restored(point, secretary, signed_in, address):
    this_round = Round.objects.get(pk=point.round_id)
    browser = signed_in(secretary)
    assert "Restore earlier pairings (1)" in text(browser.get(address("round", 1)))
    answer = browser.post(address("round_restore", 1, point.pk), {"version": this_round.version}, follow=True)
    assert "Pairings restored." in text(answer)
    answer = browser.post(address("round_restore", 1, point.pk), {"version": this_round.version}, follow=True)
    assert "have changed" in text(answer)


# -- Sessions ------------------------------------------------------------------------------------------------------


def test_another_sees_who_edits_and_may_take_over(round_in, secretary, bohdan, signed_in, address):
    this_round = round_in(1, DRAFT)
    first, second = signed_in(secretary), signed_in(bohdan)
    assert first.post(address("round_edit_begin", 1)).headers["Location"] == address("round_edit", 1)
    assert "has been editing these pairings since" not in text(first.get(address("round", 1)))
    for page in ("round", "round_edit"):
        assert "secretary has been editing these pairings" in text(second.get(address(page, 1)))
    second.post(address("round_edit_begin", 1))
    assert active_editing_session(this_round).by == secretary
    answer = second.post(address("round_edit_apply", 1), {"turn": 1, "version": 1}, headers=HTMX)
    assert answer.status_code == 422
    assert "Take over to edit them yourself." in text(answer)
    second.post(address("round_edit_begin", 1), {"take_over": "1"})
    assert active_editing_session(this_round).by == bohdan
    answer = first.post(address("round_edit_apply", 1), {"turn": 1, "version": 1}, follow=True)
    assert "bohdan took over" in text(answer)
    assert '<fieldset class="bare stack" disabled>' in text(answer)


def test_done_shows_the_systems_pairing_and_the_choice(round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    before = boards(this_round)
    browser = signed_in(secretary)
    browser.post(address("round_edit_begin", 1))
    page = text(browser.get(address("round_edit_review", 1)))
    assert "You haven't changed anything." in page
    assert "The system would make the same pairings." in page
    browser.post(address("round_edit_apply", 1), {"turn": 1, "version": this_round.version})
    page = text(browser.get(address("round_edit_review", 1)))
    assert "Keep your changes?" in page
    assert "colours swapped" in page
    answer = browser.post(address("round_edit_end", 1), {"choice": "back", "version": 2}, follow=True)
    assert "Your changes were discarded." in text(answer)
    assert boards(this_round) == before
    browser.post(address("round_edit_apply", 1), {"turn": 2, "version": 3})
    changed = boards(this_round)
    answer = browser.post(address("round_edit_end", 1), {"choice": "keep", "version": 4}, follow=True)
    assert "Your changes were kept." in text(answer)
    assert boards(this_round) == changed
    assert active_editing_session(this_round) is None


def test_each_player_is_shown_with_the_due_colour(round_in, secretary, signed_in, address):
    """After one game each is due the other colour; the player with the bye is due none."""
    this_round = round_in(2, DRAFT)
    had = {}
    for white, black in boards(this_round.tournament.rounds.get(number=1)):
        had |= {white: "due Black", black: "due White"}
    browser = signed_in(secretary)
    browser.post(address("round_edit_begin", 2), {"version": this_round.version})
    lines = browser.get(address("round_edit", 2)).context["lines"]
    assert [(line.white_due, line.black_due) for line in lines] == [
        (had.get(line.board.white.tpn, ""), had.get(line.board.black.tpn, "")) for line in lines
    ]
    assert {line.white_due for line in lines} | {line.black_due for line in lines} >= {"due White", "due Black"}
