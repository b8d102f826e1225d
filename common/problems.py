"""What an officer of a club can put right: shown on the page, never as a traceback."""

from __future__ import annotations


class OfficerProblem(Exception):
    """Something an officer asked for cannot be done, and the message (in the officer's language) says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OfficerConfirmationNeeded(OfficerProblem):
    """Something that is likely to be a slip: nothing was done, and it is done when it is said to be meant."""
