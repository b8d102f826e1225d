"""`manage.py demo`: a made-up club to look around in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from common.jobs.queue import wait_for_threads
from operations.demo.making import LOGINS, make_demo_club, password
from tournaments.club_ratings.keeping import count_due


class Command(BaseCommand):
    help = "Makes a fictitious club with a running and a finished event, unless it is there, and prints its log-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        """Refused outside of debugging: the passwords are known to everyone."""
        if not settings.DEBUG:
            raise CommandError("The demo club has public passwords; it is made only with CLUBNIGHT_DEBUG=1.")
        club, is_new = make_demo_club()
        # This process would take the thread that counts them with it.
        wait_for_threads()
        count_due(club.pk)
        state = "made now" if is_new else "there already"
        self.stdout.write(f"Demo club: {club.name} ({state}). Sign in as:")
        for name, role in LOGINS.items():
            self.stdout.write(f"    {name:<10} password {password(name):<15} ({role.label})")
