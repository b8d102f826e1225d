"""The Django admin for clubs, users and members."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from clubs.models import Club, Member, Membership, User

admin.site.register(User, UserAdmin)


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ["name", "city", "slug"]
    search_fields = ["name", "slug"]
    inlines = [MembershipInline]


@admin.register(Member)
class MemberAdmin(admin.ModelAdmin):
    list_display = ["name", "club", "rating", "title", "status"]
    list_filter = ["club", "status"]
    search_fields = ["family_name", "given_name", "fide_id"]
    autocomplete_fields = ["user"]
    list_select_related = ["club"]
