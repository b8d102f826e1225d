from importlib import import_module

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Read what registers itself, and listen to what other rooms tell."""
        for module in ("log.sealing", "events.erasing", "rated.keeping"):
            import_module(f"tournaments.{module}")
        from tournaments.rated.recounting import watch

        watch()
        from tournaments.telling.telling import listen

        listen()
