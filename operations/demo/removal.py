"""Removal of the demo club with all its data, including ledger and log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from clubs.models import Club, DuesAccount, DuesSeason, LedgerEntry, Member
from common.models import Job, SealedChain
from tournaments.models import LogEntry, Round, Tournament


@transaction.atomic
def remove_demo_club() -> bool:
    """Delete the demo club. Return True if there was one. Only a club marked as demo can be deleted."""
    club = Club.objects.select_for_update(no_key=True).filter(is_demo=True).first()
    if club is None:
        return False
    with _guards_aside():
        ledger = LedgerEntry.objects.filter(club=club)
        ledger._raw_delete(ledger.db)
        Round.objects.filter(tournament__club=club).delete()
        events = Tournament.with_deleted.filter(club=club)
        SealedChain.objects.filter(label=LogEntry._meta.label_lower, owner_id__in=events.values("pk")).delete()
        SealedChain.objects.filter(label__startswith="clubs.", owner_id=club.pk).delete()
        events.delete()
        DuesAccount.objects.filter(member__club=club).delete()
        DuesSeason.objects.filter(club=club).delete()
        Member.objects.filter(club=club).delete()
        # Delete rows that refer to the club first: the database checks each statement.
        Job.objects.filter(club=club).delete()
        club.delete()
    return True


@contextmanager
def _guards_aside() -> Iterator[None]:
    """Disable the triggers that protect rows, within the transaction. If it fails, nothing changes."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE %s", ["%RAISE(%"])
            guards = cursor.fetchall()
            off = [f'DROP TRIGGER "{name}"' for name, _sql in guards]
            on = [sql for _name, sql in guards]
        else:
            cursor.execute(
                "SELECT tgrelid::regclass::text, quote_ident(tgname) FROM pg_trigger"
                " JOIN pg_class ON pg_class.oid = tgrelid"
                " WHERE NOT tgisinternal AND tgenabled <> 'D' AND relnamespace = current_schema()::regnamespace"
            )
            guards = cursor.fetchall()
            # Check deferred constraints first: a table with pending checks cannot be altered.
            checked = "SET CONSTRAINTS ALL IMMEDIATE"
            off = [checked, *(f"ALTER TABLE {table} DISABLE TRIGGER {name}" for table, name in guards)]
            on = [checked, *(f"ALTER TABLE {table} ENABLE TRIGGER {name}" for table, name in guards)]
        for statement in off:
            cursor.execute(statement)
        yield
        for statement in on:
            cursor.execute(statement)
