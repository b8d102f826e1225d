"""What was printed: chosen again the next time, and known to be older than what is true by now."""

from __future__ import annotations

import pytest

from pairing.models import PaperHabit, Printing
from pairing.printing.wall import Standing, on_the_wall
from pairing.rounds.pairing import publish, unpublish
from tests.cast import SIGN_IN_FIRST
from tournaments.models import Game, Round
from tournaments.results.recording import enter_result


@pytest.fixture(autouse=True)
def _kept_apart(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def print_it(secretary, signed_in, address):
    """Send a paper to the printer by the page; the address that it leads to."""

    def send(document: str, **chosen: object) -> str:
        answer = signed_in(secretary).post(address("print_now"), {"document": document, **chosen})
        assert answer.status_code == 302
        return answer["Location"]

    return send


def wall(event) -> list[tuple[str, Standing]]:
    latest = event.rounds.exclude(state=Round.State.WAITING).order_by("-number").first()
    return [(each.code.removeprefix("print_"), each.standing) for each in on_the_wall(event, latest)]


@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_nobody_else_prints_by_the_page(who, status, event, signed_in, address, request):
    user = request.getfixturevalue(who) if who else None
    answer = signed_in(user).post(address("print_now"), {"document": "print_cards", "cards": "8"})
    assert answer.status_code == status
    assert not PaperHabit.objects.exists()


def test_an_unknown_paper_or_one_of_a_round_without_one_is_none(event, secretary, signed_in, address):
    browser = signed_in(secretary)
    assert browser.post(address("print_now"), {"document": "print_everything"}).status_code == 404
    assert browser.post(address("print_now"), {"document": "print_round", "of_round": "1"}).status_code == 404
    assert browser.get(address("print_now")).status_code == 405


def test_what_was_chosen_is_offered_again_until_it_is_not(event, print_it, secretary, signed_in, address):
    sent = print_it("print_cards", chosen=1, cards="a5", backs="on", only=3, paper="a4", language="pl")
    assert sent == address("print_cards") + "?cards=a5&only=3&backs=1&paper=a4&language=pl"
    page = signed_in(secretary).get(address("print_centre") + "?document=print_cards")
    assert page.context["query"] == {"cards": "a5", "backs": "1", "paper": "a4", "language": "pl"}
    # A box that is not ticked is chosen, too.
    page = signed_in(secretary).get(address("print_centre") + "?document=print_cards&chosen=1&cards=8")
    assert page.context["query"] == {"cards": "8", "paper": "a4", "language": "en"}
    assert (
        print_it("print_cards", usual=1, cards="2") == address("print_cards") + "?cards=a5&backs=1&paper=a4&language=pl"
    )
    # A visitor has no habits.
    assert "cards" not in signed_in().get(address("print_centre")).context["query"]


def test_the_wall_knows_what_is_newer(round_in, event, print_it, secretary):
    this_round = round_in(1, Round.State.PUBLISHED)
    assert wall(event) == [("round", Standing.MISSING)]
    print_it("print_round", of_round=1, usual=1)
    print_it("print_standings", usual=1)
    assert wall(event) == [("round", Standing.HOLDS), ("standings", Standing.HOLDS)]

    game = this_round.games.first()
    game = enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    assert wall(event) == [("standings", Standing.OLD), ("round", Standing.HOLDS)]

    enter_result(game, Game.Result.PENDING, revision=game.revision, by=secretary)
    this_round = unpublish(this_round, by=secretary, reason="again")
    publish(this_round, by=secretary, version=this_round.version)
    assert ("round", Standing.OLD) in wall(event)
    assert Printing.objects.count() == 2


def test_single_papers_of_a_round_are_asked_for_the_next_time(round_in, event, print_it):
    round_in(1, Round.State.FINISHED)
    assert wall(event) == []
    print_it("print_round", of_round=1, chosen=1, pairings=2, seating=0, slips=1)
    assert wall(event) == [("pairings", Standing.HOLDS), ("slips", Standing.HOLDS)]
    round_in(2, Round.State.PUBLISHED)
    assert wall(event) == [("pairings", Standing.MISSING), ("slips", Standing.MISSING)]
    print_it("print_pairings", of_round=2)
    assert wall(event) == [("slips", Standing.MISSING), ("pairings", Standing.HOLDS)]


def test_a_round_just_published_asks_for_its_pack_alone_and_for_no_table(
    round_in, event, print_it, secretary, signed_in, address
):
    round_in(1, Round.State.FINISHED)
    for code in ("print_round", "print_pairings", "print_standings"):
        print_it(code, of_round=1, usual=1)
    this_round = round_in(2, Round.State.PUBLISHED)
    assert wall(event) == [("round", Standing.MISSING), ("standings", Standing.HOLDS)]
    page = signed_in(secretary).get(address("print_standings") + "?as=page").content.decode()
    assert "Standings after round 1" in page
    game = this_round.games.first()
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    assert ("standings", Standing.OLD) in wall(event)


def test_an_older_table_is_none_for_the_wall(round_in, event, print_it):
    round_in(2, Round.State.FINISHED)
    print_it("print_standings", after=1, chosen=1)
    assert not Printing.objects.exists()


def test_the_pack_holds_as_many_copies_as_wanted(round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    browser, pack = signed_in(secretary), address("print_round", 2)

    def counted(query: str) -> list[tuple[str, int]]:
        return browser.get(f"{pack}?as=sheets&{query}").context["counts"]

    one = counted("")
    assert [name.partition(":")[2] or name for name, _sheets in one] == [
        " pairings", " where do I sit?", " result slips", "Standings after round 1",
    ]  # fmt: skip
    assert [sheets for _name, sheets in one] == [1, 1, 1, 1]
    assert [sheets for _name, sheets in counted("pairings=3&seating=0&which=lists")] == [3, 1]
    assert [name for name, _sheets in counted("which=slips")] == ["Round 2: result slips"]
    assert counted("pairings=0&seating=0&slips=0&standings=0") == one


def test_headings_in_two_languages(round_in, secretary, signed_in, address):
    round_in(1, Round.State.PUBLISHED)
    browser = signed_in(secretary)
    query = "?as=page&language=pl&second="
    both = browser.get(address("print_pairings", 1) + query + "en").content.decode()
    assert '<p class="second" lang="en">Round 1: pairings</p>' in both
    assert 'Białe <span class="second" lang="en">White</span>' in both
    for nothing in ("", "pl", "tlh"):
        assert 'class="second"' not in browser.get(address("print_pairings", 1) + query + nothing).content.decode()
