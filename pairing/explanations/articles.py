"""The articles that reasons cite: their text and the link to it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.urls import reverse
from django.utils.functional import Promise

from pairing.explanations.current_articles import DUTCH_2026, ROUND_ROBIN
from pairing.explanations.historic_articles import DUBOV_1997, DUTCH_1992, FIDE_1989, JAHR

ARTICLE_TEXTS: Mapping[str, Mapping[str, Promise]] = {
    "jahr": JAHR,
    "fide-1989": FIDE_1989,
    "dutch-1992": DUTCH_1992,
    "dubov-1997": DUBOV_1997,
    "dutch-2026": DUTCH_2026,
    "round-robin": ROUND_ROBIN,
}
"""By document, then by the number that stands on its page."""

_CITED = re.compile(r"(?P<document>[\w-]+) (?:art\. |C\.05 annex )?(?P<number>\S+)(?: (?P<letter>[a-z]))?\Z")


def find_article(cited: str) -> tuple[str, str] | None:
    """Return the document and number of a cited article, without its letter; None if no page of ours has it."""
    found = _CITED.match(cited)
    if found is None or found["number"] not in ARTICLE_TEXTS.get(found["document"], {}):
        return None
    return found["document"], found["number"]


def article_text(cited: str) -> str:
    """Return an article in the reader's language; empty if our pages do not have it."""
    place = find_article(cited)
    return str(ARTICLE_TEXTS[place[0]][place[1]]) if place else ""


def article_url(cited: str) -> str:
    """Return the link to an article on its method's page; empty if our pages do not have it."""
    place = find_article(cited)
    return f"{reverse('pairing_help_page', args=[place[0]])}#{article_anchor(place[1])}" if place else ""


def article_label_for_print(cited: str) -> str:
    """Return an article's label for print: the document's name, the same in every language, and the number."""
    document, _gap, number = cited.partition(" ")
    return f"{_DOCUMENTS[document]}, {number.removeprefix('art. ')}" if document in _DOCUMENTS else cited


_DOCUMENTS = {
    "jahr": "Jahr",
    "fide-1989": "FIDE 1987-89",
    "dutch-1992": "FIDE 1992",
    "dubov-1997": "Dubov 1997",
    "dutch-2026": "FIDE C.04.3",
    "round-robin": "Berger",
}


def article_anchor(number: str) -> str:
    """Return an article's anchor on the page of its method."""
    return "article-" + re.sub(r"\W", "-", "half" if number == "½" else number).lower()
