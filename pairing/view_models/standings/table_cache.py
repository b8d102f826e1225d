"""Tables kept in the memory of this process for as long as nothing is done in their event."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar

from django.db import connection

MAX_CACHED_ROWS = 12_000
"""Rows kept together: some 60 MB. A table longer than that is kept alone."""


class CacheableTable(Protocol):
    @property
    def rows(self) -> tuple[object, ...]: ...


TableT = TypeVar("TableT", bound=CacheableTable)


class TableCache(Generic[TableT]):
    """The tables asked for last, each with the state of everything it was made from."""

    def __init__(self) -> None:
        self._tables: OrderedDict[Hashable, tuple[Hashable, TableT]] = OrderedDict()
        self._lock = Lock()

    def clear_tables(self) -> None:
        """Forget them all."""
        with self._lock:
            self._tables.clear()

    def get_or_make_table(self, name: Hashable, state: Hashable, make: Callable[[], TableT]) -> TableT:
        """The table of that name in that state, made if it is not there; one in another state is thrown away.

        `state` has to be read before anything that `make` reads. Inside a transaction nothing is kept: what it sees
        may never have been.
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
