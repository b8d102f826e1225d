"""Removes secret links from the server's log: personal links, invitations, links in emails."""

from __future__ import annotations

import logging
import re

# The part before the secret, with its number: the number is not secret, and shows the operator which link it was.
# The same list is in deploy/nginx/clubnight.conf. A URL may be part of another's query, hence %2F.
_SECRET = re.compile(
    r"((?:/|%2F)(?:(?:p|check-in|join|told|enter|stop)(?:/|%2F)[a-z]?\d+\.|dues/reminders/|(?:enter|join)/confirm/"
    r"|account/email/(?!sent/)|account/password/forgotten/(?!sent/|done/)))[^/?&\s\"'<>]+"
)


class RedactTokensFilter(logging.Filter):
    """Replaces tokens with an ellipsis in log lines about requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = redact_tokens(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(redact_tokens(value) for value in record.args)
        return True


def redact_tokens(value: object) -> object:
    """Return the value without tokens."""
    return _SECRET.sub(r"\1…", value) if isinstance(value, str) else value
