"""The Django app config of operations."""

from importlib import import_module

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        """Import the modules that register scheduled work and deployment checks."""
        for module in (
            "backups.nightly_job",
            "backups.deployment_checks",
            "alerts.watch_task",
            "club_transfer.file_cleanup",
        ):
            import_module(f"operations.{module}")
