"""Views for arbiters: distributing all players' links, and the state of the messages."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.membership.accounts.private_pages import private_page
from clubs.request_types import AuthenticatedRequest
from common.emails.smtp_delivery import is_email_configured
from common.jobs.redirects import enqueue_and_redirect
from common.models import Job
from tournaments.access import get_tournament_for_arbiter
from tournaments.models import Tournament
from tournaments.notifications.link_distribution import (
    count_notifications_by_state,
    email_personal_links,
    latest_failed_notifications,
    links_to_distribute,
)
from tournaments.notifications.web_push import load_push_keys, push_contact_address


@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def link_distribution(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show all links for email, copying, sharing and printing, with the counts of messages. A POST emails the links."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    if request.method == "POST":
        return _sent(request, the_event)
    links = [(each, request.build_absolute_uri(each.path)) for each in links_to_distribute(the_event)]
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "links": links,
        "by_letter": sum(each.can_be_emailed for each, _address in links),
        "without": [each.name for each, _address in links if not each.can_be_emailed],
        "told": count_notifications_by_state(the_event),
        "failures": latest_failed_notifications(the_event),
        "has_mail": is_email_configured(),
        "has_keys": load_push_keys() is not None,
        "has_contact": bool(push_contact_address()),
        "is_secure": request.is_secure(),
    }
    return render(request, "tournaments/notifications/link_distribution.html", context)


def _sent(request: AuthenticatedRequest, event: Tournament) -> HttpResponse:
    then = reverse("link_distribution", args=[event.club.slug, event.slug])
    if not is_email_configured():
        messages.error(request, _("This server can't send emails yet."))
        return redirect(then)
    job = email_personal_links(event, by=request.user, site=request.build_absolute_uri("/"), then=then)
    if job is None:
        messages.warning(request, _("There are no more links to send today."))
        return redirect(then)
    answer = enqueue_and_redirect(request, job)
    job.refresh_from_db()
    if job.state == Job.State.DONE:
        messages.success(request, _("The links are being sent."))
    return answer
