"""Pairing systems that FIDE accepts for rated play, with a sentence on each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import PairingSystem, Tournament
from tournaments.problems import ArbiterProblem

SYSTEMS_IN_FORCE = frozenset({PairingSystem.DUTCH_2026.value, PairingSystem.ROUND_ROBIN.value})
"""The systems of FIDE's Handbook in force."""

FIDE_RATING_NOTES: Mapping[str, Promise] = {
    PairingSystem.JAHR: gettext_lazy("Not for FIDE-rated events. It has never been a FIDE system."),
    PairingSystem.FIDE_1989: gettext_lazy("Not for FIDE-rated events. These rules have been replaced."),
    PairingSystem.DUTCH_1992: gettext_lazy("Not for FIDE-rated events. The 2026 edition is in force."),
    PairingSystem.DUBOV_1997: gettext_lazy("Not for FIDE-rated events. A later FIDE edition is in force."),
    PairingSystem.DUTCH_2026: gettext_lazy("Can be used for FIDE-rated events."),
    PairingSystem.ROUND_ROBIN: gettext_lazy("Can be used for FIDE-rated events."),
    PairingSystem.KEIZER: gettext_lazy("Not for FIDE-rated events. Your club can rate the games."),
}


def fide_rating_warning(*, fide_rated: bool, systems: Iterable[str]) -> str:
    """Return a warning if a FIDE rated event uses a system that FIDE doesn't accept, else nothing."""
    wrong = [
        PairingSystem(system)
        for system in dict.fromkeys(systems)
        if system not in SYSTEMS_IN_FORCE and system in PairingSystem.values
    ]
    if not fide_rated or not wrong:
        return ""
    return _("This event is FIDE rated, so it can't be paired with: %(systems)s.") % {
        "systems": "; ".join(str(system.label) for system in wrong)
    }


def require_accepted_system(tournament: Tournament) -> None:
    """Raise ArbiterProblem if a FIDE rated event uses a system that FIDE doesn't accept."""
    if warning := event_fide_rating_warning(tournament):
        raise ArbiterProblem(f"{warning} {choose_another_system()}")


def choose_another_system() -> str:
    """Return what to do if a FIDE rated event uses a system that FIDE doesn't accept."""
    return _("Choose another system, or clear “FIDE rated”.")


def event_fide_rating_warning(tournament: Tournament) -> str:
    """Return `fide_rating_warning` for an event, including the systems of its earlier rounds."""
    used = [*(each["system"] for each in tournament.earlier_systems), tournament.system]
    return fide_rating_warning(fide_rated=tournament.fide_rated, systems=used)
