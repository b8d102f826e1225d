"""A player's own page as an answer: the same by his personal link, signed in, and on a device that knows him."""

from __future__ import annotations

from enum import StrEnum

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubs.requests import WebRequest
from pairing.explanations.with_names import explained, names_of
from pairing.pages.player.personal_sheet import personal_sheet
from pairing.pages.player.story import story_of
from pairing.view_models.sheets.due_colours import due_colour
from tournaments.check_in.own_device import Own, keep_offline
from tournaments.check_in.personal_links import handed_out_address, personal_address, personal_token
from tournaments.live_updates.topics import versions_of
from tournaments.models import Entry
from tournaments.problems import ArbiterProblem

SETTLED = "settled"
"""In the page's address: the number of the round whose bye he has just asked for or taken back."""


def small_number(text: str | None) -> int:
    """A small number from a form or an address; 0, which nothing has, for anything else."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else 0


class Back(StrEnum):
    """Which of his addresses a player is at, and comes back to after he has done something."""

    EVENT = ""
    """The personal link of the event."""
    PERSON = "person"
    """The link for life."""
    DEVICE = "me"
    """The event's page for whoever the device belongs to."""

    @classmethod
    def of(cls, request: WebRequest) -> Back:
        """As the form on the page says."""
        told = request.POST.get("back", "")
        return cls(told) if told in set(cls) else cls.EVENT

    def address(self, entry: Entry) -> str:
        """The path of that page."""
        if self is Back.DEVICE:
            return reverse("event_me", args=[entry.tournament.club.slug, entry.tournament.slug])
        return handed_out_address(entry) if self is Back.PERSON else personal_address(entry)


def answer(
    request: WebRequest,
    entry: Entry,
    *,
    back: Back,
    may_act: bool = True,
    others: tuple[Own, ...] = (),
    problem: ArbiterProblem | None = None,
) -> HttpResponse:
    """The page; `others` are the event's further players on this device."""
    tournament = entry.tournament
    request.versions = versions_of([tournament.pk])[tournament.pk]
    if request.htmx.target == "live":
        request.layout = "part.html"
    sheet = personal_sheet(entry, version=request.versions.officers, may_act=may_act)
    context = {
        "entry": entry,
        "tournament": tournament,
        "token": personal_token(entry) if may_act else "",
        "for_life": handed_out_address(entry) if may_act and entry.member is not None else "",
        "back": back,
        "may_act": may_act,
        "others": others,
        "sheet": sheet,
        "why": explained(sheet.latest.reasons, names_of(tournament)) if sheet.latest else (),
        "due": due_colour(sheet.card, tournament),
        "problem": problem,
        "settled": small_number(request.GET.get(SETTLED)),
    }
    response = render(request, "pairing/pages/player/personal.html", context, status=422 if problem else 200)
    if problem is None and not request.htmx:
        keep_offline(request, response)
    return response


def story_answer(request: WebRequest, entry: Entry, *, back: Back, may_act: bool) -> HttpResponse:
    """His event so far; what the club's ratings made of it is for himself."""
    context = {
        "entry": entry,
        "tournament": entry.tournament,
        "token": personal_token(entry) if may_act else "",
        "back_to": back.address(entry),
        "story": story_of(entry, sees_ratings=may_act),
    }
    return render(request, "pairing/pages/player/story.html", context)
