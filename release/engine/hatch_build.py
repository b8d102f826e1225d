"""What goes into the engine's wheel: the application's modules, under the name `clubnight_engine`.

`pairing.engine` becomes the package itself, `pairing.explanations` and `pairing.cli` packages in it, and Django's
translations its own. There is no second copy in the repository. The source archive holds what was made.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # a test makes the package without building it
    BuildHookInterface = object

NAME = "clubnight_engine"
WEB_MODULES = {"help_pages.py", "named_reasons.py", "urls.py", "views.py"}
"""Modules of the explanations that are about pages."""
RENAMED = (
    (r"\bpairing([./])engine\b", NAME),
    (r"\bpairing([./])(explanations|cli)\b", rf"{NAME}\1\2"),
    (r"\btournaments\.events\.interpretation_texts\b", f"{NAME}.explanations.interpretation_texts"),
    (r"\bdjango\.utils\.(translation|functional|formats)\b", f"{NAME}.translation"),
    # The kit is in the package, not beside it.
    (r'\.parents\[2\] / "docs" / "conformance"', '.parents[1] / "conformance_kit"'),
    (r"\(default: docs/conformance\)", "(default: the kit in this package)"),
)


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        here = Path(self.root)
        made = here / "made"
        if not made.exists():
            # Not in a source archive: make it from the repository, anew each time.
            made = here.parents[1] / "var" / "release" / "engine"
            shutil.rmtree(made, ignore_errors=True)
            make_package(here.parents[1], made / NAME)
            write_catalogues(here.parents[1] / "locale", made / NAME)
        place = f"made/{NAME}" if self.target_name == "sdist" else NAME
        build_data["force_include"][str(made / NAME)] = place


def make_package(root: Path, target: Path) -> None:
    """Write the package to this folder, which must not exist yet."""
    sources = root / "pairing"
    for folder, place in (("engine", ""), ("explanations", "explanations"), ("cli", "cli")):
        for path in sorted((sources / folder).rglob("*.py")):
            if folder != "explanations" or path.name not in WEB_MODULES:
                _write(target / place / path.relative_to(sources / folder), path)
    _write(target / "explanations/interpretation_texts.py", root / "tournaments/events/interpretation_texts.py")
    shutil.copytree(root / "release/engine" / NAME, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__*__"))
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(root / "release/engine" / NAME / name, target)
    shutil.copytree(root / "docs/conformance", target / "conformance_kit", ignore=_ignore_all_but_the_kit)


def _write(target: Path, source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    for pattern, replacement in RENAMED:
        text = re.sub(pattern, replacement, text)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")


def _ignore_all_but_the_kit(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name.endswith(".md") and name not in ("README.md", "LICENCE.md")}


def write_catalogues(locale: Path, target: Path, *, languages: str = "*") -> None:
    """Write a compiled catalogue for each language, with only the messages that the package uses."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract_from_dir
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    keywords = {"_": None, "gettext": None, "gettext_lazy": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
    wanted = {
        (message, context)
        for _file, _line, message, _comments, context in extract_from_dir(
            str(target / "explanations"), method_map=[("**.py", "python")], keywords=keywords
        )
    }
    (target / "locale").mkdir()
    for source in sorted(locale.glob(f"{languages}/LC_MESSAGES/django.po")):
        code = source.parents[1].name
        with source.open("rb") as file:
            whole = read_po(file, locale=code)
        part = Catalog(locale=code)
        for message in whole:
            if message.id and (message.id, message.context) in wanted and not message.fuzzy:
                part[message.id] = message
        with (target / "locale" / f"{code}.mo").open("wb") as file:
            write_mo(file, part)
