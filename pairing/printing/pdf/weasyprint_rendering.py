"""Renders HTML and CSS as PDF with WeasyPrint, for all printouts.

Importing WeasyPrint takes a second or more, so it is imported for the first printout. Nothing is ever fetched from the
network: a printout must contain everything it refers to. A document consists of parts, each a whole HTML page, and
becomes one tagged PDF. PDFs are cached by their content.
"""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from common.file_store.protocol import FileStore
from common.file_store.stores import delete_old_files, read_stored_file
from pairing.printing.pdf.weasyprint_pages import (
    MERGED_ROW_CSS,
    merge_row_cells,
    overflowing_rows,
    repair_pdf_tags,
    restore_row_cells,
)

PDF_VARIANT = "pdf/ua-1"
"""PDF for universal access: text in reading order, tagged headings and tables, title and language."""

MAX_KEPT_PAPERS = 300
"""The most cached PDFs, and the most papers waiting to be rendered."""

PAPER_LIFETIME_SECONDS = 30 * 24 * 60 * 60
"""The lifetime of a cached paper since its last use: papers contain personal data."""

SECONDS_PER_TAG, SECONDS_PER_LETTER = 0.0001, 0.0000085
"""The rendering time of a tag, opening or closing, and of a letter (`lab/paper.py`): cards have few tags."""

ProgressCallback = Callable[[int, int], None]
"""Called with the number of finished parts and of all parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPart:
    """A whole HTML page, which can fill any number of sheets, and its CSS. `name` is its title for users."""

    html: str
    css: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A document to print, in parts. It has the title and language of the first part."""

    parts: tuple[PaperPart, ...]

    @property
    def content_key(self) -> str:
        """A hash of the content, equal for equal documents."""
        digest = sha256()
        for part in self.parts:
            digest.update(f"{len(part.html)} {len(part.css)} {part.html}{part.css}".encode())
        return digest.hexdigest()

    @property
    def estimated_seconds(self) -> float:
        """The estimated rendering time."""
        tags = sum(part.html.count("<") for part in self.parts)
        letters = sum(len(part.html) for part in self.parts)
        return tags * SECONDS_PER_TAG + letters * SECONDS_PER_LETTER


class PrintingImpossible(Exception):
    """Raised if the system lacks a library that printing needs. The message says which one."""


def ignore_progress(_done: int, _of: int) -> None:
    """Ignore the progress of rendering."""


def load_or_render_pdf(paper: Paper, *, store: FileStore, report_progress: ProgressCallback = ignore_progress) -> bytes:
    """Return the document as PDF, from the cache in `store` if possible.

    Raises PrintingImpossible if WeasyPrint's system libraries are missing.
    """
    pdf = load_cached_pdf(paper, store=store)
    if pdf is None:
        pdf, pages = render_and_count_pages(paper, report_progress=report_progress)
        _keep(store, f"{paper.content_key}.pages", json.dumps(pages).encode())
        _keep(store, f"{paper.content_key}.pdf", pdf)
    return pdf


def cached_page_counts(paper: Paper, *, store: FileStore) -> list[int] | None:
    """Return each part's number of pages in a cached document, or None if it is not cached."""
    try:
        pages: list[int] = json.loads(read_stored_file(store, f"{paper.content_key}.pages"))
    except (FileNotFoundError, ValueError):
        return None
    return pages if len(pages) == len(paper.parts) else None


def load_cached_pdf(paper: Paper, *, store: FileStore) -> bytes | None:
    """Return the cached PDF of a document, or None if there is none."""
    name = f"{paper.content_key}.pdf"
    try:
        pdf = read_stored_file(store, name)
    except FileNotFoundError:
        return None
    store.touch_file(name)
    return pdf


def enqueue_paper(paper: Paper, *, store: FileStore) -> str:
    """Store a document for another process to render, and return the key for `load_enqueued_paper`."""
    key = paper.content_key
    _keep(store, f"{key}.json", json.dumps([asdict(part) for part in paper.parts]).encode())
    return key


def load_enqueued_paper(key: str, *, store: FileStore) -> Paper:
    """Return the stored document. Raises FileNotFoundError if it no longer exists."""
    parts = json.loads(read_stored_file(store, f"{key}.json"))
    return Paper(parts=tuple(PaperPart(**part) for part in parts))


def render_and_count_pages(
    paper: Paper, *, report_progress: ProgressCallback = ignore_progress
) -> tuple[bytes, list[int]]:
    """Return the document's PDF and each part's number of pages. The first part gives the title and language.

    Parts are laid out one by one, equal parts once, and drawn as often as needed.
    """
    _weasyprint()
    laid_out: dict[PaperPart, Any] = {}
    with _ONE_AT_A_TIME, _few_collections():
        for done, part in enumerate(paper.parts):
            report_progress(done, len(paper.parts))
            if part not in laid_out:
                laid_out[part] = _lay_out(part)
        pages = [page for part in paper.parts for page in laid_out[part].pages]
        document = laid_out[paper.parts[0]].copy(pages)
        pdf: bytes = document.write_pdf(pdf_variant=PDF_VARIANT, finisher=repair_pdf_tags)
    return pdf, [len(laid_out[part].pages) for part in paper.parts]


_ONE_AT_A_TIME = threading.Lock()
"""Threads make WeasyPrint slower, not faster."""


def _lay_out(part: PaperPart) -> Any:
    """Lay out a part with merged table rows. Rows that do not fit become cells again."""
    page = _weasyprint().HTML(string=part.html, url_fetcher=_fetcher())
    kept = merge_row_cells(page.etree_element)
    styles = [_stylesheet(part.css), _stylesheet(MERGED_ROW_CSS)]
    while True:
        document = page.render(stylesheets=styles, pdf_variant=PDF_VARIANT, font_config=_system_fonts())
        wrong = overflowing_rows(document.pages, kept) if kept else []
        if not wrong:
            return document
        restore_row_cells(wrong, kept)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Run the garbage collector less often: nearly all boxes are kept, and it would take a third of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _weasyprint() -> Any:
    try:
        import weasyprint
    except OSError as error:
        raise PrintingImpossible(str(error)) from error
    return weasyprint


@lru_cache(maxsize=16)
def _stylesheet(css: str) -> Any:
    return _weasyprint().CSS(string=css, url_fetcher=_fetcher())


@lru_cache
def _system_fonts() -> Any:
    """Return the font configuration, one per process: each leaks a megabyte, and no printout has its own fonts."""
    from weasyprint.text.fonts import FontConfiguration

    return FontConfiguration()


def _fetcher() -> Any:
    from weasyprint.urls import URLFetcher

    return URLFetcher(allowed_protocols=("data",))


def _keep(kept_in: FileStore, name: str, data: bytes) -> None:
    """Save a file, and delete old files of its kind beyond the limits of age and number."""
    kept_in.save_file(name, [data])
    delete_old_files(kept_in, seconds=PAPER_LIFETIME_SECONDS, most=MAX_KEPT_PAPERS, ending=Path(name).suffix)
