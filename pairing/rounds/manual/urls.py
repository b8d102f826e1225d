"""Addresses of changing a draft by hand."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.rounds.manual.views import editing, undoing

a_draft: list[URLPattern] = [
    path("edit/", editing.round_edit, name="round_edit"),
    path("edit/begin/", editing.round_edit_begin, name="round_edit_begin"),
    path("edit/change/", editing.round_change, name="round_change"),
    path("edit/done/", editing.round_edit_done, name="round_edit_done"),
    path("edit/end/", editing.round_edit_end, name="round_edit_end"),
    path("undo/", undoing.round_undo, name="round_undo"),
    path("redo/", undoing.round_redo, name="round_redo"),
    path("restore/<int:point>/", undoing.round_restore, name="round_restore"),
]

urlpatterns = [path("<slug:club>/<slug:event>/rounds/<int:number>/", include(a_draft))]
