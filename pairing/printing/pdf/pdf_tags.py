"""Corrects WeasyPrint's tags in a PDF before it is written."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Container, Iterable
from typing import Any

import pydyf

from pairing.printing.pdf.card_tables import tag_card_tables
from pairing.printing.pdf.pdf_objects import resolve_reference
from pairing.printing.pdf.row_merging import split_merged_rows

_POINTS = 0.75
"""Points in a pixel. WeasyPrint measures down from the top in pixels, PDF up from the bottom in points."""


def repair_pdf_tags(document: Any, pdf: Any) -> None:
    """Correct the tags of figures, margins and links, and tag cards and long lists as tables.

    A `finisher` for WeasyPrint.
    """
    if "StructTreeRoot" in pdf.catalog:
        _put_figures_on_their_pages(pdf)
        _leave_margins_out(pdf)
        tag_card_tables(document, pdf)
        split_merged_rows(document, pdf)
        _give_links_their_elements(pdf)
    _pack(pdf)


def _pack(pdf: Any) -> None:
    """Compress contents and fonts here: WeasyPrint compresses as much as possible, which is slow."""
    for each in pdf.objects:
        if isinstance(each, pydyf.Stream) and each.compress:
            each.compress = False
            _head, _begin, whole = each.data.partition(b"\nstream\n")
            each.stream = [zlib.compress(whole.removesuffix(b"\nendstream"), _CLOSELY)]
            each.extra["Filter"] = "/FlateDecode"


_CLOSELY = 4
"""Compression level, of 9: a twentieth of the time for a fifteenth more bytes."""


def _put_figures_on_their_pages(pdf: Any) -> None:
    """Convert the boxes of figures to PDF coordinates."""
    for element in pdf.objects:
        if not isinstance(element, dict) or element.get("S") != "/Figure" or "BBox" not in element.get("A", {}):
            continue
        page = resolve_reference(pdf, element["Pg"])
        high = page["MediaBox"][3]
        left, top, right, bottom = (length * _POINTS for length in element["A"]["BBox"])
        element["A"]["BBox"][:] = (left, high - bottom, right, high - top)


def _leave_margins_out(pdf: Any) -> None:
    """Mark the content of page margins as artifacts: WeasyPrint's elements for it are outside the tag tree."""
    tags = resolve_reference(pdf, pdf.catalog["StructTreeRoot"])
    document = resolve_reference(pdf, tags["K"][0])
    in_the_tree = set(document["K"])
    top = [each.reference for each in pdf.objects if _above(each) == document.reference]
    outside = {reference for reference in top if reference not in in_the_tree}
    if not outside:
        return
    nums = resolve_reference(pdf, tags["ParentTree"])["Nums"]
    for reference in pdf.page_references:
        page = resolve_reference(pdf, reference)
        marks = nums[2 * page["StructParents"] + 1]
        furniture = {mark for mark, element in enumerate(marks) if _top(pdf, element, document.reference) in outside}
        for mark in furniture:
            marks[mark] = "null"
        content = resolve_reference(pdf, page["Contents"])
        content.stream = _as_furniture(content.stream, furniture)


def _give_links_their_elements(pdf: Any) -> None:
    """Connect every link of a page to its element: for a page drawn twice WeasyPrint only knows the last one's."""
    nums = resolve_reference(pdf, resolve_reference(pdf, pdf.catalog["StructTreeRoot"])["ParentTree"])["Nums"]
    del nums[2 * len(pdf.page_references) :]
    elements: dict[bytes, list[Any]] = defaultdict(list)
    for each in pdf.objects:
        if isinstance(each, dict) and each.get("S") == "/Link":
            elements[each["Pg"]].append(each)
    for reference in pdf.page_references:
        links = resolve_reference(pdf, reference).get("Annots", ())
        for link, element in zip(links, elements[reference], strict=True):
            resolve_reference(pdf, element["K"][0])["Obj"] = link
            resolve_reference(pdf, link)["StructParent"] = len(nums) // 2
            nums.extend((len(nums) // 2, element.reference))


def _above(element: Any) -> object:
    """Return the parent of an element; None for other objects."""
    return element.get("P") if isinstance(element, dict) else None


def _top(pdf: Any, element: bytes, document: bytes) -> bytes:
    """Return the top-level element that contains an element."""
    while (above := resolve_reference(pdf, element)["P"]) != document:
        element = above
    return element


def _as_furniture(items: Iterable[Any], marks: Container[int]) -> list[Any]:
    """Return the drawing of a page with these marks as artifacts."""
    drawn: list[Any] = []
    for item in items:
        if item == b"BDC" and drawn[-1]["MCID"] in marks:
            drawn[-2:] = ["/Artifact"]
            item = b"BMC"
        drawn.append(item)
    return drawn
