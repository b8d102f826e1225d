"""Keeps the tokens of personal links and invitations out of the server's log."""

from __future__ import annotations

import logging
import re

_TOKEN = re.compile(r"(/p/|/check-in/|/join/|/told/)[a-z]?\d+\.[\w-]+")


class WithoutTokens(logging.Filter):
    """Puts dots in place of every token in a line about a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = hidden(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(hidden(value) for value in record.args)
        return True


def hidden(value: object) -> object:
    """The same without tokens."""
    return _TOKEN.sub(r"\1…", value) if isinstance(value, str) else value
