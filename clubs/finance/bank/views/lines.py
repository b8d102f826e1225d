"""The lines of statements that wait: what each may be, and booking it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.bank.agreeing import bank_accounts, mark_of, standings
from clubs.finance.bank.forms import BalanceForm, PartForms, PartFormSet, choices_of, target_of
from clubs.finance.bank.matching import ProposedLine, open_lines, proposed_lines
from clubs.finance.bank.settling import leave_aside, settle, settle_certain, take_up
from clubs.finance.bank.splitting import FEWEST, put_together, split
from clubs.finance.bank.statements import ClosingBalance, keep_balance
from clubs.finance.dues.ledger import collected_from
from clubs.frame import frame
from clubs.models import BankLine, Club, Member
from clubs.requests import OfficerRequest, key_of, rows_sent, show_as_sent
from common.problems import OfficerProblem
from common.text.amounts import said_in

SHOWN = 60
ROWS_MORE = 2
SETTLED_SHOWN = 30


@require_safe
def bank(request: OfficerRequest, club: str) -> HttpResponse:
    """What waits, with what it may be; below it what was done last."""
    the_club = get_club_for_auditor(request.user, club)
    today = timezone.localdate()
    waiting = open_lines(the_club).select_related("part_of")
    proposed = proposed_lines(the_club, list(waiting[:SHOWN]), today=today)
    settled = the_club.bank_lines.filter(parts=None).exclude(pk__in=waiting.values("pk"))
    accounts = bank_accounts(the_club)
    context = frame(request.user, the_club, "bank") | {
        "proposed": proposed,
        "waiting_count": waiting.count(),
        "certain_count": sum(1 for each in proposed if each.best and each.best.is_certain),
        "focused": _focused(the_club, proposed, request.GET.get("after", "")),
        "settled": settled.select_related("entry__account__member", "booking__source", "booking__target").order_by(
            "-pk"
        )[:SETTLED_SHOWN],
        "targets": choices_of(the_club) if proposed else [],
        "standings": standings(the_club, today=today),
        "balance": BalanceForm(accounts=accounts) if accounts else None,
    }
    return render(request, "clubs/finance/bank/bank.html", context)


@require_POST
def bank_line_book(request: OfficerRequest, club: str, line: int) -> HttpResponse:
    """Book a line as what was chosen: `member:` or `account:` with a key.

    Asked once more where it is from somebody whose dues are being collected: he is likely to pay twice.
    """
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankLine, club=the_club, pk=line)
    target = target_of(the_club, request.POST.get("target", ""))
    day = collected_from(the_club, target).get(target.pk) if isinstance(target, Member) else None
    if target is None:
        messages.error(request, _("Choose whose it is."))
    elif day and the_line.amount > 0 and "sure" not in request.POST:
        context = frame(request.user, the_club, "bank") | {"line": the_line, "target": target, "day": day}
        context["chosen"] = request.POST["target"]
        return render(request, "clubs/finance/bank/bank_sure.html", context, status=422)
    else:
        try:
            settle(the_line, target, by=request.user)
        except OfficerProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("Booked: %(what)s.") % {"what": target})
    return _next_line(club, the_line)


@require_POST
def bank_book_certain(request: OfficerRequest, club: str) -> HttpResponse:
    """Book all lines that are certain."""
    the_club = get_club_for_treasurer(request.user, club)
    proposed = proposed_lines(the_club, list(open_lines(the_club)[:SHOWN]), today=timezone.localdate())
    count, refused = settle_certain(proposed, by=request.user)
    said = ngettext("%(n)s line is booked.", "%(n)s lines are booked.", count) % {"n": count}
    (messages.success if count else messages.warning)(request, said)
    for why in refused:
        messages.warning(request, why)
    return redirect("bank", club)


@require_POST
def bank_line_aside(request: OfficerRequest, club: str, line: int) -> HttpResponse:
    """Leave a line aside, or take it up again."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankLine, club=the_club, pk=line)
    try:
        if "again" in request.POST:
            take_up(the_line)
            said = _("It waits again.")
        else:
            leave_aside(the_line, reason=request.POST.get("reason", ""))
            said = _("Left aside. It can be taken up again below.")
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, said)
    return _next_line(club, the_line)


@require_POST
def bank_balance_add(request: OfficerRequest, club: str) -> HttpResponse:
    """Write down what the bank says is on an account."""
    the_club = get_club_for_treasurer(request.user, club)
    form = said_in(BalanceForm(request.POST, accounts=bank_accounts(the_club)), the_club.currency)
    if form.is_valid():
        account, said = form.cleaned_data["account"], form.cleaned_data
        keep_balance(the_club, ClosingBalance(own_account=mark_of(account), on=said["on"], amount=said["amount"]))
        messages.success(request, _("The balance is kept beside the books'."))
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("bank", club)


@require_http_methods(["GET", "HEAD", "POST"])
def bank_line_split(request: OfficerRequest, club: str, line: int) -> HttpResponse:
    """Part a line over several members and categories, and book the parts that are said."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankLine, club=the_club, pk=line)
    if not open_lines(the_club).filter(pk=the_line.pk, part_of=None).exists():
        messages.error(request, _("This line was booked, parted or left aside already."))
        return redirect("bank", club)
    choices = {"targets": [("", _("to be said later")), *choices_of(the_club)]}
    is_sent = request.method == "POST" and "more" not in request.POST
    rows = rows_sent(request.POST, "form") + ROWS_MORE if "more" in request.POST else FEWEST
    whole = abs(the_line.amount)
    parts = PartFormSet(request.POST if is_sent else None, whole=whole, rows=rows, form_kwargs=choices)
    for each in parts.forms:
        said_in(each, the_club.currency)
    problem = ""
    if is_sent and parts.is_valid():
        problem = _parted(request, the_club, the_line, parts)
        if not problem:
            return redirect("bank", club)
    for part in [] if is_sent else parts.forms:
        show_as_sent(part, request.POST)
    context = frame(request.user, the_club, "bank") | {"line": the_line, "parts": parts, "problem": problem}
    return render(request, "clubs/finance/bank/bank_split.html", context, status=422 if is_sent else 200)


@require_POST
def bank_line_whole(request: OfficerRequest, club: str, line: int) -> HttpResponse:
    """Put the parts of a line together again."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankLine, club=the_club, pk=line)
    try:
        put_together(the_line)
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("It waits again as a whole."))
    return redirect("bank", club)


def _parted(request: OfficerRequest, club: Club, line: BankLine, parts: PartForms) -> str:
    """What is wrong with the parts; empty where they were made."""
    said = [(amount, target_of(club, text)) for amount, text in parts.parts]
    try:
        made = split(line, said, by=request.user)
    except OfficerProblem as problem:
        return problem.message
    booked = sum(1 for _amount, target in said if target is not None)
    told = _("Parts booked: %(booked)s. Parts that wait: %(waiting)s.")
    messages.success(request, told % {"booked": booked, "waiting": len(made) - booked})
    return ""


def _next_line(club: str, line: BankLine) -> HttpResponse:
    """Back to the page, and there to the line behind this one."""
    return redirect(f"{reverse('bank', args=[club])}?after={line.pk}")


def _focused(club: Club, proposed: list[ProposedLine], after: str) -> int:
    """The key of the line that is next: the first one behind that which was done last, else the first."""
    done = BankLine.objects.filter(club=club, pk=key_of(after)).first() if after else None
    keys = [(each.line.booked_on, each.line.pk) for each in proposed]
    behind = [pk for on, pk in keys if done and (on, pk) >= (done.booked_on, done.pk)]
    return next(iter([*behind, *(pk for _on, pk in keys)]), 0)
