"""Every article that a reason, a warning or a violation can cite has a text."""

from __future__ import annotations

import re

import pytest

from pairing.engine.legality import _ARTICLES as BROKEN
from pairing.engine.paired_round import PairedRound
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import SWISS_SYSTEMS
from pairing.explanations.articles import ARTICLE_TEXTS, article_anchor, article_text, article_url, find_article
from pairing.explanations.pairing_warnings import _ARTICLES as WARNED
from tests.pairing.engine.reason_checks import all_reasons


@pytest.mark.parametrize(
    "cited", ["", "fide-1989", "fide-1989 art. 99", "C.07 art. 2", "dutch-1992 B4 and more", "the club's own rule"]
)
def test_what_is_no_article_of_ours_leads_nowhere(cited):
    assert find_article(cited) is None
    assert article_text(cited) == article_url(cited) == ""


@pytest.mark.parametrize(
    ("cited", "address"),
    [
        ("fide-1989 art. 12.1 b", "/help/systems/fide-1989/#article-12-1"),
        ("dutch-1992 B4", "/help/systems/dutch-1992/#article-b4"),
        ("dubov-1997 art. 3", "/help/systems/dubov-1997/#article-3"),
        ("dutch-2026 5.2.5", "/help/systems/dutch-2026/#article-5-2-5"),
        ("jahr art. 7", "/help/systems/jahr/#article-7"),
        ("round-robin C.05 annex 1", "/help/systems/round-robin/#article-1"),
    ],
)
def test_an_article_leads_to_its_words(cited, address):
    assert article_url(cited) == address
    assert len(article_text(cited)) > 20


@pytest.mark.parametrize("document", ARTICLE_TEXTS)
def test_articles_of_a_page_are_told_apart(document):
    assert len({article_anchor(number) for number in ARTICLE_TEXTS[document]}) == len(ARTICLE_TEXTS[document])


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_whatever_a_round_cites_has_its_words(system):
    cited: set[str] = set()

    def pair(snapshot: TournamentSnapshot) -> PairedRound:
        made = SWISS_SYSTEMS[system](snapshot)
        cited.update(why.article for why in all_reasons(made))
        return made

    for seed in range(6):
        simulate_event(SimulationPlan(players=11 + seed, rounds=6, system=system, seed=seed, ends_early=True), pair)
    assert len(cited) > 10
    assert [article for article in sorted(cited) if not article_text(article)] == []


def test_whatever_a_round_breaks_has_its_words():
    cited = {f"{document} {article}" for document, articles in WARNED.items() for article in articles.values()}
    for articles in BROKEN.values():
        numbers = (articles.met, articles.difference, articles.running, articles.bye, articles.one_bye)
        cited |= {f"{articles.prefix}{number}" for number in numbers}
    assert [article for article in sorted(cited) if not article_text(article)] == []


def test_every_article_the_engine_can_name_has_its_words():
    """Articles that no small event needs: those the systems quote."""
    from tests.test_conventions import ROOT

    found = {"dutch-1992": r'"([A-E]\d+)"', "dutch-2026": r'"(C\d+|\d\.\d(?:\.\d)?)"'}
    for document, pattern in found.items():
        room = ROOT / "pairing" / "engine" / "systems" / document.replace("-", "_")
        named = {number for path in room.glob("*.py") for number in re.findall(pattern, path.read_text())}
        assert len(named) > 15
        assert sorted(named - set(ARTICLE_TEXTS[document])) == []
