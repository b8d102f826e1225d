"""The rows of events. Import them from here: `from tournaments.models import Round`."""

from tournaments.models.evening import CheckIn, ResultClaim, SecondReading
from tournaments.models.events import (
    MOST_ROUNDS,
    Acceleration,
    Bye,
    Entry,
    ForbiddenPair,
    Game,
    Round,
    RoundQuerySet,
    System,
    Tournament,
)
from tournaments.models.log import LogEntry
from tournaments.models.prizes import Prize, PrizeFund
from tournaments.models.series import Series

__all__ = [
    "MOST_ROUNDS",
    "Acceleration",
    "Bye",
    "CheckIn",
    "Entry",
    "ForbiddenPair",
    "Game",
    "LogEntry",
    "Prize",
    "PrizeFund",
    "ResultClaim",
    "Round",
    "RoundQuerySet",
    "SecondReading",
    "Series",
    "System",
    "Tournament",
]
