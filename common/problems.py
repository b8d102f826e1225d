"""Problems that a club officer can fix. They are shown on the page, never as a traceback."""

from __future__ import annotations


class OfficerProblem(Exception):
    """An officer's request that cannot be carried out. The message says why, in the officer's language."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OfficerConfirmationNeeded(OfficerProblem):
    """A probable mistake that the officer can confirm. Nothing was done."""
