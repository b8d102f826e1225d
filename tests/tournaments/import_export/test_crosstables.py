"""Crosstables imported as events: what is not a crosstable, contradictions, and numbers that are places."""

from __future__ import annotations

from decimal import Decimal

import pytest

from common.tabular.file_responses import render_xlsx
from pairing.engine.snapshot import Colour
from tournaments.import_export.crosstables import parse_crosstable
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Game, Tournament
from tournaments.problems import ArbiterProblem

HEADINGS = ("No.", "", "Name", "Rtg", "FED", "1.Rd", "2.Rd", "3.Rd", "Pts.", "TB1")
ROWS = (
    ("1", "WFM", "Wieża, Łucja", "2100", "POL", "3w1", "2b½", "4w1", "2,5", "4"),
    ("2", "", "Kůň, Řehoř", "2000", "CZE", "4b+", "1w½", "3b½", "2", "5"),
    ("3", "", "Гонец, Ясен", "1900", "BUL", "1b0", "-1", "2w½", "1,5", "3"),
    ("4", "", "Pionek, Jan", "1800", "POL", "2w-", "-0", "1b0", "0", "2"),
)


def csv(headings=HEADINGS, rows=ROWS, above=("Turniej próbny", "")) -> bytes:
    return "\n".join([*above, *(";".join(row) for row in (headings, *rows)), ""]).encode()


def html(headings=HEADINGS, rows=ROWS) -> bytes:
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in (headings, *rows))
    menu = "<table><tr><td>Home</td></tr><tr><td>Other</td></tr></table>"
    page = (
        f"<html><head><meta charset=utf-8><script>x<1</script></head><body>{menu}<table>{lines}</table></body></html>"
    )
    return page.encode()


def changed(line: int, place: int, text: str) -> bytes:
    rows = [list(row) for row in ROWS]
    rows[line][place] = text
    return csv(rows=rows)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Name;Rtg\nA;2000\n",
        csv(headings=(*HEADINGS[:5], "Club", "Town", "Street", *HEADINGS[8:])),
        csv(rows=[(*row[:5], "1", "0", "*", *row[8:]) for row in ROWS]),
    ],
)
def test_what_is_no_crosstable(data):
    assert parse_crosstable(data, "x.csv") is None


@pytest.mark.parametrize(
    ("line", "place", "text", "where"),
    [
        (0, 5, "3w½", (4, 6)),
        (0, 6, "9b½", (4, 7)),
        (0, 6, "3b½", (4, 7)),
        (1, 0, "1", (5, 1)),
        (1, 0, "x", (5, 1)),
        (2, 5, "1w0", (4, 6)),
        (2, 6, "-7", (6, 7)),
        (0, 5, "3w½K", (4, 6)),
    ],
)
def test_a_game_that_contradicts_itself_is_refused_by_its_cell(club, line, place, text, where):
    data = changed(line, place, text)
    preview = preview_import(club, data, "x.csv")
    assert [(error.line, error.column) for error in preview.errors][:1] == [where]
    with pytest.raises(ArbiterProblem):
        apply_import(club, data, "x.csv", by=None)
    assert not Tournament.objects.exists()


def test_letters_that_may_be_either_colour_are_not_guessed():
    rows = [tuple(cell.replace("w", "b") if n in (5, 6, 7) else cell for n, cell in enumerate(row)) for row in ROWS]
    found = parse_crosstable(csv(rows=rows), "x.csv")
    assert found is not None
    assert found.report is None


@pytest.mark.parametrize(
    ("data", "read_as"),
    [
        (csv(), "csv"),
        (html(), "html"),
        (render_xlsx(HEADINGS, ROWS, title="x"), "xlsx"),
    ],
)
def test_players_rounds_and_games_become_an_event(club, data, read_as):
    preview = preview_import(club, data, "x.csv")
    assert (preview.errors, preview.kind, preview.format) == ((), "crosstable", read_as)
    event = apply_import(club, data, "x.csv", by=None, system="dutch-2026")
    told = Game.objects.order_by("round__number", "board").values_list("white__tpn", "black__tpn", "result")
    assert set(told) == {(1, 3, "1-0"), (4, 2, "-/+"), (2, 1, "1/2"), (1, 4, "1-0"), (3, 2, "1/2")}
    assert event.entries.values_list("name", "title", "rating").first() == ("Wieża, Łucja", "WFM", 2100)
    (bye,) = event.rounds.get(number=2).byes.filter(kind="U")
    assert bye.entry.tpn == 3
    again = preview_import(club, export_trf(event), "x.trf")
    assert (again.games, again.rounds) == (5, 3)


def test_points_that_are_not_the_sum_are_said():
    found = parse_crosstable(changed(0, 8, "3"), "x.csv")
    assert found is not None
    assert found.report is not None
    assert [(each.stated, each.computed) for each in found.report.trf.warnings] == [("3.0", "2.5")]


@pytest.mark.parametrize("text", ["sNaN", "NaN", "-inf", "1E999", "1_0", "12345"])
def test_what_is_no_number_of_points_is_ignored(text):
    found = parse_crosstable(changed(0, 8, text), "x.csv")
    assert found is not None
    assert found.report is not None
    assert found.report.trf.players[0].points is None
    assert not found.report.trf.warnings


def test_in_a_table_of_places_the_numbers_are_given_by_rating():
    """The letters of a Polish page, where b is White."""
    rows = [
        ("1", "", "Kůň, Řehoř", "1800", "CZE", "2b1", "1"),
        ("2", "", "Wieża, Łucja", "2100", "POL", "1c0", "0"),
    ]
    found = parse_crosstable(csv(("M.", "", "Nazwisko", "Rtg", "FED", "1.Rd", "Pkt."), rows), "x.csv")
    assert found is not None
    assert found.report is not None
    assert [(one.name, one.tpn, one.rank, one.points) for one in found.report.trf.players] == [
        ("Kůň, Řehoř", 2, 1, Decimal(1)),
        ("Wieża, Łucja", 1, 2, Decimal(0)),
    ]
    assert found.report.trf.players[0].get_round(1).colour is Colour.WHITE
    assert "sorted by place" in str(found.warnings[-1])
