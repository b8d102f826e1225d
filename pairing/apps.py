"""The Django app config of pairing."""

from importlib import import_module

from django.apps import AppConfig


class PairingConfig(AppConfig):
    name = "pairing"

    def ready(self) -> None:
        """Import the modules that register themselves, and subscribe to changes."""
        for module in ("log_actions", "public.api_tokens.emails", "public.webhooks.emails"):
            import_module(f"pairing.{module}")
        from pairing.public.webhooks.queue import subscribe_to_logged_changes

        subscribe_to_logged_changes()
