"""File fields: a missing, empty or too large file is refused with a message."""

from __future__ import annotations

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile

from common.tabular.file_field import ChosenFileField

MEGABYTE = 1024**2


class Form(forms.Form):
    file = ChosenFileField(largest=2 * MEGABYTE, accept=".trf")
    other = ChosenFileField(required=False, error_messages={"too_large": "over %(limit)s"})


def form(**files: bytes) -> Form:
    return Form({}, {name: SimpleUploadedFile("x.trf", data) for name, data in files.items()})


@pytest.mark.parametrize(
    ("files", "field", "said"),
    [
        ({}, "file", "Choose a file first."),
        ({"file": b""}, "file", "This file is empty. Choose another one."),
        ({"file": b"x" * (2 * MEGABYTE + 1)}, "file", "The file is larger than 2 MB."),
        ({"other": b"x" * (5 * MEGABYTE + 1)}, "other", "over 5"),
    ],
)
def test_what_cannot_be_taken_is_refused(files, field, said):
    assert form(**files).errors[field] == [said]


def test_as_large_as_it_may_be():
    filled = form(file=b"x" * 2 * MEGABYTE)
    assert filled.is_valid()
    assert filled.cleaned_data["file"].size == 2 * MEGABYTE
    assert filled.cleaned_data["other"] is None
    assert 'accept=".trf"' in str(filled["file"])
