"""The pages of proposals and of compared rounds, as seen by each of the cast."""

from __future__ import annotations

import re

import pytest
from django.db.models import QuerySet
from django.urls import reverse

from common.models import Job
from pairing.models import PairingProposal
from pairing.rounds.lifecycle.transitions import unpublish_round
from pairing.rounds.proposals.proposal_actions import propose_pairing
from tests.factories import draft_of, played, published, seen
from tests.module_fixtures import make_module_fixtures
from tests.scenario import NAMES, SIGN_IN_FIRST, Cast, make_cast
from tournaments.models import Game, Round
from tournaments.results.recording import correct_result, enter_result

pytestmark = pytest.mark.django_db


def cast_in_round_2() -> Cast:
    cast = make_cast()
    played(cast.event, 1)
    published(cast.event, 2)
    return cast


made_once, cast = make_module_fixtures(cast_in_round_2)


def address(cast: Cast, name: str, *more: object, number: int = 2) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, number, *more])


def proposed(cast: Cast, *places: int) -> PairingProposal:
    return propose_pairing(cast.round(2).pk, absent=[cast.entry(place).pk for place in places], by=cast.secretary)


# -- Refused ---------------------------------------------------------------------------------------------------------


def trials() -> QuerySet[Job]:
    """Without the rating job, which every finished or corrected round requests."""
    return Job.objects.exclude(task="tournaments.tasks.recalculate_ratings")


@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("member", 403), ("neighbour", 404)])
def test_others_are_kept_out(cast, who, status):
    proposal = proposed(cast, 0)
    browser = cast.browser(who)
    for name, *more in (
        ("proposal_create",),
        ("round_what_if",),
        ("proposal", proposal.pk),
        ("round_what_if_result", 1),
    ):
        assert browser.get(address(cast, name, *more)).status_code == status
    for name, *more in (
        ("proposal_create",),
        ("round_what_if",),
        ("proposal_adopt", proposal.pk),
        ("proposal_discard", proposal.pk),
    ):
        assert browser.post(address(cast, name, *more)).status_code == status
    assert PairingProposal.objects.get().state == PairingProposal.State.OPEN


def test_wrong_methods(cast):
    proposal = proposed(cast, 0)
    browser = cast.browser("arbiter")
    assert browser.post(address(cast, "proposal", proposal.pk)).status_code == 405
    assert browser.get(address(cast, "proposal_adopt", proposal.pk)).status_code == 405
    assert browser.get(address(cast, "proposal_discard", proposal.pk)).status_code == 405
    assert browser.put(address(cast, "proposal_create")).status_code == 405
    assert browser.post(address(cast, "round_what_if_result", 1)).status_code == 405


def test_a_proposal_belongs_to_its_round(cast):
    proposal = proposed(cast, 0)
    assert cast.browser("arbiter").get(address(cast, "proposal", proposal.pk, number=1)).status_code == 404
    assert cast.browser("arbiter").get(address(cast, "round_what_if_result", 0)).status_code == 404


def test_a_finished_round_gets_no_proposal(cast):
    page = cast.browser("arbiter").get(address(cast, "proposal_create", number=1), follow=True)
    assert "Only draft or published rounds can be re-paired" in page.content.decode()


@pytest.mark.every_database
def test_players_of_other_events_are_not_ticked(cast):
    cast.browser("arbiter").post(address(cast, "proposal_create"), {"absent": ["999999", "x"]})
    assert PairingProposal.objects.get().absent == []


def test_what_cannot_be_paired_says_so(cast):
    everyone = [entry.pk for entry in cast.event.entries.all()]
    page = cast.browser("arbiter").post(address(cast, "proposal_create"), {"absent": everyone}, follow=True)
    assert "No players to pair." in page.content.decode()
    assert not PairingProposal.objects.exists()


def test_a_published_pairing_needs_a_reason(cast):
    proposal = proposed(cast, 0)
    page = cast.browser("arbiter").post(address(cast, "proposal_adopt", proposal.pk), {"reason": " "}, follow=True)
    text = page.content.decode()
    assert "Enter a reason" in text
    assert "Apply or discard this proposal" in text
    assert cast.round(2).version == 1


def test_boards_with_results_are_named(cast):
    game = cast.round(2).games.get(board=1)
    proposal = propose_pairing(cast.round(2).pk, absent=[game.white_id], by=None)
    enter_result(game, "1-0", revision=0, by=None)
    text = cast.browser("arbiter").get(address(cast, "proposal", proposal.pk)).content.decode()
    assert "the pairings stay as they are" in text
    assert address(cast, "board", 1) in text
    assert address(cast, "proposal_adopt", proposal.pk) not in text


# -- On trial --------------------------------------------------------------------------------------------------------


def test_from_the_ticks_to_the_new_pairing(cast):
    arbiter = cast.browser("arbiter")
    assert address(cast, "proposal_create") in arbiter.get(address(cast, "round")).content.decode()
    form = arbiter.get(address(cast, "proposal_create"))
    assert all(name in form.text for name in NAMES)
    assert (len(form.context["seated"]), form.context["away"]) == (len(NAMES), [])
    page = arbiter.post(address(cast, "proposal_create"), {"absent": [cast.entry(5).pk]}, follow=True)
    text = page.content.decode()
    assert "Not playing:</strong> Nikt, Jan" in text
    assert "would change" in text
    assert "break no mandatory rules" in text
    proposal = PairingProposal.objects.get()
    said = arbiter.post(address(cast, "proposal_adopt", proposal.pk), {"reason": "Ill"}, follow=True).content.decode()
    assert "Pairings updated (version 2)." in said
    assert "Nikt, Jan" not in "".join(
        f"{game.white} {game.black}"
        for game in Game.objects.filter(round=cast.round(2)).select_related("white", "black")
    )
    log = arbiter.get(reverse("tournament_log", args=[cast.club.slug, cast.event.slug])).content.decode()
    assert "Applied a proposal" in log
    assert "Ill" in log


def test_players_see_the_new_pairing_and_nobody_the_proposal(cast):
    visitor = cast.browser("visitor")
    before = visitor.get(address(cast, "round"))
    proposal = proposed(cast, 5)
    assert visitor.get(address(cast, "round"))["ETag"] == before["ETag"]
    cast.browser("arbiter").post(address(cast, "proposal_adopt", proposal.pk), {"reason": "Ill"})
    after = visitor.get(address(cast, "round"), headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200


def test_left_as_it_is(cast):
    proposal = proposed(cast, 5)
    page = cast.browser("arbiter").post(address(cast, "proposal_discard", proposal.pk), follow=True)
    assert "The pairings are unchanged" in page.content.decode()
    text = cast.browser("arbiter").get(address(cast, "proposal", proposal.pk)).content.decode()
    assert "was discarded" in text
    assert address(cast, "proposal_adopt", proposal.pk) not in text


def test_an_old_proposal_says_so_and_offers_another(cast):
    proposal = proposed(cast, 5)
    Round.objects.filter(pk=cast.round(2).pk).update(version=7)
    text = cast.browser("arbiter").get(address(cast, "proposal", proposal.pk)).content.decode()
    assert "out of date" in text
    assert f'name="absent" value="{cast.entry(5).pk}"' in text


def test_nothing_to_change(cast):
    page = cast.browser("arbiter").post(address(cast, "proposal_create"), follow=True).content.decode()
    assert "nothing would change" in page
    assert "nothing to change" in page


def test_a_draft_is_replaced_without_a_reason(cast):
    Round.objects.filter(pk=cast.round(2).pk).update(state=Round.State.DRAFT, published_at=None)
    proposal = proposed(cast, 5)
    text = cast.browser("arbiter").get(address(cast, "proposal", proposal.pk)).content.decode()
    assert "seen it yet" in text
    assert 'name="reason"' not in text
    cast.browser("arbiter").post(address(cast, "proposal_adopt", proposal.pk))
    assert cast.round(2).version == 2


def test_an_outdated_draft_offers_a_proposal(cast):
    unpublish_round(cast.round(2), by=cast.secretary, reason="Too early")
    draft_of(cast.event, 2)
    game = cast.round(1).games.get(board=1)
    correct_result(game, "0-1" if game.result != "0-1" else "1-0", revision=game.revision, by=None)
    text = cast.browser("arbiter").get(address(cast, "round")).content.decode()
    assert "Preview changes" in text


# -- After a correction ----------------------------------------------------------------------------------------------


def test_a_correction_is_told_on_the_later_rounds_page_to_those_who_run_it(cast):
    arbiter = cast.browser("arbiter")
    assert "was corrected" not in arbiter.get(address(cast, "round")).content.decode()
    for game in cast.round(1).games.all():
        form = {
            f"result-{game.board}": "0-1" if game.result == "1-0" else "1-0",
            f"seen-{game.board}": seen(cast.round(1), game.board),
        }
        arbiter.post(address(cast, "board_result", game.board, number=1), form)
    before = trials().count()
    text = arbiter.get(address(cast, "round")).content.decode()
    assert trials().count() == before
    proposal = PairingProposal.objects.order_by("pk").last()
    assert "An earlier result was corrected. Re-pairing would change" in text
    assert address(cast, "proposal", proposal.pk) in text
    assert (
        "An earlier result was corrected. Re-pairing would change"
        not in cast.browser("visitor").get(address(cast, "round")).content.decode()
    )
    assert "Corrected:" in arbiter.get(address(cast, "proposal", proposal.pk)).content.decode()


# -- Rounds once more ------------------------------------------------------------------------------------------------


def test_paired_rounds_are_checked_again(cast):
    arbiter = cast.browser("arbiter")
    assert "Rounds 1 to 2" in arbiter.get(address(cast, "round_what_if", number=1)).content.decode()
    page = arbiter.post(address(cast, "round_what_if", number=1), follow=True)
    text = page.content.decode()
    assert page.redirect_chain[-1][0] == address(cast, "round_what_if_result", trials().last().pk, number=1)
    assert text.count("All 3 boards unchanged.") == 2


def test_rounds_that_would_be_others(cast):
    for game in cast.round(1).games.all():
        correct_result(game, "0-1" if game.result == "1-0" else "1-0", revision=game.revision, by=None)
    text = cast.browser("arbiter").post(address(cast, "round_what_if"), follow=True).content.decode()
    assert "Pairings with corrected results" in text
    assert "boards would change" in text or "board would change" in text
    assert cast.round(2).version == 1


def test_nothing_published_from_there_on(cast):
    arbiter = cast.browser("arbiter")
    assert (
        "None of these rounds are published yet"
        in arbiter.get(address(cast, "round_what_if", number=3)).content.decode()
    )
    assert arbiter.post(address(cast, "round_what_if", number=3)).status_code == 200
    assert not Job.objects.filter(task__endswith="pair_again_task").exists()


def test_a_late_newcomer_is_one_click_away_from_the_proposal_and_back(cast):
    arbiter = cast.browser("arbiter")
    players = reverse("entries_add", args=[cast.club.slug, cast.event.slug])
    assert f'href="{players}"' in arbiter.get(address(cast, "proposal_create")).text
    assert f'href="{address(cast, "proposal_create")}"' in arbiter.get(players).text


@pytest.mark.parametrize(
    "name", ["entries", "standings", "print_centre", "tournament_log", "tournament_edit", "prizes"]
)
def test_the_rounds_stand_above_every_page_of_an_event(cast, name):
    shown = cast.browser("arbiter").get(reverse(name, args=[cast.club.slug, cast.event.slug])).text
    strip = shown.split('id="event-rounds"')[1].split("</nav>")[0]
    # On pages about one round, a square leads to the same page about another round.
    assert len(re.findall('<a href="', strip)) == cast.event.rounds.count()
