"""Where every address leads."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The administration has no sign-in of its own: it would know nothing of second steps and of too many tries.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = "config.error_handlers.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("", include("operations.urls")),
    path("", include("pairing.urls")),
]
