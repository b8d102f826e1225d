"""The web app manifest and the service worker."""

from __future__ import annotations

from django.test import Client


def test_it_can_be_put_on_the_home_screen(db):
    manifest = Client().get("/manifest.webmanifest")
    assert manifest.headers["Content-Type"] == "application/manifest+json"
    told = manifest.json()
    assert (told["start_url"], told["scope"], told["display"]) == ("/me/", "/", "standalone")
    assert {icon["sizes"] for icon in told["icons"]} == {"192x192", "512x512"}
    worker = Client().get("/service-worker.js")
    assert worker.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in worker.headers["Cache-Control"]
