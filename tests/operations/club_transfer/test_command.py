"""The command for archives that are too large for the page."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Club, Member, Role, User
from tests.factories import make_club, make_member, make_user
from tests.operations.club_transfer.club_scenario import archive_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def archive(tmp_path):
    club = make_club()
    make_member(club, "Skoczek, Ewa", 1500)
    path = tmp_path / "club.zip"
    path.write_bytes(archive_of(club))
    return path


def run(path, *options: str, secretary: str = "ann", site: str = "https://chess.example.org") -> str:
    out = io.StringIO()
    call_command("import_club", str(path), "--secretary", secretary, "--site", site, *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def ann() -> User:
    return make_user("ann")


def test_an_archive_is_imported(archive, ann):
    assert "1 rows" not in run(archive, "--check")
    assert Club.objects.count() == 1
    assert "ann is its secretary" in run(archive)
    club = Club.objects.latest("pk")
    assert Member.objects.get(club=club).name == "Skoczek, Ewa"
    assert list(club.memberships.values_list("user__username", "role")) == [("ann", Role.SECRETARY)]


@pytest.mark.parametrize(
    ("broken", "options", "said"),
    [
        (b"PK\x03\x04 no archive", {}, "isn't a Clubnight archive"),
        (None, {"secretary": "nobody"}, "No active user"),
        (None, {"site": "javascript:alert(1)"}, "not the address of a website"),
    ],
)
def test_what_is_wrong_changes_nothing(archive, ann, broken, options, said):
    if broken:
        archive.write_bytes(broken)
    with pytest.raises(CommandError, match=said):
        run(archive, **options)
    assert Club.objects.count() == 1


def test_a_missing_file_is_named(ann, tmp_path):
    with pytest.raises(CommandError, match=r"missing\.zip"):
        run(tmp_path / "missing.zip")
