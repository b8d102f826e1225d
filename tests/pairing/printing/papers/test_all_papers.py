"""Contents of papers: the record, averages, prizes, the club's lists, letterheads, marks, and the hardest events.

The HTML that is printed is read here; `test_pdfs.py` reads PDF.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from html import unescape
from urllib.parse import unquote

import pytest
from django.utils import translation

from clubs.finance.dues.balances import MemberBalance
from clubs.membership.members.member_list import MemberListRow
from clubs.models import ClubLetterhead, PaperSize
from common.text.colours import MIN_CONTRAST, contrast_ratio
from pairing.engine.paired_round import ReasonKind
from pairing.pages.standings.prize_giving import EVERYONE, PrizesOfList, prize_sheet, set_prizes
from pairing.printing.papers.arbiter_records import arbiter_record_paper, opponent_averages_paper
from pairing.printing.papers.badges_and_diplomas import (
    DiplomaSignature,
    badges_paper,
    diplomas_paper,
    place_cards_paper,
    table_numbers_paper,
)
from pairing.printing.papers.blanks_and_posters import printer_test_paper
from pairing.printing.papers.clubs import dues_list_paper, member_list_paper, rating_list_paper, series_standings_paper
from pairing.printing.papers.events import (
    attendance_paper,
    crosstable_paper,
    prizes_paper,
    standings_paper,
    starting_list_paper,
    wall_chart_paper,
)
from pairing.printing.papers.rounds import pairings_paper, result_slips_paper, seating_paper
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf.paper_templates import Letterhead, PrintOptions, club_print_options
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.sheets.opponent_averages import opponent_average_sheet
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.sheets.start_cards import StartCard, StartCardSheet, start_card_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import draft_of, make_club, make_event, make_member, played
from tests.module_fixtures import make_module_fixtures
from tests.pairing.printing.papers.paper_scenario import a_running_event
from tournaments.club_ratings.rating_history import RatedMember as RatedMember
from tournaments.models import PairingSystem, Series
from tournaments.problems import ArbiterProblem
from tournaments.series.standings import build_series_table

ENGLISH = PrintOptions(language="en")
HEADED = PrintOptions(
    language="en",
    letterhead=Letterhead(header="ul. Zmyślona 1", footer="konto 00 0000", logo="data:image/png;base64,AAAA"),
)


made_once, event = make_module_fixtures(lambda: a_running_event(PairingSystem.DUBOV_1997))


def text(paper: Paper) -> str:
    """All text on a paper, without its tags."""
    html = " ".join(part.html.partition("<body")[2].partition(">")[2] for part in paper.parts)
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))).strip()


# -- The record -----------------------------------------------------------------------------------------------------


def test_the_record_names_every_board_and_why(event):
    sheet = arbiter_record_sheet(event)
    assert [each.sheet.number for each in sheet.rounds] == [1, 2, 3]
    paper = arbiter_record_paper(sheet, ENGLISH)
    said = text(paper)
    for each in sheet.rounds:
        assert len(each.boards) == 3
        assert f"Round {each.sheet.number} Dubov system of 1997" in said
        for recorded in each.boards:
            assert recorded.reasons
            assert f"○ {recorded.board.white.name} ({recorded.board.white.number})" in said
    assert said.count(" has White against ") == 9
    assert "art. 6.2" in said


def test_the_record_names_the_system_and_the_order_of_opponents_once_a_round(event):
    """Six rounds of Dubov for forty players would otherwise take twelve sheets."""
    sheet = arbiter_record_sheet(event)
    said = text(arbiter_record_paper(sheet, ENGLISH))
    assert "Dubov 1997" not in said
    assert 1 <= said.count("Opponents are tried in order") <= len(sheet.rounds)
    assert "Already paired" not in said
    cited = arbiter_record_paper(replace(sheet, system=PairingSystem.JAHR), ENGLISH)
    assert "Dubov 1997, 6.2" in text(cited), "of another system than the event's"


def test_the_record_prints_the_order_of_a_score_group_once_and_refers_to_it(db):
    event = make_event(make_club("zegar"), players=12, rounds=5, system=PairingSystem.JAHR)
    played(event, 1)
    played(event, 2)
    sheet = arbiter_record_sheet(event, only=2)
    (recorded,) = sheet.rounds
    orders = {
        (reason.get_fact("half_points"), reason.players)
        for board in recorded.boards
        for reason in board.reasons
        if reason.kind is ReasonKind.ORDER
    }
    shared = sum(reason.kind is ReasonKind.ORDER for board in recorded.boards for reason in board.reasons)
    said = text(arbiter_record_paper(sheet, ENGLISH))
    assert shared > len(orders) > 1
    assert said.count("ordered by total points") == len(orders)
    assert "already paired" not in said
    for board in map(int, re.findall(r"See also boards? (\d+)", said)):
        assert f" {board} ○ " in said


def test_a_draft_is_in_the_record_only_where_it_is_asked_for(event):
    played_all = event.rounds.get(number=3)
    played_all.games.update(result="1/2")
    played_all.state = "finished"
    played_all.save()
    draft_of(event, 4)
    assert [each.sheet.number for each in arbiter_record_sheet(event).rounds] == [1, 2, 3]
    (only,) = arbiter_record_sheet(event, only=4).rounds
    said = text(arbiter_record_paper(arbiter_record_sheet(event, only=4), ENGLISH))
    assert only.sheet.is_draft
    assert "Draft, version 1" in said


def test_the_record_of_an_event_not_begun(db):
    event = make_event(make_club(), players=3)
    assert "No rounds paired yet." in text(arbiter_record_paper(arbiter_record_sheet(event), ENGLISH))


# -- Averages -------------------------------------------------------------------------------------------------------


def test_averages_are_those_of_the_opponents_met(event):
    """Calculated by hand from the games, without the engine."""
    met: dict[int, list[int]] = {}
    for game in event.rounds.get(number=1).games.all() | event.rounds.get(number=2).games.all():
        met.setdefault(game.white.tpn, []).append(game.black.rating)
        met.setdefault(game.black.tpn, []).append(game.white.rating)
    sheet = opponent_average_sheet(event, 2)
    assert [line.number for line in sheet.lines] == [1, 2, 3, 4, 5, 6, 7]
    for line in sheet.lines:
        ratings = met[line.number]
        assert line.games == len(ratings)
        # Two ratings that end in 0, or one: their mean needs no rounding.
        assert line.average == Decimal(sum(ratings)) / len(ratings)
    assert [line.average for line in sheet.lines_by_average] == sorted(
        (line.average for line in sheet.lines), reverse=True
    )


def test_nobody_has_an_average_before_the_first_round(event):
    assert {line.average for line in opponent_average_sheet(event, 0).lines} == {Decimal("0.0")}


def test_averages_are_written_as_the_language_writes_numbers(event):
    sheet = opponent_average_sheet(event, 2)
    with translation.override("pl"):
        polish = text(opponent_averages_paper(sheet, PrintOptions(language="pl"), by_average=True))
    assert f"{sheet.lines_by_average[0].average:.1f}".replace(".", ",") in polish
    assert "Średnie rankingi przeciwników po rundzie 2" in polish


# -- Prizes ---------------------------------------------------------------------------------------------------------


def test_prizes_for_the_wall_and_for_handing_out(event):
    set_prizes(
        event,
        [PrizesOfList(category=EVERYONE, prizes=(10000, 5000))],
        sharing="place",
        one_prize_each=True,
        by=None,
    )
    sheet = prize_sheet(event)
    wall = text(prizes_paper(sheet, ENGLISH))
    signed = text(prizes_paper(sheet, ENGLISH, with_signatures=True))
    first, second = (row.entry.name for row in get_event_standings(event).rows[:2])
    for said in (wall, signed):
        assert said.index(first) < said.index(second)
        assert "100.00" in said
        assert "provisional" in said
    assert "Signature" in signed
    assert "Signature" not in wall


def test_an_event_without_prizes_says_so(event):
    assert "No prizes set yet." in text(prizes_paper(prize_sheet(event), ENGLISH))
    assert "No prizes set yet." in text(prizes_paper(prize_sheet(event), ENGLISH, with_signatures=True))


# -- Marks ----------------------------------------------------------------------------------------------------------


def test_a_provisional_pairing_says_until_when(event):
    until = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
    sheet = replace(pairing_sheet(event.rounds.get(number=3)), provisional_until=until)
    for paper in (
        pairings_paper(sheet, ENGLISH),
        seating_paper(sheet, ENGLISH),
        result_slips_paper(sheet, ENGLISH, board_url=str),
    ):
        said = text(paper)
        assert re.search(r"Version 1, published .*, provisional until 19:30", said)
        assert re.search(r"\bprovisional\b(?! until)", said)
    final = text(pairings_paper(replace(sheet, provisional_until=None), ENGLISH))
    assert "provisional" not in final


def test_standings_say_of_when_their_results_are(event):
    sheet = standings_sheet(get_event_standings(event, 2))
    assert sheet.results_at is not None
    assert "Results as of" in text(standings_paper(sheet, ENGLISH))
    assert "Results as of" not in text(standings_paper(replace(sheet, results_at=None), ENGLISH))


def test_open_games_of_a_table_are_counted(event):
    said = text(standings_paper(standings_sheet(get_event_standings(event, 3)), ENGLISH))
    assert re.search(r"Results as of [^·]+ · 3 games left", said)
    assert "left" not in text(standings_paper(standings_sheet(get_event_standings(event, 2)), ENGLISH))


def test_a_crosstable_says_what_its_signs_and_columns_are(event):
    said = text(crosstable_paper(standings_sheet(get_event_standings(event, 2)), ENGLISH))
    assert "+ and − : win and loss by forfeit" in said
    assert "Points : points from games and byes" in said


def test_codes_stand_only_where_there_is_an_address(event):
    sheet = pairing_sheet(event.rounds.get(number=3))
    for make in (pairings_paper, seating_paper):
        assert "Is this up to date?" not in text(make(sheet, ENGLISH))
        with_code = make(sheet, ENGLISH, address="https://x.example/current/1/")
        assert "Is this up to date?" in text(with_code)
        assert 'src="data:image/png' in with_code.parts[0].html


def test_byes_stand_last(event):
    sheet = pairing_sheet(event.rounds.get(number=3))
    html = pairings_paper(sheet, ENGLISH).parts[0].html
    (bye,) = sheet.byes
    assert html.index("</table>") < html.index(bye.player.name)


# -- The club's letterhead and lists --------------------------------------------------------------------------------


def test_every_list_has_the_clubs_letterhead(event):
    sheet = standings_sheet(get_event_standings(event))
    people = starting_list_sheet(event)
    for paper in (
        standings_paper(sheet, HEADED),
        crosstable_paper(sheet, HEADED),
        starting_list_paper(people, HEADED),
        wall_chart_paper(people, HEADED),
        member_list_paper(event.club, [], HEADED, with_contact=False),
        arbiter_record_paper(arbiter_record_sheet(event), HEADED),
    ):
        said, part = text(paper), paper.parts[0]
        assert "ul. Zmyślona 1" in said
        assert "konto 00 0000" in said
        assert 'class="logo"' in part.html
        assert 'url("data:image/png;base64,AAAA")' in part.css


def test_a_plain_club_has_no_empty_places(event):
    html = standings_paper(standings_sheet(get_event_standings(event)), ENGLISH).parts[0].html
    assert "logo" not in html
    assert " · </p>" not in html


def test_the_size_of_the_clubs_paper_is_that_of_the_page(event):
    ClubLetterhead.objects.create(club=event.club, size=PaperSize.LETTER)
    paper = starting_list_paper(starting_list_sheet(event), club_print_options(event.club))
    assert "size: 215.9mm 279.4mm" in paper.parts[0].css


@pytest.mark.parametrize("colour", ["#1f4e79", "#e0a800"])
def test_papers_wear_the_clubs_colour_as_dark_as_it_is_read(event, colour):
    """A monochrome printer prints 4.5:1 as a dark grey; a club without a colour has none on its papers."""
    sheet = starting_list_sheet(event)
    assert "--club:" not in starting_list_paper(sheet, club_print_options(event.club)).parts[0].css
    event.club.colour = colour
    event.club.save()
    css = starting_list_paper(sheet, club_print_options(event.club)).parts[0].css
    worn = re.search(r":root { --club: (#[0-9a-f]{6}) }", css)
    assert worn is not None
    assert contrast_ratio(worn.group(1), "#ffffff") >= MIN_CONTRAST


def test_sums_of_dues_stand_below(db):
    club = make_club()
    lines = [
        MemberListRow(member=make_member(club, "Nikt, Jan"), balance=MemberBalance(charged=500, overdue=500, paid=0)),
        MemberListRow(member=make_member(club, "Nikt, Ewa"), balance=MemberBalance(charged=500, paid=700)),
    ]
    said = text(dues_list_paper(club, lines, ENGLISH, on=date(2026, 11, 21)))
    sums = re.search(r"Total (\S+) (\S+) (\S+) (\S+)", said)
    assert sums is not None
    assert sums.groups() == ("10.00", "7.00", "3.00", "5.00")
    assert said.count(club.currency) == 1


def test_members_who_refuse_publication_are_on_printed_lists_with_initials(db):
    club = make_club()
    shy = make_member(club, "Niktowa, Anna", publication_consent="no", publication_consent_on=date(2026, 1, 1))
    row = RatedMember(place=1, member=shy, rating=1800, change=-12, month=date(2026, 11, 1), games=9)
    said = text(rating_list_paper(club, "standard", [row], ENGLISH))
    assert "Niktowa" not in said
    assert "1 N., A. 1800 −12 November 2026 9" in said


def test_lists_of_nobody(db):
    club = make_club()
    series = Series.objects.create(club=club, name="Grand Prix", events_counted=3, attendance_points=1)
    for paper in (
        member_list_paper(club, [], ENGLISH, with_contact=True),
        dues_list_paper(club, [], ENGLISH, on=date(2026, 11, 21)),
        rating_list_paper(club, "rapid", [], ENGLISH),
        series_standings_paper(series, build_series_table(series), ENGLISH),
    ):
        assert "Nothing listed yet." in text(paper)


def test_a_series_puts_in_brackets_what_does_not_count(db):
    club = make_club()
    series = Series.objects.create(club=club, name="Grand Prix", events_counted=1, place_points=[10, 5])
    for name in ("one", "two"):
        event = make_event(club, players=2, rounds=1, series=series)
        event.slug, event.name = name, f"Evening {name}"
        event.save()
        played(event, 1)
    said = text(series_standings_paper(series, build_series_table(series), ENGLISH))
    assert "Evening one Evening two" in said
    assert re.search(r"Pionek, Nr00\d 10 \(\d+\) 10", said) or re.search(r"Pionek, Nr00\d \(\d+\) 10 10", said)


# -- Cutting, tables, the printer -----------------------------------------------------------------------------------


def test_numbers_of_tables_read_upright_from_both_sides(event):
    paper = table_numbers_paper(starting_list_sheet(event), 3, ENGLISH)
    assert re.findall(r"\b\d\b", text(paper)) == ["1", "1", "3", "3", "2", "2"]


def test_the_printers_page_measures_the_paper_it_is_on():
    a4 = printer_test_paper(ENGLISH, club="Pod Wieżą").parts[0]
    letter = printer_test_paper(PrintOptions(language="en", size=PaperSize.LETTER), club="Pod Wieżą").parts[0]
    assert "210mm" in a4.css
    assert "279.4mm" in letter.css
    assert "100 mm" in a4.html
    longer = re.findall(r"M52\.50 (\d+)h(\d)", unquote(a4.css))
    assert longer[:11] == [(str(at), {0: "6", 5: "4"}.get(at % 10, "2")) for at in range(11)]


def test_short_names_stand_in_full_size_on_badges(event):
    (part, *_more) = badges_paper(starting_list_sheet(event), ENGLISH, player_url="https://x.example/{}".format).parts
    assert part.html.count("fit-100 lines-1") >= 7


@pytest.mark.parametrize(
    ("code", "size", "rounds"),
    [("8", PaperSize.A4, 13), ("8", PaperSize.LETTER, 11), ("4", PaperSize.LETTER, 30), ("2", PaperSize.LETTER, 20)],
)
def test_how_many_rounds_a_card_holds_depends_on_the_paper(code, size, rounds):
    wishes = PrintOptions(language="en", size=size)
    sheet = StartCardSheet(club="Pod Wieżą", event="Maraton", is_jahr=True, rounds_announced=rounds, cards=())
    assert start_cards_paper(sheet, CARD_FORMATS[code], wishes).parts
    with pytest.raises(ArbiterProblem, match="Choose a larger size"):
        start_cards_paper(replace(sheet, rounds_announced=rounds + 3), CARD_FORMATS[code], wishes)


@pytest.mark.parametrize(("size", "rounds"), [(PaperSize.A4, 10), (PaperSize.LETTER, 9)])
def test_rows_that_are_written_in_are_higher(size, rounds):
    """Thirteen rows on an eighth of a sheet are readable, but too small to write in."""
    wishes = PrintOptions(language="en", size=size)
    spare = (StartCard(rows=()),)
    sheet = StartCardSheet(club="Pod Wieżą", event="Maraton", is_jahr=True, rounds_announced=rounds, cards=spare)
    assert start_cards_paper(sheet, CARD_FORMATS["8"], wishes).parts
    with pytest.raises(ArbiterProblem, match=f"room for {rounds} rounds"):
        start_cards_paper(replace(sheet, rounds_announced=rounds + 1), CARD_FORMATS["8"], wishes)


# -- The hardest events ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [0, 1])
def test_events_of_nobody_and_of_one(db, players):
    event = make_event(make_club(), players=players, rounds=3)
    people, table = starting_list_sheet(event), standings_sheet(get_event_standings(event))
    assert all(
        paper.parts
        for paper in (
            starting_list_paper(people, ENGLISH),
            attendance_paper(people, ENGLISH),
            wall_chart_paper(people, ENGLISH),
            place_cards_paper(people, ENGLISH),
            badges_paper(people, ENGLISH, player_url=str),
            table_numbers_paper(people, 0, ENGLISH),
            standings_paper(table, ENGLISH),
            crosstable_paper(table, ENGLISH),
            diplomas_paper(table, ENGLISH, signed=DiplomaSignature(arbiter="", city="", date=None)),
            opponent_averages_paper(opponent_average_sheet(event, 0), ENGLISH),
            start_cards_paper(start_card_sheet(event), CARD_FORMATS["8"], ENGLISH),
        )
    )
