"""The archive format of backups: a ZIP with `manifest.json`, `database.sqlite3` and files of `var/`.

Hidden files and the folders `static`, `uploads`, `rating-lists` and `paper` are left out. They are created again or
hold temporary data.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.db import connection

from operations.backups.problems import BackupProblem

FORMAT, VERSION = "clubnight-backup", 1
DATABASE, MANIFEST, FILES = "database.sqlite3", "manifest.json", "var"
_LARGEST_MANIFEST = 64 * 1024**2
_NOT_KEPT = {"static", "uploads", "rating-lists", "paper"}
"""Folders of `var/` that are created again automatically, or hold temporary data."""
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupManifest:
    """A backup's manifest: `rows` has counts by table, `files` has size and SHA-256 by name in the archive."""

    made_at: str
    program: str
    database: str
    migrations: list[str]
    rows: dict[str, int]
    files: dict[str, tuple[int, str]]


_NOT_WHOLE = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""Errors of the library for a damaged archive or another kind of file."""


def pack_archive(target: Path, database: Path, about: dict[str, Any]) -> BackupManifest:
    """Write an archive of a copied database and the current `var/`."""
    files: dict[str, tuple[int, str]] = {}
    with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
        files[DATABASE] = _add(archive, database, DATABASE)
        for path in list_var_files():
            name = f"{FILES}/{path.relative_to(settings.VAR_DIR).as_posix()}"
            # A file may be deleted meanwhile. Then it is not needed.
            try:
                files[name] = _add(archive, path, name)
            except FileNotFoundError:
                continue
        manifest = BackupManifest(**about, files=files)
        told = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
        archive.writestr(MANIFEST, json.dumps(told, indent=1))
    return manifest


def unpack_archive(source: Path, folder: Path) -> BackupManifest:
    """Unpack an archive into an empty folder, and compare every file with the manifest.

    Raises BackupProblem if the file is not a complete Clubnight backup.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _read_manifest(archive)
            room, needed = shutil.disk_usage(folder).free, sum(size for size, _digest in manifest.files.values())
            if needed > room:
                raise BackupProblem(f"Not enough disk space to unpack it: {needed} bytes are needed, {room} are free.")
            for name, (size, digest) in manifest.files.items():
                _extract(archive, name, folder / name, size, digest)
    except _NOT_WHOLE as error:
        raise BackupProblem(f"This is not a complete Clubnight backup: {str(error).rstrip('.')}.") from error
    return manifest


def list_var_files() -> Iterator[Path]:
    """Yield the application's files in order, without databases, backups and symbolic links."""
    var, backups = Path(settings.VAR_DIR), Path(settings.BACKUP_DIR).resolve()
    database = str(connection.settings_dict["NAME"])
    for folder, folders, names in os.walk(var):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if (here / name).resolve() != backups
            and not name.startswith(".")
            and not (here == var and name in _NOT_KEPT)
        )
        for name in sorted(names):
            path = here / name
            is_database = ".sqlite3" in name or str(path.resolve()).startswith(database) or name.startswith("beat-")
            if not is_database and not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    with path.open("rb") as reader, archive.open(name, "w", force_zip64=True) as writer:
        while piece := reader.read(_PIECE):
            writer.write(piece)
            digest.update(piece)
            size += len(piece)
    return size, digest.hexdigest()


def _extract(archive: zipfile.ZipFile, name: str, target: Path, size: int, digest: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    read, found = 0, hashlib.sha256()
    with archive.open(name) as reader, target.open("xb") as writer:
        while piece := reader.read(_PIECE):
            read += len(piece)
            # Check before writing: a file may unpack to far more than it declares.
            if read > size:
                break
            writer.write(piece)
            found.update(piece)
    if read != size or found.hexdigest() != digest:
        raise BackupProblem(f"The backup is damaged. {name} has changed since it was made.")


def _read_manifest(archive: zipfile.ZipFile) -> BackupManifest:
    info = archive.getinfo(MANIFEST)
    if info.file_size > _LARGEST_MANIFEST:
        raise BackupProblem("This is not a Clubnight backup. Its list of contents is too long.")
    try:
        told = json.loads(archive.read(MANIFEST))
        if told.pop("format") != FORMAT:
            raise BackupProblem("This is not a Clubnight backup.")
        if told.pop("version") != VERSION:
            raise BackupProblem("The backup was made by a newer version of Clubnight. Restore it with that version.")
        files = {str(name): (int(size), str(digest)) for name, (size, digest) in told.pop("files").items()}
        manifest = BackupManifest(**told, files=files)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise BackupProblem("This is not a Clubnight backup. Its list of contents can't be read.") from error
    for name in manifest.files:
        if name != DATABASE and not _is_safe(name):
            raise BackupProblem(f"The backup would write outside its folder ({name}), so it isn't used.")
    if DATABASE not in manifest.files:
        raise BackupProblem("The backup has no database.")
    return manifest


def _is_safe(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return (
        len(parts) > 1
        and parts[0] == FILES
        and ".." not in parts
        and "\\" not in name
        and "\0" not in name
        and PurePosixPath(*parts).as_posix() == name
    )
