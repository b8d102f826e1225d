"""Numbers of late entries: by rating until the list is closed, and rounds paired before keep theirs."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from pairing.explanations.named_reasons import player_names_by_number
from pairing.printing.papers.arbiter_records import arbiter_record_paper
from pairing.printing.papers.rounds import number_slips_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.rounds.comparison.differences import boards_by_system, compare_pairings, saved_boards
from pairing.rounds.comparison.rules_check import check_rounds
from pairing.rounds.lifecycle.transitions import NoLegalPairing, discard_draft
from pairing.rounds.manual.undo import restore_pairing
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.sheets.round_pairings import pairing_sheet
from tests.factories import draft_of, make_event, played, player, round_of
from tournaments.audit_log.actions import EventAction
from tournaments.entries.enrolment import enter_pasted_list, forbid_pair
from tournaments.entries.pairing_numbers import changed_numbers
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Acceleration, Bye, PairingSystem


def numbers(event) -> dict[str, int]:
    return dict(event.entries.values_list("name", "tpn"))


def in_order(event) -> list[str]:
    return list(event.entries.order_by("tpn").values_list("name", flat=True))


def rated(event) -> list[str]:
    """The players by rating; names are in order where ratings are equal."""
    return list(event.entries.order_by("-rating", "name").values_list("name", flat=True))


@pytest.mark.parametrize("system", [PairingSystem.FIDE_1989, PairingSystem.JAHR, PairingSystem.DUTCH_2026])
def test_a_late_entry_is_placed_by_rating_when_the_next_round_is_paired(club, system):
    event = make_event(club, players=6, system=system)
    played(event, 1)
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    draft = draft_of(event, 2)
    assert in_order(event) == rated(event)
    assert numbers(event)["Kot, Ala"] == 1
    # Seven players, and the bye does not go to the highest rated, who was last on the list before.
    assert draft.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED).entry.name != "Kot, Ala"
    assert event.log.filter(action=EventAction.NUMBERS_CHANGED).count() == 1


def test_a_link_to_a_player_opens_the_same_player_after_a_late_entry(club, client):
    event = make_event(club, players=6, system=PairingSystem.DUTCH_2026)
    played(event, 1)
    place = [club.slug, event.slug]
    of_one = player(event, 1)
    standings = client.get(reverse("standings", args=place)).text
    links = [
        link
        for link in re.findall(r'href="([^"]+)"', standings)
        if re.search(rf"(players|standings/1)/{of_one.pk}/(#|$)", link)
    ]
    assert {link.partition("#")[0] for link in links} == {
        reverse("player", args=[*place, of_one.pk]),
        reverse("tie_break_working", args=[*place, 1, of_one.pk]),
    }
    links.append(reverse("player_progress", args=[*place, of_one.pk]))
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    draft_of(event, 2)
    assert numbers(event)[of_one.name] == 2
    for link in links:
        heading = client.get(link).text.partition("<h1")[2].partition("</h1>")[0]
        assert of_one.name in heading, link


def test_the_record_explains_a_round_with_the_numbers_it_was_paired_with(club):
    event = make_event(club, players=6, system=PairingSystem.JAHR)
    played(event, 1)
    before = arbiter_record_paper(arbiter_record_sheet(event, only=1), PrintOptions(language="en")).parts[0].html
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    draft_of(event, 2)
    assert numbers(event)["Kot, Ala"] == 1
    event.refresh_from_db()
    after = arbiter_record_paper(arbiter_record_sheet(event, only=1), PrintOptions(language="en")).parts[0].html
    assert before.count("<section") == 3
    assert re.findall("<section.*?</section>", after, re.DOTALL)[:3] == re.findall(
        "<section.*?</section>", before, re.DOTALL
    )


def test_an_entry_in_the_middle_moves_only_those_behind(club):
    event = make_event(club, players=6)
    played(event, 1)
    before = in_order(event)
    third, fourth = (event.entries.get(name=name).rating for name in before[2:4])
    enter_pasted_list(event, f"Kot, Ala; {(third + fourth) // 2}", by=None)
    draft = draft_of(event, 2)
    assert in_order(event) == [*before[:3], "Kot, Ala", *before[3:]]
    told = [(entry.name, former, entry.tpn) for entry, former in changed_numbers(draft)]
    assert told == [("Kot, Ala", 7, 4), (before[3], 4, 5), (before[4], 5, 6), (before[5], 6, 7)]
    assert changed_numbers(round_of(event, 1)) == []


@pytest.mark.parametrize(
    ("system", "last"), [(PairingSystem.DUTCH_2026, 4), (PairingSystem.FIDE_1989, 3), (PairingSystem.DUBOV_1997, 3)]
)
def test_the_list_is_closed_after_a_round(club, system, last):
    event = make_event(club, players=8, system=system, rounds=7)
    for number in range(1, last):
        played(event, number)
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    played(event, last)
    assert numbers(event)["Kot, Ala"] == 1
    enter_pasted_list(event, "Pies, Azor; 2500", by=None)
    draft_of(event, last + 1)
    assert numbers(event)["Pies, Azor"] == 10


def test_numbers_that_came_with_a_file_stay(club):
    event = make_event(club, players=6)
    played(event, 1)
    event.keeps_numbers = True
    event.save()
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    draft_of(event, 2)
    assert numbers(event)["Kot, Ala"] == 7


def test_a_round_keeps_the_numbers_it_was_paired_with(club):
    event = make_event(club, players=6, system=PairingSystem.DUTCH_2026)
    first = played(event, 1)
    sheet, saved, names = pairing_sheet(first), saved_boards(first), player_names_by_number(event)
    snapshot = snapshot_before_round(event, 1)
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    played(event, 2)
    first = round_of(event, 1)
    event = first.tournament
    again = pairing_sheet(first)
    assert [(b.white.number, b.black.number) for b in again.boards] == [
        (b.white.number, b.black.number) for b in sheet.boards
    ]
    assert [b.white.tpn for b in again.boards] == [b.white.tpn + 1 for b in sheet.boards], "links use the new number"
    assert saved_boards(first) == saved
    assert player_names_by_number(event, 1) == names | {7: "Kot, Ala"}
    assert player_names_by_number(event, 2) == player_names_by_number(event)
    assert [card for card in snapshot_before_round(event, 1).cards if card.name != "Kot, Ala"] == list(snapshot.cards)
    for number in (1, 2):
        compared = compare_pairings(
            saved_boards(round_of(event, number)), boards_by_system(snapshot_before_round(event, number))
        )
        assert compared.is_identical
    checked = list(check_rounds(event, [round_of(event, 1), round_of(event, 2)]))
    assert [each.verdict for each in checked] == ["agrees", "agrees"]


def test_a_discarded_draft_leaves_the_numbers_in_order(club):
    event = make_event(club, players=6)
    played(event, 1)
    old = numbers(event)
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    discard_draft(draft_of(event, 2), by=None)
    assert in_order(event) == rated(event)
    enter_pasted_list(event, "Pies, Azor; 2500", by=None)
    draft = draft_of(event, 2)
    assert in_order(event) == rated(event)
    former = {entry.name: former for entry, former in changed_numbers(draft)}
    assert former == old | {"Kot, Ala": 7, "Pies, Azor": None}


def test_no_legal_round_changes_no_numbers(club):
    """Two players who have met, and one who comes late and may not meet either of them."""
    event = make_event(club, players=2)
    played(event, 1)
    (ala,) = enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    (azor,) = enter_pasted_list(event, "Pies, Azor; 1200", by=None)
    for late in (ala, azor):
        for number in (1, 2):
            forbid_pair(late, player(event, number), by=None)
    forbid_pair(ala, azor, by=None)
    before = numbers(event)
    with pytest.raises(NoLegalPairing) as refused:
        draft_of(event, 2)
    assert "Kot, Ala (1)" in refused.value.message, "the number she would have"
    event.refresh_from_db()
    assert (numbers(event), event.earlier_numbers) == (before, [])


def test_the_upper_group_of_baku_stays(club):
    event = make_event(club, players=8, system=PairingSystem.DUTCH_2026, acceleration=Acceleration.BAKU, rounds=7)
    played(event, 1)
    event.refresh_from_db()
    assert event.accelerated_players == 4
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    draft_of(event, 2)
    event.refresh_from_db()
    # The same four are in the upper group, and the newcomer who is rated above its last player.
    assert event.accelerated_players == 5
    assert snapshot_before_round(event, 1).accelerated_players == 4
    assert snapshot_before_round(event, 2).accelerated_players == 5


def test_the_page_says_that_numbers_changed_and_slips_are_printed(club, secretary, client):
    event = make_event(club, players=6)
    played(event, 1)
    enter_pasted_list(event, "Kot, Ala; 1975", by=None)
    draft_of(event, 2)
    client.force_login(secretary)
    page = client.get(reverse("round", args=[club.slug, event.slug, 2])).content.decode()
    slips = reverse("print_number_slips", args=[club.slug, event.slug, 2])
    assert "4 players have new pairing numbers because of late entries." in page
    assert slips in page
    told = changed_numbers(round_of(event, 2))
    paper = number_slips_paper(
        pairing_sheet(round_of(event, 2)), [(e.name, e.tpn, former) for e, former in told], PrintOptions(language="en")
    )
    words = " ".join(re.sub("<[^>]*>", " ", paper.parts[0].html).split())
    for name, number, former in (("Kot, Ala", 4, 7), ("Pionek, Nr004", 5, 4), ("Pionek, Nr006", 7, 6)):
        assert f"New number: {number} {name} Old number: {former}" in words
    assert client.get(slips).status_code == 200
    first = client.get(reverse("round", args=[club.slug, event.slug, 1])).content.decode()
    assert "because of late entries" not in first
    assert "#4 · " in first


def test_a_restored_draft_has_the_numbers_it_was_paired_with(club, secretary):
    event = make_event(club, players=6, system=PairingSystem.DUTCH_2026)
    played(event, 1)
    enter_pasted_list(event, "Kot, Ala; 2400", by=None)
    draft = draft_of(event, 2)
    was, boards = numbers(event), saved_boards(draft)
    discard_draft(draft, by=None)
    enter_pasted_list(event, "Pies, Azor; 2500", by=None)
    draft_of(event, 2)
    assert numbers(event)["Pies, Azor"] == 1
    discard_draft(round_of(event, 2), by=None)
    point = round_of(event, 2).restore_points.order_by("pk").first()
    restore_pairing(point, by=secretary, version=round_of(event, 2).version)
    assert numbers(event) == was | {"Pies, Azor": 8}
    assert saved_boards(round_of(event, 2)) == boards
