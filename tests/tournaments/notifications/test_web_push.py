"""Push messages: encrypted for the device, sent only to push services, and the services' answers."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, player, published
from tests.push_service import check_sender
from tests.tournaments.notifications.people import SITE, look_again
from tournaments.check_in.personal_links import event_link_token
from tournaments.models import Notification, NotificationChannel
from tournaments.notifications import delivery
from tournaments.notifications.preferences import MAX_DEVICES, add_push_device
from tournaments.notifications.views.preferences import mask_email_address
from tournaments.notifications.web_push import is_push_service, load_push_keys


@pytest.fixture
def event(club):
    return make_event(club, players=4)


def send_device(entry, device, **more):
    path = reverse("personal_device_add", args=[event_link_token(entry)])
    return Client().post(path, {"pairings": "on", **device._asdict(), **more})


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://localhost:6379/",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evil.example/fcm.googleapis.com",
        "https://evil@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8080/x",
        "https://notify.windows.com.evil.example/",
        "https://[::1",
        "file:///etc/passwd",
        "",
    ],
)
def test_the_server_asks_nobody_but_push_services(endpoint, event, push_service):
    assert not is_push_service(endpoint)
    device = push_service.device()
    assert send_device(player(event, 1), device, endpoint=endpoint).status_code == 422
    assert not NotificationChannel.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://wns2-par02p.notify.windows.com/w/?token=abc",
        "https://web.push.apple.com/abc",
    ],
)
def test_the_services_of_the_usual_browsers_are_known(endpoint):
    assert is_push_service(endpoint)


def test_more_devices_than_one_batch_are_all_notified(event, push_service, monkeypatch):
    monkeypatch.setattr(delivery, "CHANNELS_PER_BATCH", 1)
    for number in (1, 2):
        send_device(player(event, number), push_service.device())
    published(event, 1)
    assert len(push_service.taken) == 2


@pytest.mark.parametrize("address", [("anna@poczta.example", "a…@poczta.example"), ("none", "")])
def test_an_address_is_shown_veiled(address):
    assert mask_email_address(address[0]) == address[1]


@pytest.mark.parametrize("broken", [{"p256dh": "AAAA"}, {"auth": ""}, {"p256dh": "ß"}, {"auth": "x" * 4000}])
def test_broken_keys_are_refused(broken, event, push_service):
    assert send_device(player(event, 1), push_service.device(), **broken).status_code == 422


def test_a_device_reads_what_it_is_sent_and_the_service_knows_by_whom(event, push_service):
    assert send_device(player(event, 1), push_service.device()).status_code == 201
    published(event, 1)
    ((_path, headers, _body),) = push_service.taken
    (message,) = push_service.shown()
    keys = load_push_keys()
    claims = check_sender(headers["authorization"], keys.public, push_service.origin)
    assert claims["sub"] == "mailto:club@chess.example"
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 3600
    assert message["body"].startswith("Round 1 is published. You have ")
    assert message["url"].startswith(f"/p/{player(event, 1).pk}.")
    assert Notification.objects.get().state == "sent"
    assert mail.outbox == []


def test_the_key_stays_and_is_for_its_owner_alone(push_service, settings):
    first = load_push_keys()
    assert settings.PUSH_KEY_FILE.stat().st_mode & 0o777 == 0o600
    assert b"PRIVATE KEY" in first.private_pem
    assert load_push_keys() == first


@pytest.mark.parametrize(
    ("answers", "state", "shown", "ways"),
    [
        ([503, 429], "sent", 1, 1),
        ([410], None, 0, 0),
        ([404], None, 0, 0),
        ([400], "failed", 0, 1),
    ],
)
def test_what_a_push_service_answers(answers, state, shown, ways, event, push_service):
    """Busy: again. Gone: the device is forgotten. Refused: not again."""
    push_service.answers = list(answers)
    send_device(player(event, 1), push_service.device())
    published(event, 1)
    for _minute in answers:
        look_again()
    message = Notification.objects.first()
    assert (message and message.state, len(push_service.taken), NotificationChannel.objects.count()) == (
        state,
        shown,
        ways,
    )


def test_a_device_that_comes_again_is_one_and_too_many_push_out_the_oldest(event, push_service):
    entry = player(event, 1)
    device = push_service.device()
    for _twice in range(2):
        send_device(entry, device)
    assert NotificationChannel.objects.count() == 1
    for _each in range(MAX_DEVICES):
        add_push_device(entry, push_service.device(), ["pairings"], site=SITE)
    assert NotificationChannel.objects.count() == MAX_DEVICES
    assert not NotificationChannel.objects.filter(endpoint=device.endpoint).exists()


def test_nobody_forgets_anothers_device(event, push_service):
    send_device(player(event, 1), push_service.device())
    way = NotificationChannel.objects.get()
    path = "personal_notifications"
    Client().post(reverse(path, args=[event_link_token(player(event, 2))]), {"forget": way.pk})
    assert NotificationChannel.objects.exists()
    Client().post(reverse(path, args=[event_link_token(player(event, 1))]), {"forget": way.pk})
    assert not NotificationChannel.objects.exists()


def test_a_program_that_taps_too_fast_waits(event, push_service):
    entry = player(event, 1)
    statuses = [send_device(entry, push_service.device()).status_code for _each in range(22)]
    assert statuses[0] == 201
    assert statuses[-1] == 429
