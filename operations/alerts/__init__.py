"""Alerts a person once when something on the server fails, and once when it works again."""
