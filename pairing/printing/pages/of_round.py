"""The papers of a round: pairings, where everyone sits, result slips, all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.printing.pages import editions
from pairing.printing.pages.documents import OFFICERS, Asked, Document
from pairing.printing.papers import papers
from pairing.printing.papers.papers import Wishes
from pairing.printing.pdf.pdfs import Paper
from pairing.view_models.sheets.rounds import pairing_sheet
from pairing.view_models.sheets.tables import standings_sheet
from pairing.view_models.standings.event_standings import standings
from tournaments.models import Round

Wanted = Asked[Round]


def _pairings(asked: Wanted, wishes: Wishes) -> Paper:
    """The pairing list, by boards."""
    return papers.pairings_paper(pairing_sheet(asked.of), wishes, address=_address_to_ask(asked))


def _seating(asked: Wanted, wishes: Wishes) -> Paper:
    """Where everyone sits, by name."""
    return papers.seating_paper(pairing_sheet(asked.of), wishes, address=_address_to_ask(asked))


def _slips(asked: Wanted, wishes: Wishes) -> Paper:
    """Result slips."""
    tournament = asked.of.tournament

    def board_url(board: int) -> str:
        return asked.address("board", tournament.club.slug, tournament.slug, asked.of.number, board)

    return papers.slips_paper(pairing_sheet(asked.of), wishes, address_of=board_url)


def _standings(asked: Wanted, wishes: Wishes) -> Paper:
    """The standings that the round was paired by; once it is finished, those after it."""
    tournament = asked.of.tournament
    table = standings_sheet(standings(tournament, table_in_the_pack(asked.of)))
    address = asked.address("standings", tournament.club.slug, tournament.slug)
    return papers.standings_paper(table, wishes, address=address)


MOST_COPIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class InThePack:
    """A paper of the round's pack: its field for the number of copies, and the kind of paper it is printed on.

    `is_to_play` is one that nobody needs of a finished round.
    """

    name: str
    label: str | Promise
    make: Callable[[Wanted, Wishes], Paper]
    kind: str
    is_to_play: bool = False


_PACK = (
    InThePack(name="pairings", label=_("Pairings"), make=_pairings, kind="lists"),
    InThePack(name="seating", label=_("Where do I sit?"), make=_seating, kind="lists", is_to_play=True),
    InThePack(name="slips", label=_("Result slips"), make=_slips, kind="slips", is_to_play=True),
    InThePack(name="standings", label=_("Standings"), make=_standings, kind="lists"),
)

IN_THE_PACK = {each.name: each.label for each in _PACK}
"""What the pack holds, by the field that says how many copies."""


def table_in_the_pack(this_round: Round) -> int:
    """After which round the pack's standings are; 0 for a pack without."""
    return this_round.number - (this_round.state != Round.State.FINISHED)


def not_in_the_pack(this_round: Round) -> tuple[str, ...]:
    """What cannot be chosen about the pack of this round: of a finished one there are results and standings alone."""
    is_over = this_round.state == Round.State.FINISHED
    without = [each.name for each in _PACK if is_over and each.is_to_play]
    return (*without, *(() if table_in_the_pack(this_round) else ("standings",)), *(("which",) if is_over else ()))


def _everything(asked: Wanted, wishes: Wishes) -> Paper:
    """Pairings, seating, slips, and the standings before or after it; as many of each as `?pairings=2` and so on says.

    Of a finished round its results, and the standings after it. `?which=lists` or `slips` are these alone, for printers
    with two kinds of paper. Whoever wants none of anything gets one of each.
    """
    held = [each for each in _PACK if each.name not in not_in_the_pack(asked.of)]
    which = asked.text("which")
    offered = [each for each in held if which in ("", each.kind)] or held
    copies = {each.name: _one_unless_said(asked.number(each.name, most=MOST_COPIES)) for each in offered}
    if not any(copies.values()):
        copies = dict.fromkeys(copies, 1)
    wanted = [paper for each in offered for paper in [each.make(asked, wishes)] * copies[each.name]]
    return papers.round_set_paper(wanted)


def _one_unless_said(copies: int | None) -> int:
    return 1 if copies is None else copies


def has_standings(options: Mapping[str, str]) -> bool:
    """Whether the pack is printed with its standings, by what was chosen about it."""
    return options.get("which", "") != "slips" and options.get("standings") != "0"


def printed_with(code: str, options: Mapping[str, str]) -> list[str]:
    """Which papers go to the printer with a paper of the round, by their codes: all of the pack are the pack itself."""
    if code != PACK:
        return [code]
    of_round = [each for each in _PACK if each.name != "standings"]
    which = options.get("which", "")
    chosen = [each for each in of_round if which in ("", each.kind) and options.get(each.name) != "0"]
    return [PACK] if len(chosen) in (0, len(of_round)) else [f"print_{each.name}" for each in chosen]


PACK = "print_round"


def _address_to_ask(asked: Wanted) -> str:
    """Where a phone reads whether this version of the pairing still holds."""
    tournament = asked.of.tournament
    return asked.address(
        "current_pairing", tournament.club.slug, tournament.slug, asked.of.number, asked.of.publications
    )


ROUND_DOCUMENTS: tuple[Document[Round], ...] = (
    Document(
        code="round",
        file="everything",
        label=_("Everything for this round: pairings, seats, slips, standings"),
        label_when_over=_("The round's results, and the standings after it"),
        make=_everything,
        fields=("pairings", "seating", "slips", "standings", "which", "second"),
        roles=OFFICERS,
        edition=editions.as_published,
    ),
    Document(
        code="pairings",
        file="pairings",
        label=_("Pairings"),
        make=_pairings,
        fields=("second",),
        edition=editions.as_hung,
    ),
    Document(
        code="seating",
        file="seating",
        label=_("Where do I sit?"),
        make=_seating,
        fields=("second",),
        edition=editions.as_published,
    ),
    Document(
        code="slips",
        file="slips",
        label=_("Result slips"),
        make=_slips,
        fields=("second",),
        roles=OFFICERS,
        edition=editions.as_published,
    ),
)
