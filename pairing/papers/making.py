"""From a template and its context to a part of a paper, and from a paper to PDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from pairing.pdfs import Paper, Part, PrintingImpossible, print_paper
from tournaments.problems import ArbiterProblem


class PaperSize(StrEnum):
    """What the printer is loaded with."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def millimetres(self) -> tuple[float, float]:
        """Width and height."""
        return (210, 297) if self is PaperSize.A4 else (215.9, 279.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How whoever prints wants it: the language by its code, and the paper."""

    language: str
    size: PaperSize = PaperSize.A4

    @property
    def upright(self) -> str:
        wide, high = self.size.millimetres
        return f"@page {{ size: {wide}mm {high}mm }}"

    @property
    def sideways(self) -> str:
        wide, high = self.size.millimetres
        return f"@page {{ size: {high}mm {wide}mm }}"


def printed(paper: Paper) -> bytes:
    """The paper as PDF. Raises ArbiterProblem where the system lacks what printing needs."""
    try:
        return print_paper(paper, kept_in=Path(settings.VAR_DIR) / "paper")
    except PrintingImpossible as error:
        raise ArbiterProblem(
            _(
                "This computer cannot print to PDF: the library Pango is missing. "
                "Whoever runs it can install the package libpango-1.0-0 (%(detail)s)."
            )
            % {"detail": error}
        ) from error


def part_of(template: str, context: Mapping[str, Any], *css: str) -> Part:
    """A page from a template of `pairing/print`, in the language now active.

    `css` are names of files of `css/print`, or rules themselves.
    """
    html = render_to_string(f"pairing/print/{template}.html", {**context, "language": translation.get_language()})
    return Part(html=html, css="\n".join([_file("paper"), *(_file(each) if each.isalpha() else each for each in css)]))


def code_of(address: str) -> str:
    """A QR code of an address, as the address of a picture; empty for none."""
    if not address:
        return ""
    # One mask for all: trying all eight takes three times as long, and phones read each of them.
    return segno.make(address, micro=False, error="m", boost_error=False, mask=3).png_data_uri(scale=4, border=0)


@lru_cache
def _file(name: str) -> str:
    path = finders.find(f"css/print/{name}.css")
    return Path(str(path)).read_text(encoding="utf-8")
