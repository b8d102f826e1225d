"""Pages for seasons and their fees, and the ledger export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.dues.balances import member_balances
from clubs.finance.dues.forms import NEW_FEE_CLASS_ROWS, DuesSeasonForm, DuesSettingsForm, FeeClassFormSet
from clubs.finance.dues.ledger import pending_collection_dates
from clubs.finance.dues.receipts import ledger_table
from clubs.finance.dues.season_charges import (
    charge_season,
    count_and_total_uncharged,
    overlapping_charged_seasons,
    propose_season_charges,
    reduce_charges_of_leavers,
)
from clubs.models import Club, DuesSeason, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest, parse_key, show_submitted_values, submitted_row_count
from common.locking import lock_row
from common.problems import OfficerProblem
from common.tabular.file_responses import TABLE_FORMATS, table_response
from common.text.amounts import set_form_currency


@require_safe
def dues_overview(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show seasons, amounts owed and overdue amounts."""
    the_club = get_club_for_auditor(request.user, club)
    of = member_balances(the_club, today=timezone.localdate()).values()
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "seasons": the_club.seasons.all(),
        "owed": sum(balance.amount_owed for balance in of if balance.amount_owed > 0),
        "overdue": sum(balance.overdue for balance in of),
        "overdue_count": sum(1 for balance in of if balance.overdue),
        "paid_too_much": -sum(balance.amount_owed for balance in of if balance.amount_owed < 0),
        "waiting_lines": the_club.bank_lines.needing_review().count(),
        "collections": sorted(set(pending_collection_dates(the_club).values())),
        "latest": the_club.ledger.exclude(method="")
        .select_related("account__member", "corrected_by")
        .order_by("-booked_on", "-pk")[:15],
    }
    return render(request, "clubs/finance/dues/dues.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def dues_settings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Edit the currency, bank account, creditor ID, reply address and guest settings."""
    the_club = get_club_for_treasurer(request.user, club)
    form = set_form_currency(DuesSettingsForm(request.POST or None, instance=the_club), the_club.currency)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Payment settings saved."))
        return redirect("dues_overview", club)
    context = club_page_context(request.user, the_club, "dues_overview") | {"form": form}
    return render(request, "clubs/finance/dues/money_settings.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def dues_season_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Create a season with its fee classes."""
    the_club = get_club_for_treasurer(request.user, club)
    return _season_form(request, the_club, DuesSeason())


@require_http_methods(["GET", "HEAD", "POST"])
def dues_season_edit(request: AuthenticatedRequest, club: str, season: int) -> HttpResponse:
    """Edit a season. Dues already charged stay unchanged."""
    the_club = get_club_for_treasurer(request.user, club)
    return _season_form(request, the_club, get_object_or_404(DuesSeason, club=the_club, pk=season))


@require_safe
def dues_season_detail(request: AuthenticatedRequest, club: str, season: int) -> HttpResponse:
    """Show what members are or will be charged for a season."""
    the_club = get_club_for_auditor(request.user, club)
    the_season = get_object_or_404(DuesSeason, club=the_club, pk=season)
    proposed = propose_season_charges(the_season)
    new_count, new_sum = count_and_total_uncharged(proposed)
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "season": the_season,
        "fee_classes": the_season.fee_classes.all(),
        "proposed": proposed,
        "new_count": new_count,
        "new_sum": new_sum,
        "without_class": [due.member.name for due in proposed if due.fee_class is None and not due.is_charged],
        "charged_beside": overlapping_charged_seasons(the_season) if new_count else None,
        "too_much": [due for due in proposed if due.overcharged_amount],
        "too_much_sum": sum(due.overcharged_amount for due in proposed),
    }
    return render(request, "clubs/finance/dues/season.html", context)


@require_POST
def dues_season_charge(request: AuthenticatedRequest, club: str, season: int) -> HttpResponse:
    """Charge the season's dues to everyone not charged yet."""
    the_club = get_club_for_treasurer(request.user, club)
    the_season = get_object_or_404(DuesSeason, club=the_club, pk=season)
    shown = parse_key(request.POST.get("count", "")), parse_key(request.POST.get("sum", ""))
    try:
        count = charge_season(the_season, by=request.user, shown=shown)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
        return redirect("dues_season_detail", club, season)
    said = ngettext("%(n)s member was charged.", "%(n)s members were charged.", count) % {"n": count}
    messages.success(request, said)
    return redirect("dues_season_detail", club, season)


@require_POST
def dues_season_reduce(request: AuthenticatedRequest, club: str, season: int) -> HttpResponse:
    """Reduce the dues of members who left during the season."""
    the_club = get_club_for_treasurer(request.user, club)
    the_season = get_object_or_404(DuesSeason, club=the_club, pk=season)
    try:
        count = reduce_charges_of_leavers(
            the_season, by=request.user, shown=parse_key(request.POST.get("sum", "")) or 0
        )
    except OfficerProblem as problem:
        messages.error(request, problem.message)
        return redirect("dues_season_detail", club, season)
    said = ngettext("Charges reduced for %(n)s member.", "Charges reduced for %(n)s members.", count) % {"n": count}
    messages.success(request, said)
    return redirect("dues_season_detail", club, season)


@require_safe
def ledger_export(request: AuthenticatedRequest, club: str, kind: str) -> HttpResponse:
    """Export the ledger of a year, or all of it, as CSV or XLSX."""
    the_club = get_club_for_auditor(request.user, club)
    if kind not in TABLE_FORMATS:
        raise Http404
    year = request.GET.get("year", "")
    chosen = int(year) if year.isdecimal() and len(year) == 4 else None
    headings, rows = ledger_table(the_club, year=chosen)
    log_data_access(
        the_club,
        PersonalDataAccess.DataAccessKind.LIST_EXPORT,
        by=request.user,
        ledger=chosen or "all",
        count=len(rows),
    )
    name = f"{the_club.slug}-ledger-{chosen or 'all'}"
    return table_response(headings, rows, name, kind, title=_("Ledger"), totals=_("Total"))


def _season_form(request: AuthenticatedRequest, club: Club, the_season: DuesSeason) -> HttpResponse:
    is_new = the_season.pk is None
    if "more" in request.POST:
        return _with_more_rows(request, club, the_season)
    values: Any = request.POST or None
    if request.method == "POST":
        # Validated and saved under one lock, because another tab may submit the same form now.
        with transaction.atomic():
            lock_row(Club, club.pk)
            form, fees = _season_forms(values, club, the_season)
            is_kept = form.is_valid() and fees.is_valid()
            if is_kept:
                fees.instance = form.save()
                fees.save()
        if is_kept:
            messages.success(request, _("Season “%(name)s” saved.") % {"name": form.instance.name})
            return redirect("dues_season_detail", club.slug, form.instance.pk)
    else:
        form, fees = _season_forms(values, club, the_season, preset=_fees_of_last_season(club) if is_new else ())
    context = club_page_context(request.user, club, "dues_overview") | {"form": form, "fees": fees, "is_new": is_new}
    return render(
        request, "clubs/finance/dues/season_form.html", context, status=422 if request.method == "POST" else 200
    )


def _with_more_rows(request: AuthenticatedRequest, club: Club, the_season: DuesSeason) -> HttpResponse:
    """Show the submitted form with rows for more fee classes. Nothing is saved yet."""
    form = DuesSeasonForm(instance=the_season, club=club)
    known = the_season.fee_classes.count() if the_season.pk else 0
    rows = max(0, submitted_row_count(request.POST, "fees") - known) + NEW_FEE_CLASS_ROWS
    fees = FeeClassFormSet(instance=the_season, prefix="fees", new_rows=rows)
    for each in (form, *fees.forms):
        show_submitted_values(each, request.POST)
    context = club_page_context(request.user, club, "dues_overview") | {
        "form": form,
        "fees": fees,
        "is_new": the_season.pk is None,
    }
    return render(request, "clubs/finance/dues/season_form.html", context)


def _season_forms(
    values: Any, club: Club, the_season: DuesSeason, *, preset: Sequence[dict[str, Any]] = ()
) -> tuple[DuesSeasonForm, Any]:
    new_rows = len(preset) or NEW_FEE_CLASS_ROWS
    return (
        DuesSeasonForm(values, instance=the_season, club=club),
        FeeClassFormSet(values, instance=the_season, prefix="fees", initial=preset, new_rows=new_rows),
    )


def _fees_of_last_season(club: Club) -> list[dict[str, Any]]:
    """Return the fee classes of the latest season, for the form of a new one."""
    last = club.seasons.order_by("-starts_on").first()
    fields = ("name", "amount", "status", "family", "from_age", "to_age")
    return list(last.fee_classes.values(*fields)) if last else []
