"""Validation of an event's rule interpretations."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from pairing.engine.rule_interpretations import InvalidInterpretation, non_default_interpretations


def check_rule_interpretations(readings: object) -> None:
    """Raise ValidationError if these aren't valid rule interpretations, by id."""
    try:
        if not isinstance(readings, dict):
            raise InvalidInterpretation("readings are given as a value for each id")
        non_default_interpretations((str(name), str(value)) for name, value in readings.items())
    except InvalidInterpretation as error:
        raise ValidationError(str(error)) from error
