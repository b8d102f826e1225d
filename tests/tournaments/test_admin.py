"""The admin shows events and their logs read-only; events are run on their own pages."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import make_event

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize("kind", ["tournament", "logentry"])
def test_nothing_is_added_changed_or_deleted_there(kind, club, admin_client):
    event = make_event(club, players=2)
    row = event.pk if kind == "tournament" else event.log.latest("pk").pk
    page = {each: reverse(f"admin:tournaments_{kind}_{each}", args=[row]) for each in ("change", "delete")}
    page |= {each: reverse(f"admin:tournaments_{kind}_{each}") for each in ("changelist", "add")}
    for shown in ("changelist", "change"):
        assert admin_client.get(page[shown]).status_code == 200
    for done in ("add", "change", "delete"):
        assert admin_client.post(page[done], {"post": "yes"}).status_code == 403, done
