"""Merges parts of a document that several processes have drawn, with their tags.

A process passes on the objects of its PDF as they would be written (`MergeablePdf`). Merging renumbers them and adds
pages, tags and bookmarks of all parts to those of the first.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from pairing.printing.pdf.pdf_objects import object_number, resolve_reference

_REFERENCE = re.compile(rb"\((?:\\.|[^\\()])*\)|\b(\d+) 0 R\b", re.DOTALL)
"""A reference to an object; the first alternative skips strings, which may contain the same text."""
_PARENTS = re.compile(rb"/StructParents (\d+)")
_PARENT = re.compile(rb"/StructParent (\d+)")
_APART = b"\0"
"""A byte that no object contains: strings that are not ASCII are written in hexadecimal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfRoots:
    """The numbers of the objects that a document has once; those of later parts are replaced by the first's."""

    catalog: int
    pages: int
    tags: int
    by_mark: int
    document: int
    bookmarks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeablePdf:
    """A PDF as its objects, numbered from 1; `streams` are the contents of those that have any.

    `pages`, `elements` and `bookmarks` are the numbers of its pages, its top-level tags, and its first and last
    bookmark. `marks` has the elements of each page's marks as they are written. `link_elements` has the element of each
    of the `links`, which are objects.
    """

    objects: tuple[bytes, ...]
    streams: Mapping[int, bytes]
    info: bytes
    roots: PdfRoots
    pages: tuple[int, ...]
    elements: tuple[int, ...]
    marks: tuple[bytes, ...]
    links: tuple[int, ...]
    link_elements: tuple[bytes, ...]
    bookmarks: tuple[int, int] | None
    bookmark_count: int


def to_mergeable_pdf(pdf: Any) -> MergeablePdf:
    """Convert WeasyPrint's PDF before it is written."""
    objects, streams = [], {}
    for each in pdf.objects[1:]:
        data, is_stream, contents = each.data.partition(b"\nstream\n")
        objects.append(data)
        if is_stream:
            streams[each.number] = contents
    tags = resolve_reference(pdf, pdf.catalog["StructTreeRoot"])
    by_mark = resolve_reference(pdf, tags["ParentTree"])
    document = resolve_reference(pdf, tags["K"][0])
    outline = resolve_reference(pdf, pdf.catalog["Outlines"]) if "Outlines" in pdf.catalog else None
    of_pages = 2 * len(pdf.page_references)
    return MergeablePdf(
        objects=tuple(objects),
        streams=streams,
        info=pdf.info.data,
        roots=PdfRoots(
            catalog=pdf.catalog.number,
            pages=pdf.pages.number,
            tags=tags.number,
            by_mark=by_mark.number,
            document=document.number,
            bookmarks=outline.number if outline else 0,
        ),
        pages=tuple(map(object_number, pdf.page_references)),
        elements=tuple(map(object_number, document["K"])),
        marks=tuple(each.data for each in by_mark["Nums"][1:of_pages:2]),
        links=tuple(
            place for place, each in enumerate(pdf.objects) if isinstance(each, dict) and "StructParent" in each
        ),
        link_elements=tuple(by_mark["Nums"][of_pages + 1 :: 2]),
        bookmarks=(object_number(outline["First"]), object_number(outline["Last"])) if outline else None,
        bookmark_count=outline["Count"] if outline else 0,
    )


def merge_pdfs(parts: Sequence[MergeablePdf]) -> bytes:
    """Merge all parts into one PDF, with the title and language of the first."""
    first = parts[0].roots
    numbered = list(_numbered_on(parts))
    objects = [data for part in numbered for data in part.objects]
    _chain(objects, [part.bookmarks for part in numbered if part.bookmarks])
    pages = [page for part in numbered for page in part.pages]
    marks = [marks for part in numbered for marks in part.marks]
    marks += [element for part in numbered for element in part.link_elements]
    _number_links(objects, [link for part in numbered for link in part.links], first=len(pages))
    elements = [each for part in numbered for each in part.elements]
    instead = {
        first.pages: b"<</Type /Pages/Kids [%b]/Count %d>>" % (_references(pages), len(pages)),
        first.by_mark: b"<</Nums [%b]>>" % b" ".join(b"%d %b" % each for each in enumerate(marks)),
        first.document: b"<</Type /StructElem/S /Document/P %d 0 R/K [%b]>>" % (first.tags, _references(elements)),
    }
    if first.bookmarks:
        ends = [part.bookmarks for part in numbered if part.bookmarks]
        count = sum(part.bookmark_count for part in numbered)
        instead[first.bookmarks] = b"<</Count %d/First %d 0 R/Last %d 0 R>>" % (count, ends[0][0], ends[-1][1])
    for number, data in instead.items():
        objects[number - 1] = data
    streams = {number: contents for part in numbered for number, contents in part.streams.items()}
    return _written(objects, streams, catalog=first.catalog, info=parts[0].info)


def _number_links(objects: list[bytes], links: Iterable[int], *, first: int) -> None:
    """Number the elements of links after those of all pages."""
    for number, link in enumerate(links, start=first):
        objects[link - 1] = _PARENT.sub(b"/StructParent %d" % number, objects[link - 1])


def _numbered_on(parts: Sequence[MergeablePdf]) -> Iterable[MergeablePdf]:
    """Yield the parts with the numbers of their objects and pages in the merged document."""
    first, before, pages = parts[0].roots, 0, 0
    for part in parts:
        gives_way = dict(zip(asdict(part.roots).values(), asdict(first).values(), strict=True)) if before else {}
        objects = _renumbered(part.objects, before, gives_way)
        for page in part.pages:
            objects[page - 1] = _PARENTS.sub(
                lambda found: b"/StructParents %d" % (int(found[1]) + pages),  # noqa: B023  (called at once)
                objects[page - 1],
            )
        for number in gives_way:
            if number:
                objects[number - 1] = b"null"
        yield replace(
            part,
            objects=tuple(objects),
            streams={number + before: contents for number, contents in part.streams.items()},
            pages=tuple(page + before for page in part.pages),
            elements=tuple(each + before for each in part.elements),
            marks=tuple(_renumbered(part.marks, before, gives_way)),
            links=tuple(link + before for link in part.links),
            link_elements=tuple(_renumbered(part.link_elements, before, gives_way) if part.link_elements else ()),
            bookmarks=(part.bookmarks[0] + before, part.bookmarks[1] + before) if part.bookmarks else None,
        )
        before += len(part.objects)
        pages += len(part.pages)


def _renumbered(objects: Sequence[bytes], by: int, gives_way: Mapping[int, int]) -> list[bytes]:
    """Renumber references in objects by an offset, or to the first part's; all in one pass."""

    def shift_reference(found: re.Match[bytes]) -> bytes:
        if found[1] is None:
            return found[0]
        number = int(found[1])
        return b"%d 0 R" % (gives_way.get(number) or number + by)

    return _REFERENCE.sub(shift_reference, _APART.join(objects)).split(_APART) if by else list(objects)


def _chain(objects: list[bytes], ends: Sequence[tuple[int, int]]) -> None:
    """Link the first bookmark of each part to the last one of the part before."""
    for (_first, last), (following, _last) in pairwise(ends):
        objects[last - 1] = objects[last - 1][:-2] + b"/Next %d 0 R>>" % following
        objects[following - 1] = objects[following - 1][:-2] + b"/Prev %d 0 R>>" % last


def _written(objects: Sequence[bytes], streams: Mapping[int, bytes], *, catalog: int, info: bytes) -> bytes:
    """Return the file: streams, compressed streams of other objects, and the cross-reference table."""
    whole = bytearray(b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n")
    places = [b"\0" * _PLACE]
    others = []
    for number, data in enumerate((*objects, info), start=1):
        if number in streams:
            places.append(b"\1" + len(whole).to_bytes(4, "big") + b"\0\0")
            whole += b"%d 0 obj\n%b\nstream\n%b\nendobj\n" % (number, data, streams[number])
        else:
            places.append(b"")
            others.append((number, data))
    for start in range(0, len(others), _TOGETHER):
        some = others[start : start + _TOGETHER]
        for place, (number, _data) in enumerate(some):
            places[number] = b"\2" + len(places).to_bytes(4, "big") + place.to_bytes(2, "big")
        ends = accumulate((len(data) + 1 for _number, data in some), initial=0)
        head = b" ".join(b"%d %d" % (number, begin) for (number, _data), begin in zip(some, ends, strict=False))
        body = head + b"\n" + b"\n".join(data for _number, data in some)
        kind = b"/Type /ObjStm/N %d/First %d" % (len(some), len(head) + 1)
        _add_compressed(whole, places, kind, body)
    begin = len(whole)
    table = b"".join(places) + b"\1" + begin.to_bytes(4, "big") + b"\0\0"
    kind = b"/Type /XRef/Size %d/W [1 4 2]/Root %d 0 R/Info %d 0 R" % (len(places) + 1, catalog, len(objects) + 1)
    _add_compressed(whole, places, kind, table)
    return bytes(whole) + b"startxref\n%d\n%%%%EOF\n" % begin


def _add_compressed(whole: bytearray, places: list[bytes], kind: bytes, data: bytes) -> None:
    packed = zlib.compress(data, 6)
    number = len(places)
    places.append(b"\1" + len(whole).to_bytes(4, "big") + b"\0\0")
    whole += b"%d 0 obj\n<<%b/Filter /FlateDecode/Length %d>>\nstream\n" % (number, kind, len(packed))
    whole += packed + b"\nendstream\nendobj\n"


_TOGETHER, _PLACE = 10_000, 7
"""Objects compressed together, and bytes of an entry in the cross-reference table."""


def _references(numbers: Iterable[int]) -> bytes:
    return b" ".join(b"%d 0 R" % number for number in numbers)


# -- From process to process ---------------------------------------------------------------------------------------


def serialise_pdf(part: MergeablePdf) -> bytes:
    """Return bytes for a file that another process reads: a line of JSON, then every object and stream."""
    streams = tuple(part.streams.items())
    pieces = (
        *part.objects,
        *part.marks,
        *part.link_elements,
        *(contents for number_of, contents in streams),
        part.info,
    )
    head = {
        "lengths": [len(piece) for piece in pieces],
        "objects": len(part.objects),
        "marks": len(part.marks),
        "links": part.links,
        "streams": [number for number, _contents in streams],
        "roots": asdict(part.roots),
        "pages": part.pages,
        "elements": part.elements,
        "bookmarks": part.bookmarks,
        "bookmark_count": part.bookmark_count,
    }
    return json.dumps(head).encode() + b"\n" + b"".join(pieces)


def deserialise_pdf(data: bytes) -> MergeablePdf:
    """Read the output of `serialise_pdf`."""
    line, _end, rest = data.partition(b"\n")
    head = json.loads(line)
    pieces, start = [], 0
    for length in head["lengths"]:
        pieces.append(rest[start : start + length])
        start += length
    objects, marks = head["objects"], head["objects"] + head["marks"]
    links = marks + len(head["links"])
    return MergeablePdf(
        objects=tuple(pieces[:objects]),
        streams=dict(zip(head["streams"], pieces[links:-1], strict=True)),
        info=pieces[-1],
        roots=PdfRoots(**head["roots"]),
        pages=tuple(head["pages"]),
        elements=tuple(head["elements"]),
        marks=tuple(pieces[objects:marks]),
        links=tuple(head["links"]),
        link_elements=tuple(pieces[marks:links]),
        bookmarks=(head["bookmarks"][0], head["bookmarks"][1]) if head["bookmarks"] else None,
        bookmark_count=head["bookmark_count"],
    )
