"""As whom a player stands in what leaves the club for everybody's eyes."""

from __future__ import annotations

from clubs.models import Member
from clubs.privacy import public_name
from tournaments.models import Tournament


class PublicNames:
    """Names of an event's players: initials for whoever refused publication, also where the event is not public.

    One query.
    """

    def __init__(self, tournament: Tournament) -> None:
        refused = tournament.entries.filter(member__publication_consent=Member.Consent.REFUSED)
        self._kept_back = {
            entry.pk: public_name(entry.member)
            for entry in refused.select_related("member")
            if entry.member is not None
        }

    def name_for(self, entry: int, name: str) -> str:
        """The name for the player of an entry who stands in the event under this one."""
        return self._kept_back.get(entry, name)
