"""The pages of the conformance kit: one a method, every case with its article, its event and its round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.pairing.conformance.articles import ARTICLES

_TITLES = {
    "fide-1989": "FIDE Swiss rules of 1987-89",
    "jahr": "Jahr's method",
    "dutch-1992": "the Dutch system of 1992",
    "dubov-1997": "the Dubov system of 1997",
    "dutch-2026": "the FIDE (Dutch) system of 2026",
    "round-robin": "round robin",
}


def write_pages(kit: Path, entries: list[dict[str, Any]]) -> None:
    """Write a page for each system of the entries."""
    for system, title in _TITLES.items():
        lines = [
            f"# Conformance: {title}",
            "",
            f"The cases of [the kit](README.md) for `{system}`, built together with this page."
            f" [Its own page](../arbiter/systems/{system}.md) explains the system with a round worked step by step."
            " [Rule interpretations](../arbiter/rule-interpretations.md) lists articles with two meanings.",
            "",
        ]
        for entry in entries:
            if entry["system"] == system:
                lines += _section(entry)
        (kit / f"{system}.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8", newline="\n")


def _section(entry: dict[str, Any]) -> list[str]:
    words = ARTICLES[entry["system"]].get(entry["article"])
    lines = [f"## {entry['id']}", ""]
    if words:
        lines += [f"> {entry['article']}: {words}", ""]
    lines += [f"- event: [{entry['file'].split('/')[-1]}]({entry['file']})"]
    ways = [f"acceleration {entry['acceleration']}"] if entry["acceleration"] != "none" else []
    ways += [f"groups {','.join(map(str, entry['groups']))}"] if entry["groups"] else []
    ways += [f"procedure {entry['procedure']}"] if entry["procedure"] else []
    ways += [f"reading `{reading}`" for reading in entry["readings"]]
    if ways:
        lines.append(f"- paired with: {', '.join(ways)}")
    pairs = " ".join(f"{white}-{black}" for white, black in entry["pairs"])
    bye = f", bye {entry['bye']}" if entry["bye"] else ""
    lines.append(f"- round: {pairs}{bye}")
    if entry.get("without_it"):
        lines.append(f"- who breaks the article gets, for instance: {entry['without_it']}")
    lines += [f"- expected by: {entry['source']}", ""]
    return lines
