"""Import of members from a file after a preview, and export of the filtered list."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
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
from common.jobs.import_steps import ImportStep, new_import_step, show_import
from common.tabular.file_responses import TABLE_FORMATS, table_response


@require_http_methods(["GET", "HEAD", "POST"])
def members_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import a table of members: first a preview, then the import when confirmed."""
    the_club = get_club_for_secretary(request.user, club)
    return show_import(
        request,
        "clubs/membership/members/members_import.html",
        club_page_context(request.user, the_club, "members"),
        place=upload_place(the_club),
        form=MemberTableForm,
        choose=_chosen_table,
        do=do_member_import_step,
        preview_task=PREVIEW_MEMBERS_TASK,
        import_task=IMPORT_MEMBERS_TASK,
    )


def _chosen_table(request: HttpRequest, place: str) -> ImportStep | MemberTableForm:
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
