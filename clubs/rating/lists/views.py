"""Pages of rating lists: searching them, bringing them in, and what they change for the club's members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter, get_club_for_secretary, may_import_for_all, roles_in
from clubs.models import Club, ListedPlayer, Member, RatingListImport, RatingRegister, Role, TimeKind, User
from clubs.rating.lists.changes import (
    Change,
    apply_changes,
    changes_for,
    claim,
    likeliest_first,
    not_on,
    numbers_for,
    without_number,
)
from clubs.rating.lists.csv_lists import KNOWN
from clubs.rating.lists.fetching import FETCH
from clubs.rating.lists.finding import find_players, registers_of
from clubs.rating.lists.forms import ClaimForm, FetchForm, ListConfirmForm, ListFileForm, RegisterForm
from clubs.rating.lists.listings import in_force
from clubs.rating.lists.looking import Look, description_of, is_described, is_to_come, look_through
from clubs.rating.lists.starting import (
    begin,
    fide_register,
    keep_file,
    kind_said_by,
    of_token,
    token_of,
    under_way,
)
from clubs.requests import OfficerRequest
from common.file_store.shelves import OnShelf
from common.jobs.queue import new_job, send
from common.jobs.standing import line_of
from common.jobs.waiting import soon
from common.models import Job
from common.problems import OfficerProblem
from common.tabular.written_down import NoTable, as_text

IMPORTS_SHOWN = 8


@require_safe
def rating_lists(request: OfficerRequest, club: str) -> HttpResponse:
    """Search the lists; what was brought in last."""
    the_club = get_club_for_arbiter(request.user, club)
    query = request.GET.get("q", "").strip()
    registers = registers_of(the_club)
    for register in registers:
        register.in_force = in_force(register)  # type: ignore[attr-defined]
    context = {
        "club": the_club,
        "query": query,
        "found": find_players(registers, query) if query else None,
        "registers": registers,
        "imports": RatingListImport.objects.filter(register__in=registers).select_related("job", "register")[
            :IMPORTS_SHOWN
        ],
        "may_edit": Role.SECRETARY in roles_in(request.user, the_club),
        "may_fetch": {each.pk for each in _registers_to_fetch(request.user, the_club)},
    }
    return render(request, "clubs/rating/lists/rating_lists.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rating_list_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Bring a list in: looked through first, refused with examples, or asked about where there are doubts."""
    the_club = get_club_for_secretary(request.user, club)
    registers = _registers_to_import(request.user, the_club)
    if "token" in request.POST:
        return _confirmed(request, the_club, registers)
    form = ListFileForm(request.POST or None, request.FILES or None, registers=registers)
    if request.method == "POST" and form.is_valid():
        file, register, kind = (form.cleaned_data[name] for name in ("file", "register", "kind"))
        kept = keep_file(file.chunks())
        kind = kind or kind_said_by(file.name)
        try:
            read_as = as_text(kept) if register.club_id is not None else ""
        except NoTable as problem:
            kept.remove()
            form.add_error("file", str(problem))
            context = {"club": the_club, "form": form, "registers": registers}
            return render(request, "clubs/rating/lists/rating_list_new.html", context, status=422)
        if read_as:
            messages.info(request, _("Read as %(format)s.") % {"format": read_as.upper()})
        is_new = not is_described(register)
        if is_new:
            register.columns = description_of(kept)
        if not is_described(register):
            kept.remove()
            said = _("The columns of “%(list)s” are not described yet, and the headings of this file do not say them.")
            form.add_error("file", said % {"list": register.name})
            context = {"club": the_club, "form": form, "registers": registers, "undescribed": register}
            return render(request, "clubs/rating/lists/rating_list_new.html", context, status=422)
        look = look_through(register, kept, file.name, kind=kind, month=form.cleaned_data["month"])
        if is_new and not look.refused:
            register.save(update_fields=["columns"])
            messages.info(request, _("Its columns were taken from its headings."))
        if look.refused:
            kept.remove()
            for fault in look.refused:
                form.add_error("file", " ".join((fault.message, *fault.examples)))
        elif look.doubts or look.is_older or look.month is None:
            token = token_of(kept, register, file.name, kind, by=request.user)
            asked = ListConfirmForm(
                initial={
                    "token": token,
                    "month": f"{look.month:%Y-%m}" if look.month else "",
                    "despite_newer": "history",
                }
            )
            return _confirm_page(request, the_club, asked, look, register)
        else:
            return _begun(request, the_club, register, kept, file.name, kind=kind, month=look.month)
    context = {"club": the_club, "form": form, "registers": registers}
    return render(request, "clubs/rating/lists/rating_list_new.html", context, status=422 if form.errors else 200)


@require_safe
def rating_list_import(request: OfficerRequest, club: str, listed: int) -> HttpResponse:
    """How far an import is, and what was wrong in its file."""
    the_club = get_club_for_arbiter(request.user, club)
    found = get_object_or_404(
        RatingListImport.objects.select_related("job", "register"), pk=listed, register__in=registers_of(the_club)
    )
    line = line_of(found.job)
    context = {
        "club": the_club,
        "listed": found,
        "in_force": in_force(found.register),
        "line": line,
        "failed": found.job.state == Job.State.FAILED,
    }
    is_polled = request.htmx.target == "progress"
    template = (
        "clubs/rating/lists/rating_list_import.html#progress"
        if is_polled
        else "clubs/rating/lists/rating_list_import.html"
    )
    return render(request, template, context)


@require_http_methods(["GET", "HEAD", "POST"])
def register_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Describe a national list."""
    the_club = get_club_for_secretary(request.user, club)
    return _register_form(request, the_club, RatingRegister())


@require_http_methods(["GET", "HEAD", "POST"])
def register_edit(request: OfficerRequest, club: str, register: int) -> HttpResponse:
    """Describe a national list another way."""
    the_club = get_club_for_secretary(request.user, club)
    return _register_form(request, the_club, get_object_or_404(RatingRegister, club=the_club, pk=register))


@require_http_methods(["GET", "HEAD", "POST"])
def register_fetch(request: OfficerRequest, club: str, register: int) -> HttpResponse:
    """Whence a list is fetched by itself; saved, it is fetched at once."""
    the_club = get_club_for_secretary(request.user, club)
    the_register = next((each for each in _registers_to_fetch(request.user, the_club) if each.pk == register), None)
    if the_register is None:
        raise Http404
    form = FetchForm(request.POST or None, instance=the_register)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        if not saved.fetched_from:
            return redirect("rating_lists", club)
        told = {"register": saved.pk, "next": reverse("rating_lists", args=[club])}
        return soon(request, new_job(FETCH, by=request.user, club=the_club, key=f"list {saved.pk}", arguments=told))
    context = {"club": the_club, "form": form, "register": the_register}
    return render(request, "clubs/rating/lists/register_fetch.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def rating_changes(request: OfficerRequest, club: str, register: int) -> HttpResponse:
    """Old, new and difference for every member on the list; those ticked are changed."""
    the_club = get_club_for_secretary(request.user, club)
    the_register = next((each for each in registers_of(the_club) if each.pk == register), None)
    if the_register is None:
        raise Http404
    kind = request.POST.get("kind") or request.GET.get("kind", "")
    kind = kind if kind in TimeKind.values else TimeKind.STANDARD
    if request.method == "POST":
        shown = set(request.POST.getlist("change"))
        changed = apply_changes(the_club, the_register, kind, shown, by=request.user)
        said = ngettext("%(n)s change is made.", "%(n)s changes are made.", changed)
        messages.success(request, said % {"n": changed})
        if any(":fide_id:" in key or ":national_id:" in key for key in shown):
            messages.info(request, _("Of those whose ID is known now, the rest is offered below."))
        if changed < len(shown):
            messages.warning(request, _("Some had changed meanwhile, and are shown anew."))
        return redirect(f"{request.path}?kind={kind}")
    without = without_number(the_club, the_register)
    changes = [*numbers_for(the_register, without), *changes_for(the_club, the_register, kind)]
    context = {
        "club": the_club,
        "register": the_register,
        "in_force": in_force(the_register),
        "kind": kind,
        "kinds": TimeKind.choices,
        "changes": changes,
        "without": _not_among(without, changes),
        "not_listed": not_on(the_register, the_club),
    }
    return render(request, "clubs/rating/lists/rating_changes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def listed_is_member(request: OfficerRequest, club: str, player: int) -> HttpResponse:
    """Say which member of the book a player of a list is."""
    the_club = get_club_for_secretary(request.user, club)
    listed = get_object_or_404(
        ListedPlayer.objects.select_related("register"), register__in=registers_of(the_club), pk=player
    )
    form = ClaimForm(request.POST or None, members=likeliest_first(the_club, listed))
    if request.method == "POST" and form.is_valid():
        try:
            claim(the_club, form.cleaned_data["member"], listed, by=request.user)
        except OfficerProblem as problem:
            form.add_error(None, str(problem))
        else:
            said = _("%(name)s has the ID %(number)s now.")
            messages.success(request, said % {"name": form.cleaned_data["member"].name, "number": listed.number})
            return redirect("rating_changes", club, listed.register_id)
    context = {"club": the_club, "player": listed, "form": form}
    status = 422 if form.errors else 200
    return render(request, "clubs/rating/lists/listed_is_member.html", context, status=status)


def _not_among(members: list[Member], changes: list[Change]) -> list[Member]:
    """Those of whom nobody on the list was found."""
    found = {change.member.pk for change in changes}
    return [member for member in members if member.pk not in found]


def _confirmed(request: OfficerRequest, club: Club, registers: list[RatingRegister]) -> HttpResponse:
    kept = of_token(request.POST["token"], by=request.user)
    register = next((each for each in registers if kept and each.pk == kept[1]), None)
    if kept is None or register is None:
        messages.error(request, _("The file is not here any more. Choose it again."))
        return redirect("rating_list_new", club.slug)
    file, _key, filename, kind = kept
    form = ListConfirmForm(request.POST)
    month = form.cleaned_data["month"] if form.is_valid() else None
    if month is not None and is_to_come(month):
        form.add_error("month", _("This month is still to come: was the year mistyped?"))
        month = None
    look = look_through(register, file, filename, kind=kind, month=month, is_sure=month is not None)
    despite = request.POST.get("despite_newer", "")
    if month is None or (look.is_older and despite not in ("history", "replace")):
        return _confirm_page(request, club, form, look, register)
    return _begun(
        request,
        club,
        register,
        file,
        filename,
        kind=kind,
        month=month,
        replaces_newer=look.is_older and despite == "replace",
        history_only=look.is_older and despite == "history",
    )


def _confirm_page(
    request: OfficerRequest, club: Club, form: ListConfirmForm, look: Look, register: RatingRegister
) -> HttpResponse:
    context = {"club": club, "form": form, "look": look, "register": register}
    status = 422 if form.errors else 200
    return render(request, "clubs/rating/lists/rating_list_confirm.html", context, status=status)


def _begun(
    request: OfficerRequest, club: Club, register: RatingRegister, file: OnShelf, filename: str, **what: Any
) -> HttpResponse:
    listed = under_way(register)
    if listed is None:
        listed = begin(register, file, filename, by=request.user, **what)
        send(listed.job)
    else:
        file.remove()
        messages.warning(request, _("Another file of this list is being brought in. Wait for its end, or stop it."))
    return redirect("rating_list_import", club.slug, listed.pk)


def _registers_to_import(user: User, club: Club) -> list[RatingRegister]:
    own = list(RatingRegister.objects.filter(club=club))
    return [fide_register(), *own] if may_import_for_all(user) else own


def _registers_to_fetch(user: User, club: Club) -> list[RatingRegister]:
    """Whose address he may write down: those of his club, and FIDE's where he brings it in for all."""
    if Role.SECRETARY not in roles_in(user, club):
        return []
    return [each for each in registers_of(club) if each.club_id or may_import_for_all(user)]


def _register_form(request: OfficerRequest, club: Club, register: RatingRegister) -> HttpResponse:
    known = KNOWN.get(request.GET.get("like", ""), {})
    begin_with = {f"column_{name}": heading for name, heading in known.items()}
    form = RegisterForm(request.POST or None, instance=register, club=club, initial=begin_with)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, _("%(name)s can be brought in now.") % {"name": saved.name})
        return redirect("rating_list_new", club.slug)
    return render(
        request,
        "clubs/rating/lists/register_form.html",
        {"club": club, "form": form, "known": KNOWN},
        status=422 if form.errors else 200,
    )
