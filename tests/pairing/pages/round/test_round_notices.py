"""Notices and counts at the desk: versions, the rule book, check-in, corrections, messages, boards to watch."""

from __future__ import annotations

import re

import pytest

from pairing.models import HallMessage
from pairing.rounds.lifecycle.transitions import pair_round, publish_round, unpublish_round
from tests.pairing.seven_players import make_seven_player_fixtures
from tournaments.check_in.byes import mark_absent
from tournaments.check_in.presence import close_check_in, set_check_in_state
from tournaments.models import CheckIn, Game, LogEntry, Round, Tournament
from tournaments.results.player_reporting import report_result
from tournaments.results.recording import correct_result, enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

DRAFT, PUBLISHED, FINISHED = Round.State.DRAFT, Round.State.PUBLISHED, Round.State.FINISHED


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


# -- Versions count publications -------------------------------------------------------------------------------------


def test_steps_of_a_draft_are_no_versions(event, round_in, secretary, signed_in, address):
    this_round = round_in(1, DRAFT)
    browser = signed_in(secretary)
    for _step in range(3):
        this_round.refresh_from_db()
        browser.post(address("round_edit_apply", 1), {"turn": 1, "version": this_round.version})
    this_round.refresh_from_db()
    assert this_round.version > 3
    assert this_round.publications == 0
    publish_round(this_round, by=secretary, version=this_round.version)
    assert "Version 1, published" in words(signed_in().get(address("round", 1)).content.decode())


def test_every_publication_is_a_version_and_papers_of_others_do_not_hold(
    event, round_in, secretary, signed_in, address
):
    this_round = round_in(1, PUBLISHED)
    assert "This printout is up to date" in signed_in().get(address("pairing_version_status", 1, 1)).content.decode()
    taken_back = unpublish_round(this_round, by=secretary, reason="A player came late.")
    assert (
        "This printout is no longer valid" in signed_in().get(address("pairing_version_status", 1, 1)).content.decode()
    )
    publish_round(taken_back, by=secretary, version=taken_back.version)
    assert "Version 2 replaces version 1" in signed_in().get(address("pairing_version_status", 1, 1)).content.decode()
    assert "This printout is up to date" in signed_in().get(address("pairing_version_status", 1, 2)).content.decode()
    assert "Version 2, published" in words(signed_in().get(address("round", 1)).content.decode())


def test_publishing_twice_is_one_publication(round_in, secretary):
    this_round = round_in(1, PUBLISHED)
    publish_round(this_round, by=secretary, version=this_round.version)
    this_round.refresh_from_db()
    assert this_round.publications == 1


# -- Who stayed away -------------------------------------------------------------------------------------------------


@pytest.fixture
def three_away(event, secretary) -> dict[str, int]:
    """A player marked absent by the arbiter, one not seen when check-in closed, one who lost by forfeit."""
    first = event.rounds.get(number=1)
    told, unseen, *rest = event.entries.order_by("-rating")
    for entry in rest:
        set_check_in_state(entry, first, CheckIn.State.HERE, by=secretary)
    mark_absent(told, first, by=secretary)
    close_check_in(first, not_seen=[unseen.pk], by=secretary)
    draft = pair_round(first.pk, by=secretary).round
    shown = publish_round(draft, by=secretary, version=draft.version)
    game = shown.games.order_by("board").first()
    for each in shown.games.all():
        result = Game.Result.WHITE_WINS_FORFEIT if each == game else Game.Result.DRAW
        enter_result(each, result, revision=each.revision, by=secretary)
    return {"told": told.pk, "unseen": unseen.pk, "forfeited": game.black_id}


def ticked(text: str) -> dict[int, bool]:
    boxes = re.findall(r'<input type="checkbox" name="entry" value="(\d+)"( checked)?>', text)
    return {int(key): bool(is_ticked) for key, is_ticked in boxes}


def test_nobody_whom_the_arbiter_has_marked_absent_is_ticked(three_away, secretary, signed_in, address):
    browser = signed_in(secretary)
    browser.post(address("round_finish", 1))
    text = browser.get(address("round", 1)).content.decode()
    assert ticked(text) == {
        three_away["told"]: False,
        three_away["unseen"]: True,
        three_away["forfeited"]: True,
    }


@pytest.mark.parametrize(
    ("system", "procedure", "is_named"),
    [("jahr", "fide-1989", False), ("jahr", "dutch-1992", True), ("fide-1989", "", False), ("dutch-1992", "", True)],
)
def test_a_page_names_the_rule_book_of_its_event(
    system, procedure, is_named, three_away, event, secretary, signed_in, address
):
    browser = signed_in(secretary)
    browser.post(address("round_finish", 1))
    event.system, event.procedure = system, procedure
    event.save()
    assert ("dutch-1992 F8" in browser.get(address("round", 1)).content.decode()) is is_named


# -- Corrections -----------------------------------------------------------------------------------------------------


def correct(browser, address, round_number: int, game: Game) -> str:
    data = {
        f"seen-{game.board}": f"{game.pk}.{game.revision} {game.result}",
        f"result-{game.board}": "0-1",
        "reason": "slip",
    }
    return words(browser.post(address("board_result", round_number, game.board), data, follow=True).content.decode())


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (None, "it will use the corrected result"),
        (DRAFT, "The draft of round 2 uses the old result. Discard the draft and pair the round again."),
        (PUBLISHED, "Round 2 is published and stays as it is"),
        (FINISHED, "Round 2 is finished. Its pairings and results stay as they are."),
    ],
)
def test_a_correction_says_before_and_after_what_it_means(state, said, round_in, secretary, signed_in, address):
    first = round_in(1, FINISHED)
    if state:
        round_in(2, state)
    browser = signed_in(secretary)
    game = first.games.get(board=1)
    assert said in words(browser.get(address("board", 1, 1)).content.decode())
    told = correct(browser, address, 1, game)
    assert "Result of board 1 corrected." in told
    assert (said in told) == (state != PUBLISHED), "a notice says it of a published round, and nothing says it twice"


def test_a_correction_leads_to_the_head_of_the_page_with_its_board_marked(round_in, secretary, signed_in, address):
    game = round_in(1, FINISHED).games.get(board=2)
    browser = signed_in(secretary)
    sent = {"seen-2": f"{game.pk}.{game.revision} {game.result}", "result-2": "0-1", "reason": "slip"}
    led_to = browser.post(address("board_result", 1, 2), sent)["Location"]
    assert led_to == f"{address('round', 1)}?corrected=2"
    page = browser.get(led_to).content.decode()
    assert page.index("Result of board 2 corrected.") < page.index('id="board-1"')
    assert re.findall(r'<tr id="board-(\d+)" class=" changed"', page) == ["2"]
    visited = signed_in().get(led_to).content.decode()
    assert '<tr id="board-2">' in visited
    for nonsense in ("", "x", "²", "9" * 5000):
        assert ' changed"' not in browser.get(address("round", 1), {"corrected": nonsense}).content.decode()


def test_every_result_of_a_finished_round_leads_to_its_correction(round_in, secretary, signed_in, address):
    round_in(1, FINISHED)
    link = re.compile('<td class="result"><a class="tap" href="([^"]+)" title="Correct result">1–0</a>')
    page = signed_in(secretary).get(address("round", 1)).content.decode()
    assert link.findall(page) == [address("board", 1, board) for board in (1, 2, 3)]
    assert "To correct a result, click it in the table." in page
    visited = signed_in().get(address("round", 1)).content.decode()
    assert not link.findall(visited)
    assert "orrect" not in words(visited)
    round_in(2, PUBLISHED)
    assert not link.findall(signed_in(secretary).get(address("round", 2)).content.decode())


def test_visitors_are_told_nothing_of_later_drafts(round_in, signed_in, address):
    round_in(1, FINISHED)
    round_in(2, DRAFT)
    assert "Round 2 is a draft" not in signed_in().get(address("board", 1, 1)).content.decode()


# -- Boards to watch -------------------------------------------------------------------------------------------------


def rows(text: str) -> list[int]:
    return [int(board) for board in re.findall(r'<tr id="board-(\d+)"', text)]


def test_boards_are_chosen_without_scripts(event, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    late = this_round.games.get(board=3).white
    CheckIn.objects.create(round=this_round, entry=late, state=CheckIn.State.LATE, at=this_round.published_at)
    enter_result(this_round.games.get(board=1), Game.Result.DRAW, revision=0, by=secretary)
    browser = signed_in(secretary)
    assert rows(browser.get(address("round", 1), {"only": "open"}).content.decode()) == [2, 3]
    assert rows(browser.get(address("round", 1), {"only": "late"}).content.decode()) == [3]
    assert rows(browser.get(address("round", 1), {"only": "disputed"}).content.decode()) == []
    assert rows(browser.get(address("round", 1), {"only": "<b>"}).content.decode()) == [1, 2, 3]


def test_visitors_see_all_boards_whatever_they_ask_for(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    text = signed_in().get(address("round", 1), {"only": "disputed"}).content.decode()
    assert rows(text) == [1, 2, 3]


# -- Messages in the hall --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent", [{}, {"text": " \n ", "minutes": "5"}, {"text": "x" * 161, "minutes": "5"}, {"text": "x", "minutes": "7"}]
)
def test_what_cannot_be_shown_is_refused(sent, round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    signed_in(secretary).post(address("hall_message", 1), sent)
    assert not HallMessage.objects.exists()


@pytest.mark.parametrize(("who", "status"), [(None, 401), ("outsider", 404), ("member", 403)])
def test_others_say_nothing_in_the_hall(who, status, round_in, signed_in, address, request):
    round_in(1, PUBLISHED)
    user = request.getfixturevalue(who) if who else None
    sent = {"text": "Free beer", "minutes": "5"}
    assert signed_in(user).post(address("hall_message", 1), sent).status_code == status
    assert not HallMessage.objects.exists()


def test_a_message_stands_on_the_screen_until_it_is_taken_off(event, round_in, secretary, signed_in, address):
    round_in(1, PUBLISHED)
    browser = signed_in(secretary)
    for text in ("Soup at 8", "Soup <b>now</b>"):
        browser.post(address("hall_message", 1), {"text": text, "minutes": "15"})
    assert "Soup &lt;b&gt;now&lt;/b&gt;" in signed_in().get(address("hall_screen")).content.decode()
    assert HallMessage.objects.count() == 1
    shown = LogEntry.objects.filter(action="hall message shown").order_by("pk")
    assert [line.details["text"] for line in shown] == ["Soup at 8", "Soup <b>now</b>"]
    browser.post(address("hall_message", 1), {"end": "1"})
    browser.post(address("hall_message", 1), {"end": "1"})
    assert "Soup" not in signed_in().get(address("hall_screen")).content.decode()
    assert LogEntry.objects.filter(action="hall message ended").count() == 1


def test_what_players_report_stands_at_their_boards(event, round_in, secretary, signed_in, address):
    Tournament.objects.filter(pk=event.pk).update(players_report_results=True)
    this_round = round_in(1, PUBLISHED)
    first, second, third = this_round.games.order_by("board")[:3]
    report_result(first.white, first, "1-0", revision=0)
    report_result(first.black, first, "1/2", revision=0)
    report_result(second.white, second, "1/2", revision=0)
    report_result(third.black, third, "0-1", revision=0)
    said = words(signed_in(secretary).get(address("round", 1)).content.decode())
    for sentence in ("White reported 1–0. Black reported ½–½.", "White reported ½–½.", "Black reported 0–1."):
        assert said.count(sentence) == 1
    page = signed_in(secretary).get(address("board", 1, 2)).content.decode()
    assert "White reported ½–½." in words(page)
    assert "Black reported" not in page


def test_a_message_whose_time_has_passed_is_not_shown(event, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    HallMessage.objects.create(tournament=event, text="Yesterday's soup", until=this_round.published_at)
    assert "soup" not in signed_in().get(address("hall_screen")).content.decode()


def test_the_screen_takes_turns(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    text = signed_in().get(address("hall_screen")).content.decode()
    assert 'data-turns="boards"' in text
    round_in(2, PUBLISHED)
    text = signed_in().get(address("hall_screen")).content.decode()
    assert 'data-turns="boards table"' in text
    assert "Standings after round 1" in signed_in().get(address("hall_screen"), {"show": "table"}).content.decode()
    for forged in ("drafts", "", "boards boards"):
        assert 'data-shows="boards"' in signed_in().get(address("hall_screen"), {"show": forged}).content.decode()


def test_the_screen_says_when_the_next_round_begins(event, round_in, signed_in, address):
    first = round_in(1, FINISHED)
    event.rounds.filter(number=2).update(starts_at=first.published_at)
    assert re.search(r"(Today|Tonight), \d\d:\d\d, round 2", signed_in().get(address("hall_screen")).content.decode())


def test_points_that_are_others_since_a_correction_are_said_to_everyone(round_in, secretary, signed_in, address):
    round_in(2, PUBLISHED)

    def said() -> str:
        return words(signed_in().get(address("round", 2)).content.decode())

    assert "The points shown are those used for pairing" not in said()
    game = Game.objects.get(round__number=1, board=1)
    assert game.result == "1-0"
    corrected = correct_result(game, "0-1", revision=game.revision, by=secretary)
    for name, before, now in ((game.white.name, "1", "0"), (game.black.name, "0", "1")):
        assert re.search(rf"{re.escape(name)} {now} \( ?{before} when paired ?\)", said())
    correct_result(corrected, "1-0", revision=corrected.revision, by=secretary)
    assert "The points shown are those used for pairing" not in said(), "the points are the same again"
