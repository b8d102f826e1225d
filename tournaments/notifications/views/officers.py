"""For those who run an event: every player's link handed out at once, and what became of the messages."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.requests import OfficerRequest
from common.jobs.waiting import soon
from common.models import Job
from tournaments.access import get_tournament_for_arbiter
from tournaments.check_in.private_pages import kept_private
from tournaments.models import Tournament
from tournaments.notifications.handing_out import failures_in, links_of, send_links, told_in
from tournaments.notifications.pushing import contact, push_keys
from tournaments.notifications.wishes import mail_is_sent


@require_http_methods(["GET", "HEAD", "POST"])
@kept_private
def links_for_all(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """By letter, as a list to copy, by share sheet, on paper; and what was told whom."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    if request.method == "POST":
        return _sent(request, the_event)
    links = [(each, request.build_absolute_uri(each.path)) for each in links_of(the_event)]
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "links": links,
        "by_letter": sum(each.by_letter for each, _address in links),
        "without": [each.name for each, _address in links if not each.by_letter],
        "told": told_in(the_event),
        "failures": failures_in(the_event),
        "has_mail": mail_is_sent(),
        "has_keys": push_keys() is not None,
        "has_contact": bool(contact()),
        "is_secure": request.is_secure(),
    }
    return render(request, "tournaments/notifications/links_for_all.html", context)


def _sent(request: OfficerRequest, event: Tournament) -> HttpResponse:
    then = reverse("links_for_all", args=[event.club.slug, event.slug])
    if not mail_is_sent():
        messages.error(request, _("This server sends no letters yet."))
        return redirect(then)
    job = send_links(event, by=request.user, site=request.build_absolute_uri("/"), then=then)
    if job is None:
        messages.warning(request, _("Nobody is left to be sent his link today."))
        return redirect(then)
    answer = soon(request, job)
    job.refresh_from_db()
    if job.state == Job.State.DONE:
        messages.success(request, _("The links are on their way."))
    return answer
