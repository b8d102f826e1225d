"""URLs of an event's log."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.audit_log import views

urlpatterns = [
    path("<slug:club>/<slug:event>/log/", views.tournament_log, name="tournament_log"),
    path("<slug:club>/<slug:event>/log/lines.jsonl", views.tournament_log_file, name="tournament_log_file"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.EVENT,
        name="log",
        title=_("Log"),
        url_name="tournament_log",
        position=50,
        is_visible=lambda c: bool(c.get("may_run")),
    )
)
