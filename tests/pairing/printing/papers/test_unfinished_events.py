"""Papers of a running event: the latest table, the paper's language, and no future date."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from html import unescape

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import translation

from pairing.printing.pages.event_papers import EVENT_PAPERS
from pairing.printing.pages.paper_definitions import PaperRequest
from pairing.printing.pages.views.papers import paper_response
from pairing.printing.papers.badges_and_diplomas import DiplomaSignature, diplomas_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.reports.year_book import club_year_book
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.module_fixtures import make_module_fixtures
from tests.pairing.printing.papers.paper_scenario import a_running_event
from tournaments.models import PairingSystem, Tournament

ENGLISH = PrintOptions(language="en")


made_once, event = make_module_fixtures(lambda: a_running_event(PairingSystem.JAHR))


def asked(rf, event: Tournament, query: str = "") -> PaperRequest[Tournament]:
    request = rf.get(f"/{query}")
    request.user = AnonymousUser()
    return PaperRequest(request=request, subject=event)


def text(paper: Paper) -> str:
    """All text on a paper, without its tags."""
    html = " ".join(part.html for part in paper.parts)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_the_report_and_the_year_book_have_the_table_that_hangs(event, rf):
    """A newly published round makes no new table, and its bye puts nobody first."""
    hanging, sooner = get_event_standings(event, 2), get_event_standings(event)
    assert [row.values for row in hanging.rows] != [row.values for row in sooner.rows]
    wanted = standings_sheet(hanging)
    (report,) = [each for each in EVENT_PAPERS if each.code == "report"]
    paper = report.make(asked(rf, event), ENGLISH)
    assert f"{wanted.lines[0].player.name} {wanted.lines[0].values[0]}" in text(paper)
    Tournament.objects.filter(pk=event.pk).update(starts_on=date(2026, 11, 1))
    (of_year,) = club_year_book(event.club, 2026, for_officers=True).events
    assert of_year.table.after_round == 2


@pytest.mark.parametrize("code", [each.code for each in EVENT_PAPERS])
def test_a_paper_is_in_its_own_language_whoever_asks_for_it(event, rf, code):
    (document,) = [each for each in EVENT_PAPERS if each.code == code]
    request, made = asked(rf, event, "?language=pl&as=page"), []

    def make(wishes: PrintOptions) -> Paper:
        made.append(document.make(request, wishes))
        return made[-1]

    for language in ("en", "de"):
        with translation.override(language):
            paper_response(request.request, event.club, code, make)
    assert made[0] == made[1]
    assert all('<html lang="pl">' in part.html for part in made[0].parts)


def test_a_diploma_of_an_event_not_over_has_no_date(event):
    """An event's last day is in the future."""
    signed = DiplomaSignature(arbiter="Nikt, Jan", city="Wymyślin", date=date(2030, 12, 13))
    told = [
        text(
            diplomas_paper(
                replace(standings_sheet(get_event_standings(event)), rounds_announced=rounds), ENGLISH, signed=signed
            )
        )
        for rounds in (3, 5)
    ]
    assert ["2030" in each for each in told] == [False, False]
    sheet = replace(standings_sheet(get_event_standings(event, 2)), rounds_announced=2, is_provisional=False)
    assert "2030" in text(diplomas_paper(sheet, ENGLISH, signed=signed))
