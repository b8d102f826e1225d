"""Views of direct debits, for the treasurer only: they show members' bank accounts."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_treasurer, get_member_for_treasurer
from clubs.finance.direct_debit.debit_collections import (
    book_collected_payments,
    cancel_debit_collection,
    collection_blocker,
    create_debit_collection,
    find_collectable_amounts,
)
from clubs.finance.direct_debit.forms import (
    CollectionArrivalForm,
    DebitCollectionForm,
    DirectDebitMandateForm,
    suggested_collection_date,
)
from clubs.finance.direct_debit.mandates import (
    active_mandates_by_member,
    end_mandate,
    record_mandate,
    suggested_mandate_reference,
)
from clubs.finance.direct_debit.sepa_file import render_sepa_file
from clubs.models import Club, DirectDebitCollection, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest, parse_key
from common.problems import OfficerProblem
from common.tabular.file_responses import file_response

MAX_COLLECTIONS_SHOWN = 30


@require_safe
def direct_debit_overview(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show members with and without a mandate, and the collections."""
    the_club = get_club_for_treasurer(request.user, club)
    mandates = active_mandates_by_member(the_club)
    members = the_club.members.exclude_former().filter(erased_at=None)
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "with_mandate": [(member, mandates[member.pk]) for member in members if member.pk in mandates],
        "without": [member for member in members if member.pk not in mandates],
        "collections": the_club.collections.prefetch_related("lines")[:MAX_COLLECTIONS_SHOWN],
        "why_not": collection_blocker(the_club),
    }
    return render(request, "clubs/finance/direct_debit/direct_debits.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def mandate_edit(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """Record a member's mandate, or a new one that replaces it."""
    person = get_member_for_treasurer(request.user, club, member)
    held = person.mandates.filter(ended_on=None).first()
    form = DirectDebitMandateForm(
        request.POST or None,
        initial={
            "reference": suggested_mandate_reference(person),
            "holder": f"{person.given_name} {person.family_name}".strip(),
        },
    )
    if request.method == "POST" and form.is_valid():
        try:
            record_mandate(person, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            log_data_access(
                person.club,
                PersonalDataAccess.DataAccessKind.CHANGE,
                by=request.user,
                member=person,
                fields=["mandate"],
            )
            messages.success(request, _("Mandate saved."))
            return redirect("direct_debit_overview", club)
    context = club_page_context(request.user, person.club, "dues_overview") | {
        "member": person,
        "held": held,
        "form": form,
    }
    return render(request, "clubs/finance/direct_debit/mandate.html", context, status=422 if form.errors else 200)


@require_POST
def mandate_end(request: AuthenticatedRequest, club: str, member: int) -> HttpResponse:
    """End a member's mandate today."""
    person = get_member_for_treasurer(request.user, club, member)
    end_mandate(person, timezone.localdate())
    log_data_access(
        person.club, PersonalDataAccess.DataAccessKind.CHANGE, by=request.user, member=person, fields=["mandate"]
    )
    messages.success(request, _("Mandate ended. It can no longer be used to collect dues."))
    return redirect("direct_debit_overview", club)


@require_http_methods(["GET", "HEAD", "POST"])
def debit_collection_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Create a collection of the amounts that the ticked members owe by a certain day, which is in the URL."""
    the_club = get_club_for_treasurer(request.user, club)
    values = request.POST if request.method == "POST" else request.GET
    form = DebitCollectionForm(
        {"on": values.get("on", suggested_collection_date()), "form_key": values.get("form_key", uuid.uuid4())}
    )
    if form.is_valid() and request.method == "POST":
        ticked = {parse_key(pk) for pk in request.POST.getlist("member")}
        try:
            made = create_debit_collection(the_club, ticked, by=request.user, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            return redirect("debit_collection_detail", club, made.pk)
    found = find_collectable_amounts(the_club, on=form.cleaned_data["on"]) if "on" in form.cleaned_data else []
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "form": form,
        "collectable": found,
        "total": sum(each.amount for each in found),
        "why_not": collection_blocker(the_club),
    }
    return render(
        request, "clubs/finance/direct_debit/collection_new.html", context, status=422 if form.errors else 200
    )


@require_safe
def debit_collection_detail(request: AuthenticatedRequest, club: str, collection: int) -> HttpResponse:
    """Show a collection, with its file and the form for booking it."""
    the_club = get_club_for_treasurer(request.user, club)
    return _collection_page(request, _collection_of(the_club, collection), CollectionArrivalForm())


@require_safe
def debit_collection_file(request: AuthenticatedRequest, club: str, collection: int) -> HttpResponse:
    """Return the file for the bank. A cancelled collection has none."""
    the_club = get_club_for_treasurer(request.user, club)
    the_collection = _collection_of(the_club, collection)
    if the_collection.taken_back_at or the_collection.lines.filter(iban="").exists():
        raise Http404
    if problem := collection_blocker(the_club):
        messages.error(request, problem)
        return redirect("debit_collection_detail", club, collection)
    data = render_sepa_file(the_collection)
    log_data_access(
        the_club, PersonalDataAccess.DataAccessKind.LIST_EXPORT, by=request.user, collection=the_collection.pk
    )
    return file_response(data, f"{the_club.slug}-{the_collection.collected_on}-{the_collection.pk}", "xml")


@require_POST
def debit_collection_book(request: AuthenticatedRequest, club: str, collection: int) -> HttpResponse:
    """Book a collection's lines as payments."""
    the_club = get_club_for_treasurer(request.user, club)
    the_collection = _collection_of(the_club, collection)
    form = CollectionArrivalForm(request.POST)
    if form.is_valid():
        try:
            count = book_collected_payments(the_collection, on=form.cleaned_data["on"], by=request.user)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            said = ngettext("%(n)s payment recorded.", "%(n)s payments recorded.", count) % {"n": count}
            messages.success(request, said)
            return redirect("debit_collection_detail", club, collection)
    return _collection_page(request, the_collection, form)


@require_POST
def debit_collection_cancel(request: AuthenticatedRequest, club: str, collection: int) -> HttpResponse:
    """Cancel a collection whose file was never sent to the bank."""
    the_club = get_club_for_treasurer(request.user, club)
    try:
        cancel_debit_collection(_collection_of(the_club, collection))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Collection cancelled. Delete the file and don't send it to the bank."))
    return redirect("debit_collection_detail", club, collection)


def _collection_of(club: Club, pk: int) -> DirectDebitCollection:
    return get_object_or_404(DirectDebitCollection.objects.select_related("club", "made_by"), club=club, pk=pk)


def _collection_page(
    request: AuthenticatedRequest, the_collection: DirectDebitCollection, form: CollectionArrivalForm
) -> HttpResponse:
    lines = list(the_collection.lines.select_related("member", "entry"))
    form.initial.setdefault("on", min(the_collection.collected_on, timezone.localdate()))
    context = club_page_context(request.user, the_collection.club, "dues_overview") | {
        "collection": the_collection,
        "lines": lines,
        "total": sum(line.amount for line in lines),
        "booked": sum(1 for line in lines if line.entry_id),
        "form": form,
        "is_ahead": the_collection.collected_on > timezone.localdate(),
        "has_file": not the_collection.taken_back_at and all(line.iban for line in lines),
    }
    return render(request, "clubs/finance/direct_debit/collection.html", context, status=422 if form.errors else 200)
