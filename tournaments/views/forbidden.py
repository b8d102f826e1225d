"""Players who must not meet."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.requests import OfficerRequest
from tournaments.access import get_tournament_for_arbiter
from tournaments.entering import allow_pair, forbid_pair
from tournaments.forms.entries import ForbiddenPairForm
from tournaments.models import ForbiddenPair
from tournaments.problems import ArbiterProblem


@require_http_methods(["GET", "HEAD", "POST"])
def forbidden_pairs(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """The rules that two players must not meet, and a form for another."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    form = ForbiddenPairForm(request.POST or None, tournament=the_event)
    if request.method == "POST" and form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        try:
            forbid_pair(first, second, by=request.user, remark=form.cleaned_data["remark"])
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            said = _("%(first)s and %(second)s will not be paired with each other.")
            messages.success(request, said % {"first": first.name, "second": second.name})
            return redirect("forbidden_pairs", club, event)
    pairs = the_event.forbidden_pairs.select_related("first", "second").order_by("first__name", "second__name")
    context = {"tournament": the_event, "may_run": True, "here": "players", "form": form, "pairs": pairs}
    return render(request, "tournaments/forbidden_pairs.html", context, status=422 if form.errors else 200)


@require_POST
def forbidden_pair_remove(request: OfficerRequest, club: str, event: str, pair: int) -> HttpResponse:
    """The two may meet after all."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    rule = get_object_or_404(ForbiddenPair.objects.select_related("first", "second"), tournament=the_event, pk=pair)
    try:
        allow_pair(rule.first, rule.second, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        said = _("%(first)s and %(second)s may meet again.")
        messages.success(request, said % {"first": rule.first.name, "second": rule.second.name})
    return redirect("forbidden_pairs", club, event)
