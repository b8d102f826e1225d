"""Error reports are sent only where they are wanted, and without secrets."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import error_reports

pytestmark = pytest.mark.one_database


def test_reports_hold_nothing_personal(monkeypatch):
    begun = {}
    sentry = SimpleNamespace(init=lambda dsn, **options: begun.update(options, dsn=dsn))
    monkeypatch.setitem(sys.modules, "sentry_sdk", sentry)
    error_reports.start_error_reports("https://key@errors.example.org/1")
    assert begun["dsn"] == "https://key@errors.example.org/1"
    assert (begun["send_default_pii"], begun["include_local_variables"]) == (False, False)
    link = "https://chess.example.org/p/12.secret/"
    event = {
        "request": {"url": link, "method": "GET", "query_string": "q=Name", "cookies": {"a": "b"}, "headers": {}},
        "user": {"id": 1},
        "logentry": {"message": "Internal Server Error: %s", "params": ["/p/12.secret/"]},
        "exception": {"values": [{"value": f"no row for {link}"}]},
    }
    sent = begun["before_send"](event, {})
    assert "secret" not in str(sent)
    assert sent["request"] == {"url": "https://chess.example.org/p/12.…/", "method": "GET"}
    assert "user" not in sent


def test_a_server_without_the_package_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="pip install"):
        error_reports.start_error_reports("https://key@errors.example.org/1")
