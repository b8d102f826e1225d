"""A round without a legal pairing: the blocking players are named, and the arbiter's decision is stored."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from pairing.log_actions import PairingAction
from pairing.models import PairingProposal
from pairing.printing.papers.arbiter_records import arbiter_record_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.rounds.lifecycle.relaxations import adopt_relaxation, create_empty_draft, propose_relaxations
from pairing.rounds.lifecycle.transitions import NoLegalPairing, discard_draft, pair_round, publish_round
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from tests.factories import make_event, played, player, round_of
from tests.module_fixtures import make_module_fixtures
from tests.scenario import SIGN_IN_FIRST, Cast, make_cast
from tournaments.entries.enrolment import withdraw_player
from tournaments.import_export.file_import import apply_import
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db


def make_rows() -> Cast:
    cast = make_cast()
    return replace(cast, event=stuck(cast.club))


made_once, cast = make_module_fixtures(make_rows)


def stuck(club, system: str = "fide-1989", players: int = 4) -> Tournament:
    """Four players who have all met, and a fourth round to pair."""
    event = make_event(club, players=players, rounds=5, system=system)
    for number in range(1, players):
        played(event, number)
    return event


def address(cast: Cast, name: str, *more: object, number: int = 4) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, number, *more])


def ways(cast: Cast) -> list[PairingProposal]:
    return propose_relaxations(round_of(cast.event, 4), by=cast.secretary)


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("member", 403), ("neighbour", 404)])
def test_others_are_kept_out(cast, who, status):
    way = ways(cast)[0]
    browser = cast.browser(who)
    assert browser.get(address(cast, "no_legal_pairing")).status_code == status
    assert browser.post(address(cast, "empty_draft_start"), {"reason": "x"}).status_code == status
    assert browser.post(address(cast, "relaxation_adopt", way.pk), {"reason": "x"}).status_code == status
    assert round_of(cast.event, 4).state == Round.State.WAITING


def test_nothing_is_decided_without_a_reason_nor_by_a_key_of_another_event(cast):
    way = ways(cast)[0]
    other = stuck(cast.club)
    foreign = propose_relaxations(round_of(other, 4), by=None)[0]
    browser = cast.browser("arbiter")
    for name, *more in (("relaxation_adopt", way.pk), ("empty_draft_start",)):
        answer = browser.post(address(cast, name, *more), {"reason": "  "}, follow=True)
        assert "add it to the log and the report file" in answer.content.decode()
    assert browser.post(address(cast, "relaxation_adopt", foreign.pk), {"reason": "x"}).status_code == 404
    assert round_of(cast.event, 4).state == Round.State.WAITING
    assert round_of(other, 4).state == Round.State.WAITING


def test_a_way_out_of_another_moment_is_over(cast):
    way = ways(cast)[0]
    withdraw_player(player(cast.event, 1), 4, by=None)
    with pytest.raises(ArbiterProblem, match="have changed since"):
        adopt_relaxation(way, by=cast.secretary, reason="Nobody else is left.")
    assert round_of(cast.event, 4).state == Round.State.WAITING


def test_a_round_that_can_be_paired_needs_no_decision(cast):
    with pytest.raises(ArbiterProblem, match="A legal pairing is now possible"):
        create_empty_draft(round_of(make_event(cast.club, players=4), 1), by=cast.secretary, reason="I like it.")


def test_by_the_rules_of_1992_nothing_is_relaxed_automatically(cast):
    cast = replace(cast, event=stuck(cast.club, "dutch-1992"))
    page = cast.browser("arbiter").post(address(cast, "round_pair"), follow=True)
    text = page.content.decode()
    assert "never relax B1 and B2" in text
    assert not PairingProposal.objects.exclude(relief="").exists()
    assert "Use as draft" not in text
    assert "Start with empty boards" in text


def test_a_page_asked_for_starts_nothing(cast):
    cast.browser("arbiter").get(address(cast, "no_legal_pairing"))
    assert not PairingProposal.objects.exists()


# -- Said and decided ------------------------------------------------------------------------------------------------


def test_from_the_button_to_the_decision_on_page_in_log_file_and_record(cast):
    browser = cast.browser("arbiter")
    page = browser.post(address(cast, "round_pair"), follow=True)
    assert page.redirect_chain[-1][0] == address(cast, "no_legal_pairing")
    text = page.content.decode()
    for number in range(1, 5):
        assert f"Pionek, Nr00{number}" in text
    assert "These players have no other possible opponents" in text
    assert "Let two players meet again" in text
    assert "fide-1989 art. 2" in text
    assert "See why and what you can do" in browser.get(address(cast, "round")).content.decode()

    (way,) = PairingProposal.objects.filter(relief="repeat")
    said = browser.post(address(cast, "relaxation_adopt", way.pk), {"reason": "Nobody else is\nleft."}, follow=True)
    assert said.redirect_chain[-1][0] == address(cast, "round")
    assert "Let Pionek, Nr00" in said.content.decode()
    again = browser.post(address(cast, "relaxation_adopt", way.pk), {"reason": "A second press"}, follow=True)
    assert again.status_code == 200
    assert cast.event.log.filter(action=PairingAction.REPEAT_DECIDED).count() == 1

    this_round = round_of(cast.event, 4)
    assert this_round.state == Round.State.DRAFT
    assert [(game.white_id, game.black_id) for game in this_round.games.all()] == [
        (board["white"], board["black"]) for board in way.boards
    ]
    assert b"Clubnight decision" not in export_trf(cast.event)
    publish_round(this_round, by=None, version=this_round.version)
    report = export_trf(cast.event).decode()
    assert "### Clubnight decision round=4 repeat decided" in report
    assert "(fide-1989 art. 2) because Nobody else is left." in report
    to_players = cast.browser("visitor").get(address(cast, "round")).content.decode()
    assert "no legal pairings existed" in to_players
    assert "Nobody else is" not in to_players
    recorded = arbiter_record_sheet(cast.event).rounds[-1].decision
    assert recorded is not None
    assert recorded.reason == "Nobody else is\nleft."
    wishes = PrintOptions(language="en")
    assert "Nobody else is" in arbiter_record_paper(arbiter_record_sheet(cast.event), wishes).parts[-1].html


def test_the_file_with_the_decision_comes_back_and_goes_out_again(cast):
    adopt_relaxation(ways(cast)[0], by=cast.secretary, reason="So be it.")
    this_round = round_of(cast.event, 4)
    publish_round(this_round, by=None, version=this_round.version)
    first = export_trf(cast.event)
    copy = apply_import(cast.club, first, "stuck.trf", by=None)
    lines = export_trf(copy).decode().splitlines()
    assert [line for line in lines if "Clubnight decision" in line] == [
        line for line in first.decode().splitlines() if "Clubnight decision" in line
    ]


def test_empty_boards_are_filled_manually_and_published(cast):
    browser = cast.browser("arbiter")
    page = browser.post(address(cast, "empty_draft_start"), {"reason": "I seat them."}, follow=True)
    assert page.redirect_chain[-1][0] == address(cast, "round_edit")
    this_round = round_of(cast.event, 4)
    with pytest.raises(ArbiterProblem, match="Not paired yet"):
        publish_round(this_round, by=None, version=this_round.version)
    keys = [player(cast.event, number).pk for number in range(1, 5)]
    for one, other in (keys[:2], keys[2:]):
        this_round.refresh_from_db()
        sent = {"version": this_round.version, "player": [one, other], "pair": "1"}
        browser.post(address(cast, "round_edit_apply"), sent)
    this_round.refresh_from_db()
    assert this_round.games.count() == 2
    assert "pair manually" in browser.get(address(cast, "round")).content.decode()
    publish_round(this_round, by=None, version=this_round.version)


def test_a_discarded_decision_says_nothing_of_the_next_pairing(cast):
    draft = adopt_relaxation(ways(cast)[0], by=cast.secretary, reason="So be it.")
    discard_draft(draft, by=None)
    assert "no legal pairings existed" not in cast.browser("arbiter").get(address(cast, "round")).content.decode()
    with pytest.raises(NoLegalPairing):
        pair_round(round_of(cast.event, 4).pk, by=None)


def test_a_round_robin_has_a_schedule_and_nothing_to_decide(cast):
    event = make_event(cast.club, players=4, rounds=3, system="round-robin")
    page = cast.browser("arbiter").get(reverse("no_legal_pairing", args=[cast.club.slug, event.slug, 1]))
    assert page.status_code == 302
    with pytest.raises(ArbiterProblem):
        create_empty_draft(round_of(event, 1), by=cast.secretary, reason="I like it.")
