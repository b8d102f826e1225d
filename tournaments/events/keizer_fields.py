"""The form fields for the rules of a Keizer season: a usual set of rules, or options of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.systems.keizer import OPTION_NAMES, InvalidKeizerOption, parse_keizer_options

KEIZER_PRESETS: Mapping[str, tuple[str, ...]] = {
    "classic": (),
    "keizer-for-clubs": ("bye=1/2", "excused=7/20", "duty=7/10"),
}
"""The options of each usual set of rules; those of the Dutch federation are our default."""
OWN_RULES = "own"
_PRESET_NAMES: Mapping[str, str | Promise] = {
    "classic": gettext_lazy("Classic (KNSB)"),
    "keizer-for-clubs": "KeizerForClubs",
    OWN_RULES: gettext_lazy("Other rules"),
}


class KeizerOptionsField(forms.CharField):
    """Options such as `gap=6`, separated by commas, cleaned to a list."""

    def prepare_value(self, value: Any) -> Any:
        """Return a list as text. Typed text stays as typed."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the list of options. Raises ValidationError if one is unknown or its value can't be used."""
        texts = value if isinstance(value, list) else (super().to_python(value) or "").split(",")
        options = [text.replace(" ", "") for text in texts if text.strip()]
        for option in options:
            try:
                parse_keizer_options([option])
            except InvalidKeizerOption as error:
                message = _("“%(option)s” can't be used. Enter options in the form gap=6. Option names: %(names)s.")
                raise ValidationError(message % {"option": option, "names": ", ".join(OPTION_NAMES)}) from error
        return options

    def run_validators(self, value: Any) -> None:
        """Do nothing, because these validators are for text and the value is a list."""


def keizer_fields(chosen: Sequence[str], *, disabled: bool) -> dict[str, forms.Field]:
    """Return the fields for the set of rules and for single options, set to the event's rules."""
    preset = next((name for name, options in KEIZER_PRESETS.items() if options == tuple(chosen)), OWN_RULES)
    return {
        "keizer_rules": forms.ChoiceField(
            label=gettext_lazy("set of rules"),
            choices=list(_PRESET_NAMES.items()),
            initial=preset,
            required=False,
            disabled=disabled,
        ),
        "keizer_options": KeizerOptionsField(
            label=gettext_lazy("other rules"),
            required=False,
            max_length=300,
            disabled=disabled,
            initial=list(chosen) if preset == OWN_RULES else [],
            help_text=gettext_lazy(
                "Only if you chose “Other rules”. List what differs from the classic rules, such as gap=6, loss=1/6."
            ),
        ),
    }


def pop_keizer_options(cleaned: dict[str, Any], before: Sequence[str], *, is_keizer: bool) -> list[str]:
    """Remove the Keizer fields from the cleaned data and return the options, or `before` if they weren't sent."""
    rules, options = cleaned.pop("keizer_rules", ""), cleaned.pop("keizer_options", None)
    if not is_keizer:
        return []
    if rules in KEIZER_PRESETS:
        return list(KEIZER_PRESETS[rules])
    return list(before) if not rules or options is None else list(options)
