"""Keeps what opens something by itself out of the server's log: personal links, invitations, links of letters."""

from __future__ import annotations

import logging
import re

# What stands before the secret, its number with it: the number may be read, and tells the operator which link it was.
# The same list stands in deploy/nginx/clubnight.conf. An address may stand in another's query, hence %2F.
_SECRET = re.compile(
    r"((?:/|%2F)(?:(?:p|check-in|join|told)(?:/|%2F)[a-z]?\d+\.|dues/reminders/"
    r"|account/email/(?!sent/)|account/password/forgotten/(?!sent/|done/)))[^/?&\s\"'<>]+"
)


class RedactTokensFilter(logging.Filter):
    """Puts dots in place of every token in a line about a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = redact_tokens(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(redact_tokens(value) for value in record.args)
        return True


def redact_tokens(value: object) -> object:
    """The same without tokens."""
    return _SECRET.sub(r"\1…", value) if isinstance(value, str) else value
