"""When a paper has to be hung anew: a text for each that stays the same as long as what hangs on the wall holds."""

from __future__ import annotations

from hashlib import sha256

from pairing.view_models.sheets.people import people_sheet
from pairing.view_models.sheets.tables import standings_sheet
from pairing.view_models.standings.event_standings import last_played, standings
from tournaments.models import Round, Tournament


def as_published(this_round: Round) -> str:
    """Of what names opponents: the pairing was published anew. 0 is a draft."""
    return str(this_round.publications)


def as_hung(this_round: Round) -> str:
    """Of a pairing list, which is one of results once the round is finished."""
    is_over = this_round.state == Round.State.FINISHED
    return f"{this_round.publications} results" if is_over else str(this_round.publications)


def of_table(tournament: Tournament) -> str:
    """Of the table that is to hang now: anything in it is another."""
    sheet = standings_sheet(standings(tournament, last_played(tournament)))
    return _digest(sheet.after_round, sheet.is_provisional, sheet.lines)


def of_players(tournament: Tournament) -> str:
    """Of a list of players: anything known of one is another."""
    return _digest(people_sheet(tournament).people)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:16]
