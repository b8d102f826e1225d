"""Files laid aside by one process for another: the same in a folder and in the database."""

from __future__ import annotations

import io
import time
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.rating.lists.files import open_list
from common.file_store import shelf_rows
from common.file_store.shelf_rows import Rows
from common.file_store.shelves import Folder, OnShelf, Shelf, clear, read, shelf
from common.models import WorkingFile, WorkingPiece

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["folder", "database"])
def a_shelf(request, tmp_path, monkeypatch) -> Shelf:
    monkeypatch.setattr(shelf_rows, "PIECE", 7)
    return Folder(tmp_path / "things") if request.param == "folder" else Rows("things")


def names(of: Shelf) -> list[str]:
    return [each.name for each in of.kept()]


def test_what_is_not_there_is_not_there(a_shelf):
    with pytest.raises(FileNotFoundError):
        a_shelf.open("gone")
    with pytest.raises(FileNotFoundError):
        a_shelf.open("../secret-key")
    a_shelf.remove("gone")
    a_shelf.use("gone")
    assert a_shelf.kept() == []


def test_a_file_that_could_not_be_laid_down_whole_is_not_there(a_shelf):
    def breaks_off():
        yield b"a half"
        raise OSError("the line is cut")

    with pytest.raises(OSError, match="cut"):
        a_shelf.put("list", breaks_off())
    assert a_shelf.kept() == []


@pytest.mark.parametrize("data", [b"", b"short", b"x" * 7, bytes(range(256)) * 3])
def test_a_file_comes_back_as_it_was(a_shelf, data):
    a_shelf.put("file", [data[:5], b"", data[5:]])
    assert read(a_shelf, "file") == data
    a_shelf.put("file", [b"another"])
    assert read(a_shelf, "file") == b"another"
    a_shelf.remove("file")
    assert a_shelf.kept() == []


def test_a_packed_list_is_read_from_the_shelf(a_shelf):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("list.txt", "one\ntwo\n")
    a_shelf.put("list", [packed.getvalue()])
    with open_list(OnShelf(a_shelf, "list")) as (file, size):
        assert (file.read(), size) == (b"one\ntwo\n", 8)
    a_shelf.put("plain", [b"one\n" * 20])
    with open_list(OnShelf(a_shelf, "plain")) as (file, size):
        assert (file.readline(), len(file.read()), size) == (b"one\n", 76, 80)


def test_old_files_and_too_many_are_cleared_away(a_shelf, tmp_path):
    for name in ("a.pdf", "b.pdf", "c.pdf", "d.json"):
        a_shelf.put(name, [b"."])
        time.sleep(0.01)
    a_shelf.use("a.pdf")
    clear(a_shelf, seconds=60, most=2, ending=".pdf")
    assert names(a_shelf) == ["a.pdf", "d.json", "c.pdf"]
    clear(a_shelf, seconds=-1)
    assert names(a_shelf) == []


def test_the_setting_says_where_and_shelves_are_apart(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    assert shelf("paper") == Folder(tmp_path / "paper")
    settings.FILES_IN_DATABASE = True
    shelf("paper").put("x", [b"1"])
    assert read(shelf("paper"), "x") == b"1"
    assert shelf("uploads").kept() == []
    WorkingFile.objects.update(used_at=timezone.now() - timedelta(days=1))
    clear(shelf("paper"), seconds=60)
    assert not WorkingPiece.objects.exists()
