"""FIDE's lists as XML: `player` elements under `playerslist`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.parsers import expat

from django.utils.translation import gettext as _

from clubs.rating.lists.player_lines import NotARatingList, RatingListLine, RatingListLines, parse_player_line

_FIELDS = {
    "fideid": "number",
    "name": "name",
    "country": "federation",
    "sex": "sex",
    "title": "title",
    "birthday": "birth_year",
    "flag": "flag",
}
_RATINGS = {"rating": "standard", "rapid_rating": "rapid", "blitz_rating": "blitz"}


def read_fide_xml_list(chunks: Iterable[bytes], kind: str, *, after: int = 0) -> RatingListLines:
    """Yield the players in a list, skipping the first `after`. Each one's `line` is their position, from 1.

    In a list of one kind, the only rating is that of `kind`. Raises NotARatingList, with the line of the file, if it
    isn't such XML.
    """
    reader = _Reader(kind, after)
    for chunk in chunks:
        yield from reader.read_chunk(chunk)
    yield from reader.read_chunk(b"", is_last=True)


_FACTORS = {"k": "standard", "rapid_k": "rapid", "blitz_k": "blitz"}


class _Reader:
    """A parser with its state between two chunks: the open player and field."""

    def __init__(self, kind: str, after: int) -> None:
        self.kind, self.after = kind, after
        self.count = 0
        self.found: list[RatingListLine] = []
        self.fields: dict[str, str] | None = None
        self.field = ""
        self.text: list[str] = []
        self.has_root = False
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse

    def read_chunk(self, chunk: bytes, *, is_last: bool = False) -> list[RatingListLine]:
        try:
            self.parser.Parse(chunk, is_last)
        except expat.ExpatError as error:
            raise NotARatingList(error.lineno, _("valid XML")) from error
        found, self.found = self.found, []
        return found

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        if not self.has_root:
            if name != "playerslist":
                raise NotARatingList(self.parser.CurrentLineNumber, "<playerslist>")
            self.has_root = True
        elif name == "player":
            self.count += 1
            self.fields = {}
        self.field, self.text = name, []

    def _characters(self, text: str) -> None:
        self.text.append(text)

    def _end(self, name: str) -> None:
        if self.fields is None or self.count <= self.after:
            return
        if name == "player":
            self.found.append(self._player(self.fields))
            self.fields = None
        elif name == self.field:
            self.fields[name] = "".join(self.text)

    def _player(self, fields: dict[str, str]) -> RatingListLine:
        kinds = (
            _RATINGS if "rapid_rating" in fields or "blitz_rating" in fields or not self.kind else {"rating": self.kind}
        )
        return parse_player_line(
            self.count,
            {ours: fields.get(theirs, "") for theirs, ours in _FIELDS.items()},
            {kind: fields.get(theirs, "") for theirs, kind in kinds.items()},
            factors={
                kind: fields.get(theirs, "")
                for theirs, kind in (_FACTORS if kinds is _RATINGS else {"k": self.kind}).items()
            },
            text=f"{fields.get('fideid', '')} {fields.get('name', '')}"[:80].strip(),
        )

    def _refuse(self, *_declaration: object) -> None:
        raise NotARatingList(self.parser.CurrentLineNumber, _("XML without entity declarations"))
