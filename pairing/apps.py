"""The app of pairing: what its rooms add to rooms below them is known once it is ready."""

from importlib import import_module

from django.apps import AppConfig


class PairingConfig(AppConfig):
    name = "pairing"

    def ready(self) -> None:
        """Read what registers itself: actions of the log, kinds of jobs, chores, ways from other rooms' pages."""
        for module in ("log_actions",):
            import_module(f"pairing.{module}")
