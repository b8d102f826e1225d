"""What goes into the application's wheel: one package `clubnight`, with the application in its folder `app`.

Hatchling calls it (pyproject.toml, "tool.hatch"). It compiles the catalogues that have changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # a test asks for the files without building
    BuildHookInterface = object

PACKAGE = Path("release", "app")
FOLDERS = (
    "clubs",
    "common",
    "config",
    "operations",
    "pairing",
    "tournaments",
    "locale",
    "static",
    "templates",
    "docs/conformance",
)
FILES = ("gunicorn.conf.py", "launch.py", "local_server.py", "manage.py", "pyproject.toml")
"""The version is read from pyproject.toml."""


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        compile_catalogues(root)
        build_data["force_include"] |= {str(root / source): target for source, target in wheel_files(root).items()}


def wheel_files(root: Path) -> dict[str, str]:
    """Return the files of the wheel: each path in the checkout, with its path in the wheel."""
    found = {path.relative_to(root).as_posix(): f"clubnight/{path.name}" for path in (root / PACKAGE).glob("*.py")}
    found |= {name: f"clubnight/app/{name}" for name in FILES}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".po", ".pyc"):
                place = path.relative_to(root).as_posix()
                found[place] = f"clubnight/app/{place}"
    return found


def compile_catalogues(root: Path) -> None:
    """Compile the catalogues in `locale` that are newer than their compiled form."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for source in sorted((root / "locale").rglob("*.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name)
        with compiled.open("wb") as file:
            write_mo(file, catalogue)
