"""The style guide page, built from the templates and style sheets of real pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.models import Club
from pairing.pages.styleguide.samples import ICONS, ROUNDS, TOKENS, sample_board_lines, sample_bye_lines
from tournaments.models import Tournament


class SampleForm(forms.Form):
    """A form with one field of each kind."""

    name = forms.CharField(help_text="As starting lists have it: family name, given name.")
    rating = forms.IntegerField(required=False, min_value=0)
    day = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    system = forms.ChoiceField(choices=[("jahr", "Jahr's method (1981)"), ("fide", "FIDE Swiss rules of 1987–89")])
    is_public = forms.BooleanField(required=False, label="Shown to everybody")
    remark = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))


@login_not_required
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show the style guide. Raises Http404 if the application is not in debug mode."""
    if not settings.DEBUG:
        raise Http404
    refused = SampleForm({"name": "", "rating": "-5", "system": "jahr"})
    refused.is_valid()
    context: dict[str, Any] = {
        "tokens": TOKENS,
        "icons": ICONS,
        "rounds": ROUNDS,
        "number": 3,
        "form": SampleForm(auto_id="plain_%s"),
        "refused": refused,
        "entering": sample_board_lines(),
        "drafted": sample_board_lines(is_draft=True),
        "byes": sample_bye_lines(),
        "tournament": Tournament(slug="event", club=Club(slug="club", result_keys="score")),
        "round": {"number": 3},
        "late": [5],
        "public": {"is_public": True},
        "draft": {"is_draft": True},
    }
    return render(request, "pairing/pages/styleguide/styleguide.html", context)
