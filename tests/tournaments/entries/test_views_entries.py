"""The pages for adding players, their entries, absences, byes and forbidden pairs."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Club, Member
from tests.module_fixtures import make_module_fixtures
from tests.scenario import HTMX, HTMX_BACK, NAMES, Cast, make_cast
from tournaments.entries.enrolment import forbid_pair
from tournaments.models import Bye, Entry, Round, Tournament

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_cast)


def page(cast: Cast, name: str, *more: object) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, *more])


# -- The list ------------------------------------------------------------------------------------------------------


@pytest.mark.every_database
def test_a_search_by_htmx_gets_the_list_alone(cast):
    answer = cast.browser("visitor").get(page(cast, "entries"), {"q": "измислен"}, headers=HTMX)
    assert NAMES[1] in answer.text
    assert NAMES[0] not in answer.text
    assert "<html" not in answer.text


@pytest.mark.parametrize(("name", "more"), [("entries", []), ("round_check_in", [1]), ("entries_add_members", [])])
def test_going_back_to_a_search_gets_the_whole_page(cast, name, more):
    answer = cast.browser("secretary").get(page(cast, name, *more), {"q": "nikt"}, headers=HTMX_BACK)
    assert "<html" in answer.text
    assert "HX-Target" in answer.headers["Vary"]


def test_the_list_takes_as_many_queries_for_six_as_for_sixty(cast, django_assert_max_num_queries):
    Entry.objects.bulk_create(Entry(tournament=cast.event, name=f"Kopia {n}", tpn=n + 10) for n in range(60))
    secretary = cast.browser("secretary")
    with django_assert_max_num_queries(9):
        secretary.get(page(cast, "entries"))


def test_a_remark_is_for_those_who_run_the_event(cast):
    Entry.objects.filter(pk=cast.entry(0).pk).update(remark="owes the fee")
    assert "owes the fee" in cast.browser("arbiter").get(page(cast, "entries")).text
    assert "owes the fee" not in cast.browser("visitor").get(page(cast, "entries")).text


def test_the_club_is_named_for_guests_from_elsewhere_only(cast):
    Entry.objects.filter(pk=cast.entry(0).pk).update(club_name="Na Skale")
    text = cast.browser("visitor").get(page(cast, "entries")).text
    assert '<td class="of-club">Na Skale</td>' in text
    assert f'<td class="of-club">{cast.club.name}</td>' not in text


def test_the_list_says_who_is_yet_to_come_and_who_came_late(cast):
    Entry.objects.filter(pk=cast.entry(0).pk).update(entered_in_round=2)
    assert (
        '<span class="badge care">plays from round 2</span>' in cast.browser("visitor").get(page(cast, "entries")).text
    )
    cast.event.rounds.filter(number__lte=2).update(state=Round.State.PUBLISHED)
    assert '<span class="badge">joined in round 2</span>' in cast.browser("visitor").get(page(cast, "entries")).text


# -- Choosing members ----------------------------------------------------------------------------------------------


def test_nobody_ticked_says_what_to_do(cast):
    answer = cast.browser("secretary").post(page(cast, "entries_add_members"), {"from_round": 1})
    assert answer.status_code == 422
    assert "Select at least 1 member" in answer.text


def test_members_of_another_club_cannot_be_entered(cast):
    other = Member.objects.create(club=Club.objects.get(slug="elsewhere"), family_name="Obca")
    answer = cast.browser("secretary").post(page(cast, "entries_add_members"), {"members": [other.pk], "from_round": 1})
    assert answer.status_code == 422
    assert not cast.event.entries.filter(name="Obca").exists()


@pytest.mark.parametrize("nobody", ["x", "0", "9" * 30])
def test_a_number_that_is_no_members_cannot_be_entered(cast, nobody):
    sent = {"members": [cast.members[0].pk, nobody], "from_round": 1}
    answer = cast.browser("secretary").post(page(cast, "entries_add_members"), sent)
    assert answer.status_code == 422
    assert cast.event.entries.count() == 6


def test_members_are_entered_by_ticking(cast):
    new = [Member.objects.create(club=cast.club, family_name=name) for name in ("Nowa", "Nowszy")]
    sent = {"members": [each.pk for each in new], "from_round": 1}
    answer = cast.browser("secretary").post(page(cast, "entries_add_members"), sent)
    assert answer.headers["Location"] == page(cast, "entries")
    assert cast.event.entries.count() == 8


def test_searching_again_loses_no_tick(cast):
    new = [Member.objects.create(club=cast.club, family_name=name) for name in ("Nowa", "Druga")]
    for headers in ({}, HTMX | {"HX-Target": "choices"}):
        answer = cast.browser("secretary").get(
            page(cast, "entries_add_members"), {"q": "druga", "members": [new[0].pk]}, headers=headers
        )
        assert f'value="{new[0].pk}" checked' in answer.text
        assert "Druga" in answer.text
        assert NAMES[5] not in answer.text


def test_a_late_entrant_plays_from_the_round_chosen(cast):
    cast.event.rounds.filter(number=1).update(state=Round.State.FINISHED)
    late = Member.objects.create(club=cast.club, family_name="Spóźniona")
    secretary = cast.browser("secretary")
    refused = secretary.post(page(cast, "entries_add_members"), {"members": [late.pk], "from_round": 1})
    assert "published yet" in refused.text
    secretary.post(page(cast, "entries_add_members"), {"members": [late.pk], "from_round": 3})
    assert cast.event.entries.get(member=late).entered_in_round == 3
    cast.event.rounds.update(state=Round.State.FINISHED)
    over = secretary.post(page(cast, "entries_add_members"), {"members": [late.pk]})
    assert "nobody else can enter" in over.text, "where no round can be chosen either"


# -- An entry ------------------------------------------------------------------------------------------------------


def entry_values(entry: Entry) -> dict[str, object]:
    names = "name title rating federation club_name fide_id sex birth remark"
    return {name: getattr(entry, name) for name in names.split()}


def test_an_entry_of_another_event_is_not_found(cast):
    other = Tournament.objects.create(club=cast.club, name="Other", slug="other", rounds_announced=1)
    stray = Entry.objects.create(tournament=other, name="Obcy")
    assert cast.browser("secretary").get(page(cast, "entry_edit", stray.pk)).status_code == 404
    assert cast.browser("secretary").post(page(cast, "entry_remove", stray.pk)).status_code == 404


def test_an_entry_without_a_name_is_refused_and_nothing_is_lost(cast):
    entry = cast.entry(0)
    values = entry_values(entry) | {"name": " ", "remark": "guest of honour"}
    answer = cast.browser("secretary").post(page(cast, "entry_edit", entry.pk), values)
    assert answer.status_code == 422
    assert "Enter the player&#x27;s name" in answer.text
    assert "guest of honour" in answer.text


def test_a_birth_is_a_year_or_a_day_and_what_a_file_brought_stays(cast):
    entry = cast.entry(0)
    Entry.objects.filter(pk=entry.pk).update(birth="1968/00/00")
    entry.refresh_from_db()
    saved = {"1968/00/00": "1968/00/00", "21.3.1968": "1968/03/21", "1970": "1970", "": ""}
    for birth, kept in saved.items():
        answer = cast.browser("secretary").post(
            page(cast, "entry_edit", entry.pk), entry_values(entry) | {"birth": birth}
        )
        entry.refresh_from_db()
        assert (answer.status_code, entry.birth) == (302, kept)
    for birth in ("200", "1868", "1968/00/00", "2999", "soon"):
        answer = cast.browser("secretary").post(
            page(cast, "entry_edit", entry.pk), entry_values(entry) | {"birth": birth}
        )
        assert (answer.status_code, "4-digit year" in answer.text) == (422, True)


def test_an_entry_is_changed_and_the_clubs_book_is_not(cast):
    entry = cast.entry(0)
    cast.browser("secretary").post(page(cast, "entry_edit", entry.pk), entry_values(entry) | {"rating": "2222"})
    entry.refresh_from_db()
    assert (entry.rating, entry.member.rating) == (2222, 2000)
    log = cast.browser("secretary").get(page(cast, "tournament_log")).text
    assert "rating: 2222 (previously: 2000)" in log
    cast.browser("secretary").post(page(cast, "entry_edit", entry.pk), entry_values(entry) | {"rating": ""})
    entry.refresh_from_db()
    assert entry.rating == 0


def test_saving_an_entry_as_it_is_changes_nothing(cast):
    entry = cast.entry(0)
    cast.browser("secretary").post(page(cast, "entry_edit", entry.pk), entry_values(entry))
    assert not cast.event.log.filter(action="entry changed").exists()


def test_a_player_withdraws_and_returns(cast):
    entry, secretary = cast.entry(3), cast.browser("secretary")
    answer = secretary.post(page(cast, "entry_withdraw", entry.pk), {"from_round": 2}, follow=True)
    entry.refresh_from_db()
    assert entry.withdrawn_from_round == 2
    assert "is withdrawn from round 2" in answer.text
    secretary.post(page(cast, "entry_reinstate", entry.pk))
    entry.refresh_from_db()
    assert entry.withdrawn_from_round is None


def test_a_player_cannot_withdraw_from_a_round_already_published(cast):
    cast.event.rounds.filter(number=1).update(state=Round.State.PUBLISHED)
    entry = cast.entry(3)
    answer = cast.browser("secretary").post(page(cast, "entry_withdraw", entry.pk), {"from_round": 1}, follow=True)
    entry.refresh_from_db()
    assert entry.withdrawn_from_round is None
    assert "published yet" in answer.text


def test_who_has_begun_to_play_can_withdraw_but_not_be_entered_anew(cast):
    entry, secretary = cast.entry(0), cast.browser("secretary")
    doors = [page(cast, name, entry.pk) for name in ("entry_first_round_edit", "entry_remove")]
    before = secretary.get(page(cast, "entry_edit", entry.pk)).text
    cast.event.rounds.filter(number=1).update(state=Round.State.PUBLISHED)
    after = secretary.get(page(cast, "entry_edit", entry.pk)).text
    assert all(door in before and door not in after for door in doors)
    assert page(cast, "entry_withdraw", entry.pk) in after


def test_somebody_entered_by_mistake_is_taken_off(cast):
    entry = cast.entry(5)
    answer = cast.browser("secretary").post(page(cast, "entry_remove", entry.pk), follow=True)
    assert "removed" in answer.text
    assert not Entry.objects.filter(pk=entry.pk).exists()


def test_a_player_with_a_bye_is_not_taken_off(cast):
    entry = cast.entry(5)
    Bye.objects.create(round=cast.round(1), entry=entry, kind=Bye.Kind.ABSENT)
    answer = cast.browser("secretary").post(page(cast, "entry_remove", entry.pk), follow=True)
    assert Entry.objects.filter(pk=entry.pk).exists()
    assert 'class="notice error"' in answer.text


# -- Absences and byes ---------------------------------------------------------------------------------------------


def mark(cast: Cast, how: str, *, number: int = 1, htmx: bool = False, place: int = 0):
    sent = {"entry": cast.entry(place).pk, "mark": how}
    return cast.browser("secretary").post(page(cast, "round_check_in", number), sent, headers=HTMX if htmx else {})


def kinds(cast: Cast, number: int = 1) -> list[str]:
    return [bye.kind for bye in cast.round(number).byes.all()]


def test_a_player_of_another_event_cannot_be_marked(cast):
    other = Tournament.objects.create(club=cast.club, name="Other", slug="other", rounds_announced=1)
    stray = Entry.objects.create(tournament=other, name="Obcy")
    sent = {"entry": stray.pk, "mark": "absent"}
    assert cast.browser("secretary").post(page(cast, "round_check_in", 1), sent).status_code == 404


@pytest.mark.parametrize("sent", [{}, {"entry": "x", "mark": "absent"}])
def test_a_mangled_form_is_refused(cast, sent):
    assert cast.browser("secretary").post(page(cast, "round_check_in", 1), sent).status_code == 404
    assert kinds(cast) == []


def test_one_tap_marks_absence_without_scripts(cast):
    answer = mark(cast, "absent")
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith(f"#player-{cast.entry(0).pk}")
    assert kinds(cast) == [Bye.Kind.ABSENT]


def test_one_tap_marks_absence_and_htmx_gets_the_row_and_the_count(cast):
    answer = mark(cast, "absent", htmx=True)
    assert "<html" not in answer.text
    assert answer.text.count("<li") == 1
    assert "0 of 6 here" in answer.text
    assert 'hx-swap-oob="true"' in answer.text


def test_here_after_all(cast):
    mark(cast, "absent")
    mark(cast, "here")
    assert kinds(cast) == []


def test_absent_takes_the_place_of_a_bye(cast):
    mark(cast, "bye")
    assert kinds(cast) == [Bye.Kind.HALF_POINT]
    mark(cast, "absent")
    assert kinds(cast) == [Bye.Kind.ABSENT]


@pytest.mark.parametrize("htmx", [True, False])
def test_a_bye_in_the_last_round_is_refused_and_can_be_granted_all_the_same(cast, htmx):
    answer = mark(cast, "bye", number=3, htmx=htmx)
    assert kinds(cast, 3) == []
    assert "byes in the last round" in answer.text
    assert "bye-all-the-same" in answer.text
    mark(cast, "bye-all-the-same", number=3, htmx=htmx)
    assert kinds(cast, 3) == [Bye.Kind.HALF_POINT]


@pytest.mark.parametrize("htmx", [True, False])
def test_a_paired_round_is_left_alone(cast, htmx):
    Round.objects.filter(number=1).update(state=Round.State.DRAFT)
    answer = mark(cast, "absent", htmx=htmx)
    assert kinds(cast) == []
    assert "already paired" in answer.text
    assert "bye-all-the-same" not in answer.text


def test_a_round_that_is_not_there(cast):
    assert cast.browser("secretary").get(page(cast, "round_check_in", 9)).status_code == 404


# -- Who must not meet ---------------------------------------------------------------------------------------------


def test_nobody_plays_themselves(cast):
    sent = {"first": cast.entry(0).pk, "second": cast.entry(0).pk}
    answer = cast.browser("secretary").post(page(cast, "forbidden_pairs"), sent)
    assert answer.status_code == 422
    assert "Choose 2 different players" in answer.text


def test_two_are_kept_apart_and_let_meet_again(cast):
    secretary = cast.browser("secretary")
    sent = {"first": cast.entry(1).pk, "second": cast.entry(0).pk, "remark": "brothers"}
    answer = secretary.post(page(cast, "forbidden_pairs"), sent, follow=True)
    assert "(brothers)" in answer.text
    rule = cast.event.forbidden_pairs.get()
    secretary.post(page(cast, "forbidden_pair_remove", rule.pk))
    assert not cast.event.forbidden_pairs.exists()


def test_a_rule_of_another_event_is_not_found(cast):
    other = Tournament.objects.create(club=cast.club, name="Other", slug="other", rounds_announced=1)
    first, second = (Entry.objects.create(tournament=other, name=name) for name in ("A", "B"))
    rule = forbid_pair(first, second, by=None)
    assert cast.browser("secretary").post(page(cast, "forbidden_pair_remove", rule.pk)).status_code == 404


def test_the_list_says_how_many_have_withdrawn(cast):
    secretary, entry = cast.browser("secretary"), cast.event.entries.first()
    address = page(cast, "entries")
    head = secretary.get(address).text.split('id="event-head"')[1].split("</div>")[0]
    assert ["6 players" in head, "withdrawn" in head] == [True, False]
    secretary.post(page(cast, "entry_withdraw", entry.pk), {"from_round": 2})
    head = secretary.get(address).text.split('id="event-head"')[1].split("</div>")[0]
    assert ["6 players" in head, "including 1 withdrawn" in head] == [True, True]
