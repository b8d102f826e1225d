"""Pages of the treasurer: seasons, what they cost whom, and the ledger as a file."""

from __future__ import annotations

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
from clubs.finance.dues.balances import balances
from clubs.finance.dues.charging import charge_season, charged_beside, lower_for_leavers, proposed_dues, still_to_charge
from clubs.finance.dues.forms import NEW_ROWS, FeeClassFormSet, MoneySettingsForm, SeasonForm
from clubs.finance.dues.ledger import collected_from
from clubs.finance.dues.receipts import ledger_table
from clubs.frame import frame
from clubs.locking import hold
from clubs.models import Club, Season, Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest, key_of, rows_sent, show_as_sent
from common.problems import OfficerProblem
from common.tabular.answers import TABLE_KINDS, table_answer
from common.text.amounts import said_in


@require_safe
def dues(request: OfficerRequest, club: str) -> HttpResponse:
    """The club's money at a glance: seasons, what is owed, what is overdue."""
    the_club = get_club_for_auditor(request.user, club)
    of = balances(the_club, today=timezone.localdate()).values()
    context = frame(request.user, the_club, "dues") | {
        "seasons": the_club.seasons.all(),
        "owed": sum(balance.owed for balance in of if balance.owed > 0),
        "overdue": sum(balance.overdue for balance in of),
        "overdue_count": sum(1 for balance in of if balance.overdue),
        "paid_too_much": -sum(balance.owed for balance in of if balance.owed < 0),
        "waiting_lines": the_club.bank_lines.waiting().count(),
        "collections": sorted(set(collected_from(the_club).values())),
        "latest": the_club.ledger.exclude(method="")
        .select_related("account__member", "corrects")
        .order_by("-booked_on", "-pk")[:15],
    }
    return render(request, "clubs/finance/dues/dues.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def money_settings(request: OfficerRequest, club: str) -> HttpResponse:
    """Currency, bank account, and whom answers to reminders reach."""
    the_club = get_club_for_treasurer(request.user, club)
    form = said_in(MoneySettingsForm(request.POST or None, instance=the_club), the_club.currency)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Currency and account are kept."))
        return redirect("dues", club)
    context = frame(request.user, the_club, "dues") | {"form": form}
    return render(request, "clubs/finance/dues/money_settings.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Make a season with its fee classes."""
    the_club = get_club_for_treasurer(request.user, club)
    return _season_form(request, the_club, Season())


@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: OfficerRequest, club: str, season: int) -> HttpResponse:
    """Change a season; what was charged stays as it was."""
    the_club = get_club_for_treasurer(request.user, club)
    return _season_form(request, the_club, get_object_or_404(Season, club=the_club, pk=season))


@require_safe
def season(request: OfficerRequest, club: str, season: int) -> HttpResponse:
    """Who is charged what in a season, and who was."""
    the_club = get_club_for_auditor(request.user, club)
    the_season = get_object_or_404(Season, club=the_club, pk=season)
    proposed = proposed_dues(the_season)
    new_count, new_sum = still_to_charge(proposed)
    context = frame(request.user, the_club, "dues") | {
        "season": the_season,
        "fee_classes": the_season.fee_classes.all(),
        "proposed": proposed,
        "new_count": new_count,
        "new_sum": new_sum,
        "without_class": [due.member.name for due in proposed if due.fee_class is None and not due.is_charged],
        "charged_beside": charged_beside(the_season) if new_count else None,
        "too_much": [due for due in proposed if due.too_much],
        "too_much_sum": sum(due.too_much for due in proposed),
    }
    return render(request, "clubs/finance/dues/season.html", context)


@require_POST
def season_charge(request: OfficerRequest, club: str, season: int) -> HttpResponse:
    """Charge the season's dues to everyone who was not charged yet."""
    the_club = get_club_for_treasurer(request.user, club)
    the_season = get_object_or_404(Season, club=the_club, pk=season)
    shown = key_of(request.POST.get("count", "")), key_of(request.POST.get("sum", ""))
    try:
        count = charge_season(the_season, by=request.user, shown=shown)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
        return redirect("season", club, season)
    said = ngettext("%(n)s member was charged.", "%(n)s members were charged.", count) % {"n": count}
    messages.success(request, said)
    return redirect("season", club, season)


@require_POST
def season_lower(request: OfficerRequest, club: str, season: int) -> HttpResponse:
    """Take off what those were charged too much who left within the season."""
    the_club = get_club_for_treasurer(request.user, club)
    the_season = get_object_or_404(Season, club=the_club, pk=season)
    try:
        count = lower_for_leavers(the_season, by=request.user, shown=key_of(request.POST.get("sum", "")) or 0)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
        return redirect("season", club, season)
    said = ngettext("Taken off for %(n)s member.", "Taken off for %(n)s members.", count) % {"n": count}
    messages.success(request, said)
    return redirect("season", club, season)


@require_safe
def ledger_export(request: OfficerRequest, club: str, kind: str) -> HttpResponse:
    """The ledger of a year, or all of it, as CSV or XLSX."""
    the_club = get_club_for_auditor(request.user, club)
    if kind not in TABLE_KINDS:
        raise Http404
    year = request.GET.get("year", "")
    chosen = int(year) if year.isdecimal() and len(year) == 4 else None
    headings, rows = ledger_table(the_club, year=chosen)
    record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, ledger=chosen or "all", count=len(rows))
    name = f"{the_club.slug}-ledger-{chosen or 'all'}"
    return table_answer(headings, rows, name, kind, title=_("Ledger"), totals=_("In all"))


def _season_form(request: OfficerRequest, club: Club, the_season: Season) -> HttpResponse:
    is_new = the_season.pk is None
    if "more" in request.POST:
        return _with_more_rows(request, club, the_season)
    values: Any = request.POST or None
    if request.method == "POST":
        # Looked at and saved under one lock: the same form may come from another tab at this instant.
        with transaction.atomic():
            hold(club.pk)
            form, fees = _season_forms(values, club, the_season)
            is_kept = form.is_valid() and fees.is_valid()
            if is_kept:
                fees.instance = form.save()
                fees.save()
        if is_kept:
            messages.success(request, _("The season “%(name)s” is kept.") % {"name": form.instance.name})
            return redirect("season", club.slug, form.instance.pk)
    else:
        form, fees = _season_forms(values, club, the_season)
    context = frame(request.user, club, "dues") | {"form": form, "fees": fees, "is_new": is_new}
    return render(
        request, "clubs/finance/dues/season_form.html", context, status=422 if request.method == "POST" else 200
    )


def _with_more_rows(request: OfficerRequest, club: Club, the_season: Season) -> HttpResponse:
    """The form as it was sent, with room for more classes: nothing is kept yet."""
    form = SeasonForm(instance=the_season, club=club)
    known = the_season.fee_classes.count() if the_season.pk else 0
    rows = max(0, rows_sent(request.POST, "fees") - known) + NEW_ROWS
    fees = FeeClassFormSet(instance=the_season, prefix="fees", new_rows=rows)
    for each in (form, *fees.forms):
        show_as_sent(each, request.POST)
    context = frame(request.user, club, "dues") | {"form": form, "fees": fees, "is_new": the_season.pk is None}
    return render(request, "clubs/finance/dues/season_form.html", context)


def _season_forms(values: Any, club: Club, the_season: Season) -> tuple[SeasonForm, Any]:
    return (
        SeasonForm(values, instance=the_season, club=club),
        FeeClassFormSet(values, instance=the_season, prefix="fees"),
    )
