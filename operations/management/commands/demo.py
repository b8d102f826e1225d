"""The command `manage.py demo`: create the demo club."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from common.jobs.queue import wait_for_job_threads
from operations.demo.demo_club import LOGINS, demo_password, make_demo_club
from tournaments.club_ratings.recalculation import recalculate_due_ratings


class Command(BaseCommand):
    help = "Create a demo club with a running and a finished event, if it doesn't exist, and print its accounts."

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the demo club. Only in debug mode, because its passwords are public."""
        if not settings.DEBUG:
            raise CommandError("The demo club has public passwords, so it can only be created with CLUBNIGHT_DEBUG=1.")
        club, is_new = make_demo_club()
        # The thread that calculates ratings would end with this process.
        wait_for_job_threads()
        recalculate_due_ratings(club.pk)
        state = "created" if is_new else "already exists"
        self.stdout.write(f"Demo club: {club.name} ({state}). Sign in as:")
        for name, role in LOGINS.items():
            self.stdout.write(f"    {name:<10} password {demo_password(name):<15} ({role.label})")
