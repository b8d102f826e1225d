"""People who are in the member list twice: finding, comparing and merging them."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.members.duplicates import find_duplicate_members, merge_members, preview_member_merge
from clubs.models import Member
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerProblem

PAIRS_PER_PAGE = 50


@require_safe
def member_duplicates(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show pairs of members who may be the same person, with pagination."""
    the_club = get_club_for_secretary(request.user, club)
    page = Paginator(find_duplicate_members(the_club), PAIRS_PER_PAGE).get_page(request.GET.get("page"))
    context = club_page_context(request.user, the_club, "members") | {"page": page}
    return render(request, "tournaments/privacy/member_duplicates.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def member_merge(request: AuthenticatedRequest, club: str, first: int, second: int) -> HttpResponse:
    """Show two members side by side, and a button to merge them."""
    the_club = get_club_for_secretary(request.user, club)
    kept = get_object_or_404(Member, club=the_club, pk=first)
    other = get_object_or_404(Member, club=the_club, pk=second)
    context = club_page_context(request.user, the_club, "members")
    status = 200
    if request.method == "POST":
        chosen = {name.removeprefix("from-") for name, value in request.POST.items() if value == "second"}
        try:
            merged = merge_members(kept, other, from_second=chosen, by=request.user)
        except OfficerProblem as problem:
            context["problem"] = problem.message
            status = 422
        else:
            messages.success(request, _("Members merged: %(name)s.") % {"name": merged.name})
            return redirect("member_detail", club, merged.pk)
    return render(
        request,
        "tournaments/privacy/member_merge.html",
        context | {"preview": preview_member_merge(kept, other)},
        status=status,
    )
