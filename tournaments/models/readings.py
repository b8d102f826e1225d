"""The readings an event has chosen, as its row keeps them."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from pairing.engine.readings import InvalidReading, chosen_readings


def check_readings(readings: object) -> None:
    """Raise ValidationError unless these are readings by id, each with one of its values."""
    try:
        if not isinstance(readings, dict):
            raise InvalidReading("readings are given as a value for each id")
        chosen_readings((str(name), str(value)) for name, value in readings.items())
    except InvalidReading as error:
        raise ValidationError(str(error)) from error
