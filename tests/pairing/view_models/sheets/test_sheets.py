"""Start cards and other sheets: the contents of their boxes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from pairing.engine.rules.colour_preferences import colour_preference
from pairing.engine.rules.players import FloatDirection
from pairing.engine.snapshot import Colour
from pairing.printing.papers.card_rows import (
    JAHR_NARROW,
    JAHR_WIDE,
    PLAIN_NARROW,
    PLAIN_WIDE,
    format_hundredths,
    format_points,
    typeset_card_rows,
)
from pairing.printing.pdf.sheet_cutting import CutGrid, arrange_on_sheets
from pairing.printing.pdf.text_fitting import fit_name, spaces_of_width, text_width, truncate_text
from pairing.printing.pdf.weasyprint_pages import CELL_SEPARATOR
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.round_pairings import pairing_sheet, seats_in_name_order
from pairing.view_models.sheets.start_cards import JahrCardBoxes, StartCard, StartCardRow, start_card_sheet
from tests.factories import draft_of, make_club, make_event, played, player, published
from tournaments.check_in.byes import mark_absent
from tournaments.entries.enrolment import enter_pasted_list, forbid_pair
from tournaments.models import Bye, Game, PairingSystem, Round, Tournament
from tournaments.results.recording import enter_result, finish_round


@pytest.fixture
def event(db) -> Tournament:
    """Five players, so that every round has a bye."""
    return make_event(make_club(), players=5, rounds=4)


def finish(this_round: Round, *results: str) -> None:
    """Enter these results by board and finish the round."""
    for game, result in zip(this_round.games.all(), results, strict=True):
        enter_result(game, result, revision=game.revision, by=None)
    finish_round(this_round, by=None)


def cards(event: Tournament, **wishes: object) -> dict[int, StartCard]:
    made = start_card_sheet(event, **wishes).cards
    return {card.number: card for card in made if card.number is not None}


def boxes(card: StartCard, number: int) -> JahrCardBoxes:
    row = card.rows[number - 1].jahr
    assert row is not None
    return row


# -- The boxes of Jahr's card ---------------------------------------------------------------------------------------


def test_the_first_round_adds_no_tenths_and_the_second_a_tenth_of_the_first(event):
    """Szachy 3/1981, article 5, by hand: 1 and 2 win, 5 has the bye; in round 2 the winners meet with 1.00 each."""
    finish(published(event, 1), "1-0", "0-1")
    finish(published(event, 2), "1-0", "1-0")
    of_round_1 = {card.number: boxes(card, 1) for card in cards(event).values()}
    assert {box.tenth for box in of_round_1.values()} == {0}
    first = next(game for game in event.rounds.get(number=2).games.all() if game.board == 1)
    winner, loser = cards(event)[first.white.tpn], cards(event)[first.black.tpn]
    assert boxes(winner, 2).counted == boxes(loser, 1).total
    assert boxes(winner, 2).total == boxes(winner, 1).total + 100 + boxes(winner, 2).tenth
    assert boxes(loser, 2).total == boxes(loser, 1).total + boxes(loser, 2).tenth
    assert boxes(winner, 2).auxiliary == boxes(winner, 2).tenth


def test_a_bye_shows_the_players_own_total_and_its_tenth(event):
    """Article 8: half a point for the game, and a tenth of the own total."""
    finish(published(event, 1), "1-0", "1-0")
    second = published(event, 2)
    bye = second.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED).entry
    card = cards(event)[bye.tpn]
    row = card.rows[1]
    assert (row.opponent, row.bye_kind, row.symbol, row.float_mark) == (None, "U", "½", FloatDirection.DOWN)
    assert row.jahr.counted == boxes(card, 1).total
    assert row.jahr.total == row.jahr.counted + row.jahr.tenth + 50


def test_a_forfeit_has_no_tenth_and_no_colour(event):
    """Article 9: the point, and nothing else."""
    first = published(event, 1)
    finish(first, "+/-", "1-0")
    game = first.games.get(board=1)
    won, lost = cards(event)[game.white.tpn].rows[0], cards(event)[game.black.tpn].rows[0]
    assert (won.symbol, won.points, won.jahr.total) == ("+", 2, 100)
    assert (lost.symbol, lost.points, lost.jahr.total) == ("−", 0, 0)
    for row, opponent in ((won, game.black), (lost, game.white)):
        assert (row.opponent, row.colour, row.jahr.counted, row.jahr.tenth) == (opponent.tpn, None, None, None)


def test_an_open_board_shows_what_is_known_when_the_game_begins(event):
    """Article 3: the opponent's total and its tenth; result and totals are still open."""
    finish(published(event, 1), "1-0", "1-0")
    second = published(event, 2)
    game = second.games.get(board=1)
    row = cards(event)[game.black.tpn].rows[1]
    assert (row.opponent, row.opponent_name, row.colour) == (game.white.tpn, game.white.name, Colour.BLACK)
    assert (row.symbol, row.points, row.jahr.auxiliary, row.jahr.total) == ("", None, None, None)
    assert row.jahr.counted == boxes(cards(event)[game.white.tpn], 1).total
    assert row.jahr.counted == 10 * row.jahr.tenth


def test_a_draft_stands_on_no_card(event):
    finish(published(event, 1), "1-0", "1-0")
    before = cards(event)
    draft_of(event, 2)
    assert cards(event) == before
    assert before[1].rows[1].is_empty


def test_a_blank_card_has_a_head_and_as_many_rows_as_rounds(event):
    finish(published(event, 1), "1-0", "1-0")
    for card in cards(event, filled=False).values():
        assert [row.number for row in card.rows] == [1, 2, 3, 4]
        assert all(row.is_empty for row in card.rows)
        assert card.name


def test_spare_cards_have_nothing_but_rows(event):
    *_, last = start_card_sheet(event, only=2, spare=2).cards
    assert (last.number, last.name, len(last.rows)) == (None, "", 4)
    assert len(start_card_sheet(event, only=2, spare=2).cards) == 3
    assert [card.number for card in start_card_sheet(event, only=99).cards] == []


def test_cards_say_who_must_not_meet(event):
    forbid_pair(player(event, 1), player(event, 4), by=None)
    assert cards(event)[1].forbidden_opponents == (4,)
    assert cards(event)[4].forbidden_opponents == (1,)
    assert cards(event)[2].forbidden_opponents == ()


def test_the_foot_is_filled_after_the_last_round_only(event):
    for number in (1, 2, 3):
        played(event, number, seed=number)
        assert {card.result for card in cards(event).values()} == {None}
    played(event, 4, seed=4)
    places = sorted(card.result.place for card in cards(event).values())
    assert places == [1, 2, 3, 4, 5]
    for card in cards(event).values():
        assert card.result.total == boxes(card, 4).total
        assert card.result.points == card.rows[3].points
        assert card.result.exact == sum(row.jahr.counted or 0 for row in card.rows)


def test_the_plain_card_has_the_colour_due_next(db):
    event = make_event(make_club(), players=4, rounds=3, system=PairingSystem.FIDE_1989)
    finish(published(event, 1), "1-0", "1-0")
    game = event.rounds.get(number=1).games.get(board=1)
    row = cards(event)[game.white.tpn].rows[0]
    assert row.jahr is None
    assert row.due_colour.colour is Colour.BLACK


def test_an_absence_is_named(event):
    mark_absent(player(event, 3), event.rounds.get(number=1), by=None)
    published(event, 1)
    row = cards(event)[3].rows[0]
    assert (row.bye_kind, row.symbol, row.points, row.jahr.tenth) == (Bye.Kind.ABSENT, "–", 0, None)


def test_the_number_of_queries_does_not_grow(event):
    played(event, 1)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            start_card_sheet(event)
        return len(captured)

    few = queries()
    enter_pasted_list(event, "\n".join(f"Nikt, Nr{place}; {1700 - place}" for place in range(40)), by=None)
    played(event, 2)
    assert queries() == few


# -- The lines -----------------------------------------------------------------------------------------------------


def line_of(row: StartCardRow, layout=JAHR_NARROW, language: str = "en") -> list[str]:
    with translation.override(language):
        rows, _small = typeset_card_rows((row,), layout, 9.0)
    return [cell.strip() for cell in rows.split(CELL_SEPARATOR)]


LOST = StartCardRow(
    number=8,
    colour=Colour.BLACK,
    opponent=12,
    opponent_name="Nikt, Barnaba",
    float_mark=FloatDirection.UP,
    symbol="0",
    points=7,
    jahr=JahrCardBoxes(counted=362, tenth=36, auxiliary=41, total=391),
)
"""The document's example: on 3.55, lost to an opponent on 3.62 (article 5)."""


def test_the_documents_loss_is_printed_as_it_says():
    cells = ["8", "●", "12", "Nikt, Barnaba", "↑", "3.62", "0.36", "0", "3½", "0.41", "3.91"]
    assert line_of(LOST) == cells
    assert line_of(LOST, language="pl")[-1] == "3,91"
    assert line_of(LOST, JAHR_WIDE)[3] == "Nikt, Barnaba"


def test_the_documents_bye_is_printed_as_it_says():
    """2.83, a tenth of it 0.28, half a point: 3.61 (article 8)."""
    row = StartCardRow(
        number=8,
        bye_kind=Bye.Kind.PAIRING_ALLOCATED,
        symbol="½",
        points=5,
        jahr=JahrCardBoxes(counted=283, tenth=28, auxiliary=111, total=361),
    )
    assert line_of(row)[3:] == ["bye", "", "2.83", "0.28", "½", "2½", "1.11", "3.61"]


def test_a_forfeit_is_a_dash_in_the_box_of_the_tenth():
    row = StartCardRow(
        number=2,
        opponent=5,
        symbol="+",
        points=4,
        jahr=JahrCardBoxes(counted=None, tenth=None, auxiliary=10, total=210),
    )
    assert line_of(row)[4:8] == ["", "", "–", "+"]


def test_an_empty_row_has_its_number_alone():
    assert line_of(StartCardRow(number=3)) == ["3"]


@pytest.mark.parametrize(("value", "text"), [(0, "0.00"), (5, "0.05"), (391, "3.91"), (1204, "12.04"), (None, "")])
def test_hundredths(value, text):
    assert format_hundredths(value).strip() == text


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (1, "½"), (2, "1"), (25, "12½"), (None, "")])
def test_points(value, text):
    assert format_points(value).strip() == text


@pytest.mark.parametrize("layout", [JAHR_NARROW, JAHR_WIDE, PLAIN_NARROW, PLAIN_WIDE], ids=lambda each: each.code)
@pytest.mark.parametrize("name", ["", "Nikt, Jan", "Щъркелова-Жабленска, Мърморинка", "Wyjątkowo-Długonazwiskowa, W."])
def test_every_text_ends_in_the_last_unit_of_its_column(layout, name):
    """Otherwise its tab would lead to another column's stop."""
    row = StartCardRow(
        number=13,
        colour=Colour.WHITE,
        opponent=1000,
        opponent_name=name,
        float_mark=FloatDirection.DOWN,
        symbol="adj.",
        points=25,
        due_colour=colour_preference([Colour.WHITE]),
        jahr=JahrCardBoxes(counted=1788, tenth=179, auxiliary=1038, total=2288),
    )
    em = layout.unit * 0.75 / layout.figures
    rows, _small = typeset_card_rows((row,), layout, 9.0)
    cells = rows.split(CELL_SEPARATOR)
    for column, cell in zip(layout.columns, cells, strict=False):
        filled = text_width(cell)
        if column is not layout.columns[-1]:
            assert (column.units - 1) * em < filled < column.units * em, (column.name, cell)


@pytest.mark.parametrize(
    ("name", "ems", "cut"),
    [
        ("Nikt, Jan", 9, "Nikt, Jan"),
        ("Nikt, Jan Maria", 5, "Nikt, J. M."),
        ("Niebyłowicz-Fikcyjska, Bronisława", 5, "Niebyło…"),
        ("Nikt", 9, "Nikt"),
    ],
)
def test_names_are_cut_to_their_column(name, ems, cut):
    assert fit_name(name, ems) == cut
    assert text_width(cut) <= ems


def test_a_letter_is_left_out_with_its_marks_and_never_without():
    letters = ["Z", "a\u0301", "v", "o", "d", "n", "a\u0323\u0301"]
    for count in range(len(letters) - 2):
        whole = "".join(letters[:count]) + "…"
        assert truncate_text("".join(letters), text_width(whole)) == whole


def test_white_space_is_as_wide_as_asked():
    for ems in (0.0, 0.1, 0.5, 1.0, 3.37, 15.1):
        assert ems - 0.1 < text_width(spaces_of_width(ems)) <= ems + 1e-9
    assert spaces_of_width(-1) == ""


# -- Cutting -------------------------------------------------------------------------------------------------------


def test_a_cut_pile_is_in_order():
    """Nineteen cards, eight on a page: cut and stacked, they are in the order 1 to 19."""
    cut = CutGrid(across=2, down=4)
    sheets = arrange_on_sheets(range(1, 20), cut, stacked=True)
    heaps = [f"x{across} y{down}" for down in range(4) for across in range(2)]
    order = [thing for heap in heaps for sheet in sheets for thing, place in sheet.things if place == heap]
    assert order == list(range(1, 20))
    assert len(sheets) == 3


def test_backs_stand_behind_their_fronts():
    """Turned over the long edge, left becomes right."""
    front, back = arrange_on_sheets("abc", CutGrid(across=2, down=2), backs=True)
    assert front.things == (("a", "x0 y0"), ("b", "x1 y0"), ("c", "x0 y1"))
    assert back.things == (("a", "x1 y0"), ("b", "x0 y0"), ("c", "x1 y1"))
    assert (front.is_back, back.is_back) == (False, True)


def test_no_things_need_no_sheet():
    assert arrange_on_sheets([], CutGrid(across=2, down=2), backs=True) == ()


# -- Seats and people ----------------------------------------------------------------------------------------------


def test_everyone_is_listed_at_one_seat(event):
    this_round = published(event, 1)
    found = seats_in_name_order(pairing_sheet(this_round))
    assert [seat.player.name for seat in found] == [player(event, number).name for number in range(1, 6)]
    game = Game.objects.get(round=this_round, board=1)
    seat = next(each for each in found if each.player.entry == game.black_id)
    assert (seat.board, seat.has_white, seat.opponent.entry) == (1, False, game.white_id)
    (without,) = [each for each in found if each.board is None]
    assert without.label == "bye"


@pytest.mark.every_database
def test_people_in_every_order(event):
    enter_pasted_list(event, "Ąbnik, Bez; 1995", by=None)
    sheet = starting_list_sheet(event)
    assert [person.number for person in sheet.players] == [1, 2, 3, 4, 5, 6]
    assert sheet.players_by_rating[1].name == "Ąbnik, Bez"
    assert sheet.players_by_name[0].name == "Ąbnik, Bez"
    assert (sheet.players_by_name[0].family_name, sheet.players_by_name[0].given_name) == ("Ąbnik", "Bez")
