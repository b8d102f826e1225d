"""The root URL configuration."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The admin's own sign-in would have no second factor and no throttling.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = "config.error_handlers.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("", include("operations.urls")),
    path("", include("pairing.urls")),
]
