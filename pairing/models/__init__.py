"""The rows of pairing beside the rounds themselves. Import them from here: `from pairing.models import PairingStep`."""

from pairing.models.hall import HallMessage
from pairing.models.printing import PaperHabit, Printing
from pairing.models.proposals import Proposal
from pairing.models.steps import Cause, EditingSession, PairingState, PairingStep, RestorePoint

__all__ = [
    "Cause",
    "EditingSession",
    "HallMessage",
    "PairingState",
    "PairingStep",
    "PaperHabit",
    "Printing",
    "Proposal",
    "RestorePoint",
]
