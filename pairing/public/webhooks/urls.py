"""URLs of a club's webhooks."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.public.webhooks import views

urlpatterns = [
    path("<slug:club>/settings/webhooks/", views.webhook_list, name="webhook_list"),
    path("<slug:club>/settings/webhooks/<int:webhook>/", views.webhook_detail, name="webhook_detail"),
    path("<slug:club>/settings/webhooks/<int:webhook>/test/", views.webhook_test, name="webhook_test"),
    path("<slug:club>/settings/webhooks/<int:webhook>/pause/", views.webhook_pause, name="webhook_pause"),
    path(
        "<slug:club>/settings/webhooks/<int:webhook>/secret/", views.webhook_secret_renew, name="webhook_secret_renew"
    ),
    path("<slug:club>/settings/webhooks/<int:webhook>/delete/", views.webhook_delete, name="webhook_delete"),
]

register_menu_links(
    MenuLink(slot=MenuSlot.SETTINGS_ONLINE, name="webhooks", title=_("Webhooks"), url_name="webhook_list", position=71)
)
