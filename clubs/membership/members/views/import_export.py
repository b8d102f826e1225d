"""Import of members from a file after a preview, and export of the filtered list."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.members.import_export import (
    READ_MEMBERS_TASK,
    MemberImportPreview,
    add_missing_headings,
    import_members,
    members_to_table,
    preview_member_import,
)
from clubs.membership.members.member_cells import COLUMN_LABELS
from clubs.membership.members.member_list import MemberFilters, list_members
from clubs.models import Club, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest
from common.file_store.uploads import UploadGone, delete_upload, load_upload, store_upload
from common.jobs.file_reading import read_upload_first
from common.problems import OfficerProblem
from common.tabular.column_mapping import submitted_column_kinds
from common.tabular.file_field import ChosenFileField
from common.tabular.file_responses import TABLE_FORMATS, table_response

MAX_PREVIEW_LINES = 200
"""Maximum number of lines shown in a preview."""


class MemberTableForm(forms.Form):
    """A table of members: a file or pasted lines."""

    file = ChosenFileField(
        required=False,
        help_text=gettext_lazy("Excel, OpenDocument (ODS) or CSV. The first row must contain the column names."),
    )
    text = forms.CharField(
        label=gettext_lazy("or paste the table"),
        required=False,
        max_length=1_000_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Paste spreadsheet cells with headings, or just names, one per line, such as “Nowak, Jan”."
        ),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.errors and bool(values.get("file")) == bool(values.get("text")):
            raise ValidationError(_("Choose a file or paste lines."))
        return values

    def uploaded_table(self) -> tuple[bytes, str]:
        """Return the file's content and name, or the pasted lines with an empty name."""
        file = self.cleaned_data["file"]
        if file is not None:
            return file.read(), file.name
        return add_missing_headings(self.cleaned_data["text"]).encode(), ""


@require_http_methods(["GET", "HEAD", "POST"])
def members_import(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Import a table of members: first a preview, then the import when confirmed."""
    the_club = get_club_for_secretary(request.user, club)
    if "token" in request.POST or "token" in request.GET:
        return _import_kept(request, the_club)
    form = MemberTableForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _page(request, the_club, MemberTableForm())
    if not form.is_valid():
        return _page(request, the_club, form, status=422)
    data, filename = form.uploaded_table()
    place = _place(the_club)
    token = store_upload(data, filename, by=request.user, place=place)
    if waiting := read_upload_first(request, data, token, task=READ_MEMBERS_TASK, place=place, back=request.path):
        return waiting
    preview = preview_member_import(the_club, data, today=timezone.localdate())
    return _preview_page(request, the_club, preview, filename, token if preview.columns else "")


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


def _import_kept(request: AuthenticatedRequest, club: Club) -> HttpResponse:
    token = request.POST.get("token", request.GET.get("token", ""))
    try:
        data, filename = load_upload(token, by=request.user, place=_place(club))
    except UploadGone:
        problem = _("The file is no longer available, so nothing was imported. Choose it again.")
        return _page(request, club, MemberTableForm(), status=422, problem=problem)
    today, said = timezone.localdate(), submitted_column_kinds(request.POST)
    if "check" in request.POST or request.method != "POST":
        preview = preview_member_import(club, data, today=today, column_choices=said)
        return _preview_page(request, club, preview, filename, token if preview.columns else "")
    try:
        done = import_members(club, data, today=today, by=request.user, column_choices=said)
    except OfficerProblem:
        preview = preview_member_import(club, data, today=today, column_choices=said)
        return _preview_page(request, club, preview, filename, token)
    delete_upload(token, by=request.user, place=_place(club))
    told = ngettext("%(n)s member added, ", "%(n)s members added, ", done.added_count) % {"n": done.added_count}
    told += ngettext("%(n)s changed.", "%(n)s changed.", done.changed_count) % {"n": done.changed_count}
    messages.success(request, told)
    return redirect("member_list", club.slug)


def _preview_page(
    request: AuthenticatedRequest, club: Club, preview: MemberImportPreview, filename: str, token: str
) -> HttpResponse:
    status = 200 if preview.can_be_imported else 422
    more = {"preview": preview, "filename": filename, "token": token, "kinds": COLUMN_LABELS.items()}
    return _page(request, club, MemberTableForm(), status=status, **more)


def _place(club: Club) -> str:
    return f"members {club.pk}"


def _page(
    request: AuthenticatedRequest, club: Club, form: MemberTableForm, *, status: int = 200, **more: object
) -> HttpResponse:
    context = club_page_context(request.user, club, "members") | {"form": form, "shown": MAX_PREVIEW_LINES} | more
    return render(request, "clubs/membership/members/members_import.html", context, status=status)
