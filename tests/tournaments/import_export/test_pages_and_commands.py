"""The pages and the commands accept, warn about and refuse the same report files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Role
from pairing.cli import standalone_runner
from tests.factories import make_user
from tests.pairing.engine.trf.lines import player, report
from tests.tournaments.import_export.test_file_import import FILE, changed
from tournaments.import_export.file_import import preview_import

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ODD = Path(__file__).parents[2] / "data" / "events" / "odd"
HUNDRED_ROUNDS = f"{player(1)}\n{player(2, *['0000 - H'] * 100)}\n".encode()


def round_robin(*points: str, system: str = "092 Individual: Round-Robin") -> bytes:
    """A finished event of which player 4 played one game of three."""
    lines = (
        player(1, "   4 w =", "   3 b 1", "   2 w 1", points=points[0]),
        player(2, "   3 w 1", "   4 w +", "   1 b 0", points=points[1]),
        player(3, "   2 b 0", "   1 w 0", "   4 w +", points=points[2]),
        player(4, "   1 b =", "   2 b -", "   3 b -", points=points[3]),
    )
    return report("012 Trial", system, "XXR 3", *lines)


COUNTED = ("2.5", "2.0", "1.0", "0.5")
"""Points with the games of player 4."""

FILES = {
    "a round robin whose points count games of a player who left": round_robin(*COUNTED),
    "the same without a system": round_robin(*COUNTED, system="022 Town"),
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
    "a round robin whose points count games of a player who left",
    "the same without a system",
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


@pytest.mark.parametrize(
    ("file", "lines"),
    [
        (round_robin(*COUNTED), [7]),
        (round_robin("2.0", "1.0", "0.0", "0.0"), []),
        (round_robin(*COUNTED, system="192 FIDE_DUTCH"), []),
    ],
)
def test_games_of_a_player_who_left_a_round_robin_early(club, file, lines):
    warnings = preview_import(club, file, "event.trf").warnings
    assert [each.line for each in warnings if "before playing half" in each.message] == lines


@pytest.mark.parametrize(
    ("what", "said", "not_said"),
    [
        ("a team event", "The next round can&#x27;t be paired here", "for pairing the next rounds"),
        ("as it should be", "for pairing the next rounds", "can&#x27;t be paired here"),
    ],
)
def test_the_page_says_what_the_system_is_for(club, client, what, said, not_said):
    client.force_login(make_user("arbiter", club, Role.ARBITER))
    file = SimpleUploadedFile("event.trf", FILES[what])
    page = client.post(reverse("tournament_import", args=[club.slug]), {"file": file}, follow=True).text
    assert said in page
    assert not_said not in page
