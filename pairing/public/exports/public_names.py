"""The names of players in public exports."""

from __future__ import annotations

from clubs.models import Member
from clubs.privacy import public_name
from tournaments.models import Tournament


class PublicNames:
    """The public names of an event's players, in one query.

    Members who refused publication have initials, even if the event is not public.
    """

    def __init__(self, tournament: Tournament) -> None:
        refused = tournament.entries.filter(member__publication_consent=Member.Consent.REFUSED)
        self._kept_back = {
            entry.pk: public_name(entry.member)
            for entry in refused.select_related("member")
            if entry.member is not None
        }

    def public_name_of_entry(self, entry: int, name: str) -> str:
        """Return `name`, or initials if the entry's member refused publication."""
        return self._kept_back.get(entry, name)
