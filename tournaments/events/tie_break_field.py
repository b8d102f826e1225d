"""The field for an ordered list of tie-breaks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.standings import TIE_BREAKS, UnknownTieBreak, parse_tie_break

MAX_TIE_BREAKS = 10
"""No table has room for more columns."""
MAX_LIST_LENGTH = 200
"""Letters of the longest list that is read."""


class TieBreaksField(forms.CharField):
    """Official codes with commas between them, in the order in which they decide; cleaned to a list of them.

    Codes may be written in any case and with the handbook's hyphen; the list has them as report files do.
    """

    def __init__(self, **kwargs: Any) -> None:
        wanted = {
            "label": gettext_lazy("tie-breaks"),
            "required": False,
            "max_length": MAX_LIST_LENGTH,
            "help_text": gettext_lazy(
                "FIDE's codes in the order in which they decide, such as BH/C1, BH, SB, DE. Leave it empty for what the"
                " pairing system's own document says."
            ),
        }
        super().__init__(**{**wanted, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """A list as the text that makes it; what was typed stays as it was typed."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """The list; an empty one for an empty field."""
        written = super().to_python(value) or ""
        if len(written) > MAX_LIST_LENGTH:
            raise ValidationError(_("At most %(count)s tie-breaks.") % {"count": MAX_TIE_BREAKS})
        texts = [text for text in map(str.strip, written.split(",")) if text]
        if len(texts) > MAX_TIE_BREAKS:
            raise ValidationError(_("At most %(count)s tie-breaks.") % {"count": MAX_TIE_BREAKS})
        codes = [_parsed(text) for text in texts]
        twice = next((code for code in codes if codes.count(code) > 1 and not code.startswith("DE")), None)
        if twice:
            raise ValidationError(
                _("%(code)s stands there twice; the second could not decide anything.") % {"code": twice}
            )
        return codes

    def validate(self, value: Any) -> None:
        """An empty list is allowed."""

    def run_validators(self, value: Any) -> None:
        """The list has been read; its text has no limits of its own."""


def _parsed(text: str) -> str:
    try:
        return str(parse_tie_break(text))
    except UnknownTieBreak as error:
        if error.takes is None:
            known = ", ".join(TIE_BREAKS)
            message = _("“%(code)s” is not a tie-break. There are: %(known)s.") % {"code": text, "known": known}
        else:
            message = _("“%(code)s”: this tie-break does not take that.") % {"code": text}
        raise ValidationError(message) from error
