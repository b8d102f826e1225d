"""The commands that the guide tells its reader to type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

GUIDE = Path(__file__).resolve().parent.parent.parent / "docs" / "operator" / "server.md"

_HEADING_OR_BLOCK = re.compile(r"^## (?P<heading>.+?)\s*$|^```sh\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The commands under one heading, block by block."""

    heading: str
    blocks: tuple[str, ...]


def parts(text: str) -> list[Part]:
    """The parts of a guide that have commands, in order."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for match in _HEADING_OR_BLOCK.finditer(text):
        if match["heading"]:
            found.append((match["heading"], []))
        else:
            found[-1][1].append(match["commands"])
    return [Part(heading=heading, blocks=tuple(blocks)) for heading, blocks in found if blocks]


def commands(block: str) -> list[str]:
    """A block's commands, one for each line of the guide."""
    return [line for line in block.splitlines() if line.strip() and not line.startswith("#")]
