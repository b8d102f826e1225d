"""Addresses of a person's data across the club's book and its events."""

from __future__ import annotations

from django.urls import path

from tournaments.people.views import data, merging

urlpatterns = [
    path("<slug:club>/members/duplicates/", merging.duplicates_page, name="duplicates"),
    path("<slug:club>/members/<int:first>/merge/<int:second>/", merging.merge_page, name="merge"),
    path("<slug:club>/members/me/data.json", data.own_data, name="own_data"),
    path("<slug:club>/members/<int:member>/data.json", data.member_data, name="member_data"),
    path("<slug:club>/members/<int:member>/erase/", data.member_erase, name="member_erase"),
    path("<slug:club>/members/kept-too-long/", data.kept_too_long_page, name="kept_too_long"),
]
