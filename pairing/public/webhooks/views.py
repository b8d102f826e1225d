"""The pages of a club's webhooks: the list, and one with its secret and latest messages."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access import get_club_for_secretary
from clubs.membership.accounts.request_limits import count_request
from clubs.models import Club
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest
from common.jobs.queue import wait_for_job
from common.locking import lock_row
from common.problems import OfficerProblem
from pairing.models import Webhook, WebhookDelivery
from pairing.public.webhooks.access import get_webhook_for_secretary
from pairing.public.webhooks.forms import WebhookForm
from pairing.public.webhooks.queue import MAX_WAITING, TEST, enqueue_delivery, full_webhooks, new_message
from pairing.public.webhooks.signatures import new_salt, secret_of_webhook

MAX_WEBHOOKS = 10
"""Of a club."""
MAX_TESTS_PER_MINUTE = 6
"""Of a club."""
DELIVERIES_SHOWN = 50
SECONDS_TO_WAIT = 1.0
"""For the answer to a test."""


@require_http_methods(["GET", "HEAD", "POST"])
def webhook_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """List the club's webhooks, and add one."""
    the_club = get_club_for_secretary(request.user, club)
    form = WebhookForm(request.POST or None, club=the_club)
    if request.method == "POST" and form.is_valid():
        try:
            added = _add(the_club, form, request)
        except OfficerProblem as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _("Webhook added. Send a test to see if it works."))
            return redirect("webhook_detail", club, added.pk)
    context = club_page_context(request.user, the_club, "settings") | {
        "form": form,
        "webhooks": [(each, each.deliveries.first()) for each in the_club.webhooks.all()],
        "example": json.dumps(_example(the_club), indent=2, ensure_ascii=False),
    }
    return render(request, "pairing/public/webhooks/webhook_list.html", context, status=422 if form.errors else 200)


def _example(club: Club) -> dict[str, object]:
    """Return a message with everything that one about a round has."""
    url = "https://clubnight.example.org" + reverse("api_round", args=[club.slug, "autumn-swiss", 4])
    data = {"club": club.slug, "event": "autumn-swiss", "sequence": 118, "round": 4, "version": 1, "url": url}
    return {"type": "round.published", "timestamp": timezone.now().replace(microsecond=0).isoformat(), "data": data}


@transaction.atomic
def _add(club: Club, form: WebhookForm, request: AuthenticatedRequest) -> Webhook:
    """Add a webhook. A form sent twice at the same moment adds one. Raises OfficerProblem if the club has too many."""
    lock_row(Club, club.pk)
    if club.webhooks.count() >= MAX_WEBHOOKS:
        raise OfficerProblem(_("A club can have %(most)s webhooks. Delete one first.") % {"most": MAX_WEBHOOKS})
    new = {
        "topics": form.cleaned_data["topics"],
        "salt": new_salt(),
        "site": request.build_absolute_uri("/"),
        "created_by": request.user,
        "email_due": Webhook.EmailKind.CREATED,
    }
    return Webhook.objects.get_or_create(club=club, url=form.cleaned_data["url"], defaults=new)[0]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_detail(request: AuthenticatedRequest, club: str, webhook: int) -> HttpResponse:
    """Show a webhook with its secret and latest messages, and change its address and topics."""
    the_webhook = get_webhook_for_secretary(request.user, club, webhook)
    form = WebhookForm(request.POST or None, club=the_webhook.club, webhook=the_webhook)
    if request.method == "POST" and form.is_valid():
        try:
            is_moved = _change(the_webhook, form, request)
        except IntegrityError:
            the_webhook.refresh_from_db()
            form.add_error("url", _("You already have a webhook with this address."))
        else:
            said = _("Saved. The new address has a new secret and won't get earlier messages.")
            messages.success(request, said if is_moved else _("Saved."))
            return redirect("webhook_detail", club, webhook)
    club_roles = the_webhook.club.memberships
    context = club_page_context(request.user, the_webhook.club, "settings") | {
        "form": form,
        "webhook": the_webhook,
        "secret": secret_of_webhook(the_webhook),
        "deliveries": the_webhook.deliveries.all()[:DELIVERIES_SHOWN],
        "redirect_statuses": range(300, 400),
        "is_creator_officer": club_roles.filter(user=the_webhook.created_by_id).exists(),
        "most_waiting": MAX_WAITING if full_webhooks([the_webhook]) else None,
    }
    return render(request, "pairing/public/webhooks/webhook_detail.html", context, status=422 if form.errors else 200)


@transaction.atomic
def _change(webhook: Webhook, form: WebhookForm, request: AuthenticatedRequest) -> bool:
    """Change a webhook's address and topics. Return True if it moved to another server.

    Officers are told about each new address. One on another server is like a new webhook: it gets a new secret, and no
    messages that were meant for the earlier one. Raises IntegrityError if the club has just added a webhook with the
    new address.
    """
    url = form.cleaned_data["url"]
    is_changed = url != webhook.url
    is_moved = urlsplit(url).netloc != urlsplit(webhook.url).netloc
    if is_changed:
        webhook.created_by = request.user
        webhook.set_email_due(Webhook.EmailKind.CREATED)
    if is_moved:
        webhook.salt = new_salt()
        waiting = webhook.deliveries.filter(state=WebhookDelivery.State.WAITING)
        waiting.update(state=WebhookDelivery.State.FAILED)
    webhook.url, webhook.topics, webhook.site = url, form.cleaned_data["topics"], request.build_absolute_uri("/")
    emails = ["email_due", "email_due_at", "email_attempts"] * is_changed
    webhook.save(update_fields=["url", "topics", "site", "salt", "created_by", *emails])
    return is_moved


@require_POST
def webhook_test(request: AuthenticatedRequest, club: str, webhook: int) -> HttpResponse:
    """Send a test message, and wait a moment for its answer."""
    the_webhook = get_webhook_for_secretary(request.user, club, webhook)
    if not the_webhook.is_active:
        messages.error(request, _("Start the webhook first."))
        return redirect("webhook_detail", club, webhook)
    if count_request("webhook-test", str(the_webhook.club_id)) > MAX_TESTS_PER_MINUTE:
        messages.error(request, _("Wait a minute before you send another test."))
        return redirect("webhook_detail", club, webhook)
    sent = new_message(the_webhook, TEST, at=timezone.now(), data={"club": club})
    sent.save()
    wait_for_job(enqueue_delivery(), SECONDS_TO_WAIT)
    sent.refresh_from_db()
    if sent.state == WebhookDelivery.State.DELIVERED:
        messages.success(request, _("The test was delivered."))
    elif sent.tried_at is not None:
        messages.error(request, _("The test wasn't delivered. See the answer below."))
    else:
        messages.info(request, _("The test is on its way. Reload this page to see the answer."))
    return redirect("webhook_detail", club, webhook)


@require_POST
def webhook_pause(request: AuthenticatedRequest, club: str, webhook: int) -> HttpResponse:
    """Pause a webhook, or start one that is paused or was stopped."""
    the_webhook = get_webhook_for_secretary(request.user, club, webhook)
    the_webhook.is_paused = request.POST.get("do") == "pause"
    the_webhook.failing_since = the_webhook.stopped_at = None
    changed = ["is_paused", "failing_since", "stopped_at"]
    if the_webhook.email_due == Webhook.EmailKind.STOPPED:
        the_webhook.email_due = ""
        changed.append("email_due")
    the_webhook.save(update_fields=changed)
    if the_webhook.is_paused:
        messages.success(request, _("Webhook paused. Nothing is sent until you start it."))
    else:
        messages.success(request, _("Webhook started."))
    return redirect("webhook_detail", club, webhook)


@require_POST
def webhook_secret_renew(request: AuthenticatedRequest, club: str, webhook: int) -> HttpResponse:
    """Make a new secret. The old one no longer works at once."""
    the_webhook = get_webhook_for_secretary(request.user, club, webhook)
    the_webhook.salt = new_salt()
    the_webhook.save(update_fields=["salt"])
    messages.success(request, _("New secret created. The old one no longer works."))
    return redirect("webhook_detail", club, webhook)


@require_POST
def webhook_delete(request: AuthenticatedRequest, club: str, webhook: int) -> HttpResponse:
    """Delete a webhook with its messages."""
    the_webhook = get_webhook_for_secretary(request.user, club, webhook)
    the_webhook.delete()
    messages.success(request, _("Webhook deleted."))
    return redirect("webhook_list", club)
