"""The papers of a round: pairings, where everyone sits, result slips, all of it at once."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from pairing.paper import papers
from pairing.paper.papers import Wishes
from pairing.printing.documents import OFFICERS, Asked, Document
from pairing.sheets.rounds import pairing_sheet
from pairing.sheets.tables import standings_sheet
from pairing.standings.event_standings import standings
from pairing.typesetting.pdfs import Paper
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

    def address_of(board: int) -> str:
        return asked.address("board", tournament.club.slug, tournament.slug, asked.of.number, board)

    return papers.slips_paper(pairing_sheet(asked.of), wishes, address_of=address_of)


def _everything(asked: Wanted, wishes: Wishes) -> Paper:
    """Pairings, seating, slips, and the standings it was paired by."""
    wanted = [_pairings(asked, wishes), _seating(asked, wishes), _slips(asked, wishes)]
    tournament, before = asked.of.tournament, asked.of.number - 1
    if before:
        table = standings_sheet(standings(tournament, before))
        address = asked.address("standings", tournament.club.slug, tournament.slug)
        wanted.append(papers.standings_paper(table, wishes, address=address))
    return papers.round_set_paper(wanted)


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
        make=_everything,
        roles=OFFICERS,
    ),
    Document(code="pairings", file="pairings", label=_("Pairings"), make=_pairings),
    Document(code="seating", file="seating", label=_("Where do I sit?"), make=_seating),
    Document(code="slips", file="slips", label=_("Result slips"), make=_slips, roles=OFFICERS),
)
