"""Finds messages to translate: in modules with Babel, in templates with Django.

A message is found where it is marked: `_("...")`, `ngettext("...", "...", n)`, `{% translate "..." %}` and so on. Texts
defined in one place and translated in another, such as labels, look like any other text. They are never reported as
missing, but kept if a catalogue has them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import django
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

SOURCE_FOLDERS = ("templates", "clubs", "common", "config", "operations", "pairing", "tournaments", "release/site")
_BY_NUMBER, _IN_CONTEXT = (1, 2), ((1, "c"), 2)
_FUNCTIONS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _BY_NUMBER),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _IN_CONTEXT),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


class MessageKey(NamedTuple):
    """The key of a message: context, singular and, if there is one, plural."""

    context: str | None
    one: str
    many: str = ""

    @property
    def babel_id(self) -> str | tuple[str, str]:
        """The key as Babel writes it."""
        return (self.one, self.many) if self.many else self.one


@dataclass(frozen=True, slots=True)
class SourceMessages:
    """Marked messages, and all other texts that may be translated somewhere."""

    keys: frozenset[MessageKey]
    texts: frozenset[str]


@cache
def extract_messages(root: Path) -> SourceMessages:
    """Return the messages of a checkout, and Django's own, whose translations a catalogue can override."""
    asked, texts = set[MessageKey](), _of_django()
    for path in _files(root):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            texts |= _texts(text)
            asked |= set(_named(text)) if "gettext" in text else set()
        elif "trans" in text or "_(" in text:
            # Django converts the template to Python, with indentation that Babel cannot read.
            asked |= set(_named("\n".join(line.strip() for line in templatize(text).splitlines())))
    return SourceMessages(frozenset(asked), frozenset(texts))


def _files(root: Path) -> Iterator[Path]:
    for place in SOURCE_FOLDERS:
        for path in sorted((root / place).rglob("*")):
            if path.suffix in (".py", ".html", ".txt") and "migrations" not in path.parts:
                yield path


def _named(code: str) -> Iterator[MessageKey]:
    for _line, words, _comments, context in extract("python", BytesIO(code.encode()), keywords=_FUNCTIONS):
        one, many = (words, "") if isinstance(words, str) else (words[0], words[1])
        yield MessageKey(context, one, many)


def _texts(code: str) -> set[str]:
    nodes = ast.walk(ast.parse(code))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _of_django() -> set[str]:
    path = Path(django.__file__).parent / "conf" / "locale" / "en" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        return {each.id if isinstance(each.id, str) else each.id[0] for each in read_po(file, locale="en")}
