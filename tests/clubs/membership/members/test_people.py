"""Filters and saved views, merging, erasing, retention, and reminders."""

from __future__ import annotations

import re
from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import record_payment
from clubs.membership.accounts.invitations import create_invitation
from clubs.membership.members.duplicates import find_duplicate_members, merge_members, preview_member_merge
from clubs.models import (
    GuestNight,
    Invitation,
    LedgerEntry,
    Member,
    MemberRating,
    PersonalDataAccess,
    Reminder,
    Role,
    SavedMemberFilter,
    User,
)
from clubs.privacy import ERASED_MEMBER_NAME
from common.problems import OfficerProblem
from tests.clubs.member_scenario import SECRETS, make_book, owing, page
from tests.factories import make_member, played
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast
from tournaments.entries.enrolment import enter_members
from tournaments.models import Entry, LogEntry
from tournaments.privacy.personal_data import erase_person, find_expired_people

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_book)


def jan(cast: Cast) -> Member:
    return cast.members[5]


def test_who_takes_part_and_when_somebody_was_born():
    assert [status for status in Member.Status.values if not Member(status=status).is_active] == ["former"]
    born = (Member(birth_date=date(1980, 2, 1), birth_year=1980), Member(birth_year=1980), Member())
    assert [member.birth_date_or_year for member in born] == ["1980-02-01", "1980", ""]


# -- The list ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "nonsense", [{"status": "friend"}, {"group": "x"}, {"group": "99999"}, {"age": "9"}, {"rating": "a"}, {"dues": "?"}]
)
def test_filters_nobody_knows_do_no_harm(cast, nonsense):
    assert cast.browser("secretary").get(page("member_list"), nonsense).status_code == 200


def names_found(cast: Cast, who: str = "secretary", **filters: str) -> set[str]:
    listed = cast.browser(who).get(page("member_list"), filters).context["page"]
    return {line.member.family_name for line in listed}


def test_filters_narrow_and_add_up(cast):
    juniors = cast.club.groups.create(name="juniors")
    juniors.members.add(jan(cast), cast.members[0])
    Member.objects.filter(pk=cast.members[0].pk).update(birth_year=1980, rating=2250)
    assert names_found(cast, group=str(juniors.pk)) == {"Nikt", "Domysłowska"}
    assert names_found(cast, group=str(juniors.pk), age="u18") == {"Nikt"}
    assert names_found(cast, rating="2200") == {"Domysłowska"}
    assert names_found(cast, status="honorary") == set()
    owing(jan(cast), 100)
    assert names_found(cast, dues="overdue") == {"Nikt"}
    assert names_found(cast, dues="paid") == names_found(cast) - {"Nikt"}


@pytest.mark.parametrize(
    ("age", "inside", "outside"),
    [
        ("u10", {0, 9}, {10}),
        ("u14", {10, 13}, {9, 14}),
        ("u18", {14, 17}, {13, 18}),
        ("adult", {18, 59}, {17, 60}),
        ("senior", {60, 100}, {59}),
    ],
)
def test_an_age_class_is_of_those_who_reach_an_age_within_the_year(cast, age, inside, outside):
    this_year = timezone.localdate().year
    for years in inside | outside:
        make_member(cast.club, f"Lat{years}, Ola", birth_year=this_year - years)
    found = {name for name in names_found(cast, age=age) if name.startswith("Lat")}
    assert found == {f"Lat{years}" for years in inside}


def test_an_arbiter_cannot_find_out_who_owes(cast):
    owing(jan(cast), 100)
    assert len(names_found(cast, "arbiter", dues="overdue")) == len(cast.members)


def test_a_view_is_kept_and_is_ones_own(cast):
    secretary = cast.browser("secretary")
    secretary.post(page("saved_filter_add"), {"name": "Zalegający", "dues": "overdue", "junk": "x"})
    view = SavedMemberFilter.objects.get()
    assert (view.user, view.filters) == (cast.secretary, {"dues": "overdue"})
    assert "Zalegający" in secretary.get(page("member_list")).text
    assert "Zalegający" not in cast.browser("treasurer").get(page("member_list")).text
    assert cast.browser("treasurer").post(page("saved_filter_remove", view.pk)).status_code == 404
    secretary.post(page("saved_filter_remove", view.pk))
    assert not SavedMemberFilter.objects.exists()


def test_a_view_without_a_name_is_refused(cast):
    cast.browser("secretary").post(page("saved_filter_add"), {"name": " ", "dues": "overdue"})
    assert not SavedMemberFilter.objects.exists()


# -- Merging -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"birth_year": 1980}, {"birth_year": 2009}),
        ({"birth_date": date(1980, 3, 1)}, {"birth_date": date(1980, 4, 1)}),
        ({"fide_id": 1}, {"fide_id": 2}),
        ({"national_id": "A"}, {"national_id": "B"}),
        ({"sex": "w"}, {"sex": "m"}),
    ],
)
def test_whom_something_known_parts_is_no_duplicate(cast, one, other):
    make_member(cast.club, "Kot, Ala", **one)
    make_member(cast.club, "Kot, Ala", **other)
    assert find_duplicate_members(cast.club) == []


def test_a_day_and_its_year_part_nobody(cast):
    first = make_member(cast.club, "Kot, Ala", birth_date=date(1980, 3, 1))
    second = make_member(cast.club, "Ala Kot", birth_year=1980)
    assert find_duplicate_members(cast.club) == [(first, second)]


@pytest.mark.parametrize(
    ("one", "other", "is_told"),
    [
        ("Müller, Jörg", "Mueller, Joerg", True),
        ("Wiśniewski, Zbigniew", "Wisniewsky, Zbigniew", True),
        ("Kowalczyk, Marianna", "Kowalzcyk, Marianna", True),
        ("Kowalczyk, Marianna", "Marianna, Kowalczyk", True),
        ("Kot, Ala", "Kos, Ala", False),
        ("Kowalczyk 01, Jan", "Kowalczyk 02, Jan", False),
        ("Kowalczyk01, Jan", "Kowalczyk02, Jan", False),
        ("Kowalczyk, —", "Nowak, —", False),
        ("Kowalczyk, Marianna", "Kowalczyk, Anna", False),
    ],
)
def test_duplicates_are_found_with_typos(cast, one, other, is_told):
    pair = make_member(cast.club, one), make_member(cast.club, other)
    assert (pair in find_duplicate_members(cast.club)) is is_told


def test_two_who_met_in_an_event_are_not_merged(cast):
    first, second = cast.members[0], cast.members[1]
    with pytest.raises(OfficerProblem, match="Środa"):
        merge_members(first, second, from_second=[], by=cast.secretary)
    answer = cast.browser("secretary").post(page("member_merge", first.pk, second.pk))
    assert answer.status_code == 422
    assert Member.objects.filter(pk=second.pk).exists()


def test_merging_asks_for_two_people_of_this_club(cast):
    other = make_member(User.objects.get(username="neighbour").memberships.get().club, "Nikt, Jan")
    secretary = cast.browser("secretary")
    assert secretary.get(page("member_merge", jan(cast).pk, other.pk)).status_code == 404
    assert secretary.post(page("member_merge", jan(cast).pk, jan(cast).pk)).status_code == 422


def test_merging_keeps_results_and_payments(cast):
    twin = make_member(cast.club, "NIKT, JAN", fide_id=777, email="inny@poczta.example", phone="")
    other_event = cast.club.tournaments.create(name="Inny", slug="inny", rounds_announced=1)
    enter_members(other_event, [twin], by=None)
    owing(jan(cast), 1000)
    owing(twin, 500)
    record_payment(twin, 700, method="cash", paid_on=timezone.localdate(), by=None)
    for member in (jan(cast), twin):
        GuestNight.objects.create(member=member, on=date(2026, 1, 1))
        MemberRating.objects.create(member=member, kind="standard", month=date(2026, 1, 1), after=1500)
    lines = list(LedgerEntry.objects.order_by("pk").values())

    assert find_duplicate_members(cast.club) == [(jan(cast), twin)]
    preview = preview_member_merge(jan(cast), twin)
    proposed = {choice.name for choice in preview.choices if not choice.keeps_first}
    assert "fide_id" in proposed
    assert "email" not in proposed, "what is there is proposed before what would replace it"
    secretary = cast.browser("secretary")
    assert "inny@poczta.example" in secretary.get(page("member_merge", jan(cast).pk, twin.pk)).text
    sent = {"from-fide_id": "second", "from-email": "second", "from-phone": "first", "from-club": "second"}
    answer = secretary.post(page("member_merge", jan(cast).pk, twin.pk), sent, follow=True)

    merged = Member.objects.get(pk=jan(cast).pk)
    assert f"Members merged: {merged.name}." in answer.text
    assert not Member.objects.filter(pk=twin.pk).exists()
    assert (merged.fide_id, merged.email, merged.phone) == (777, "inny@poczta.example", SECRETS["phone"])
    assert set(merged.entries.values_list("tournament__name", flat=True)) == {"Środa", "Inny"}
    assert balance_of_member(merged, today=timezone.localdate()).amount_owed == 800
    assert list(LedgerEntry.objects.order_by("pk").values()) == lines, "not a line was touched"
    assert merged.guest_nights.count() == 1
    assert not merged.club_ratings.exists(), "counted anew: no rated game has been played"
    assert PersonalDataAccess.objects.filter(what="merge", member=merged).exists()


# -- Erasing and retention -----------------------------------------------------------------------------------------


def finished(cast: Cast) -> None:
    for number in (1, 2, 3):
        played(cast.event, number)


def test_nobody_is_erased_amid_an_event(cast):
    played(cast.event, 1)
    with pytest.raises(OfficerProblem, match="t finished"):
        erase_person(jan(cast), in_results=True, by=cast.secretary)
    assert Member.objects.get(pk=jan(cast).pk).email == SECRETS["email"]


def test_erasing_asks_for_the_name(cast):
    finished(cast)
    answer = cast.browser("secretary").post(page("member_erase", jan(cast).pk), {"name": "Nikt"})
    assert answer.status_code == 422
    assert Member.objects.get(pk=jan(cast).pk).family_name == "Nikt"


def everything_kept() -> str:
    rows = [
        list(model.objects.values())
        for model in (Invitation, Member, Entry, LogEntry, Reminder, User, PersonalDataAccess)
    ]
    return repr([*rows, list(LedgerEntry.objects.values())])


def test_erasing_leaves_results_and_money_and_no_trace_of_the_person(cast):
    finished(cast)
    owing(jan(cast), 1000)
    games = list(Entry.objects.get(member=jan(cast)).games_as_white.values("board", "result"))
    create_invitation(
        cast.club, Role.MEMBER, by=None, valid_for=timedelta(days=7), member=jan(cast), email=SECRETS["email"]
    )
    assert SECRETS["email"] in everything_kept()
    assert "Nikt, Jan" in everything_kept()
    cast.browser("secretary").get(page("member_detail", jan(cast).pk))
    cast.browser("secretary").post(page("member_erase", jan(cast).pk), {"name": "Nikt, Jan", "in_results": "1"})

    kept = everything_kept()
    assert [secret for secret in (*SECRETS.values(), "Nikt") if secret in kept] == []
    assert not re.search(r"\b2012\b", kept), "as a number of its own: the time of a line has figures, too"
    gone = Member.objects.get(pk=jan(cast).pk)
    assert (gone.name, gone.status, gone.user) == (ERASED_MEMBER_NAME, "former", None)
    entry = Entry.objects.get(member=gone)
    assert entry.name == ERASED_MEMBER_NAME
    assert list(entry.games_as_white.values("board", "result")) == games
    assert balance_of_member(gone, today=timezone.localdate()).amount_owed == 1000
    assert not User.objects.filter(username="member").exists()
    assert "Nikt" not in cast.browser("visitor").get(page("standings", cast.event.slug)).text
    with pytest.raises(OfficerProblem):
        erase_person(gone, in_results=True, by=None)
    assert "Former" not in cast.browser("secretary").get(page("member_list"), {"status": "all"}).text


def test_erasing_may_leave_the_names_in_results(cast):
    finished(cast)
    erase_person(jan(cast), in_results=False, by=None)
    assert Entry.objects.get(member=jan(cast)).name == "Nikt, Jan"


@pytest.mark.parametrize(
    ("came", "days", "is_kept_too_long"),
    [("book", 365, False), ("book", 366, True), ("night", 365, False), ("night", 366, True)],
)
def test_a_guest_may_be_kept_for_a_year_from_the_first_visit(cast, came, days, is_kept_too_long):
    today = timezone.localdate()
    guest = make_member(cast.club, "Gość, Nowy", status="guest")
    last = today - timedelta(days=days)
    if came == "night":
        GuestNight.objects.create(member=guest, on=last)
    guest.added_on = last if came == "book" else last - timedelta(days=100)
    guest.save()
    found = [(each.member, each.since) for each in find_expired_people(cast.club, today=today)]
    assert found == ([(guest, last + timedelta(days=365))] if is_kept_too_long else [])


def test_what_is_kept_too_long_is_listed_and_erased_by_the_command(cast):
    today = timezone.localdate()
    gone = make_member(cast.club, "Dawna, Iga", status="former", left_on=today - timedelta(days=4 * 365))
    make_member(cast.club, "Niedawna, Ewa", status="former", left_on=today - timedelta(days=300))
    guest = make_member(cast.club, "Gość, Jan", status="guest")
    seen = make_member(cast.club, "Gość, Ola", status="guest")
    Member.objects.filter(pk__in=[guest.pk, seen.pk]).update(added_on=today - timedelta(days=500))
    GuestNight.objects.create(member=seen, on=today - timedelta(days=20))
    assert [each.member for each in find_expired_people(cast.club, today=today)] == [gone, guest]

    printed = StringIO()
    call_command("retention", stdout=printed)
    assert "Dawna, Iga" in printed.getvalue()
    assert Member.objects.filter(family_name="Dawna").exists(), "listing erases nobody"
    erased = StringIO()
    call_command("retention", "--erase", "--club", cast.club.slug, stdout=erased)
    assert f"{cast.club.slug}\t0 old log entries deleted" in erased.getvalue()
    assert find_expired_people(cast.club, today=today) == []
    assert set(Member.objects.exclude(erased_at=None).values_list("pk", flat=True)) == {gone.pk, guest.pk}
    with pytest.raises(CommandError):
        call_command("retention", "--club", "nowhere")


def test_an_erased_persons_name_is_in_no_text_of_the_ledger(cast):
    """Ledger lines are final, so texts that may name the person are no longer shown or exported."""
    person = make_member(cast.club, "Zniknięty, Ewaryst")
    record_payment(
        person, 500, method="transfer", paid_on=timezone.localdate(), reference="Ewaryst Zniknięty, składka", by=None
    )
    erase_person(person, in_results=True, by=cast.secretary)
    treasurer = cast.browser("treasurer")
    entry = LedgerEntry.objects.get(account__member=person)
    for address in (
        page("member_dues_account", person.pk),
        page("ledger_export", "csv"),
        page("receipt_detail", entry.receipt_year, entry.receipt_number),
        page("dues_overview"),
    ):
        assert "Ewaryst" not in treasurer.get(address).text, address


def test_groups_are_made_once_and_removed_without_their_members(cast):
    secretary = cast.browser("secretary")
    assert secretary.post(page("member_groups"), {"name": "juniors"}).status_code == 302
    juniors = cast.club.groups.get(name="juniors")
    juniors.members.add(jan(cast))
    again = secretary.post(page("member_groups"), {"name": "juniors"})
    assert again.status_code == 422
    assert "A group with this name already exists" in again.text
    assert secretary.post(page("member_groups"), {"remove": "99999"}).status_code == 302
    assert cast.club.groups.get() == juniors
    assert cast.browser("arbiter").post(page("member_groups"), {"remove": str(juniors.pk)}).status_code == 403
    secretary.post(page("member_groups"), {"remove": str(juniors.pk)})
    assert not cast.club.groups.exists()
    assert jan(cast).erased_at is None
