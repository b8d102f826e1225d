"""URLs for changing a draft manually."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.rounds.manual.views import draft_edit, undo_redo

draft_urls: list[URLPattern] = [
    path("edit/", draft_edit.round_edit, name="round_edit"),
    path("edit/begin/", draft_edit.round_edit_begin, name="round_edit_begin"),
    path("edit/change/", draft_edit.round_edit_apply, name="round_edit_apply"),
    path("edit/done/", draft_edit.round_edit_review, name="round_edit_review"),
    path("edit/end/", draft_edit.round_edit_end, name="round_edit_end"),
    path("undo/", undo_redo.round_undo, name="round_undo"),
    path("redo/", undo_redo.round_redo, name="round_redo"),
    path("restore/<int:point>/", undo_redo.round_restore, name="round_restore"),
]

urlpatterns = [path("<slug:club>/<slug:event>/rounds/<int:number>/", include(draft_urls))]
