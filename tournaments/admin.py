"""Events in the site's admin, read-only. They are run on their own pages, where their rules are enforced."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from tournaments.models import LogEntry, Tournament


class ReadOnlyAdmin(admin.ModelAdmin):
    """An admin class without permission to add, change or delete."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "system", "rounds_announced", "starts_on"]
    list_filter = ["system", "club"]
    search_fields = ["name", "slug"]
    list_select_related = ["club"]


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    list_display = ["at", "tournament", "round", "action", "actor"]
    list_filter = ["action"]
    date_hierarchy = "at"
    list_select_related = ["tournament", "round__tournament", "actor"]
