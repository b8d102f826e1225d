"""Renders HTML and CSS as PDF with WeasyPrint, for all papers.

Importing WeasyPrint takes a second or more, so it is imported for the first paper. Nothing is ever fetched from the
network: a paper must contain everything it refers to. A document consists of parts, each a whole HTML page, and becomes
one tagged PDF. Helper processes (`python -m pairing.printing.pdf.weasyprint_rendering`) render the parts of a very long
document in parallel; small parts keep the processes small. PDFs are cached by their content.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.ElementTree import fromstring

from common.file_store.protocol import FileStore
from common.file_store.stores import delete_old_files, read_stored_file
from pairing.printing.pdf.card_tables import join_card_rows
from pairing.printing.pdf.pdf_merge import MergeablePdf, deserialise_pdf, merge_pdfs, serialise_pdf, to_mergeable_pdf
from pairing.printing.pdf.pdf_tags import repair_pdf_tags
from pairing.printing.pdf.row_merging import MERGED_ROW_CSS, merge_row_cells, overflowing_rows, restore_row_cells

PDF_VARIANT = "pdf/ua-1"
"""PDF for universal access: text in reading order, tagged headings and tables, title and language."""

LONG_PAPER_LENGTH = 400_000
"""The characters of HTML from which helpers are used: they take a second to start.

Such a paper is, for example, a pile of 370 cards.
"""

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
    """A whole HTML page, of any number of sheets, and its CSS; `name` is its title for users."""

    html: str
    css: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A document to print, in parts; title and language are those of the first."""

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
        seconds = tags * SECONDS_PER_TAG + letters * SECONDS_PER_LETTER
        return seconds / (_helpers(self) if self.is_long else 1)

    @property
    def is_long(self) -> bool:
        return len(self.parts) > 1 and sum(len(part.html) for part in self.parts) > LONG_PAPER_LENGTH


class PrintingImpossible(Exception):
    """The system lacks a library that printing needs; the message says which."""


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
    """Return the pages of each part of a cached document; None if it is not cached."""
    try:
        pages: list[int] = json.loads(read_stored_file(store, f"{paper.content_key}.pages"))
    except (FileNotFoundError, ValueError):
        return None
    return pages if len(pages) == len(paper.parts) else None


def load_cached_pdf(paper: Paper, *, store: FileStore) -> bytes | None:
    """Return the cached PDF of a document; None if there is none."""
    name = f"{paper.content_key}.pdf"
    try:
        pdf = read_stored_file(store, name)
    except FileNotFoundError:
        return None
    store.touch_file(name)
    return pdf


def enqueue_paper(paper: Paper, *, store: FileStore) -> str:
    """Store a document for another process to render; return the key for `load_enqueued_paper`."""
    key = paper.content_key
    _keep(store, f"{key}.json", json.dumps([asdict(part) for part in paper.parts]).encode())
    return key


def load_enqueued_paper(key: str, *, store: FileStore) -> Paper:
    """Return the stored document. Raises FileNotFoundError if it no longer exists."""
    parts = json.loads(read_stored_file(store, f"{key}.json"))
    return Paper(parts=tuple(PaperPart(**part) for part in parts))


def render_without_cache(paper: Paper, *, report_progress: ProgressCallback = ignore_progress) -> bytes:
    """Render the document as PDF without the cache."""
    return render_and_count_pages(paper, report_progress=report_progress)[0]


def render_and_count_pages(
    paper: Paper, *, report_progress: ProgressCallback = ignore_progress
) -> tuple[bytes, list[int]]:
    """Return the PDF of the document and the pages of each of its parts."""
    if not paper.is_long:
        return _set(paper.parts, report_progress)
    _weasyprint()
    parts = _set_by_helpers(paper, report_progress)
    return merge_pdfs(parts), [len(part.pages) for part in parts]


_ONE_AT_A_TIME = threading.Lock()
"""Threads make WeasyPrint slower, not faster."""


def _set(parts: Sequence[PaperPart], tell: ProgressCallback = ignore_progress) -> tuple[bytes, list[int]]:
    with _ONE_AT_A_TIME, _few_collections():
        document, pages = _laid_out(parts, tell)
        pdf = merge_pdfs([_drawn(document)])
    return pdf, pages


def _laid_out(parts: Sequence[PaperPart], tell: ProgressCallback = ignore_progress) -> tuple[Any, list[int]]:
    """Lay out parts one by one and join their pages, with the title and language of the first.

    Equal parts are laid out once and drawn as often as needed.
    """
    _weasyprint()
    laid_out: dict[PaperPart, Any] = {}
    for done, part in enumerate(parts):
        tell(done, len(parts))
        if part not in laid_out:
            laid_out[part] = _laid_out_alone(part)
    pages = [page for part in parts for page in laid_out[part].pages]
    return laid_out[parts[0]].copy(pages), [len(laid_out[part].pages) for part in parts]


def _read(html: str) -> Any:
    """Read a page for WeasyPrint as XML, which takes a tenth of the HTML parser's time.

    Pages are well-formed except for elements that are never closed. A page with an entity unknown to XML is read as
    HTML.
    """
    weasyprint = _weasyprint()
    try:
        root = fromstring(_NEVER_CLOSED.sub(r"<\1/>", html))
    except ParseError:
        return weasyprint.HTML(string=html, url_fetcher=_fetcher())
    page = weasyprint.HTML(string="", url_fetcher=_fetcher())
    page.wrapper_element = type(page.wrapper_element).from_html_root(root)
    page.etree_element = root
    return page


_NEVER_CLOSED = re.compile(r"<((?:meta|img|br)\b[^>]*)>")


def _laid_out_alone(part: PaperPart) -> Any:
    """Lay out a part with merged table rows; rows that do not fit become cells again."""
    page = _read(part.html)
    join_card_rows(page.etree_element)
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
    """Run the garbage collector less: nearly all boxes are kept, and it would take a third of the time."""
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
    """Return the font configuration, one a process: each leaks a megabyte, and no paper has its own fonts."""
    from weasyprint.text.fonts import FontConfiguration

    return FontConfiguration()


def _fetcher() -> Any:
    from weasyprint.urls import URLFetcher

    return URLFetcher(allowed_protocols=("data",))


# -- Helper processes ----------------------------------------------------------------------------------------------


def _helpers(paper: Paper) -> int:
    return min(os.cpu_count() or 1, len(paper.parts))


def _set_by_helpers(paper: Paper, tell: ProgressCallback) -> list[MergeablePdf]:
    """Render the parts in helpers: each takes every n-th part."""
    helpers = _helpers(paper)
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for place in range(helpers):
            work = Path(folder) / f"{place}.json"
            parts = {number: asdict(part) for number, part in enumerate(paper.parts) if number % helpers == place}
            work.write_text(json.dumps(parts), encoding="utf-8")
            running.append(_start_helper(work))
        try:
            _wait_for(running, Path(folder), len(paper.parts), tell)
        finally:
            for helper in running:
                helper.terminate()
        return [deserialise_pdf((Path(folder) / f"{number}.drawn").read_bytes()) for number in range(len(paper.parts))]


def _wait_for(running: Sequence[subprocess.Popen[bytes]], folder: Path, parts: int, tell: ProgressCallback) -> None:
    """Wait for all helpers. Raises RuntimeError if one has failed."""
    while any(helper.poll() is None for helper in running):
        tell(len(list(folder.glob("*.drawn"))), parts)
        time.sleep(_A_MOMENT)
    failed = [helper.returncode for helper in running]
    if any(failed):
        raise RuntimeError(f"a helper of the printing ended with {failed}")


_A_MOMENT = 0.05
"""Seconds between two checks of the helpers."""


def _start_helper(work: Path) -> subprocess.Popen[bytes]:
    root = Path(__file__).resolve().parents[3]
    return subprocess.Popen([sys.executable, "-m", "pairing.printing.pdf.weasyprint_rendering", str(work)], cwd=root)  # noqa: S603


def _help(work: Path) -> None:
    """Render the parts in a file, each into a file beside it named by its number."""
    for number, part in json.loads(work.read_text(encoding="utf-8")).items():
        (work.parent / f"{number}.drawn").write_bytes(serialise_pdf(render_mergeable_part(PaperPart(**part))))


def render_mergeable_part(part: PaperPart) -> MergeablePdf:
    """Return a part as PDF objects, for another process to merge."""
    with _few_collections():
        return _drawn(_laid_out((part,))[0])


def _drawn(document: Any) -> MergeablePdf:
    """Return a laid-out document as PDF objects, because WeasyPrint's own compression is slow."""
    found: list[MergeablePdf] = []

    def collect_objects(document: Any, pdf: Any) -> None:
        repair_pdf_tags(document, pdf)
        found.append(to_mergeable_pdf(pdf))
        # Its output is not used.
        del pdf.objects[1:]

    document.write_pdf(pdf_variant=PDF_VARIANT, finisher=collect_objects)
    return found[0]


# -- What was printed before ---------------------------------------------------------------------------------------


def _keep(kept_in: FileStore, name: str, data: bytes) -> None:
    """Save a file, and delete old files of its kind beyond the limits of age and number."""
    kept_in.save_file(name, [data])
    delete_old_files(kept_in, seconds=PAPER_LIFETIME_SECONDS, most=MAX_KEPT_PAPERS, ending=Path(name).suffix)


if __name__ == "__main__":
    _help(Path(sys.argv[1]))
