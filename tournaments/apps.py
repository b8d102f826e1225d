from importlib import import_module

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Import the modules that register jobs, and subscribe to signals."""
        for module in (
            "events.data_retention",
            "club_ratings.recalculation",
            "online_entries.processing",
            "entries.letter_audiences",
        ):
            import_module(f"tournaments.{module}")
        from tournaments.club_ratings.change_subscriptions import connect_rating_signals

        connect_rating_signals()
        from tournaments.notifications.notification_job import subscribe_to_player_news

        subscribe_to_player_news()
