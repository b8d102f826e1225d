"""A new pairing system from the next round on: each earlier round keeps its own system everywhere."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from clubs.models import Club
from operations.integrity.examination import run_integrity_checks
from pairing.engine.snapshot import HalfPoints
from pairing.printing.papers.arbiter_records import arbiter_record_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import draft_of, make_club, make_event, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import SIGN_IN_FIRST, make_cast
from tournaments.audit_log.sentences import log_line_sentence
from tournaments.events.event_setup import change_tournament, create_tournament
from tournaments.events.system_change import change_pairing_system
from tournaments.import_export.file_import import apply_import
from tournaments.import_export.snapshots import point_system_of_event, snapshot_before_round
from tournaments.import_export.trf_export import export_trf
from tournaments.models import PairingMethod, PairingSystem, Tournament
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db
WHY = "Too few are left for Jahr."


def change(event: Tournament, system: str, **more: object) -> Tournament:
    return change_pairing_system(event, by=None, system=system, reason=WHY, **more)


def make_rows() -> Tournament:
    """Seven players, so that there is a bye; two rounds by Jahr's method are finished."""
    event = make_event(make_club(), players=7, rounds=6)
    played(event, 1)
    played(event, 2, seed=2)
    return event


made_once, event = make_module_fixtures(make_rows)


@pytest.fixture
def club(event) -> Club:
    return event.club


# -- Refused ---------------------------------------------------------------------------------------------------------


def test_not_before_a_round_is_paired_nor_over_a_draft_nor_when_all_is_over(club, event):
    with pytest.raises(ArbiterProblem, match="Nothing is paired yet"):
        change(make_event(club, players=4), "dutch-1992")
    draft_of(event, 3)
    with pytest.raises(ArbiterProblem, match="discard the draft"):
        change(event, "dutch-1992")
    over = make_event(club, players=4, rounds=1)
    played(over, 1)
    with pytest.raises(ArbiterProblem, match="nothing left"):
        change(over, "dutch-1992")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"system": "jahr", "reason": WHY}, "already uses this system"),
        ({"system": "dutch-1992", "reason": " "}, "Enter why"),
        ({"system": "monrad", "reason": WHY}, "Choose a pairing system"),
        ({"system": "jahr", "procedure": "dubov-1997", "reason": WHY}, "Choose a pairing system"),
        ({"system": "dutch-1992", "reason": WHY, "from_round": 2}, "Round 3 is now the next round"),
    ],
)
def test_what_is_not_taken(event, wanted, said):
    with pytest.raises(ArbiterProblem, match=said):
        change_pairing_system(event, by=None, **wanted)
    event.refresh_from_db()
    assert (event.system, event.earlier_systems) == ("jahr", [])


def test_jahrs_totals_do_not_follow_byes_worth_a_point(club):
    event = make_event(club, players=5, rounds=6, system="dutch-1992")
    played(event, 1)
    with pytest.raises(ArbiterProblem, match="half a point for a bye"):
        change(event, "jahr")
    even = make_event(club, players=4, rounds=6, system="dutch-1992")
    played(even, 1)
    assert change(even, "jahr").pairing_method_of_round(2) == PairingMethod("jahr", "")
    even.refresh_from_db()
    assert point_system_of_event(even).pairing_allocated_bye == 1


@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("member", 403), ("neighbour", 404)])
def test_others_change_nothing(who, status):
    cast = make_cast()
    played(cast.event, 1)
    address = reverse("tournament_system_edit", args=[cast.club.slug, cast.event.slug])
    assert cast.browser(who).post(address, {"system": "dutch-1992", "reason": "x"}).status_code == status
    assert Tournament.objects.get(pk=cast.event.pk).system == "jahr"


# -- Each round keeps its own --------------------------------------------------------------------------------


def test_each_round_keeps_what_paired_it_everywhere(club, event):
    before = get_event_standings(event, 2)
    bye: HalfPoints = point_system_of_event(event).pairing_allocated_bye
    change(event, "dutch-2026")
    event.refresh_from_db()
    assert [snapshot_before_round(event, number).system for number in (1, 2, 3, 6)] == ["jahr"] * 2 + ["dutch-2026"] * 2
    assert point_system_of_event(event).pairing_allocated_bye == bye == 1, "the bye stays worth what it was"
    after = get_event_standings(event, 2)
    assert (after.columns, [row.values for row in after.rows]) == (before.columns, [row.values for row in before.rows])
    played(event, 3, seed=3)
    assert get_event_standings(event, 3).columns != before.columns
    # The doctor's second pairing agrees in every round.
    assert [each for each in run_integrity_checks(type(club).objects.all()) if each.code.startswith("round")] == []
    record = arbiter_record_sheet(event)
    assert [each.system_label for each in record.rounds] == ["Jahr's method (1981)"] * 2 + [
        "FIDE (Dutch) system of 2026"
    ]
    html = "".join(part.html for part in arbiter_record_paper(record, PrintOptions(language="en")).parts)
    assert 0 < html.index("Jahr") < html.index("of 2026")
    line = event.log.get(action="system changed")
    assert log_line_sentence(line) == (
        f"From round 3: FIDE (Dutch) system of 2026 (previously: Jahr's method (1981)). {WHY}"
    )
    page = make_page(event)
    assert "rounds 1–2: Jahr" in page
    assert "from round 3: FIDE (Dutch) system of 2026" in page


def make_page(event: Tournament) -> str:
    from django.test import Client

    return Client().get(reverse("tournament", args=[event.club.slug, event.slug])).content.decode()


def test_the_file_says_it_and_comes_back_with_it(club, event, tmp_path, capsys):
    change(event, "dutch-2026")
    event.refresh_from_db()
    played(event, 3, seed=3)
    report = export_trf(event)
    assert b"### Clubnight system rounds=1-2 jahr" in report
    copy = apply_import(club, report, "changed.trf", by=None, system="dutch-2026")
    copy.refresh_from_db()
    assert copy.earlier_systems == event.earlier_systems
    assert export_trf(copy).count(b"Clubnight system") == 1
    path = tmp_path / "changed.trf"
    path.write_bytes(report)
    from django.core.management import call_command

    call_command("check_pairings", "--system", "dutch-2026", str(path))
    assert capsys.readouterr().out.count("agrees") == 3


def test_changed_back_before_anything_is_paired_nothing_has_changed(event):
    change(event, "dutch-2026")
    change(event, "jahr")
    event.refresh_from_db()
    assert (event.system, event.earlier_systems) == ("jahr", [])


def test_changed_twice_the_middle_keeps_its_own_and_a_round_taken_back_is_paired_by_its_own(event):
    change(event, "dubov-1997")
    published(event, 3)
    change(event, "dutch-2026")
    event.refresh_from_db()
    assert [event.pairing_method_of_round(number).system for number in range(1, 7)] == [
        *["jahr"] * 2,
        "dubov-1997",
        *["dutch-2026"] * 3,
    ]
    with pytest.raises(ArbiterProblem, match="Round 1 is paired"):
        change_tournament(event, by=None, system="jahr")


def test_from_the_form_to_the_next_round():
    cast = make_cast()
    played(cast.event, 1)
    browser = cast.browser("arbiter")
    edit = browser.get(reverse("tournament_edit", args=[cast.club.slug, cast.event.slug])).content.decode()
    assert "Change system from round 2" in edit
    address = reverse("tournament_system_edit", args=[cast.club.slug, cast.event.slug])
    sent = {"system": "dutch-1992", "procedure": "", "reason": WHY, "from_round": "2"}
    wrong = browser.post(address, sent | {"reason": ""})
    assert wrong.status_code == 422
    answer = browser.post(address, sent, follow=True).content.decode()
    assert "System changed. Earlier rounds aren&#x27;t affected" in answer
    again = browser.post(address, sent)
    assert again.status_code == 422
    cast.event.refresh_from_db()
    assert snapshot_before_round(cast.event, 2).system == "dutch-1992"
    # An event that FIDE rates can't have had these systems, whoever asks for it.
    with pytest.raises(ArbiterProblem, match=r"t be paired with: Jahr's method .1981.; Dutch system of 1992"):
        change_tournament(cast.event, by=None, fide_rated=True)


def test_a_rated_event_keeps_to_the_systems_in_force(club):
    event = make_event(club, players=6, system=PairingSystem.DUTCH_2026, fide_rated=True)
    with pytest.raises(ArbiterProblem, match="Choose another system, or clear “FIDE rated”"):
        change_tournament(event, by=None, system="jahr")
    played(event, 1)
    with pytest.raises(ArbiterProblem, match="t be paired with: Jahr"):
        change_pairing_system(event, by=None, system="jahr", reason=WHY)
    with pytest.raises(ArbiterProblem, match="Choose another system"):
        create_tournament(club, by=None, name="Open", system="dutch-1992", rounds_announced=5, fide_rated=True)


@pytest.mark.parametrize(("system", "is_refused"), [("dutch-2026", False), ("dutch-1992", True), ("jahr", True)])
def test_the_form_of_a_rated_event_refuses_a_system_that_may_not_be_used(system, is_refused):
    cast = make_cast()
    sent = {
        "name": "Open",
        "system": system,
        "rounds_announced": "5",
        "acceleration": "none",
        "first_colour": "w",
        "requested_bye_worth": "H",
        "requested_byes_allowed": "1",
        "late_entry_worth": "Z",
        "rated_as": "standard",
        "fide_rated": "on",
    }
    browser = cast.browser("arbiter")
    page = browser.get(reverse("tournament_new", args=[cast.club.slug])).content.decode()
    assert len(re.findall("(?:Not|Can be used) for FIDE-rated events", page)) == len(PairingSystem)
    answer = browser.post(reverse("tournament_new", args=[cast.club.slug]), sent, follow=True).content.decode()
    assert ("This event is FIDE rated" in answer) == is_refused
    assert ("Choose another system, or clear “FIDE rated”." in answer) == is_refused
    assert Tournament.objects.filter(name="Open", fide_rated=True).exists() != is_refused
