"""The pages that explain the systems."""

from __future__ import annotations

from html import unescape

import pytest
from django.urls import reverse

from pairing.engine.acceleration import ACCELERATIONS
from pairing.engine.systems import SYSTEMS
from pairing.explanations.help_pages import HELP_PAGES

pytestmark = pytest.mark.django_db


def test_an_unknown_system_has_no_page(client):
    assert client.get("/help/systems/swiss/").status_code == 404


@pytest.mark.parametrize("name", HELP_PAGES)
def test_methods(client, name):
    assert client.post(reverse("help_system", args=[name])).status_code == 405


def test_every_system_and_acceleration_has_a_page():
    assert set(HELP_PAGES) == {*SYSTEMS, *ACCELERATIONS}


@pytest.mark.parametrize("name", HELP_PAGES)
def test_everyone_reads_what_a_method_does(client, name):
    page = client.get(reverse("help_system", args=[name])).content.decode()
    assert str(HELP_PAGES[name].articles[-1][1]) in unescape(page)
    assert reverse("help_system", args=[name]) in client.get(reverse("help_systems")).content.decode()
