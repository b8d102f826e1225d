"""A person's data across the club and its events: export, erasure, and finding data kept too long."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import (
    BankStatementLine,
    Club,
    ExpectedPayment,
    Member,
    Membership,
    PersonalDataAccess,
    Reminder,
    User,
)
from clubs.privacy import (
    ERASED_MEMBER_NAME,
    erase_member_data,
    export_member_data,
    is_name_in_initials,
    log_data_access,
    public_name,
)
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.models import (
    Bye,
    CheckIn,
    Entry,
    ForbiddenPair,
    Game,
    LogEntry,
    Notification,
    NotificationChannel,
    OnlineEntry,
    ResultClaim,
    Round,
    Tournament,
)
from tournaments.privacy.imported_authors import erase_imported_author
from tournaments.privacy.name_erasure import NameEraser

KEEP_FORMER_MEMBERS_FOR = timedelta(days=3 * 365)
KEEP_GUESTS_FOR = timedelta(days=365)
KEEP_VIEWING_LOG_FOR = timedelta(days=2 * 365)
KEEP_ONLINE_ENTRIES_FOR = timedelta(days=90)
"""Retention periods of people, the log of viewings, and online entries after the event.

docs/secretary/personal-data.md gives the reasons.
"""


def collect_personal_data(member: Member) -> dict[str, Any]:
    """Return all data about a person as plain JSON values: membership, payments and events."""
    return export_member_data(member) | {
        "told_by": [_way_data(way) for way in member.message_ways.all()],
        "events": _events_data(_entries_of(member)),
        "online_entries": [_online_entry_data(each, member) for each in _online_entries_of(member)],
    }


def public_fide_ids(tournament: Tournament) -> dict[int, str]:
    """Return the FIDE IDs that FIDE publishes with this event, by the players' numbers. Empty if FIDE doesn't rate it.

    Players who refused publication are left out.
    """
    if not tournament.fide_rated:
        return {}
    entries = list(tournament.entries.all())
    refused = {each.entry.pk for each in _find_hidden_names(tournament)}
    numbers = pairing_numbers_by_entry(entries)
    return {numbers[entry.pk]: entry.fide_id for entry in entries if entry.fide_id and entry.pk not in refused}


def full_names_behind_initials(tournament: Tournament) -> dict[int, str]:
    """Return the full names of players shown with initials, by entry key, for officers and federations."""
    hidden = _find_hidden_names(tournament)
    return {each.entry.pk: each.full_name for each in hidden if is_name_in_initials(each.entry.name)}


def hide_refused_names(tournament: Tournament) -> None:
    """Replace names with initials, for players who refused publication, when an event becomes public.

    Done whatever name the entry has: it may differ from the name in the member list today.
    """
    for each in _find_hidden_names(tournament):
        each.entry.name = each.initials
        each.entry.save(update_fields=["name"])


class _HiddenName(NamedTuple):
    """A player who refused publication, and the name in full and with initials."""

    entry: Entry
    full_name: str
    initials: str


def _find_hidden_names(tournament: Tournament) -> list[_HiddenName]:
    """Return the members who refused publication, and those who entered online without agreeing to it. Two queries."""
    refused = tournament.entries.filter(member__publication_consent=Member.Consent.REFUSED).select_related("member")
    hidden = {
        entry.pk: _HiddenName(entry, entry.member.name, public_name(entry.member))
        for entry in refused
        if entry.member is not None
    }
    online = OnlineEntry.objects.filter(tournament=tournament, entry__isnull=False, shows_name=False)
    for each in online.select_related("entry"):
        if each.entry is not None:
            hidden.setdefault(each.entry.pk, _HiddenName(each.entry, each.name, each.public_name))
    return list(hidden.values())


def export_personal_data(member: Member, *, by: User) -> bytes:
    """Return `collect_personal_data` as a JSON file in UTF-8, and log the export."""
    log_data_access(member.club, PersonalDataAccess.DataAccessKind.DATA_EXPORT, by=by, member=member)
    return json.dumps(collect_personal_data(member), ensure_ascii=False, indent=2).encode()


@transaction.atomic
def erase_person(member: Member, *, in_results: bool, by: User | None) -> None:
    """Erase a person permanently: their member record, the club's archives that can still be downloaded, and, with
    `in_results`, their name in past events, also as an author of imported entries.

    Results, places and payments stay. Raises OfficerProblem if the person plays in a running event or has already been
    erased.
    """
    row = Member.objects.select_for_update(no_key=True).select_related("club").get(pk=member.pk)
    if row.erased_at is not None:
        raise OfficerProblem(_("This person has already been erased."))
    running = [entry.tournament.name for entry in _entries_of(row) if _is_running(entry.tournament)]
    if running:
        raise OfficerProblem(
            _("This person is playing in an event that isn't finished: %(events)s.") % {"events": ", ".join(running)}
        )
    if in_results:
        for entry in _entries_of(row):
            _take_the_name_from(entry, row.name, record_action(entry.tournament, EventAction.NAME_ERASED, by=by))
        erase_imported_author(row.club, row.name, by=by)
    NotificationChannel.objects.filter(Q(member=row) | Q(entry__member=row)).delete()
    delete_online_entries(_online_entries_of(row))
    was_dated = row.birth_year is not None
    _close_log_in(row)
    erase_member_data(row)
    publish(ChangeKind.PERSON_ERASED, row.club_id)
    if was_dated:
        publish(ChangeKind.RATED_MEMBERS, row.club_id)
    row.status, row.erased_at = Member.Status.FORMER, timezone.now()
    row.left_on = row.left_on or timezone.localdate()
    row.save()
    log_data_access(row.club, PersonalDataAccess.DataAccessKind.ERASURE, by=by, member=row, in_results=in_results)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpiredPerson:
    """A person whose retention period ended on the day `since`."""

    member: Member
    why: Promise
    since: date


def find_expired_people(club: Club, *, today: date) -> list[ExpiredPerson]:
    """Find former members three years after they left, and guests and applicants a year after their last visit."""
    return sorted((*_former(club, today), *_guests(club, today)), key=lambda each: (each.since, each.member.pk))


def delete_old_viewing_log(club: Club, *, today: date) -> int:
    """Delete old log lines about viewed data, sent reminders and letters. Return how many were deleted."""
    oldest = today - KEEP_VIEWING_LOG_FOR
    gone, _by_model = (
        club.data_accesses.filter(at__date__lt=oldest).exclude(what=PersonalDataAccess.DataAccessKind.ERASURE).delete()
    )
    reminders, _by_model = Reminder.objects.filter(member__club=club, on__lt=oldest).delete()
    letters, _by_model = club.letters.filter(made_at__date__lt=oldest).delete()
    return gone + reminders + letters


def delete_online_entries(rows: QuerySet[OnlineEntry]) -> int:
    """Delete online entries, and return their number. Players and payments are kept, the latter without the payer."""
    payments = ExpectedPayment.objects.filter(online_entry__in=rows)
    lines = BankStatementLine.objects.filter(expected_payment__in=payments)
    lines.update(party="", party_account="", text="")
    # A split line also names the payer. The name is kept as long as other parts need it.
    others = BankStatementLine.objects.exclude(part_of=None).exclude(party="", party_account="", text="")
    split = BankStatementLine.objects.filter(parts__in=lines).exclude(pk__in=others.values("part_of"))
    split.update(party="", party_account="", text="")
    payments.update(payer="")
    gone, _by_model = rows.delete()
    return gone


def delete_old_online_entries(club: Club, *, today: date) -> int:
    """Delete the online entries of events that ended some time ago, and return their number."""
    oldest = today - KEEP_ONLINE_ENTRIES_FOR
    running = Round.objects.exclude(state=Round.State.FINISHED).values("tournament")
    over = Q(tournament__ends_on__lt=oldest) | Q(tournament__ends_on=None, tournament__starts_on__lt=oldest)
    rows = OnlineEntry.objects.filter(tournament__club=club)
    old = Q(sent_at__date__lt=today - KEEP_GUESTS_FOR) & ~Q(tournament__ends_on__gte=oldest)
    keys = rows.filter(old | (over & ~Q(tournament__in=running))).values_list("pk", flat=True)
    return delete_online_entries(OnlineEntry.objects.filter(pk__in=list(keys)))


def _former(club: Club, today: date) -> Iterator[ExpiredPerson]:
    left = club.members.filter(status=Member.Status.FORMER, erased_at=None, left_on__lt=today - KEEP_FORMER_MEMBERS_FOR)
    for member in left:
        if member.left_on is not None:
            yield ExpiredPerson(
                member=member, why=gettext_lazy("left the club"), since=member.left_on + KEEP_FORMER_MEMBERS_FOR
            )


_LAST_EVENT = Max("entries__tournament__ends_on", filter=Q(entries__tournament__deleted_at=None))


def _guests(club: Club, today: date) -> Iterator[ExpiredPerson]:
    guests = club.members.filter(
        status__in=[Member.Status.GUEST, Member.Status.APPLICANT], added_on__lt=today - KEEP_GUESTS_FOR
    ).annotate(last_night=Max("guest_nights__on"), last_event=_LAST_EVENT)
    for member in guests:
        last = max(filter(None, (member.added_on, member.last_night, member.last_event)))
        if last < today - KEEP_GUESTS_FOR:
            yield ExpiredPerson(member=member, why=gettext_lazy("did not come back"), since=last + KEEP_GUESTS_FOR)


def _online_entries_of(member: Member) -> QuerySet[OnlineEntry]:
    return OnlineEntry.objects.filter(Q(member=member) | Q(entry__member=member)).order_by("pk")


def _online_entry_data(online: OnlineEntry, member: Member) -> dict[str, Any]:
    columns = ("state", "name", "email", "birth_year", "fide_id", "national_id", "club_name", "shows_name")
    more = ("guardian_name", "guardian_email", "answers", "fee")
    # Somebody else may have entered under the member's name: their data aren't the member's.
    shown = (*columns, *more) if online.is_from(member) else ("state", "name")
    return {
        "event": online.tournament.name,
        "sent_at": online.sent_at.isoformat(),
        **{name: getattr(online, name) for name in shown},
    }


def _entries_of(member: Member) -> list[Entry]:
    return list(Entry.objects.filter(member=member).select_related("tournament").order_by("tournament", "pk"))


def _is_running(tournament: Tournament) -> bool:
    return tournament.deleted_at is None and tournament.rounds.exclude(state=Round.State.FINISHED).exists()


def _events_data(entries: list[Entry]) -> list[dict[str, Any]]:
    """Return the data of somebody's part in each event. The number of queries doesn't grow with the events."""
    keys = [entry.pk for entry in entries]
    played: dict[int, list[dict[str, Any]]] = defaultdict(list)
    games = Game.objects.filter(Q(white__in=keys) | Q(black__in=keys)).order_by("round__number")
    for number, white, black, result in games.values_list("round__number", "white", "black", "result"):
        for player, colour in ((white, "white"), (black, "black")):
            played[player].append({"round": number, "colour": colour, "result": result})
    prefetch_related_objects(
        entries,
        Prefetch("byes", Bye.objects.select_related("round").order_by("round__number")),
        Prefetch("messages", Notification.objects.select_related("channel")),
        Prefetch("check_ins", CheckIn.objects.select_related("round").order_by("round__number")),
        Prefetch("claims", ResultClaim.objects.select_related("game__round").order_by("game__round__number")),
    )
    return [_event_data(entry, played[entry.pk]) for entry in entries]


def _event_data(entry: Entry, games: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "event": entry.tournament.name,
        "begins_on": entry.tournament.starts_on.isoformat() if entry.tournament.starts_on else None,
        "entered_as": {
            column: getattr(entry, column)
            for column in ("tpn", "name", "title", "sex", "rating", "federation", "fide_id", "birth", "remark")
        },
        # Opponents are other people: their names aren't part of a person's own data.
        "games": games,
        "byes": [{"round": bye.round.number, "kind": bye.kind} for bye in entry.byes.all()],
        "told": [
            {
                "what": message.kind,
                "by": message.channel.kind,
                "state": message.state,
                "at": message.made_at.isoformat(),
            }
            for message in entry.messages.all()
        ],
        "check_ins": [
            {"round": row.round.number, "coming": row.is_coming, "seen": row.state, "at": row.at.isoformat()}
            for row in entry.check_ins.all()
        ],
        "reported_results": [
            {"round": claim.game.round.number, "result": claim.result, "at": claim.at.isoformat()}
            for claim in entry.claims.all()
        ],
    }


def _way_data(way: NotificationChannel) -> dict[str, Any]:
    """Return a notification channel's data: its kind, address, language, start and the messages chosen."""
    return {
        "by": way.kind,
        "address": way.endpoint,
        "language": way.language,
        "since": way.made_at.isoformat(),
        "for": [what for what in ("pairings", "results", "evenings", "links") if getattr(way, what)],
    }


def _is_of_player(line: str, tpn: int | None) -> bool:
    """Return True for an imported line with a player's own spelling of sex and title."""
    return tpn is not None and line.startswith(f"001{tpn:>5}")


def _take_the_name_from(entry: Entry, name_in_the_book: str, erasure: LogEntry) -> None:
    """Erase personal data from the entry, and from log lines before `erasure`. Numbers and results stay.

    An entry with initials may first have had the full name.
    """
    lines = list(LogEntry.objects.filter(tournament=entry.tournament, pk__lt=erasure.pk))
    erased = NameEraser(entry, name_in_the_book, lines)
    for column in ("title", "sex", "federation", "fide_id", "birth", "remark"):
        setattr(entry, column, "")
    entry.name = ERASED_MEMBER_NAME
    entry.save()
    event = entry.tournament
    event.report_lines = [line for line in event.report_lines if not _is_of_player(line, entry.tpn)]
    event.save(update_fields=["report_lines"])
    pairs = ForbiddenPair.objects.filter(tournament=entry.tournament)
    (pairs.filter(first=entry) | pairs.filter(second=entry)).update(remark="")
    for line in lines:
        details = erased.details_without_name(line)
        if details != line.details:
            line.save_and_reseal(details=details, erasure=erasure)


def _close_log_in(member: Member) -> None:
    """Remove the user account from the club. If it has no other club, deactivate it and erase its name."""
    user = member.user
    if user is None:
        return
    Membership.objects.filter(user=user, club=member.club).delete()
    if user.is_superuser or user.memberships.exists():
        return
    user.username, user.is_active = f"erased-{user.pk}", False
    user.first_name = user.last_name = user.email = ""
    user.set_unusable_password()
    user.save()
