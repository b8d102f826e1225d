"""Printouts of a round: pairings, seating, result slips, and the pack of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.printing.pages.paper_definitions import (
    EVENT_OFFICERS,
    PaperDefinition,
    PaperRequest,
    publication_edition,
    register_paper,
)
from pairing.printing.papers import events, rounds
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.entries.pairing_numbers import changed_numbers
from tournaments.models import Round

RoundPaperRequest = PaperRequest[Round]
ROUND_PAPERS: list[PaperDefinition[Round]] = []
_printout = partial(register_paper, ROUND_PAPERS)
_with_opponents = partial(_printout, edition=publication_edition)
_wall_list = partial(_with_opponents, is_wall_list=True)


@_with_opponents(
    "round",
    _("Round pack"),
    file="everything",
    label_when_over=_("Results and standings"),
    fields=("pairings", "seating", "slips", "standings", "which", "without_opponents", "points", "second"),
    roles=EVENT_OFFICERS,
)
def _everything(asked: RoundPaperRequest, wishes: PrintOptions) -> Paper:
    """Pairings, seating, slips and standings. `?pairings=2` and so on set the copies of each.

    For a finished round, its results and the standings after it. `?which=lists` or `slips` selects these only, for
    printers with two kinds of paper. If all copies are 0, there is one of each.
    """
    held = [each for each in _PACK if each.name not in unavailable_pack_options(asked.subject)]
    which = asked.text_option("which")
    offered = [each for each in held if which in ("", each.kind)] or held
    copies = {each.name: _one_unless_said(asked.number_option(each.name, maximum=MAX_COPIES)) for each in offered}
    if not any(copies.values()):
        copies = dict.fromkeys(copies, 1)
    wanted = [paper for each in offered for paper in [each.make(asked, wishes)] * copies[each.name]]
    return combine_papers(wanted)


@_wall_list("pairings", _("Pairings"), fields=("points", "second"))
def _pairings(asked: RoundPaperRequest, wishes: PrintOptions) -> Paper:
    """The pairing list, by boards."""
    return rounds.pairings_paper(pairing_sheet(asked.subject), wishes, address=_address_to_ask(asked))


@_wall_list("seating", _("Seating list"), fields=("without_opponents", "points", "second"))
def _seating(asked: RoundPaperRequest, wishes: PrintOptions) -> Paper:
    """The seating, by name. `without_opponents` is the one in larger type."""
    return rounds.seating_paper(
        pairing_sheet(asked.subject),
        wishes,
        address=_address_to_ask(asked),
        without_opponents=asked.has_option("without_opponents"),
    )


@_with_opponents("slips", _("Result slips"), fields=("second",), roles=EVENT_OFFICERS)
def _slips(asked: RoundPaperRequest, wishes: PrintOptions) -> Paper:
    """Result slips."""
    tournament = asked.subject.tournament

    def board_url(board: int) -> str:
        return asked.absolute_url("board", tournament.club.slug, tournament.slug, asked.subject.number, board)

    return rounds.result_slips_paper(pairing_sheet(asked.subject), wishes, board_url=board_url)


@_printout("number_slips", _("Slips with new numbers"), fields=("second",), roles=EVENT_OFFICERS)
def _number_slips(asked: RoundPaperRequest, wishes: PrintOptions) -> Paper:
    """Slips for the players whose numbers changed when the round was paired."""
    numbers = [(entry.name, entry.tpn or 0, former) for entry, former in changed_numbers(asked.subject)]
    return rounds.number_slips_paper(pairing_sheet(asked.subject, last=1), numbers, wishes)


def _standings(asked: RoundPaperRequest, wishes: PrintOptions) -> Paper:
    """The standings before the round, or after it once it is finished."""
    tournament = asked.subject.tournament
    table = standings_sheet(get_event_standings(tournament, standings_round_in_pack(asked.subject)))
    address = asked.absolute_url("standings", tournament.club.slug, tournament.slug)
    return events.standings_paper(table, wishes, address=address)


MAX_COPIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPackPaper:
    """A printout in the round's pack: its option for the number of copies, and its kind of paper.

    `is_for_open_round` marks printouts that a finished round does not need.
    """

    name: str
    label: str | Promise
    make: Callable[[RoundPaperRequest, PrintOptions], Paper]
    kind: str
    is_for_open_round: bool = False


_PACK = (
    RoundPackPaper(name="pairings", label=_("Pairings"), make=_pairings, kind="lists"),
    RoundPackPaper(name="seating", label=_("Seating list"), make=_seating, kind="lists", is_for_open_round=True),
    RoundPackPaper(name="slips", label=_("Result slips"), make=_slips, kind="slips", is_for_open_round=True),
    RoundPackPaper(name="standings", label=_("Standings"), make=_standings, kind="lists"),
)

ROUND_PACK_LABELS = {each.name: each.label for each in _PACK}
"""The labels of the papers in the pack, by the name of the option for copies."""


def standings_round_in_pack(this_round: Round) -> int:
    """Return the round of the pack's standings, or 0 for a pack without them."""
    return this_round.number - (this_round.state != Round.State.FINISHED)


def unavailable_pack_options(this_round: Round) -> tuple[str, ...]:
    """Return the options the pack does not have: a finished round only has results and standings."""
    is_over = this_round.state == Round.State.FINISHED
    without = [each.name for each in _PACK if is_over and each.is_for_open_round]
    return (
        *without,
        *(() if standings_round_in_pack(this_round) else ("standings",)),
        *(("which", "without_opponents") if is_over else ()),
    )


def _one_unless_said(copies: int | None) -> int:
    return 1 if copies is None else copies


def pack_has_standings(options: Mapping[str, str]) -> bool:
    """Return True if the pack printed with these options includes its standings."""
    return options.get("which", "") != "slips" and options.get("standings") != "0"


def codes_printed_together(code: str, options: Mapping[str, str]) -> list[str]:
    """Return the codes of the printouts that these options select: one, the whole pack, or parts of it."""
    if code != ROUND_PACK_CODE:
        return [code]
    of_round = [each for each in _PACK if each.name != "standings"]
    which = options.get("which", "")
    chosen = [each for each in of_round if which in ("", each.kind) and options.get(each.name) != "0"]
    return [ROUND_PACK_CODE] if len(chosen) in (0, len(of_round)) else [f"print_{each.name}" for each in chosen]


ROUND_PACK_CODE = "print_round"


def _address_to_ask(asked: RoundPaperRequest) -> str:
    """Return the URL that shows if this version of the pairing is still current."""
    tournament = asked.subject.tournament
    return asked.absolute_url(
        "pairing_version_status",
        tournament.club.slug,
        tournament.slug,
        asked.subject.number,
        asked.subject.publications,
    )
