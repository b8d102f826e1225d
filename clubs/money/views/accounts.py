"""Pages of a member's account: payments, charges, corrections, receipts; and transfers of many."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import (
    get_club_for_treasurer,
    get_member_for_auditor,
    get_member_for_treasurer,
    get_receipt_for,
)
from clubs.frame import frame
from clubs.models import LedgerEntry, Member, Viewing
from clubs.money.forms import ChargeForm, PaymentForm, TakeBackForm, TransfersForm
from clubs.money.ledger import balance_of, charge, entries_of, pay, take_back
from clubs.money.receipts import receipt_sheet
from clubs.money.transfers import book_transfers, read_transfers
from clubs.privacy import record_viewing
from clubs.problems import OfficerProblem
from clubs.requests import OfficerRequest


@require_safe
def account(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """What somebody owes and has paid; for the treasurer also the forms to book it."""
    person = get_member_for_auditor(request.user, club, member)
    record_viewing(person.club, Viewing.What.MONEY, by=request.user, member=person)
    return _account_page(request, person)


@require_POST
def payment_add(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Book a payment under the next receipt number."""
    person = get_member_for_treasurer(request.user, club, member)
    form = PaymentForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        try:
            entry = pay(person, values.pop("amount"), by=request.user, **values)
        except OfficerProblem as problem:
            form.add_error("paid_on", problem.message)
        else:
            messages.success(request, _("Booked with receipt %(number)s.") % {"number": entry.receipt})
            return redirect("account", club, person.pk)
    return _account_page(request, person, payment=form)


@require_POST
def charge_add(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Charge a due beside the season's."""
    person = get_member_for_treasurer(request.user, club, member)
    form = ChargeForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        charge(person, values.pop("amount"), by=request.user, **values)
        messages.success(request, _("Charged."))
        return redirect("account", club, person.pk)
    return _account_page(request, person, due=form)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_take_back(request: OfficerRequest, club: str, entry: int) -> HttpResponse:
    """Take a line of the ledger back by a counter-entry."""
    the_club = get_club_for_treasurer(request.user, club)
    line = get_object_or_404(LedgerEntry.objects.select_related("account__member"), club=the_club, pk=entry)
    form = TakeBackForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            take_back(line, reason=form.cleaned_data["reason"], by=request.user)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Taken back. The line stays, with its counter-entry."))
            return redirect("account", club, line.account.member_id)
    context = frame(request.user, the_club, "dues") | {"entry": line, "member": line.account.member, "form": form}
    return render(request, "clubs/money/take_back.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def transfers(request: OfficerRequest, club: str) -> HttpResponse:
    """Book the lines of a bank's statement: first whose they are, then the word to go on."""
    the_club = get_club_for_treasurer(request.user, club)
    form = TransfersForm(request.POST or None)
    found = None
    if request.method == "POST" and form.is_valid():
        found = read_transfers(the_club, form.cleaned_data["text"], today=timezone.localdate())
        if "book" in request.POST:
            booked = book_transfers(found, by=request.user, form_key=form.cleaned_data["form_key"])
            said = ngettext("%(n)s transfer is booked.", "%(n)s transfers are booked.", len(booked))
            messages.success(request, said % {"n": len(booked)})
            return redirect("dues", club)
    bookable = [each for each in found or () if each.member and not each.is_booked]
    context = frame(request.user, the_club, "dues") | {"form": form, "found": found, "bookable": len(bookable)}
    return render(request, "clubs/money/transfers.html", context, status=422 if form.errors else 200)


@require_safe
def receipt(request: OfficerRequest, club: str, year: int, number: int) -> HttpResponse:
    """A receipt, for those who may look at the club's money and for whoever paid."""
    entry = get_receipt_for(request.user, club, year, number)
    context = frame(request.user, entry.club, "dues") | {"sheet": receipt_sheet(entry), "entry": entry}
    return render(request, "clubs/money/receipt.html", context)


def _account_page(request: OfficerRequest, person: Member, **forms: Any) -> HttpResponse:
    balance = balance_of(person, today=timezone.localdate())
    owed = {"amount": balance.owed} if balance.owed > 0 else {}
    context = frame(request.user, person.club, "dues") | {
        "member": person,
        "balance": balance,
        "ledger": entries_of(person),
        "account": person.accounts.order_by("pk").first(),
        "reminders": person.reminders.all(),
        "payment": PaymentForm(initial=owed),
        "due": ChargeForm(),
    }
    return render(request, "clubs/money/account.html", context | forms, status=422 if forms else 200)
