"""When a paper has to be hung anew: a text for each that stays the same as long as what hangs on the wall holds."""

from __future__ import annotations

from hashlib import sha256

from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.sheets.starting_list import starting_list_sheet
from pairing.view_models.standings.event_standings import get_event_standings, last_round_with_result
from tournaments.models import Round, Tournament


def publication_edition(this_round: Round) -> str:
    """Of what names opponents: the pairing was published anew. 0 is a draft."""
    return str(this_round.publications)


def pairing_list_edition(this_round: Round) -> str:
    """Of a pairing list, which is one of results once the round is finished."""
    is_over = this_round.state == Round.State.FINISHED
    return f"{this_round.publications} results" if is_over else str(this_round.publications)


def standings_edition(tournament: Tournament) -> str:
    """Of the table that is to hang now: anything in it is another."""
    sheet = standings_sheet(get_event_standings(tournament, last_round_with_result(tournament)))
    return _digest(sheet.after_round, sheet.is_provisional, sheet.lines)


def player_list_edition(tournament: Tournament) -> str:
    """Of a list of players: anything known of one is another."""
    return _digest(starting_list_sheet(tournament).players)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:16]
