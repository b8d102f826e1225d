"""Uploaded files between the preview of an import and its confirmation.

A file is stored under a random name, and the page has a signed token for it. So several imports can be open at once,
and users reach only their own uploads for the same club or event.
"""

from __future__ import annotations

import secrets

from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing

from common.file_store.protocol import FileStore
from common.file_store.stores import delete_old_files, file_store, read_stored_file

UPLOAD_LIFETIME_SECONDS = 2 * 60 * 60


class UploadGone(Exception):
    """Raised if the token is invalid or the file has expired. The user must choose the file again."""


def store_upload(data: bytes, filename: str, *, by: AbstractBaseUser, place: str) -> str:
    """Store a file and return its token. `place` identifies the club or event."""
    delete_old_files(_shelf(), seconds=UPLOAD_LIFETIME_SECONDS)
    key = secrets.token_hex(16)
    _shelf().save_file(key, [data])
    return signing.dumps([key, filename, by.pk, place], salt=__name__)


def load_upload(token: str, *, by: AbstractBaseUser, place: str) -> tuple[bytes, str]:
    """Return the file and its name. Raises UploadGone if the token is invalid or the file has expired."""
    key, filename, _owner, _place = _read(token, by, place)
    try:
        return read_stored_file(_shelf(), key), filename
    except FileNotFoundError as gone:
        raise UploadGone from gone


def delete_upload(token: str, *, by: AbstractBaseUser, place: str) -> None:
    """Delete an upload that is no longer needed."""
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
