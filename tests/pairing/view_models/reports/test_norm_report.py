"""Norms as certified by an event's arbiter."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import translation
from django.utils.formats import date_format

from pairing.printing.papers.final_reports import norms_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.view_models.reports.event_report import norm_report
from tests.factories import make_member
from tests.tournaments.club_ratings.test_norms import norm_event

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_norms_of_other_events_stand_beside_one_that_was_reached(club):
    club.federation = "POL"
    club.save()
    hero = make_member(club, "Figura, Ewa", rating=2350, title="FM")
    before, missed, now = (norm_event(hero, points=points) for points in (6, 2, 6))
    now.starts_on = date(2026, 3, 14)
    report = norm_report(now)
    (only,) = report.players
    assert only.has_reached_norm
    (part,) = norms_paper(report, PrintOptions(language="en")).parts
    with translation.override("en"):
        assert date_format(now.starts_on, "SHORT_DATE_FORMAT") in part.html
    assert [each.event.pk for each in only.earlier_norms] == [before.pk]
    (only,) = norm_report(missed).players
    assert not only.has_reached_norm
    assert only.earlier_norms == ()
    # A guest has no events here except this one.
    now.entries.filter(member=hero).update(member=None)
    (only,) = norm_report(now).players
    assert only.earlier_norms == ()
