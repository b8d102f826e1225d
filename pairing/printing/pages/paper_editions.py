"""Editions of papers: texts that change when the paper has to be posted again."""

from __future__ import annotations

from hashlib import sha256

from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.sheets.starting_list import starting_list_sheet
from pairing.view_models.standings.event_standings import get_event_standings, last_round_with_result
from tournaments.models import Round, Tournament


def publication_edition(this_round: Round) -> str:
    """Return the edition of a paper with opponents: it changes when the pairing is published again; 0 is a draft."""
    return str(this_round.publications)


def pairing_list_edition(this_round: Round) -> str:
    """Return the edition of a pairing list, which becomes a list of results after the round."""
    is_over = this_round.state == Round.State.FINISHED
    return f"{this_round.publications} results" if is_over else str(this_round.publications)


def standings_edition(tournament: Tournament) -> str:
    """Return the edition of the current table: it changes with anything in it."""
    sheet = standings_sheet(get_event_standings(tournament, last_round_with_result(tournament)))
    return _digest(sheet.after_round, sheet.is_provisional, sheet.lines)


def player_list_edition(tournament: Tournament) -> str:
    """Return the edition of a list of players: it changes with any of their data."""
    return _digest(starting_list_sheet(tournament).players)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:16]
