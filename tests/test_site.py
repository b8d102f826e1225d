"""The documentation site: it has every page, its references come from the code, and its own page explains files.

Sphinx is not needed here. `./dev docs` builds the site, and fails if a link is broken.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from release.site import browser_page
from release.site.api_reference import api_description, api_reference
from release.site.contents import PAGES_BELOW, contents_below, first_sentence, link_to_playground, page_names, sections
from release.site.links import link_faults
from release.site.theme import theme_colours
from tests.test_conventions import ROOT
from tests.test_docs import tracked_files
from tests.test_worked_rounds import worked

EXAMPLE = browser_page.EXAMPLE

# -- Contents ------------------------------------------------------------------------------------------------------


def test_every_page_of_the_repository_is_in_the_contents_once():
    listed = [page for _caption, pages in sections(ROOT) for page in pages]
    assert len(listed) == len(set(listed))
    patterns = [pattern for below in PAGES_BELOW.values() for pattern in below]
    missing = [
        page
        for page in page_names(ROOT) - {"README", *listed}
        if page in PAGES_BELOW or not any(PurePosixPath(page).match(each) for each in patterns)
    ]
    assert missing == []
    apart = {page for page in tracked_files() if page.endswith(".md")} - {f"{page}.md" for page in page_names(ROOT)}
    assert apart == set()


def test_pages_below_another_are_there_and_their_parents_are_listed():
    pages = page_names(ROOT)
    listed = {page for _caption, names in sections(ROOT) for page in names}
    assert set(PAGES_BELOW) <= listed
    for patterns in PAGES_BELOW.values():
        for pattern in patterns:
            assert any(PurePosixPath(page).match(pattern) for page in pages), pattern


def test_the_contents_follow_the_list_of_the_documentation():
    captions = [caption for caption, _pages in sections(ROOT)]
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert captions == ["", *re.findall(r"^## (.+)$", text, re.MULTILINE), "About the project"]
    assert ":caption: For the arbiter\n\n/docs/arbiter/systems/README\n" in contents_below(ROOT, "README")
    assert "/docs/project/decisions/*" in contents_below(ROOT, "docs/project/decisions/README")
    assert contents_below(ROOT, "docs/arbiter/tie-breaks") == ""


def test_pages_of_systems_link_to_their_example():
    assert "why/index.html?example&amp;system=jahr" in link_to_playground("docs/arbiter/systems/jahr")
    assert link_to_playground("docs/arbiter/systems/points") == link_to_playground("README") == ""


def test_a_page_is_described_by_its_first_sentence():
    text = "# Title\n\n| a | b |\n\nThe [club](a.md) *pairs* `x`\nwith cards. Then it plays.\n"
    assert first_sentence(text) == "The club pairs x with cards."
    assert first_sentence("# Title\n\n- a\n") == ""


def test_the_theme_has_the_colours_of_the_application():
    css = ROOT / "static" / "css"
    light, dark = theme_colours(css / "clubnight.css"), theme_colours(css / "dark.css")
    assert set(dark) == {name for name in light if name.startswith("color-")}
    assert f"--accent: {dark['color-brand-primary']};" in (css / "dark.css").read_text(encoding="utf-8")


# -- Links ---------------------------------------------------------------------------------------------------------


def test_broken_links_and_files_of_other_sites_are_seen(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.html").write_text('<h2 id="there">A</h2>')
    (tmp_path / "page.html").write_text(
        '<a href="other/">a</a> <a href="other/#there">b</a> <a href="#">c</a> <a href="https://example.org">d</a>'
        '<a href="other/#gone">e</a> <a href="gone.html">f</a> <a href="#gone">g</a>'
        '<img src="gone.png"> <source srcset="gone.webp"> <script src="https://example.org/a.js"></script>'
        '<link rel="stylesheet" href="//example.org/a.css"> <link rel="icon" href="page.html">'
    )
    assert link_faults(tmp_path) == [
        "page.html: other/#gone",
        "page.html: gone.html",
        "page.html: #gone",
        "page.html loads gone.png",
        "page.html loads gone.webp",
        "page.html loads https://example.org/a.js",
        "page.html loads //example.org/a.css",
    ]


# -- References ----------------------------------------------------------------------------------------------------


def test_the_reference_of_the_api_has_every_address_parameter_and_object():
    text, description = api_reference(), api_description()
    for address, methods in description["paths"].items():
        for method, operation in methods.items():
            part = text.partition(f"### `{method.upper()} {address}`\n")[2].partition("\n### ")[0]
            for parameter in operation.get("parameters", []):
                assert f"| `{parameter['name']}` | {parameter['in']} |" in part
            assert ("\nBody: [" in part) == ("requestBody" in operation)
    anchors = {title.lower() for title in re.findall(r"^### (\w+)", text, re.MULTILINE)}
    assert {name.partition("[")[0].lower() for name in description["components"]["schemas"]} <= anchors
    assert "| `club` | path | string | required |" in text
    assert "### `PUT /api/v1/clubs/{club}/{event}/rounds/{number}/boards/{board}/result/`" in text


def test_a_star_in_a_docstring_of_the_reference_is_in_code():
    """Sphinx takes others for emphasis that doesn't end, and the site is not built."""
    modules = [ROOT / "pairing" / "engine" / f"{name}.py" for name in ("paired_round", "snapshot", "pairing_checker")]
    texts = [
        (path.name, node.lineno, re.sub(r"`[^`]*`", "", node.value.value))
        for path in modules
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    assert len(texts) > 50
    assert [(name, line) for name, line, text in texts if "*" in text] == []


# -- "Why this pairing?" -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Path:
    return browser_page.make_engine(tmp_path_factory.mktemp("site") / "engine")


def told(engine: Path, *calls: str, content: bytes | None = None) -> list[Any]:
    """What the page's module answers to calls, in a Python that has the engine and the standard library only."""
    code = f"""
import sys; sys.path.insert(0, {str(engine.parent)!r})
from clubnight_engine.explanations.explained_report import answer, labels, open_report
content = {EXAMPLE.read_bytes() if content is None else content!r}
for call in {calls!r}: print(eval(call))
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def pairs_of(shown: dict[str, Any]) -> str:
    return " ".join("-".join(str(player["tpn"]) for player in board["players"]) for board in shown["boards"])


@pytest.mark.parametrize("system", ["dutch-2026", "dubov-1997", "dutch-1992", "fide-1989", "jahr"])
def test_the_page_pairs_the_example_as_the_documentation_works_it_out(engine, system):
    overview, third = told(engine, f"open_report(content, '{system}', 'en')", "answer('en', 'round', 3)")
    assert (overview["system"], overview["players"], len(overview["rounds"])) == (system, 8, 2)
    assert overview["next"] == "Round 3"
    assert pairs_of(third) == worked(f"{system}.md")
    assert all(board["summary"] and board["reasons"] for board in third["boards"])


def test_the_page_explains_in_the_language_of_its_reader(engine):
    _overview, third, first_step, texts = told(
        engine,
        "open_report(content, '', 'pl')",
        "answer('pl', 'round', 3)",
        "answer('pl', 'step', 3, 0)",
        "labels('pl')",
    )
    assert third["heading"] == "Jak skojarzono rundę 3"
    assert first_step["count"] == f"Krok 1 z {len(third['steps'])}"
    assert texts["title"] == "Dlaczego taka para?"


def test_the_page_says_where_a_file_breaks_the_rules(engine):
    """Round 2 pairs players 1 and 5 again, who met in round 1."""
    content = EXAMPLE.read_bytes().decode()
    for before, after in (
        ("1.5    2     5 w 1     4 b =", "1.5    2     5 w 1     5 b ="),
        ("0.0    7     1 b 0     6 w 0", "0.5    7     1 b 0     1 w ="),
        ("1.5    3     8 b 1     1 w =", "1.5    3     8 b 1     6 w ="),
        ("1.0    5     2 w 0     5 b 1", "0.5    5     2 w 0     4 b ="),
    ):
        assert before in content
        content = content.replace(before, after)
    _overview, checks, second = told(
        engine, "open_report(content, '', 'en')", "answer('en', 'check')", "answer('en', 'round', 2)",
        content=content.encode(),
    )  # fmt: skip
    assert [check["verdict"] for check in checks] == ["agrees", "illegal"]
    (breach,) = checks[1]["breaches"]
    assert breach["text"] == "Epsilon, Ewa and Alfa, Anna met in round 1."
    assert "Epsilon, Ewa – Alfa, Anna" in checks[1]["actual"]
    assert "5-1" not in pairs_of(second)
    assert [bool(check["note"]) for check in checks] == [False, True]


def test_every_step_of_every_round_can_be_shown(engine):
    _overview, *rounds = told(
        engine, "open_report(content, '', 'en')", *(f"answer('en', 'round', {n})" for n in (1, 2, 3))
    )
    steps = [(number, place) for number, each in enumerate(rounds, start=1) for place in range(len(each["steps"]))]
    _overview, *shown = told(
        engine,
        "open_report(content, '', 'en')",
        *(f"answer('en', 'step', {number}, {place})" for number, place in steps),
    )
    assert len(shown) == len(steps)
    for (number, place), step in zip(steps, shown, strict=True):
        assert step["count"] == f"Step {place + 1} of {len(rounds[number - 1]['steps'])}"
        assert len({card["tpn"] for card in cards_of(step)}) == len(cards_of(step))
    assert {len(board["cards"]) for board in shown[-1]["boards"]} == {2}


def cards_of(step: dict[str, Any]) -> list[dict[str, Any]]:
    groups = [
        card
        for group in step["groups"]
        for card in (*group["waiting"], *(each for pair in group["pairs"] for each in pair))
    ]
    return [*groups, *step["bye"]]


@pytest.mark.parametrize("content", [b"", b"\xff\x00\x01", b"001 x", b"not a report file\n" * 1000])
def test_a_file_that_is_no_report_is_refused_in_words(engine, content):
    (answer,) = told(engine, "open_report(content, '', 'en')", content=content)
    assert set(answer) == {"problem"}
    assert answer["problem"]


def test_a_round_that_is_not_there_and_an_unknown_system_do_no_harm(engine):
    overview, nowhere = told(engine, "open_report(content, 'chaturanga', 'en')", "answer('en', 'round', 9)")
    assert overview["system"] == "dutch-2026"
    assert nowhere == {"problem": "there is no round 9. Use 1 to 3"}


def test_what_the_page_draws_has_a_style():
    """The page borrows the application's styles. A class that is renamed there would leave it bare."""
    page = (browser_page.SOURCES / "index.html").read_text(encoding="utf-8")
    script = (browser_page.SOURCES / "page.js").read_text(encoding="utf-8")
    own = (browser_page.SOURCES / "page.css").read_text(encoding="utf-8")
    sheets = [ROOT / "static" / "css" / f"{name}.css" for name in browser_page.STYLES]
    styled = set(re.findall(r"\.([a-z][\w-]*)", "".join([own, *(path.read_text(encoding="utf-8") for path in sheets)])))
    given = re.findall(r'class="([^"]+)"', page) + re.findall(r'className: [^"`,]*["`]([^"`$]+)', script)
    used = {name for names in given for name in names.split()}
    assert {"piece", "games", "badge"} <= used
    assert used - styled == set()


def test_the_page_and_its_scripts_name_the_same_labels(engine):
    """A label in the page that Python does not know would show nothing. Unused ones would be translated for nobody."""
    page = (browser_page.SOURCES / "index.html").read_text(encoding="utf-8")
    script = (browser_page.SOURCES / "page.js").read_text(encoding="utf-8")
    (texts,) = told(engine, "labels('en')")
    used = set(re.findall(r'data-label="([\w-]+)"', page)) | set(re.findall(r"\btexts\.(\w+)", script))
    assert used | {"agrees", "differs", "illegal", "white", "black"} == set(texts)
    for key, shown in re.findall(r'data-label="([\w-]+)">([^<]+)<', page):
        assert shown == texts[key]
