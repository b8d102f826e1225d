"""URLs of imports and exports."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.import_export import views

urlpatterns = [
    path("<slug:club>/events/import/", views.tournament_import, name="tournament_import"),
    path("<slug:club>/ratings/reports/", views.monthly_fide_reports, name="monthly_fide_reports"),
    path("<slug:club>/<slug:event>/report/", views.fide_report_check, name="fide_report_check"),
    path("<slug:club>/<slug:event>/export.trf", views.trf_export, name="trf_export"),
    path("<slug:club>/<slug:event>/players/paste/", views.entries_paste, name="entries_paste"),
    path("<slug:club>/<slug:event>/players/import/", views.entries_import, name="entries_import"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.CLUB_RATINGS,
        name="reports",
        title=_("FIDE reports"),
        url_name="monthly_fide_reports",
        position=10,
        is_visible=lambda c: bool(c["may_run"]),
    )
)
