"""The app configuration of clubs."""

from importlib import import_module

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        """Import the modules that register scheduled tasks and system checks. Job code is imported when a job runs."""
        for module in (
            "membership.members.membership_periods",
            "membership.applications.processing",
            "membership.letters.sending",
            "rating.lists.scheduled_download",
            "membership.onboarding.system_checks",
        ):
            import_module(f"clubs.{module}")
