"""The form for a club's letterhead."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.membership.letterhead.logo_files import LogoField, logo_mark
from clubs.models import ClubLetterhead, language_choices


class LetterheadForm(forms.ModelForm):
    """A club's header, footer, language, paper size and logo."""

    logo_file = LogoField(
        label=_("logo"),
        required=False,
        help_text=_("PNG or JPEG, up to 2 MB. Black on white prints best."),
    )
    without_logo = forms.BooleanField(label=_("remove the logo"), required=False)

    class Meta:
        model = ClubLetterhead
        fields = ("header", "footer", "language", "size")
        help_texts = {
            "header": _("For example, the address. Printed next to the club's name."),
            "footer": _("For example, the bank account or website. Printed at the bottom of every page."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = self.instance.club.get_language_display()
        choices = [("", _("club language: %(language)s") % {"language": language}), *language_choices()]
        self.fields["language"].choices = choices  # type: ignore[attr-defined]
        if not self.instance.logo:
            del self.fields["without_logo"]

    def save(self, commit: bool = True) -> ClubLetterhead:
        """Save the letterhead with the new logo, or without one if it was removed."""
        logo = self.cleaned_data["logo_file"]
        if logo is not None:
            self.instance.logo = logo
        elif self.cleaned_data.get("without_logo"):
            self.instance.logo = b""
        kept: ClubLetterhead = super().save(commit)
        kept.club.logo_mark = logo_mark(bytes(kept.logo))
        kept.club.save(update_fields=["logo_mark"])
        return kept
