"""The pages of the documentation site, and its list of contents, which follows docs/README.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath

PAGE_PATTERNS = (
    "*.md",
    "docs/*.md",
    "docs/**/*.md",
    "lab/README.md",
    "lab/organisers.md",
    "pairing/engine/**/README.md",
    "release/engine/README.md",
    "tests/**/README.md",
)
PAGES_BELOW = {
    "CONTRIBUTING": ("CODE_OF_CONDUCT",),
    "docs/arbiter/systems/README": (
        "docs/arbiter/systems/*",
        "pairing/engine/systems/*/README",
        "pairing/engine/acceleration/README",
    ),
    "docs/conformance/README": ("docs/conformance/*",),
    "docs/developer/tests": (
        "tests/data/README",
        "tests/pairing/engine/literal/README",
        "lab/README",
        "lab/organisers",
    ),
    "docs/project/decisions/README": ("docs/project/decisions/*",),
    "docs/secretary/files": ("pairing/engine/trf/README",),
}
"""Pages that docs/README.md does not list, as patterns, by the page that they belong to."""


def page_names(root: Path) -> set[str]:
    """Return the names of all pages: their paths in the checkout without the suffix."""
    found = {path.relative_to(root) for pattern in PAGE_PATTERNS for path in root.glob(pattern)}
    return {path.with_suffix("").as_posix() for path in found}


def contents_below(root: Path, page: str) -> str:
    """Return the lists of the pages below a page, in MyST's notation. Empty for most pages."""
    if page == "README":
        return "".join(_toctree(names, caption=caption) for caption, names in sections(root))
    return _toctree(PAGES_BELOW[page]) if page in PAGES_BELOW else ""


def sections(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the headings of docs/README.md, each with the pages listed under it that belong to no other page."""
    listed = {"README"} | {page for page in page_names(root) if is_below_another(page)}
    start = ["docs/README", "CHANGELOG"]
    yield "", start
    listed.update(start)
    text = (root / "docs" / "README.md").read_text(encoding="utf-8")
    _start, *parts = re.split(r"^(?:## )?(For .+|About the project):?$", text, flags=re.MULTILINE)
    for caption, body in zip(parts[::2], parts[1::2], strict=True):
        links = [normpath(f"docs/{link}") for link in re.findall(r"\]\(([^)#\s]+)\.md\)", body)]
        yield caption, [page for page in dict.fromkeys(links) if page not in listed]
        listed.update(links)


def is_below_another(page: str) -> bool:
    """Return True if the page belongs to another page, so that docs/README.md need not list it."""
    patterns = [pattern for below in PAGES_BELOW.values() for pattern in below]
    return page not in PAGES_BELOW and any(PurePosixPath(page).match(pattern) for pattern in patterns)


def link_to_playground(page: str) -> str:
    """Return a link from a system's page to the page that pairs its example in the browser. Empty for other pages."""
    folder, _, name = page.rpartition("/")
    if folder != "docs/arbiter/systems" or name in ("points", "progressive-acceleration"):
        return ""
    query = "" if name == "README" else f"&amp;system={name}"
    address = f"../../../why/index.html?example{query}"
    return f'<p><a href="{address}">Pair the example in your browser</a>, with the reason for every board.</p>\n\n'


def _toctree(pages: Iterable[str], *, caption: str = "") -> str:
    entries = "\n".join(f"/{page}" for page in pages)
    heading = f":caption: {caption}\n" if caption else ""
    return f"\n\n```{{toctree}}\n:hidden:\n:glob:\n{heading}\n{entries}\n```\n"


def first_sentence(text: str) -> str:
    """Return the first sentence of a page's first paragraph, without Markdown. Empty if it has none."""
    paragraphs = (part for part in text.split("\n\n") if re.match(r"[A-Z“*]", part))
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]", r"\1", next(paragraphs, "")).replace("\n", " ")
    return re.split(r"(?<=[.?:]) ", plain)[0]
