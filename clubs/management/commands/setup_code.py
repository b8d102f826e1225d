"""`manage.py setup_code`: show the code for setting up an empty server."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from clubs.membership.onboarding.club_creation import set_up_announcement


class Command(BaseCommand):
    help = "Show the code for setting up an empty server in the browser."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the code, or say that the server is already set up."""
        self.stdout.write(set_up_announcement() or "This server is already set up, so there is no code.")
