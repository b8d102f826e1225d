"""A user's own account page, and the language and colour scheme of this browser."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlsplit

from allauth.account.views import PasswordResetFromKeyView
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from clubs.membership.accounts.adapter import forget_failures
from clubs.membership.accounts.forms import PasswordResetKeyForm, UserNameForm
from clubs.membership.accounts.known_devices import remember_device
from clubs.request_types import AuthenticatedRequest, WebRequest
from clubs.roles import clubs_of_user
from clubs.two_factor import has_two_factor

COOKIE_AGE = 365 * 24 * 60 * 60


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_account(request: AuthenticatedRequest) -> HttpResponse:
    """Show and edit the user's name, with links to the other account pages."""
    form = UserNameForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("own_account")
    context = {
        "form": form,
        "clubs": clubs_of_user(request.user),
        "has_second_step": has_two_factor(request.user),
        "sessions": UserSession.objects.filter(user=request.user).count(),
    }
    return render(request, "clubs/membership/accounts/own_account.html", context, status=422 if form.errors else 200)


class PasswordResetView(PasswordResetFromKeyView):
    """The page that a reset link opens. Failed sign-ins by strangers do not delay the sign-in that follows."""

    def form_valid(self, form: PasswordResetKeyForm) -> HttpResponse:
        response = super().form_valid(form)
        forget_failures(self.request, self.reset_user)
        remember_device(self.request, response, self.reset_user.pk)
        return response


def browser_preference_view(view: Callable[[WebRequest], HttpResponse]) -> Callable[[WebRequest], HttpResponse]:
    """Decorate a view that only sets a preference cookie: check the origin instead of a CSRF token.

    Public pages then need no CSRF cookie. Raises PermissionDenied if the request comes from another site.
    """

    @csrf_exempt
    @wraps(view)
    def check_origin(request: WebRequest) -> HttpResponse:
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.get_host():
            raise PermissionDenied
        return view(request)

    return check_origin


language_set = browser_preference_view(login_not_required(require_POST(set_language)))
"""Store the chosen language in this browser and return to the page."""


@browser_preference_view
@login_not_required
@require_POST
def colour_scheme_set(request: WebRequest) -> HttpResponse:
    """Store the light, dark or automatic colour scheme in this browser and return to the page."""
    back = request.POST.get("next", "")
    # `redirect` would treat a bare word as the name of a URL.
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "home"
    response = redirect(back)
    wanted = request.POST.get("look")
    if wanted in ("light", "dark"):
        response.set_cookie("look", wanted, max_age=COOKIE_AGE, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie("look", samesite="Lax")
    return response
