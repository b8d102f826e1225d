"""Import of members from a file after a preview, and export of the filtered list."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.members.import_export import (
    members_to_table,
)
from clubs.membership.members.member_import_steps import (
    IMPORT_MEMBERS_TASK,
    PREVIEW_MEMBERS_TASK,
    MemberTableForm,
    do_member_import_step,
    upload_place,
)
from clubs.membership.members.member_list import MemberFilters, list_members
from clubs.models import PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.file_store.uploads import UploadGone
from common.jobs.import_steps import (
    ImportStep,
    later_import_step,
    load_step_result,
    new_import_step,
    run_import_step,
    show_step_result,
)
from common.tabular.file_responses import TABLE_FORMATS, table_response


@require_http_methods(["GET", "HEAD", "POST"])
def members_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import a table of members: first a preview, then the import when confirmed."""
    the_club = get_club_for_secretary(request.user, club)
    template, place = "clubs/membership/members/members_import.html", upload_place(the_club)
    context = club_page_context(request.user, the_club, "members")
    try:
        if "step" in request.GET and request.method != "POST":
            return show_step_result(request, load_step_result(request, place=place), template, context)
        step = later_import_step(request, place=place) or _chosen_table(request, place)
    except UploadGone:
        problem = _("This file was already imported, or is no longer available. Check before you choose it again.")
        return render(request, template, context | {"form": MemberTableForm(), "problem": problem}, status=422)
    if isinstance(step, MemberTableForm):
        return render(request, template, context | {"form": step}, status=422 if request.method == "POST" else 200)
    done = run_import_step(
        request, step, do_member_import_step, preview_task=PREVIEW_MEMBERS_TASK, import_task=IMPORT_MEMBERS_TASK
    )
    return done if isinstance(done, HttpResponse) else show_step_result(request, done, template, context)


def _chosen_table(request: AuthenticatedRequest, place: str) -> ImportStep | MemberTableForm:
    """Return the preview of the table that was sent, or the form for choosing one."""
    form = MemberTableForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return form
    return new_import_step(request, *form.uploaded_table(), place=place)


@require_safe
def members_export(request: AuthenticatedRequest, club: str, kind: str) -> HttpResponse:
    """Export the filtered list as CSV or XLSX. The export is logged."""
    the_club = get_club_for_secretary(request.user, club)
    if kind not in TABLE_FORMATS:
        raise Http404
    filters = MemberFilters.from_form_values(request.GET)
    found = list_members(the_club, filters, today=timezone.localdate(), with_money=True)
    log_data_access(
        the_club,
        PersonalDataAccess.DataAccessKind.LIST_EXPORT,
        by=request.user,
        count=len(found),
        filters=filters.active_filters,
    )
    headings, rows = members_to_table(line.member for line in found)
    return table_response(headings, rows, f"{the_club.slug}-members-{timezone.localdate()}", kind, title=_("Members"))
