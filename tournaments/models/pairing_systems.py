"""By what rounds are paired."""

from __future__ import annotations

from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _


class PairingSystem(models.TextChoices):
    """Pairing systems an event can be run by."""

    JAHR = "jahr", _("Jahr's method (1981)")
    FIDE_1989 = "fide-1989", _("FIDE Swiss rules of 1987-89")
    DUTCH_1992 = "dutch-1992", _("Dutch system of 1992")
    DUBOV_1997 = "dubov-1997", _("Dubov system of 1997")
    DUTCH_2026 = "dutch-2026", _("FIDE (Dutch) system of 2026")
    ROUND_ROBIN = "round-robin", _("Round robin (Berger tables)")


class PairingMethod(NamedTuple):
    """A system, and the procedure under Jahr's order (empty: the usual one)."""

    system: str
    procedure: str

    @property
    def label(self) -> str:
        """Its name in words."""
        name = str(PairingSystem(self.system).label)
        return f"{name}, {PairingSystem(self.procedure).label}" if self.procedure else name

    @property
    def has_fixed_schedule(self) -> bool:
        """Every round stands before the first is played: there is nothing for an arbiter to decide."""
        return self.system == PairingSystem.ROUND_ROBIN

    @property
    def governing_system(self) -> str:
        """Whose articles hold: under Jahr's order those of the procedure."""
        return (self.procedure or PairingSystem.FIDE_1989.value) if self.system == PairingSystem.JAHR else self.system


class PairingMethodRange(NamedTuple):
    """The rounds `first` to `last` (None: the last of the event) and what pairs them."""

    first: int
    last: int | None
    method: PairingMethod


class Acceleration(models.TextChoices):
    """Fictitious points with which the first rounds are paired."""

    NONE = "none", _("none")
    PROGRESSIVE = "progressive", _("progressive acceleration")
    BAKU = "baku", _("Baku acceleration")
