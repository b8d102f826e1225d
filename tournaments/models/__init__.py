"""The rows of events. Import them from here: `from tournaments.models import Round`."""

from pairing.engine.trf.columns import MOST_ROUNDS
from tournaments.models.evening import CheckIn, ResultClaim, SecondReading
from tournaments.models.events import Entry, ForbiddenPair, Tournament
from tournaments.models.log import LogEntry, SealedLog
from tournaments.models.prizes import Prize, PrizeFund
from tournaments.models.rounds import Bye, Game, Round, RoundQuerySet
from tournaments.models.series import Series
from tournaments.models.systems import Acceleration, PairedBy, System
from tournaments.models.telling import Message, MessageWay

__all__ = [
    "MOST_ROUNDS",
    "Acceleration",
    "Bye",
    "CheckIn",
    "Entry",
    "ForbiddenPair",
    "Game",
    "LogEntry",
    "Message",
    "MessageWay",
    "PairedBy",
    "Prize",
    "PrizeFund",
    "ResultClaim",
    "Round",
    "RoundQuerySet",
    "SealedLog",
    "SecondReading",
    "Series",
    "System",
    "Tournament",
]
