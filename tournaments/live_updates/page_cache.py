"""A cache of shared pages in compressed form, each for one state of its event."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from django.urls import ResolverMatch

MAX_BYTES = 48 * 1024 * 1024
"""The limit for all of a process's cached pages: some 5,000 rounds of 60 players."""
MAX_QUERY_PAGE_BYTES = 8 * 1024 * 1024
"""The limit for pages with a query string, so that invented queries never push out other pages."""
MAX_ANSWERS_PER_PAGE = 20
"""Per URL: the page, and its changes since several states."""

_LEVEL = 9
"""High, since each page is compressed only once."""
_SHORTEST = 200
"""Bytes below which compression does not help."""


class PageCacheKey(NamedTuple):
    """Everything in a request that a shared page depends on."""

    scheme: str
    host: str
    path: str
    query_string: str
    language: str
    colour_scheme: str
    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedResponse:
    """One response. `content` is compressed if `is_compressed`."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    is_compressed: bool

    def uncompressed_content(self) -> bytes:
        """Return the content for browsers that accept no compression."""
        return gzip.decompress(self.content) if self.is_compressed else self.content


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPage:
    """The responses for a URL while this event is in this state (`EventPageState.digest`)."""

    club: str
    event: str
    state: str
    etag: str
    match: ResolverMatch
    answers: dict[str, CachedResponse] = field(default_factory=dict)
    """By the mark of the state that changes were requested from; the page itself has the empty mark."""


class PageCache:
    """The latest pages of a process. The least recently used are removed first."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._pages: OrderedDict[PageCacheKey, CachedPage] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get_page(self, address: PageCacheKey) -> CachedPage | None:
        """Return the page of a URL, in any state."""
        with self._lock:
            page = self._pages.get(address)
            if page is not None:
                self._pages.move_to_end(address)
            return page

    def store_response(self, address: PageCacheKey, page: CachedPage, since: str, answer: CachedResponse) -> None:
        """Store a response with the page's other responses for this state. Responses for another state are removed."""
        with self._lock:
            there = self._pages.pop(address, None)
            if there is not None and (there.state, there.etag) != (page.state, page.etag):
                self._bytes -= _bytes_of(there)
                there = None
            kept = there or page
            # Always store the page itself: there is only one.
            if since not in kept.answers and (len(kept.answers) < MAX_ANSWERS_PER_PAGE or not since):
                kept.answers[since] = answer
                self._bytes += len(answer.content)
            self._pages[address] = kept
            while self._bytes > self._most_bytes:
                self._bytes -= _bytes_of(self._pages.popitem(last=False)[1])

    def clear_cached_pages(self) -> None:
        """Remove all pages."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def __len__(self) -> int:
        return len(self._pages)


def compress_content(content: bytes) -> tuple[bytes, bool]:
    """Return the content, compressed if that is shorter, and True if it is compressed."""
    if len(content) < _SHORTEST:
        return content, False
    shorter = gzip.compress(content, _LEVEL, mtime=0)
    return (shorter, True) if len(shorter) < len(content) else (content, False)


def _bytes_of(page: CachedPage) -> int:
    return sum(len(answer.content) for answer in page.answers.values())
