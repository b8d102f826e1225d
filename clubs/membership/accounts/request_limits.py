"""Counts requests by minute, in the cache of rate limits that all processes share."""

from __future__ import annotations

import hashlib

from django.core.cache import cache
from django.http import HttpRequest

from clubs.membership.accounts.client_address import client_address, network_of_address

RATE_PERIOD_SECONDS = 60


def count_request(kind: str, subject: str) -> int:
    """Return the number of requests of a kind this minute, including this one. Only a hash of the subject is stored."""
    key = f"{kind}-{hashlib.sha256(subject.encode()).hexdigest()}"
    cache.add(key, 0, RATE_PERIOD_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:  # expired between the two calls
        return 1


def is_over_limit(request: HttpRequest, kind: str, most: int) -> bool:
    """Count a request for its network address. Return True if more than `most` were made within a minute."""
    return count_request(kind, network_of_address(client_address(request))) > most
