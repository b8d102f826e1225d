"""The form of a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from pairing.models import Webhook
from pairing.public.webhooks.sending import is_allowed_webhook_url


class WebhookForm(forms.Form):
    """Where messages are sent, and about what."""

    url = forms.CharField(
        label=gettext_lazy("address"),
        max_length=500,
        widget=forms.URLInput(attrs={"placeholder": "https://bot.example.org/clubnight", "autocomplete": "off"}),
        help_text=gettext_lazy("It starts with https:// and accepts messages by POST."),
    )
    topics = forms.MultipleChoiceField(
        label=gettext_lazy("send a message when"),
        choices=Webhook.Topic.choices,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, club: Club, webhook: Webhook | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.webhook = club, webhook
        self.initial["topics"] = Webhook.Topic.values if webhook is None else webhook.topics
        self.initial["url"] = "" if webhook is None else webhook.url

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if not is_allowed_webhook_url(url):
            raise ValidationError(_("Enter the address of a public web server, such as https://bot.example.org/."))
        same = Webhook.objects.filter(club=self.club, url=url)
        if (same.exclude(pk=self.webhook.pk) if self.webhook else same).exists():
            raise ValidationError(_("You already have a webhook with this address."))
        return url
