"""The club's book as a file: taken in after a look at what it would do, given out as it is filtered."""

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
from clubs.frame import frame
from clubs.membership.members.cells import COLUMN_WORDS
from clubs.membership.members.listing import MemberFilters, listed_members
from clubs.membership.members.tables import MemberTable, import_members, preview_members, table_of, with_headings
from clubs.models import Club, Viewing
from clubs.privacy import record_viewing
from clubs.requests import OfficerRequest
from common.file_store.uploads import UploadGone, forget_upload, keep_upload, kept_upload
from common.problems import OfficerProblem
from common.tabular.answers import TABLE_KINDS, table_answer
from common.tabular.chosen_file import ChosenFileField
from common.tabular.columns import said_in

SHOWN = 200
"""Lines of a preview that are shown."""


class TableForm(forms.Form):
    """A table: a file, or its lines pasted."""

    file = ChosenFileField(
        required=False,
        help_text=gettext_lazy("Excel, OpenDocument (ODS) or CSV, with a first line that names the columns."),
    )
    text = forms.CharField(
        label=gettext_lazy("or paste it"),
        required=False,
        max_length=1_000_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "The cells of a spreadsheet with their headings, or names alone, one a line: Nowak, Jan"
        ),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.errors and bool(values.get("file")) == bool(values.get("text")):
            raise ValidationError(_("Choose a file, or paste lines."))
        return values

    def table(self) -> tuple[bytes, str]:
        """The file and its name, or what was pasted as a file without one."""
        file = self.cleaned_data["file"]
        if file is not None:
            return file.read(), file.name
        return with_headings(self.cleaned_data["text"]).encode(), ""


@require_http_methods(["GET", "HEAD", "POST"])
def members_import(request: OfficerRequest, club: str) -> HttpResponse:
    """Take in a table of members: first what it would do, then the word to go on."""
    the_club = get_club_for_secretary(request.user, club)
    if "token" in request.POST:
        return _import_kept(request, the_club)
    form = TableForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _page(request, the_club, TableForm())
    if not form.is_valid():
        return _page(request, the_club, form, status=422)
    data, filename = form.table()
    preview = preview_members(the_club, data, today=timezone.localdate())
    token = keep_upload(data, filename, by=request.user, place=_place(the_club)) if preview.columns else ""
    return _preview_page(request, the_club, preview, filename, token)


@require_safe
def members_export(request: OfficerRequest, club: str, kind: str) -> HttpResponse:
    """The list as it is filtered, as CSV or XLSX; that it was taken is written down."""
    the_club = get_club_for_secretary(request.user, club)
    if kind not in TABLE_KINDS:
        raise Http404
    filters = MemberFilters.of(request.GET)
    found = listed_members(the_club, filters, today=timezone.localdate(), with_money=True)
    record_viewing(the_club, Viewing.What.LIST_EXPORT, by=request.user, count=len(found), filters=filters.narrowing)
    headings, rows = table_of(line.member for line in found)
    return table_answer(headings, rows, f"{the_club.slug}-members-{timezone.localdate()}", kind, title=_("Members"))


def _import_kept(request: OfficerRequest, club: Club) -> HttpResponse:
    token = request.POST["token"]
    try:
        data, filename = kept_upload(token, by=request.user, place=_place(club))
    except UploadGone:
        problem = _("The file is not kept here any more, and nothing was imported. Choose it once more.")
        return _page(request, club, TableForm(), status=422, problem=problem)
    today, said = timezone.localdate(), said_in(request.POST)
    if "check" in request.POST:
        return _preview_page(request, club, preview_members(club, data, today=today, said=said), filename, token)
    try:
        done = import_members(club, data, today=today, by=request.user, said=said)
    except OfficerProblem:
        preview = preview_members(club, data, today=today, said=said)
        return _preview_page(request, club, preview, filename, token)
    forget_upload(token, by=request.user, place=_place(club))
    told = ngettext("%(n)s member added, ", "%(n)s members added, ", done.added) % {"n": done.added}
    told += ngettext("%(n)s changed.", "%(n)s changed.", done.changed) % {"n": done.changed}
    messages.success(request, told)
    return redirect("members", club.slug)


def _preview_page(request: OfficerRequest, club: Club, preview: MemberTable, filename: str, token: str) -> HttpResponse:
    status = 200 if preview.can_be_imported else 422
    more = {"preview": preview, "filename": filename, "token": token, "kinds": COLUMN_WORDS.items()}
    return _page(request, club, TableForm(), status=status, **more)


def _place(club: Club) -> str:
    return f"members {club.pk}"


def _page(request: OfficerRequest, club: Club, form: TableForm, *, status: int = 200, **more: object) -> HttpResponse:
    context = frame(request.user, club, "members") | {"form": form, "shown": SHOWN} | more
    return render(request, "clubs/membership/members/members_import.html", context, status=status)
