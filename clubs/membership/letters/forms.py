"""The form for writing a letter, with a text for each language of its readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import get_language_info, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from common.text.placeholders import unknown_placeholders


class LetterForm(forms.Form):
    """A letter. The club's language comes first and must be filled in. Readers of languages left empty get it."""

    form_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, languages: Sequence[str], places: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.languages, self.places = languages, places
        for language in languages:
            name = "" if language == languages[0] else f" ({get_language_info(language)['name_translated']})"
            self.fields[f"subject_{language}"] = forms.CharField(
                label=format_lazy("{}{}", gettext_lazy("subject"), name),
                max_length=120,
                required=language == languages[0],
            )
            self.fields[f"text_{language}"] = forms.CharField(
                label=format_lazy("{}{}", gettext_lazy("text"), name),
                max_length=5000,
                required=language == languages[0],
                widget=forms.Textarea(attrs={"rows": 9}),
            )

    @property
    def language_fields(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        """The name of each language, with its fields."""
        return [
            (get_language_info(language)["name_translated"], self[f"subject_{language}"], self[f"text_{language}"])
            for language in self.languages
        ]

    @property
    def texts(self) -> list[dict[str, str]]:
        """The texts that have been filled in."""
        return [
            {"language": language, "subject": subject, "text": self.cleaned_data[f"text_{language}"]}
            for language in self.languages
            if (subject := self.cleaned_data[f"subject_{language}"])
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in [name for name in cleaned if name != "form_key"]:
            if unknown := unknown_placeholders(cleaned[name], self.places):
                said = ngettext("Unknown placeholder: %(what)s.", "Unknown placeholders: %(what)s.", len(unknown))
                self.add_error(name, ValidationError(said, params={"what": ", ".join(unknown)}))
        for language in self.languages[1:]:
            subject, text = cleaned.get(f"subject_{language}"), cleaned.get(f"text_{language}")
            if subject is not None and text is not None and bool(subject) != bool(text):
                missing = f"text_{language}" if subject else f"subject_{language}"
                self.add_error(missing, _("Fill in both fields, or leave both empty."))
        return cleaned
