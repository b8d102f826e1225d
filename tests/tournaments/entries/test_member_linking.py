"""A guest linked to a member afterwards."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Club, Member
from common.models import Job
from tests.factories import make_event, make_member, played, player
from tests.pairing.engine.trf.lines import player as line
from tests.pairing.engine.trf.lines import report
from tests.scenario import make_cast
from tournaments.audit_log.actions import EventAction
from tournaments.club_ratings.recalculation import RATING_JOB
from tournaments.entries.enrolment import change_entry
from tournaments.entries.member_linking import (
    find_link_log_entry,
    find_members_matching_entry,
    link_member,
    unlink_member,
)
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.models import Entry
from tournaments.problems import ArbiterProblem

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def two(club) -> tuple[Member, Member]:
    """Two members with the same name."""
    return (
        make_member(club, "Nowak, Jan", birth_year=1970, fide_id=880000105),
        make_member(club, "Nowak, Jan", birth_year=2009, fide_id=880000106),
    )


@pytest.fixture
def guest(club, two) -> Entry:
    """`Nowak Jan` without an ID or a year."""
    event = make_event(club, players=3)
    entry = player(event, 1)
    Entry.objects.filter(pk=entry.pk).update(name="Nowak Jan")
    return Entry.objects.select_related("tournament").get(pk=entry.pk)


@pytest.mark.parametrize(
    "changes",
    [
        {"rating": 1700},
        {"federation": "POL"},
        {"fide_id": "880000999"},
        {"birth": "1985"},
        {"name": "Kowalski Adam", "fide_id": "880000105"},
        {"birth": "1970", "fide_id": "880000999"},
    ],
)
def test_without_proof_a_guest_stays_a_guest(guest, changes):
    assert change_entry(guest, by=None, **changes).member is None


@pytest.mark.parametrize("changes", [{"fide_id": "880000105"}, {"birth": "1970/01/15"}, {"birth": "1970"}])
def test_who_is_completed_into_a_member_is_one_and_it_is_written_down(guest, two, changes):
    assert change_entry(guest, by=None, **changes).member == two[0]
    guest.refresh_from_db()
    assert (guest.member, guest.name) == (two[0], "Nowak Jan")
    assert guest.tournament.log.filter(action=EventAction.ENTRY_LINKED).count() == 1
    change_entry(guest, by=None, fide_id="880000106")
    guest.refresh_from_db()
    assert guest.member == two[0], "nobody is made another by it"


def test_who_plays_already_or_was_erased_is_not_meant(guest, two):
    other = player(guest.tournament, 2)
    Entry.objects.filter(pk=other.pk).update(member=two[0])
    assert find_members_matching_entry(guest) == [two[1]]
    assert change_entry(guest, by=None, birth="1970").member is None
    with pytest.raises(ArbiterProblem):
        link_member(guest, two[0], by=None)
    Entry.objects.filter(pk=guest.pk).update(name="Former member", birth="")
    Member.objects.filter(pk=two[1].pk).update(
        family_name="Former member", given_name="", erased_at="2026-01-01T00:00Z"
    )
    assert find_members_matching_entry(Entry.objects.get(pk=guest.pk)) == []


def test_the_games_are_counted_anew_and_who_refused_gets_initials(club, two):
    Member.objects.filter(pk=two[0].pk).update(publication_consent="no", publication_consent_on="2026-01-01")
    event = make_event(club, players=2, is_public=True)
    played(event, 1)
    counts = Job.objects.filter(task=RATING_JOB)
    before = counts.count()
    first = event.entries.order_by("tpn").first()
    change_entry(first, by=None, federation="POL")
    assert counts.count() == before
    change_entry(first, by=None, name="Nowak, Jan", birth="1970")
    assert Entry.objects.get(pk=first.pk).name == "N., J."
    assert counts.count() == before + 1


def test_the_arbiter_says_which_of_the_two_on_the_players_page():
    cast = make_cast()
    one = make_member(cast.club, "Nowak, Jan", birth_year=1970)
    other = make_member(cast.club, "Nowak, Jan", birth_year=2009)
    stranger = make_member(Club.objects.exclude(pk=cast.club.pk).first(), "Nowak, Jan")
    entry = cast.event.entries.first()
    Entry.objects.filter(pk=entry.pk).update(name="Nowak, Jan", member=None)
    address = reverse("entry_edit", args=[cast.club.slug, cast.event.slug, entry.pk])
    arbiter = cast.browser("arbiter")
    shown = arbiter.get(address).text
    assert "Nowak, Jan (1970)" in shown
    assert "Nowak, Jan (2009)" in shown
    arbiter.post(address, {"member": stranger.pk})
    arbiter.post(address, {"member": "x"})
    assert Entry.objects.get(pk=entry.pk).member is None
    assert cast.browser("member").post(address, {"member": one.pk}).status_code == 403
    answer = arbiter.post(address, {"member": other.pk}, follow=True)
    assert Entry.objects.get(pk=entry.pk).member == other
    assert "is now linked to a member. The games count towards the" in answer.text
    arbiter.post(address, {"member": one.pk})
    assert Entry.objects.get(pk=entry.pk).member == other, "the page of before"
    assert "This isn't one of our members: Nowak, Jan (2009)" in answer.text
    assert cast.browser("member").post(address, {"not_member": other.pk}).status_code == 403
    for wrong in ("x", one.pk, 10**30):
        arbiter.post(address, {"not_member": wrong})
    assert Entry.objects.get(pk=entry.pk).member == other
    answer = arbiter.post(address, {"not_member": other.pk}, follow=True)
    assert Entry.objects.get(pk=entry.pk).member is None
    assert "is a guest again. The games" in answer.text
    assert "Link to member: Nowak, Jan (2009)" in answer.text
    assert (
        "from the member Nowak, Jan (guest again)"
        in arbiter.get(reverse("tournament_log", args=[cast.club.slug, cast.event.slug])).text
    )


# -- Taken back ------------------------------------------------------------------------------------------------------


def test_what_was_no_link_is_not_taken_back(guest, two):
    came = player(guest.tournament, 2)
    Entry.objects.filter(pk=came.pk).update(member=two[1])
    with pytest.raises(ArbiterProblem):
        unlink_member(came, was=two[1].pk, by=None)
    link_member(guest, two[0], by=None)
    with pytest.raises(ArbiterProblem):
        unlink_member(guest, was=two[1].pk, by=None)
    Member.objects.filter(pk=two[0].pk).update(erased_at="2026-01-01T00:00Z")
    assert find_link_log_entry(Entry.objects.get(pk=guest.pk)) is None
    assert Entry.objects.get(pk=guest.pk).member_id == two[0].pk


def test_an_undone_link_leaves_the_guest_unchanged(guest, two):
    Member.objects.filter(pk=two[0].pk).update(publication_consent="no", publication_consent_on="2026-01-01")
    two[0].refresh_from_db()
    guest.tournament.is_public = True
    guest.tournament.save()
    link_member(guest, two[0], by=None)
    assert Entry.objects.get(pk=guest.pk).name == "N., J."
    unlink_member(guest, was=two[0].pk, by=None)
    again = Entry.objects.get(pk=guest.pk)
    assert (again.member, again.name, again.club_name) == (None, "Nowak Jan", guest.club_name)
    unlink_member(guest, was=two[0].pk, by=None)
    assert guest.tournament.log.filter(action=EventAction.ENTRY_UNLINKED).count() == 1, "the second tab"
    assert change_entry(again, by=None, birth="1970").member is None, "nothing is certain after that"
    assert two[0] in find_members_matching_entry(again)


FILE = report("012 Weekend", "XXR 3", line(1, name="Nowak Jan"), line(2, name="Gość Ewa"))


def test_a_file_with_a_name_of_two_members_asks_which(club, two):
    (row, _guest) = preview_import(club, FILE, "x.trf").players
    assert (row.member, row.candidates) == (None, two)
    for answers in ({}, {3: "x"}, {3: "99999999"}):
        with pytest.raises(ArbiterProblem, match="Nowak Jan"):
            apply_import(club, FILE, "x.trf", by=None, member_answers=answers)
    assert not club.tournaments.exists()
    assert apply_import(club, FILE, "x.trf", by=None).entries.filter(member=None).count() == 2, "nobody to ask"
    assert (
        apply_import(club, FILE, "x.trf", by=None, member_answers={3: "guest"}).entries.filter(member=None).count() == 2
    )
    event = apply_import(club, FILE, "x.trf", by=None, member_answers={3: str(two[1].pk)})
    assert event.entries.get(name="Nowak Jan").member == two[1]


def test_one_member_is_not_two_players(club, two):
    file = report("XXR 3", line(1, name="Nowak Jan"), line(2, name="Nowak Jan", birth_date="1970/01/15"))
    first, second = preview_import(club, file, "x.trf").players
    assert (second.member, first.candidates) == (two[0], (two[1],))
    file = report("XXR 3", line(1, name="Nowak Jan"), line(2, name="Nowak Jan"))
    key = str(two[0].pk)
    with pytest.raises(ArbiterProblem):
        apply_import(club, file, "x.trf", by=None, member_answers={2: key, 3: key})
