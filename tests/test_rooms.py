"""The rooms of the house: what each lets others use, how large it is, and that each stands on a floor.

That no room uses one above or beside it is a contract of import-linter (pyproject.toml, `./dev check`).
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.test_conventions import APPS, ROOT, assert_none, at, imported_modules, sources, tree_of

MOST_MODULES = 15
OUTSIDE = {"engine", "migrations", "models", "management", "templatetags", "formats"}
"""Folders that are no rooms: Django's own, and the engine, which has contracts of its own."""


def rooms() -> list[Path]:
    """Every room of the three apps."""
    return [
        folder
        for app in APPS
        for folder in sorted((ROOT / app).iterdir())
        if (folder / "__init__.py").is_file() and folder.name not in OUTSIDE
    ]


def name_of(path: Path) -> str:
    """The dotted name of a module or package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


ROOMS = {name_of(room): room for room in rooms()}


def face_of(room: Path) -> set[str]:
    """The modules of a room that others may use, by the words of its package."""
    _what, found, names = (ast.get_docstring(tree_of(room / "__init__.py")) or "").partition("Others use:")
    return {f"{name_of(room)}.{name}" for name in re.findall(r"`([\w.]+)`", names)} if found else set()


def room_of(module: str) -> str:
    """The room a module stands in; empty for none."""
    return next((room for room in ROOMS if module == room or module.startswith(f"{room}.")), "")


def imports_across_rooms() -> dict[str, list[str]]:
    """The modules that are imported from another room than their own, and where."""
    modules = {name_of(path) for path in sources(*APPS)}
    found: dict[str, list[str]] = {}
    for path in sources(*APPS):
        for node, module in imported_modules(tree_of(path)):
            named = {f"{module}.{each.name}" for each in node.names} if isinstance(node, ast.ImportFrom) else set()
            for used in (named & modules) or {module}:
                if room_of(used) and room_of(used) != room_of(name_of(path)):
                    found.setdefault(used, []).append(at(path, node))
    return found


def is_wiring(place: str) -> bool:
    """Apps and `config` put the rooms together: addresses, tasks, commands."""
    return bool(re.match(r"config/|\w+/(urls|tasks|apps)\.py|\w+/management/", place))


def test_a_package_says_what_it_does_and_nothing_else():
    found = [name for name, room in ROOMS.items() if len(tree_of(room / "__init__.py").body) != 1]
    assert_none(found)
    assert_none([name for name, room in ROOMS.items() if not ast.get_docstring(tree_of(room / "__init__.py"))])


def test_rooms_use_one_another_by_their_faces():
    faces = {module for room in ROOMS.values() for module in face_of(room)}
    found = [
        f"{place} imports {module}, which {room_of(module)} does not offer"
        for module, places in imports_across_rooms().items()
        for place in places
        if module not in faces and not is_wiring(place)
    ]
    assert_none(found)


def test_a_face_offers_what_is_there_and_used():
    used = imports_across_rooms()
    assert_none(
        [f"{module} is offered and not used" for room in ROOMS.values() for module in face_of(room) - set(used)]
    )


def test_every_room_has_its_tests_in_a_folder_of_its_name():
    without = {name for name in ROOMS if not (ROOT / "tests" / name.replace(".", "/")).is_dir()}
    assert without == {"pairing.typesetting"}  # what it sets are papers: tests/pairing/paper


@pytest.mark.parametrize("name", sorted(ROOMS))
def test_no_room_is_too_large(name):
    modules = [path for path in ROOMS[name].rglob("*.py") if path.name != "__init__.py"]
    assert 1 < len(modules) <= MOST_MODULES


def contracts_of_imports() -> list[dict[str, Any]]:
    """Import-linter's contracts; the first says which floor each room stands on."""
    contracts: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    return contracts


def test_every_room_stands_on_a_floor():
    contracts = contracts_of_imports()
    floors = {room.strip() for layer in contracts[0]["layers"] for room in layer.split("|")}
    apps = [app for app in APPS if app != "config"]
    standing = {
        f"{app}.{path.stem}"
        for app in apps
        for path in (ROOT / app).iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    }
    standing -= {f"{app}.migrations" for app in apps}
    assert floors - {"config"} == standing
    assert [contract for contract in contracts if "ignore_imports" in contract] == []


def test_the_rows_of_the_map_are_the_floors_from_the_top_down():
    floors = [{room.strip() for room in layer.split("|")} & set(ROOMS) for layer in contracts_of_imports()[0]["layers"]]
    written = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| app | rooms |")[2].partition("\n\n")[0]
    )
    rows = []
    app = ""
    for named, rooms_named in re.findall(r"^\| (\w*) ?\| (.*) \|$", written, re.MULTILINE):
        app = named or app
        rows.append({f"{app}.{room}" for room in re.findall(r"\*\*(\w+)\*\*", rooms_named)})
    assert rows == [floor for floor in floors if floor]


def test_the_map_names_nothing_that_is_gone():
    written = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    places = re.findall(r"`((?:bench|clubs|config|docs|pairing|static|templates|tests|tournaments)/[^`<]+)`", written)
    assert_none([place for place in places if not (ROOT / place).exists()])
    named = re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", written)
    assert len(named) > 5
    assert_none(
        [
            f"{place} has no {name}"
            for place, names in named
            for name in re.findall(r"\w+", names)
            if f"def {name}(" not in (ROOT / place).read_text(encoding="utf-8")
        ]
    )
