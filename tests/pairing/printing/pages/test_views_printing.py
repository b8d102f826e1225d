"""The print pages: who can print which paper, and that only officers can print drafts."""

from __future__ import annotations

from datetime import UTC, date, datetime
from io import BytesIO

import pytest
from django.utils.module_loading import import_string
from pypdf import PdfReader

from clubs.models import Member
from common.jobs import queue, redirects
from common.jobs.kinds import WorkerQueue, job_kind_of
from pairing.printing.pages.views import papers as paper_views
from tests.pairing.seven_players import make_seven_player_fixtures
from tests.scenario import SIGN_IN_FIRST
from tournaments.models import Game, Prize, PrizeFund, Round, Tournament
from tournaments.results.recording import enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

OF_A_ROUND_FOR_ALL = ("print_pairings", "print_seating")
OF_A_ROUND_FOR_OFFICERS = ("print_slips", "print_round")
FOR_ALL = ("print_starting_list", "print_standings", "print_crosstable", "print_wall_chart", "print_clubs")
FOR_OFFICERS = (
    "print_cards",
    "print_attendance",
    "print_place_cards",
    "print_badges",
    "print_diplomas",
    "print_registration",
    "print_door_poster",
    "print_hall_signs",
    "print_report",
)


@pytest.fixture(autouse=True)
def _kept_apart(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def printed(monkeypatch) -> list[str]:
    """The HTML of what is printed, instead of printing it."""
    pages: list[str] = []

    def keep(paper, **_rest):
        pages.extend(part.html for part in paper.parts)
        return b"%PDF-"

    monkeypatch.setattr("pairing.printing.pdf.paper_templates.load_or_render_pdf", keep)
    return pages


@pytest.mark.parametrize("name", OF_A_ROUND_FOR_ALL + OF_A_ROUND_FOR_OFFICERS)
@pytest.mark.parametrize("who", [None, "member", "outsider"])
def test_a_draft_is_printed_for_nobody_else(name, who, printed, round_in, signed_in, address, request):
    round_in(1, Round.State.DRAFT)
    user = request.getfixturevalue(who) if who else None
    assert signed_in(user).get(address(name, 1)).status_code in (302, 403, 404)
    assert printed == []


@pytest.mark.parametrize("name", FOR_OFFICERS)
@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_papers_for_officers(name, who, status, printed, event, signed_in, address, request):
    user = request.getfixturevalue(who) if who else None
    assert signed_in(user).get(address(name)).status_code == status
    assert printed == []


@pytest.mark.parametrize("name", OF_A_ROUND_FOR_OFFICERS)
@pytest.mark.parametrize(("who", "status"), [(None, SIGN_IN_FIRST), ("outsider", 404), ("member", 403)])
def test_papers_of_a_round_for_officers(name, who, status, printed, round_in, signed_in, address, request):
    round_in(1, Round.State.PUBLISHED)
    user = request.getfixturevalue(who) if who else None
    assert signed_in(user).get(address(name, 1)).status_code == status
    assert printed == []


@pytest.mark.parametrize("name", [*FOR_ALL, "print_centre"])
def test_a_closed_event_is_printed_for_the_club_alone(name, printed, event, member, outsider, signed_in, address):
    assert signed_in().get(address(name)).status_code == 200
    event.is_public = False
    event.save()
    assert signed_in().get(address(name)).status_code == 404
    assert signed_in(outsider).get(address(name)).status_code == 404
    assert signed_in(member).get(address(name)).status_code == 200


@pytest.mark.parametrize("name", FOR_ALL + FOR_OFFICERS)
def test_every_paper_is_a_pdf_and_only_read(name, printed, event, secretary, signed_in, address):
    answer = signed_in(secretary).get(address(name))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"].startswith("inline; filename=")
    assert len(printed) == 1
    assert signed_in(secretary).post(address(name)).status_code == 405


def test_officers_print_their_draft_with_a_mark(printed, round_in, secretary, signed_in, address):
    round_in(1, Round.State.DRAFT)
    assert signed_in(secretary).get(address("print_pairings", 1)).status_code == 200
    assert "Draft, version 1" in printed[0]


def test_everyone_prints_a_published_round(printed, round_in, signed_in, address):
    this_round = round_in(1, Round.State.PUBLISHED)
    for name in OF_A_ROUND_FOR_ALL:
        assert signed_in().get(address(name, 1)).status_code == 200
    for html in printed:
        for game in this_round.games.select_related("white"):
            assert game.white.name in html
    assert "Version 1, published" in printed[0]
    assert "bye" in printed[0]
    assert printed[0].index("</table>") < printed[0].index("bye")


def test_no_standings_of_a_draft(printed, round_in, secretary, signed_in, address):
    round_in(2, Round.State.DRAFT)
    assert signed_in(secretary).get(address("print_standings") + "?after=2").status_code == 404
    assert signed_in(secretary).get(address("print_standings") + "?after=1").status_code == 200
    assert "Standings after round 1" in printed[0]


def test_everything_for_a_round_holds_four_papers(printed, round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    assert signed_in(secretary).get(address("print_round", 2)).status_code == 200
    assert len(printed) == 4
    assert "Standings after round 1" in printed[3]


def test_wishes_that_are_none_are_passed_over(printed, event, secretary, signed_in, address):
    query = "?cards=77&only=x&spare=-1&paper=a3&language=tlh"
    assert signed_in(secretary).get(address("print_cards") + query).status_code == 200
    assert 'class="a4 on-4 jahr narrow"' in printed[0]
    assert '<html lang="en">' in printed[0]


def test_spare_cards_alone(printed, event, secretary, signed_in, address):
    assert signed_in(secretary).get(address("print_cards") + "?nobody=1&spare=5").status_code == 200
    assert printed[0].count("<article") == 5
    assert "Kowal" not in printed[0]


def test_cards_too_small_for_the_event_are_refused_in_words(printed, event, secretary, signed_in, address):
    event.rounds_announced = 14
    event.save()
    for language in ("en", "pl"):
        answer = signed_in(secretary).get(address("print_cards") + f"?cards=8&language={language}")
        assert answer.status_code == 409
        assert "10 rounds" in answer.content.decode(), "in the reader's language"
    assert printed == []


def test_an_unknown_tie_break_is_told_in_the_readers_language(printed, event, secretary, signed_in, address):
    Tournament.objects.filter(pk=event.pk).update(tie_breaks=["NONE"])
    answer = signed_in(secretary).get(address("print_standings") + "?language=pl")
    assert answer.status_code == 409
    assert "know the tie-break NONE." in answer.content.decode()
    assert printed == []


def test_the_centre_offers_what_one_may_have(round_in, member, secretary, signed_in, address):
    round_in(2, Round.State.DRAFT)
    for user, sees in ((None, False), (member, False), (secretary, True)):
        page = signed_in(user).get(address("print_centre"))
        offered = {choice.code for group in page.context["groups"] for choice in group.choices}
        assert {"print_pairings", "print_standings"} <= offered
        for code in ("print_cards", "print_slips", "print_record", "print_badges"):
            assert (code in offered) is sees, code
        # The latest round is the default: for officers that is the draft.
        first = address("print_round", 2) if sees else address("print_pairings", 1)
        assert page.context["preview"].startswith(first)


def test_averages_are_offered_where_somebody_pairs_by_them(event, secretary, signed_in, address):
    browser = signed_in(secretary)
    for system, offered in (("jahr", False), ("dubov-1997", True)):
        event.system = system
        event.save()
        groups = browser.get(address("print_centre")).context["groups"]
        assert ("print_averages" in {choice.code for group in groups for choice in group.choices}) is offered
        assert browser.get(address("print_averages") + "?as=page").status_code == 200


def test_regulations_name_the_reading_of_every_open_place(event, signed_in, address):
    event.system, event.readings = "fide-1989", {"fide-1989:8.2": "next-round"}
    event.save()
    page = signed_in(None).get(address("print_regulations") + "?as=page").content.decode()
    assert "FIDE Swiss rules of 1987–89, 8.2" in page
    assert "article 16: the opponents" in page
    assert "no bye in the round right after a win by forfeit" in page
    assert "dubov-1997" not in page
    assert str(event.rounds_announced) in page


def test_regulations_are_in_words_that_players_know(event, signed_in, address):
    event.point_system, event.starts_on, event.ends_on = "1-0.5-0 P0.5", date(2026, 11, 1), date(2026, 12, 13)
    event.save()
    event.rounds.filter(number=2).update(starts_at=datetime(2026, 11, 8, 17, 30, tzinfo=UTC))
    page = signed_in(None).get(address("print_regulations") + "?as=page").content.decode()
    assert "P½" not in page
    assert "1 – ½ – 0, bye ½" in page
    assert "T: total points" in page
    assert "Jahr’s method (1981), 6" in page
    assert "Begins on" not in page
    assert "Sunday" in page.partition("Round 2")[2]


def test_papers_with_nothing_in_them_are_not_offered(event, round_in, secretary, signed_in, address):
    empty = {"print_prizes", "print_clubs", "print_crosstable", "print_diplomas", "print_record"}

    def offered() -> set[str]:
        groups = signed_in(secretary).get(address("print_centre")).context["groups"]
        return {choice.code for group in groups for choice in group.choices}

    assert not empty & offered()
    event.entries.update(club_name="Pod Wieżą")
    assert "print_clubs" not in offered()
    event.entries.filter(pk=event.entries.first().pk).update(club_name="Na Skale")
    Prize.objects.create(fund=PrizeFund.objects.create(tournament=event), place=1, cents=5000)
    round_in(1, Round.State.PUBLISHED)
    assert empty <= offered()


@pytest.mark.parametrize(
    ("host", "warned"), [("localhost", True), ("127.0.0.1:8000", True), ("[::1]:8000", True), ("club.example", False)]
)
def test_codes_that_lead_to_this_computer_alone_are_warned_of(host, warned, event, signed_in, address, settings):
    settings.ALLOWED_HOSTS = ["*"]
    page = signed_in().get(address("print_centre"), headers={"host": host}).content.decode()
    assert ("would only work on this computer" in page) is warned


def test_the_pack_for_an_evening_without_the_computer(printed, event, secretary, signed_in, address):
    assert signed_in(secretary).get(address("print_pack")).status_code == 200
    reckoning, cards, slips, sheet, chart, moves = printed
    assert "In the next box, write a tenth of it, rounded to 2 decimal places." in reckoning
    assert cards.count("blank-name") >= 16
    assert slips.count("Round ____, board ____") >= 8
    assert "Round ____: pairings" in sheet
    assert "Wall chart" in chart
    assert "Score sheet" in moves


def test_the_wall_chart_empty_and_filled(printed, round_in, secretary, signed_in, address):
    this_round = round_in(2, Round.State.PUBLISHED).tournament.rounds.get(number=1)
    game = this_round.games.select_related("black").order_by("board").first()
    browser = signed_in(secretary)
    for query in ("", "?filled=1", "?filled=1&paper=a3"):
        assert browser.get(address("print_wall_chart") + query).status_code == 200
    empty, filled, large = printed
    met = f"<p>{game.black.tpn}○</p>"
    assert met not in empty
    assert met in filled
    assert met in large


def test_a_finished_round_is_headed_results(printed, round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    browser = signed_in(secretary)
    for number in (1, 2):
        assert browser.get(address("print_pairings", number)).status_code == 200
    assert "Round 1: results" in printed[0]
    assert "Round 2: pairings" in printed[1]


def test_the_centre_shows_what_it_will_print(printed, round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    browser = signed_in(secretary)
    query = "?document=print_standings&after=1&language=pl&paper=letter&only=7"
    page = browser.get(address("print_centre") + query)
    assert page.context["pdf"] == address("print_standings") + "?after=1&paper=letter&language=pl"
    assert page.context["preview"] == page.context["pdf"] + "&as=page"
    shown = browser.get(page.context["preview"]).content.decode()
    assert browser.get(page.context["pdf"]).status_code == 200
    assert shown.replace(shown[shown.index('<meta name="viewport"') : shown.index("</head>")], "") == printed[0]


def test_what_cannot_be_chosen_is_said_and_left_out(round_in, secretary, signed_in, address):
    round_in(1, Round.State.PUBLISHED)
    page = signed_in(secretary).get(address("print_centre") + "?document=print_cards&only=x&spare=5&cards=77")
    assert page.context["form"].errors.keys() == {"only", "cards"}
    assert page.context["pdf"] == address("print_cards") + "?spare=5&paper=a4&language=en"


def test_an_unknown_document_is_the_first_there_is(event, signed_in, address):
    page = signed_in().get(address("print_centre") + "?document=nothing&of_round=99")
    assert page.context["choice"].code == "print_starting_list"


def test_a_card_really_printed(round_in, secretary, signed_in, address):
    round_in(1, Round.State.PUBLISHED)
    try:
        import weasyprint  # noqa: F401
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")
    answer = signed_in(secretary).get(address("print_cards") + "?only=1&cards=a6")
    document = PdfReader(BytesIO(answer.content))
    assert len(document.pages) == 1
    assert "Łęcka, Zdzisława" in document.pages[0].extract_text()


def test_groups_and_reports_hold_what_they_are_about(printed, round_in, event, secretary, signed_in, address):
    this_round = round_in(1, Round.State.PUBLISHED)
    women = list(event.entries.order_by("tpn")[:2])
    event.entries.filter(pk__in=[each.pk for each in women]).update(
        sex=Member.Sex.FEMALE, federation="CZE", club_name="Vymyšlený"
    )
    game = this_round.games.select_related("white", "black").first()
    enter_result(game, Game.Result.WHITE_WINS_FORFEIT, revision=game.revision, by=secretary)
    officer = signed_in(secretary)

    def of(name: str, query: str = "") -> str:
        printed.clear()
        assert officer.get(address(name) + query).status_code == 200
        return " ".join(printed)

    table = of("print_standings", "?category=women")
    others = set(event.entries.values_list("name", flat=True)) - {each.name for each in women}
    assert all(each.name in table for each in women)
    assert not any(name in table for name in others)
    assert "Overall" in table
    assert of("print_standings", "?category=nobody").count("<tr>") == event.entries.count() + 1
    assert of("print_standings", "?category=every").count("<h1>") == len(printed) >= 1
    assert of("print_diplomas", "?category=women&places=2").count('class="who"') == 2
    assert "Vymyšlený" in of("print_clubs", "?best=2")
    assert "CZE" in of("print_federations", "?best=1")
    assert "Women" in of("print_categories")
    report = of("print_report")
    assert "+ : −" in report.partition("Unplayed games")[2].partition("Byes and absences")[0]
    assert "The event is not over yet." in report
    assert "No player has enough games for a norm." in of("print_norms")


def test_a_year_book_holds_the_tables_of_its_year(printed, round_in, event, member, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    event.starts_on = date(2025, 3, 1)
    event.save()
    book = address("print_report").partition(event.slug)[0] + "members/print/year-book.pdf"
    assert signed_in(member).get(book + "?year=2025").status_code == 200
    assert all(name in printed[0] for name in event.entries.values_list("name", flat=True))
    assert signed_in(member).get(book + "?year=2024").status_code == 200
    assert "No event that year has standings." in printed[1]
    assert signed_in(member).get(book + "?year=1850").status_code == 404


def test_a_visitor_s_printout_comes_from_the_worker_and_then_from_what_is_kept(
    round_in, signed_in, address, monkeypatch
):
    """Six visitors who asked for papers took the processes of the pages from people who enter results."""
    round_in(1, Round.State.PUBLISHED)
    asked: list[tuple[int, str]] = []
    monkeypatch.setattr(queue, "_dispatch", lambda key, task, _limit: asked.append((key, task)))
    monkeypatch.setattr(redirects, "SECONDS_TO_WAIT", 0)
    visitor = signed_in(None)
    for _again in range(2):
        answer = visitor.get(address("print_pairings", 1))
        assert answer.status_code == 202
        assert answer.headers["Refresh"] == "2"
        assert "Preparing printout" in answer.text
    ((key, task),) = asked
    assert job_kind_of(task).queue is WorkerQueue.CHORES, "officers do not wait for it"
    import_string(task).apply(args=[key])
    monkeypatch.setattr("pairing.printing.pdf.weasyprint_rendering.render_pdf", None, raising=False)
    answer = visitor.get(address("print_pairings", 1))
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")


def test_only_the_first_of_visitors_printouts_keeps_a_page_process_waiting(round_in, signed_in, address, monkeypatch):
    """Twenty visitors who printed left phones without pages for 20 seconds."""
    round_in(1, Round.State.PUBLISHED)
    monkeypatch.setattr(queue, "_dispatch", lambda *_asked: None)
    waited: list[float] = []
    monkeypatch.setattr(paper_views, "wait_for_job", lambda job, seconds: waited.append(seconds) or job)
    visitor = signed_in(None)
    answers = [visitor.get(address(f"print_{name}", 1)) for name in ("pairings", "seating", "pairings")]
    assert [each.headers["Refresh"] for each in answers] == ["2", "4", "2"]
    assert waited == [redirects.SECONDS_TO_WAIT, 0, redirects.SECONDS_TO_WAIT]


def test_visitors_of_one_address_have_a_limit_of_new_printouts(round_in, signed_in, address, monkeypatch):
    round_in(1, Round.State.PUBLISHED)
    monkeypatch.setattr(paper_views, "MAX_VISITORS_PAPERS_PER_MINUTE", 1)
    monkeypatch.setattr(queue, "_dispatch", lambda *_asked: None)
    monkeypatch.setattr(redirects, "SECONDS_TO_WAIT", 0)
    visitor = signed_in(None)
    assert visitor.get(address("print_pairings", 1)).status_code == 202
    assert visitor.get(address("print_seating", 1)).status_code == 429


def test_only_wall_lists_are_printed_on_a3(printed, round_in, secretary, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    browser = signed_in(secretary)
    for name, size in (("print_pairings", "297mm 420mm"), ("print_slips", "210mm 297mm")):
        css = browser.get(address(name, 2) + "?as=css&paper=a3").content.decode()
        assert f"@page {{ size: {size} }}" in css, name
    wall, slips = (
        browser.get(address("print_centre") + f"?document={name}").context["form"].fields["paper"].choices
        for name in ("print_pairings", "print_slips")
    )
    assert [value for value, _label in wall] == ["a4", "letter", "a3"]
    assert [value for value, _label in slips] == ["a4", "letter"]


def test_the_seating_list_without_opponents_and_in_a_chosen_size(printed, round_in, signed_in, address):
    round_in(2, Round.State.PUBLISHED)
    whole = signed_in().get(address("print_seating", 2) + "?as=page").content.decode()
    short = signed_in().get(address("print_seating", 2) + "?as=page&without_opponents=1").content.decode()
    assert "Opponent" in whole
    assert "Opponent" not in short
    css = signed_in().get(address("print_seating", 2) + "?as=css&points=12").content.decode()
    assert "font-size: 12.0pt" in css
    nonsense = signed_in().get(address("print_seating", 2) + "?as=css&points=1e9").content.decode()
    assert "1e9" not in nonsense
