"""People who stand in the book twice: found, compared, made one, and the ratings counted anew from their games."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.frame import frame
from clubs.membership.members.merging import duplicates, merge, preview_merge
from clubs.models import Member
from clubs.requests import OfficerRequest
from common.problems import OfficerProblem

PAIRS_ON_A_PAGE = 50


@require_safe
def duplicates_page(request: OfficerRequest, club: str) -> HttpResponse:
    """Pairs of rows that may be one person, a page of them."""
    the_club = get_club_for_secretary(request.user, club)
    page = Paginator(duplicates(the_club), PAIRS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = frame(request.user, the_club, "members") | {"page": page}
    return render(request, "tournaments/privacy/duplicates.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge_page(request: OfficerRequest, club: str, first: int, second: int) -> HttpResponse:
    """Two rows side by side, and the word to make them one."""
    the_club = get_club_for_secretary(request.user, club)
    kept = get_object_or_404(Member, club=the_club, pk=first)
    other = get_object_or_404(Member, club=the_club, pk=second)
    context = frame(request.user, the_club, "members")
    status = 200
    if request.method == "POST":
        chosen = {name.removeprefix("from-") for name, value in request.POST.items() if value == "second"}
        try:
            merged = merge(kept, other, from_second=chosen, by=request.user)
        except OfficerProblem as problem:
            context["problem"] = problem.message
            status = 422
        else:
            messages.success(request, _("The two are one now: %(name)s.") % {"name": merged.name})
            return redirect("member", club, merged.pk)
    return render(
        request, "tournaments/privacy/merge.html", context | {"preview": preview_merge(kept, other)}, status=status
    )
