"""Printed papers: the last choices return, and outdated printouts are known."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pairing.models import PaperPreference, PrintedPaper
from pairing.printing.pages.posted_papers import PostedPaperStatus, list_posted_papers
from pairing.rounds.lifecycle.transitions import publish_round, unpublish_round
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import make_event
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.models import Game, Round, Tournament
from tournaments.results.recording import enter_result, finish_round

made_once, event, club, secretary = make_seven_player_fixtures()


@pytest.fixture(autouse=True)
def _kept_apart(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def print_it(secretary, signed_in, address):
    """Send a paper to the printer by the page; the address that it leads to."""

    def send(document: str, **chosen: object) -> str:
        answer = signed_in(secretary).post(address("event_paper_print"), {"document": document, **chosen})
        assert answer.status_code == 302
        return answer["Location"]

    return send


def wall(event) -> list[tuple[str, PostedPaperStatus]]:
    latest = event.rounds.exclude(state=Round.State.WAITING).order_by("-number").first()
    return [(each.code.removeprefix("print_"), each.status) for each in list_posted_papers(event, latest)]


def finish(this_round, by) -> None:
    for game in this_round.games.all():
        enter_result(game, Game.Result.WHITE_WINS, revision=game.revision, by=by)
    finish_round(this_round, by=by)


@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_nobody_else_prints_by_the_page(who, status, event, signed_in, address, request):
    user = request.getfixturevalue(who) if who else None
    answer = signed_in(user).post(address("event_paper_print"), {"document": "print_cards", "cards": "8"})
    assert answer.status_code == status
    assert not PaperPreference.objects.exists()


def test_an_unknown_paper_or_one_of_a_round_without_one_is_none(event, secretary, signed_in, address):
    browser = signed_in(secretary)
    assert browser.post(address("event_paper_print"), {"document": "print_everything"}).status_code == 404
    assert browser.post(address("event_paper_print"), {"document": "print_round", "of_round": "1"}).status_code == 404
    assert browser.get(address("event_paper_print")).status_code == 405


def test_what_was_chosen_is_offered_again_until_it_is_not(event, print_it, secretary, signed_in, address):
    sent = print_it("print_cards", chosen=1, cards="a5", backs="on", only=3, paper="a4", language="pl")
    assert sent == address("print_cards") + "?cards=a5&only=3&backs=1&paper=a4&language=pl"
    page = signed_in(secretary).get(address("print_centre") + "?document=print_cards")
    assert page.context["query"] == {"cards": "a5", "backs": "1", "paper": "a4", "language": "pl"}
    # Not ticking a box is a choice, too.
    page = signed_in(secretary).get(address("print_centre") + "?document=print_cards&chosen=1&cards=8")
    assert page.context["query"] == {"cards": "8", "paper": "a4", "language": "en"}
    assert (
        print_it("print_cards", usual=1, cards="2") == address("print_cards") + "?cards=a5&backs=1&paper=a4&language=pl"
    )
    # A visitor's choices are not remembered.
    assert "cards" not in signed_in().get(address("print_centre")).context["query"]


def test_the_wall_knows_what_is_newer(round_in, event, print_it, secretary):
    this_round = round_in(1, Round.State.PUBLISHED)
    assert wall(event) == [("round", PostedPaperStatus.MISSING)]
    print_it("print_round", of_round=1, usual=1)
    print_it("print_standings", usual=1)
    assert wall(event) == [("round", PostedPaperStatus.CURRENT), ("standings", PostedPaperStatus.CURRENT)]

    game = this_round.games.first()
    game = enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    assert wall(event) == [("standings", PostedPaperStatus.OUTDATED), ("round", PostedPaperStatus.CURRENT)]

    enter_result(game, Game.Result.PENDING, revision=game.revision, by=secretary)
    this_round = unpublish_round(this_round, by=secretary, reason="again")
    publish_round(this_round, by=secretary, version=this_round.version)
    assert ("round", PostedPaperStatus.OUTDATED) in wall(event)
    assert PrintedPaper.objects.count() == 2


def test_single_papers_of_a_round_are_asked_for_the_next_time(round_in, event, print_it, secretary):
    this_round = round_in(1, Round.State.PUBLISHED)
    print_it("print_round", of_round=1, chosen=1, pairings=2, seating=0, slips=1)
    assert wall(event) == [("pairings", PostedPaperStatus.CURRENT), ("slips", PostedPaperStatus.CURRENT)]
    finish(this_round, secretary)
    assert wall(event) == [("pairings", PostedPaperStatus.CURRENT), ("slips", PostedPaperStatus.CURRENT)]
    round_in(2, Round.State.PUBLISHED)
    assert wall(event) == [("pairings", PostedPaperStatus.MISSING), ("slips", PostedPaperStatus.MISSING)]
    print_it("print_pairings", of_round=2)
    assert wall(event) == [("slips", PostedPaperStatus.MISSING), ("pairings", PostedPaperStatus.CURRENT)]


def test_a_table_in_which_nothing_was_played_is_not_asked_for(round_in, event, print_it, secretary):
    round_in(1, Round.State.FINISHED)
    for table in ("print_standings", "print_crosstable"):
        print_it(table, chosen=1)
    this_round = round_in(2, Round.State.PUBLISHED)
    held = [("standings", PostedPaperStatus.CURRENT), ("crosstable", PostedPaperStatus.CURRENT)]
    assert wall(event)[1:] == held
    game = this_round.games.first()
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    assert set(wall(event)) >= {("standings", PostedPaperStatus.OUTDATED), ("crosstable", PostedPaperStatus.OUTDATED)}


def test_the_paper_for_the_wall_is_the_table_that_the_wall_asks_for(round_in, secretary, signed_in, address):
    this_round = round_in(2, Round.State.PUBLISHED)
    browser, table = signed_in(secretary), address("print_standings") + "?as=page"
    assert "Standings after round 1" in browser.get(table).content.decode()
    assert "Standings after round 2" in browser.get(table + "&after=2").content.decode()
    game = this_round.games.first()
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    assert "Standings after round 2" in browser.get(table).content.decode()


def test_two_different_tables_have_two_stamps(round_in, event, secretary):
    this_round = round_in(2, Round.State.FINISHED)
    stamps = [standings_sheet(get_event_standings(event)).results_at]
    this_round = round_in(3, Round.State.PUBLISHED)
    stamps.append(standings_sheet(get_event_standings(event)).results_at)
    game = this_round.games.first()
    game = enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    stamps.append(standings_sheet(get_event_standings(event)).results_at)
    enter_result(game, Game.Result.PENDING, revision=game.revision, by=secretary)
    stamps.append(standings_sheet(get_event_standings(event)).results_at)
    assert stamps == sorted(set(stamps))
    assert standings_sheet(get_event_standings(event, 2)).results_at == stamps[0]
    assert standings_sheet(get_event_standings(event)).open_boards == 3


def test_the_pack_or_its_parts_never_both(round_in, event, print_it, secretary):
    round_in(1, Round.State.PUBLISHED)
    for each in ("round", "pairings", "seating", "slips"):
        print_it(f"print_{each}", of_round=1, usual=1)
    finish(event.rounds.get(number=1), secretary)
    print_it("print_standings", chosen=1)
    this_round = round_in(2, Round.State.PUBLISHED)
    assert [each for each in wall(event) if each[1] is not PostedPaperStatus.CURRENT] == [
        ("round", PostedPaperStatus.MISSING)
    ]
    # The pack includes the standings.
    PrintedPaper.objects.filter(document="print_standings").update(edition="another")
    assert wall(event) == [("round", PostedPaperStatus.MISSING)]
    print_it("print_round", of_round=2, usual=1)
    assert wall(event) == [("round", PostedPaperStatus.CURRENT), ("standings", PostedPaperStatus.CURRENT)]
    this_round = unpublish_round(this_round, by=secretary, reason="again")
    publish_round(this_round, by=secretary, version=this_round.version)
    assert [code for code, _standing in wall(event)] == ["round", "standings"]
    print_it("print_pairings", of_round=2)
    assert [code for code, _standing in wall(event)] == ["seating", "slips", "pairings", "standings"]


def test_a_paper_is_said_not_to_hang(round_in, event, print_it, secretary, member, signed_in, address):
    round_in(1, Round.State.FINISHED)
    print_it("print_standings", chosen=1)
    said = {"document": "print_standings", "of_round": "0"}
    assert signed_in(member).post(address("posted_paper_remove"), said).status_code == 403
    browser = signed_in(secretary)
    for nonsense in ({"of_round": "x"}, {"of_round": "9" * 40}, {"document": "print_nothing"}):
        assert browser.post(address("posted_paper_remove"), said | nonsense).status_code == 404
    for _twice in range(2):
        assert browser.post(address("posted_paper_remove"), said).status_code == 302
        assert wall(event) == [("standings", PostedPaperStatus.TAKEN_DOWN)]
    assert b"not on the wall" in browser.get(address("print_centre")).content
    browser.post(address("posted_paper_remove"), said | {"forget": "1"})
    assert wall(event) == []


def test_a_finished_round_has_no_slips_in_its_pack(round_in, secretary, signed_in, address):
    round_in(1, Round.State.FINISHED)
    browser = signed_in(secretary)
    counts = browser.get(address("print_round", 1) + "?as=sheets").context["counts"]
    assert [name for name, _sheets in counts] == ["Round 1: results", "Standings after round 1"]
    page = browser.get(address("print_centre"))
    assert str(page.context["choice"].label) == "Results and standings"
    assert {"pairings", "standings"} <= set(page.context["form"].fields)
    assert not {"slips", "seating", "which"} & set(page.context["form"].fields)


def test_sheets_are_told_in_the_language_of_the_page(round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    browser = signed_in(secretary)
    counts = browser.get(address("print_round", 2) + "?as=sheets&language=de").context["counts"]
    assert counts[0][0] == "Round 2: pairings"
    page = browser.get(address("print_centre") + "?chosen=1&slips=3&language=de&second=pl")
    assert page.context["said"] == ["Deutsch + polski", "A4", "font size: largest that fits", "Result slips × 3"]
    # The printout that is chosen needs no second row.
    assert page.context["is_missing"]
    assert page.context["to_print"] == []
    (line,) = browser.get(address("print_centre") + "?document=print_pairings").context["to_print"]
    assert line.option_summary == ["English", "A4", "font size: largest that fits"]


def test_a_round_just_published_asks_for_its_pack_alone_and_for_no_table(
    round_in, event, print_it, secretary, signed_in, address
):
    round_in(1, Round.State.FINISHED)
    for code in ("print_round", "print_pairings", "print_standings"):
        print_it(code, of_round=1, usual=1)
    this_round = round_in(2, Round.State.PUBLISHED)
    assert wall(event) == [("round", PostedPaperStatus.MISSING), ("standings", PostedPaperStatus.CURRENT)]
    page = signed_in(secretary).get(address("print_standings") + "?as=page").content.decode()
    assert "Standings after round 1" in page
    game = this_round.games.first()
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=secretary)
    assert ("standings", PostedPaperStatus.OUTDATED) in wall(event)


def test_an_older_table_is_none_for_the_wall(round_in, event, print_it):
    round_in(2, Round.State.FINISHED)
    print_it("print_standings", after=1, chosen=1)
    assert not PrintedPaper.objects.exists()


def test_the_pack_holds_as_many_copies_as_wanted(round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    browser, pack = signed_in(secretary), address("print_round", 2)

    def counted(query: str) -> list[tuple[str, int]]:
        return browser.get(f"{pack}?as=sheets&{query}").context["counts"]

    one = counted("")
    assert [name.partition(":")[2] or name for name, _sheets in one] == [
        " pairings", " seating list", " result slips", "Standings after round 1",
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


def test_a_printed_paper_names_itself_and_its_round():
    event = Tournament(name="Środa")
    assert str(PrintedPaper(tournament=event, document="pairings", round_number=3)).endswith("pairings 3")
    assert str(PrintedPaper(tournament=event, document="standings")).endswith("standings")


def test_the_guests_of_one_event_are_not_those_of_another(event, print_it, secretary, signed_in):
    """Languages and the size of the paper stay with their event; how cards are laid out is the club's."""
    print_it("print_cards", chosen=1, cards="8", stacked="on", paper="letter", language="cs", second="de")
    other = make_event(event.club, players=4, slug="other")
    pages = [
        signed_in(secretary).get(f"{reverse('print_centre', args=[each.club.slug, each.slug])}?document=print_cards")
        for each in (event, other)
    ]
    assert [page.context["query"] for page in pages] == [
        {"cards": "8", "stacked": "1", "paper": "letter", "language": "cs", "second": "de"},
        {"cards": "8", "stacked": "1", "paper": "a4", "language": "en"},
    ]


def test_what_older_versions_kept_of_one_event_does_not_hold_for_all(event, secretary, signed_in, address):
    options = {"cards": "8", "paper": "letter", "language": "cs"}
    PaperPreference.objects.create(club=event.club, document="print_cards", options=options)
    page = signed_in(secretary).get(address("print_centre") + "?document=print_cards")
    assert page.context["query"] == {"cards": "8", "paper": "a4", "language": "en"}
