"""Sends errors to a Sentry server, if `CLUBNIGHT_SENTRY_DSN` is set. The package is an extra: few servers need it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.log_redaction import redact_tokens


def start_error_reports(dsn: str) -> None:
    """Report exceptions from now on, without personal data: no forms, cookies, users or local variables."""
    try:
        import sentry_sdk
    except ImportError as missing:
        raise ImproperlyConfigured(
            "CLUBNIGHT_SENTRY_DSN needs the package sentry-sdk. Install it: .venv/bin/pip install sentry-sdk"
        ) from missing
    sentry_sdk.init(
        dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=without_secrets,
    )


def without_secrets(event: Any, _hint: Any) -> Any:
    """Return the report without queries, headers, the user or the secret parts of links."""
    request = event.get("request", {})
    event["request"] = {name: request[name] for name in ("url", "method") if name in request}
    event.pop("user", None)
    return _redacted(event)


def _redacted(value: Any) -> Any:
    """Return the value with every text in it redacted."""
    if isinstance(value, dict):
        return {name: _redacted(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(each) for each in value]
    return redact_tokens(value)
