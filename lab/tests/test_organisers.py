"""`lab.organisers`: published standings as Vega writes them, with made-up players."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from lab.organisers import compare, main
from lab.vega_pages import NotComparable, read_vega_event
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
