"""What of an event has been printed, and which of it is newer by now than what hangs on the wall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils import timezone
from django.utils.functional import Promise

from clubs.models import User
from pairing.models import Printing
from pairing.printing.documents import Document
from pairing.printing.of_event import EVENT_DOCUMENTS
from pairing.printing.of_round import PACK, ROUND_DOCUMENTS, printed_with
from tournaments.models import Round, Tournament


class Standing(StrEnum):
    """How what hangs on the wall stands to what is true by now."""

    MISSING = "missing"
    OLD = "old"
    HOLDS = "holds"


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTheWall:
    """A paper that belongs on the wall or the boards now; `printed_at` None for one that was never printed."""

    code: str
    label: str | Promise
    round_number: int
    standing: Standing
    printed_at: datetime | None = None

    @property
    def is_to_print(self) -> bool:
        return self.standing is not Standing.HOLDS


def note_printed(
    tournament: Tournament, this_round: Round | None, code: str, options: Mapping[str, str], *, by: User
) -> None:
    """That a paper goes to the printer now; an old table, or a part of one, is not what hangs on the wall."""
    if options.get("after") or options.get("category"):
        return
    for each in printed_with(code, options):
        number, edition = _edition_now(tournament, this_round, each)
        if edition:
            Printing.objects.update_or_create(
                tournament=tournament,
                document=each,
                round_number=number,
                defaults={"edition": edition, "printed_by": by, "printed_at": timezone.now()},
            )


def _edition_now(tournament: Tournament, this_round: Round | None, code: str) -> tuple[int, str]:
    """Of which round the paper is, 0 for none, and its edition; empty for what has none."""
    of_event = next((each for each in EVENT_DOCUMENTS if each.page == code), None)
    if of_event:
        return 0, of_event.edition(tournament) if of_event.edition else ""
    of_round = next((each for each in ROUND_DOCUMENTS if each.page == code), None)
    if this_round and of_round and of_round.edition:
        return this_round.number, of_round.edition(this_round)
    return 0, ""


def on_the_wall(tournament: Tournament, latest: Round | None) -> list[OnTheWall]:
    """The papers of the latest round, and those of the event that were printed before; first what is to be printed.

    Of a round that is being played the same papers are asked for as were printed of the one before it, or all of them
    at once; of a finished one those that were printed of it.
    """
    printings = {(each.document, each.round_number): each for each in tournament.printings.all()}
    found = _of_round(latest, printings) if latest else []
    for document in EVENT_DOCUMENTS:
        printing = printings.get((document.page, 0))
        if printing and document.edition:
            found.append(_standing(document, printing, document.edition(tournament), 0))
    return sorted(found, key=lambda each: not each.is_to_print)


def _of_round(this_round: Round, printings: dict[tuple[str, int], Printing]) -> list[OnTheWall]:
    number = this_round.number
    wanted = _codes_of(printings, number)
    if this_round.state != Round.State.FINISHED:
        wanted |= _codes_of(printings, number - 1) or {PACK}
    found = []
    for document in ROUND_DOCUMENTS:
        if document.page in wanted and document.edition:
            printing = printings.get((document.page, number))
            found.append(_standing(document, printing, document.edition(this_round), number))
    return _without_what_the_pack_holds(found)


def _without_what_the_pack_holds(found: list[OnTheWall]) -> list[OnTheWall]:
    """Who printed single papers of this round is not asked for the pack; who has or needs that, for none of them."""
    standing = next((each.standing for each in found if each.code == PACK), None)
    if standing is Standing.MISSING and any(each.printed_at for each in found):
        return [each for each in found if each.code != PACK]
    if standing is Standing.MISSING:
        return [each for each in found if each.code == PACK]
    if standing is Standing.HOLDS:
        return [each for each in found if each.standing is Standing.HOLDS]
    return found


def _codes_of(printings: Iterable[tuple[str, int]], number: int) -> set[str]:
    return {code for code, of_round in printings if of_round == number and of_round}


def _standing(
    document: Document[Tournament] | Document[Round], printing: Printing | None, edition: str, number: int
) -> OnTheWall:
    standing = Standing.MISSING
    if printing:
        standing = Standing.HOLDS if printing.edition == edition else Standing.OLD
    return OnTheWall(
        code=document.page,
        label=document.label,
        round_number=number,
        standing=standing,
        printed_at=printing.printed_at if printing else None,
    )
