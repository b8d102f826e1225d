"""The steps of importing a table of members: the preview, again with other columns, and the import."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.membership.members.import_export import (
    MemberImportPreview,
    add_missing_headings,
    import_members,
    preview_member_import,
)
from clubs.membership.members.member_cells import IMPORT_LABELS
from clubs.models import Club, User
from common.jobs.import_steps import (
    IMPORTING,
    MAX_PREVIEW_LINES,
    PREVIEWING,
    ImportDone,
    ImportPage,
    ImportStep,
)
from common.jobs.kinds import register_job_kind
from common.problems import OfficerProblem
from common.tabular.column_mapping import submitted_column_kinds
from common.tabular.file_field import ChosenFileField

PREVIEW_MEMBERS_TASK = register_job_kind("clubs.tasks.preview_members", PREVIEWING)
IMPORT_MEMBERS_TASK = register_job_kind("clubs.tasks.import_members_task", IMPORTING)


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


def upload_place(club: Club) -> str:
    """Return the `place` for uploads of a club's member tables (see `store_upload`)."""
    return f"members {club.pk}"


def do_member_import_step(step: ImportStep) -> ImportPage | ImportDone:
    """Preview a table of members, or import it into its club."""
    club = Club.objects.get(pk=step.place.split()[1])
    today, said = timezone.localdate(), submitted_column_kinds(step.sent)
    if not step.saves:
        return _page(step, club, preview_member_import(club, step.data, today=today, column_choices=said))
    by = User.objects.get(pk=step.by.pk)
    try:
        done = import_members(club, step.data, today=today, by=by, column_choices=said)
    except OfficerProblem:
        return _page(step, club, preview_member_import(club, step.data, today=today, column_choices=said))
    told = ngettext("%(n)s member added, ", "%(n)s members added, ", done.added_count) % {"n": done.added_count}
    told += ngettext("%(n)s changed.", "%(n)s changed.", done.changed_count) % {"n": done.changed_count}
    return ImportDone(url=reverse("member_list", args=[club.slug]), message=told)


def _page(step: ImportStep, club: Club, preview: MemberImportPreview) -> ImportPage:
    context = {
        "club": club,
        "form": MemberTableForm(),
        "preview": preview,
        "filename": step.filename,
        "token": step.token if preview.columns else "",
        "kinds": IMPORT_LABELS.items(),
        "shown": MAX_PREVIEW_LINES,
    }
    return ImportPage(
        template="clubs/membership/members/members_import_steps.html",
        context=context,
        status=200 if preview.can_be_imported else 422,
    )
