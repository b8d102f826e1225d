"""Pages for players who must not meet."""

from __future__ import annotations

from collections import Counter

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.request_types import AuthenticatedRequest
from tournaments.access import get_tournament_for_arbiter
from tournaments.entries.enrolment import allow_pair, forbid_pair
from tournaments.entries.forbidden_groups import (
    GroupCriterion,
    find_related_groups,
    forbid_pairs_within_groups,
    remove_forbidden_pairs_by_remark,
)
from tournaments.entries.forms import ForbiddenGroupsForm, ForbiddenPairForm
from tournaments.models import ForbiddenPair, Tournament
from tournaments.problems import ArbiterProblem


@require_http_methods(["GET", "HEAD", "POST"])
def forbidden_pairs(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show the forbidden pairs, and a form to add one."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    form = ForbiddenPairForm(request.POST or None, tournament=the_event)
    if request.method == "POST" and form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        try:
            forbid_pair(first, second, by=request.user, remark=form.cleaned_data["remark"])
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            said = _("%(first)s and %(second)s won't be paired with each other.")
            messages.success(request, said % {"first": first.name, "second": second.name})
            return redirect("forbidden_pairs", club, event)
    context = _context(the_event, form=form, groups_form=ForbiddenGroupsForm())
    return render(request, "tournaments/entries/forbidden_pairs.html", context, status=422 if form.errors else 200)


@require_POST
def forbidden_groups_add(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Forbid pairings within clubs or families, all at once."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    form = ForbiddenGroupsForm(request.POST)
    if form.is_valid():
        try:
            made = forbid_pairs_within_groups(
                the_event,
                form.cleaned_data["bond"],
                request.POST.getlist("group"),
                to_round=form.cleaned_data["to_round"],
                by=request.user,
            )
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            said = ngettext("%(n)d rule added.", "%(n)d rules added.", made)
            messages.success(request, said % {"n": made})
            return redirect("forbidden_pairs", club, event)
    context = _context(the_event, form=ForbiddenPairForm(tournament=the_event), groups_form=form)
    return render(request, "tournaments/entries/forbidden_pairs.html", context, status=422)


@require_POST
def forbidden_group_remove(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Remove all rules of one group."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    gone = remove_forbidden_pairs_by_remark(the_event, request.POST.get("remark", ""), by=request.user)
    said = ngettext("%(n)d rule removed.", "%(n)d rules removed.", gone)
    messages.success(request, said % {"n": gone})
    return redirect("forbidden_pairs", club, event)


def _context(the_event: Tournament, *, form: ForbiddenPairForm, groups_form: ForbiddenGroupsForm) -> dict[str, object]:
    pairs = list(the_event.forbidden_pairs.select_related("first", "second").order_by("first__name", "second__name"))
    remarks = Counter(pair.remark for pair in pairs if pair.remark)
    return {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "form": form,
        "groups_form": groups_form,
        "pairs": pairs,
        "remarks": [(remark, count) for remark, count in remarks.most_common() if count > 1],
        "bonds": [(bond.value, find_related_groups(the_event, bond)) for bond in GroupCriterion],
    }


@require_POST
def forbidden_pair_remove(request: AuthenticatedRequest, club: str, event: str, pair: int) -> HttpResponse:
    """Allow a forbidden pair again."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    rule = get_object_or_404(ForbiddenPair.objects.select_related("first", "second"), tournament=the_event, pk=pair)
    try:
        allow_pair(rule.first, rule.second, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        said = _("%(first)s and %(second)s can be paired again.")
        messages.success(request, said % {"first": rule.first.name, "second": rule.second.name})
    return redirect("forbidden_pairs", club, event)
