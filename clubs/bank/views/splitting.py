"""Pages on which a line of a statement is parted, and the parts are put together again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access import get_club_for_treasurer
from clubs.bank.forms import PartForms, PartFormSet, choices_of, target_of
from clubs.bank.matching import open_lines
from clubs.bank.splitting import FEWEST, put_together, split
from clubs.frame import frame
from clubs.models import BankLine, Club
from clubs.problems import OfficerProblem
from clubs.requests import OfficerRequest, rows_sent, show_as_sent

ROWS_MORE = 2


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
    problem = ""
    if is_sent and parts.is_valid():
        problem = _parted(request, the_club, the_line, parts)
        if not problem:
            return redirect("bank", club)
    for part in [] if is_sent else parts.forms:
        show_as_sent(part, request.POST)
    context = frame(request.user, the_club, "bank") | {"line": the_line, "parts": parts, "problem": problem}
    return render(request, "clubs/bank/bank_split.html", context, status=422 if is_sent else 200)


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
