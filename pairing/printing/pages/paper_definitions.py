"""Definitions of papers: URL, permissions, options and the function that makes them.

There is one `PaperDefinition` for each paper, in the tables of `event_papers`, `round_papers` and `club_papers`. URLs,
views and the pages for choosing papers are made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from django.http import Http404
from django.urls import reverse
from django.utils.functional import Promise

from clubs.access import EVENT_ROLES, Visitor
from clubs.models import Club, Role
from clubs.request_types import WebRequest
from pairing.printing.papers.all_papers import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from tournaments.models import Round, Tournament

MAX_DIGITS = 5

EVENT_OFFICERS = frozenset(EVENT_ROLES)
"""The roles that can run events."""

Subject = TypeVar("Subject", Tournament, Round, Club)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRequest(Generic[Subject]):
    """A request for a paper: the event, round or club, and the options in the URL."""

    request: WebRequest
    subject: Subject

    @property
    def visitor(self) -> Visitor:
        return self.request.user

    def text_option(self, name: str) -> str:
        """Return an option's text; empty if it is missing."""
        return self.request.GET.get(name, "")

    def number_option(self, name: str, *, maximum: int = 10**MAX_DIGITS) -> int | None:
        """Return a whole number limited to `maximum`; None for anything else."""
        text = self.text_option(name)
        return min(int(text), maximum) if text.isdecimal() and len(text) <= MAX_DIGITS else None

    def has_option(self, name: str) -> bool:
        """Return True if the option is in the URL, with or without a value."""
        return name in self.request.GET

    def absolute_url(self, page: str, *arguments: object) -> str:
        """Return a page's absolute URL, for a QR code on the paper."""
        return self.request.build_absolute_uri(reverse(page, args=arguments))


class PaperGroup(StrEnum):
    """The group of an event's paper."""

    CARDS = "cards"
    TABLES = "tables"
    PLAYERS = "players"
    HALL = "hall"
    EMERGENCY = "need"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDefinition(Generic[Subject]):
    """One paper: `code` is its name in URL names (`print_<code>`), `file` its file name without `.pdf`.

    `fields` are the fields of `PaperForm` that it takes. `roles` can have it; without roles everyone who can see the
    event or belongs to the club. `is_available` depends on the permission to run the event.
    """

    code: str
    file: str
    label: str | Promise
    label_when_over: str | Promise = ""
    """The label after the round is finished, if it differs."""
    make: Callable[[PaperRequest[Subject], PrintOptions], Paper]
    fields: tuple[str, ...] = ()
    fields_for_officers: tuple[str, ...] = ()
    roles: frozenset[Role] = frozenset()
    is_available: Callable[[Subject, bool], bool] = lambda _of, _may_run: True
    is_offered: bool = True
    """If it is offered where papers are chosen."""
    is_relevant: Callable[[Subject], bool] = lambda _of: True
    """If it is offered for this event because it has content; its URL works in any case."""
    group: PaperGroup = PaperGroup.TABLES
    edition: Callable[[Subject], str] | None = None
    """A text that changes when a printed copy is outdated; None for papers that are not tracked."""

    @property
    def url_name(self) -> str:
        """The name of its URL."""
        return f"print_{self.code}"


def find_paper_definition(documents: tuple[PaperDefinition[Subject], ...], code: str) -> PaperDefinition[Subject]:
    """Return the definition with this code. Raises Http404 if there is none."""
    for document in documents:
        if document.code == code:
            return document
    raise Http404
