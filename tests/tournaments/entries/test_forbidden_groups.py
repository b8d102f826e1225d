"""Groups whose members must not meet: one club, one family name."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pairing.rounds.lifecycle.transitions import discard_draft
from tests.factories import draft_of, make_event, player
from tests.scenario import SIGN_IN_FIRST, make_cast
from tournaments.entries.enrolment import enter_pasted_list, forbid_pair
from tournaments.entries.forbidden_groups import (
    GroupCriterion,
    find_related_groups,
    forbid_pairs_within_groups,
    remove_forbidden_pairs_by_remark,
)
from tournaments.models import Entry
from tournaments.problems import ArbiterProblem


@pytest.fixture
def event(club):
    made = make_event(club, players=8, system="fide-1989")
    Entry.objects.filter(name__in=["Pionek, Nr001", "Pionek, Nr005"]).update(club_name="Na Skale")
    Entry.objects.filter(name__in=["Pionek, Nr002", "Pionek, Nr006"]).update(club_name="na  skale")
    return made


def names(event) -> list[set[str]]:
    return [{entry.name for entry in group.entries} for group in find_related_groups(event, GroupCriterion.FAMILY_NAME)]


def test_most_of_the_players_cannot_be_kept_apart(event):
    with pytest.raises(ArbiterProblem, match="has too many players to keep apart"):
        forbid_pairs_within_groups(event, GroupCriterion.FAMILY_NAME, ["Pionek"], to_round=2, by=None)
    assert forbid_pairs_within_groups(event, GroupCriterion.FAMILY_NAME, ["Nikt"], to_round=2, by=None) == 0
    assert not event.forbidden_pairs.exists()


def test_players_without_a_club_have_none_in_common(event):
    assert [len(group.entries) for group in find_related_groups(event, GroupCriterion.CLUB)] == [4]


def test_who_has_withdrawn_is_left_out(event):
    Entry.objects.filter(name="Pionek, Nr001").update(withdrawn_from_round=1)
    assert [len(group.entries) for group in find_related_groups(event, GroupCriterion.CLUB)] == [3]


def test_the_pairing_obeys(event):
    before = draft_pairs(event)
    assert {"Pionek, Nr001", "Pionek, Nr005"} in before
    discard_draft(event.rounds.get(number=1), by=None)
    assert forbid_pairs_within_groups(event, GroupCriterion.CLUB, ["Na Skale"], to_round=2, by=None) == 6
    group = {"Pionek, Nr001", "Pionek, Nr002", "Pionek, Nr005", "Pionek, Nr006"}
    assert all(len(pair & group) == 1 for pair in draft_pairs(event))


def draft_pairs(event) -> list[set[str]]:
    return [{game.white.name, game.black.name} for game in draft_of(event, 1).games.select_related("white", "black")]


def test_a_second_click_and_an_existing_rule_add_nothing(event):
    forbid_pair(player(event, 1), player(event, 2), by=None, remark="sisters")
    assert forbid_pairs_within_groups(event, GroupCriterion.CLUB, ["Na Skale"], to_round=3, by=None) == 5
    assert forbid_pairs_within_groups(event, GroupCriterion.CLUB, ["Na Skale"], to_round=None, by=None) == 0
    line = event.log.get(action="groups kept apart")
    assert line.details == {"bond": "club", "count": 5, "names": ["Na Skale"], "to_round": 3}
    assert event.forbidden_pairs.filter(to_round=3).count() == 5
    assert remove_forbidden_pairs_by_remark(event, "Na Skale", by=None) == 5
    assert event.forbidden_pairs.get().remark == "sisters"


def test_the_log_names_who_did_what_and_no_family(event, secretary):
    Entry.objects.filter(name="Pionek, Nr003").update(name="Zmyślowska, Ewa")
    Entry.objects.filter(name="Pionek, Nr007").update(name="Zmyślowski, Adam")
    (group,) = [
        group.name for group in find_related_groups(event, GroupCriterion.FAMILY_NAME) if not group.is_too_large
    ]
    assert forbid_pairs_within_groups(event, GroupCriterion.FAMILY_NAME, [group], to_round=None, by=secretary) == 1
    line = event.log.get(action="groups kept apart")
    assert (line.actor, line.details) == (secretary, {"bond": "family", "count": 1, "names": [], "to_round": None})
    assert remove_forbidden_pairs_by_remark(event, group, by=secretary) == 1
    line = event.log.get(action="group may meet")
    assert (line.actor, line.details) == (secretary, {"count": 1})
    assert remove_forbidden_pairs_by_remark(event, group, by=secretary) == 0
    assert event.log.filter(action="group may meet").count() == 1


@pytest.mark.parametrize(
    ("his", "hers"),
    [
        ("Zmyślowski", "Zmyślowska"),
        ("Vymyšlený", "Vymyšlená"),
        ("Vymyšlák", "Vymyšláková"),
        ("Figurka", "Figurková"),
        ("Измислев", "Измислева"),
        ("Измислин", "Измислина"),
        ("Фигурски", "Фигурска"),
        ("Bauer", "BAUER"),
    ],
)
def test_brothers_and_sisters_have_one_family_name(his, hers, club):
    event = make_event(club)
    enter_pasted_list(event, f"{his}, Jan\n{hers}, Anna\nInny, Adam\nInna-Obca, Ewa", by=None)
    assert names(event) == [{f"{his}, Jan", f"{hers}, Anna"}]


# -- The page ------------------------------------------------------------------------------------------------------


@pytest.fixture
def cast(db):
    made = make_cast()
    Entry.objects.filter(name__startswith="N").update(club_name="Na Skale")
    Entry.objects.exclude(name__startswith="N").update(club_name="")
    return made


@pytest.mark.parametrize("name", ["forbidden_groups_add", "forbidden_group_remove"])
@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_groups_are_for_those_who_run_the_event(cast, name, who, status):
    address = reverse(name, args=[cast.club.slug, cast.event.slug])
    assert cast.browser(who).post(address, {"bond": "club"}).status_code == status
    assert cast.browser("secretary").get(address).status_code == 405
    assert not cast.event.forbidden_pairs.exists()


def test_one_click_forbids_all_pairs_of_a_club_and_one_allows_them(cast):
    secretary = cast.browser("arbiter")
    page = reverse("forbidden_pairs", args=[cast.club.slug, cast.event.slug])
    assert "Players from the same club" in secretary.get(page).text
    address = reverse("forbidden_groups_add", args=[cast.club.slug, cast.event.slug])
    html = secretary.post(address, {"bond": "club", "to_round": "2", "group": "Na Skale"}, follow=True).text
    assert "1 rule added" in html
    assert "rounds 1–2" in html
    address = reverse("forbidden_group_remove", args=[cast.club.slug, cast.event.slug])
    assert "1 rule removed" in secretary.post(address, {"remark": "Na Skale"}, follow=True).text
    assert not cast.event.forbidden_pairs.exists()


@pytest.mark.parametrize(
    "sent", [{}, {"bond": "x"}, {"bond": "club", "to_round": "0"}, {"bond": "club", "to_round": "x"}]
)
def test_a_mangled_form_is_refused(cast, sent):
    address = reverse("forbidden_groups_add", args=[cast.club.slug, cast.event.slug])
    assert cast.browser("secretary").post(address, sent).status_code == 422
    assert not cast.event.forbidden_pairs.exists()


def test_what_stands_in_the_way_of_keeping_groups_apart_is_said_on_the_page(cast):
    address = reverse("forbidden_groups_add", args=[cast.club.slug, make_event(cast.club, players=8).slug])
    answer = cast.browser("secretary").post(
        address, {"bond": GroupCriterion.FAMILY_NAME, "group": ["Pionek"], "to_round": 2}
    )
    assert answer.status_code == 422
    assert "has too many players to keep apart" in answer.text
