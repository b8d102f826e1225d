"""Sphinx's configuration of the documentation site. `./dev docs` builds it (release/site/__main__.py).

The source folder is the checkout, so the pages are the Markdown files that a forge shows, with the same links.
docs/README.md is the list of contents. Some pages get a reference that is made from the code.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "var" / "site-engine")]

from release.site.api_reference import api_reference, engine_reference  # noqa: E402
from release.site.contents import PAGE_PATTERNS, contents_below, first_sentence, link_to_playground  # noqa: E402
from release.site.theme import theme_colours  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Clubnight"
html_title = "Clubnight"
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = list(PAGE_PATTERNS)
exclude_patterns = [".*", "var", "node_modules", "dist"]
templates_path = ["templates"]

# Shell examples contain placeholders such as <address>, which are not shell syntax.
suppress_warnings = ["misc.highlighting_failure"]

# Headings have the anchors that a forge gives them.
myst_heading_anchors = 6

html_theme = "furo"
html_favicon = str(ROOT / "static" / "img" / "clubnight.svg")
html_theme_options = {
    "light_logo": "clubnight.svg",
    "dark_logo": "clubnight.svg",
    "light_css_variables": theme_colours(ROOT / "static" / "css" / "clubnight.css"),
    "dark_css_variables": theme_colours(ROOT / "static" / "css" / "dark.css"),
}
html_static_path = ["static", str(ROOT / "static" / "img" / "clubnight.svg")]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "search_scorer.js")
html_copy_source = False
html_show_copyright = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "versions.html",
        "sidebar/scroll-end.html",
    ]
}

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
add_module_names = False

REFERENCES = {"release/engine/README": engine_reference, "docs/developer/api": api_reference}


def setup(app: Sphinx) -> None:
    app.connect("source-read", _complete_page)
    app.connect("html-page-context", _describe_page)


def _complete_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Add to a page what only the site has: a link to try a system, references, the contents below it."""
    source[0] = source[0].replace("\n\n", f"\n\n{link_to_playground(name)}", 1)
    if name in REFERENCES:
        source[0] += REFERENCES[name]()
    source[0] += contents_below(ROOT, name)


def _describe_page(app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Set the description that search engines show for a page to its first sentence."""
    text = app.env.doc2path(name).read_text(encoding="utf-8") if name in app.env.found_docs else ""
    description = escape(first_sentence(text) or "How to use and run Clubnight, and how it pairs.")
    context["metatags"] = f'{context.get("metatags", "")}<meta name="description" content="{description}">'
