"""A server without mail, TLS or database shows messages that help."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.urls import reverse

from tests.scenario import make_cast

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize(("host", "said"), [("", "Share the link yourself"), ("mail.example", "sent to")])
def test_nobody_is_told_to_wait_for_a_letter_that_becomes_a_file(settings, host: str, said: str):
    settings.EMAIL_HOST = host
    cast = make_cast()
    invited = {"role": "arbiter", "email": "anna@poczta.example", "days": 7}
    answer = cast.browser("secretary").post(reverse("club_roles", args=[cast.club.slug]), invited, follow=True)
    assert said in answer.text
    asked = cast.browser("visitor").get(reverse("account_reset_password"))
    assert ("manage.py changepassword" in asked.text) is not bool(host)


@pytest.mark.django_db
def test_what_is_missing_for_a_server_is_said_once_and_by_its_setting(settings):
    settings.EMAIL_HOST = ""
    said = {str(each.id): str(each.hint) for each in run_checks(include_deployment_checks=True)}
    assert "CLUBNIGHT_HTTPS=1" in said["clubnight.W001"]
    assert "CLUBNIGHT_MAIL" in said["clubnight.W002"]
    assert not any(found.startswith("security.W0") and "SSL" in hint for found, hint in said.items())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://x/y", "is no database known here"),
        ("postgres://a:b@127.0.0.1:1/x", "Can't reach the database. Check that it is running"),
    ],
)
def test_a_wrong_database_is_one_sentence(address: str, said: str):
    told = os.environ | {"CLUBNIGHT_DATABASE": address, "CLUBNIGHT_DEBUG": "1"}
    done = subprocess.run(
        [sys.executable, "manage.py", "showmigrations"], cwd=ROOT, env=told, capture_output=True, text=True
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert said in done.stderr
