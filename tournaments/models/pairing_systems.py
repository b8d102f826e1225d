"""Pairing systems and accelerations."""

from __future__ import annotations

from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class PairingSystem(models.TextChoices):
    """The pairing systems that events can use."""

    JAHR = "jahr", _("Jahr's method (1981)")
    FIDE_1989 = "fide-1989", _("FIDE Swiss rules of 1987–89")
    DUTCH_1992 = "dutch-1992", _("Dutch system of 1992")
    DUBOV_1997 = "dubov-1997", _("Dubov system of 1997")
    DUTCH_2026 = "dutch-2026", _("FIDE (Dutch) system of 2026")
    ROUND_ROBIN = "round-robin", _("Round robin (Berger tables)")
    KEIZER = "keizer", _("Keizer system")


class PairingMethod(NamedTuple):
    """A pairing system and, for Jahr's order, the procedure (empty: the usual procedure)."""

    system: str
    procedure: str

    @property
    def label(self) -> str:
        """The name shown to users."""
        name = str(PairingSystem(self.system).label)
        return f"{name}, {PairingSystem(self.procedure).label}" if self.procedure else name

    @property
    def has_fixed_schedule(self) -> bool:
        """Return True if all rounds are known before the first is played, so that the arbiter has nothing to decide."""
        return self.system == PairingSystem.ROUND_ROBIN

    @property
    def governing_system(self) -> str:
        """The system whose articles apply. Under Jahr's order, this is the procedure."""
        return (self.procedure or PairingSystem.FIDE_1989.value) if self.system == PairingSystem.JAHR else self.system


class PairingMethodRange(NamedTuple):
    """The rounds `first` to `last` (None: the event's last) and their pairing method."""

    first: int
    last: int | None
    method: PairingMethod


class Acceleration(models.TextChoices):
    """Fictitious points for pairing the first rounds."""

    NONE = "none", pgettext_lazy("acceleration", "none")
    PROGRESSIVE = "progressive", _("progressive acceleration")
    BAKU = "baku", _("Baku acceleration")
