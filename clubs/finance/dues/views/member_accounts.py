"""Pages of a member's dues account: payments, charges, reversals and receipts."""

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
    get_receipt_for_viewer,
)
from clubs.finance.accounting.entries import is_before_accounting_began
from clubs.finance.dues.balances import MemberBalance, balance_of_member, member_account_lines
from clubs.finance.dues.forms import (
    LedgerEntryReversalForm,
    MemberChargeForm,
    MemberPaymentForm,
    MemberRefundForm,
    MemberWaiverForm,
)
from clubs.finance.dues.ledger import charge_member, record_payment, record_refund, reverse_ledger_entry, waive_dues
from clubs.finance.dues.payment_qr_codes import payment_qr_code_data_uri
from clubs.finance.dues.receipts import build_receipt_sheet
from clubs.models import LedgerEntry, Member, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from common.text.amounts import set_form_currency
from common.text.confirmation_form import ConfirmationForm


@require_safe
def member_dues_account(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Show the member's dues account, with booking forms for the treasurer."""
    person = get_member_for_auditor(request.user, club, member)
    log_data_access(person.club, PersonalDataAccess.DataAccessKind.MONEY, by=request.user, member=person)
    return _account_page(request, person)


@require_POST
def payment_add(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Record a payment with the next receipt number."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(request, person, "payment", MemberPaymentForm, record_payment, _("Recorded with receipt %(number)s."))


@require_POST
def charge_add(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Charge a member for something other than the season's dues."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(request, person, "due", MemberChargeForm, charge_member, _("Charge added."))


@require_POST
def refund_add(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Refund an overpaid amount with the next receipt number."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(request, person, "back", MemberRefundForm, record_refund, _("Recorded with receipt %(number)s."))


@require_POST
def waiver_add(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Waive all or part of what a member owes."""
    person = get_member_for_treasurer(request.user, club, member)
    return _book(
        request, person, "waiver", MemberWaiverForm, waive_dues, _("Dues waived. The reason is saved with them.")
    )


def _book(
    request: AuthenticatedRequest,
    person: Member,
    name: str,
    form_class: type[Form],
    book: Callable[..., LedgerEntry],
    said: str,
) -> HttpResponse:
    """Book an entry with the form `name` of the account page. `said` is the success message."""
    form = set_form_currency(form_class(request.POST), person.club.currency)
    if form.is_valid():
        values = form.cleaned_data
        try:
            entry = book(person, values.pop("amount"), by=request.user, **values)
        except OfficerProblem as problem:
            if isinstance(problem, OfficerConfirmationNeeded) and isinstance(form, ConfirmationForm):
                form.ask_for_confirmation(problem.message)
            else:
                form.add_error(None, problem.message)
        else:
            messages.success(request, said % {"number": entry.printed_receipt_number})
            if is_before_accounting_began(entry):
                messages.warning(
                    request, _("Accounting starts after this date, so this is only recorded in the dues ledger.")
                )
            return redirect("member_dues_account", person.club.slug, person.pk)
    return _account_page(request, person, **{name: form})


@require_http_methods(["GET", "HEAD", "POST"])
def ledger_entry_reverse(request: AuthenticatedRequest, club: str, entry: int) -> HttpResponse:
    """Reverse a ledger entry."""
    the_club = get_club_for_treasurer(request.user, club)
    line = get_object_or_404(LedgerEntry.objects.select_related("account__member"), club=the_club, pk=entry)
    form = LedgerEntryReversalForm(request.POST or None, line=line)
    if request.method == "POST" and form.is_valid():
        try:
            reverse_ledger_entry(line, by=request.user, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, _("Entry reversed. The entry and its reversal are both kept."))
            return redirect("member_dues_account", club, line.account.member_id)
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "entry": line,
        "member": line.account.member,
        "form": form,
    }
    return render(request, "clubs/finance/dues/entry_reverse.html", context, status=422 if form.errors else 200)


@require_safe
def receipt_detail(request: AuthenticatedRequest, club: str, year: int, number: int) -> HttpResponse:
    """Show a receipt to people who may view the club's money and to the payer."""
    entry = get_receipt_for_viewer(request.user, club, year, number)
    context = club_page_context(request.user, entry.club, "dues_overview") | {
        "sheet": build_receipt_sheet(entry),
        "entry": entry,
    }
    return render(request, "clubs/finance/dues/receipt.html", context)


def _account_page(request: AuthenticatedRequest, person: Member, **forms: Any) -> HttpResponse:
    balance = balance_of_member(person, today=timezone.localdate())
    owed = {"amount": balance.amount_owed} if balance.amount_owed > 0 else {}
    context = club_page_context(request.user, person.club, "dues_overview") | {
        "member": person,
        "balance": balance,
        "ledger": member_account_lines(person),
        "account": (own_account := person.accounts.order_by("pk").first()),
        "code": payment_qr_code_data_uri(person.club, balance.amount_due_now, own_account.payment_reference)
        if own_account
        else "",
        "reminders": person.reminders.all(),
        "payment": MemberPaymentForm(initial={"amount": balance.amount_due_now} if owed else {}),
        "due": MemberChargeForm(),
        "waiver": MemberWaiverForm(initial=owed, auto_id="waiver_%s") if balance.amount_owed > 0 else None,
        "back": MemberRefundForm(initial=_to_give_back(person, balance), auto_id="back_%s")
        if balance.amount_owed < 0
        else None,
    }
    return render(request, "clubs/finance/dues/account.html", context | forms, status=422 if forms else 200)


def _to_give_back(person: Member, balance: MemberBalance) -> dict[str, Any]:
    """Return the overpaid amount and the method of the last payment."""
    payments = LedgerEntry.objects.filter(
        account__member=person, kind=LedgerEntry.Kind.PAYMENT, corrects=None, corrected_by=None
    )
    last = payments.order_by("-booked_on", "-pk").values_list("method", flat=True).first()
    return {"amount": balance.overpaid_amount} | ({"method": last} if last else {})
