"""A form that asks before it does what is likely to be a slip."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class AskingForm(forms.Form):
    """A form that asks once more where something is likely to be a slip."""

    is_sure = forms.BooleanField(label=gettext_lazy("It is right: book it"), required=False)
    asks = False

    def ask(self, question: str) -> None:
        """Come back with the question, and with the tick that answers it."""
        self.asks = True
        self.add_error(None, question)
