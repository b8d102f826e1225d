"""The colour a player is due next, in words, with the article of the rules."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.snapshot import Colour
from pairing.explanations.named_reasons import ExplainedReason
from pairing.view_models.sheets.player_sheet import PlayerSheet
from tournaments.models import PairingSystem, Tournament

_ARTICLES: Mapping[str, str] = {
    PairingSystem.FIDE_1989: "fide-1989 art. 12",
    PairingSystem.DUTCH_1992: "dutch-1992 A7",
    PairingSystem.DUBOV_1997: "dubov-1997 art. 3",
    PairingSystem.DUTCH_2026: "dutch-2026 1.7",
}
"""The article on due colours in each document."""


def explain_due_colour(sheet: PlayerSheet, tournament: Tournament) -> ExplainedReason | None:
    """Return the colour due after the latest round on the card, its strength and the reason.

    None before the first game, after the last round, while a board is open, in a round robin, and in a Keizer season,
    where colours depend on the opponent.
    """
    preference = sheet.next_colour_preference
    played = sheet.rounds[-1].number if sheet.rounds else 0
    if tournament.system in (PairingSystem.ROUND_ROBIN, PairingSystem.KEIZER):
        return None
    if preference is None or played >= tournament.rounds_announced or any(not row.symbol for row in sheet.rounds):
        return None
    is_white = preference.colour is Colour.WHITE
    if preference.strength is PreferenceStrength.ABSOLUTE:
        due = _("Must have White in the next game") if is_white else _("Must have Black in the next game")
        if played + 1 == tournament.rounds_announced:
            due = _("White is due next") if is_white else _("Black is due next")
    elif preference.strength is PreferenceStrength.STRONG:
        due = _("White is due next") if is_white else _("Black is due next")
    else:
        due = _("White is next in turn") if is_white else _("Black is next in turn")
    return ExplainedReason(
        article=_ARTICLES[tournament.pairing_method_of_round(played + 1).governing_system],
        text=f"{due}. {_because(sheet, is_white=is_white)}",
    )


def _because(sheet: PlayerSheet, *, is_white: bool) -> str:
    """Return the reason: the colour difference if it decides, otherwise the latest games."""
    more = abs(sheet.white_minus_black)
    if more >= 2 or (more == 1 and not _same_twice(sheet)):
        if is_white:
            return ngettext(
                "%(n)d more game with Black than with White so far.",
                "%(n)d more games with Black than with White so far.",
                more,
            ) % {"n": more}
        return ngettext(
            "%(n)d more game with White than with Black so far.",
            "%(n)d more games with White than with Black so far.",
            more,
        ) % {"n": more}
    if _same_twice(sheet):
        return _("The last 2 games were with Black.") if is_white else _("The last 2 games were with White.")
    return _("The last game was with Black.") if is_white else _("The last game was with White.")


def _same_twice(sheet: PlayerSheet) -> bool:
    return len(sheet.colours) >= 2 and sheet.colours[-1] is sheet.colours[-2]
