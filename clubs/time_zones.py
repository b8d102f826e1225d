"""The time zone of a request: the club's on its own pages, otherwise the server's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from clubs.models import Club


def reset_time_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: begin every request in the server's time zone, as the previous one may have set a club's."""

    def time_zone_middleware(request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        return get_response(request)

    return time_zone_middleware


def time_zone_of_club(club: Club) -> tzinfo:
    """Return the club's time zone, or the server's if it has none."""
    return ZoneInfo(club.time_zone) if club.time_zone else timezone.get_default_timezone()


def activate_club_time_zone(club: Club) -> None:
    """Use the club's time zone for the rest of the request. `reset_time_zone` resets it before the next one."""
    if club.time_zone:
        timezone.activate(club.time_zone)
