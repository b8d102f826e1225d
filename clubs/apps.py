"""The app of clubs: what registers itself is known once it is ready."""

from importlib import import_module

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        """Read the chores, and what is checked; those who do the work are read when it is done."""
        for module in (
            "membership.members.membership_periods",
            "rating.lists.scheduled_download",
            "membership.onboarding.system_checks",
        ):
            import_module(f"clubs.{module}")
