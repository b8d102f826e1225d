"""The documentation: its links work, and the functions and files it names exist."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "pairing" / "engine"

PAGES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part in {"var", "node_modules"} for part in path.relative_to(ROOT).parts)
)
PACKAGE_PAGES = [page for page in PAGES if page.name == "README.md" and page.is_relative_to(ENGINE)]

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)[^)]*\)|!\[[^\]]*\]\(([^)\s]+)[^)]*\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors_of(page: Path) -> set[str]:
    """The anchors GitHub gives a page's headings."""
    headings = re.findall(r"^#+\s+(.*?)\s*#*$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> list[str]:
    """The broken relative links of a page. Links to other sites are not followed."""
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


@pytest.mark.parametrize("page", PACKAGE_PAGES, ids=name_of)
def test_a_package_page_names_only_what_is_there(page):
    """Every `function()` and `file.py` a page of the engine names is in its own package or elsewhere in the engine."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    functions = re.findall(r"`(?:[\w.]+\.)?(\w+)\(\)`", text)
    files = re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", text)
    assert sorted(set(functions) - names_defined_in(ENGINE)) == []
    assert sorted(set(files) - {path.name for path in ROOT.rglob("*.py") if ".venv" not in path.parts}) == []


def is_in_the_repository(place: str, files: Sequence[str]) -> bool:
    """Whether some file or folder path ends like this."""
    return any(f"/{place.strip('/')}/" in f"/{file}/" for file in files)


def gone_from(text: str, files: Sequence[str]) -> list[str]:
    """The missing modules that a page names; a name without a folder is in the folder named last."""
    gone = []
    for paragraph in re.split(r"\n\s*\n|\n(?=[|-])", FENCE.sub("", text)):
        folder = ""
        for name in re.findall(r"`([\w/-]+\.py)`", paragraph):
            folder = name.rpartition("/")[0] or folder
            if not is_in_the_repository(f"{folder}/{name.rpartition('/')[2]}", files):
                gone.append(name)
    return gone


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=name_of)
def test_a_page_names_only_modules_that_are_there(page):
    text = page.read_text(encoding="utf-8").replace("formats/es/", "formats/bg/")  # the example of a new language
    assert gone_from(text, tracked_files()) == []


def test_a_module_that_is_gone_is_seen():
    files = ["pairing/rounds/manual/undo.py", "pairing/rounds/lifecycle/steps.py"]
    assert gone_from("`pairing/rounds/manual/undo.py`, `steps.py`; `pairing/rounds/lifecycle/steps.py`", files) == [
        "steps.py"
    ]
    assert gone_from("`pairing/rounds/manual/undo.py`\n\n`steps.py`, `changing.py`", files) == ["changing.py"]


APPS = ("lab", "clubs", "common", "config", "operations", "pairing", "tournaments")


def test_docstrings_name_only_what_is_there():
    """Paths that start with a folder of the repository, and dotted names that start with an app."""
    files = tracked_files()
    gone = []
    for file in files:
        if file.endswith(".py") and file.startswith(APPS):
            text = (ROOT / file).read_text(encoding="utf-8")
            for place in re.findall(
                rf"`((?:{'|'.join(APPS)}|components|css|docs|js|static|templates|tests)/[\w./-]+)`", text
            ):
                gone += [f"{file}: {place}"] if not is_in_the_repository(place, files) else []
            for name in re.findall(r"`((?:clubs|common|config|operations|pairing|tournaments)(?:\.\w+)+)`", text):
                gone += [f"{file}: {name}"] if not is_there(name) else []
    assert gone == []


def is_there(name: str) -> bool:
    """Whether the folders and modules of a dotted name exist, and the last module contains its name."""
    place, parts = ROOT, name.split(".")
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    modules = [place / f"{parts.pop(0)}.py"] if parts and (place / f"{parts[0]}.py").is_file() else place.glob("*.py")
    words = {word for module in modules for word in re.findall(r"\w+", module.read_text(encoding="utf-8"))}
    return set(parts) <= words


@cache
def tracked_files() -> tuple[str, ...]:
    """Every file of the repository, and untracked files in named folders."""
    found = []
    for folder, below, names in os.walk(ROOT):
        below[:] = [each for each in below if not each.startswith(".") and each not in {"var", "node_modules"}]
        found += [Path(folder, each).relative_to(ROOT).as_posix() for each in names]
    return tuple(found)


def names_defined_in(folder: Path) -> set[str]:
    """The names of all functions and classes under a folder."""
    return {
        node.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
