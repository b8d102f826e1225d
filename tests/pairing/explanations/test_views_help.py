"""The help pages about the systems."""

from __future__ import annotations

from html import unescape

import pytest
from django.urls import reverse

from pairing.engine.acceleration import ACCELERATIONS
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.explanations.help_pages import METHOD_HELP_PAGES

pytestmark = pytest.mark.django_db


def test_an_unknown_system_has_no_page(client):
    assert client.get("/help/systems/swiss/").status_code == 404


@pytest.mark.parametrize("name", METHOD_HELP_PAGES)
def test_methods(client, name):
    assert client.post(reverse("pairing_help_page", args=[name])).status_code == 405


def test_every_system_and_acceleration_has_a_page():
    assert set(METHOD_HELP_PAGES) == {*PAIRING_SYSTEMS, *ACCELERATIONS}


@pytest.mark.parametrize("name", METHOD_HELP_PAGES)
def test_everyone_reads_what_a_method_does(client, name):
    page = client.get(reverse("pairing_help_page", args=[name])).content.decode()
    assert str(METHOD_HELP_PAGES[name].articles[-1][1]) in unescape(page)
    assert reverse("pairing_help_page", args=[name]) in client.get(reverse("pairing_help_list")).content.decode()
