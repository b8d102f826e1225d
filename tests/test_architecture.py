"""The architecture: every package is in the layer contract, has a description, and is used through its public modules.

That no package imports one above it is checked by import-linter (pyproject.toml, `./dev check`).
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.test_conventions import APPS, ROOT, assert_none, at, imported_modules, sources, tree_of

NOT_PACKAGES_OF_OURS = {"engine", "migrations", "models", "management", "templatetags", "formats"}
"""Django's own folders; and the engine, which has contracts of its own."""
GROUPS = {"membership", "finance", "rating", "pages", "rounds", "view_models", "printing", "public"}
"""Folders that hold packages."""
MAX_PARTS_OF_AN_APP = 18
FILES_OF_EVERY_APP = {"__init__.py", "apps.py", "urls.py", "migrations"}


def packages() -> list[Path]:
    """Every package of the apps."""

    def inside(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            if (path / "__init__.py").is_file() and path.name not in NOT_PACKAGES_OF_OURS:
                yield from inside(path) if path.name in GROUPS and path.parent.name in APPS else [path]

    return [package for app in APPS for package in inside(ROOT / app)]


def name_of(path: Path) -> str:
    """The dotted name of a module or package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


PACKAGES = {name_of(package): package for package in packages()}


def public_modules(package: Path) -> set[str]:
    """The modules of a package that others can import, as listed in its docstring."""
    _what, found, names = (ast.get_docstring(tree_of(package / "__init__.py")) or "").partition("Others use:")
    return {f"{name_of(package)}.{name}" for name in re.findall(r"`([\w.]+)`", names)} if found else set()


def package_of(module: str) -> str:
    """The package of a module; empty for none."""
    return next((package for package in PACKAGES if module == package or module.startswith(f"{package}.")), "")


@cache
def modules() -> dict[str, Path]:
    return {name_of(path): path for path in sources(*APPS)}


def imports_of(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    """Every module of ours that a file imports, with the statement."""
    for node, module in imported_modules(tree_of(path)):
        named = {f"{module}.{each.name}" for each in node.names} if isinstance(node, ast.ImportFrom) else set()
        for used in (named & modules().keys()) or {module}:
            if used in modules():
                yield node, used


def imports_between_packages() -> dict[str, list[str]]:
    """The modules that are imported from another package than their own, and where."""
    found: dict[str, list[str]] = {}
    for path in sources(*APPS):
        for node, used in imports_of(path):
            if package_of(used) and package_of(used) != package_of(name_of(path)):
                found.setdefault(used, []).append(at(path, node))
    return found


def is_wiring(place: str) -> bool:
    """Apps and `config` combine the packages: URLs, tasks, commands."""
    return bool(re.match(r"config/|\w+/(urls|tasks|apps)\.py|\w+/management/", place))


def test_a_package_says_what_it_does_and_nothing_else():
    found = [name for name, package in PACKAGES.items() if len(tree_of(package / "__init__.py").body) != 1]
    assert_none(found)
    assert_none([name for name, package in PACKAGES.items() if not ast.get_docstring(tree_of(package / "__init__.py"))])


def test_packages_use_one_another_through_their_public_modules():
    public = {module for package in PACKAGES.values() for module in public_modules(package)}
    found = [
        f"{place} imports {module}, which {package_of(module)} does not list as public"
        for module, places in imports_between_packages().items()
        for place in places
        if module not in public and not is_wiring(place)
    ]
    assert_none(found)


def test_a_public_module_is_there_and_used():
    used = imports_between_packages()
    assert_none(
        [
            f"{module} is listed as public and not used"
            for package in PACKAGES.values()
            for module in public_modules(package) - set(used)
        ]
    )


def test_every_package_has_its_tests_in_a_folder_of_its_name():
    without = {name for name in PACKAGES if not (ROOT / "tests" / name.replace(".", "/")).is_dir()}
    # Its page is tested with the jobs.
    assert without == {"clubs.job_progress"}


def layers() -> list[set[str]]:
    """The layers of import-linter's first contract, from the top."""
    contract = contracts()[0]
    return [{name.strip() for name in re.split("[|:]", layer)} for layer in contract["layers"]]


def contracts() -> list[dict[str, Any]]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: list[dict[str, Any]] = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return found


def test_every_package_has_its_layer():
    listed = {name for layer in layers() for name in layer}
    tops = {
        f"{app}.{path.stem}"
        for app in APPS
        if app != "config"
        for path in (ROOT / app).iterdir()
        if path.stem not in GROUPS | {"__init__", "__pycache__", "migrations"}
        and (path.suffix == ".py" or (path / "__init__.py").is_file())
    }
    wanted = {name for name in tops | set(PACKAGES) if not name.startswith("config.")} | {"config"}
    assert listed == wanted
    assert [contract for contract in contracts() if "ignore_imports" in contract] == []


def test_an_app_has_few_parts():
    """More than these are no longer seen at a glance: join some in a folder (`GROUPS`)."""
    for app in APPS:
        parts = [
            path.name
            for path in sorted((ROOT / app).iterdir())
            if (path.suffix == ".py" or (path / "__init__.py").is_file()) and path.name not in FILES_OF_EVERY_APP
        ]
        assert len(parts) <= MAX_PARTS_OF_AN_APP, f"{app}: {', '.join(parts)}"


def test_no_two_files_import_each_other():
    """Nor a longer circle, including imports within functions."""
    imported: dict[str, set[str]] = defaultdict(set)
    for name, path in modules().items():
        imported[name] = {used for _node, used in imports_of(path)} - {name}
    while leaves := {name for name, used in imported.items() if not used & imported.keys()}:
        for name in leaves:
            del imported[name]
    # Modules that nothing else uses go too, so that only the circle is left.
    while unused := imported.keys() - {used for each in imported.values() for used in each}:
        for name in unused:
            del imported[name]
    assert_none(sorted(imported))
