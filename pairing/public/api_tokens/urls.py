"""URLs of the tokens of a club."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.public.api_tokens import views

urlpatterns = [
    path("<slug:club>/settings/api-tokens/", views.api_tokens, name="club_api_tokens"),
    path(
        "<slug:club>/settings/api-tokens/<int:api_token>/revoke/", views.api_token_revoke, name="club_api_token_revoke"
    ),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.SETTINGS_ONLINE, name="api tokens", title=_("API tokens"), url_name="club_api_tokens", position=70
    )
)
