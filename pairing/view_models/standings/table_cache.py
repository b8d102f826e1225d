"""A cache of tables in this process, valid until their event changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar

from django.db import connection

MAX_CACHED_ROWS = 12_000
"""Most rows cached together (about 60 MB); a longer table is cached alone."""


class CacheableTable(Protocol):
    @property
    def rows(self) -> tuple[object, ...]: ...


TableT = TypeVar("TableT", bound=CacheableTable)


class TableCache(Generic[TableT]):
    """The most recently used tables, each with the state it was made from."""

    def __init__(self) -> None:
        self._tables: OrderedDict[Hashable, tuple[Hashable, TableT]] = OrderedDict()
        self._lock = Lock()

    def clear_tables(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._tables.clear()

    def get_or_make_table(self, name: Hashable, state: Hashable, make: Callable[[], TableT]) -> TableT:
        """Return the table of this name and state, making it if needed; one in another state is replaced.

        Read `state` before anything that `make` reads. Nothing is cached inside a transaction, which may be rolled
        back.
        """
        if connection.in_atomic_block:
            return make()
        with self._lock:
            known, table = self._tables.get(name, (None, None))
            if table is not None and known == state:
                self._tables.move_to_end(name)
                return table
        made = make()
        with self._lock:
            self._tables[name] = state, made
            self._tables.move_to_end(name)
            while (
                len(self._tables) > 1
                and sum(len(table.rows) for _state, table in self._tables.values()) > MAX_CACHED_ROWS
            ):
                self._tables.popitem(last=False)
        return made
