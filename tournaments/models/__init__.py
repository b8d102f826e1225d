"""Database models of events. Import them from here: `from tournaments.models import Round`."""

from pairing.engine.trf.model import MAX_ROUNDS
from tournaments.models.check_ins_and_claims import CheckIn, ResultCheck, ResultClaim
from tournaments.models.events import Entry, ForbiddenPair, Tournament
from tournaments.models.log import LogEntry
from tournaments.models.notifications import Notification, NotificationChannel
from tournaments.models.online_entries import (
    MAX_ANSWER_LENGTH,
    MAX_QUESTIONS,
    EntryFee,
    OnlineEntry,
    OnlineEntrySettings,
)
from tournaments.models.pairing_systems import Acceleration, PairingMethod, PairingSystem
from tournaments.models.prizes import Prize, PrizeFund
from tournaments.models.rounds import Bye, Game, Round, RoundQuerySet
from tournaments.models.series import Series

__all__ = [
    "MAX_ANSWER_LENGTH",
    "MAX_QUESTIONS",
    "MAX_ROUNDS",
    "Acceleration",
    "Bye",
    "CheckIn",
    "Entry",
    "EntryFee",
    "ForbiddenPair",
    "Game",
    "LogEntry",
    "Notification",
    "NotificationChannel",
    "OnlineEntry",
    "OnlineEntrySettings",
    "PairingMethod",
    "PairingSystem",
    "Prize",
    "PrizeFund",
    "ResultCheck",
    "ResultClaim",
    "Round",
    "RoundQuerySet",
    "Series",
    "Tournament",
]
