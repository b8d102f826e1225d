"""URLs for changing a draft manually."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.rounds.manual import views

draft_urls: list[URLPattern] = [
    path("edit/", views.round_edit, name="round_edit"),
    path("edit/begin/", views.round_edit_begin, name="round_edit_begin"),
    path("edit/change/", views.round_edit_apply, name="round_edit_apply"),
    path("edit/done/", views.round_edit_review, name="round_edit_review"),
    path("edit/end/", views.round_edit_end, name="round_edit_end"),
    path("undo/", views.round_undo, name="round_undo"),
    path("redo/", views.round_redo, name="round_redo"),
    path("restore/<int:point>/", views.round_restore, name="round_restore"),
]

urlpatterns = [path("<slug:club>/<slug:event>/rounds/<int:number>/", include(draft_urls))]
