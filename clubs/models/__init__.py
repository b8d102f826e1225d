"""The rows of clubs: people, money, ratings. Import them from here: `from clubs.models import Member`."""

from clubs.models.money import Account, FeeClass, GuestNight, LedgerEntry, Reminder, Season
from clubs.models.people import (
    Club,
    Group,
    Language,
    Member,
    Membership,
    Role,
    SavedView,
    Title,
    User,
    Viewing,
)

__all__ = [
    "Account",
    "Club",
    "FeeClass",
    "Group",
    "GuestNight",
    "Language",
    "LedgerEntry",
    "Member",
    "Membership",
    "Reminder",
    "Role",
    "SavedView",
    "Season",
    "Title",
    "User",
    "Viewing",
]
