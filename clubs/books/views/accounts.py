"""Pages of accounts and categories: one by itself, a new one, changing one."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.books.account_pages import account_year, years_of_account
from clubs.books.accounts import change_account, opening_of
from clubs.books.booking import open_account
from clubs.books.forms import AccountForm, ChangeAccountForm
from clubs.frame import frame
from clubs.models import BookAccount, Club, User
from clubs.problems import OfficerProblem
from clubs.requests import OfficerRequest, key_of


@require_safe
def books_account(request: OfficerRequest, club: str, account: int) -> HttpResponse:
    """An account's entries of a year, the oldest first, with what was on it after each; `?q=` narrows them."""
    the_club = get_club_for_auditor(request.user, club)
    the_account = _account(the_club, account)
    this_year = timezone.localdate().year
    year = key_of(request.GET.get("year", "")) or this_year
    words = request.GET.get("q", "")[:100]
    of_year = account_year(the_account, year)
    context = frame(request.user, the_club, "dues") | {
        "account": the_account,
        "of_year": of_year,
        "lines": of_year.about(words),
        "words": words,
        "years": sorted({this_year, year, *years_of_account(the_account)}, reverse=True),
    }
    return render(request, "clubs/books/account.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def books_account_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Open cash, an account at the bank, or a category."""
    the_club = get_club_for_treasurer(request.user, club)
    form = AccountForm(request.POST or None, initial={"kind": request.GET.get("kind", "")})
    if request.method == "POST" and form.is_valid():
        try:
            _opened(the_club, form, request.user)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Kept."))
            return redirect("books", club)
    context = frame(request.user, the_club, "dues") | {"form": form}
    return render(request, "clubs/books/account_form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def books_account_edit(request: OfficerRequest, club: str, account: int) -> HttpResponse:
    """Rename an account or category, put its opening balance right, or end it."""
    the_club = get_club_for_treasurer(request.user, club)
    the_account = _account(the_club, account)
    initial = {
        "name": the_account.name,
        "iban": the_account.iban,
        "is_closed": the_account.is_closed,
        "balance": opening_of(the_account),
    }
    form = ChangeAccountForm(request.POST or None, account=the_account, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_account(the_account, by=request.user, **({"iban": "", "balance": None} | form.cleaned_data))
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("“%(name)s” is kept.") % {"name": the_account.name})
            return redirect("books_account", club, account)
    context = frame(request.user, the_club, "dues") | {"account": the_account, "form": form}
    return render(request, "clubs/books/account_edit.html", context, status=422 if form.errors else 200)


@transaction.atomic
def _opened(club: Club, form: AccountForm, by: User) -> None:
    values = form.cleaned_data
    if values["kind"] in BookAccount.MONEY:
        what = {name: values[name] for name in ("kind", "name", "iban", "on")}
        open_account(club, balance=values["balance"] or 0, by=by, **what)
        return
    _account, is_new = BookAccount.objects.get_or_create(club=club, kind=values["kind"], name=values["name"])
    if not is_new:
        raise OfficerProblem(_("There is an account of this name."))


def _account(club: Club, account: int) -> BookAccount:
    accounts = BookAccount.objects.exclude(kind=BookAccount.Kind.OPENING)
    return get_object_or_404(accounts, club=club, pk=account)
