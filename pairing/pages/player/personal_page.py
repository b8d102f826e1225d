"""Responses with a player's own page, for personal links, signed-in players and known devices."""

from __future__ import annotations

from enum import StrEnum

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubs.request_types import WebRequest
from pairing.explanations.named_reasons import NO_EXPLANATION, explain_stored, player_names_by_number
from pairing.pages.player.personal_sheet import build_personal_sheet
from pairing.pages.player.player_history import player_history
from pairing.view_models.sheets.due_colours import explain_due_colour
from tournaments.check_in.answers import next_answers
from tournaments.check_in.personal_links import event_link_token, event_link_url, personal_link_url
from tournaments.check_in.remembered_device import OwnedEntry, allow_offline_copy
from tournaments.events.next_evening import evening_of_round
from tournaments.live_updates.topics import event_versions
from tournaments.models import Entry
from tournaments.notifications.preferences import can_notify_players
from tournaments.problems import ArbiterProblem

SETTLED_ROUND_PARAM = "settled"
"""Query parameter: the number of the round whose bye was just requested or withdrawn."""


def parse_small_number(text: str | None) -> int:
    """Parse a small number from a form or URL. Anything else gives 0."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else 0


class ReturnPage(StrEnum):
    """The page that a player is on and returns to after an action."""

    EVENT = ""
    """The personal link of the event."""
    PERSON = "person"
    """The permanent personal link."""
    DEVICE = "me"
    """The event's page on the player's own device."""
    OVERVIEW = "event"
    """The public page of the event."""
    CLUB = "club"
    """The club's page."""
    HOME = "home"
    """The front page."""

    @classmethod
    def from_request(cls, request: WebRequest) -> ReturnPage:
        """Read the page from the submitted form."""
        told = request.POST.get("back", "")
        return cls(told) if told in set(cls) else cls.EVENT

    def page_address(self, entry: Entry) -> str:
        """Return the path of the page for this player."""
        club, event = entry.tournament.club.slug, entry.tournament.slug
        if self is ReturnPage.HOME:
            return reverse("home")
        if self is ReturnPage.CLUB:
            return reverse("club", args=[club])
        if self is ReturnPage.OVERVIEW:
            return reverse("tournament", args=[club, event])
        if self is ReturnPage.DEVICE:
            return reverse("my_event_page", args=[club, event])
        return personal_link_url(entry) if self is ReturnPage.PERSON else event_link_url(entry)


def personal_page_response(
    request: WebRequest,
    entry: Entry,
    *,
    back: ReturnPage,
    may_act: bool = True,
    others: tuple[OwnedEntry, ...] = (),
    problem: ArbiterProblem | None = None,
) -> HttpResponse:
    """Render the page. `others` are the event's other players who own this device."""
    tournament = entry.tournament
    request.versions = event_versions([tournament.pk])[tournament.pk]
    if request.htmx.target == "live":
        request.layout = "fragment_base.html"
    sheet = build_personal_sheet(entry, version=request.versions.officers, may_act=may_act)
    asked = sheet.next_answer.round if sheet.next_answer else sheet.next_round
    if asked is not None:
        asked.tournament = tournament
    context = {
        "entry": entry,
        "tournament": tournament,
        "token": event_link_token(entry) if may_act else "",
        "for_life": personal_link_url(entry) if may_act and entry.member is not None else "",
        "back": back,
        "may_act": may_act,
        "others": others,
        "evening": evening_of_round(asked) if asked is not None and asked.starts_at else None,
        "family": next_answers(each.entry for each in others if each.may_act),
        "can_be_notified": can_notify_players(),
        "sheet": sheet,
        "why": explain_stored(sheet.latest.reasons, player_names_by_number(tournament), you=entry.tpn)
        if sheet.latest
        else NO_EXPLANATION,
        "due": explain_due_colour(sheet.card, tournament),
        "problem": problem,
        "settled": parse_small_number(request.GET.get(SETTLED_ROUND_PARAM)),
    }
    response = render(request, "pairing/pages/player/personal_page.html", context, status=422 if problem else 200)
    if problem is None and not request.htmx:
        allow_offline_copy(request, response)
    return response


def player_history_response(request: WebRequest, entry: Entry, *, back: ReturnPage, may_act: bool) -> HttpResponse:
    """Render the player's event history. Club ratings are shown only to the player."""
    context = {
        "entry": entry,
        "tournament": entry.tournament,
        "token": event_link_token(entry) if may_act else "",
        "back_to": back.page_address(entry),
        "story": player_history(entry, sees_ratings=may_act),
    }
    return render(request, "pairing/pages/player/player_history.html", context)
