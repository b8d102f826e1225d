"""Errors of backups. They are for the operator, so they are in English, like the commands."""

from __future__ import annotations


class BackupProblem(Exception):
    """Raised if a backup was not made or not restored, for a reason the operator can fix.

    Neither the data nor an earlier backup was changed.
    """


class DiskFull(BackupProblem):
    """Raised if the disk is full or would be."""
