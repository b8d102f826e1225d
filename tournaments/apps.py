from importlib import import_module

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Read what registers itself, and listen to what other rooms tell."""
        import_module("tournaments.log.sealing")
        from tournaments.rated.recounting import watch

        watch()
        from tournaments.telling.telling import listen

        listen()
