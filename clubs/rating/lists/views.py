"""Pages of rating lists: search, import, and changes to members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_arbiter, get_club_for_secretary
from clubs.models import Club, Member, RatingListImport, RatingListPlayer, RatingRegister, Role, TimeControlKind, User
from clubs.rating.lists.forms import (
    LinkListedPlayerToMemberForm,
    RatingListDownloadForm,
    RatingListImportConfirmForm,
    RatingListUploadForm,
    RatingRegisterForm,
)
from clubs.rating.lists.import_jobs import (
    create_list_import,
    get_fide_register,
    load_upload_token,
    rating_kind_from_filename,
    sign_upload_token,
    store_list_file,
    unfinished_import,
)
from clubs.rating.lists.list_inspection import (
    ListInspection,
    detect_list_columns,
    has_column_description,
    inspect_list,
    is_future_month,
)
from clubs.rating.lists.member_changes import (
    MemberDataChange,
    apply_member_changes,
    find_list_ids,
    find_member_changes,
    link_member_to_listed_player,
    members_not_on_list,
    members_without_list_id,
    rank_member_candidates,
)
from clubs.rating.lists.member_listings import current_list_months
from clubs.rating.lists.national_lists import KNOWN_LIST_FORMATS
from clubs.rating.lists.player_search import find_listed_players, registers_of_club
from clubs.rating.lists.scheduled_download import FETCH_LISTS_TASK
from clubs.request_types import AuthenticatedRequest
from clubs.roles import can_import_shared_lists, roles_in_club
from common.file_store.stores import StoredFileHandle
from common.jobs.queue import create_job, enqueue_job
from common.jobs.redirects import enqueue_and_redirect
from common.jobs.status import job_summary
from common.models import Job
from common.problems import OfficerProblem
from common.tabular.text_conversion import UnconvertibleFile, convert_file_to_text

MAX_IMPORTS_SHOWN = 8


@require_safe
def rating_list_overview(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Search the rating lists, and show the latest imports."""
    the_club = get_club_for_arbiter(request.user, club)
    query = request.GET.get("q", "").strip()
    registers = registers_of_club(the_club)
    for register in registers:
        register.in_force = current_list_months(register)  # type: ignore[attr-defined]
    context = {
        "club": the_club,
        "query": query,
        "found": find_listed_players(registers, query) if query else None,
        "registers": registers,
        "imports": RatingListImport.objects.filter(register__in=registers).select_related("job", "register")[
            :MAX_IMPORTS_SHOWN
        ],
        "may_edit": Role.SECRETARY in roles_in_club(request.user, the_club),
        "may_fetch": {each.pk for each in _registers_to_fetch(request.user, the_club)},
    }
    return render(request, "clubs/rating/lists/rating_lists.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rating_list_upload(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Upload a list. After a check, it is imported, refused with examples of its faults, or shown for confirmation."""
    the_club = get_club_for_secretary(request.user, club)
    registers = _registers_to_import(request.user, the_club)
    if "token" in request.POST:
        return _confirmed(request, the_club, registers)
    form = RatingListUploadForm(request.POST or None, request.FILES or None, registers=registers)
    if request.method == "POST" and form.is_valid():
        file, register, kind = (form.cleaned_data[name] for name in ("file", "register", "kind"))
        kept = store_list_file(file.chunks())
        kind = kind or rating_kind_from_filename(file.name)
        try:
            read_as = convert_file_to_text(kept) if register.club_id is not None else ""
        except UnconvertibleFile as problem:
            kept.delete_file()
            form.add_error("file", str(problem))
            context = {"club": the_club, "form": form, "registers": registers}
            return render(request, "clubs/rating/lists/rating_list_new.html", context, status=422)
        if read_as:
            messages.info(request, _("We read the file as %(format)s.") % {"format": read_as.upper()})
        is_new = not has_column_description(register)
        if is_new:
            register.columns = detect_list_columns(kept)
        if not has_column_description(register):
            kept.delete_file()
            said = _(
                "The columns of “%(list)s” aren't set up yet, and we couldn't detect them from this file's headings."
            )
            form.add_error("file", said % {"list": register.name})
            context = {"club": the_club, "form": form, "registers": registers, "undescribed": register}
            return render(request, "clubs/rating/lists/rating_list_new.html", context, status=422)
        look = inspect_list(register, kept, file.name, kind=kind, month=form.cleaned_data["month"])
        if is_new and not look.refusals:
            register.save(update_fields=["columns"])
            messages.info(request, _("We detected the columns from the headings."))
        if look.refusals:
            kept.delete_file()
            for fault in look.refusals:
                form.add_error("file", " ".join((fault.message, *fault.examples)))
        elif look.doubts or look.is_older or look.month is None:
            token = sign_upload_token(kept, register, file.name, kind, by=request.user)
            asked = RatingListImportConfirmForm(
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
def rating_list_import_progress(request: AuthenticatedRequest, club: str, listed: int) -> HttpResponse:
    """Show the progress of an import, and the problems in its file."""
    the_club = get_club_for_arbiter(request.user, club)
    found = get_object_or_404(
        RatingListImport.objects.select_related("job", "register"), pk=listed, register__in=registers_of_club(the_club)
    )
    line = job_summary(found.job)
    context = {
        "club": the_club,
        "listed": found,
        "in_force": current_list_months(found.register),
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
def rating_register_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Set up the columns of a national list."""
    the_club = get_club_for_secretary(request.user, club)
    return _register_form(request, the_club, RatingRegister())


@require_http_methods(["GET", "HEAD", "POST"])
def rating_register_edit(request: AuthenticatedRequest, club: str, register: int) -> HttpResponse:
    """Edit the columns of a national list."""
    the_club = get_club_for_secretary(request.user, club)
    return _register_form(request, the_club, get_object_or_404(RatingRegister, club=the_club, pk=register))


@require_http_methods(["GET", "HEAD", "POST"])
def rating_register_download(request: AuthenticatedRequest, club: str, register: int) -> HttpResponse:
    """Set the address for a list's automatic download. Saving downloads the list at once."""
    the_club = get_club_for_secretary(request.user, club)
    the_register = next((each for each in _registers_to_fetch(request.user, the_club) if each.pk == register), None)
    if the_register is None:
        raise Http404
    form = RatingListDownloadForm(request.POST or None, instance=the_register)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        if not saved.fetched_from:
            return redirect("rating_list_overview", club)
        told = {"register": saved.pk, "next": reverse("rating_list_overview", args=[club])}
        return enqueue_and_redirect(
            request,
            create_job(FETCH_LISTS_TASK, by=request.user, club=the_club, key=f"list {saved.pk}", arguments=told),
        )
    context = {"club": the_club, "form": form, "register": the_register}
    return render(request, "clubs/rating/lists/register_fetch.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def rating_list_changes(request: AuthenticatedRequest, club: str, register: int) -> HttpResponse:
    """Show old and new data of every member on the list, and apply the ticked changes."""
    the_club = get_club_for_secretary(request.user, club)
    the_register = next((each for each in registers_of_club(the_club) if each.pk == register), None)
    if the_register is None:
        raise Http404
    kind = request.POST.get("kind") or request.GET.get("kind", "")
    kind = kind if kind in TimeControlKind.values else TimeControlKind.STANDARD
    if request.method == "POST":
        shown = set(request.POST.getlist("change"))
        changed = apply_member_changes(the_club, the_register, kind, shown, by=request.user)
        said = ngettext("%(n)s change made.", "%(n)s changes made.", changed)
        messages.success(request, said % {"n": changed})
        if any(":fide_id:" in key or ":national_id:" in key for key in shown):
            messages.info(request, _("More changes for the members you just linked are shown below."))
        if changed < len(shown):
            messages.warning(request, _("Some changes were out of date. They are shown again below."))
        return redirect(f"{request.path}?kind={kind}")
    without = members_without_list_id(the_club, the_register)
    changes = [*find_list_ids(the_register, without), *find_member_changes(the_club, the_register, kind)]
    context = {
        "club": the_club,
        "register": the_register,
        "in_force": current_list_months(the_register),
        "kind": kind,
        "kinds": TimeControlKind.choices,
        "changes": changes,
        "without": _not_among(without, changes),
        "not_listed": members_not_on_list(the_register, the_club),
    }
    return render(request, "clubs/rating/lists/rating_changes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def listed_player_link_member(request: AuthenticatedRequest, club: str, player: int) -> HttpResponse:
    """Link a listed player to a member."""
    the_club = get_club_for_secretary(request.user, club)
    listed = get_object_or_404(
        RatingListPlayer.objects.select_related("register"), register__in=registers_of_club(the_club), pk=player
    )
    form = LinkListedPlayerToMemberForm(request.POST or None, members=rank_member_candidates(the_club, listed))
    if request.method == "POST" and form.is_valid():
        try:
            link_member_to_listed_player(the_club, form.cleaned_data["member"], listed, by=request.user)
        except OfficerProblem as problem:
            form.add_error(None, str(problem))
        else:
            said = _("%(name)s now has the ID %(number)s.")
            messages.success(request, said % {"name": form.cleaned_data["member"].name, "number": listed.number})
            return redirect("rating_list_changes", club, listed.register_id)
    context = {"club": the_club, "player": listed, "form": form}
    status = 422 if form.errors else 200
    return render(request, "clubs/rating/lists/link_to_member.html", context, status=status)


def _not_among(members: list[Member], changes: list[MemberDataChange]) -> list[Member]:
    """Return the members without a match on the list."""
    found = {change.member.pk for change in changes}
    return [member for member in members if member.pk not in found]


def _confirmed(request: AuthenticatedRequest, club: Club, registers: list[RatingRegister]) -> HttpResponse:
    kept = load_upload_token(request.POST["token"], by=request.user)
    register = next((each for each in registers if kept and each.pk == kept[1]), None)
    if kept is None or register is None:
        messages.error(request, _("The file is no longer available. Choose it again."))
        return redirect("rating_list_upload", club.slug)
    file, _key, filename, kind = kept
    form = RatingListImportConfirmForm(request.POST)
    month = form.cleaned_data["month"] if form.is_valid() else None
    if month is not None and is_future_month(month):
        form.add_error("month", _("This month is in the future. Check the year."))
        month = None
    look = inspect_list(register, file, filename, kind=kind, month=month, is_sure=month is not None)
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
    request: AuthenticatedRequest,
    club: Club,
    form: RatingListImportConfirmForm,
    look: ListInspection,
    register: RatingRegister,
) -> HttpResponse:
    context = {"club": club, "form": form, "look": look, "register": register}
    status = 422 if form.errors else 200
    return render(request, "clubs/rating/lists/rating_list_confirm.html", context, status=status)


def _begun(
    request: AuthenticatedRequest,
    club: Club,
    register: RatingRegister,
    file: StoredFileHandle,
    filename: str,
    **what: Any,
) -> HttpResponse:
    listed = unfinished_import(register)
    if listed is None:
        listed = create_list_import(register, file, filename, by=request.user, **what)
        enqueue_job(listed.job)
    else:
        file.delete_file()
        messages.warning(
            request, _("Another file for this list is being imported. Wait until it finishes, or stop it.")
        )
    return redirect("rating_list_import_progress", club.slug, listed.pk)


def _registers_to_import(user: User, club: Club) -> list[RatingRegister]:
    own = list(RatingRegister.objects.filter(club=club))
    return [get_fide_register(), *own] if can_import_shared_lists(user) else own


def _registers_to_fetch(user: User, club: Club) -> list[RatingRegister]:
    """Return the registers whose address the user may set: the club's, and FIDE's if they may import it for all."""
    if Role.SECRETARY not in roles_in_club(user, club):
        return []
    return [each for each in registers_of_club(club) if each.club_id or can_import_shared_lists(user)]


def _register_form(request: AuthenticatedRequest, club: Club, register: RatingRegister) -> HttpResponse:
    known = KNOWN_LIST_FORMATS.get(request.GET.get("like", ""), {})
    begin_with = {f"column_{name}": heading for name, heading in known.items()}
    form = RatingRegisterForm(request.POST or None, instance=register, club=club, initial=begin_with)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, _("You can now import %(name)s.") % {"name": saved.name})
        return redirect("rating_list_upload", club.slug)
    return render(
        request,
        "clubs/rating/lists/register_form.html",
        {"club": club, "form": form, "known": KNOWN_LIST_FORMATS},
        status=422 if form.errors else 200,
    )
