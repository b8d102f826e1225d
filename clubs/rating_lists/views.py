"""Pages of rating lists: searching them, bringing them in, and what they change for the club's members."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter, get_club_for_secretary, may_import_for_all, roles_in
from clubs.jobs.queue import send
from clubs.jobs.standing import line_of
from clubs.models import Club, Job, RatingListImport, RatingRegister, Role, TimeKind, User
from clubs.rating_lists.changes import apply_changes, changes_for
from clubs.rating_lists.finding import find_players, registers_of
from clubs.rating_lists.forms import ListFileForm, RegisterForm
from clubs.rating_lists.starting import fide_register, keep_list, under_way
from clubs.requests import OfficerRequest, key_of

IMPORTS_SHOWN = 8


@require_safe
def rating_lists(request: OfficerRequest, club: str) -> HttpResponse:
    """Search the lists; what was brought in last."""
    the_club = get_club_for_arbiter(request.user, club)
    query = request.GET.get("q", "").strip()
    registers = registers_of(the_club)
    context = {
        "club": the_club,
        "query": query,
        "found": find_players(registers, query) if query else None,
        "registers": registers,
        "imports": RatingListImport.objects.filter(register__in=registers).select_related("job", "register")[
            :IMPORTS_SHOWN
        ],
        "may_edit": Role.SECRETARY in roles_in(request.user, the_club),
    }
    return render(request, "clubs/rating_lists/rating_lists.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rating_list_new(request: OfficerRequest, club: str) -> HttpResponse:
    """Bring a list in."""
    the_club = get_club_for_secretary(request.user, club)
    registers = _registers_to_import(request.user, the_club)
    form = ListFileForm(request.POST or None, request.FILES or None, registers=registers)
    if request.method == "POST" and form.is_valid():
        file, register = form.cleaned_data["file"], form.cleaned_data["register"]
        listed = under_way(register)
        if listed is None:
            listed = keep_list(register, file.chunks(), file.name, kind=form.cleaned_data["kind"], by=request.user)
            send(listed.job)
        else:
            messages.warning(request, _("Another file of this list is being brought in. Wait for its end, or stop it."))
        return redirect("rating_list_import", the_club.slug, listed.pk)
    context = {"club": the_club, "form": form, "registers": registers}
    return render(request, "clubs/rating_lists/rating_list_new.html", context, status=422 if form.errors else 200)


@require_safe
def rating_list_import(request: OfficerRequest, club: str, listed: int) -> HttpResponse:
    """How far an import is, and what was wrong in its file."""
    the_club = get_club_for_arbiter(request.user, club)
    found = get_object_or_404(
        RatingListImport.objects.select_related("job", "register"), pk=listed, register__in=registers_of(the_club)
    )
    line = line_of(found.job)
    context = {"club": the_club, "listed": found, "line": line, "failed": found.job.state == Job.State.FAILED}
    is_polled = request.htmx.target == "progress"
    template = (
        "clubs/rating_lists/rating_list_import.html#progress"
        if is_polled
        else "clubs/rating_lists/rating_list_import.html"
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
def rating_changes(request: OfficerRequest, club: str, register: int) -> HttpResponse:
    """Old, new and difference for every member on the list; those ticked are changed."""
    the_club = get_club_for_secretary(request.user, club)
    the_register = next((each for each in registers_of(the_club) if each.pk == register), None)
    if the_register is None:
        raise PermissionDenied
    kind = request.POST.get("kind") or request.GET.get("kind", "")
    kind = kind if kind in TimeKind.values else TimeKind.STANDARD
    if request.method == "POST":
        shown = dict(_pair(text) for text in request.POST.getlist("change"))
        changed = apply_changes(the_club, the_register, kind, shown, by=request.user)
        said = ngettext("%(n)s rating is changed.", "%(n)s ratings are changed.", len(changed))
        messages.success(request, said % {"n": len(changed)})
        if len(changed) < len(shown):
            messages.warning(request, _("Some had changed meanwhile, and are shown anew."))
        return redirect(f"{request.path}?kind={kind}")
    changes = changes_for(the_club, the_register, kind)
    context = {
        "club": the_club,
        "register": the_register,
        "kind": kind,
        "kinds": TimeKind.choices,
        "changes": changes,
    }
    return render(request, "clubs/rating_lists/rating_changes.html", context)


def _registers_to_import(user: User, club: Club) -> list[RatingRegister]:
    own = list(RatingRegister.objects.filter(club=club))
    return [fide_register(), *own] if may_import_for_all(user) else own


def _register_form(request: OfficerRequest, club: Club, register: RatingRegister) -> HttpResponse:
    form = RegisterForm(request.POST or None, instance=register, club=club)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, _("%(name)s can be brought in now.") % {"name": saved.name})
        return redirect("rating_list_new", club.slug)
    return render(
        request,
        "clubs/rating_lists/register_form.html",
        {"club": club, "form": form},
        status=422 if form.errors else 200,
    )


def _pair(text: str) -> tuple[int, int]:
    """`member:rating` as a ticked box sends it; nothing that fits anybody for anything else."""
    member, _colon, rating = text.partition(":")
    return key_of(member), key_of(rating)
