"""The form that chooses two methods to pair a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from pairing.engine.systems import CUSTOM_ORDER_PROCEDURES
from tournaments.models import Acceleration, PairingSystem, Round

_WAYS = {
    **{system.value: (system, "") for system in PairingSystem if system != PairingSystem.ROUND_ROBIN},
    **{
        f"{PairingSystem.JAHR.value}+{procedure}": (PairingSystem.JAHR, procedure)
        for procedure in CUSTOM_ORDER_PROCEDURES
        if procedure != PairingSystem.FIDE_1989
    },
}
"""The choices of the form: each with its system and the procedure under it."""


def _label(way: str) -> str:
    system, procedure = _WAYS[way]
    return f"{system.label} + {PairingSystem(procedure).label}" if procedure else str(system.label)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedMethod:
    """A method for pairing a round: a system, the procedure under it, and an acceleration."""

    system: PairingSystem
    procedure: str
    acceleration: Acceleration

    @property
    def title(self) -> str:
        title = _label(f"{self.system}+{self.procedure}" if self.procedure else self.system.value)
        return title if self.acceleration == Acceleration.NONE else f"{title}, {self.acceleration.label}"

    @property
    def snapshot_options(self) -> dict[str, str]:
        """The keyword arguments of `snapshot_under_system`."""
        return {
            "system": self.system.value,
            "procedure": self.procedure,
            "acceleration": self.acceleration.value,
        }


class ComparedMethodsForm(forms.Form):
    """Two methods for pairing a round, from the query string.

    The defaults are the event's own method and the next one in the list, for a Keizer season FIDE's Dutch system.
    """

    first = forms.ChoiceField(label=gettext_lazy("first system"))
    first_acceleration = forms.ChoiceField(label=gettext_lazy("acceleration"), choices=Acceleration.choices)
    second = forms.ChoiceField(label=gettext_lazy("second system"))
    second_acceleration = forms.ChoiceField(label=gettext_lazy("acceleration"), choices=Acceleration.choices)

    def __init__(self, data: Any = None, *, round: Round) -> None:
        event = round.tournament
        self._own = _own_way(round)
        ways = list(_WAYS)
        following = ways[(ways.index(self._own) + 1) % len(ways)]
        second = PairingSystem.DUTCH_2026.value if self._own == PairingSystem.KEIZER else following
        initial = {
            "first": self._own,
            "first_acceleration": event.acceleration,
            "second": second,
            "second_acceleration": event.acceleration,
        }
        # A missing or invalid value counts as the default.
        chosen = {name: data.get(name) or value for name, value in initial.items()} if data else initial
        super().__init__(chosen)
        self._initial = initial
        for name in ("first", "second"):
            self.fields[name].choices = [(way, _label(way)) for way in ways]  # type: ignore[attr-defined]

    @property
    def chosen_methods(self) -> tuple[ComparedMethod, ComparedMethod]:
        """The two chosen methods."""
        self.is_valid()
        return self._way("first"), self._way("second")

    def _way(self, name: str) -> ComparedMethod:
        system, procedure = _WAYS[self._value(name)]
        return ComparedMethod(
            system=system, procedure=procedure, acceleration=Acceleration(self._value(f"{name}_acceleration"))
        )

    def _value(self, name: str) -> str:
        return str(self.cleaned_data.get(name) or self._initial[name])


def _own_way(round: Round) -> str:
    by = round.pairing_method
    way = f"{by.system}+{by.procedure}"
    return way if way in _WAYS else by.system
