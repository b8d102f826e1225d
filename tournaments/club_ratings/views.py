"""The club's own ratings: the list, a member's history next to others', and the rating method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Protocol, TypeVar

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter, get_club_for_member, get_club_for_secretary
from clubs.models import Club, Member, RatingMethod, Role, TimeControlKind
from clubs.privacy import public_name
from clubs.rating.calculation.rating_chart import RatingHistory, build_rating_chart
from clubs.request_types import AuthenticatedRequest, parse_key
from clubs.roles import OFFICER_ROLES, can_run_events, roles_in_club
from common.tabular.file_responses import TABLE_FORMATS, table_response
from common.text.months import parse_month
from tournaments.club_ratings.member_norms import norms_of_member
from tournaments.club_ratings.monthly_lists import club_rating_trend, fide_rating_trend, monthly_rating_list
from tournaments.club_ratings.rating_calculation import rating_method_of_club
from tournaments.club_ratings.rating_history import (
    club_rating_list,
    explain_rating_months,
    member_rating_rows,
    rated_members,
    rating_curves,
)
from tournaments.club_ratings.recalculation import choose_rating_method, is_recalculating_ratings


class _OfMember(Protocol):
    @property
    def member(self) -> Member: ...


RowWithMember = TypeVar("RowWithMember", bound=_OfMember)

MAX_COMPARED_MEMBERS = 5
MONTHS_PER_PAGE = 12

RATING_METHOD_DESCRIPTIONS = {
    RatingMethod.FIDE: gettext_lazy(
        "The rating regulations in force since 1 March 2024. Expected scores come from a table, and K "
        "is 40, 20 or 10. A first rating needs 5 games against rated opponents. There are no ratings "
        "below 1400."
    ),
    RatingMethod.GLICKO_2: gettext_lazy(
        "A system by Mark Glickman. Everyone is rated from their first game. The less is known about a "
        "player, the faster their rating changes."
    ),
    RatingMethod.NONE: gettext_lazy("Only ratings from federation lists, as saved in the member list."),
}


@require_safe
def club_ratings(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show everyone's current rating for one kind of time control."""
    the_club = get_club_for_member(request.user, club)
    kind = _kind(request)
    method = rating_method_of_club(the_club)
    context = {
        "club": the_club,
        "here": "ratings",
        "kind": kind,
        "kinds": TimeControlKind.choices,
        "rows": _named(request, the_club, club_rating_list(the_club, kind)),
        "method": RatingMethod(method),
        "method_sentence": RATING_METHOD_DESCRIPTIONS[RatingMethod(method)],
        "is_being_counted": is_recalculating_ratings(the_club),
        "may_edit": Role.SECRETARY in roles_in_club(request.user, the_club),
        "may_run": can_run_events(request.user, the_club),
    }
    return render(request, "tournaments/club_ratings/club_ratings.html", context)


@require_safe
def member_ratings(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Show a member's ratings as a chart and a table, next to other members' ratings, and explain every change."""
    the_club = get_club_for_member(request.user, club)
    the_member = get_object_or_404(Member, club=the_club, pk=member)
    if not _sees(request, the_club, the_member):
        raise Http404
    kind = _kind(request)
    wanted = [parse_key(key) for key in request.GET.getlist("with")[: MAX_COMPARED_MEMBERS - 1]]
    others = [
        other for other in rated_members(the_club, kind) if other != the_member and _sees(request, the_club, other)
    ]
    shown = [the_member, *(other for other in others if other.pk in wanted)]
    called = _called(request, the_club, shown)
    histories = {called[person.pk]: curve for person, curve in rating_curves(shown, kind).items()}
    page = Paginator(member_rating_rows(the_member, kind), MONTHS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "club": the_club,
        "here": "ratings",
        "member": the_member,
        "kind": kind,
        "kinds": TimeControlKind.choices,
        "page": page,
        "months": explain_rating_months(page, the_member),
        "norms": norms_of_member(the_member) if kind == TimeControlKind.STANDARD else [],
        "others": others,
        "wanted": wanted,
        "chart": build_rating_chart(histories),
        "table": _side_by_side(histories),
        "method": RatingMethod(rating_method_of_club(the_club)),
        "is_being_counted": is_recalculating_ratings(the_club),
    }
    return render(request, "tournaments/club_ratings/member_ratings.html", context)


@require_safe
def ratings_of_month(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show a month's list next to FIDE's and the federation's, and the club's trends."""
    the_club = get_club_for_member(request.user, club)
    kind = _kind(request)
    found = monthly_rating_list(the_club, kind, parse_month(request.GET.get("month", "")))
    own, of_fide = club_rating_trend(the_club, kind), fide_rating_trend(the_club, kind)
    curves_of_club = {
        _("highest club rating"): own.highest,
        _("median club rating"): own.median,
        _("highest FIDE rating"): of_fide.highest,
        _("median FIDE rating"): of_fide.median,
    }
    curves_of_club = {name: curve for name, curve in curves_of_club.items() if curve}
    players = {name: curve for name, curve in {_("Club rating"): own.players, "FIDE": of_fide.players}.items() if curve}
    context = {
        "club": the_club,
        "here": "ratings",
        "kind": kind,
        "kinds": TimeControlKind.choices,
        "found": found,
        "lines": _named(request, the_club, found.lines) if found else [],
        "chart": build_rating_chart(curves_of_club),
        "is_being_counted": is_recalculating_ratings(the_club),
        "table": _side_by_side(curves_of_club),
        "players_chart": build_rating_chart(players),
        "players_table": _side_by_side(players),
        "may_run": can_run_events(request.user, the_club),
    }
    return render(request, "tournaments/club_ratings/monthly_ratings.html", context)


@require_safe
def ratings_of_month_export(request: AuthenticatedRequest, club: str, kind: str) -> HttpResponse:
    """Export a month's list as CSV or XLSX, for people who run events."""
    the_club = get_club_for_arbiter(request.user, club)
    if kind not in TABLE_FORMATS:
        raise Http404
    of = _kind(request)
    found = monthly_rating_list(the_club, of, parse_month(request.GET.get("month", "")))
    if found is None:
        raise Http404
    headings = [pgettext("of a person", "name"), _("FIDE ID"), _("national ID"), _("club rating")]
    for register in found.registers:
        headings += [register.name, f"{register.name} K"]
    rows: list[list[str | int | None]] = []
    for line in found.lines:
        row = [line.member.name, line.member.fide_id, line.member.national_id, line.own.rating if line.own else None]
        for listing in line.listed:
            row += [listing.rating or None, listing.factor or None] if listing else [None, None]
        rows.append(row)
    return table_response(headings, rows, f"{the_club.slug}-{of}-{found.month:%Y-%m}", kind, title=_("Ratings"))


@require_http_methods(["GET", "HEAD", "POST"])
def rating_method_edit(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Choose the club's rating method."""
    the_club = get_club_for_secretary(request.user, club)
    wanted = request.POST.get("method")
    if request.method == "POST" and wanted in RatingMethod.values:
        choose_rating_method(the_club, wanted)
        messages.success(request, _("All ratings are being recalculated."))
        return redirect("club_ratings", the_club.slug)
    context = {
        "club": the_club,
        "here": "ratings",
        "chosen": rating_method_of_club(the_club),
        "methods": [(method.value, method.label, RATING_METHOD_DESCRIPTIONS[method]) for method in RatingMethod],
    }
    return render(
        request, "tournaments/club_ratings/rating_method.html", context, status=422 if request.method == "POST" else 200
    )


def _sees(request: AuthenticatedRequest, club: Club, member: Member) -> bool:
    """Return True if the user may see the member's ratings under their name.

    Everyone may, unless the member refused publication; then only officers and the member.
    """
    if member.publication_consent != Member.Consent.REFUSED or member.user_id == request.user.pk:
        return True
    return bool(roles_in_club(request.user, club) & OFFICER_ROLES)


def _named(
    request: AuthenticatedRequest, club: Club, rows: Collection[RowWithMember]
) -> list[tuple[RowWithMember, str, bool]]:
    """Return each row with the member's name as the user may see it, and True if they may see more."""
    called = _called(request, club, [row.member for row in rows])
    return [(row, called[row.member.pk], _sees(request, club, row.member)) for row in rows]


def _called(request: AuthenticatedRequest, club: Club, members: Collection[Member]) -> dict[int, str]:
    """Return names by key. Namesakes get a birth year (for officers) or a number."""
    names = {each.pk: each.name if _sees(request, club, each) else public_name(each) for each in members}
    several = Counter(names.values())
    if len(several) == len(names):
        return names
    is_officer = bool(roles_in_club(request.user, club) & OFFICER_ROLES)
    told: Counter[str] = Counter()
    for member in members:
        name = names[member.pk]
        if several[name] > 1 and is_officer and member.birth_year:
            name = f"{name} ({member.birth_year})"
        told[name] += 1
        names[member.pk] = f"{name} · {told[name]}" if told[name] > 1 else name
    return names


def _kind(request: HttpRequest) -> str:
    kind = request.GET.get("kind", "")
    return kind if kind in TimeControlKind.values else TimeControlKind.STANDARD


def _side_by_side(histories: Mapping[str, RatingHistory]) -> list[tuple[object, list[int | None]]]:
    """Return the chart's data as a table: a row per month, the latest first, and a cell per person."""
    by_person = [dict(curve) for curve in histories.values()]
    months = sorted({month for curve in by_person for month in curve}, reverse=True)
    return [(month, [curve.get(month) for curve in by_person]) for month in months]
