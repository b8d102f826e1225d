"""Measure how long papers take: `python -m lab.paper`. The process is warm, and nothing comes from a cache.

Cards are Jahr's, filled for nine rounds; the set of a round is its pairings, seating, slips and the standings. The last
is a long list.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from functools import partial

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.utils import translation  # noqa: E402

from pairing.engine.rules.colour_preferences import colour_preference  # noqa: E402
from pairing.engine.rules.players import FloatDirection  # noqa: E402
from pairing.engine.snapshot import Colour  # noqa: E402
from pairing.printing.papers.events import standings_paper  # noqa: E402
from pairing.printing.papers.rounds import combine_papers, pairings_paper, result_slips_paper, seating_paper  # noqa: E402
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper  # noqa: E402
from pairing.printing.pdf import weasyprint_rendering  # noqa: E402
from pairing.printing.pdf.paper_templates import PrintOptions  # noqa: E402
from pairing.view_models.sheets.players_and_results import SheetPlayer  # noqa: E402
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard, SheetBye  # noqa: E402
from pairing.view_models.sheets.standings_sheet import (  # noqa: E402
    RoundResultCell,
    StandingsColumn,
    StandingsLine,
    StandingsSheet,
)
from pairing.view_models.sheets.start_cards import JahrCardBoxes, StartCard, StartCardRow, StartCardSheet  # noqa: E402

NAMES = ("Niebyłowicz-Fikcyjska, Bronisława", "Измислен, Петър", "Vymyšlený, Bohumil", "Nikt, Jan")
ROUNDS = 9
WISHES = PrintOptions(language="pl")


@translation.override(WISHES.language)
def main() -> None:
    weasyprint_rendering.render_and_count_pages(card_paper(1, "8"))
    for count in (40, 300, 1000):
        for code in ("8", "4"):
            measure(f"{count} cards, {code} a page", partial(card_paper, count, code))
    measure("a round's set for 60 players", lambda: round_set(60))
    measure("the standings of 300 players", lambda: standings_of(300))


def measure(what: str, make: Callable[[], weasyprint_rendering.Paper]) -> None:
    """Print the best of three, from sheets to PDF."""
    best = min(_timed(make) for _attempt in range(3))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    helpers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    sys.stdout.write(
        f"{what:32} {best[0]:6.2f} s   processor here {best[1]:6.2f} s, helpers {best[2]:6.2f} s   "
        f"largest process: {own} MB, helper {helpers} MB\n"
    )
    sys.stdout.flush()


def _timed(make: Callable[[], weasyprint_rendering.Paper]) -> tuple[float, float, float]:
    clock, own, helpers = time.perf_counter(), time.process_time(), _helpers()
    weasyprint_rendering.render_and_count_pages(make())
    return time.perf_counter() - clock, time.process_time() - own, _helpers() - helpers


def _helpers() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def card_paper(count: int, code: str) -> weasyprint_rendering.Paper:
    return start_cards_paper(cards(count), CARD_FORMATS[code], WISHES)


def cards(count: int) -> StartCardSheet:
    """So many Jahr cards, filled."""
    return StartCardSheet(
        club="Pod Gońcem",
        event="Próba papieru",
        is_jahr=True,
        rounds_announced=ROUNDS,
        cards=tuple(_card(number) for number in range(1, count + 1)),
    )


def _card(number: int) -> StartCard:
    return StartCard(
        number=number,
        name=NAMES[number % 4],
        rating=1000 + number,
        club_name="Pod Gońcem",
        federation="POL",
        birth_year="1981",
        rows=tuple(_row(number, of_round) for of_round in range(1, ROUNDS + 1)),
    )


def _row(number: int, of_round: int) -> StartCardRow:
    return StartCardRow(
        number=of_round,
        colour=Colour.WHITE if (number + of_round) % 2 else Colour.BLACK,
        opponent=number + of_round,
        opponent_name=NAMES[of_round % 4],
        float_mark=(None, FloatDirection.DOWN, FloatDirection.UP)[(number + of_round) % 3],
        symbol="10½"[of_round % 3],
        points=of_round,
        due_colour=colour_preference([Colour.WHITE]),
        jahr=JahrCardBoxes(
            counted=97 * of_round, tenth=10 * of_round, auxiliary=9 * of_round, total=59 * of_round + number % 7
        ),
    )


def round_set(players: int) -> weasyprint_rendering.Paper:
    """Pairings, seating, slips and standings of a round."""
    sheet = _pairings(players)
    return combine_papers(
        [
            pairings_paper(sheet, WISHES, address="https://club.example/event/rounds/"),
            seating_paper(sheet, WISHES, address="https://club.example/event/rounds/"),
            result_slips_paper(sheet, WISHES, board_url="https://club.example/event/rounds/7/boards/{}/".format),
            standings_of(players),
        ]
    )


def standings_of(players: int) -> weasyprint_rendering.Paper:
    """A list of so many rows."""
    return standings_paper(_standings(players), WISHES, address="https://club.example/event/standings/")


def _player(number: int) -> SheetPlayer:
    return SheetPlayer(
        entry=number, tpn=number, name=f"{NAMES[number % 4]} {number}", title="", rating=2000 - number, score=number % 9
    )


def _pairings(players: int) -> PairingSheet:
    boards = (
        SheetBoard(board=board, game=board, white=_player(board), black=_player(players - board), result="", revision=0)
        for board in range(1, players // 2)
    )
    return PairingSheet(
        club="Pod Gońcem",
        event="Próba papieru",
        number=7,
        rounds_announced=ROUNDS,
        state="published",
        version=1,
        edition=1,
        starts_at=None,
        published_at=None,
        boards=tuple(boards),
        byes=(SheetBye(player=_player(players), kind="U", worth="½"),),
        board_count=players // 2,
        open_board_count=players // 2,
    )


def _standings(players: int) -> StandingsSheet:
    return StandingsSheet(
        club="Pod Gońcem",
        event="Próba papieru",
        after_round=6,
        rounds_announced=ROUNDS,
        is_provisional=False,
        columns=tuple(StandingsColumn(code=code) for code in "GTE"),
        lines=tuple(
            StandingsLine(
                place=place,
                overall_place=None,
                player=_player(place),
                federation="POL",
                has_withdrawn=False,
                values=("4½", "5.12", "29.40"),
                rounds=(RoundResultCell(),) * 6,
            )
            for place in range(1, players + 1)
        ),
        player_count=players,
    )


if __name__ == "__main__":
    main()
