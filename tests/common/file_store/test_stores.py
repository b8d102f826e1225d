"""Files passed between processes: the same in a folder and in the database."""

from __future__ import annotations

import io
import time
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.rating.lists.list_files import open_list_file
from common.file_store import database_store
from common.file_store.database_store import DatabaseFileStore
from common.file_store.protocol import FileStore
from common.file_store.stores import FolderFileStore, StoredFileHandle, delete_old_files, file_store, read_stored_file
from common.models import StoredFile, StoredFileChunk

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["folder", "database"])
def a_shelf(request, tmp_path, monkeypatch) -> FileStore:
    monkeypatch.setattr(database_store, "CHUNK_BYTES", 7)
    return FolderFileStore(tmp_path / "things") if request.param == "folder" else DatabaseFileStore("things")


def names(of: FileStore) -> list[str]:
    return [each.name for each in of.list_files()]


def test_what_is_not_there_is_not_there(a_shelf):
    with pytest.raises(FileNotFoundError):
        a_shelf.open_file("gone")
    with pytest.raises(FileNotFoundError):
        a_shelf.open_file("../secret-key")
    a_shelf.delete_file("gone")
    a_shelf.touch_file("gone")
    assert a_shelf.list_files() == []


def test_a_file_that_could_not_be_laid_down_whole_is_not_there(a_shelf):
    def breaks_off():
        yield b"a half"
        raise OSError("the line is cut")

    with pytest.raises(OSError, match="cut"):
        a_shelf.save_file("list", breaks_off())
    assert a_shelf.list_files() == []


@pytest.mark.parametrize("data", [b"", b"short", b"x" * 7, bytes(range(256)) * 3])
def test_a_file_comes_back_as_it_was(a_shelf, data):
    a_shelf.save_file("file", [data[:5], b"", data[5:]])
    assert read_stored_file(a_shelf, "file") == data
    a_shelf.save_file("file", [b"another"])
    assert read_stored_file(a_shelf, "file") == b"another"
    a_shelf.delete_file("file")
    assert a_shelf.list_files() == []


def test_a_packed_list_is_read_from_the_shelf(a_shelf):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("list.txt", "one\ntwo\n")
    a_shelf.save_file("list", [packed.getvalue()])
    with open_list_file(StoredFileHandle(a_shelf, "list")) as (file, size):
        assert (file.read(), size) == (b"one\ntwo\n", 8)
    a_shelf.save_file("plain", [b"one\n" * 20])
    with open_list_file(StoredFileHandle(a_shelf, "plain")) as (file, size):
        assert (file.readline(), len(file.read()), size) == (b"one\n", 76, 80)


def test_old_files_and_too_many_are_cleared_away(a_shelf, tmp_path):
    for name in ("a.pdf", "b.pdf", "c.pdf", "d.json"):
        a_shelf.save_file(name, [b"."])
        time.sleep(0.01)
    a_shelf.touch_file("a.pdf")
    delete_old_files(a_shelf, seconds=60, most=2, ending=".pdf")
    assert names(a_shelf) == ["a.pdf", "d.json", "c.pdf"]
    delete_old_files(a_shelf, seconds=-1)
    assert names(a_shelf) == []


def test_the_setting_says_where_and_shelves_are_apart(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    assert file_store("paper") == FolderFileStore(tmp_path / "paper")
    settings.FILES_IN_DATABASE = True
    file_store("paper").save_file("x", [b"1"])
    assert read_stored_file(file_store("paper"), "x") == b"1"
    assert file_store("uploads").list_files() == []
    StoredFile.objects.update(used_at=timezone.now() - timedelta(days=1))
    delete_old_files(file_store("paper"), seconds=60)
    assert not StoredFileChunk.objects.exists()
