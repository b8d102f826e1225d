"""Which systems may be used for play that FIDE rates, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import System, Tournament

IN_FORCE = frozenset({System.DUTCH_2026.value, System.ROUND_ROBIN.value})
"""The systems of FIDE's handbook as it stands."""

WHAT_FIDE_RATES: Mapping[str, Promise] = {
    System.JAHR: gettext_lazy("Not for FIDE-rated play: it has never been a system of FIDE's."),
    System.FIDE_1989: gettext_lazy("Not for FIDE-rated play: these rules have been replaced."),
    System.DUTCH_1992: gettext_lazy("Not for FIDE-rated play: the edition in force is that of 2026."),
    System.DUBOV_1997: gettext_lazy("Not for FIDE-rated play: FIDE's edition of it in force is a later one."),
    System.DUTCH_2026: gettext_lazy("May be used for FIDE-rated play."),
    System.ROUND_ROBIN: gettext_lazy("May be used for FIDE-rated play."),
}


def rated_warning(*, fide_rated: bool, systems: Iterable[str]) -> str:
    """What to say of an event that FIDE is to rate and that is paired by a system it may not be; else nothing."""
    wrong = [System(system) for system in dict.fromkeys(systems) if system not in IN_FORCE and system in System.values]
    if not fide_rated or not wrong:
        return ""
    return _("This event is marked as rated by FIDE, and may not be paired by: %(systems)s.") % {
        "systems": "; ".join(str(system.label) for system in wrong)
    }


def warning_of(tournament: Tournament) -> str:
    """The same of an event as it stands, with the systems of its earlier rounds."""
    used = [*(each["system"] for each in tournament.earlier_systems), tournament.system]
    return rated_warning(fide_rated=tournament.fide_rated, systems=used)
