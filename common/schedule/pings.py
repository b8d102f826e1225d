"""Tells a service such as healthchecks.io that a nightly job has run. If it hears nothing, it raises the alarm.

It also notices what no program on this server can tell: that the server is off.
"""

from __future__ import annotations

import logging
from urllib.request import urlopen

from django.conf import settings

PING_TIMEOUT = 10

_log = logging.getLogger(__name__)


def ping(job: str, *, succeeded: bool) -> None:
    """Report a nightly job to the monitoring service, which notices missing reports. If this fails, only log it."""
    if not settings.PING_ADDRESS:
        return
    address = f"{settings.PING_ADDRESS}/clubnight-{job}{'' if succeeded else '/fail'}"
    try:
        with urlopen(address, timeout=PING_TIMEOUT):  # noqa: S310 - the settings allow http and https only
            return
    except (OSError, ValueError):
        _log.warning("no ping about %s", job, exc_info=True)
