"""Pages of a member's account: payments, charges, corrections, receipts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import (
    get_club_for_treasurer,
    get_member_for_auditor,
    get_member_for_treasurer,
    get_receipt_for,
)
from clubs.finance.accounting.booking import is_before_the_books
from clubs.finance.dues.balances import Balance, account_lines, balance_of
from clubs.finance.dues.forms import ChargeForm, PaymentForm, RefundForm, TakeBackForm, WaiveForm
from clubs.finance.dues.ledger import charge, pay, refund, take_back, waive
from clubs.finance.dues.payment_codes import payment_code_picture
from clubs.finance.dues.receipts import receipt_sheet
from clubs.frame import frame
from clubs.models import LedgerEntry, Member, Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest
from common.problems import OfficerProblem, OfficerQuestion
from common.text.amounts import said_in
from common.text.asking_form import AskingForm


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
    return _book(request, person, "payment", PaymentForm, pay, _("Booked with receipt %(number)s."))


@require_POST
def charge_add(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Charge a due beside the season's."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(request, person, "due", ChargeForm, charge, _("Charged."))


@require_POST
def refund_add(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Give back what was paid too much, under the next receipt number."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(request, person, "back", RefundForm, refund, _("Booked with receipt %(number)s."))


@require_POST
def waiver_add(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Let somebody off what he owes, or a part of it."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(request, person, "waiver", WaiveForm, waive, _("Waived. The reason stays beside it."))


def _book(
    request: OfficerRequest,
    person: Member,
    name: str,
    form_class: type[Form],
    book: Callable[..., LedgerEntry],
    said: str,
) -> HttpResponse:
    """A line in somebody's account by the form of this name on its page; `said` when it is booked."""
    form = said_in(form_class(request.POST), person.club.currency)
    if form.is_valid():
        values = form.cleaned_data
        try:
            entry = book(person, values.pop("amount"), by=request.user, **values)
        except OfficerProblem as problem:
            if isinstance(problem, OfficerQuestion) and isinstance(form, AskingForm):
                form.ask(problem.message)
            else:
                form.add_error(None, problem.message)
        else:
            messages.success(request, said % {"number": entry.receipt})
            if is_before_the_books(entry):
                messages.warning(request, _("The books begin after this day: it is in the ledger of dues alone."))
            return redirect("account", person.club.slug, person.pk)
    return _account_page(request, person, **{name: form})


@require_http_methods(["GET", "HEAD", "POST"])
def entry_take_back(request: OfficerRequest, club: str, entry: int) -> HttpResponse:
    """Take a line of the ledger back by a counter-entry."""
    the_club = get_club_for_treasurer(request.user, club)
    line = get_object_or_404(LedgerEntry.objects.select_related("account__member"), club=the_club, pk=entry)
    form = TakeBackForm(request.POST or None, line=line)
    if request.method == "POST" and form.is_valid():
        try:
            take_back(line, by=request.user, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Taken back. The line stays, with its counter-entry."))
            return redirect("account", club, line.account.member_id)
    context = frame(request.user, the_club, "dues") | {"entry": line, "member": line.account.member, "form": form}
    return render(request, "clubs/finance/dues/take_back.html", context, status=422 if form.errors else 200)


@require_safe
def receipt(request: OfficerRequest, club: str, year: int, number: int) -> HttpResponse:
    """A receipt, for those who may look at the club's money and for whoever paid."""
    entry = get_receipt_for(request.user, club, year, number)
    context = frame(request.user, entry.club, "dues") | {"sheet": receipt_sheet(entry), "entry": entry}
    return render(request, "clubs/finance/dues/receipt.html", context)


def _account_page(request: OfficerRequest, person: Member, **forms: Any) -> HttpResponse:
    balance = balance_of(person, today=timezone.localdate())
    owed = {"amount": balance.owed} if balance.owed > 0 else {}
    context = frame(request.user, person.club, "dues") | {
        "member": person,
        "balance": balance,
        "ledger": account_lines(person),
        "account": (own_account := person.accounts.order_by("pk").first()),
        "code": payment_code_picture(person.club, balance.to_pay_now, own_account.reference) if own_account else "",
        "reminders": person.reminders.all(),
        "payment": PaymentForm(initial={"amount": balance.to_pay_now} if owed else {}),
        "due": ChargeForm(),
        "waiver": WaiveForm(initial=owed, auto_id="waiver_%s") if balance.owed > 0 else None,
        "back": RefundForm(initial=_to_give_back(person, balance), auto_id="back_%s") if balance.owed < 0 else None,
    }
    return render(request, "clubs/finance/dues/account.html", context | forms, status=422 if forms else 200)


def _to_give_back(person: Member, balance: Balance) -> dict[str, Any]:
    """All that was paid too much, in the way that the last of it came."""
    payments = LedgerEntry.objects.filter(
        account__member=person, kind=LedgerEntry.Kind.PAYMENT, corrects=None, corrected_by=None
    )
    last = payments.order_by("-booked_on", "-pk").values_list("method", flat=True).first()
    return {"amount": balance.paid_too_much} | ({"method": last} if last else {})
