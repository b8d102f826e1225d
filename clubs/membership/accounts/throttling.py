"""Throttling of sign-in attempts: failures delay the next attempt but never lock anyone out.

Attempts are counted per account and address, per account, and per address. An address that has not failed on the
account before has an allowance of its own, however often others fail from elsewhere. Known devices and signed-in
sessions have their own count, too, so strangers cannot slow them down. An attempt is counted before the password is
checked, so parallel attempts all count. The counts are rows of the database, shared by all processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.membership.accounts.client_address import network_of_address, site_of_address
from clubs.models import SignInAttempts

FAILURES_EXPIRE_AFTER = timedelta(hours=1)
"""After the last attempt. Counting then starts again."""
MAX_WAIT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimit:
    """A key that attempts are counted for, and the number of failures allowed before waiting."""

    scope: str
    subject: str
    free_failures: int
    is_reset_by_success: bool = True
    spares_new_addresses: bool = False
    """The limit does not delay an address that has free failures of its own."""

    @property
    def hashed_key(self) -> str:
        """The key as stored: a hash that reveals neither account nor address."""
        return salted_hmac("clubnight sign-in tries", f"{self.scope}:{self.subject}", algorithm="sha256").hexdigest()


class TooManyAttempts(Exception):
    """Raised after too many attempts. `seconds` is the time until the next one is allowed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def sign_in_limits(account: str, address: str, device: str | None) -> tuple[AttemptLimit, ...]:
    """Return the limits for a sign-in attempt. Pass `device` if the account is known on this device."""
    if device is not None:
        return (AttemptLimit(scope="device", subject=f"{account}:{device}", free_failures=5),)
    network, site = network_of_address(address), site_of_address(address)
    limits = (
        AttemptLimit(scope="account from address", subject=f"{account}:{network}", free_failures=5),
        AttemptLimit(scope="account", subject=account, free_failures=20, spares_new_addresses=True),
        AttemptLimit(scope="address", subject=network, free_failures=50, is_reset_by_success=False),
    )
    if site == network:
        return limits
    # One customer of a provider has thousands of IPv6 networks, which are not as many new addresses.
    return (*limits, AttemptLimit(scope="account from site", subject=f"{account}:{site}", free_failures=10))


def form_limits(scope: str, address: str, free: int) -> tuple[AttemptLimit, ...]:
    """Return the limits for sending a public form: `free` times for a network, and twice that for a whole site."""
    network, site = network_of_address(address), site_of_address(address)
    limit = AttemptLimit(scope=scope, subject=network, free_failures=free)
    if site == network:
        return (limit,)
    return limit, AttemptLimit(scope=f"{scope} from site", subject=site, free_failures=2 * free)


@transaction.atomic
def record_attempt(counts: tuple[AttemptLimit, ...]) -> None:
    """Count an attempt against every limit. The first limit shows whether the address has free failures left.

    Raises TooManyAttempts, and counts nothing, if any limit requires a wait.
    """
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
    for row in rows.values():
        if now - row.last_at > FAILURES_EXPIRE_AFTER:
            row.failures = 0
    is_new = rows[counts[0].hashed_key].failures < counts[0].free_failures
    waits = [
        _until(rows[count.hashed_key], count.free_failures) - now
        for count in counts
        if not (count.spares_new_addresses and is_new)
    ]
    if max(waits) > timedelta(0):
        raise TooManyAttempts(int(max(waits).total_seconds()) + 1)
    for row in rows.values():
        row.failures += 1
        row.last_at = now
    SignInAttempts.objects.bulk_update(rows.values(), ["failures", "last_at"])


def record_success(counts: tuple[AttemptLimit, ...]) -> None:
    """Reset the counts after a correct password. An address's failures on other accounts still count."""
    keys = [count.hashed_key for count in counts if count.is_reset_by_success]
    SignInAttempts.objects.filter(key__in=keys).delete()
    others = [count.hashed_key for count in counts if not count.is_reset_by_success]
    SignInAttempts.objects.filter(key__in=others, failures__gt=0).update(failures=F("failures") - 1)


def is_code_used(once: AttemptLimit) -> bool:
    """Return True if a one-time code has been used. Codes are remembered for as long as attempts are."""
    return SignInAttempts.objects.filter(key=once.hashed_key).exists()


def mark_code_used(once: AttemptLimit) -> bool:
    """Mark a one-time code as used. Return True for only one of several simultaneous calls."""
    return SignInAttempts.objects.get_or_create(key=once.hashed_key, defaults={"last_at": timezone.now()})[1]


def _until(row: SignInAttempts, free: int) -> datetime:
    """Return when the next attempt is allowed: immediately at first, then after 2, 4, 8, ... seconds."""
    over = row.failures - free
    if over < 0:
        return row.last_at
    return row.last_at + min(MAX_WAIT, timedelta(seconds=2 ** min(over + 1, 10)))
