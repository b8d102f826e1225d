"""Middleware that sends anonymous users to the sign-in page and keeps what they submitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _

from clubs.membership.accounts.deferred_posts import (
    DEFERRED_POSTS_KEY,
    REPLAY_FIELD,
    defer_post,
    is_post_too_large,
    pop_from_session,
)
from clubs.membership.accounts.forms import SignInForm
from clubs.two_factor import TwoFactorRequired

SESSION_ENDED_STATUS = 401


def buffer_anonymous_uploads(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: buffer anonymous uploads before their fields are read, so that the uploads can be kept.

    It must come before the CSRF middleware, which reads the fields.
    """

    def upload_middleware(request: HttpRequest) -> HttpResponse:
        is_form_with_files = request.method == "POST" and request.content_type == "multipart/form-data"
        if is_form_with_files and not is_post_too_large(request) and SESSION_KEY not in request.session:
            _ = request.body
        return get_response(request)

    return upload_middleware


def limit_anonymous_post_size(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: refuse anonymous posts that are too large to keep, without reading them.

    It must come after authentication and before anything that reads fields. API requests with a key are checked by the
    API itself.
    """

    def post_size_middleware(request: HttpRequest) -> HttpResponse:
        # `request.user` is only loaded for large posts, because most pages do not need it.
        if request.method == "POST" and is_post_too_large(request) and not is_signed_in_or_has_key(request):
            return render_sign_in_page(request, is_htmx=bool(request.headers.get("HX-Request")))
        return get_response(request)

    def is_signed_in_or_has_key(request: HttpRequest) -> bool:
        return request.user.is_authenticated or "Authorization" in request.headers

    return post_size_middleware


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Require sign-in for every view not marked `@login_not_required`.

    After signing in, the requested page opens. Submitted forms are kept in the sign-in page. Forged requests never get
    here because CSRF is checked first.
    """

    def process_view(self, request: HttpRequest, view_func: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        if request.method == "POST" and DEFERRED_POSTS_KEY in request.session and REPLAY_FIELD in request.POST:
            pop_from_session(request)
        return super().process_view(request, view_func, args, kwargs)

    def handle_no_permission(self, request: HttpRequest, view_func: Any) -> Any:
        is_htmx = bool(getattr(request, "htmx", False))
        if request.method in ("GET", "HEAD"):
            if not is_htmx:
                return super().handle_no_permission(request, view_func)
            response = HttpResponse(status=204)
            response.headers["HX-Redirect"] = f"{resolve_url('account_login')}?next={request.path}"
            return response
        return render_sign_in_page(request, is_htmx=is_htmx)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Redirect officers without two-factor sign-in to the set-up page, if their club requires it."""
        if not isinstance(exception, TwoFactorRequired):
            return None
        messages.warning(
            request,
            _("This club requires two-factor authentication for officers. Set it up here to open the club's pages."),
        )
        return redirect("mfa_activate_totp")


def render_sign_in_page(request: HttpRequest, *, is_htmx: bool) -> HttpResponse:
    """Return the sign-in page with the submitted form in it. For HTMX, insert it at the top of the current page."""
    kept = defer_post(request)
    form = SignInForm(request=request, kept=(kept.to_signed_text(),) if kept else ())
    template = "account/session_ended.html" if is_htmx else "account/login.html"
    response = render(
        request, template, {"form": form, "has_ended": True, "is_kept": kept is not None}, status=SESSION_ENDED_STATUS
    )
    if is_htmx:
        response.headers["HX-Retarget"] = "#main"
        response.headers["HX-Reswap"] = "afterbegin show:top"
    return response
