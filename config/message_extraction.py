"""What the code asks to be translated: modules as Babel reads them, templates as Django does.

A message is found where it is named: `_("...")`, `ngettext("...", "...", n)`, `{% translate "..." %}` and their like.
A text that stands in one place and is translated in another, as labels do, cannot be told from any other text: nobody
can say that it is missing, but it is kept where a catalogue has it.
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

SOURCE_FOLDERS = ("templates", "clubs", "common", "config", "operations", "pairing", "tournaments")
_BY_NUMBER, _IN_CONTEXT = (1, 2), ((1, "c"), 2)
_FUNCTIONS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _BY_NUMBER),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _IN_CONTEXT),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


class MessageKey(NamedTuple):
    """A message: its context, its words for one, and those for many where it goes by number."""

    context: str | None
    one: str
    many: str = ""

    @property
    def babel_id(self) -> str | tuple[str, str]:
        """As Babel names it."""
        return (self.one, self.many) if self.many else self.one


@dataclass(frozen=True, slots=True)
class SourceMessages:
    """What is asked for by name, and every other text that may be translated somewhere."""

    keys: frozenset[MessageKey]
    texts: frozenset[str]


@cache
def extract_messages(root: Path) -> SourceMessages:
    """The messages of a checkout, and Django's own, which a catalogue may translate better than Django does."""
    asked, texts = set[MessageKey](), _of_django()
    for path in _files(root):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            texts |= _texts(text)
            asked |= set(_named(text)) if "gettext" in text else set()
        elif "trans" in text or "_(" in text:
            # Django makes Python of it, for a reader that does not mind how lines begin.
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
