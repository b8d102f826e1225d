"""Readiness checks: database, migrations, queue."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from django.conf import settings
from django.db import DatabaseError, connection
from redis import Redis, RedisError

from operations.integrity.environment_checks import unapplied_migrations
from operations.schema_guard import NewerDatabaseError, refuse_newer_database

QUEUE_TIMEOUT = 2

_log = logging.getLogger(__name__)
_migrated: set[str] = set()
"""Databases known to have all migrations. They lose none while the process runs."""


def check_readiness() -> dict[str, bool]:
    """Return the result of each check. Failures are logged with their reason."""
    checks: Mapping[str, Callable[[], bool]] = {
        "database": _database_answers,
        "migrations": _is_migrated,
        "queue": _queue_answers,
    }
    return {name: _holds(name, check) for name, check in checks.items()}


def _holds(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except (DatabaseError, RedisError, OSError, ValueError, NewerDatabaseError):
        _log.warning("not ready: %s", name, exc_info=True)
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone())


def _is_migrated() -> bool:
    # Checked each time: a later version may migrate while this process runs.
    refuse_newer_database()
    name = str(connection.settings_dict["NAME"])
    if name not in _migrated and not unapplied_migrations():
        _migrated.add(name)
    return name in _migrated


def _queue_answers() -> bool:
    """Return True if the queue answers. Without a queue the server runs jobs itself."""
    if not settings.CELERY_BROKER_URL:
        return True
    limits = {"socket_connect_timeout": QUEUE_TIMEOUT, "socket_timeout": QUEUE_TIMEOUT}
    with Redis.from_url(settings.CELERY_BROKER_URL, **limits) as queue:
        return bool(queue.ping())
