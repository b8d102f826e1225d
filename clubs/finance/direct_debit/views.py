"""Pages of direct debits, all the treasurer's alone: they hold members' bank accounts."""

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
from clubs.finance.direct_debit.collecting import book_collection, collect, collectable, take_collection_back, why_not
from clubs.finance.direct_debit.forms import ArrivedForm, CollectionForm, MandateForm, suggested_day
from clubs.finance.direct_debit.mandates import end_mandate, give_mandate, mandates_by_member, suggested_reference
from clubs.finance.direct_debit.sepa_file import sepa_file
from clubs.frame import frame
from clubs.models import Club, Collection, Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest, key_of
from common.problems import OfficerProblem
from common.tabular.answers import file_answer

SHOWN = 30


@require_safe
def debits(request: OfficerRequest, club: str) -> HttpResponse:
    """Who has a mandate, and the collections made."""
    the_club = get_club_for_treasurer(request.user, club)
    mandates = mandates_by_member(the_club)
    members = the_club.members.present().filter(erased_at=None)
    context = frame(request.user, the_club, "dues") | {
        "with_mandate": [(member, mandates[member.pk]) for member in members if member.pk in mandates],
        "without": [member for member in members if member.pk not in mandates],
        "collections": the_club.collections.prefetch_related("lines")[:SHOWN],
        "why_not": why_not(the_club),
    }
    return render(request, "clubs/finance/direct_debit/debits.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def mandate_edit(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """Write down a member's mandate, or the one that takes its place."""
    person = get_member_for_treasurer(request.user, club, member)
    held = person.mandates.filter(ended_on=None).first()
    form = MandateForm(
        request.POST or None,
        initial={
            "reference": suggested_reference(person),
            "holder": f"{person.given_name} {person.family_name}".strip(),
        },
    )
    if request.method == "POST" and form.is_valid():
        try:
            give_mandate(person, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            record_viewing(person.club, Viewing.What.CHANGE, by=request.user, member=person, fields=["mandate"])
            messages.success(request, _("The mandate is kept."))
            return redirect("debits", club)
    context = frame(request.user, person.club, "dues") | {"member": person, "held": held, "form": form}
    return render(request, "clubs/finance/direct_debit/mandate.html", context, status=422 if form.errors else 200)


@require_POST
def mandate_end(request: OfficerRequest, club: str, member: int) -> HttpResponse:
    """End a member's mandate today."""
    person = get_member_for_treasurer(request.user, club, member)
    end_mandate(person, timezone.localdate())
    record_viewing(person.club, Viewing.What.CHANGE, by=request.user, member=person, fields=["mandate"])
    messages.success(request, _("The mandate has ended: nothing more is collected by it."))
    return redirect("debits", club)


@require_http_methods(["GET", "HEAD", "POST"])
def collection_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Collect what is due by a day from those who are ticked; the day in the address shows who that is."""
    the_club = get_club_for_treasurer(request.user, club)
    values = request.POST if request.method == "POST" else request.GET
    form = CollectionForm({"on": values.get("on", suggested_day()), "form_key": values.get("form_key", uuid.uuid4())})
    if form.is_valid() and request.method == "POST":
        ticked = {key_of(pk) for pk in request.POST.getlist("member")}
        try:
            made = collect(the_club, ticked, by=request.user, **form.cleaned_data)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            return redirect("collection", club, made.pk)
    found = collectable(the_club, on=form.cleaned_data["on"]) if "on" in form.cleaned_data else []
    context = frame(request.user, the_club, "dues") | {
        "form": form,
        "collectable": found,
        "total": sum(each.amount for each in found),
        "why_not": why_not(the_club),
    }
    return render(
        request, "clubs/finance/direct_debit/collection_new.html", context, status=422 if form.errors else 200
    )


@require_safe
def collection(request: OfficerRequest, club: str, collection: int) -> HttpResponse:
    """What a collection holds, its file, and booking it when it has arrived."""
    the_club = get_club_for_treasurer(request.user, club)
    return _collection_page(request, _collection_of(the_club, collection), ArrivedForm())


@require_safe
def collection_file(request: OfficerRequest, club: str, collection: int) -> HttpResponse:
    """The file for the bank. Nobody gets one of a collection that was taken back."""
    the_club = get_club_for_treasurer(request.user, club)
    the_collection = _collection_of(the_club, collection)
    if the_collection.taken_back_at or the_collection.lines.filter(iban="").exists():
        raise Http404
    if problem := why_not(the_club):
        messages.error(request, problem)
        return redirect("collection", club, collection)
    data = sepa_file(the_collection)
    record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, collection=the_collection.pk)
    return file_answer(data, f"{the_club.slug}-{the_collection.collected_on}-{the_collection.pk}", "xml")


@require_POST
def collection_book(request: OfficerRequest, club: str, collection: int) -> HttpResponse:
    """Book a collection's lines as payments."""
    the_club = get_club_for_treasurer(request.user, club)
    the_collection = _collection_of(the_club, collection)
    form = ArrivedForm(request.POST)
    if form.is_valid():
        try:
            count = book_collection(the_collection, on=form.cleaned_data["on"], by=request.user)
        except OfficerProblem as problem:
            form.add_error(None, problem.message)
        else:
            said = ngettext("%(n)s payment is booked.", "%(n)s payments are booked.", count) % {"n": count}
            messages.success(request, said)
            return redirect("collection", club, collection)
    return _collection_page(request, the_collection, form)


@require_POST
def collection_take_back(request: OfficerRequest, club: str, collection: int) -> HttpResponse:
    """Say that the file was never given to the bank."""
    the_club = get_club_for_treasurer(request.user, club)
    try:
        take_collection_back(_collection_of(the_club, collection))
    except OfficerProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("Taken back. Delete the file: the bank must not get it."))
    return redirect("collection", club, collection)


def _collection_of(club: Club, pk: int) -> Collection:
    return get_object_or_404(Collection.objects.select_related("club", "made_by"), club=club, pk=pk)


def _collection_page(request: OfficerRequest, the_collection: Collection, form: ArrivedForm) -> HttpResponse:
    lines = list(the_collection.lines.select_related("member", "entry"))
    form.initial.setdefault("on", min(the_collection.collected_on, timezone.localdate()))
    context = frame(request.user, the_collection.club, "dues") | {
        "collection": the_collection,
        "lines": lines,
        "total": sum(line.amount for line in lines),
        "booked": sum(1 for line in lines if line.entry_id),
        "form": form,
        "is_ahead": the_collection.collected_on > timezone.localdate(),
        "has_file": not the_collection.taken_back_at and all(line.iban for line in lines),
    }
    return render(request, "clubs/finance/direct_debit/collection.html", context, status=422 if form.errors else 200)
