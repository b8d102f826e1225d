"""Views for importing a statement from a file or pasted lines, and for choosing a bank's columns once."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access import get_club_for_treasurer
from clubs.finance.bank.forms import StatementColumnsForm, StatementUploadForm
from clubs.finance.bank.reconciliation import reconcile_balances
from clubs.finance.bank.statement_ownership import adapt_statement_to_club
from clubs.finance.bank.statement_reader import read_camt_or_mt940, read_pasted_statement, reject_invalid_lines
from clubs.finance.bank.statement_tables import (
    detect_columns,
    has_required_columns,
    known_heading_fingerprints,
    parse_statement_table,
    possible_heading_lines,
    read_bank_table,
    save_column_layout,
)
from clubs.finance.bank.statements import ParsedStatement, save_statement
from clubs.models import BankCsvLayout, BookAccount, Club
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, parse_key
from common.file_store.uploads import UploadGone, delete_upload, load_upload, store_upload
from common.problems import OfficerProblem
from common.text.amounts import format_money
from common.text.ibans import normalise_account_number

MAX_ROWS_SHOWN = 5


@require_http_methods(["GET", "HEAD", "POST"])
def bank_statement_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import a statement; if a table's columns are not known yet, ask for them first."""
    the_club = get_club_for_treasurer(request.user, club)
    if "token" in request.POST:
        return _columns_said(request, the_club)
    form = StatementUploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            if file is None:
                statement = read_pasted_statement(form.cleaned_data["text"], today=timezone.localdate())
                return _kept(request, the_club, adapt_statement_to_club(the_club, statement))
            return _file_given(request, the_club, file.read(), file.name, ask=form.cleaned_data["ask_again"])
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
    context = club_page_context(request.user, the_club, "bank_lines_review") | {"form": form}
    return render(request, "clubs/finance/bank/bank_import.html", context, status=422 if form.errors else 200)


def _file_given(request: AuthenticatedRequest, club: Club, data: bytes, filename: str, *, ask: bool) -> HttpResponse:
    statement = read_camt_or_mt940(data, today=timezone.localdate())
    if statement is not None:
        return _kept(request, club, adapt_statement_to_club(club, statement))
    table = read_bank_table(data, known=known_heading_fingerprints(club))
    columns = detect_columns(club, table)
    accounts = _accounts(club)
    is_known = has_required_columns(columns) and BankCsvLayout.objects.filter(club=club, columns=columns).exists()
    if len(accounts) < 2 and is_known and not ask:
        statement = reject_invalid_lines(parse_statement_table(table, columns), today=timezone.localdate())
        return _kept(request, club, adapt_statement_to_club(club, statement))
    token = store_upload(data, filename, by=request.user, place=_place(club))
    # Many banks write the account above their table; tables of two accounts at one bank have the same headings.
    text = normalise_account_number(data.decode("latin-1"))
    initial = {name: str(place) for name, place in columns.items()}
    initial["whose"] = next(
        (account.iban for account in accounts if normalise_account_number(account.iban) in text), ""
    )
    form = StatementColumnsForm(table=table, above=possible_heading_lines(data), accounts=accounts, initial=initial)
    return _columns_page(request, club, form, token)


def _columns_said(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    token = request.POST["token"]
    try:
        data, _filename = load_upload(token, by=request.user, place=_place(club))
    except UploadGone:
        messages.error(request, _("The file is no longer available. Choose it again."))
        return redirect("bank_statement_import", club.slug)
    said = parse_key(request.POST.get("headings_in", ""))
    table = read_bank_table(data, known=known_heading_fingerprints(club), headings_in=said)
    accounts, above = _accounts(club), possible_heading_lines(data)
    if "other_line" in request.POST:
        initial = {name: str(place) for name, place in detect_columns(club, table).items()}
        form = StatementColumnsForm(table=table, above=above, accounts=accounts, initial=initial)
        return _columns_page(request, club, form, token)
    form = StatementColumnsForm(request.POST, table=table, above=above, accounts=accounts)
    if not form.is_valid() or "look" in request.POST:
        return _columns_page(request, club, form, token)
    statement = reject_invalid_lines(
        parse_statement_table(table, form.cleaned_data, own_account=form.own_account), today=timezone.localdate()
    )
    if not statement.lines:
        form.add_error(None, _("We found no transactions in these columns. Check your choices."))
        return _columns_page(request, club, form, token)
    try:
        statement = adapt_statement_to_club(club, statement)
    except OfficerProblem as problem:
        form.add_error(None, problem.message)
        return _columns_page(request, club, form, token)
    save_column_layout(club, table, form.cleaned_data)
    if "text" not in form.cleaned_data:
        messages.warning(request, _("Without a text column, we can't find payment references."))
    delete_upload(token, by=request.user, place=_place(club))
    return _kept(request, club, statement)


def _columns_page(request: AuthenticatedRequest, club: Club, form: StatementColumnsForm, token: str) -> HttpResponse:
    """Show the first rows as in the file, and as read with the columns chosen or guessed."""
    first = replace(form.table, lines=form.table.lines[: 1 + MAX_ROWS_SHOWN])
    columns = form.cleaned_data if form.is_bound else form.guessed_columns
    context = club_page_context(request.user, club, "bank_lines_review") | {
        "form": form,
        "token": token,
        "headings": first.headings,
        "rows": first.rows,
        "reading": parse_statement_table(first, columns) if has_required_columns(columns) and not form.errors else None,
    }
    return render(request, "clubs/finance/bank/bank_columns.html", context, status=422 if form.errors else 200)


def _kept(request: AuthenticatedRequest, club: Club, statement: ParsedStatement) -> HttpResponse:
    """Save the readable lines that are the club's (`adapt_statement_to_club`), and show the problems."""
    kept = save_statement(club, statement, by=request.user)
    said = _("New transactions: %(new)s. Already imported: %(known)s.") % {
        "new": kept.new_count,
        "known": kept.known_count,
    }
    (messages.success if kept.new_count else messages.warning)(request, said)
    _tell_balances(request, club, statement)
    if statement.problems:
        context = club_page_context(request.user, club, "bank_lines_review") | {"problems": statement.problems}
        return render(request, "clubs/finance/bank/bank_problems.html", context)
    return redirect("bank_lines_review", club.slug)


def _tell_balances(request: AuthenticatedRequest, club: Club, statement: ParsedStatement) -> None:
    for each in reconcile_balances(club, statement.balances):
        said = {
            "account": each.account.name,
            "day": date_format(each.bank_balance.on, "SHORT_DATE_FORMAT"),
            "bank": format_money(each.bank_balance.amount, club.currency),
            "books": format_money(each.book_balance, club.currency),
            "difference": format_money(each.difference, club.currency),
        }
        if each.difference:
            text = (
                _("%(account)s, %(day)s: bank balance %(bank)s, our balance with transactions to review %(books)s.")
                % said
            )
            messages.warning(request, f"{text} {_('Difference')}: {said['difference']}")
        else:
            text = _(
                "%(account)s, %(day)s: the bank balance of %(bank)s matches ours, including transactions to review."
            )
            messages.success(request, text % said)


def _accounts(club: Club) -> list[BookAccount]:
    """Return the club's open bank accounts with an IBAN."""
    return list(club.book_accounts.filter(kind=BookAccount.Kind.BANK, is_closed=False).exclude(iban=""))


def _place(club: Club) -> str:
    return f"bank {club.pk}"
