"""`lab.organisers`: published standings as Vega writes them, with made-up players."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook

from lab.organisers import compare, main
from lab.published_tables import read_published_events
from lab.vega_pages import NotComparable, Published, Row, read_vega_event
from pairing.engine.snapshot import Result

FACTS = """<table><tr><td>Tournament Name</td><td>Rook Lane Trial</td></tr>
<tr><td>Date Begin</td><td>02/09/2025</td></tr><tr><td>Play System</td><td>swiss FIDE Dutch (JaVaFo)</td></tr>
<tr><td>Rounds</td><td>3</td></tr></table>"""


def cell(text: str) -> str:
    """`w1:4` is a win with White against 4, `f½:BYE` a bye, and nothing an absence."""
    if not text:
        return "<td></td>"
    return f'<td><div class="res"> {text[1]} </div><div class="c{text[0]}">{text[3:]} </div></td>'


def row(tpn: int, before: str, points: str, after: str) -> str:
    return f'<tr>{before}<td><a href="playercard.html#{tpn}">Player {tpn}</a></td><td>{points}</td>{after}</tr>'


GAMES = {
    1: ("3.0", "w1:3", "b1:2", "w1:4"),
    2: ("2.0", "w1:4", "w0:1", "f1:BYE"),
    3: ("1.0", "b0:1", "f½:BYE", "f½:BYE"),
    4: ("1.0", "b0:2", "f1:BYE", "b0:1"),
}
# Buchholz by C.07 of 2024, 8.1, 16.3 and 16.4. The bye of player 4 in round 2 was given by the pairing.
STANDINGS = ((1, 1, "3.0", "4.0"), (2, 2, "2.0", "6.0"), (3, 4, "1.0", "6.0"), (4, 3, "1.0", "5.0"))


def write_pages(folder: Path, *, standings=STANDINGS, title: str = "Standings at round 3 (last round)") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "tourstat.html").write_text(FACTS)
    head = "".join(f"<th>{name}</th>" for name in ("#", "Player", "Pts", "1", "2", "3"))
    rows = [row(tpn, "<td></td>", points, "".join(map(cell, blocks))) for tpn, (points, *blocks) in GAMES.items()]
    (folder / "crosstable.html").write_text(f"<table><tr>{head}</tr>{''.join(rows)}</table>")
    head = "".join(f"<th>{name}</th>" for name in ("Pos", "Player", "Pts", "BH"))
    rows = [row(tpn, f"<td>{place}</td>", points, f"<td>{value}</td>") for place, tpn, points, value in standings]
    (folder / "standings.html").write_text(f"<h3>{title}</h3><table><tr>{head}</tr>{''.join(rows)}</table>")
    return folder


def test_an_event_is_read_from_its_pages(tmp_path: Path):
    event = read_vega_event(write_pages(tmp_path), source="here")
    assert (event.name, event.rounds, event.begins, event.tie_breaks) == (
        "Rook Lane Trial",
        3,
        date(2025, 9, 2),
        ("BH",),
    )
    assert [each.result for each in event.games[3]] == [Result.LOSS, Result.HALF_POINT_BYE, Result.HALF_POINT_BYE]


def test_places_points_and_values_that_agree(tmp_path: Path):
    found = compare(read_vega_event(write_pages(tmp_path), source="here"))
    assert (found.places, found.values, found.values_compared, found.wrong) == (4, 8, 8, [])


@pytest.mark.parametrize(
    ("standings", "wrong"),
    [
        ((*STANDINGS[:2], (3, 3, "1.0", "5.0"), (4, 4, "1.0", "6.0")), ["place", "place"]),
        ((*STANDINGS[:3], (4, 3, "1.0", "5.5")), ["BH"]),
    ],
)
def test_a_difference_is_found(tmp_path: Path, standings, wrong):
    found = compare(read_vega_event(write_pages(tmp_path, standings=standings), source="here"))
    assert [each.split(": ")[1].split()[0] for each in found.wrong] == wrong


def test_an_unfinished_or_contradictory_event_is_not_compared(tmp_path: Path):
    with pytest.raises(NotComparable, match="round 2 of 3"):
        read_vega_event(write_pages(tmp_path, title="Standings at round 2"), source="here")
    wrong = (*STANDINGS[:3], (4, 3, "1.5", "5.0"))
    with pytest.raises(NotComparable, match=r"1\.5 points, but 1"):
        read_vega_event(write_pages(tmp_path, standings=wrong), source="here")


def test_the_command_prints_a_row_for_each_event(tmp_path: Path, capsys):
    write_pages(tmp_path / "trial")
    assert main([str(tmp_path)]) == 0
    assert "| 4 of 4 | 8 of 8 |" in capsys.readouterr().out


def table(*rows: tuple[str, ...]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


CROSSTABLE = (
    ("No.", "Name", "Rtg", "1.Rd", "2.Rd", "3.Rd", "Pts.", "Rk.", "TB1"),
    ("1", "A", "1900", "3w1", "2b1", "4w1", "3", "1", "4"),
    ("2", "B", "1800", "4w1", "1w0", "-1", "2", "2", "6"),
    ("3", "C", "1700", "1b0", "-½", "-½", "1", "4", "5"),
    ("4", "D", "1600", "2b0", "-1", "1b0", "1", "3", "6"),
)
"""The same event as chess-results shows it."""


@pytest.mark.parametrize("is_named", [True, False])
def test_a_crosstable_of_chess_results(tmp_path: Path, is_named: bool):
    page = "<h2>Trial</h2>" + table(*CROSSTABLE)
    if is_named:
        (tmp_path / "crosstable.html").write_text(page + "Tie Break1: Buchholz Tie-Break Variable (2023) (Gamepoints)")
    else:
        book = Workbook()
        for row in [("From",), ("Trial",), *CROSSTABLE]:
            book.active.append(row)
        book.save(tmp_path / "crosstable.xlsx")
    (event,) = read_published_events(tmp_path, source="here")
    assert isinstance(event, Published)
    assert [each.result for each in event.games[3]] == [Result.LOSS, Result.HALF_POINT_BYE, Result.HALF_POINT_BYE]
    assert event.tie_breaks == (("BH/V1",) if is_named else ("DE",))
    if is_named:
        found = compare(event)
        assert (found.places, found.values, found.wrong) == (4, 8, [])


def test_points_that_are_not_those_of_the_games_are_not_compared(tmp_path: Path):
    wrong = (*CROSSTABLE[:4], ("4", "D", "1600", "2b0", "-1", "1b1", "1", "3", "6"))
    (tmp_path / "x.html").write_text("<h2>Trial</h2>" + table(*wrong) + "Tie Break1: Buchholz")
    (reason,) = read_published_events(tmp_path, source="here")
    assert "player 4 has 1 points, but 2 by the games" in str(reason)


def test_columns_without_a_name_get_the_tie_breaks_that_agree_most(tmp_path: Path):
    event = Published(
        name="Trial",
        source="",
        system="dutch-2026",
        rounds=3,
        begins=date(2025, 9, 2),
        tie_breaks=("",),
        rows=[
            Row(place=place, tpn=tpn, points=Decimal(points), values=(Decimal(value),))
            for place, tpn, points, value in STANDINGS
        ],
        games=read_vega_event(write_pages(tmp_path), source="here").games,
    )
    assert compare(event).event.tie_breaks == ("BH",)


def test_standings_and_pairings_of_swiss_chess(tmp_path: Path):
    standings = table(
        ("Rangliste: Stand nach der 2. Runde",),
        ("Rang", "Teilnehmer", "Punkte", "Buchh"),
        ("1.", "A", "2.0", "2.0"),
        ("2.", "B", "1.5", "2.5"),
        ("3.", "C", "0.5", "3.5"),
    )

    def board(white: tuple[str, str, str], black: tuple[str, str, str], result: str) -> tuple[str, ...]:
        return ("1", *white[:2], "", f"({white[2]})", "–", *black[:2], "", f"({black[2]})", result, "")

    pairings = table(
        ("Paarungsliste der 1. Runde",),
        board(("1.", "A", ""), ("2.", "B", ""), "½ – ½"),
        ("Paarungsliste der 2. Runde",),
        board(("2.", "B", "½"), ("", "spielfrei", "0"), "+ – –"),
        board(("1.", "A", "½"), ("3.", "C", "½"), "1 – 0"),
    )
    (tmp_path / "open-ranglisten-2019.md").write_text(standings.replace("2.0</td><td>2.0", "1.5</td><td>2.0"))
    (tmp_path / "open-ergebnisse-2019.md").write_text(pairings)
    (event,) = read_published_events(tmp_path, source="here")
    assert isinstance(event, Published)
    assert [each.result for each in event.games[2]] == [Result.DRAW, Result.PAIRING_ALLOCATED_BYE]
    assert [each.result for each in event.games[3]] == [Result.HALF_POINT_BYE, Result.LOSS]


def test_a_group_of_a_website(tmp_path: Path):
    page = table(
        ("Platz", "Name", "Punkte", "SoBerg"),
        ("1", "A", "1.5", "0.75"),
        ("2", "B", "1.0", "1.0"),
        ("3", "C", "0.5", "0.75"),
    )
    rounds = [("A", "B", "½:½"), ("B", "C", "½:½"), ("C", "A", "0:1")]
    page += "".join(
        table(("Brett", "Weiß", "", "Schwarz", "Ergebnis"), ("1", white, "–", black, result))
        for white, black, result in rounds
    )
    (tmp_path / "group-2024.md").write_text(page)
    (event,) = read_published_events(tmp_path, source="here")
    assert isinstance(event, Published)
    assert (event.system, event.rounds, event.tie_breaks) == ("round-robin", 3, ("SB",))
    assert event.games[3][-1].result is Result.LOSS
