"""Forms submitted after a session had ended: shown and submitted again."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.csrf import csrf_failure as plain_refusal
from django.views.decorators.http import require_http_methods

from clubs.membership.accounts.deferred_posts import (
    DeferredPost,
    defer_post,
    deferred_posts_in_session,
    pop_from_session,
    replay_deferred_post,
    store_in_session,
    submitted_fields,
)
from clubs.membership.accounts.forms import SignInForm
from clubs.membership.accounts.middleware import render_sign_in_page
from clubs.request_types import AuthenticatedRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deferred_posts(request: AuthenticatedRequest) -> HttpResponse:
    """Show the waiting forms, and submit them again as if sent from their own pages."""
    if request.method != "POST":
        kept = deferred_posts_in_session(request)
        if not kept:
            return redirect("home")
        context = {
            "kept": [(each.path, submitted_fields(request, each)) for each in kept],
            "at_once": "look" not in request.GET,
            # A single form posts to its own URL, so that an error page keeps the right address.
            "as_it_came": kept[0] if len(kept) == 1 and kept[0].is_url_encoded else None,
        }
        return render(request, "clubs/membership/accounts/deferred_posts.html", context)
    kept = pop_from_session(request)
    if request.POST.get("drop") or not kept:
        if kept:
            messages.info(request, _("Nothing was saved."))
        return redirect(_back(request, kept))
    answers = [_entered(request, each) for each in kept]
    if len(kept) == 1 and answers[0] is not None:
        return answers[0]
    done = sum(answer is not None and answer.status_code < 400 for answer in answers)
    if done:
        said = ngettext("%(number)s form was saved.", "%(number)s forms were saved.", done)
        messages.success(request, said % {"number": done})
    if done < len(kept):
        messages.error(request, _("Some changes couldn't be saved. Check the page and enter them again."))
    return redirect(_back(request, kept))


@login_not_required
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Keep a form whose CSRF token is out of date, if it came from one of our own pages.

    This happens when a page was open while the user signed in elsewhere. The Origin header proves as much as the
    token.
    """
    if not request.COOKIES and request.path in (reverse("account_login"), reverse("mfa_login_webauthn")):
        # The page set a cookie that did not come back. Passwords are never kept, so the user types theirs again.
        return render(
            request, "account/login.html", {"form": SignInForm(request=request), "no_cookies": True}, status=403
        )
    is_ours = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    kept = defer_post(request) if is_ours and request.method == "POST" else None
    if kept is None:
        return plain_refusal(request, reason=reason)
    is_htmx = bool(getattr(request, "htmx", request.headers.get("HX-Request")))
    if not request.user.is_authenticated:
        return render_sign_in_page(request, is_htmx=is_htmx)
    store_in_session(request, [*deferred_posts_in_session(request), kept])
    # The user now signed in may be a different one, so they review it first.
    address = f"{reverse('deferred_posts')}?look=1"
    return HttpResponse(status=204, headers={"HX-Redirect": address}) if is_htmx else redirect(address)


def _entered(request: HttpRequest, kept: DeferredPost) -> HttpResponse | None:
    """Return the response, or None if the user has no access to that page."""
    try:
        return replay_deferred_post(request, kept)
    except (PermissionDenied, Http404):
        return None


def _back(request: HttpRequest, kept: list[DeferredPost]) -> str:
    page = kept[-1].page if kept else ""
    return page if url_has_allowed_host_and_scheme(page, allowed_hosts={request.get_host()}) else "home"
