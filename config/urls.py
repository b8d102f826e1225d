"""Where every address leads."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("", include("pairing.urls")),
]
