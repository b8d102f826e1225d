"""What can go wrong with a backup. For the operator, so in English, as the commands speak."""

from __future__ import annotations


class BackupProblem(Exception):
    """A backup was not made, or not put back, for a reason that the operator can do something about.

    Nothing was changed: neither what is kept, nor a backup made before.
    """


class DiskFull(BackupProblem):
    """The disk is full, or would be."""
