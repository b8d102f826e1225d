"""Wrong passwords slow the next try down; nobody is ever shut out.

Tries are counted for the account from one address, for the account, and for the address. A device on which the account
has been signed in before is counted by itself, and so is a session that is signed in: whatever strangers try, they do
not slow those down. A try counts before the password is looked at, so that a hundred at once are not one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.models import SignInTries

FORGOTTEN_AFTER = timedelta(hours=1)
"""Since the last try; then counting begins anew."""
LONGEST_WAIT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What tries are counted for, and how many may fail before one has to wait."""

    what: str
    who: str
    free: int
    ends_with_success: bool = True

    @property
    def key(self) -> str:
        """Names neither account nor address."""
        return salted_hmac("clubnight sign-in tries", f"{self.what}:{self.who}", algorithm="sha256").hexdigest()


class Wait(Exception):
    """Too many tries; `seconds` until the next."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def counts_of(account: str, address: str, device: str | None) -> tuple[Count, ...]:
    """What a try to sign in is counted for; `device` where the account is known on it."""
    if device is not None:
        return (Count(what="device", who=f"{account}:{device}", free=5),)
    return (
        Count(what="account from address", who=f"{account}:{address}", free=5),
        Count(what="account", who=account, free=20),
        Count(what="address", who=address, free=50, ends_with_success=False),
    )


@transaction.atomic
def take_turn(counts: tuple[Count, ...]) -> None:
    """Count a try. Raises Wait, and counts nothing, where one of the counts has to wait."""
    now = timezone.now()
    SignInTries.objects.filter(last_at__lt=now - 2 * FORGOTTEN_AFTER).delete()
    SignInTries.objects.bulk_create(
        (SignInTries(key=count.key, last_at=now) for count in counts), ignore_conflicts=True
    )
    rows = {
        row.key: row
        for row in SignInTries.objects.select_for_update().filter(key__in=[each.key for each in counts]).order_by("key")
    }
    tried = [(count, rows[count.key]) for count in counts]
    waits = [_until(row, count.free) - now for count, row in tried]
    if max(waits) > timedelta(0):
        raise Wait(int(max(waits).total_seconds()) + 1)
    for _count, row in tried:
        row.failures = 1 if now - row.last_at > FORGOTTEN_AFTER else row.failures + 1
        row.last_at = now
    SignInTries.objects.bulk_update(rows.values(), ["failures", "last_at"])


def succeeded(counts: tuple[Count, ...]) -> None:
    """The password was right: begin anew. What an address tried wrongly on others' accounts stays counted."""
    keys = [count.key for count in counts if count.ends_with_success]
    SignInTries.objects.filter(key__in=keys).delete()
    others = [count.key for count in counts if not count.ends_with_success]
    SignInTries.objects.filter(key__in=others, failures__gt=0).update(failures=F("failures") - 1)


def was_used(once: Count) -> bool:
    """Whether what is good once has been used; remembered for as long as tries are."""
    return SignInTries.objects.filter(key=once.key).exists()


def use(once: Count) -> bool:
    """Use what is good once. Of those who come at the same instant one alone is told that it was good."""
    return SignInTries.objects.get_or_create(key=once.key, defaults={"last_at": timezone.now()})[1]


def _until(row: SignInTries, free: int) -> datetime:
    """When the next try is taken: at once while some are free, then after 2, 4, 8, ... seconds."""
    over = row.failures - free
    if over < 0:
        return row.last_at
    return row.last_at + min(LONGEST_WAIT, timedelta(seconds=2 ** min(over + 1, 10)))
