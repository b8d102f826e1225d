"""The Django app config of pairing."""

from importlib import import_module

from django.apps import AppConfig


class PairingConfig(AppConfig):
    name = "pairing"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("log_actions",):
            import_module(f"pairing.{module}")
