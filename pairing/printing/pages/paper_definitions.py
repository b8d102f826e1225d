"""Editions of printouts: texts that change when the printout has to be posted again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any, Generic, TypeVar

from django.http import Http404
from django.urls import reverse
from django.utils.functional import Promise

from clubs.models import Club, Role
from clubs.request_types import WebRequest
from clubs.roles import EVENT_ROLES, Visitor
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings, last_round_with_result
from tournaments.models import Round, Tournament


def publication_edition(this_round: Round) -> str:
    """Return the edition of a printout with opponents. It changes when the pairing is published again. 0 is a draft."""
    return str(this_round.publications)


def standings_edition(tournament: Tournament) -> str:
    """Return the edition of the current table. It changes with anything in the table."""
    sheet = standings_sheet(get_event_standings(tournament, last_round_with_result(tournament)))
    return _digest(sheet.after_round, sheet.is_provisional, sheet.lines)


def player_list_edition(tournament: Tournament) -> str:
    """Return the edition of a list of players. It changes with any of their data."""
    return _digest(starting_list_sheet(tournament).players)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:16]


MAX_DIGITS = 5

EVENT_OFFICERS = frozenset(EVENT_ROLES)
"""The roles that can run events."""

Subject = TypeVar("Subject", Tournament, Round, Club)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRequest(Generic[Subject]):
    """A request for a printout: the event, round or club, the numbers in the URL's path, and the options behind it."""

    request: WebRequest
    subject: Subject
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def visitor(self) -> Visitor:
        return self.request.user

    def text_option(self, name: str) -> str:
        """Return an option's text. Empty if it is missing."""
        return self.request.GET.get(name, "")

    def number_option(self, name: str, *, maximum: int = 10**MAX_DIGITS) -> int | None:
        """Return an option's whole number, limited to `maximum`. None if it is missing or not a whole number."""
        text = self.text_option(name)
        return min(int(text), maximum) if text.isdecimal() and len(text) <= MAX_DIGITS else None

    def has_option(self, name: str) -> bool:
        """Return True if the option is in the URL, with or without a value."""
        return name in self.request.GET

    def absolute_url(self, page: str, *arguments: object) -> str:
        """Return a page's absolute URL, for a QR code on the printout."""
        return self.request.build_absolute_uri(reverse(page, args=arguments))


PaperMaker = Callable[[PaperRequest[Subject], PrintOptions], Paper]
"""Makes a printout with the options in the request's URL. The printout's language is active."""


class PaperGroup(StrEnum):
    """A group of an event's or a club's printouts."""

    CARDS = "cards"
    TABLES = "tables"
    PLAYERS = "players"
    HALL = "hall"
    EMERGENCY = "need"
    MONEY = "money"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDefinition(Generic[Subject]):
    """One printout: `code` is its name in URL names (`print_<code>`), `file` its file name if that is not the code.

    `fields` are the fields of `PaperForm` that it takes. `roles` can have it; without roles everyone who can see the
    event or belongs to the club. `is_available` depends on the permission to run the event.
    """

    code: str
    file: str = ""
    path: str = ""
    """The path below the club if the printout belongs to another page than the club's *Print*."""
    label: str | Promise
    label_when_over: str | Promise = ""
    """The label after the round is finished, if it differs."""
    make: PaperMaker[Subject]
    fields: tuple[str, ...] = ()
    fields_for_officers: tuple[str, ...] = ()
    roles: frozenset[Role] = frozenset()
    is_available: Callable[[Subject, bool], bool] = lambda _of, _may_run: True
    is_offered: bool = True
    """True if it is offered on the page for choosing printouts."""
    is_relevant: Callable[[Subject], bool] = lambda _of: True
    """True if it is offered for this event because it has content. Its URL always works."""
    is_wall_list: bool = False
    """True if it can be printed on A3."""
    group: PaperGroup = PaperGroup.TABLES
    edition: Callable[[Subject], str] | None = None
    """A text that changes when a printed copy is outdated; None for papers that are not tracked."""

    @property
    def file_name(self) -> str:
        """The file name without `.pdf`."""
        return self.file or self.code.replace("_", "-")

    @property
    def club_path(self) -> str:
        """The path of a club's printout below the club."""
        return self.path or f"members/print/{self.file_name}.pdf"

    @property
    def url_name(self) -> str:
        """The name of the printout's URL."""
        return f"print_{self.code}"


def register_paper(
    papers: list[PaperDefinition[Subject]], code: str, label: str | Promise, **options: Any
) -> Callable[[PaperMaker[Subject]], PaperMaker[Subject]]:
    """Return a decorator that adds the printout made by a function to `papers`.

    `options` are the other fields of `PaperDefinition`.
    """

    def add(make: PaperMaker[Subject]) -> PaperMaker[Subject]:
        papers.append(PaperDefinition(code=code, label=label, make=make, **options))
        return make

    return add


def find_paper_definition(documents: Sequence[PaperDefinition[Subject]], code: str) -> PaperDefinition[Subject]:
    """Return the definition with this code. Raises Http404 if there is none."""
    for document in documents:
        if document.code == code:
            return document
    raise Http404
