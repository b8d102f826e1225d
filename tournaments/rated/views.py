"""The club's own ratings: the list, a member's history compared with others', the method."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import can_run, get_club_for_member, get_club_for_secretary, roles_in
from clubs.models import Member, RatingMethod, Role, TimeKind
from clubs.ratings.chart import Curve, chart_of
from clubs.requests import OfficerRequest, key_of
from tournaments.rated.counting import choose_method, method_of
from tournaments.rated.history import club_list, curves, months_of
from tournaments.rated.member_norms import norms_of

MOST_COMPARED = 5

WHAT_METHODS_DO = {
    RatingMethod.FIDE: gettext_lazy(
        "The rating regulations in force since 1 March 2024: expected scores by table, K of 40, 20 or 10, a first"
        " rating after five games against rated opponents, none below 1400."
    ),
    RatingMethod.GLICKO_2: gettext_lazy(
        "Mark Glickman's system: everyone is rated from the first game, and a rating moves the faster the less is"
        " known of its player."
    ),
    RatingMethod.NONE: gettext_lazy("Only the ratings of federations' lists, as they stand in the club's book."),
}


@require_safe
def club_ratings(request: OfficerRequest, club: str) -> HttpResponse:
    """Everyone's rating today, for one kind of chess."""
    the_club = get_club_for_member(request.user, club)
    kind = _kind(request)
    method = method_of(the_club)
    context = {
        "club": the_club,
        "kind": kind,
        "kinds": TimeKind.choices,
        "rows": club_list(the_club, kind),
        "method": RatingMethod(method),
        "may_edit": Role.SECRETARY in roles_in(request.user, the_club),
        "may_run": can_run(request.user, the_club),
    }
    return render(request, "tournaments/rated/club_ratings.html", context)


@require_safe
def member_ratings(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """A member's ratings as a curve and a table, beside those of others, and the reasons of every change."""
    the_club = get_club_for_member(request.user, club)
    the_member = get_object_or_404(Member, club=the_club, pk=member)
    kind = _kind(request)
    wanted = [key_of(key) for key in request.GET.getlist("with")[: MOST_COMPARED - 1]]
    others = [row.member for row in club_list(the_club, kind) if row.member.pk != the_member.pk]
    shown = [the_member, *(other for other in others if other.pk in wanted)]
    histories = {person.name: curve for person, curve in curves(shown, kind).items()}
    context = {
        "club": the_club,
        "member": the_member,
        "kind": kind,
        "kinds": TimeKind.choices,
        "months": months_of(the_member, kind),
        "norms": norms_of(the_member) if kind == TimeKind.STANDARD else [],
        "others": others,
        "wanted": wanted,
        "chart": chart_of(histories),
        "table": _side_by_side(histories),
        "method": RatingMethod(method_of(the_club)),
    }
    return render(request, "tournaments/rated/member_ratings.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rating_method(request: OfficerRequest, club: str) -> HttpResponse:
    """Choose how the club counts."""
    the_club = get_club_for_secretary(request.user, club)
    wanted = request.POST.get("method")
    if request.method == "POST" and wanted in RatingMethod.values:
        choose_method(the_club, wanted)
        messages.success(request, _("All ratings are counted anew."))
        return redirect("club_ratings", the_club.slug)
    context = {
        "club": the_club,
        "chosen": method_of(the_club),
        "methods": [(method.value, method.label, WHAT_METHODS_DO[method]) for method in RatingMethod],
    }
    return render(
        request, "tournaments/rated/rating_method.html", context, status=422 if request.method == "POST" else 200
    )


def _kind(request: HttpRequest) -> str:
    kind = request.GET.get("kind", "")
    return kind if kind in TimeKind.values else TimeKind.STANDARD


def _side_by_side(histories: Mapping[str, Curve]) -> list[tuple[object, list[int | None]]]:
    """The chart's figures: a row a month, the latest first, a cell a person."""
    by_person = [dict(curve) for curve in histories.values()]
    months = sorted({month for curve in by_person for month in curve}, reverse=True)
    return [(month, [curve.get(month) for curve in by_person]) for month in months]
