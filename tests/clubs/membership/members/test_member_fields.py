"""A field of members is on the form, in the members' table, and its heading is recognised on import."""

from __future__ import annotations

from django.db.models import CharField, TextField

from clubs.membership.members.forms import MemberForm
from clubs.membership.members.member_cells import COLUMN_HEADINGS
from clubs.models import Member
from clubs.privacy import ERASED_TEXT_FIELDS
from common.tabular.column_names import column_kind_of_heading
from tests.test_conventions import assert_none

FIELDS = [field for field in Member._meta.concrete_fields if field.editable]
NOT_ON_FORM = {
    "id": "",
    "club": "",
    "user": "the form has the username",
    "birth_date": "the form has one field for both",
    "birth_year": "the form has one field for both",
}
NOT_IN_TABLE = {
    "id": "its column is `number`",
    "club": "",
    "user": "",
    "family_name": "its column is `name`",
    "birth_date": "its column is `birth`",
    "birth_year": "its column is `birth`",
    "rating_is_estimate": "",
    "games_before": "",
    "no_reminders": "",
    "language": "",
    "emergency_note": "never exported",
}


def test_every_field_is_on_the_form():
    missing = {field.name for field in FIELDS} - set(MemberForm.Meta.fields) - NOT_ON_FORM.keys()
    assert_none([f"{name}: add it to MemberForm or CONTACT_FIELDS in members/forms.py" for name in missing])


def test_every_field_is_imported_and_exported():
    missing = {field.name for field in FIELDS} - set(COLUMN_HEADINGS) - NOT_IN_TABLE.keys()
    assert_none([f"{name}: add it to COLUMN_HEADINGS in members/member_cells.py" for name in missing])


def test_exported_headings_are_recognised_on_import():
    wrong = {kind: heading for kind, heading in COLUMN_HEADINGS.items() if column_kind_of_heading(heading) != kind}
    assert_none([f"{kind}: add “{heading}” to common/tabular/column_names.py" for kind, heading in wrong.items()])


def test_every_text_but_the_name_and_status_is_erased_with_the_person():
    texts = {field.name for field in FIELDS if isinstance(field, CharField | TextField)}
    assert texts - set(ERASED_TEXT_FIELDS) == {"family_name", "given_name", "status"}
