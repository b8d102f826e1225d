from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Have `migrate` take the guards of the database down and put them up again."""
        guards = import_module("tournaments.models.guards")
        pre_migrate.connect(guards.take_guards_down, sender=self)
        post_migrate.connect(guards.put_guards_up, sender=self)
