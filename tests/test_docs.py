"""The documentation's promises: links lead somewhere, functions and files it names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "pairing" / "engine"

PAGES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part in {"var", "node_modules"} for part in path.relative_to(ROOT).parts)
)
ROOM_PAGES = [page for page in PAGES if page.name == "README.md" and page.is_relative_to(ENGINE)]

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)[^)]*\)|!\[[^\]]*\]\(([^)\s]+)[^)]*\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors_of(page: Path) -> set[str]:
    """The anchors GitHub gives a page's headings."""
    headings = re.findall(r"^#+\s+(.*?)\s*#*$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere; those to other sites are not followed."""
    dead = []
    for groups in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        link = "".join(groups)
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        is_there = target.exists() and target.is_relative_to(ROOT)
        if not is_there or (anchor and target.suffix == ".md" and anchor not in anchors_of(target)):
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    assert dead_links(page) == []


def test_a_dead_link_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_docs.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n[a](gone.md) [b](#one) [c](#two) [d](page.md#one) [e](https://example.org) ![f](gone.png)\n"
    )
    assert dead_links(page) == ["gone.md", "#two", "gone.png"]


@pytest.mark.parametrize("page", ROOM_PAGES, ids=name_of)
def test_a_room_page_names_only_what_is_there(page):
    """Every `function()` and `file.py` a page of the engine names stands in its own room or elsewhere in the engine."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    functions = re.findall(r"`(?:[\w.]+\.)?(\w+)\(\)`", text)
    files = re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", text)
    assert sorted(set(functions) - names_defined_in(ENGINE)) == []
    assert sorted(set(files) - {path.name for path in ROOT.rglob("*.py") if ".venv" not in path.parts}) == []


def names_defined_in(folder: Path) -> set[str]:
    """The names of all functions and classes under a folder."""
    return {
        node.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
