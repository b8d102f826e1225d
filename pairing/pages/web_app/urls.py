"""URLs of the web app manifest, the service worker and the offline page."""

from __future__ import annotations

from django.urls import path

from pairing.pages.web_app import views

urlpatterns = [
    path("manifest.webmanifest", views.web_app_manifest, name="web_app_manifest"),
    path("service-worker.js", views.service_worker, name="service_worker"),
    path("offline/", views.offline_page, name="offline_page"),
]
