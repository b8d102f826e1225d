"""Pages for everybody as they went out, each for one state of its event, compressed once."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from django.urls import ResolverMatch

MAX_BYTES = 48 * 1024 * 1024
"""Of a process' kept pages together: some 5,000 rounds of 60 players."""
MAX_QUERY_PAGE_BYTES = 8 * 1024 * 1024
"""Of those with something asked behind a "?": whoever invents questions pushes no page out."""
MAX_ANSWERS_PER_PAGE = 20
"""To one address: the page, and what has changed in it since so many states."""

_LEVEL = 9
"""It is done once for all."""
_SHORTEST = 200
"""Bytes below which compressing makes nothing shorter."""


class PageCacheKey(NamedTuple):
    """All of a request that what everybody is sent depends on."""

    scheme: str
    host: str
    path: str
    query_string: str
    language: str
    colour_scheme: str
    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """One answer: `content` is compressed where `is_compressed`."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    is_compressed: bool

    def uncompressed_content(self) -> bytes:
        """For browsers that take nothing compressed."""
        return gzip.decompress(self.content) if self.is_compressed else self.content


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPage:
    """What is sent at an address while the event of these two slugs is in this state (`State.word`)."""

    club: str
    event: str
    state: str
    etag: str
    match: ResolverMatch
    answers: dict[str, CachedAnswer] = field(default_factory=dict)
    """By the mark of the state since which the changes were asked for; the page itself by the empty one."""


class PageCache:
    """The latest pages of a process: those asked for longest ago go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._pages: OrderedDict[PageCacheKey, CachedPage] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get_page(self, address: PageCacheKey) -> CachedPage | None:
        """The page of an address, whatever state it is of."""
        with self._lock:
            page = self._pages.get(address)
            if page is not None:
                self._pages.move_to_end(address)
            return page

    def store_answer(self, address: PageCacheKey, page: CachedPage, since: str, answer: CachedAnswer) -> None:
        """Keep an answer beside others of the same state, in place of those of another one."""
        with self._lock:
            there = self._pages.pop(address, None)
            if there is not None and (there.state, there.etag) != (page.state, page.etag):
                self._bytes -= _bytes_of(there)
                there = None
            kept = there or page
            # The page itself always: there is only one of it.
            if since not in kept.answers and (len(kept.answers) < MAX_ANSWERS_PER_PAGE or not since):
                kept.answers[since] = answer
                self._bytes += len(answer.content)
            self._pages[address] = kept
            while self._bytes > self._most_bytes:
                self._bytes -= _bytes_of(self._pages.popitem(last=False)[1])

    def clear_pages(self) -> None:
        """Forget all."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def __len__(self) -> int:
        return len(self._pages)


def compress_content(content: bytes) -> tuple[bytes, bool]:
    """The content, compressed where that makes it shorter, and whether it is."""
    if len(content) < _SHORTEST:
        return content, False
    shorter = gzip.compress(content, _LEVEL, mtime=0)
    return (shorter, True) if len(shorter) < len(content) else (content, False)


def _bytes_of(page: CachedPage) -> int:
    return sum(len(answer.content) for answer in page.answers.values())
