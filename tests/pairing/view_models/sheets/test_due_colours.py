"""The due colour on a start card."""

from __future__ import annotations

import pytest

from pairing.engine.snapshot import Colour
from pairing.view_models.sheets.due_colours import explain_due_colour
from pairing.view_models.sheets.player_sheet import PlayerSheet, PlayerSheetRound
from pairing.view_models.sheets.players_and_results import SheetPlayer
from tournaments.models import PairingSystem, Tournament


def sheet(history: str, *, last_is_open: bool = False) -> PlayerSheet:
    """A card of games with these colours."""
    player = SheetPlayer(entry=1, tpn=1, name="Nikt, Jan", title="", rating=0)
    rounds = tuple(
        PlayerSheetRound(
            number=number,
            board=1,
            colour=Colour(letter),
            opponent=player,
            bye_kind="",
            symbol="" if last_is_open and number == len(history) else "1",
            is_played=not (last_is_open and number == len(history)),
            points=0,
            jahr=None,
            reasons=(),
        )
        for number, letter in enumerate(history, start=1)
    )
    return PlayerSheet(
        club="",
        event="",
        player=player,
        federation="",
        club_name="",
        withdrawn_from_round=None,
        is_jahr=False,
        rounds=rounds,
        colours=tuple(each.colour for each in rounds if each.is_played and each.colour is not None),
    )


def event(rounds: int = 9, system: str = PairingSystem.FIDE_1989, procedure: str = "") -> Tournament:
    return Tournament(rounds_announced=rounds, system=system, procedure=procedure)


def test_nothing_is_due_before_the_first_game():
    assert explain_due_colour(sheet(""), event()) is None


def test_nothing_is_due_after_the_last_round():
    assert explain_due_colour(sheet("wb"), event(rounds=2)) is None


def test_nothing_is_said_while_the_game_is_open():
    assert explain_due_colour(sheet("wbw", last_is_open=True), event()) is None


@pytest.mark.parametrize(
    ("history", "said"),
    [
        ("w", "Black is due next. 1 more game with White than with Black so far."),
        ("b", "White is due next. 1 more game with Black than with White so far."),
        ("wb", "White is next in turn. The last game was with Black."),
        ("bw", "Black is next in turn. The last game was with White."),
        ("bww", "Must have Black in the next game. The last 2 games were with White."),
        ("wbb", "Must have White in the next game. The last 2 games were with Black."),
        ("wwbw", "Must have Black in the next game. 2 more games with White than with Black so far."),
        ("wwbb", "Must have White in the next game. The last 2 games were with Black."),
    ],
)
def test_the_colour_due_how_strongly_and_why(history, said):
    assert explain_due_colour(sheet(history), event()).text == said


def test_in_the_last_round_nobody_must():
    assert explain_due_colour(sheet("bww"), event(rounds=4)).text.startswith("Black is due next. The last 2 games")


@pytest.mark.parametrize(
    ("fields", "article"),
    [
        ({"system": PairingSystem.FIDE_1989}, "fide-1989 art. 12"),
        ({"system": PairingSystem.JAHR}, "fide-1989 art. 12"),
        ({"system": PairingSystem.JAHR, "procedure": "dutch-1992"}, "dutch-1992 A7"),
        ({"system": PairingSystem.DUTCH_1992}, "dutch-1992 A7"),
        ({"system": PairingSystem.DUBOV_1997}, "dubov-1997 art. 3"),
    ],
)
def test_the_article_is_that_of_the_procedure(fields, article):
    assert explain_due_colour(sheet("w"), event(**fields)).article == article
