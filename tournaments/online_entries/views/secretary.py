"""The secretary's page of online entries, decisions on them, the settings of the form, and the CSV export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import PersonalDataAccess
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.emails.smtp_delivery import is_email_configured
from common.tabular.file_responses import table_response
from common.text.amounts import cents_to_decimal
from tournaments.access import get_tournament_for_secretary, lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import OnlineEntry, Tournament
from tournaments.online_entries.fees import find_paid_payments, mark_as_paid
from tournaments.online_entries.forms import EntryFeeFormSet, OnlineEntrySettingsForm
from tournaments.online_entries.places import (
    CLOSED_STATES,
    OPEN_STATES,
    approve_online_entry,
    confirm_member,
    count_free_places,
    entry_form_of,
    is_form_open,
    is_withdrawn,
    move_to_front,
    offer_free_places,
    refuse_online_entry,
    withdraw_online_entry,
)
from tournaments.online_entries.processing import request_processing
from tournaments.online_entries.submission import other_listed_birth_years
from tournaments.problems import ArbiterProblem

_State = OnlineEntry.State


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineEntryRow:
    """An online entry on the secretary's page, and what its row shows besides the entry's own data."""

    online: OnlineEntry
    is_paid: bool
    is_gone: bool
    may_be_member: bool
    """A member has the same name, but it isn't certain that the entry is theirs."""
    other_birth_year: int | None
    """The birth year in the club's rating list, if the player gave a different one."""


@require_safe
def online_entries_review(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show the online entries: awaiting a decision, entered, on the waiting list, and closed."""
    the_event = get_tournament_for_secretary(request.user, club, event)
    settings = entry_form_of(the_event)
    everyone = _confirmed(the_event)
    paid = find_paid_payments(everyone)
    other_years = other_listed_birth_years(the_event, everyone)
    rows = [
        OnlineEntryRow(
            online=each,
            is_paid=each.payment_id in paid,
            is_gone=is_withdrawn(each),
            may_be_member=each.member is not None and not each.is_member_certain,
            other_birth_year=other_years.get(each.pk),
        )
        for each in everyone
    ]
    sections = [
        (title, [row for row in rows if row.online.state in states])
        for title, states in (
            (_("Waiting for approval"), [_State.APPROVAL]),
            (_("Place offered"), [_State.OFFERED]),
            (_("Entered"), [_State.ENTERED]),
            (_("Waiting list"), [_State.WAITING]),
            (_("Withdrawn or not accepted"), CLOSED_STATES),
        )
    ]
    context = _page_context(the_event) | {
        "settings": settings,
        "is_open": is_form_open(settings),
        "free": count_free_places(settings),
        "sections": [section for section in sections if section[1]],
        "open_states": OPEN_STATES,
        "unconfirmed": the_event.online_entries.filter(state=_State.UNCONFIRMED).count(),
        "address": request.build_absolute_uri(reverse("online_entry_form", args=[club, event])),
        "has_mail": is_email_configured(),
    }
    return render(request, "tournaments/online_entries/online_entries_review.html", context)


@require_POST
def online_entry_decide(request: AuthenticatedRequest, club: str, event: str, online_entry: int) -> HttpResponse:
    """Approve, decline, withdraw or move up an entry, link it to a member, or mark it as paid."""
    the_event = get_tournament_for_secretary(request.user, club, event)
    online = get_object_or_404(OnlineEntry, tournament=the_event, pk=online_entry)
    online.tournament = the_event
    decision = request.POST.get("do", "")
    decisions: dict[str, Callable[..., OnlineEntry]] = {
        "approve": approve_online_entry,
        "refuse": partial(refuse_online_entry, reason=" ".join(request.POST.get("reason", "").split())[:200]),
        "withdraw": withdraw_online_entry,
        "front": move_to_front,
        "member": confirm_member,
    }
    try:
        if decision in decisions:
            decisions[decision](online, by=request.user)
        elif decision in ("paid", "unpaid"):
            mark_as_paid(online, decision == "paid", by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        request_processing()
        messages.success(request, _("Saved."))
    return redirect("online_entries_review", club, event)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_form_edit(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Change the settings and fees of the entry form. With more places, the waiting list moves up.

    After an import, saving the settings lets it move up again.
    """
    the_event = get_tournament_for_secretary(request.user, club, event)
    settings = entry_form_of(the_event)
    form = OnlineEntrySettingsForm(request.POST or None, instance=settings)
    fees = EntryFeeFormSet(request.POST or None, instance=settings, currency=the_event.club.currency)
    if request.method == "POST" and form.is_valid() and fees.is_valid():
        with transaction.atomic():
            current = lock_tournament(the_event.pk)
            settings.is_waiting_list_paused = False
            fees.instance = form.save()
            fees.save()
            record_action(current, EventAction.ENTRY_FORM_CHANGED, by=request.user)
            offer_free_places(current)
        messages.success(request, _("Online entry saved."))
        return redirect("online_entries_review", club, event)
    is_wrong = bool(form.errors) or not (request.method != "POST" or fees.is_valid())
    context = _page_context(the_event) | {"form": form, "fees": fees, "has_mail": is_email_configured()}
    return render(request, "tournaments/online_entries/entry_form_edit.html", context, status=422 if is_wrong else 200)


@require_safe
def online_entries_export(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Return the online entries as a CSV table, and log that the list was exported."""
    the_event = get_tournament_for_secretary(request.user, club, event)
    everyone = _confirmed(the_event)
    paid = find_paid_payments(everyone)
    questions = list(dict.fromkeys(question for each in everyone for question, _answer in each.answers))
    fields = ("name", "rating", "title", "birth_year", "federation", "fide_id", "national_id", "club_name", "email")
    headings = [
        _("state"),
        *(str(OnlineEntry._meta.get_field(name).verbose_name) for name in fields),  # type: ignore[union-attr]
        _("guardian"),
        _("guardian's email"),
        _("entry fee"),
        _("paid"),
        _("date of entry"),
        *questions,
    ]
    rows = [
        [
            each.get_state_display(),
            *(getattr(each, name) or "" for name in fields),
            each.guardian_name,
            each.guardian_email,
            cents_to_decimal(each.fee),
            (_("yes") if each.payment_id in paid else _("no")) if each.payment_id else "",
            timezone.localdate(each.sent_at),
            *(dict(map(tuple, each.answers)).get(question, "") for question in questions),
        ]
        for each in everyone
    ]
    log_data_access(the_event.club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user)
    return table_response(headings, rows, f"{the_event.slug}-entries", "csv", title=the_event.name, totals=_("Total"))


def _confirmed(tournament: Tournament) -> list[OnlineEntry]:
    rows = tournament.online_entries.exclude(state=_State.UNCONFIRMED)
    return list(rows.select_related("entry", "member", "payment"))


def _page_context(tournament: Tournament) -> dict[str, object]:
    return {"tournament": tournament, "may_run": True, "here": "overview"}
