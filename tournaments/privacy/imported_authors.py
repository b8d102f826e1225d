"""Names of people who made entries on another server, and came with an event's file or a club's archive.

They can't sign in here. An event's file leaves a name in the log lines, and a club's archive an account without a
password.
"""

from __future__ import annotations

from django.db.models import QuerySet

from clubs.models import (
    AccountingYearStatusChange,
    BankStatementLine,
    BookEntry,
    Club,
    DirectDebitCollection,
    GroupLetter,
    LedgerEntry,
    MembershipApplication,
    PersonalDataAccess,
    Reminder,
    User,
    Voucher,
)
from clubs.privacy import ERASED_MEMBER_NAME
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import Game, LogEntry

IMPORTED_AUTHOR = "by_name"
"""The detail of an imported log line with the name of its author."""

AUTHORED = (
    (LogEntry, "tournament__club", "actor"),
    (Game, "round__tournament__club", "entered_by"),
    (PersonalDataAccess, "club", "user"),
    (LedgerEntry, "club", "entered_by"),
    (BookEntry, "club", "entered_by"),
    (Voucher, "entry__club", "added_by"),
    (AccountingYearStatusChange, "club", "by"),
    (BankStatementLine, "club", "kept_by"),
    (DirectDebitCollection, "club", "made_by"),
    (Reminder, "member__club", "by"),
    (GroupLetter, "club", "by"),
    (MembershipApplication, "club", "decided_by"),
)
"""Tables of entries, each with the lookup of the club and the column of the author."""


def find_imported_authors(club: Club) -> list[str]:
    """Return the names of the club's imported authors, in alphabetical order."""
    names = {_name_of(user) for user in _imported_users(club)}
    names |= {str(line.details[IMPORTED_AUTHOR]) for line in _imported_lines(club)}
    return sorted(names - {"", ERASED_MEMBER_NAME})


def erase_imported_author(club: Club, name: str, *, by: User | None) -> int:
    """Erase an imported author's name, in either order, and return in how many accounts and log lines it was.

    The entries stay. The caller is in a transaction.
    """
    words, erased = _words(name), 0
    for user in _imported_users(club):
        if _words(_name_of(user)) == words:
            user.username, user.first_name, user.last_name = f"erased-{user.pk}", "", ""
            user.save(update_fields=["username", "first_name", "last_name"])
            erased += 1
    lines = [line for line in _imported_lines(club) if _words(str(line.details[IMPORTED_AUTHOR])) == words]
    erasures: dict[int, LogEntry] = {}
    for line in lines:
        event = line.tournament
        if event.pk not in erasures:
            erasures[event.pk] = record_action(event, EventAction.NAME_ERASED, by=by)
        details = line.details | {IMPORTED_AUTHOR: ERASED_MEMBER_NAME}
        line.save_and_reseal(details=details, erasure=erasures[event.pk])
    return erased + len(lines)


def _imported_users(club: Club) -> list[User]:
    """Return the accounts that can't sign in, never could, and made entries in this club."""
    keys = {
        key
        for model, lookup, column in AUTHORED
        for (key,) in model._base_manager.filter(**{lookup: club}).order_by().values_list(column).distinct()
    }
    users = User.objects.filter(pk__in=keys - {None}, is_active=False, last_login=None, memberships=None, email="")
    return [user for user in users.exclude(username__startswith="erased-") if not user.has_usable_password()]


def _imported_lines(club: Club) -> QuerySet[LogEntry]:
    lines = LogEntry.objects.filter(tournament__club=club, details__has_key=IMPORTED_AUTHOR)
    return lines.select_related("tournament")


def _name_of(user: User) -> str:
    return user.get_full_name() or user.username.partition("@")[0]


def _words(name: str) -> list[str]:
    return sorted(name.casefold().replace(",", " ").split())
