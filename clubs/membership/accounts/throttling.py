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

from clubs.models import SignInAttempts

FAILURES_EXPIRE_AFTER = timedelta(hours=1)
"""Since the last try; then counting begins anew."""
MAX_WAIT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimit:
    """What tries are counted for, and how many may fail before one has to wait."""

    scope: str
    subject: str
    free_failures: int
    is_reset_by_success: bool = True

    @property
    def hashed_key(self) -> str:
        """Names neither account nor address."""
        return salted_hmac("clubnight sign-in tries", f"{self.scope}:{self.subject}", algorithm="sha256").hexdigest()


class TooManyAttempts(Exception):
    """Too many tries; `seconds` until the next."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def sign_in_limits(account: str, address: str, device: str | None) -> tuple[AttemptLimit, ...]:
    """What a try to sign in is counted for; `device` where the account is known on it."""
    if device is not None:
        return (AttemptLimit(scope="device", subject=f"{account}:{device}", free_failures=5),)
    return (
        AttemptLimit(scope="account from address", subject=f"{account}:{address}", free_failures=5),
        AttemptLimit(scope="account", subject=account, free_failures=20),
        AttemptLimit(scope="address", subject=address, free_failures=50, is_reset_by_success=False),
    )


@transaction.atomic
def record_attempt(counts: tuple[AttemptLimit, ...]) -> None:
    """Count a try. Raises Wait, and counts nothing, where one of the counts has to wait."""
    now = timezone.now()
    SignInAttempts.objects.filter(last_at__lt=now - 2 * FAILURES_EXPIRE_AFTER).delete()
    SignInAttempts.objects.bulk_create(
        (SignInAttempts(key=count.hashed_key, last_at=now) for count in counts), ignore_conflicts=True
    )
    rows = {
        row.key: row
        for row in SignInAttempts.objects.select_for_update()
        .filter(key__in=[each.hashed_key for each in counts])
        .order_by("key")
    }
    tried = [(count, rows[count.hashed_key]) for count in counts]
    waits = [_until(row, count.free_failures) - now for count, row in tried]
    if max(waits) > timedelta(0):
        raise TooManyAttempts(int(max(waits).total_seconds()) + 1)
    for _count, row in tried:
        row.failures = 1 if now - row.last_at > FAILURES_EXPIRE_AFTER else row.failures + 1
        row.last_at = now
    SignInAttempts.objects.bulk_update(rows.values(), ["failures", "last_at"])


def record_success(counts: tuple[AttemptLimit, ...]) -> None:
    """The password was right: begin anew. What an address tried wrongly on others' accounts stays counted."""
    keys = [count.hashed_key for count in counts if count.is_reset_by_success]
    SignInAttempts.objects.filter(key__in=keys).delete()
    others = [count.hashed_key for count in counts if not count.is_reset_by_success]
    SignInAttempts.objects.filter(key__in=others, failures__gt=0).update(failures=F("failures") - 1)


def is_code_used(once: AttemptLimit) -> bool:
    """Whether what is good once has been used; remembered for as long as tries are."""
    return SignInAttempts.objects.filter(key=once.hashed_key).exists()


def mark_code_used(once: AttemptLimit) -> bool:
    """Use what is good once. Of those who come at the same instant one alone is told that it was good."""
    return SignInAttempts.objects.get_or_create(key=once.hashed_key, defaults={"last_at": timezone.now()})[1]


def _until(row: SignInAttempts, free: int) -> datetime:
    """When the next try is taken: at once while some are free, then after 2, 4, 8, ... seconds."""
    over = row.failures - free
    if over < 0:
        return row.last_at
    return row.last_at + min(MAX_WAIT, timedelta(seconds=2 ** min(over + 1, 10)))
