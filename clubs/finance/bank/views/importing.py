"""Bringing a statement in: a file or pasted lines, and a bank's columns said once."""

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
from clubs.finance.bank.agreeing import agreements
from clubs.finance.bank.belonging import of_the_club
from clubs.finance.bank.forms import ColumnsForm, StatementForm
from clubs.finance.bank.reading import checked, read_messages, read_pasted
from clubs.finance.bank.statements import Statement, keep_statement
from clubs.finance.bank.tables import (
    are_enough,
    columns_for,
    first_lines,
    known_tables,
    lines_of,
    read_bank_table,
    remember,
)
from clubs.frame import frame
from clubs.models import BankTable, BookAccount, Club
from clubs.requests import OfficerRequest, key_of
from common.file_store.uploads import UploadGone, forget_upload, keep_upload, kept_upload
from common.problems import OfficerProblem
from common.text.amounts import money
from common.text.ibans import squeezed

ROWS_SHOWN = 5


@require_http_methods(["GET", "HEAD", "POST"])
def bank_import(request: OfficerRequest, club: str) -> HttpResponse:
    """Bring a statement in; a table whose columns are not known yet is asked about first."""
    the_club = get_club_for_treasurer(request.user, club)
    if "token" in request.POST:
        return _columns_said(request, the_club)
    form = StatementForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            if file is None:
                statement = read_pasted(form.cleaned_data["text"], today=timezone.localdate())
                return _kept(request, the_club, of_the_club(the_club, statement))
            return _file_given(request, the_club, file.read(), file.name, ask=form.cleaned_data["ask_again"])
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
    context = frame(request.user, the_club, "bank") | {"form": form}
    return render(request, "clubs/finance/bank/bank_import.html", context, status=422 if form.errors else 200)


def _file_given(request: OfficerRequest, club: Club, data: bytes, filename: str, *, ask: bool) -> HttpResponse:
    statement = read_messages(data, today=timezone.localdate())
    if statement is not None:
        return _kept(request, club, of_the_club(club, statement))
    table = read_bank_table(data, known=known_tables(club))
    columns = columns_for(club, table)
    accounts = _accounts(club)
    is_known = are_enough(columns) and BankTable.objects.filter(club=club, columns=columns).exists()
    if len(accounts) < 2 and is_known and not ask:
        statement = checked(lines_of(table, columns), today=timezone.localdate())
        return _kept(request, club, of_the_club(club, statement))
    token = keep_upload(data, filename, by=request.user, place=_place(club))
    # Many banks write the account above their table; two accounts at one bank have tables of the same headings.
    text = squeezed(data.decode("latin-1"))
    initial = {name: str(place) for name, place in columns.items()}
    initial["whose"] = next((account.iban for account in accounts if squeezed(account.iban) in text), "")
    form = ColumnsForm(table=table, above=first_lines(data), accounts=accounts, initial=initial)
    return _columns_page(request, club, form, token)


def _columns_said(request: OfficerRequest, club: Club) -> HttpResponse:
    token = request.POST["token"]
    try:
        data, _filename = kept_upload(token, by=request.user, place=_place(club))
    except UploadGone:
        messages.error(request, _("The file is not here any more. Choose it again."))
        return redirect("bank_import", club.slug)
    said = key_of(request.POST.get("headings_in", ""))
    table = read_bank_table(data, known=known_tables(club), headings_in=said)
    accounts, above = _accounts(club), first_lines(data)
    if "other_line" in request.POST:
        initial = {name: str(place) for name, place in columns_for(club, table).items()}
        form = ColumnsForm(table=table, above=above, accounts=accounts, initial=initial)
        return _columns_page(request, club, form, token)
    form = ColumnsForm(request.POST, table=table, above=above, accounts=accounts)
    if not form.is_valid() or "look" in request.POST:
        return _columns_page(request, club, form, token)
    statement = checked(lines_of(table, form.cleaned_data, own_account=form.own_account), today=timezone.localdate())
    if not statement.lines:
        form.add_error(None, _("With these columns there is no line: check which is what."))
        return _columns_page(request, club, form, token)
    try:
        statement = of_the_club(club, statement)
    except OfficerProblem as problem:
        form.add_error(None, problem.message)
        return _columns_page(request, club, form, token)
    remember(club, table, form.cleaned_data)
    if "text" not in form.cleaned_data:
        messages.warning(request, _("Without the column of the text no reference is found in it."))
    forget_upload(token, by=request.user, place=_place(club))
    return _kept(request, club, statement)


def _columns_page(request: OfficerRequest, club: Club, form: ColumnsForm, token: str) -> HttpResponse:
    """The first rows as the file has them, and as they would be read with the columns that were said or guessed."""
    first = replace(form.table, lines=form.table.lines[: 1 + ROWS_SHOWN])
    columns = form.cleaned_data if form.is_bound else form.guessed
    context = frame(request.user, club, "bank") | {
        "form": form,
        "token": token,
        "headings": first.headings,
        "rows": first.rows,
        "reading": lines_of(first, columns) if are_enough(columns) and not form.errors else None,
    }
    return render(request, "clubs/finance/bank/bank_columns.html", context, status=422 if form.errors else 200)


def _kept(request: OfficerRequest, club: Club, statement: Statement) -> HttpResponse:
    """Keep what could be read and is the club's (`of_the_club`), tell what is not."""
    kept = keep_statement(club, statement, by=request.user)
    said = _("New lines: %(new)s. Brought in before: %(known)s.") % {"new": kept.new, "known": kept.known}
    (messages.success if kept.new else messages.warning)(request, said)
    _tell_balances(request, club, statement)
    if statement.problems:
        context = frame(request.user, club, "bank") | {"problems": statement.problems}
        return render(request, "clubs/finance/bank/bank_problems.html", context)
    return redirect("bank", club.slug)


def _tell_balances(request: OfficerRequest, club: Club, statement: Statement) -> None:
    for each in agreements(club, statement.balances):
        said = {
            "account": each.account.name,
            "day": date_format(each.bank.on, "SHORT_DATE_FORMAT"),
            "bank": money(each.bank.amount, club.currency),
            "books": money(each.books, club.currency),
            "difference": money(each.difference, club.currency),
        }
        if each.difference:
            text = (
                _("%(account)s, %(day)s: the bank says %(bank)s, the books with all lines that wait %(books)s.") % said
            )
            messages.warning(request, f"{text} {_('Difference')}: {said['difference']}")
        else:
            text = _("%(account)s, %(day)s: the bank and the books with all lines that wait agree on %(bank)s.")
            messages.success(request, text % said)


def _accounts(club: Club) -> list[BookAccount]:
    """The club's accounts at banks that a statement can be of."""
    return list(club.book_accounts.filter(kind=BookAccount.Kind.BANK, is_closed=False).exclude(iban=""))


def _place(club: Club) -> str:
    return f"bank {club.pk}"
