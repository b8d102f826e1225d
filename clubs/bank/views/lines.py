"""The lines of statements that wait: what each may be, and booking it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.bank.matching import open_lines, proposed_lines
from clubs.bank.settling import leave_aside, settle, settle_certain, take_up
from clubs.frame import frame
from clubs.models import BankLine, BookAccount, Club, Member
from clubs.problems import OfficerProblem
from clubs.requests import OfficerRequest, key_of

SHOWN = 60
SETTLED_SHOWN = 30


@require_safe
def bank(request: OfficerRequest, club: str) -> HttpResponse:
    """What waits, with what it may be; below it what was done last."""
    the_club = get_club_for_auditor(request.user, club)
    waiting = open_lines(the_club)
    lines = list(waiting[:SHOWN])
    proposed = proposed_lines(the_club, lines, today=timezone.localdate())
    settled = the_club.bank_lines.exclude(pk__in=waiting.values("pk")).select_related(
        "entry__account__member", "booking__source", "booking__target"
    )
    context = frame(request.user, the_club, "dues") | {
        "proposed": proposed,
        "waiting_count": waiting.count(),
        "certain_count": sum(1 for each in proposed if each.best and each.best.is_certain),
        "settled": settled.order_by("-pk")[:SETTLED_SHOWN],
        "members": the_club.members.filter(erased_at=None),
        "accounts": BookAccount.objects.filter(club=the_club, is_closed=False, is_for_dues=False).exclude(
            kind=BookAccount.Kind.OPENING
        ),
    }
    return render(request, "clubs/bank/bank.html", context)


@require_POST
def bank_line_book(request: OfficerRequest, club: str, line: int) -> HttpResponse:
    """Book a line as what was chosen: `member:` or `account:` with a key."""
    the_club = get_club_for_treasurer(request.user, club)
    the_line = get_object_or_404(BankLine, club=the_club, pk=line)
    target = _target(the_club, request.POST.get("target", ""))
    if target is None:
        messages.error(request, _("Choose whose it is."))
    else:
        try:
            settle(the_line, target, by=request.user)
        except OfficerProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("Booked: %(what)s.") % {"what": target})
    return redirect("bank", club)


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
        else:
            leave_aside(the_line, reason=request.POST.get("reason", ""))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Kept."))
    return redirect("bank", club)


def _target(club: Club, text: str) -> Member | BookAccount | None:
    kind, _colon, key = text.partition(":")
    if kind == "member":
        return Member.objects.filter(club=club, pk=key_of(key)).first()
    if kind == "account":
        return BookAccount.objects.filter(club=club, pk=key_of(key)).first()
    return None
