"""Uploaded files between the preview of an import and the word to go on.

A file is kept under a random name; the page carries a signed token that names it, so that several imports may be
open in several tabs, and nobody reaches a file that he did not upload himself for this very club or event.
"""

from __future__ import annotations

import secrets

from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing

from common.file_store.stores import FileStore, delete_old_files, file_store, read_stored_file

MAX_UPLOAD_BYTES = 5 * 1024 * 1024
"""Bytes. A report file of 5,000 players and 9 rounds has about one million."""

UPLOAD_LIFETIME_SECONDS = 2 * 60 * 60


class UploadGone(Exception):
    """The token is not valid here, or the file has been cleared away: it must be chosen again."""


def store_upload(data: bytes, filename: str, *, by: AbstractBaseUser, place: str) -> str:
    """Keep a file and return the token for it. `place` names the club or event that it is for."""
    delete_old_files(_shelf(), seconds=UPLOAD_LIFETIME_SECONDS)
    key = secrets.token_hex(16)
    _shelf().save_file(key, [data])
    return signing.dumps([key, filename, by.pk, place], salt=__name__)


def load_upload(token: str, *, by: AbstractBaseUser, place: str) -> tuple[bytes, str]:
    """The file and its name; raises UploadGone."""
    key, filename, _owner, _place = _read(token, by, place)
    try:
        return read_stored_file(_shelf(), key), filename
    except FileNotFoundError as gone:
        raise UploadGone from gone


def delete_upload(token: str, *, by: AbstractBaseUser, place: str) -> None:
    """The file is not needed any more."""
    key, *_rest = _read(token, by, place)
    _shelf().delete_file(key)


def _read(token: str, by: AbstractBaseUser, place: str) -> tuple[str, str, int, str]:
    try:
        key, filename, owner, its_place = signing.loads(token, salt=__name__, max_age=UPLOAD_LIFETIME_SECONDS)
    except (signing.BadSignature, ValueError) as bad:
        raise UploadGone from bad
    if (owner, its_place) != (by.pk, place):
        raise UploadGone
    return key, filename, owner, its_place


def _shelf() -> FileStore:
    return file_store("uploads")
