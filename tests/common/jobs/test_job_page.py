"""The page of a job: who can see it, what it shows, where it leads."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from clubs.access import get_job_for_viewer
from clubs.models import Role, User
from common.jobs import status
from common.jobs.status import job_summary
from common.models import Job
from tests.common.jobs.test_jobs import bell, job_of
from tests.factories import make_club, make_user

__all__ = ["bell"]


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_job_is_for_its_owner_and_the_officers_of_its_club(club, secretary, treasurer, member, neighbour, outsider):
    asked_by_member = job_of(club, member)
    for somebody in (member, secretary, treasurer):
        assert get_job_for_viewer(somebody, asked_by_member.pk) == asked_by_member
    for stranger in (neighbour, outsider, AnonymousUser()):
        with pytest.raises(Http404):
            get_job_for_viewer(stranger, asked_by_member.pk)
    with pytest.raises(Http404):
        get_job_for_viewer(member, job_of(club, secretary).pk)
    with pytest.raises(Http404):
        get_job_for_viewer(secretary, job_of(None, member).pk)


@pytest.mark.django_db
def test_pages_of_a_job_refuse(client, club, secretary, member):
    job = job_of(club, secretary, sent_at=timezone.now())
    page, stop = reverse("job_page", args=[job.pk]), reverse("job_cancel", args=[job.pk])
    assert client.get(page).status_code == 302
    client.force_login(member)
    assert client.get(page).status_code == client.post(stop).status_code == 404
    client.force_login(secretary)
    assert client.post(page).status_code == client.get(stop).status_code == 405
    assert client.get(reverse("job_page", args=[0])).status_code == 404


AT_WORK = {"state": "running", "heartbeat_at": 0}

# -- Shown -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def officer(client, club, secretary) -> User:
    client.force_login(secretary)
    return secretary


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Check that Redis is running"),
        ({"sent_at": 0}, "Starting soon"),
        ({"sent_at": 0, "created_at": 60}, "celery -A config worker"),
        (AT_WORK | {"task": "pairing.tasks.pair_round_task", "stage": "saving"}, "<strong>Saving</strong>"),
        (
            AT_WORK | {"task": "pairing.tasks.pair_what_if_task", "stage": "rounds", "done": 2, "total": 3},
            "2 of 3 rounds",
        ),
        (AT_WORK | {"task": "no.such.task", "stage": "saving"}, "Working…"),
        ({"state": "running", "heartbeat_at": 0, "cancel_asked": True}, "Stopping"),
        ({"state": "running", "sent_at": 0, "heartbeat_at": 60}, "without repeating anything"),
        ({"state": "failed", "error": "No legal pairing exists."}, "No legal pairing exists."),
        ({"state": "cancelled"}, "Nothing was changed"),
        ({"state": "done"}, "Done."),
    ],
)
def test_the_page_says_how_things_stand(client, officer, club, settings, bell, fields, said):
    settings.CELERY_BROKER_URL = "redis://nowhere"
    now = timezone.now()
    times = {name: now - timedelta(seconds=fields[name]) for name in fields if name.endswith("_at")}
    job = job_of(club, officer, **{**fields, **times})
    whole = client.get(reverse("job_page", args=[job.pk])).content.decode()
    part = client.get(
        reverse("job_page", args=[job.pk]), headers={"HX-Request": "true", "HX-Target": "job"}
    ).content.decode()
    assert said in whole
    assert said in part
    assert "<html" in whole
    assert "<html" not in part
    assert ('hx-trigger="every 1s"' in part) is (not job.is_over)


def test_a_worker_is_started_as_this_server_starts_it(monkeypatch, tmp_path):
    """Started by hand, it would lack the services' settings, such as the database."""
    monkeypatch.setattr(status, "SYSTEMD_TARGET", tmp_path / "clubnight.target")
    assert "celery -A config worker" in status.worker_command()
    status.SYSTEMD_TARGET.touch()
    assert status.worker_command() == "sudo systemctl start clubnight.target"


@pytest.mark.django_db
def test_its_end_leads_on(client, officer, club):
    job = job_of(club, officer, state=Job.State.DONE, arguments={"next": "/where-asked/"}, result={"next": "/made/"})
    page = reverse("job_page", args=[job.pk])
    assert client.get(page)["Location"] == "/made/"
    assert client.get(page, headers={"HX-Request": "true", "HX-Target": "job"})["HX-Redirect"] == "/made/"
    Job.objects.update(result={})
    assert client.get(page)["Location"] == "/where-asked/"


@pytest.mark.django_db
def test_the_page_stops_a_job(client, officer, club):
    job = job_of(club, officer, sent_at=timezone.now())
    answer = client.post(reverse("job_cancel", args=[job.pk]), follow=True)
    assert "Nothing was changed" in answer.content.decode()
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED


@pytest.mark.django_db
def test_another_clubs_officer_sees_no_title(client):
    other = make_club("na-skale", "Na Skale")
    client.force_login(make_user("visitor", other, Role.SECRETARY))
    assert client.get(reverse("job_page", args=[job_of(make_club()).pk])).status_code == 404


@pytest.mark.django_db
def test_a_title_lacks_nothing_where_an_argument_is_missing():
    assert job_summary(job_of()).title == "Background job"
