"""FIDE rated events: what they refuse, and what the report lists of the arbiter's decisions and changes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pairing.engine.trf import read_trf
from pairing.rounds.lifecycle.transitions import publish_round
from pairing.rounds.manual.arrangement import swap_colours
from pairing.rounds.manual.changes import change_draft_manually
from tests.factories import draft_of, make_event, make_user, played, player, round_of
from tournaments.entries.enrolment import forbid_pair
from tournaments.entries.forbidden_groups import GroupCriterion, forbid_pairs_within_groups
from tournaments.events.event_setup import change_tournament
from tournaments.import_export.arbiter_overrides import arbiter_overrides
from tournaments.import_export.trf_export import export_trf
from tournaments.models import PairingSystem
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import correct_result


def comments(event) -> list[str]:
    return [line for line in export_trf(event).decode().split("\r\n") if line.startswith("### Clubnight override")]


def test_players_are_kept_apart_before_round_1_only(club):
    event = make_event(club, players=6, system=PairingSystem.DUTCH_2026, fide_rated=True)
    forbid_pair(player(event, 1), player(event, 2), by=None)
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem, match="t keep more players apart"):
        forbid_pair(player(event, 1), player(event, 3), by=None)
    with pytest.raises(ArbiterProblem, match="t keep more players apart"):
        forbid_pairs_within_groups(event, GroupCriterion.CLUB, ["x"], to_round=None, by=None)
    change_tournament(event, by=None, fide_rated=False)
    forbid_pair(player(event, 1), player(event, 3), by=None)


def test_what_the_arbiter_overrode_is_on_the_page_and_in_the_file(club, client):
    event = make_event(club, players=7, system=PairingSystem.DUTCH_2026, fide_rated=True, tie_breaks=["BH"])
    arbiter = make_user("arbiter", club, "arbiter")
    played(event, 1)
    assert arbiter_overrides(event) == []
    change_draft_manually(draft_of(event, 2), swap_colours(2), by=arbiter, version=1)
    assert arbiter_overrides(event) == [], "a draft is nobody's business yet"
    draft = round_of(event, 2)
    publish_round(draft, by=arbiter, version=draft.version)
    game = round_of(event, 1).games.get(board=1)
    correct_result(
        game, "1/2" if game.result != "1/2" else "1-0", revision=game.revision, by=arbiter, reason="wrong slip"
    )
    change_tournament(event, by=arbiter, tie_breaks=["SB"])
    change_tournament(event, by=arbiter, city="Kraków")
    told = [
        (each.round_number, each.sentence.partition(":")[0].partition(" (")[0]) for each in arbiter_overrides(event)
    ]
    assert told == [(1, "Board 1 corrected"), (2, "Boards paired by hand"), (None, "Changed the event")]
    first, second, third = comments(event)
    assert first.startswith("### Clubnight override round=1 corrected board=1 ")
    assert second == "### Clubnight override round=2 by hand boards=2"
    assert "tie_breaks ['BH'] ['SB']" in third
    assert read_trf(export_trf(event), name="x").rounds_paired == 2
    client.force_login(arbiter)
    page = client.get(reverse("fide_report_check", args=[club.slug, event.slug])).text
    assert "Round 2: Boards paired by hand: 2" in page
    change_tournament(event, by=arbiter, fide_rated=False)
    event.refresh_from_db()
    assert comments(event) == []
    assert "Boards paired by hand" not in client.get(reverse("fide_report_check", args=[club.slug, event.slug])).text
