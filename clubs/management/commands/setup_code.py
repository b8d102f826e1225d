"""`manage.py setup_code`: the code with which the first person sets the server up."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from clubs.membership.onboarding.first_set_up import set_up_announcement


class Command(BaseCommand):
    help = "Shows the code with which an empty server is set up in the browser."

    def handle(self, *args: Any, **options: Any) -> None:
        """Nothing to show once somebody has a log-in."""
        self.stdout.write(set_up_announcement() or "This server is set up: there is no code any more.")
