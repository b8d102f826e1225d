"""Pages of events: the front page, a club's events, an event and who plays in it."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from tournaments.views import (
    check_in,
    entries,
    events,
    forbidden,
    front,
    links,
    lists,
    merging,
    people,
    ratings,
    seasons,
    wall,
)

at_the_door: list[URLPattern] = [
    path("check-in/", check_in.check_in_page, name="check_in"),
    path("check-in/close/", check_in.check_in_close, name="check_in_close"),
    path("check-in/open/", check_in.check_in_open, name="check_in_open"),
    path("check-in/code/", check_in.wall_code, name="wall_code"),
    path("check-in/code.svg", check_in.wall_code_picture, name="wall_code_picture"),
    path("absent/withdraw/", check_in.absent_withdraw, name="absent_withdraw"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front.home, name="home"),
    path("<slug:club>/", front.club, name="club"),
    path("<slug:club>/events/new/", events.tournament_new, name="tournament_new"),
    path("<slug:club>/events/import/", lists.tournament_import, name="tournament_import"),
    path("<slug:club>/members/duplicates/", merging.duplicates_page, name="duplicates"),
    path("<slug:club>/members/<int:first>/merge/<int:second>/", merging.merge_page, name="merge"),
    path("<slug:club>/members/me/data.json", people.own_data, name="own_data"),
    path("<slug:club>/members/<int:member>/data.json", people.member_data, name="member_data"),
    path("<slug:club>/members/<int:member>/erase/", people.member_erase, name="member_erase"),
    path("<slug:club>/members/kept-too-long/", people.kept_too_long_page, name="kept_too_long"),
    path("<slug:club>/ratings/", ratings.club_ratings, name="club_ratings"),
    path("<slug:club>/ratings/method/", ratings.rating_method, name="rating_method"),
    path("<slug:club>/ratings/<int:member>/", ratings.member_ratings, name="member_ratings"),
    path("<slug:club>/calendar/", seasons.calendar, name="calendar"),
    path("<slug:club>/calendar.ics", seasons.calendar_feed, name="calendar_feed"),
    path("<slug:club>/attendance/", seasons.attendance_page, name="attendance"),
    path("<slug:club>/series/new/", seasons.series_new, name="series_new"),
    path("<slug:club>/series/<int:series>/", seasons.series_page, name="series"),
    path("<slug:club>/series/<int:series>/edit/", seasons.series_edit, name="series_edit"),
    path("<slug:club>/<slug:event>/", events.tournament, name="tournament"),
    path("<slug:club>/<slug:event>/edit/", events.tournament_edit, name="tournament_edit"),
    path("<slug:club>/<slug:event>/evenings/", seasons.evenings, name="evenings"),
    path("<slug:club>/<slug:event>/log/", events.tournament_log, name="tournament_log"),
    path("<slug:club>/<slug:event>/export.trf", events.trf_export, name="trf_export"),
    path("<slug:club>/<slug:event>/players/", entries.entries, name="entries"),
    path("<slug:club>/<slug:event>/players/choose/", entries.entries_choose, name="entries_choose"),
    path("<slug:club>/<slug:event>/players/paste/", lists.entries_paste, name="entries_paste"),
    path("<slug:club>/<slug:event>/players/import/", lists.entries_import, name="entries_import"),
    path("<slug:club>/<slug:event>/players/<int:entry>/edit/", entries.entry_edit, name="entry_edit"),
    path(
        "<slug:club>/<slug:event>/players/<int:entry>/first-round/", entries.entry_first_round, name="entry_first_round"
    ),
    path("<slug:club>/<slug:event>/players/<int:entry>/withdraw/", entries.entry_withdraw, name="entry_withdraw"),
    path("<slug:club>/<slug:event>/players/<int:entry>/return/", entries.entry_return, name="entry_return"),
    path("<slug:club>/<slug:event>/players/<int:entry>/remove/", entries.entry_remove, name="entry_remove"),
    path("<slug:club>/<slug:event>/players/links/", links.personal_links, name="personal_links"),
    path("<slug:club>/<slug:event>/players/<int:entry>/link.svg", links.personal_link_picture, name="link_picture"),
    path("<slug:club>/<slug:event>/players/<int:entry>/link/renew/", links.personal_link_renew, name="link_renew"),
    path("<slug:club>/<slug:event>/check-in/<str:token>/", wall.wall, name="wall"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(at_the_door)),
    path("<slug:club>/<slug:event>/must-not-meet/", forbidden.forbidden_pairs, name="forbidden_pairs"),
    path("<slug:club>/<slug:event>/must-not-meet/groups/", forbidden.groups_keep_apart, name="groups_keep_apart"),
    path("<slug:club>/<slug:event>/must-not-meet/may-meet/", forbidden.group_may_meet, name="group_may_meet"),
    path(
        "<slug:club>/<slug:event>/must-not-meet/<int:pair>/remove/",
        forbidden.forbidden_pair_remove,
        name="forbidden_pair_remove",
    ),
]
