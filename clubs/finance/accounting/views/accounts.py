"""Pages of an account or category: its entries in a year, its name and its opening balance."""

from __future__ import annotations

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.accounting.account_sheets import build_account_sheet
from clubs.finance.accounting.entries import correct_opening_balance
from clubs.finance.accounting.forms import AccountingAccountEditForm, OpeningBalanceForm
from clubs.finance.accounting.reports import years_with_entries
from clubs.models import BookAccount, Club
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, parse_key
from common.problems import OfficerProblem
from common.text.amounts import set_form_currency

MAX_SEARCH_LENGTH = 100


@require_safe
def accounting_account_detail(request: AuthenticatedRequest, club: str, account: int) -> HttpResponse:
    """Show an account's entries in a year with running balances, or a category's with the total.

    `?q=` filters the entries by words.
    """
    the_club = get_club_for_auditor(request.user, club)
    return _page(request, the_club, _account(the_club, account))


@require_POST
def accounting_account_edit(request: AuthenticatedRequest, club: str, account: int) -> HttpResponse:
    """Rename an account or close it."""
    the_club = get_club_for_treasurer(request.user, club)
    the_account = _account(the_club, account)
    form = AccountingAccountEditForm(request.POST, instance=_account(the_club, account))
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounting_account_detail", club, account)
    return _page(request, the_club, the_account, name=form)


@require_POST
def opening_balance_correct(request: AuthenticatedRequest, club: str, account: int) -> HttpResponse:
    """Correct an account's opening balance."""
    the_club = get_club_for_treasurer(request.user, club)
    the_account = get_object_or_404(BookAccount, club=the_club, kind__in=BookAccount.MONEY_KINDS, pk=account)
    form = set_form_currency(OpeningBalanceForm(request.POST), the_club.currency)
    if form.is_valid():
        values = form.cleaned_data
        try:
            correct_opening_balance(the_account, values["balance"], reason=values["reason"], by=request.user)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Opening balance corrected."))
            return redirect("accounting_account_detail", club, account)
    return _page(request, the_club, the_account, opening=form)


def _account(club: Club, account: int) -> BookAccount:
    return get_object_or_404(BookAccount.objects.exclude(kind=BookAccount.Kind.OPENING), club=club, pk=account)


def _page(
    request: AuthenticatedRequest,
    club: Club,
    account: BookAccount,
    *,
    name: BaseForm | None = None,
    opening: BaseForm | None = None,
) -> HttpResponse:
    this_year = timezone.localdate().year
    year = parse_key(request.GET.get("year", "")) or this_year
    is_money = account.kind in BookAccount.MONEY_KINDS
    words = request.GET.get("q", "")[:MAX_SEARCH_LENGTH]
    sheet = build_account_sheet(account, year)
    context = club_page_context(request.user, club, "accounting_overview") | {
        "account": account,
        "sheet": sheet,
        "lines": sheet.search_lines(words),
        "words": words,
        "is_money": is_money,
        "year": year,
        "years": sorted({this_year, *years_with_entries(club)}, reverse=True),
        "name": name or AccountingAccountEditForm(instance=account),
        "opening": (opening or OpeningBalanceForm()) if is_money else None,
    }
    return render(request, "clubs/finance/accounting/account.html", context, status=422 if name or opening else 200)
