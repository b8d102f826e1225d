"""URLs of background jobs."""

from __future__ import annotations

from django.urls import path

from clubs.job_progress import views

urlpatterns = [
    path("jobs/<int:job>/", views.job_page, name="job_page"),
    path("jobs/<int:job>/cancel/", views.job_cancel, name="job_cancel"),
]
