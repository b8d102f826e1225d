"""Pages for the accounting overview, entries, vouchers, accounts and years."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.forms import BaseForm
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.accounting.account_sheets import build_account_sheet
from clubs.finance.accounting.entries import (
    correct_opening_balance,
    is_opening_balance,
    open_money_account,
    record_accounting_entry,
    reversal_date_of_entry,
    reverse_accounting_entry,
)
from clubs.finance.accounting.forms import (
    AccountingAccountEditForm,
    AccountingEntryForm,
    AccountingEntryReversalForm,
    NewAccountingAccountForm,
    OpeningBalanceForm,
    ReasonForm,
    YearBudgetForm,
    YearPackageForm,
)
from clubs.finance.accounting.reports import build_year_report, journal_table, years_with_entries
from clubs.finance.accounting.vouchers import add_voucher
from clubs.finance.accounting.year_closing import (
    bank_lines_to_review_message,
    close_year,
    closed_years,
    count_bank_lines_to_review,
    reopen_year,
)
from clubs.finance.accounting.year_package import build_year_package
from clubs.models import BookAccount, BookEntry, Club, PersonalDataAccess, User, Voucher
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest, parse_key
from common.file_store.upload_limits import MAX_UPLOAD_BYTES
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from common.tabular.file_responses import TABLE_FORMATS, table_response
from common.text.amounts import set_form_currency

_TYPES = {"pdf": "application/pdf", "png": "image/png", "jpeg": "image/jpeg"}


@require_safe
def accounting_overview(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the money account balances and a year's entries, newest first."""
    the_club = get_club_for_auditor(request.user, club)
    this_year = timezone.localdate().year
    year = parse_key(request.GET.get("year", "")) or this_year
    entries = the_club.book_entries.filter(year=year).select_related(
        "source", "target", "ledger_entry__account__member", "corrects", "corrected_by"
    )
    context = club_page_context(request.user, the_club, "accounting_overview") | {
        "report": build_year_report(the_club, year),
        "year": year,
        "years": sorted({this_year, *years_with_entries(the_club)}, reverse=True),
        "entries": entries.prefetch_related("vouchers").order_by("-on", "-number"),
    }
    return render(request, "clubs/finance/accounting/journal.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def accounting_entry_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Record money in, money out or a transfer, with its voucher."""
    the_club = get_club_for_treasurer(request.user, club)
    form = AccountingEntryForm(request.POST or None, request.FILES or None, club=the_club)
    if request.method == "POST" and form.is_valid():
        try:
            entry = _booked(form, request.user)
        except OfficerConfirmationNeeded as question:
            form.ask_for_confirmation(question.message)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Recorded as entry %(voucher)s.") % {"voucher": entry.voucher_number})
            return redirect(f"{reverse('accounting_overview', args=[club])}?year={entry.year}")
    has_money = the_club.book_accounts.filter(kind__in=BookAccount.MONEY_KINDS, is_closed=False).exists()
    context = club_page_context(request.user, the_club, "accounting_overview") | {"form": form, "has_money": has_money}
    return render(request, "clubs/finance/accounting/entry_form.html", context, status=422 if form.errors else 200)


@require_safe
def accounting_entry_detail(request: AuthenticatedRequest, club: str, booking: int) -> HttpResponse:
    """Show an entry with its vouchers."""
    the_club = get_club_for_auditor(request.user, club)
    entry = _entry(the_club, booking)
    return _entry_page(
        request,
        the_club,
        entry,
        AccountingEntryReversalForm(initial={"on": reversal_date_of_entry(entry)}, entry=entry),
    )


@require_POST
def accounting_entry_reverse(request: AuthenticatedRequest, club: str, booking: int) -> HttpResponse:
    """Reverse an entry."""
    the_club = get_club_for_treasurer(request.user, club)
    entry = _entry(the_club, booking)
    form = AccountingEntryReversalForm(request.POST, entry=entry)
    if form.is_valid():
        try:
            reverse_accounting_entry(entry, by=request.user, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Entry reversed. The entry and its reversal are both kept."))
            return redirect("accounting_entry_detail", club, booking)
    return _entry_page(request, the_club, entry, form)


@require_POST
def voucher_add(request: AuthenticatedRequest, club: str, booking: int) -> HttpResponse:
    """Attach a voucher to an entry."""
    the_club = get_club_for_treasurer(request.user, club)
    entry = _entry(the_club, booking)
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > MAX_UPLOAD_BYTES:
        messages.error(request, _("Choose a file of up to 5 MB."))
    else:
        try:
            add_voucher(entry, file.read(), file.name or "", by=request.user)
        except OfficerProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("Saved."))
    return redirect("accounting_entry_detail", club, booking)


@require_safe
def voucher_download(request: AuthenticatedRequest, club: str, booking: int, voucher: int) -> HttpResponse:
    """Download a voucher. Vouchers are never displayed on a page."""
    the_club = get_club_for_auditor(request.user, club)
    found = get_object_or_404(Voucher, entry__club=the_club, entry=booking, pk=voucher)
    answer = HttpResponse(bytes(found.data), content_type=_TYPES[found.kind])
    answer.headers["Content-Disposition"] = f'attachment; filename="{booking}-{found.pk}.{found.kind}"'
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def accounting_account_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Create a cash account, bank account or category."""
    the_club = get_club_for_treasurer(request.user, club)
    form = set_form_currency(
        NewAccountingAccountForm(request.POST or None, initial={"kind": request.GET.get("kind", "")}), the_club.currency
    )
    if request.method == "POST" and form.is_valid():
        try:
            _opened(the_club, form, request.user)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("accounting_overview", club)
    context = club_page_context(request.user, the_club, "accounting_overview") | {"form": form}
    return render(request, "clubs/finance/accounting/account_form.html", context, status=422 if form.errors else 200)


@transaction.atomic
def _booked(form: AccountingEntryForm, by: User) -> BookEntry:
    values = form.cleaned_data
    file = values["file"]
    source, target = values["money"], values["other"]
    if values["way"] == "in":
        source, target = target, source
    entry = record_accounting_entry(
        source,
        target,
        values["amount"],
        on=values["on"],
        by=by,
        text=values["text"],
        party=values["party"],
        form_key=values["form_key"],
        is_sure=values["is_sure"],
    )
    if file is not None:
        add_voucher(entry, file.read(MAX_UPLOAD_BYTES + 1), file.name, by=by)
    return entry


@transaction.atomic
def _opened(club: Club, form: NewAccountingAccountForm, by: User) -> None:
    values = form.cleaned_data
    if values["kind"] in BookAccount.MONEY_KINDS:
        what = {name: values[name] for name in ("kind", "name", "iban", "on")}
        open_money_account(club, balance=values["balance"] or 0, by=by, **what)
        return
    _account, is_new = BookAccount.objects.get_or_create(club=club, kind=values["kind"], name=values["name"])
    if not is_new:
        raise OfficerProblem(_("An account or category with this name already exists."))


def _entry(club: Club, booking: int) -> BookEntry:
    entries = BookEntry.objects.select_related(
        "source", "target", "corrects", "corrected_by", "entered_by", "ledger_entry__account__member"
    )
    return get_object_or_404(entries, club=club, pk=booking)


def _entry_page(
    request: AuthenticatedRequest, club: Club, entry: BookEntry, form: AccountingEntryReversalForm
) -> HttpResponse:
    context = club_page_context(request.user, club, "accounting_overview") | {
        "entry": entry,
        "form": form,
        "vouchers": entry.vouchers.defer("data"),
        "is_opening": is_opening_balance(entry),
        "can_be_taken_back": not (
            entry.ledger_entry_id or entry.corrects_id or getattr(entry, "corrected_by", None) is not None
        ),
    }
    return render(request, "clubs/finance/accounting/entry.html", context, status=422 if form.errors else 200)


MAX_SEARCH_LENGTH = 100


@require_safe
def accounting_account_detail(request: AuthenticatedRequest, club: str, account: int) -> HttpResponse:
    """Show an account's entries in a year with running balances, or a category's entries with their total.

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


@require_safe
def accounting_year_report(request: AuthenticatedRequest, club: str, year: int) -> HttpResponse:
    """Show a year's report with its budget."""
    the_club = get_club_for_auditor(request.user, club)
    context = club_page_context(request.user, the_club, "accounting_overview") | {
        "report": build_year_report(the_club, _known(year)),
        "is_over": year < timezone.localdate().year,
        "form": ReasonForm(),
        "package": YearPackageForm(),
        "waits": bank_lines_to_review_message(year, waiting)
        if (waiting := count_bank_lines_to_review(the_club, year))
        else "",
    }
    return render(request, "clubs/finance/accounting/annual_report.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def year_budget_edit(request: AuthenticatedRequest, club: str, year: int) -> HttpResponse:
    """Edit a year's budget."""
    the_club = get_club_for_treasurer(request.user, club)
    form = YearBudgetForm(request.POST or None, club=the_club, year=_known(year))
    if request.method == "POST" and year in closed_years(the_club):
        form.add_error(None, _("The year %(year)s is closed, so its budget can't be changed.") % {"year": year})
    elif request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounting_year_report", club, year)
    context = club_page_context(request.user, the_club, "accounting_overview") | {"form": form, "year": year}
    return render(request, "clubs/finance/accounting/budget.html", context, status=422 if form.errors else 200)


@require_POST
def accounting_year_close(request: AuthenticatedRequest, club: str, year: int) -> HttpResponse:
    """Close a year, or reopen it with a reason."""
    the_club = get_club_for_treasurer(request.user, club)
    try:
        if "reason" in request.POST:
            reopen_year(the_club, _known(year), reason=request.POST["reason"][:160], by=request.user)
            messages.success(request, _("Year reopened."))
        else:
            figures = build_year_report(the_club, _known(year)).closing_figures
            close_year(the_club, year, figures=figures, by=request.user, is_sure="is_sure" in request.POST)
            messages.success(request, _("Year closed."))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    return redirect("accounting_year_report", club, year)


@require_safe
def accounting_year_export(request: AuthenticatedRequest, club: str, year: int, kind: str) -> HttpResponse:
    """Export a year's entries as CSV or XLSX."""
    the_club = get_club_for_auditor(request.user, club)
    if kind not in TABLE_FORMATS:
        raise Http404
    headings, rows = journal_table(the_club, _known(year))
    log_data_access(
        the_club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user, books=year, count=len(rows)
    )
    return table_response(headings, rows, f"{the_club.slug}-books-{year}", kind, title=str(year), totals=_("Total"))


@require_safe
def accounting_year_package(request: AuthenticatedRequest, club: str, year: int) -> HttpResponseBase:
    """Export a year for the tax adviser or the auditor: entries, balances and documents."""
    the_club = get_club_for_auditor(request.user, club)
    form = YearPackageForm(request.GET)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect("accounting_year_report", club, _known(year))
    values = form.cleaned_data
    numbers = (values["consultant"], values["client"]) if values["consultant"] else None
    try:
        package = build_year_package(the_club, _known(year), datev_numbers=numbers)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
        return redirect("accounting_year_report", club, year)
    log_data_access(the_club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user, books=year)
    filename = f"{the_club.slug}-books-{year}.zip"
    headers = {"Cache-Control": "no-store"}
    return FileResponse(package, as_attachment=True, filename=filename, content_type="application/zip", headers=headers)


def _known(year: int) -> int:
    if not 1990 <= year <= 2200:
        raise Http404
    return year
