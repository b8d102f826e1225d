"""Validation of the options of a Keizer season."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from pairing.engine.systems.keizer import InvalidKeizerOption, parse_keizer_options


def check_keizer_options(texts: object) -> None:
    """Raise ValidationError if these aren't options such as "gap=6"."""
    try:
        if not isinstance(texts, list):
            raise InvalidKeizerOption("options are given as a list")
        parse_keizer_options(map(str, texts))
    except InvalidKeizerOption as error:
        raise ValidationError(str(error)) from error
