"""The field for an ordered list of tie-breaks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.standings import KEIZER_TIE_BREAKS, TIE_BREAKS, UnknownTieBreak, parse_tie_break

MAX_TIE_BREAKS = 10
"""No table has space for more columns."""
MAX_LIST_LENGTH = 200
"""In characters."""


class TieBreaksField(forms.CharField):
    """Official codes separated by commas, in order, cleaned to a list.

    Codes may be in upper or lower case and with the Handbook's hyphen. The list has them as in report files.
    """

    def __init__(self, **kwargs: Any) -> None:
        wanted = {
            "label": gettext_lazy("tie-breaks"),
            "required": False,
            "max_length": MAX_LIST_LENGTH,
            "help_text": gettext_lazy(
                "FIDE codes in order of priority, such as BH/C1, BH, SB, DE. If empty, the pairing "
                "system's own tie-breaks apply."
            ),
        }
        super().__init__(**{**wanted, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Return a list as text. Typed text stays as typed."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the list of codes, empty for an empty field.

        Raises ValidationError if a code is unknown or repeated, or there are too many.
        """
        written = super().to_python(value) or ""
        if len(written) > MAX_LIST_LENGTH:
            raise ValidationError(_("At most %(count)s tie-breaks.") % {"count": MAX_TIE_BREAKS})
        texts = [text for text in map(str.strip, written.split(",")) if text]
        if len(texts) > MAX_TIE_BREAKS:
            raise ValidationError(_("At most %(count)s tie-breaks.") % {"count": MAX_TIE_BREAKS})
        codes = [_parsed(text) for text in texts]
        twice = next((code for code in codes if codes.count(code) > 1 and not code.startswith("DE")), None)
        if twice:
            raise ValidationError(_("%(code)s appears twice. The second one would have no effect.") % {"code": twice})
        return codes

    def validate(self, value: Any) -> None:
        """Allow an empty list."""

    def run_validators(self, value: Any) -> None:
        """Do nothing, because these validators are for text and the value is a list."""


def _parsed(text: str) -> str:
    try:
        return str(parse_tie_break(text))
    except UnknownTieBreak as error:
        if error.takes is None:
            known = ", ".join(code for code in TIE_BREAKS if code not in KEIZER_TIE_BREAKS)
            message = _("“%(code)s” isn't a tie-break. Use one of these: %(known)s.") % {"code": text, "known": known}
        else:
            message = _("“%(code)s” has an option that this tie-break doesn't allow.") % {"code": text}
        raise ValidationError(message) from error
