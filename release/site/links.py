"""Finds broken links in a folder of HTML pages. Links to other sites are not followed."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """Collects a page's links, and the anchors that a link can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value or "")
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in ("src", "srcset", "href"):
                self.loaded.append(value or "")


def link_faults(folder: Path) -> list[str]:
    """Return broken links and anything that would be loaded from another site, each with its page."""
    faults = []
    for path in sorted(folder.rglob("*.html")):
        page = _read(path)
        faults += [f"{path.relative_to(folder)}: {link}" for link in page.links if _is_broken(path, link)]
        for link in page.loaded:
            if urlsplit(link).netloc or _is_broken(path, link):
                faults.append(f"{path.relative_to(folder)} loads {link}")
    return faults


def _is_broken(path: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return True
    return target.suffix == ".html" and unquote(parts.fragment) not in _read(target).anchors


@cache
def _read(path: Path) -> _Page:
    return _Page(path.read_text(encoding="utf-8"))
