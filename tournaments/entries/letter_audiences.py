"""Groups of readers for the club's letters: the players in an event, and everyone who played last season."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.membership.letters.audiences import Audience, Reader, member_readers, register_audiences
from clubs.models import Club, DuesSeason, Member
from tournaments.models import OnlineEntry, Tournament

MAX_EVENTS = 20


def event_audiences(club: Club) -> list[Audience]:
    """Return a group of everyone who played last season, and one of the players in each recent event."""
    events = club.tournaments.order_by("-starts_on", "-pk")[:MAX_EVENTS]
    found = [
        Audience(
            key=f"event:{event.pk}",
            title=str(_("Players of %(event)s")) % {"event": event.name},
            readers=lambda event=event: _players(event),  # type: ignore[misc]
        )
        for event in events
    ]
    last = club.seasons.filter(ends_on__lt=timezone.localdate()).order_by("-ends_on").first()
    if last is None:
        return found
    title = str(_("Everyone who played in %(season)s")) % {"season": last.name}
    return [Audience(key="last-season", title=title, readers=lambda: _players_of_season(last)), *found]


def _players(event: Tournament) -> list[Reader]:
    """Return members, and guests who entered online, whose address is for this event."""
    playing = event.entries.filter(withdrawn_from_round=None)
    members = Member.objects.filter(entries__in=playing, erased_at=None)
    guests = OnlineEntry.objects.filter(entry__in=playing, entry__member=None)
    return [
        *member_readers(members),
        *(
            Reader(
                name=each.name,
                called=each.name.partition(", ")[2] or each.name,
                email=each.contact_email,
                language=each.language,
            )
            for each in guests
        ),
    ]


def _players_of_season(season: DuesSeason) -> list[Reader]:
    events = Tournament.objects.filter(club=season.club_id, starts_on__range=(season.starts_on, season.ends_on))
    members = Member.objects.filter(club=season.club_id, erased_at=None, entries__tournament__in=events)
    return member_readers(members.distinct())


register_audiences(event_audiences)
