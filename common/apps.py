"""The Django app config of common, which knows nothing of chess or clubs."""

from importlib import import_module

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"

    def ready(self) -> None:
        """Import the modules that register scheduled tasks."""
        import_module("common.schedule.session_cleanup")
        import_module("common.emails.outbox")
