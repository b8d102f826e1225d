"""Lots: drawn once and stored."""

from __future__ import annotations

import pytest

from pairing.view_models.standings.lots import MAX_LOT_NUMBER, draw_lots, redraw_all_lots
from tests.factories import make_event
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import LogEntry, PairingSystem
from tournaments.problems import ArbiterProblem


def lots(event) -> dict[str, int | None]:
    return dict(event.entries.values_list("name", "lot"))


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_no_lot_is_drawn_again_without_a_written_reason(club, reason):
    event = make_event(club, players=4)
    draw_lots(event, by=None)
    before = lots(event)
    with pytest.raises(ArbiterProblem):
        redraw_all_lots(event, reason=reason, by=None)
    assert lots(event) == before


def test_everybody_draws_another_number(club):
    event = make_event(club, players=40)
    assert draw_lots(event, by=None) == 40
    drawn = lots(event).values()
    assert len(set(drawn)) == 40
    assert all(1 <= lot <= MAX_LOT_NUMBER for lot in drawn)


def test_drawing_twice_changes_nobodys_lot(club):
    event = make_event(club, players=4)
    draw_lots(event, by=None)
    before = lots(event)
    assert draw_lots(event, by=None) == 0
    assert lots(event) == before
    assert event.log.filter(action="lots drawn").count() == 1


def test_a_late_entrant_draws_from_what_is_left_in_the_bag(club):
    event = make_event(club, players=3)
    draw_lots(event, by=None)
    before = lots(event)
    enter_pasted_list(event, "Kot, Ala; 1500", by=None)
    assert draw_lots(event, by=None) == 1
    after = lots(event)
    assert after.pop("Kot, Ala") not in before.values()
    assert after == before


def test_the_log_keeps_the_lots_there_were(club, secretary):
    event = make_event(club, players=3)
    draw_lots(event, by=secretary)
    before = {str(entry.pk): entry.lot for entry in event.entries.all()}
    redraw_all_lots(event, reason="the bag was not closed", by=secretary)
    line: LogEntry = event.log.first()
    assert (line.action, line.actor) == ("lots drawn again", secretary)
    assert line.details["reason"] == "the bag was not closed"
    assert line.details["lots_before"] == before
    assert line.details["lots"] == {str(entry.pk): entry.lot for entry in event.entries.all()}


# -- The page -------------------------------------------------------------------------------------------------------


def test_the_box_is_for_officers_of_events_that_break_ties_by_lot(event, secretary, member, signed_in, address):
    for user in (None, member, secretary):
        assert address("lots_draw") not in signed_in(user).get(address("standings")).content.decode()
    event.system = PairingSystem.DUTCH_1992
    event.save()
    for user in (None, member):
        assert address("lots_draw") not in signed_in(user).get(address("standings")).content.decode()
    assert address("lots_draw") in signed_in(secretary).get(address("standings")).content.decode()


@pytest.mark.parametrize("name", ["lots_draw", "lots_draw_again"])
def test_only_officers_draw(name, event, member, outsider, secretary, signed_in, address):
    assert signed_in().post(address(name)).status_code == 401
    assert signed_in(outsider).post(address(name)).status_code == 404
    assert signed_in(member).post(address(name)).status_code == 403
    assert signed_in(secretary).get(address(name)).status_code == 405
    assert set(lots(event).values()) == {None}


def test_drawing_on_the_page(event, secretary, signed_in, address):
    event.system = PairingSystem.DUTCH_1992
    event.save()
    browser = signed_in(secretary)
    browser.post(address("lots_draw"))
    before = lots(event)
    assert None not in before.values()
    assert "Lot" in browser.get(address("standings")).content.decode()
    browser.post(address("lots_draw_again"), {"reason": ""})
    assert lots(event) == before
    browser.post(address("lots_draw_again"), {"reason": "two slips stuck together"})
    assert lots(event) != before
    assert "two slips stuck together" in browser.get(address("tournament_log")).content.decode()
