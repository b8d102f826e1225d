"""Backups under lock: files of age (age-encryption.org), which its own program opens as well.

The key is `age1...`, which can only lock, or `AGE-SECRET-KEY-1...`, which opens too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyrage

from operations.backups.problems import BackupProblem

ENCRYPTED_SUFFIX = ".age"
_BEGINNING = b"age-encryption.org/"


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupKey:
    """What a backup is locked with; `identity` is empty where only the public half is known."""

    recipient: pyrage.x25519.Recipient
    identity: pyrage.x25519.Identity | None


def parse_backup_key(text: str) -> BackupKey | None:
    """The key as it is written in a setting; None for none. Raises BackupProblem for anything else."""
    text = text.strip()
    if not text:
        return None
    try:
        if text.upper().startswith("AGE-SECRET-KEY-"):
            identity = pyrage.x25519.Identity.from_str(text)
            return BackupKey(recipient=identity.to_public(), identity=identity)
        return BackupKey(recipient=pyrage.x25519.Recipient.from_str(text), identity=None)
    except (pyrage.IdentityError, pyrage.RecipientError) as error:
        raise BackupProblem(
            "CLUBNIGHT_BACKUP_KEY is no key of age: it begins with age1 or AGE-SECRET-KEY-1; "
            "manage.py backup --new-key makes one."
        ) from error


def generate_key_pair() -> tuple[str, str]:
    """A new key: its public half, and the secret one."""
    identity = pyrage.x25519.Identity.generate()
    return str(identity.to_public()), str(identity)


def is_encrypted(path: Path) -> bool:
    """By its first letters, whatever it is called."""
    with path.open("rb") as file:
        return file.read(len(_BEGINNING)) == _BEGINNING


def encrypt_file(source: Path, target: Path, key: BackupKey) -> None:
    """Write the file anew, locked."""
    with source.open("rb") as reader, target.open("xb") as writer:
        pyrage.encrypt_io(reader, writer, [key.recipient])


def decrypt_file(source: Path, target: Path, key: BackupKey | None) -> None:
    """Write the file anew, opened. Raises BackupProblem without the right key, or for a damaged file."""
    if key is None or key.identity is None:
        raise BackupProblem(
            "The backup is locked: the secret key (AGE-SECRET-KEY-1...) opens it, in a file named by --key-file or in "
            "CLUBNIGHT_BACKUP_KEY."
        )
    try:
        with source.open("rb") as reader, target.open("xb") as writer:
            pyrage.decrypt_io(reader, writer, [key.identity])
    except (pyrage.DecryptError, OSError) as error:
        raise BackupProblem(f"The backup cannot be opened with this key, or is damaged ({error}).") from error
