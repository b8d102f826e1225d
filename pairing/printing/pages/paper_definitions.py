"""What a paper is to those who ask for it: its address, who may have it, what can be chosen, and how it is made.

One `PaperDefinition` a paper, in the tables `event_papers`, `round_papers` and `club_papers`; addresses, views and the
pages where papers are chosen are made from them.
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
"""Those who run events."""

Subject = TypeVar("Subject", Tournament, Round, Club)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRequest(Generic[Subject]):
    """What somebody wants printed: of which event, round or club, and what was chosen in the address."""

    request: WebRequest
    subject: Subject

    @property
    def visitor(self) -> Visitor:
        return self.request.user

    def text_option(self, name: str) -> str:
        """What was chosen; empty for nothing."""
        return self.request.GET.get(name, "")

    def number_option(self, name: str, *, maximum: int = 10**MAX_DIGITS) -> int | None:
        """A whole number that was chosen, none for anything else; no more than `maximum`."""
        text = self.text_option(name)
        return min(int(text), maximum) if text.isdecimal() and len(text) <= MAX_DIGITS else None

    def has_option(self, name: str) -> bool:
        """Whether the address names it, with or without a value."""
        return name in self.request.GET

    def absolute_url(self, page: str, *arguments: object) -> str:
        """The whole address of a page, for a code on the paper."""
        return self.request.build_absolute_uri(reverse(page, args=arguments))


class PaperGroup(StrEnum):
    """Where a paper of an event stands among the others."""

    CARDS = "cards"
    TABLES = "tables"
    PLAYERS = "players"
    HALL = "hall"
    EMERGENCY = "need"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDefinition(Generic[Subject]):
    """One paper: `code` names it in addresses (`print_<code>`), `file` is the end of its own, without `.pdf`.

    `fields` are those of `PaperForm` that it takes. `roles` are those that may have it, none for whoever may see the
    event or is of the club. `is_available` says whether there is anything to be had for whoever may run it or not.
    """

    code: str
    file: str
    label: str | Promise
    label_when_over: str | Promise = ""
    """What it is called once its round is finished, if that is another thing."""
    make: Callable[[PaperRequest[Subject], PrintOptions], Paper]
    fields: tuple[str, ...] = ()
    fields_for_officers: tuple[str, ...] = ()
    roles: frozenset[Role] = frozenset()
    is_available: Callable[[Subject, bool], bool] = lambda _of, _may_run: True
    is_offered: bool = True
    """Whether it stands where papers are chosen."""
    is_relevant: Callable[[Subject], bool] = lambda _of: True
    """Whether it is offered for this event, as there is something in it; its address answers all the same."""
    group: PaperGroup = PaperGroup.TABLES
    edition: Callable[[Subject], str] | None = None
    """The same for as long as what hangs on the wall holds; None for what nobody takes for the latest."""

    @property
    def url_name(self) -> str:
        """The name of its address."""
        return f"print_{self.code}"


def find_paper_definition(documents: tuple[PaperDefinition[Subject], ...], code: str) -> PaperDefinition[Subject]:
    """The document of that code; Http404 for none."""
    for document in documents:
        if document.code == code:
            return document
    raise Http404
