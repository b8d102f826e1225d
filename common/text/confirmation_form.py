"""A form that asks before it does what is likely to be a slip."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class ConfirmationForm(forms.Form):
    """A form that asks once more where something is likely to be a slip."""

    is_sure = forms.BooleanField(label=gettext_lazy("It is right: book it"), required=False)
    needs_confirmation = False

    def ask_for_confirmation(self, question: str) -> None:
        """Come back with the question, and with the tick that answers it."""
        self.needs_confirmation = True
        self.add_error(None, question)
