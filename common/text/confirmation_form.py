"""A form that asks for confirmation if something is probably a mistake."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class ConfirmationForm(forms.Form):
    """A form that asks for confirmation if something is probably a mistake."""

    is_sure = forms.BooleanField(label=gettext_lazy("yes, this is correct"), required=False)
    needs_confirmation = False

    def ask_for_confirmation(self, question: str) -> None:
        """Show the form again with a question and a confirmation checkbox."""
        self.needs_confirmation = True
        self.add_error(None, question)
