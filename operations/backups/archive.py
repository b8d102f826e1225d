"""The archive format of backups: a ZIP with `manifest.json`, `database.sqlite3` and files of `var/`.

Of `var/` a backup has the keys, and the folders `media` and `mail`, without hidden files. Everything else is created
again or is temporary. Restoring accepts no other names, no links and no devices, so that a stranger's archive cannot
write settings of other programs. `signature` is an HMAC of the manifest with the server's secret key.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from operations.backups.problems import BackupProblem

FORMAT, VERSION = "clubnight-backup", 1
DATABASE, MANIFEST, SIGNATURE, FILES = "database.sqlite3", "manifest.json", "signature", "var"
_LARGEST_MANIFEST = 64 * 1024**2
_FOLDERS = ("media", "mail")
_PIECE = 1024 * 1024
SECRET_KEY_FILE = "secret-key"  # noqa: S105 - the name of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupManifest:
    """A backup's manifest. `rows` counts rows by table. `files` has size and SHA-256 by name in the archive.

    `is_own` is True if a server with this secret key made it.
    """

    made_at: str
    program: str
    database: str
    migrations: list[str]
    rows: dict[str, int]
    files: dict[str, tuple[int, str]]
    is_own: bool = True


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
            # A file may have been deleted in the meantime. It is then not needed.
            try:
                files[name] = _add(archive, path, name)
            except FileNotFoundError:
                continue
        manifest = BackupManifest(**about, files=files)
        told = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
        del told["is_own"]
        written = json.dumps(told, indent=1)
        archive.writestr(MANIFEST, written)
        archive.writestr(SIGNATURE, _signature(written.encode()))
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
    """Yield the files in `var/` that belong in a backup, in order, without symbolic links."""
    var, backups = Path(settings.VAR_DIR), Path(settings.BACKUP_DIR).resolve()
    for name in _key_files():
        if (var / name).is_file() and not (var / name).is_symlink():
            yield var / name
    for folder, folders, names in chain.from_iterable(os.walk(var / each) for each in _FOLDERS):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if (here / name).resolve() != backups and _is_plain(name))
        for name in sorted(names):
            path = here / name
            if _is_plain(name) and path.is_file() and not path.is_symlink():
                yield path


def _key_files() -> list[str]:
    """Return the names of the files with secrets, in `var/`."""
    push_key, var = Path(settings.PUSH_KEY_FILE), Path(settings.VAR_DIR)
    names = {SECRET_KEY_FILE, *([push_key.relative_to(var).as_posix()] if push_key.is_relative_to(var) else [])}
    return sorted(name for name in names if all(map(_is_plain, PurePosixPath(name).parts)))


def _is_plain(name: str) -> bool:
    return name.isprintable() and not name.startswith(".") and not set(name) & set("\\/:")


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


def _signature(manifest: bytes) -> str:
    return salted_hmac("clubnight.backups", manifest, algorithm="sha256").hexdigest()


def _is_signed(archive: zipfile.ZipFile, manifest: bytes) -> bool:
    if SIGNATURE not in archive.namelist() or archive.getinfo(SIGNATURE).file_size > 100:
        return False
    return constant_time_compare(archive.read(SIGNATURE).decode("ascii", "replace"), _signature(manifest))


def _read_manifest(archive: zipfile.ZipFile) -> BackupManifest:
    info = archive.getinfo(MANIFEST)
    if info.file_size > _LARGEST_MANIFEST:
        raise BackupProblem("This is not a Clubnight backup. Its list of contents is too long.")
    written = archive.read(MANIFEST)
    try:
        told = json.loads(written)
        if told.pop("format") != FORMAT:
            raise BackupProblem("This is not a Clubnight backup.")
        if told.pop("version") != VERSION:
            raise BackupProblem("The backup was made by a newer version of Clubnight. Restore it with that version.")
        files = {str(name): (int(size), str(digest)) for name, (size, digest) in told.pop("files").items()}
        manifest = BackupManifest(**told, files=files, is_own=_is_signed(archive, written))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise BackupProblem("This is not a Clubnight backup. Its list of contents can't be read.") from error
    for name in manifest.files:
        if name != DATABASE and not _may_be_restored(name):
            raise BackupProblem(f"The backup has a file that no backup has ({name!r}), so it isn't used.")
    if DATABASE not in manifest.files:
        raise BackupProblem("The backup has no database.")
    for each in archive.infolist():
        if stat.S_IFMT(each.external_attr >> 16) not in (0, stat.S_IFREG):
            raise BackupProblem(f"The backup has a link or device ({each.filename!r}), so it isn't used.")
    return manifest


def _may_be_restored(name: str) -> bool:
    parts = PurePosixPath(name).parts
    if PurePosixPath(*parts).as_posix() != name or parts[0] != FILES or not all(map(_is_plain, parts)):
        return False
    return "/".join(parts[1:]) in _key_files() or (len(parts) > 2 and parts[1] in _FOLDERS)
