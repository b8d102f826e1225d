"""The attacks notice a successful attack."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from lab.attacks_contents import _cells
from lab.attacks_kinds import _leads_away
from lab.attacks_target import MARKUP, marks_in


@pytest.mark.parametrize(
    "page", [f"<p>{MARKUP}</p>", f'<p title="{MARKUP}">', '<a onxss7="1">', '<a href="javascript:alert(1)">']
)
def test_markup_that_became_a_tag_is_seen(page):
    assert marks_in(page)


@pytest.mark.parametrize(
    "page", ["<p>&lt;xss7 onxss7=1&gt;</p>", '<p title="\'&quot;&gt;&lt;xss7&gt;">', "<p>javascript:</p>"]
)
def test_markup_that_stayed_text_is_none(page):
    assert marks_in(page) == []


def test_a_formula_is_seen_in_every_kind_of_table():
    book, file = Workbook(), io.BytesIO()
    book.active.append(["name", "=7+7", "'=7+7"])
    book.save(file)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert [*filter(None, _cells(file.getvalue(), kind))] == ["=7+7"]
    text = "name;=7+7;'=7+7;\xa0=7+7;-1;+7\r\n".encode()
    assert [*filter(None, _cells(text, "text/csv"))] == ["=7+7", "\xa0=7+7", "+7"]


@pytest.mark.parametrize("away", ["//attacker.example/", "https://attacker.example/", "/\\attacker.example/"])
def test_a_way_that_leads_to_another_site_is_seen(away):
    assert _leads_away("x", away, "")
    assert _leads_away("x", "", f'<a href="{away}">')
    assert not _leads_away("x", f"/?next={away}", f'<a href="/?next={away}">')
