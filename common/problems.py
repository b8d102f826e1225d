"""Problems that a club officer can fix. They are shown on the page, never as a traceback."""

from __future__ import annotations


class OfficerProblem(Exception):
    """Raised if an officer's request can't be carried out. The message, in their language, says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OfficerConfirmationNeeded(OfficerProblem):
    """Raised for a probable mistake that the officer can confirm. Nothing was done."""
