"""The pages and the commands accept, warn about and refuse the same report files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pairing.cli import standalone_runner
from tests.pairing.engine.trf.lines import player
from tests.tournaments.import_export.test_file_import import FILE, changed
from tournaments.import_export.file_import import preview_import

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ODD = Path(__file__).parents[2] / "data" / "events" / "odd"
HUNDRED_ROUNDS = f"{player(1)}\n{player(2, *['0000 - H'] * 100)}\n".encode()

FILES = {
    "as it should be": FILE.encode(),
    "points that are not the sum": changed("1990/05/01  1.5    1", "1990/05/01  2.5    1"),
    "two byes by pairing in a round": changed("0000 - H", "0000 - U"),
    "ranks that points contradict": changed("0.5    4 ", "0.5    1 "),
    "another number of players": changed("XXR 4", "XXR 4\n062 7"),
    "teams in an individual event": changed("XXR 4", "XXR 4\n092 Individual: Swiss-System\n013 Wieże        1    2"),
    "31 rounds, several byes": (ODD / "rounds_31_byes.trf").read_bytes(),
    "points of a public file": (ODD / "incorrect_points.trf").read_bytes(),
    "100 rounds": HUNDRED_ROUNDS,
    "100 rounds announced": changed("XXR 4", "XXR 100"),
    "a team event": changed("XXR 4", "XXR 4\n192 FIDE_TEAM_TYPEA_MP_GP"),
}
WARNED = {
    "points that are not the sum",
    "two byes by pairing in a round",
    "another number of players",
    "a team event",
}
REFUSED = {"100 rounds", "100 rounds announced"}


@pytest.mark.parametrize("what", FILES)
def test_pages_and_commands_say_the_same_at_the_same_place(what, club, tmp_path, capsys):
    path = tmp_path / "event.trf"
    path.write_bytes(FILES[what])
    status = standalone_runner.run_command("manage.py", "standings", [str(path)])
    said = capsys.readouterr().err
    by_command = [(int(line), int(column)) for line, column in re.findall(r"line (\d+), column (\d+)", said)]
    preview = preview_import(club, FILES[what], "event.trf")
    on_the_web = preview.warnings if preview.can_be_imported else preview.errors
    assert preview.can_be_imported == (status == 0) == (what not in REFUSED)
    assert [(each.line, each.column) for each in on_the_web] == by_command
    assert by_command or what not in WARNED | REFUSED
