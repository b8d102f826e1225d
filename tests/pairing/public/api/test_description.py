"""The API compared with its own schema by Schemathesis: generated requests, valid and invalid.

A handful for each address here; as many as you like by command (docs/developer/api.md).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings

from clubs.models import Club, User
from pairing.models import ApiToken
from pairing.public.api import endpoints, view_decorator
from pairing.public.api_tokens.tokens import create_token
from tests.factories import played, published
from tests.scenario import make_cast

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
EXAMPLES = int(os.environ.get("CLUBNIGHT_API_EXAMPLES", "4"))


@pytest.fixture
def description(db, monkeypatch) -> Iterator[Any]:
    """The API's schema, with an event that most requests are about.

    Schemathesis is loaded here alone, and not by every process that collects this.
    """
    import schemathesis

    monkeypatch.setattr(view_decorator, "MAX_REQUESTS_PER_MINUTE", 10**9)
    cast = make_cast()
    played(cast.event, 1)
    published(cast.event, 2)
    # As Django's own client does, so that the test's transaction goes on after each request.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    found = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", _uncompressed(WSGIHandler()))
    there = {
        "club": cast.club.slug,
        "event": cast.event.slug,
        "number": 1,
        "after": 1,
        "board": 1,
        "entry": cast.entry(0).pk,
    }

    @found.hook("map_path_parameters")
    def mostly_there(_context: Any, parameters: dict[str, Any] | None) -> dict[str, Any] | None:
        """Random names match nothing, so every second request is about existing data."""
        if parameters and len(str(parameters)) % 2:
            return {name: there.get(name, value) for name, value in parameters.items()}
        return parameters

    yield found
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def _uncompressed(application: Any) -> Any:
    """Schemathesis requests compressed answers, but does not decompress those of an app in its own process."""

    def asked(environ: dict[str, Any], start: Any) -> Any:
        environ.pop("HTTP_ACCEPT_ENCODING", None)
        return application(environ, start)

    return asked


def _token_header() -> dict[str, str]:
    club = Club.objects.get(slug="pod-goncem")
    _token, text = create_token(
        club,
        name="bot",
        scopes=ApiToken.Scope.values,
        tournament=None,
        expires_at=timezone.now() + timedelta(days=1),
        by=User.objects.get(username="secretary"),
        site="https://chess.example/",
    )
    return {"Authorization": f"Bearer {text}"}


@pytest.mark.parametrize("has_token", [False, True])
def test_it_answers_as_it_is_described(description, has_token):
    from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

    headers, tried = (_token_header() if has_token else {}), set()
    for found in description.get_all_operations():
        operation = found.ok()
        tried.add(operation.path)

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize="CLUBNIGHT_API_EXAMPLES" not in os.environ,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def holds(case: Any) -> None:
            # A NUL is refused in any value, which the schema of a string cannot express. Nor can it say what is known
            # of players, such as that there is no 30 February.
            holds_nul = "\\x00" in repr((case.path_parameters, case.query))
            is_vague = holds_nul or "entries" in case.path
            # That nothing works without a token, or with a wrong one, is tested in test_changes.py.
            excluded = [ignored_auth, *([positive_data_acceptance] if is_vague else [])]
            case.call_and_validate(headers=headers, excluded_checks=excluded)

        holds()
    assert len(tried) == len(endpoints.api.get_openapi_schema(path_prefix=endpoints.API_ROOT)["paths"]) >= 9
