"""The style guide: available to developers and to nobody else."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.test_conventions import ROOT

pytestmark = pytest.mark.django_db


def test_it_is_not_there_in_a_deployment(client, settings):
    settings.DEBUG = False
    assert client.get(reverse("styleguide")).status_code == 404


def test_it_shows_components_of_every_kind(client, settings):
    settings.DEBUG = True
    text = client.get(reverse("styleguide")).content.decode()
    for part in ("tr.disputed", "tr.late", "tr.wrong", "tr.forbidden", "tr.doubtful", "li.draft", "div.empty"):
        tag, name = part.split(".")
        assert re.search(rf'<{tag}\b[^>]*class="[^"]*\b{name}\b', text), part
    for kind in ("good", "care", "problem"):
        assert f'class="notice {kind}"' in text
        assert f'class="badge {kind}"' in text


def test_every_drawing_of_the_family_is_shown(client, settings):
    settings.DEBUG = True
    text = client.get(reverse("styleguide")).content.decode()
    drawn = re.findall(r'<symbol id="([\w-]+)"', (ROOT / "static/img/icons.svg").read_text())
    assert drawn
    assert [name for name in drawn if f"icons.svg#{name}" not in text] == []
    used = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'icon.html" with name="([\w-]+)"', path.read_text())
    }
    assert used - set(drawn) == set()
