"""The page of a club's tokens."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access import get_club_for_secretary
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest
from common.problems import OfficerProblem
from pairing.models import ApiToken
from pairing.public.api_tokens.forms import ApiTokenForm
from pairing.public.api_tokens.tokens import create_token, revoke_token

REVOKED_SHOWN = 20


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def api_tokens(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """List the club's tokens, and create one. Its text is only in the answer to that form."""
    the_club = get_club_for_secretary(request.user, club)
    form = ApiTokenForm(request.POST or None, club=the_club)
    created, text = None, ""
    if request.method == "POST" and form.is_valid():
        try:
            created, text = create_token(
                the_club,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                tournament=form.cleaned_data["tournament"],
                expires_at=form.expires_at,
                by=request.user,
                site=request.build_absolute_uri("/"),
            )
        except OfficerProblem as problem:
            form.add_error("name", str(problem))
        else:
            form = ApiTokenForm(club=the_club)
    tokens = the_club.api_tokens.select_related("tournament", "created_by", "revoked_by")
    context = club_page_context(request.user, the_club, "settings") | {
        "form": form,
        "officers": set(the_club.memberships.values_list("user", flat=True)),
        "created": created,
        "text": text,
        "tokens": tokens.filter(revoked_at=None),
        "revoked": tokens.exclude(revoked_at=None).order_by("-revoked_at")[:REVOKED_SHOWN],
    }
    return render(request, "pairing/public/api_tokens/api_tokens.html", context, status=422 if form.errors else 200)


@require_POST
def api_token_revoke(request: AuthenticatedRequest, club: str, api_token: int) -> HttpResponse:
    """Revoke a token."""
    the_club = get_club_for_secretary(request.user, club)
    the_token = get_object_or_404(ApiToken, club=the_club, pk=api_token)
    revoke_token(the_token, by=request.user)
    messages.success(request, _("“%(name)s” can no longer use the API.") % {"name": the_token.name})
    return redirect("club_api_tokens", club)
