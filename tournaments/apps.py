from importlib import import_module

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Read what registers itself, and listen to what other rooms tell."""
        for module in ("audit_log.sealing", "events.erasing", "club_ratings.keeping"):
            import_module(f"tournaments.{module}")
        from tournaments.club_ratings.recounting import watch

        watch()
        from tournaments.notifications.telling import listen

        listen()
