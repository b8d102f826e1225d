"""Names erased from an event's log, and similar ones that stay."""

from __future__ import annotations

import pytest

from clubs.models import Member
from clubs.privacy import ERASED_MEMBER_NAME
from tests.factories import make_event, make_member, player
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import change_entry
from tournaments.models import Entry, LogEntry, Tournament
from tournaments.privacy.personal_data import erase_person

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def over(club, players: int) -> Tournament:
    """A finished event."""
    event = make_event(club, players=players, rounds=1)
    event.rounds.all().delete()
    return event


def entered(event, number: int, name: str, member: Member | None = None) -> Entry:
    entry = player(event, number)
    entry.name, entry.member = name, member
    entry.save()
    return entry


def left_of(club, who: str, *others: str, **details: object) -> dict[str, object]:
    """What a log line keeps of these details when the person with this name is erased."""
    event = over(club, 1 + len(others))
    for number, other in enumerate(others, start=2):
        entered(event, number, other)
    family, _comma, given = who.partition(", ")
    member = make_member(club, who)
    Member.objects.filter(pk=member.pk).update(family_name=family, given_name=given)
    entered(event, 1, who, member)
    line = record_action(event, EventAction.RESULT_CORRECTED, by=None, **details)
    erase_person(member, in_results=True, by=None)
    return LogEntry.objects.get(pk=line.pk).details


@pytest.mark.parametrize(
    ("name", "others", "details"),
    [
        ("1", [], {"before": "1-0", "after": "0-1", "reason": "board 1 on 2026-11-01", "board": 1, "name": "1"}),
        ("late", [], {"state": "late"}),
        ("1-0", [], {"before": "1-0", "after": "0-1", "result": "1-0"}),
        ("Nowak, Ann", [], {"reason": "Nowak, Anna was away"}),
        ("Nowak, Jan", ["Nowak, Jan Maria"], {"name": "Nowak, Jan Maria", "reason": "Nowak, Jan Maria was away"}),
        ("Jan", ["Nowak, Jan"], {"names": ["Nowak, Jan"], "numbers": "1 Nowak, Jan; 2 X"}),
    ],
)
def test_what_only_looks_like_the_name_stays(club, name, others, details):
    assert left_of(club, name, *others, **details) == details


@pytest.mark.parametrize(
    ("name", "details", "left"),
    [
        ("Nikt, Jan", {"reason": "the clock of Nikt, Jan."}, {"reason": f"the clock of {ERASED_MEMBER_NAME}."}),
        ("Nikt, Jan", {"moved": {"1": ["Nikt, Jan"]}}, {"moved": {"1": [ERASED_MEMBER_NAME]}}),
        ("Jan", {"numbers": "1 Jan; 2 Nowak, Jan"}, {"numbers": f"1 {ERASED_MEMBER_NAME}; 2 Nowak, Jan"}),
    ],
)
def test_the_name_goes_wherever_it_is_one(club, name, details, left):
    assert left_of(club, name, "Nowak, Jan", **details) == left


def test_former_names_are_erased_and_a_namesakes_lines_stay(club):
    member = make_member(club, "Nowak, Jan")
    event = over(club, 2)
    his, namesakes = entered(event, 1, "Nowaik, Jan", member), entered(event, 2, "Nowak, Jan")
    change_entry(his, by=None, name="Nowak, Jan", remark="brother of Ewa")
    other = record_action(event, EventAction.MARKED_ABSENT, by=None, entry=namesakes.pk, name="Nowak, Jan")
    gone = record_action(event, EventAction.ENTRY_REMOVED, by=None, entry=999_999_999, name="Nowak, Jan")
    erase_person(member, in_results=True, by=None)
    kept = repr(list(event.log.exclude(pk=other.pk).values_list("details", flat=True)))
    assert [each for each in ("Nowaik", "Nowak", "Ewa") if each in kept] == []
    assert LogEntry.objects.get(pk=gone.pk).details["name"] == ERASED_MEMBER_NAME
    assert LogEntry.objects.get(pk=other.pk).details["name"] == "Nowak, Jan"
