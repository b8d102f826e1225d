"""Prepares a style sheet for its page: calculates constant lengths and removes unused rules.

The papers' style sheets name their lengths (`--row-high`) and calculate with them (`calc`). WeasyPrint would do this
again for every element, a tenth of the time of a sheet of cards. It would also check every cell of a list against the
rules of other lists, a tenth of the time of a list.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_DECLARED = re.compile(r"(--[\w-]+):\s*([^;{}]+)")
_NAMED = re.compile(r"var\((--[\w-]+)(?:,\s*([\w-]+))?\)")
_SUM = re.compile(r"calc\(([\w\s.*/+-]*)\)")
_LENGTH = re.compile(r"([\d.]+)(mm|pt|px)?")
_PIXELS = {"mm": Decimal(96) / Decimal("25.4"), "pt": Decimal(96) / 72, "px": Decimal(1), "": Decimal(1)}


@lru_cache(maxsize=64)
def resolve_css_constants(css: str, body_class: str) -> str:
    """Return the CSS with the constants of its page inserted, for a body with these classes.

    Constants are declared on `:root`, on `body` or on one of its classes; other declarations stay.
    """
    css = _COMMENT.sub("", css)
    of_the_page = {":root", "body", *(f".{each}" for each in body_class.split())}
    declared = {name for name, _value in _DECLARED.findall(css)}
    known: dict[str, str] = {}
    for selector, declarations in _RULE.findall(css):
        if selector.strip() in of_the_page:
            known |= {name: value.strip() for name, value in _DECLARED.findall(declarations)}

    def resolve_variable(match: re.Match[str]) -> str:
        instead = match[0] if match[1] in declared or not match[2] else match[2]
        return known.get(match[1], instead)

    before = ""
    while css != before:
        before, css = css, _SUM.sub(_computed, _NAMED.sub(resolve_variable, css))
    return css


def drop_unused_rules(css: str, html: str) -> str:
    """Return the CSS without rules for classes that the page does not have."""
    classes = {name for names in _CLASSES.findall(html) for name in names.split()}

    def filter_rule(match: re.Match[str]) -> str:
        if "@" in match[1]:
            return match[0]
        selectors = [
            each for each in _BETWEEN.split(match[1]) if classes.issuperset(_NAMES.findall(_NOT.sub("", each)))
        ]
        return f"{','.join(selectors)}{{{match[2]}}}" if selectors else ""

    return _RULE.sub(filter_rule, css)


_CLASSES = re.compile(r'\bclass="([^"]*)"')
_NAMES = re.compile(r"\.([A-Za-z_][\w-]*)")
_BETWEEN = re.compile(r",(?![^(]*\))")
_NOT = re.compile(r":not\([^)]*\)")


def _computed(match: re.Match[str]) -> str:
    """Return a sum of products in pixels; leave unchanged what is not a length or a number."""
    terms = re.split(r"\s+([+-])\s+", match[1].strip())
    try:
        whole = _product(terms[0])
        for sign, term in zip(terms[1::2], terms[2::2], strict=True):
            whole += _product(term) * (1 if sign == "+" else -1)
    except ValueError:
        return match[0]
    return f"{whole:.4f}px"


def _product(term: str) -> Decimal:
    factors = re.split(r"\s*([*/])\s*", term)
    whole = _pixels(factors[0])
    for sign, factor in zip(factors[1::2], factors[2::2], strict=True):
        whole = whole * _pixels(factor) if sign == "*" else whole / _pixels(factor)
    return whole


def _pixels(text: str) -> Decimal:
    """Return a length in pixels, or a number. Raises ValueError for anything else."""
    found = _LENGTH.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return Decimal(found[1]) * _PIXELS[found[2] or ""]
