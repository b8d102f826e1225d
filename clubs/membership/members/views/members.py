"""Pages of the member list, a single member and the user's own member record."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.access import (
    get_club_for_officer,
    get_club_for_secretary,
    get_member_for_officer,
    get_member_for_secretary,
    get_member_for_treasurer,
    get_own_member,
)
from clubs.finance.dues.balances import balance_of_member, member_account_lines
from clubs.finance.dues.payment_qr_codes import payment_qr_code_data_uri
from clubs.membership.members.forms import MemberForm, MemberGroupForm, OwnMemberDataForm, SavedMemberFilterForm
from clubs.membership.members.member_list import (
    AGE_FILTERS,
    DUES_FILTERS,
    NOT_FORMER,
    RATING_FILTERS,
    MemberFilters,
    list_members,
)
from clubs.membership.members.membership_form import FamilyAndDatesForm
from clubs.models import (
    ADULT_AGE,
    Club,
    Member,
    MembershipApplication,
    PersonalDataAccess,
    RatingListPlayer,
    SavedMemberFilter,
)
from clubs.page_context import club_page_context
from clubs.privacy import DataCategory, log_data_access
from clubs.rating.lists.member_changes import find_similar_members
from clubs.rating.lists.member_listings import save_listings_of_members
from clubs.rating.lists.player_search import registers_of_club
from clubs.request_types import AuthenticatedRequest, parse_key
from common.signals import ChangeKind, publish

MEMBERS_PER_PAGE = 100
MAX_LOG_LINES = 200


@require_safe
@vary_on_headers("HX-Target")
def member_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the member list with search and filters, which can be saved."""
    the_club = get_club_for_officer(request.user, club)
    context = club_page_context(request.user, the_club, "members")
    filters = MemberFilters.from_form_values(request.GET)
    found = list_members(
        the_club, filters, today=timezone.localdate(), with_money=DataCategory.MONEY in context["sees"]
    )
    page = Paginator(found, MEMBERS_PER_PAGE).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "is_empty": not page.paginator.count and not the_club.members.exists(),
        "query": filters.q,
        "filters": filters,
        "choices": _filter_choices(the_club),
        "applications": the_club.applications.filter(state=MembershipApplication.State.OPEN).count(),
        "saved_views": SavedMemberFilter.objects.filter(user=request.user, club=the_club),
    }
    template = (
        "clubs/membership/members/member_list.html#found"
        if request.htmx.target == "found"
        else "clubs/membership/members/member_list.html"
    )
    return render(request, template, context)


@require_POST
def saved_filter_add(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Save the current filters under a name, replacing the user's filter of the same name."""
    the_club = get_club_for_officer(request.user, club)
    filters = MemberFilters.from_form_values(request.POST)
    form = SavedMemberFilterForm(request.POST)
    if form.is_valid():
        SavedMemberFilter.objects.update_or_create(
            user=request.user,
            club=the_club,
            name=form.cleaned_data["name"],
            defaults={"filters": filters.active_filters},
        )
        messages.success(request, _("View “%(name)s” saved.") % {"name": form.cleaned_data["name"]})
    else:
        messages.error(request, _("Enter a name of up to 60 characters for the view."))
    return redirect(reverse("member_list", args=[the_club.slug], query=filters.active_filters))


@require_POST
def saved_filter_remove(request: AuthenticatedRequest, club: str, view: int) -> HttpResponse:
    """Remove one of the user's saved filters."""
    the_club = get_club_for_officer(request.user, club)
    get_object_or_404(SavedMemberFilter, user=request.user, club=the_club, pk=view).delete()
    messages.success(request, _("View removed."))
    return redirect("member_list", the_club.slug)


@require_safe
def member_detail(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Show a member as far as the user's roles allow. Viewing contact data is logged."""
    person = get_member_for_officer(request.user, club, member)
    context = club_page_context(request.user, person.club, "members")
    sees = context["sees"]
    if DataCategory.CONTACT in sees:
        log_data_access(person.club, PersonalDataAccess.DataAccessKind.CONTACT, by=request.user, member=person)
    return _member_page(request, person, context, sees - {DataCategory.EMERGENCY})


@require_safe
def member_emergency_note(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Show the emergency note to officers other than the treasurer. Viewing it is logged."""
    person = get_member_for_officer(request.user, club, member)
    context = club_page_context(request.user, person.club, "members")
    if DataCategory.EMERGENCY not in context["sees"]:
        raise PermissionDenied
    log_data_access(person.club, PersonalDataAccess.DataAccessKind.EMERGENCY, by=request.user, member=person)
    return render(request, "clubs/membership/members/emergency_note.html", context | {"member": person})


@require_safe
def own_member_page(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the user's own data and dues."""
    person = get_own_member(request.user, club)
    return _member_page(request, person, club_page_context(request.user, person.club, "own"), frozenset(DataCategory))


@require_http_methods(["GET", "HEAD", "POST"])
def own_data_edit(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Edit the user's own contact data and consents."""
    person = get_own_member(request.user, club)
    form = OwnMemberDataForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        form.save_changed_fields()
        log_data_access(
            person.club,
            PersonalDataAccess.DataAccessKind.CHANGE,
            by=request.user,
            member=person,
            fields=list(form.changed_data),
        )
        messages.success(request, _("Your details have been saved."))
        _warn_of_names(request, form, person)
        return redirect("own_member_page", club)
    context = club_page_context(request.user, person.club, "own") | {"form": form}
    return render(request, "clubs/membership/members/own_data_edit.html", context, status=422 if form.errors else 200)


@require_POST
def own_reminders_edit(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Turn reminders by email on or off."""
    person = get_own_member(request.user, club)
    person.no_reminders = "no" in request.POST
    person.save(update_fields=["no_reminders"])
    messages.success(
        request,
        _("You won't get reminders by email.") if person.no_reminders else _("You'll get reminders by email."),
    )
    return redirect("own_member_page", club)


@require_http_methods(["GET", "HEAD", "POST"])
def member_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Add a member."""
    the_club = get_club_for_secretary(request.user, club)
    return _member_form(request, the_club, Member(federation=the_club.federation))


@require_http_methods(["GET", "HEAD", "POST"])
def member_add_from_rating_list(request: AuthenticatedRequest, club: str, player: int) -> HttpResponse:
    """Add a member from a rating list, with the list's data filled in.

    Redirects to the member's page if they are already a member.
    """
    the_club = get_club_for_secretary(request.user, club)
    listed = get_object_or_404(RatingListPlayer, register__in=registers_of_club(the_club), pk=player)
    field, number = ("national_id", listed.number) if listed.register.club_id else ("fide_id", parse_key(listed.number))
    known = the_club.members.filter(**{field: number}).first() if number else None
    if known is not None:
        messages.info(request, _("%(name)s is in the member list.") % {"name": known.name})
        return redirect("member_detail", club, known.pk)
    if request.method != "POST" and "new" not in request.GET and (same := find_similar_members(the_club, listed)):
        said = _("This player may be the member %(name)s.") % {"name": same[0].name}
        messages.warning(request, said)
        return redirect("listed_player_link_member", club, listed.pk)
    family, _comma, given = listed.name.partition(",")
    person = Member(
        family_name=family.strip()[:80],
        given_name=given.strip()[:80],
        federation=listed.federation or the_club.federation,
        title=listed.title,
        sex=listed.sex,
        birth_year=listed.birth_year,
        rating=listed.standard,
    )
    setattr(person, field, number)
    return _member_form(request, the_club, person)


@require_http_methods(["GET", "HEAD", "POST"])
def member_edit(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Edit a member."""
    person = get_member_for_secretary(request.user, club, member)
    if person.erased_at:
        return redirect("member_detail", club, person.pk)
    if request.method != "POST":
        log_data_access(person.club, PersonalDataAccess.DataAccessKind.CONTACT, by=request.user, member=person)
        if person.emergency_note:
            log_data_access(person.club, PersonalDataAccess.DataAccessKind.EMERGENCY, by=request.user, member=person)
    return _member_form(request, person.club, person)


@require_http_methods(["GET", "HEAD", "POST"])
def membership_dates_edit(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Edit a member's family payer, joining date and leaving date."""
    person = get_member_for_treasurer(request.user, club, member)
    if person.erased_at:
        return redirect("member_dues_account", club, person.pk)
    form = FamilyAndDatesForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        log_data_access(
            saved.club,
            PersonalDataAccess.DataAccessKind.CHANGE,
            by=request.user,
            member=saved,
            fields=form.changed_data,
        )
        messages.success(
            request, _("Saved. The season page shows how this changes the dues of %(name)s.") % {"name": saved.name}
        )
        return redirect("member_dues_account", club, saved.pk)
    context = club_page_context(request.user, person.club, "dues_overview") | {"form": form, "member": person}
    return render(
        request, "clubs/membership/members/membership_dates.html", context, status=422 if form.errors else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
def member_groups(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show, add and remove the club's groups."""
    the_club = get_club_for_secretary(request.user, club)
    removing = "remove" in request.POST
    form = MemberGroupForm(request.POST if request.method == "POST" and not removing else None, club=the_club)
    if removing:
        wanted = request.POST["remove"]
        the_club.groups.filter(pk=parse_key(wanted)).delete()
        messages.success(request, _("Group removed. Its members stay in the member list."))
        return redirect("member_groups", club)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Group “%(name)s” created.") % {"name": form.instance.name})
        return redirect("member_groups", club)
    context = club_page_context(request.user, the_club, "members") | {"form": form}
    return render(request, "clubs/membership/members/groups.html", context, status=422 if form.errors else 200)


@require_safe
def data_access_log(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show who recently viewed or changed personal data. Only the secretary can see this."""
    the_club = get_club_for_secretary(request.user, club)
    latest = the_club.data_accesses.select_related("member", "user")[:MAX_LOG_LINES]
    return render(
        request,
        "clubs/membership/members/data_access_log.html",
        club_page_context(request.user, the_club, "members") | {"viewings": latest},
    )


def _filter_choices(club: Club) -> dict[str, list[tuple[str, object]]]:
    return {
        "status": [
            (NOT_FORMER, _("all except former members")),
            ("all", _("everyone")),
            *((value, label) for value, label in Member.Status.choices),
        ],
        "group": [("", _("any")), *((str(group.pk), group.name) for group in club.groups.all())],
        "age": [("", _("any")), *((key, label) for key, (label, _low, _high) in AGE_FILTERS.items())],
        "rating": [("", _("any")), *((key, label) for key, (label, _low, _high) in RATING_FILTERS.items())],
        "dues": [("", _("any")), *DUES_FILTERS.items()],
    }


def _member_page(
    request: AuthenticatedRequest, person: Member, context: dict[str, object], shows: frozenset[DataCategory]
) -> HttpResponse:
    today = timezone.localdate()
    age = person.age_on(today)
    context |= {
        "member": person,
        "shows": shows,
        "age": age,
        "lacks_guardian": age is not None and age < ADULT_AGE and not person.guardian_name,
    }
    if DataCategory.CONTACT in shows:
        address = (person.contact_email_on(today) or person.guardian_email_on(today)).lower()
        context |= {
            "wants_no_letters": bool(address) and person.club.letter_opt_outs.filter(email=address).exists(),
            "last_letter": person.letters.filter(email=address, email_due="").select_related("letter").last(),
        }
    if DataCategory.MONEY in shows:
        balance, account = balance_of_member(person, today=today), person.accounts.order_by("pk").first()
        context |= {"balance": balance, "ledger": member_account_lines(person)}
        if account is not None:
            context["code"] = payment_qr_code_data_uri(person.club, balance.amount_due_now, account.payment_reference)
    return render(request, "clubs/membership/members/member_detail.html", context)


def _member_form(request: AuthenticatedRequest, club: Club, person: Member) -> HttpResponse:
    is_new, member_name = person.pk is None, person.name
    form = MemberForm(request.POST or None, instance=person, club=club)
    if request.method == "POST" and form.is_valid():
        saved = _saved(form)
        log_data_access(
            club, PersonalDataAccess.DataAccessKind.CHANGE, by=request.user, member=saved, fields=form.changed_data
        )
        messages.success(request, _("%(name)s is in the member list.") % {"name": saved.name})
        _warn_of_gaps(request, saved)
        _warn_of_names(request, form, saved)
        another = is_new and "another" in request.POST
        return redirect("member_new" if another else "member_list", club.slug)
    context = club_page_context(request.user, club, "members") | {
        "form": form,
        "is_new": is_new,
        "member_name": member_name,
    }
    return render(request, "clubs/membership/members/member_form.html", context, status=422 if form.errors else 200)


@transaction.atomic
def _saved(form: MemberForm) -> Member:
    is_new = form.instance.pk is None
    saved: Member = form.save()
    if {"born", "games_before"} & set(form.changed_data):
        publish(ChangeKind.RATED_MEMBERS, saved.club_id)
    if {"fide_id", "national_id"} & set(form.changed_data) or (is_new and (saved.fide_id or saved.national_id)):
        save_listings_of_members([saved])
    return saved


def _warn_of_names(request: AuthenticatedRequest, form: MemberForm | OwnMemberDataForm, person: Member) -> None:
    """Warn that refusing publication does not change names in events that have already begun. The arbiter decides
    there.
    """
    if "publication_consent" in form.changed_data and person.publication_consent == Member.Consent.REFUSED:
        said = _(
            "Earlier events still show the name of %(name)s. The secretary can replace it under "
            "“Initials in events…” on the member's page."
        )
        messages.warning(request, said % {"name": person.name})


def _warn_of_gaps(request: AuthenticatedRequest, person: Member) -> None:
    age = person.age_on(timezone.localdate())
    if (
        age is not None
        and age < ADULT_AGE
        and not (person.guardian_name and (person.guardian_phone or person.guardian_email))
    ):
        messages.warning(
            request, _("%(name)s is under 18. Add a guardian with a phone number or email.") % {"name": person.name}
        )
