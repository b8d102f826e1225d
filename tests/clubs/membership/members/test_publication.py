"""Members who refuse publication appear with initials on public pages; their own file contains everything."""

from __future__ import annotations

from datetime import date

import pytest
from django.db.models import Q
from django.utils import timezone

from clubs.membership.members.guest_nights import record_guest_night
from clubs.models import Member, MemberRating, PersonalDataAccess, Reminder, User
from clubs.privacy import log_data_access, public_name
from tests.clubs.member_scenario import make_book, owing, page
from tests.factories import make_event, make_member, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast
from tournaments.entries.enrolment import enter_members
from tournaments.events.event_setup import change_tournament
from tournaments.models import CheckIn, Entry, LogEntry, ResultClaim
from tournaments.privacy.personal_data import collect_personal_data, erase_person

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_book)


@pytest.fixture
def shy(cast) -> Member:
    return make_member(
        cast.club,
        "Skrytá, Łucja",
        rating=1800,
        publication_consent=Member.Consent.REFUSED,
        publication_consent_on=date(2026, 9, 1),
    )


def event_of(cast: Cast, *members: Member, **fields):
    event = make_event(cast.club, players=4, rounds=3, starts_on=date(2026, 11, 4), **fields)
    enter_members(event, [*members, make_member(cast.club, "Jawna, Ewa", rating=1700)], by=None)
    return event


@pytest.mark.parametrize(
    ("consent", "name", "shown"),
    [
        (Member.Consent.NOT_ASKED, "Skrytá, Łucja", "Skrytá, Łucja"),
        (Member.Consent.GIVEN, "Skrytá, Łucja", "Skrytá, Łucja"),
        (Member.Consent.REFUSED, "Skrytá, Łucja", "S., Ł."),
        (Member.Consent.REFUSED, "Скрита", "С."),
    ],
)
def test_initials_only_for_whoever_refused(consent, name, shown):
    family, _, given = name.partition(", ")
    assert public_name(Member(family_name=family, given_name=given, publication_consent=consent)) == shown


def test_nothing_that_strangers_may_open_gives_the_name(cast, shy):
    event = event_of(cast, shy)
    played(event, 1)
    published(event, 2)
    visitor = cast.browser("visitor")
    addresses = [page("tournament", event.slug), page("entries", event.slug), page("standings", event.slug)]
    addresses += [page("round", event.slug, number) for number in (1, 2)]
    addresses += [page("player", event.slug, entry.pk) for entry in event.entries.all()]
    for address in addresses:
        text = visitor.get(address).text
        assert "Skrytá" not in text, address
        assert "Łucja" not in text, address
    assert "S., Ł." in visitor.get(page("entries", event.slug)).text


def test_those_who_run_the_event_see_and_find_and_report_the_full_name(cast, shy):
    event = event_of(cast, shy)
    played(event, 1)
    arbiter = cast.browser("arbiter")
    assert "Skrytá, Łucja" in arbiter.get(page("entries", event.slug)).text
    assert "S., Ł." in arbiter.get(page("entries", event.slug), {"q": "skryta"}).text
    assert "S., Ł." not in cast.browser("visitor").get(page("entries", event.slug), {"q": "skryta"}).text
    assert "Skrytá, Łucja" in arbiter.get(page("trf_export", event.slug)).text
    assert cast.browser("visitor").get(page("trf_export", event.slug)).status_code != 200


def test_within_the_club_alone_the_name_stands_until_the_event_is_opened(cast, shy):
    event = event_of(cast, shy, is_public=False)
    entry = Entry.objects.get(tournament=event, member=shy)
    assert entry.name == "Skrytá, Łucja"
    change_tournament(event, by=None, is_public=True)
    entry.refresh_from_db()
    assert entry.name == "S., Ł."


def test_a_refusal_given_later_is_carried_out_in_the_events_chosen(cast, shy):
    Member.objects.filter(pk=shy.pk).update(publication_consent=Member.Consent.NOT_ASKED, publication_consent_on=None)
    shy.refresh_from_db()
    over, kept, inside = (event_of(cast, shy, is_public=public) for public in (True, True, False))
    played(over, 1)
    secretary, address = cast.browser("secretary"), page("member_use_initials", shy.pk)
    secretary.post(address, {"event": [over.pk]})
    assert Entry.objects.get(tournament=over, member=shy).name == "Skrytá, Łucja"
    Member.objects.filter(pk=shy.pk).update(
        publication_consent=Member.Consent.REFUSED, publication_consent_on="2026-11-5"
    )
    secretary.post(address, {"event": [over.pk, inside.pk, "9" * 30, "x"]})
    names = [Entry.objects.get(tournament=event, member=shy).name for event in (over, kept, inside)]
    assert names == ["S., Ł.", "Skrytá, Łucja", "Skrytá, Łucja"]
    shown = secretary.get(address).text
    assert [f'value="{event.pk}"' in shown for event in (over, kept, inside)] == [False, True, False]
    assert "Skrytá" not in cast.browser("visitor").get(page("standings", over.slug)).text


def renamed(person: Member) -> Member:
    """The same with a new name in the member list, for example after a wedding."""
    person.family_name = "Nowa"
    person.save()
    return person


def test_a_name_changed_in_the_book_since_is_not_published_either(cast, shy):
    event = event_of(cast, shy, is_public=False)
    renamed(shy)
    change_tournament(event, by=None, is_public=True)
    assert Entry.objects.get(tournament=event, member=shy).name == "N., Ł."
    shown = cast.browser("visitor").get(page("entries", event.slug)).text
    assert not [name for name in ("Skrytá", "Nowa", "Łucja") if name in shown]
    arbiter = cast.browser("arbiter")
    assert "Nowa, Łucja" in arbiter.get(page("entries", event.slug)).text


def test_a_name_as_a_file_or_a_hand_wrote_it_is_not_published_either(cast, shy):
    event = event_of(cast, shy, is_public=False)
    Entry.objects.filter(tournament=event, member=shy).update(name="Skryta Lucja")
    change_tournament(event, by=None, is_public=True)
    assert Entry.objects.get(tournament=event, member=shy).name == "S., Ł."


def test_those_who_run_an_open_event_find_whoever_was_renamed_since(cast, shy):
    """The initials are from the old name and hers only; the federation's file must contain her."""
    event = event_of(cast, shy)
    renamed(shy)
    played(event, 1)
    arbiter = cast.browser("arbiter")
    assert "Nowa, Łucja" in arbiter.get(page("entries", event.slug)).text
    assert "Nowa, Łucja" in arbiter.get(page("trf_export", event.slug)).text
    assert "Nowa" not in cast.browser("visitor").get(page("entries", event.slug)).text


# -- One's own file --------------------------------------------------------------------------------------------------


def test_ones_own_file_holds_all_that_is_kept(cast):
    """Every relation to a person must be exported, or be listed here."""
    given_out = {
        "data_accesses",
        "membership_periods",
        "accounts",
        "reminders",
        "guest_nights",
        "club_ratings",
        "listings",
        "entries",
    }
    given_out |= {"message_ways", "online_entries", "applications", "letters"}
    # An invitation is a link for creating an account: it is exported with the person's row and adds nothing to it.
    given_out |= {"invitations", "mandates", "direct_debit_lines"}
    # Members whose dues this member pays: the data are theirs.
    given_out |= {"family"}
    assert {related.get_accessor_name() for related in Member._meta.related_objects} == given_out
    of_an_event = {"games_as_white", "games_as_black", "byes", "check_ins", "claims", "messages"}
    # Only guests have these: they are not in the member list.
    of_an_event |= {"message_ways"}
    # What a person sent by the entry form is exported with the person.
    of_an_event |= {"online_entry"}
    assert {related.get_accessor_name() for related in Entry._meta.related_objects} == of_an_event


def test_ratings_guest_nights_reminders_and_viewings_are_in_it(cast):
    person = make_member(cast.club, "Pełna, Iga", rating=1800, status=Member.Status.GUEST, email="iga@poczta.example")
    event = event_of(cast, person)
    played(event, 1)
    this_round = published(event, 2)
    entry = event.entries.get(member=person)
    game = this_round.games.get(Q(white=entry) | Q(black=entry))
    now = timezone.now()
    CheckIn.objects.create(round=this_round, entry=entry, state=CheckIn.State.HERE, at=now)
    ResultClaim.objects.create(game=game, entry=entry, result="1-0", at=now)
    record_guest_night(person, date(2026, 11, 4))
    owing(person, 1000)
    Reminder.objects.create(member=person, on=date(2026, 11, 5), amount=1000, sent_to="iga@poczta.example")
    log_data_access(cast.club, PersonalDataAccess.DataAccessKind.CONTACT, by=cast.secretary, member=person)
    data = collect_personal_data(person)
    rating = MemberRating.objects.get(member=person)
    assert [(row["month"], row["after"]) for row in data["ratings"]] == [("2026-11-01", rating.after)]
    assert data["guest_nights"] == ["2026-11-04"]
    assert [(row["amount"], row["sent_to"]) for row in data["reminders"]] == [(1000, "iga@poczta.example")]
    assert [(row["by"], row["what"]) for row in data["seen_by"]] == [("secretary", "contact")]
    (told,) = data["events"]
    assert [row["seen"] for row in told["check_ins"]] == ["here"]
    assert [row["result"] for row in told["reported_results"]] == ["1-0"]
    assert len(told["games"]) == 2


def test_erasing_leaves_results_and_the_ratings_of_others(cast, shy):
    event = event_of(cast, shy)
    for number in (1, 2, 3):
        played(event, number)
    other = Member.objects.get(family_name="Jawna")
    before = list(MemberRating.objects.filter(member=other).values_list("month", "after"))
    assert before
    known_as = event.entries.get(member=shy).name
    assert known_as != shy.name
    said = {"who": [shy.name, "Jawna, Ewa", known_as], "to": 2}
    line = LogEntry.objects.create(tournament=event, action="x", details=said)
    erase_person(shy, in_results=True, by=User.objects.get(username="secretary"))
    line.refresh_from_db()
    assert line.details == {"who": ["Former member", "Jawna, Ewa", "Former member"], "to": 2}
    names = set(event.entries.values_list("name", flat=True))
    assert {"Former member", "Jawna, Ewa"} <= names
    assert not names & {"S., Ł.", shy.name}
    assert list(MemberRating.objects.filter(member=other).values_list("month", "after")) == before
    club_list = cast.browser("secretary").get(page("club_ratings")).text
    assert "Jawna" in club_list
    assert "Former member" not in club_list
    assert "Skrytá" not in str(collect_personal_data(Member.objects.get(pk=shy.pk)))
