"""Write the pages of the conformance kit, one for each system: every case with its article, event and round.

    python -m tests.pairing.conformance.pages

The pages are made from `docs/conformance/index.json` and are not stored in the repository.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pairing.cli.conformance import KIT_FOLDER
from tests.pairing.conformance.articles import ARTICLES

_TITLES = {
    "fide-1989": "FIDE Swiss rules of 1987–89",
    "jahr": "Jahr's method",
    "dutch-1992": "the Dutch system of 1992",
    "dubov-1997": "the Dubov system of 1997",
    "dutch-2026": "the FIDE (Dutch) system of 2026",
    "round-robin": "round robin",
}


def main() -> None:
    entries = json.loads((KIT_FOLDER / "index.json").read_text(encoding="utf-8"))["cases"]
    for page in write_pages(KIT_FOLDER, entries):
        print(page)


def write_pages(folder: Path, entries: list[dict[str, Any]]) -> list[Path]:
    """Write a page for each system of the entries. Its links lead to the files in the kit's own folder."""
    pages = []
    for system, title in _TITLES.items():
        lines = [
            f"# Conformance: {title}",
            "",
            f"The cases of [the kit](README.md) for `{system}`. See [how it pairs](../arbiter/systems/{system}.md), and"
            " [where its document is open](../arbiter/rule-interpretations.md).",
            "",
        ]
        for entry in entries:
            if entry["system"] == system:
                lines += _section(entry)
        page = folder / f"{system}.md"
        page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8", newline="\n")
        pages.append(page)
    return pages


def _section(entry: dict[str, Any]) -> list[str]:
    words = ARTICLES[entry["system"]].get(entry["article"])
    lines = [f"## {entry['id']}", ""]
    if words:
        lines += [f"> {entry['article']}: {words}", ""]
    lines += [f"- event: [{entry['file'].split('/')[-1]}]({entry['file']})"]
    ways = [f"acceleration {entry['acceleration']}"] if entry["acceleration"] != "none" else []
    ways += [f"groups {','.join(map(str, entry['groups']))}"] if entry["groups"] else []
    ways += [f"procedure {entry['procedure']}"] if entry["procedure"] else []
    ways += [f"interpretation `{reading}`" for reading in entry["readings"]]
    if ways:
        lines.append(f"- paired with: {', '.join(ways)}")
    pairs = " ".join(f"{white}-{black}" for white, black in entry["pairs"])
    bye = f", bye {entry['bye']}" if entry["bye"] else ""
    lines.append(f"- round: {pairs}{bye}")
    if entry.get("without_it"):
        lines.append(f"- a program that breaks the article may pair: {entry['without_it']}")
    lines += [f"- source of the answer: {entry['source']}", ""]
    return lines


if __name__ == "__main__":
    main()
