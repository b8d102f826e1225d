"""Constants of a style sheet, put in once."""

from __future__ import annotations

import pytest

from pairing.printing.pdf.css_preprocessing import drop_unused_rules, resolve_css_constants

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize(
    "left_alone",
    [
        ".name { width: var(--elsewhere) } .name { --elsewhere: 3mm }",
        ".name { width: calc(25% + 1mm) }",
        ".name { width: calc(1em * 2) }",
    ],
)
def test_what_is_no_constant_of_the_page_is_left_alone(left_alone):
    assert resolve_css_constants(left_alone, "list") == left_alone


def test_products_are_taken_from_left_to_right():
    assert resolve_css_constants(".a4 { --column: 96px } p { width: calc(2 * var(--column) / 3) }", "a4").endswith(
        "width: 64.0000px }"
    )


def test_sums_of_constants_are_lengths():
    css = (
        "body { --high: 20mm } .on-4 { --w: calc(2 * var(--column)) } .a4 { --column: 96px } .letter { --column: 9mm }"
        " p { left: var(--w); top: calc(var(--high) - 12pt / 2 + 0.4mm); color: var(--club, inherit) }"
    )
    rule = resolve_css_constants(css, "a4 on-4").rpartition("p {")[2]
    assert rule == f" left: 192.0000px; top: {20.4 * 96 / 25.4 - 8:.4f}px; color: inherit }}"


@pytest.mark.parametrize(
    ("css", "left"),
    [
        (".cross .cell { margin: 0 }", ""),
        (".large td, .tight td, th { margin: 0 }", ".large td, th { margin: 0 }"),
        ("p:not(.cross) { margin: 0 }", "p:not(.cross) { margin: 0 }"),
        (".large :is(th, td) { margin: 0 }", ".large :is(th, td) { margin: 0 }"),
        (".cross :is(th, td) { margin: 0 }", ""),
        ("@page { margin: 0; @top-left { width: 5% } }", "@page { margin: 0; @top-left { width: 5% } }"),
    ],
)
def test_rules_of_classes_the_page_does_not_have_are_left_out(css, left):
    assert drop_unused_rules(css, '<table class="large board"><td class="figure">.cross</td></table>') == left
