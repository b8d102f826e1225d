"""Lists the licences of all packages that a server installs: `python -m config.licences` writes LICENCES.txt.

The packages are those of `uv.lock` without the ones for development, and their licences what each says of itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "LICENCES.txt"
HEADER = """Licences of the packages that Clubnight uses. Clubnight itself: BSD-3-Clause (LICENSE).
Written by: python -m config.licences

"""

PERMISSIVE = frozenset(
    ("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Unlicense")
)
"""Licences that ask for no more than their text."""
OTHERS = {
    "certifi": "MPL-2.0",
    "fido2": "BSD, Apache-2.0, MPL-2.0",
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
    "pyphen": "GPL-2.0-or-later, LGPL-2.0-or-later, MPL-1.1",
    "text-unidecode": "Artistic-1.0, GPL-2.0-or-later",
}
"""Packages with other licences. docs/project/decisions/0007-dependencies.md says why each is used."""
_NOT_SAID = {
    "async-timeout": "Apache-2.0",
    "brotlicffi": "MIT",
    "certifi": "MPL-2.0",
    "pyrage": "MIT",
    "sentry-sdk": "MIT",
    "tzdata": "Apache-2.0",
    "urllib3": "MIT",
}
"""Of packages that are not installed everywhere, or whose metadata names no licence."""
_WORDS = {
    "Apache Software License": "Apache-2.0",
    "Artistic License": "Artistic-1.0",
    "BSD License": "BSD",
    "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
    "GNU General Public License (GPL)": "",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.0-or-later",
    "MIT License": "MIT",
    "Mozilla Public License 1.1 (MPL 1.1)": "MPL-1.1",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}


def main() -> None:
    """Write the list."""
    LIST.write_text(render_list(), encoding="utf-8")


def render_list() -> str:
    """Return the list, one package per line."""
    return HEADER + "".join(f"{name}: {licence_of(name)}\n" for name in installed_packages())


def installed_packages() -> list[str]:
    """Return the names of all packages in the lock file that Clubnight needs, directly or not."""
    packages = {
        package["name"]: package for package in tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    }
    found: set[str] = set()
    waiting = ["clubnight"]
    while waiting:
        package = packages[waiting.pop()]
        extras = package.get("optional-dependencies", {}).values()
        names = {each["name"] for each in _all(package.get("dependencies", []), *extras)}
        waiting += names - found
        found |= names
    return sorted(found)


def licence_of(name: str) -> str:
    """Return the licence that a package names."""
    if name in _NOT_SAID:
        return _NOT_SAID[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return "unknown"
    if expressions := said.get_all("License-Expression", []):
        return str(expressions[0])
    classifiers = (each.rpartition(" :: ")[2] for each in said.get_all("Classifier", []) if each.startswith("License"))
    words = [_WORDS.get(each, each) for each in classifiers if each != "OSI Approved"]
    text = next(iter(said.get_all("License", [])), "unknown").splitlines()[0]
    return ", ".join(filter(None, words)) or _WORDS.get(text, text)


def _all(*lists: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    return [each for some in lists for each in some]


if __name__ == "__main__":
    main()
