"""Pages of people: the members of a club, and how this browser shows pages."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.access import get_club_for, get_club_for_secretary, roles_in
from clubs.forms.members import MemberForm
from clubs.models import Club, Member, Role
from clubs.requests import OfficerRequest, WebRequest
from clubs.searching import holds, words_of

A_YEAR = 365 * 24 * 60 * 60
MEMBERS_A_PAGE = 100


@require_safe
@vary_on_headers("HX-Target")
def members(request: OfficerRequest, club: str) -> HttpResponse:
    """The club's book: search by name, active members or all."""
    the_club = get_club_for(request.user, club, Role.SECRETARY, Role.ARBITER, Role.TREASURER)
    query = request.GET.get("q", "").strip()
    with_former = bool(request.GET.get("former"))
    page = Paginator(_members_found(the_club, query, with_former), MEMBERS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "club": the_club,
        "page": page,
        "query": query,
        "with_former": with_former,
        "may_edit": Role.SECRETARY in roles_in(request.user, the_club),
    }
    template = "clubs/members.html#found" if request.htmx.target == "found" else "clubs/members.html"
    return render(request, template, context)


@require_http_methods(["GET", "HEAD", "POST"])
def member_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Add somebody to the club's book."""
    the_club = get_club_for_secretary(request.user, club)
    return _member_form(request, the_club, Member(federation=the_club.federation))


@require_http_methods(["GET", "HEAD", "POST"])
def member_edit(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Change what the club's book says of somebody."""
    the_club = get_club_for_secretary(request.user, club)
    return _member_form(request, the_club, get_object_or_404(Member, club=the_club, pk=member))


@login_not_required
@require_POST
def look(request: WebRequest) -> HttpResponse:
    """Remember light, dark or the device's own look in this browser, and go back to the page."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "home"
    response = redirect(back)
    wanted = request.POST.get("look")
    if wanted in ("light", "dark"):
        response.set_cookie("look", wanted, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie("look", samesite="Lax")
    return response


def _members_found(club: Club, query: str, with_former: bool) -> list[Member]:
    found = club.members.all() if with_former else club.members.present()
    words = words_of(query)
    return [member for member in found if holds(member.name, words)]


def _member_form(request: OfficerRequest, club: Club, member: Member) -> HttpResponse:
    is_new = member.pk is None
    form = MemberForm(request.POST or None, instance=member, club=club)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, _("%(name)s is in the club's book.") % {"name": saved.name})
        another = is_new and "another" in request.POST
        return redirect("member_new" if another else "members", club.slug)
    status = 422 if form.errors else 200
    return render(request, "clubs/member_form.html", {"club": club, "form": form, "is_new": is_new}, status=status)
