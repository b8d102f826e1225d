"""URLs for monitoring programs."""

from __future__ import annotations

from django.urls import path

from operations.health import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
]
