"""The norm report of an event: each player's games checked against the requirements of titles."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.club_ratings.member_norms import EventNorms, PlayerNorms, norms_in_event, norms_of_member
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class NormReportPlayer:
    """A player with enough games, and a member's norms from the club's other events."""

    norms: PlayerNorms
    earlier_norms: tuple[EventNorms, ...]

    @property
    def has_reached_norm(self) -> bool:
        return any(not result.missing for result in self.norms.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormReport:
    """All players with enough games for a norm; those with a norm come first."""

    club: str
    event: str
    city: str
    arbiter: str
    days: tuple[object, ...]
    rounds_announced: int
    players: tuple[NormReportPlayer, ...]


def norm_report(tournament: Tournament) -> NormReport:
    """Return the norm report of an event of standard chess."""
    players = [NormReportPlayer(norms=each, earlier_norms=_before(each)) for each in norms_in_event(tournament)]
    return NormReport(
        club=tournament.club.name,
        event=tournament.name,
        city=tournament.city,
        arbiter=tournament.chief_arbiter,
        days=tuple(dict.fromkeys(day for day in (tournament.starts_on, tournament.ends_on) if day)),
        rounds_announced=tournament.rounds_announced,
        players=tuple(sorted(players, key=lambda each: not each.has_reached_norm)),
    )


def _before(norms: PlayerNorms) -> tuple[EventNorms, ...]:
    """Return the member's norms from other events; empty unless this event brought a norm."""
    member = norms.entry.member
    if member is None or all(result.missing for result in norms.results):
        return ()
    others = (each for each in norms_of_member(member) if each.event.pk != norms.entry.tournament_id)
    return tuple(each for each in others if any(not result.missing for result in each.results))
