"""Encryption of backups with age (age-encryption.org), which can also be opened with the age program.

The key is `age1...`, which only encrypts, or `AGE-SECRET-KEY-1...`, which also decrypts.
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
    """The key for a backup. `identity` is None if only the public key is known."""

    recipient: pyrage.x25519.Recipient
    identity: pyrage.x25519.Identity | None


def parse_backup_key(text: str) -> BackupKey | None:
    """Parse the key from a setting. Return None for an empty string. Raises BackupProblem if it is invalid."""
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
            "CLUBNIGHT_BACKUP_KEY is not an age key. Keys start with age1 or AGE-SECRET-KEY-1. Use "
            "manage.py backup --new-key to make one."
        ) from error


def generate_key_pair() -> tuple[str, str]:
    """Return a new key pair: public key and secret key."""
    identity = pyrage.x25519.Identity.generate()
    return str(identity.to_public()), str(identity)


def is_encrypted(path: Path) -> bool:
    """Return True if the file starts like an age file. The name does not matter."""
    with path.open("rb") as file:
        return file.read(len(_BEGINNING)) == _BEGINNING


def encrypt_file(source: Path, target: Path, key: BackupKey) -> None:
    """Encrypt a file into a new one."""
    with source.open("rb") as reader, target.open("xb") as writer:
        pyrage.encrypt_io(reader, writer, [key.recipient])


def decrypt_file(source: Path, target: Path, key: BackupKey | None) -> None:
    """Decrypt a file into a new one. Raises BackupProblem if the key is wrong or the file damaged."""
    if key is None or key.identity is None:
        raise BackupProblem(
            "The backup is encrypted. Use the secret key (AGE-SECRET-KEY-1...), in a file named by "
            "--key-file or in CLUBNIGHT_BACKUP_KEY."
        )
    try:
        with source.open("rb") as reader, target.open("xb") as writer:
            pyrage.decrypt_io(reader, writer, [key.identity])
    except (pyrage.DecryptError, OSError) as error:
        raise BackupProblem(f"This key doesn't open the backup, or the backup is damaged ({error}).") from error
