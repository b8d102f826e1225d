"""The form fields to choose rule interpretations for an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.rule_interpretations import RULE_INTERPRETATIONS, RuleInterpretation
from tournaments.events.interpretation_texts import INTERPRETATION_TEXTS


def interpretation_fields(chosen: Mapping[str, str], *, disabled: bool) -> dict[str, forms.ChoiceField]:
    """Return a field for each interpretation, by field name, set to the event's choice or the default."""
    return {
        _name_of(reading): forms.ChoiceField(
            label=f"{reading.system} {reading.article}",
            choices=[(choice.value, _option(reading, choice.value)) for choice in reading.options],
            initial=chosen.get(reading.id, reading.default_value),
            required=False,
            disabled=disabled,
            error_messages={"invalid_choice": gettext_lazy("Choose one of the 2 interpretations.")},
        )
        for reading in RULE_INTERPRETATIONS.values()
    }


def interpretation_field_names(system: str, procedure: str | None) -> set[str]:
    """Return the names of the fields that matter for a system."""
    return {_name_of(each) for each in RULE_INTERPRETATIONS.values() if each.applies_to_system(system, procedure)}


def pop_chosen_interpretations(
    cleaned: dict[str, Any], before: Mapping[str, str], *, system: str, procedure: str
) -> dict[str, str]:
    """Remove the interpretation fields from the cleaned data and return the choices that aren't defaults.

    Only those for this system count. A field that wasn't sent keeps its value `before`.
    """
    readings = {}
    for reading in RULE_INTERPRETATIONS.values():
        value = cleaned.pop(_name_of(reading), "") or before.get(reading.id, reading.default_value)
        if value != reading.default_value and reading.applies_to_system(system, procedure or None):
            readings[reading.id] = value
    return readings


def _name_of(reading: RuleInterpretation) -> str:
    return "reading_" + reading.id.replace(":", "_").replace(".", "_").replace("-", "_")


def _option(reading: RuleInterpretation, value: str) -> str:
    words = INTERPRETATION_TEXTS[reading.id, value]
    return _("%(reading)s (default)") % {"reading": words} if value == reading.default_value else str(words)
