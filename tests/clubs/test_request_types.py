"""Typed requests: row keys, and forms of several rows."""

from __future__ import annotations

import pytest
from django import forms
from django.http import QueryDict

from clubs.request_types import parse_key, show_submitted_values, submitted_row_count


@pytest.mark.parametrize("text", ["", "x", "-1", "1.0", " 1", "٣", "²", "9" * 16, "9" * 5000])
def test_what_is_no_key_is_nobodys(text):
    assert parse_key(text) == 0


@pytest.mark.parametrize("text", ["0", "7", "9" * 15])
def test_a_key(text):
    assert parse_key(text) == int(text)


@pytest.mark.parametrize(
    ("sent", "rows"), [("", 0), ("form-TOTAL_FORMS=x", 0), ("form-TOTAL_FORMS=7", 7), ("form-TOTAL_FORMS=101", 100)]
)
def test_rows_that_were_sent(sent, rows):
    assert submitted_row_count(QueryDict(sent), "form") == rows


def test_a_form_shows_what_was_written_into_it_and_keeps_its_row():
    class Row(forms.Form):
        id = forms.IntegerField()
        name = forms.CharField()
        rate = forms.CharField(initial="5")

    form = Row(prefix="row-0", initial={"id": 1, "rate": "6"})
    show_submitted_values(form, QueryDict("row-0-id=2&row-0-name=Jan&name=Ola"))
    assert form.initial == {"id": 1, "name": "Jan", "rate": "6"}
