"""The repository apart from code: templates without inline code, a public lock file, no real people."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.real_names import real_names_in, words_of
from tests.test_conventions import APPS, ROOT, assert_none, at, relative, templates

# -- Templates -----------------------------------------------------------------------------------------------------


class InlineCode(HTMLParser):
    """Collects what a strict content security policy would refuse, with its line."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in given and given.get("type") != "application/json"):
            self._note(f"<{tag}>")
        for name, value in attrs:
            if (
                name == "style"
                or name.startswith(("on", "hx-on"))
                or (value or "").strip().lower().startswith("javascript:")
            ):
                self._note(f"{name} on <{tag}>")

    def _note(self, what: str) -> None:
        self.found.append((self.getpos()[0], what))


def inline_code(text: str) -> list[tuple[int, str]]:
    """Inline scripts, styles and event handlers in a template, with their lines."""
    parser = InlineCode()
    # Template tags inside HTML tags may contain quotes of their own; blanked, not cut, to keep the line numbers.
    parser.feed(
        re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", lambda tag: re.sub(r"[^\n]", " ", tag.group()), text, flags=re.DOTALL)
    )
    return parser.found


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<p>\n<style>p {}</style>",
        '<p style="margin: 0">',
        '<a onclick="go()">',
        '<a hx-on:click="go()">',
        '<a href="javascript:go()">',
        "{% if a %}<p {% if b %}style='top: 0'{% endif %}>{% endif %}",
    ],
)
def test_inline_code_is_seen(text):
    assert inline_code(text)


def test_templates_hold_no_inline_code():
    found = [
        f"{at(path, line)}: {what}"
        for path in templates()
        for line, what in inline_code(path.read_text(encoding="utf-8"))
    ]
    assert_none(found)


# -- The lock file -------------------------------------------------------------------------------------------------


def test_the_lock_file_names_only_the_public_index():
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    addresses = {
        address
        for package in lock["package"]
        for address in [
            package["source"].get("registry", ""),
            *(wheel["url"] for wheel in package.get("wheels", [])),
            package.get("sdist", {}).get("url", ""),
        ]
        if address
    }
    assert {urlsplit(address).hostname for address in addresses} == {"pypi.org", "files.pythonhosted.org"}
    assert [
        package["name"] for package in lock["package"] if not {"registry", "virtual"} & set(package["source"])
    ] == []


# -- People --------------------------------------------------------------------------------------------------------


def test_no_real_player_stands_in_the_repository():
    """Real events that were used for trials or test data contain real people's names, which must not be here."""
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in _everything_written()}
    names = real_names_in(texts.values())
    assert_none([f"{relative(path)}: {name}" for name in names for path, text in texts.items() if name in _plain(text)])
    assert not names


def _plain(text: str) -> str:
    return " ".join(words_of(text))


def _everything_written() -> list[Path]:
    folders = (*APPS, "tests", "templates", "static", "docs", "lab", "locale", "release")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [path for path in [*files, *ROOT.glob("*.md"), ROOT / "dev"] if path.suffix not in {".pyc", ".mo", ".woff2"}]
