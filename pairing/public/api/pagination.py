"""Pagination of long lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Field, Query, Schema

MAX_PAGE_SIZE = 200


class PageQuery(Schema):
    """Which part of a list is wanted."""

    page: Annotated[int, Field(ge=1, le=100_000)] = 1
    page_size: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = 100

    @property
    def page_offset(self) -> int:
        """The index of the page's first row, from 0."""
        return (self.page - 1) * self.page_size

    def slice_page(self, rows: Sequence[Any] | QuerySet[Any]) -> list[Any]:
        """Return the rows of the page."""
        return list(rows[self.page_offset : self.page_offset + self.page_size])

    def next_page_url(self, request: HttpRequest, count: int) -> str | None:
        """Return the URL of the next page; None on the last one."""
        if self.page_offset + self.page_size >= count:
            return None
        asked = request.GET.copy()
        asked["page"] = str(self.page + 1)
        return f"{request.path}?{asked.urlencode()}"


PageParameters = Annotated[PageQuery, Query()]
