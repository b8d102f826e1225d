"""What a paper is to those who ask for it: its address, who may have it, what can be chosen, and how it is made.

One `Document` a paper, in the tables `of_event`, `of_round` and `of_club`; addresses, views and the pages where papers
are chosen are made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from django.http import Http404
from django.urls import reverse
from django.utils.functional import Promise

from clubs.access import RUNNING_ROLES, Visitor
from clubs.models import Club, Role
from clubs.requests import WebRequest
from pairing.printing.papers.papers import Wishes
from pairing.printing.pdf.pdfs import Paper
from tournaments.models import Round, Tournament

MOST_DIGITS = 5

OFFICERS = frozenset(RUNNING_ROLES)
"""Those who run events."""

Of = TypeVar("Of", Tournament, Round, Club)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[Of]):
    """What somebody wants printed: of which event, round or club, and what was chosen in the address."""

    request: WebRequest
    of: Of

    @property
    def visitor(self) -> Visitor:
        return self.request.user

    def text(self, name: str) -> str:
        """What was chosen; empty for nothing."""
        return self.request.GET.get(name, "")

    def number(self, name: str, *, most: int = 10**MOST_DIGITS) -> int | None:
        """A whole number that was chosen, none for anything else; no more than `most`."""
        text = self.text(name)
        return min(int(text), most) if text.isdecimal() and len(text) <= MOST_DIGITS else None

    def has(self, name: str) -> bool:
        """Whether the address names it, with or without a value."""
        return name in self.request.GET

    def address(self, page: str, *arguments: object) -> str:
        """The whole address of a page, for a code on the paper."""
        return self.request.build_absolute_uri(reverse(page, args=arguments))


class Group(StrEnum):
    """Where a paper of an event stands among the others."""

    CARDS = "cards"
    TABLES = "tables"
    PLAYERS = "players"
    HALL = "hall"
    NEED = "need"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Generic[Of]):
    """One paper: `code` names it in addresses (`print_<code>`), `file` is the end of its own, without `.pdf`.

    `fields` are those of `PaperForm` that it takes. `roles` are those that may have it, none for whoever may see the
    event or is of the club. `is_open` says whether there is anything to be had for whoever may run it or not.
    """

    code: str
    file: str
    label: str | Promise
    label_when_over: str | Promise = ""
    """What it is called once its round is finished, if that is another thing."""
    make: Callable[[Asked[Of], Wishes], Paper]
    fields: tuple[str, ...] = ()
    fields_for_officers: tuple[str, ...] = ()
    roles: frozenset[Role] = frozenset()
    is_open: Callable[[Of, bool], bool] = lambda _of, _may_run: True
    is_chosen: bool = True
    """Whether it stands where papers are chosen."""
    belongs: Callable[[Of], bool] = lambda _of: True
    """Whether it is offered for this event, as there is something in it; its address answers all the same."""
    group: Group = Group.TABLES
    edition: Callable[[Of], str] | None = None
    """The same for as long as what hangs on the wall holds; None for what nobody takes for the latest."""

    @property
    def page(self) -> str:
        """The name of its address."""
        return f"print_{self.code}"


def found(documents: tuple[Document[Of], ...], code: str) -> Document[Of]:
    """The document of that code; Http404 for none."""
    for document in documents:
        if document.code == code:
            return document
    raise Http404
