"""The project's conventions, checked in the code. CONTRIBUTING.md gives the reasons."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "pairing" / "engine"
APPS = ("clubs", "common", "config", "operations", "pairing", "tournaments")

LONG_FILE = 600
LONG_FILES = {
    "lab/tutorial_pictures.py": "the steps of the four tutorials, in their order",
    "pairing/printing/pdf/weasyprint_pages.py": "all that relies on what WeasyPrint does not promise, in one place",
}
"""Files allowed more than LONG_FILE lines, each with the reason."""

EXACT_MATHS = {"comb", "gcd", "isqrt", "lcm", "perm", "prod"}


def sources(*folders: Path | str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


def templates() -> list[Path]:
    return sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".svg", ".txt"})


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def mentioning(*words: str, among: Iterable[Path]) -> list[Path]:
    """The files that contain one of the words, in any case: only they need to be parsed."""
    return [path for path in among if any(word in text_of(path).lower() for word in words)]


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path), filename=str(path))


def at(path: Path, node: ast.AST | int) -> str:
    return f"{relative(path)}:{node if isinstance(node, int) else getattr(node, 'lineno', 1)}"


def imported_modules(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node, "." * node.level + (node.module or "")


def assert_none(found: list[str]) -> None:
    assert not found, "\n".join(["", *found])


# -- The engine ----------------------------------------------------------------------------------------------------


def test_the_engine_is_plain_python():
    """It imports the standard library and itself, nothing else."""
    strangers = [
        f"{at(path, node)} imports {module}"
        for path in sources(ENGINE)
        for node, module in imported_modules(tree_of(path))
        if module.partition(".")[0] not in sys.stdlib_module_names and not f"{module}.".startswith("pairing.engine.")
    ]
    assert_none(strangers)


def test_the_engine_has_no_clock_no_settings_and_no_chance():
    """The same snapshot gives the same result; only random events use random numbers, from a given seed."""
    impure = {"time", "os", "secrets", "uuid", "logging", "threading", "random"}
    found = [
        f"{at(path, node)} imports {module}"
        for path in sources(ENGINE)
        for node, module in imported_modules(tree_of(path))
        if module.partition(".")[0] in impure
        and not (module == "random" and path.stem in ("simulator", "simulation_profiles"))
    ]
    assert_none(found)


def test_the_engine_counts_exactly():
    """No floats: half points are integers, averages are Fractions, Jahr's values are Decimals or hundredths."""
    found = []
    for path in sources(ENGINE):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                found.append(f"{at(path, node)} has {node.value!r}")
            elif isinstance(node, ast.Name) and node.id == "float":
                found.append(f"{at(path, node)} names float")
            elif isinstance(node, ast.ImportFrom) and node.module == "math":
                found += [f"{at(path, node)}: math.{name.name}" for name in node.names if name.name not in EXACT_MATHS]
            elif isinstance(node, ast.Attribute) and _name_of(node.value) == "math" and node.attr not in EXACT_MATHS:
                found.append(f"{at(path, node)}: math.{node.attr}")
    assert_none(found)


def test_what_the_engine_offers_is_documented():
    found = [
        f"{at(path, node)}: {node.name}"
        for path in sources(ENGINE)
        for node in tree_of(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert_none(found)


def test_records_of_the_engine_are_frozen():
    """Every public dataclass is frozen, has slots, and is made with keywords only; `_Working` state may change."""
    wanted = {"frozen", "slots", "kw_only"}
    found = [
        f"{at(path, node)}: {node.name}"
        for path in sources(ENGINE)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        for decorator in node.decorator_list
        if _name_of(decorator) == "dataclass" and _flags_set(decorator) < wanted
    ]
    assert_none(found)


def _flags_set(decorator: ast.expr) -> set[str]:
    if not isinstance(decorator, ast.Call):
        return set()
    return {
        word.arg
        for word in decorator.keywords
        if word.arg and isinstance(word.value, ast.Constant) and word.value.value is True
    }


def _name_of(node: ast.expr) -> str:
    """The last name of `x`, `a.x`, `x(...)`, `a.x(...)`."""
    if isinstance(node, ast.Call):
        return _name_of(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def test_every_system_has_a_package_of_the_same_shape():
    rooms = [path for path in (ENGINE / "systems").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert rooms
    found = [
        f"{relative(room)} lacks {part}"
        for room in rooms
        for part in ("README.md", "system.py")
        if not (room / part).is_file()
    ]
    assert_none(found)


# -- The application -----------------------------------------------------------------------------------------------


def our_views() -> list[Callable[..., Any]]:
    """Every view function of our own."""

    def walk(patterns: list[URLPattern | URLResolver]) -> Iterator[Callable[..., Any]]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            else:
                yield inspect.unwrap(pattern.callback)

    views = {f"{view.__module__}.{view.__qualname__}": view for view in walk(get_resolver().url_patterns)}
    return [view for name, view in sorted(views.items()) if name.partition(".")[0] in APPS]


def test_addresses_lead_to_functions():
    assert [view for view in our_views() if not inspect.isfunction(view) or hasattr(view, "view_class")] == []


def test_permission_is_the_first_line_of_every_view():
    """Its first statement calls a function of an access module, or a decorator names who has access."""
    views = our_views()
    assert views
    found = [f"{view.__module__}.{view.__qualname__}" for view in views if not _asks_for_permission(view)]
    assert_none(found)


def _asks_for_permission(view: Callable[..., Any]) -> bool:
    function = ast.parse(textwrap.dedent(inspect.getsource(view))).body[0]
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    if {"login_required", "login_not_required"} & {_name_of(decorator) for decorator in function.decorator_list}:
        return True
    first = function.body[1] if ast.get_docstring(function) else function.body[0]
    return any(isinstance(node, ast.Call) and _name_of(node) in _permissions() for node in ast.walk(first))


@cache
def _permissions() -> set[str]:
    return {
        node.name
        for app in APPS
        for path in (ROOT / app).rglob("access.py")
        for node in tree_of(path).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }


def test_saving_a_row_has_no_hidden_effects():
    """Changes to rows are in plain functions: no overridden save or delete, no signals."""
    found = [
        f"{at(path, node)}: {node.name}"
        for path in filter(_is_of_models, sources(*APPS))
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and node.name in {"save", "delete"}
    ]
    found += [
        f"{at(path, node)} imports {module}"
        for path in mentioning("django.dispatch", "django.db.models.signals", among=sources(*APPS))
        for node, module in imported_modules(tree_of(path))
        if module in {"django.dispatch", "django.db.models.signals"}
    ]
    assert_none(found)


def _is_of_models(path: Path) -> bool:
    return path.stem == "models" or path.parent.name == "models"


def test_pdf_is_made_in_one_place():
    importers = {
        relative(path)
        for path in mentioning("weasyprint", among=sources(*APPS))
        for _, module in imported_modules(tree_of(path))
        if module.partition(".")[0] == "weasyprint"
    }
    assert importers <= {"pairing/printing/pdf/weasyprint_rendering.py"}


# -- Names and sizes -----------------------------------------------------------------------------------------------


def test_no_drawer_for_odds_and_ends():
    """A function belongs to a topic; `utils.py` is none."""
    drawers = {"utils", "util", "helpers", "misc"}
    assert [relative(path) for path in sources(*APPS, "tests", "lab") if {path.stem, path.parent.name} & drawers] == []


def test_colour_is_spelt_as_fide_spells_it():
    american = re.compile("color", re.IGNORECASE)
    found = []
    for path in mentioning("color", among=sources(*APPS, "tests", "lab")):
        if path == Path(__file__):
            continue
        for node in ast.walk(tree_of(path)):
            found += [f"{at(path, node)}: {name}" for name in _names_given(node) if american.search(name)]
    for path in mentioning("color", among=templates()):
        text = text_of(path)
        found += [
            f"{relative(path)}: {word}"
            for word in re.findall(r"[^<>]*", _VISIBLE.sub(" ", text))
            if american.search(word)
        ]
    assert_none(found)


_VISIBLE = re.compile(r"<[^>]*>|{#.*?#}|<style.*?</style>", re.DOTALL)
"""What is not visible text in a template: tags with their attributes, comments."""


def _names_given(node: ast.AST) -> list[str]:
    """The names that a node defines (names it only uses may be another library's)."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [node.attr]
    return []


def test_no_file_is_too_long_to_read():
    long = {
        relative(path): lines
        for path in [*sources(*APPS, "tests", "lab"), ROOT / "dev", *templates()]
        if (lines := path.read_text(encoding="utf-8").count("\n")) > LONG_FILE
    }
    assert {path: lines for path, lines in long.items() if path not in LONG_FILES} == {}
    assert set(LONG_FILES) <= set(long), "no longer long: strike it from LONG_FILES"


def test_every_style_sheet_of_the_pages_is_linked():
    """A file that no page links to has no effect."""
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html"))
    sheets = sorted(path.name for path in (ROOT / "static" / "css").glob("*.css"))
    assert "content.css" in sheets
    assert [name for name in sheets if f"css/{name}" not in pages] == []


def test_every_file_that_a_page_links_is_there():
    """File names contain a hash: a page that links to a missing file fails only in a deployment."""
    linked = {
        (name, template.relative_to(ROOT).as_posix())
        for template in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'{% static "([^"{]+)"', template.read_text(encoding="utf-8"))
    }
    assert len(linked) > 30
    assert_none([f"{template}: {name}" for name, template in sorted(linked) if not (ROOT / "static" / name).is_file()])
