"""Pairing models besides the rounds themselves. Import them from here: `from pairing.models import PairingStep`."""

from pairing.models.hall import HallMessage
from pairing.models.printing import PaperPreference, PrintedPaper
from pairing.models.proposals import PairingProposal
from pairing.models.steps import EditingSession, PairingCause, PairingState, PairingStep, RestorePoint

__all__ = [
    "EditingSession",
    "HallMessage",
    "PairingCause",
    "PairingProposal",
    "PairingState",
    "PairingStep",
    "PaperPreference",
    "PrintedPaper",
    "RestorePoint",
]
