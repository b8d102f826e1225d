"""Posted printouts of an event: what was printed, and what is outdated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from django.utils import timezone
from django.utils.functional import Promise

from clubs.models import User
from pairing.models import PrintedPaper
from pairing.printing.pages.event_papers import EVENT_PAPERS
from pairing.printing.pages.paper_definitions import PaperDefinition
from pairing.printing.pages.round_papers import (
    ROUND_PACK_CODE,
    ROUND_PAPERS,
    codes_printed_together,
    pack_has_standings,
    standings_round_in_pack,
)
from pairing.view_models.standings.event_standings import last_round_with_result
from tournaments.models import Round, Tournament


class PostedPaperStatus(StrEnum):
    """The status of a posted printout, compared with the current data."""

    MISSING = "missing"
    TAKEN_DOWN = "down"
    """It was printed and then marked as not posted."""
    OUTDATED = "old"
    CURRENT = "holds"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedPaper:
    """A printout that should be posted or handed out. `printed_at` is None if it was never printed."""

    code: str
    label: str | Promise
    round_number: int
    status: PostedPaperStatus
    printed_at: datetime | None = None

    @property
    def is_due_for_printing(self) -> bool:
        return self.status is not PostedPaperStatus.CURRENT


def record_printing(
    tournament: Tournament, this_round: Round | None, code: str, options: Mapping[str, str], *, by: User
) -> None:
    """Record that a printout was printed. Outdated tables and tables of one category do not count as posted."""
    after = options.get("after")
    if options.get("category") or (after and after != str(last_round_with_result(tournament))):
        return
    codes = codes_printed_together(code, options)
    # A table printed with the pack need not be printed again; one never posted separately is not tracked.
    if code == ROUND_PACK_CODE and this_round and _holds_the_table(tournament, this_round, options):
        codes += [_TABLE] if tournament.printings.filter(document=_TABLE, round_number=0).exists() else []
    for each in codes:
        number, edition = _edition_now(tournament, this_round, each)
        if edition:
            PrintedPaper.objects.update_or_create(
                tournament=tournament,
                document=each,
                round_number=number,
                defaults={"edition": edition, "printed_by": by, "printed_at": timezone.now()},
            )


_TABLE = "print_standings"


def _holds_the_table(tournament: Tournament, this_round: Round, options: Mapping[str, str]) -> bool:
    """Return True if a round's pack with these options has the current standings."""
    after = standings_round_in_pack(this_round)
    return pack_has_standings(options) and 0 < after == last_round_with_result(tournament)


def is_known_paper_code(code: str) -> bool:
    """Return True if a printout of an event or a round has this code."""
    return any(each.url_name == code for documents in (EVENT_PAPERS, ROUND_PAPERS) for each in documents)


def mark_paper_taken_down(tournament: Tournament, code: str, number: int) -> None:
    """Record that a printout is not posted, so that it is due for printing."""
    PrintedPaper.objects.filter(tournament=tournament, document=code, round_number=number).update(edition=_DOWN)


def forget_printing(tournament: Tournament, code: str, number: int) -> None:
    """Forget a printout, so that it is no longer tracked."""
    PrintedPaper.objects.filter(tournament=tournament, document=code, round_number=number).delete()


_DOWN = ""
"""The edition of a paper that was printed but is not posted."""


def _edition_now(tournament: Tournament, this_round: Round | None, code: str) -> tuple[int, str]:
    """Return the printout's round (0 for none) and its edition. Empty if it has none."""
    of_event = next((each for each in EVENT_PAPERS if each.url_name == code), None)
    if of_event:
        return 0, of_event.edition(tournament) if of_event.edition else ""
    of_round = next((each for each in ROUND_PAPERS if each.url_name == code), None)
    if this_round and of_round and of_round.edition:
        return this_round.number, of_round.edition(this_round)
    return 0, ""


def list_posted_papers(
    tournament: Tournament, latest: Round | None, pack_habit: Mapping[str, str] = MappingProxyType({})
) -> list[PostedPaper]:
    """Return the printouts of the latest round and the event's tracked printouts. Printouts to print come first.

    An open round needs the same printouts as the round before, or the whole pack. A finished one needs what was
    printed of it. Nothing is listed twice: `pack_habit` are the last options of the pack.
    """
    printings = {(each.document, each.round_number): each for each in tournament.printings.all()}
    found = _of_round(latest, printings) if latest else []
    for document in EVENT_PAPERS:
        printing = printings.get((document.url_name, 0))
        if printing and document.edition:
            found.append(_standing(document, printing, document.edition(tournament), 0))
    with_pack = latest and any(each.code == ROUND_PACK_CODE and each.is_due_for_printing for each in found)
    if latest and with_pack and _holds_the_table(tournament, latest, pack_habit):
        found = [each for each in found if each.code != _TABLE or not each.is_due_for_printing]
    return sorted(found, key=lambda each: not each.is_due_for_printing)


def _of_round(this_round: Round, printings: dict[tuple[str, int], PrintedPaper]) -> list[PostedPaper]:
    number = this_round.number
    wanted = _codes_of(printings, number)
    if this_round.state != Round.State.FINISHED:
        wanted |= _codes_of(printings, number - 1) or {ROUND_PACK_CODE}
    found = []
    for document in ROUND_PAPERS:
        if document.url_name in wanted and document.edition:
            printing = printings.get((document.url_name, number))
            found.append(_standing(document, printing, document.edition(this_round), number))
    return _pack_or_its_parts(found)


def _pack_or_its_parts(found: list[PostedPaper]) -> list[PostedPaper]:
    """Return the pack or its parts, never both.

    For this round it is what was printed last; otherwise the pack if the round before had it.
    """
    pack = next((each for each in found if each.code == ROUND_PACK_CODE), None)
    parts = [each for each in found if each.code != ROUND_PACK_CODE]
    if pack is None:
        return parts
    if pack.status is PostedPaperStatus.CURRENT:
        return [each for each in found if each.status is PostedPaperStatus.CURRENT]
    hung = [each.printed_at for each in parts if each.printed_at and each.status is not PostedPaperStatus.TAKEN_DOWN]
    if hung and (
        pack.status is not PostedPaperStatus.OUTDATED or pack.printed_at is None or pack.printed_at < max(hung)
    ):
        return parts
    return [pack]


def _codes_of(printings: Iterable[tuple[str, int]], number: int) -> set[str]:
    return {code for code, of_round in printings if of_round == number and of_round}


def _standing(
    document: PaperDefinition[Tournament] | PaperDefinition[Round],
    printing: PrintedPaper | None,
    edition: str,
    number: int,
) -> PostedPaper:
    standing = PostedPaperStatus.MISSING
    if printing and printing.edition == _DOWN:
        standing = PostedPaperStatus.TAKEN_DOWN
    elif printing:
        standing = PostedPaperStatus.CURRENT if printing.edition == edition else PostedPaperStatus.OUTDATED
    return PostedPaper(
        code=document.url_name,
        label=document.label,
        round_number=number,
        status=standing,
        printed_at=printing.printed_at if printing else None,
    )
