"""The arbiter's record: every round with its pairing and the reasons of each board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pairing.engine.paired_round import Reason
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.stored import reasons_from_json
from pairing.view_models.sheets.decisions import SheetDecision, decision_of
from pairing.view_models.sheets.rounds import PairingSheet, SheetBoard, SheetBye, pairing_sheet
from tournaments.models import Round, System, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBoard:
    """A board and why it was paired so."""

    board: SheetBoard
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBye:
    """A player without a game, and why."""

    bye: SheetBye
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """A round as it was paired and played."""

    sheet: PairingSheet
    boards: tuple[RecordedBoard, ...]
    byes: tuple[RecordedBye, ...]
    system_label: str
    decision: SheetDecision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSheet:
    """The rounds wanted, in their order, and the names the reasons speak of, by number."""

    club: str
    event: str
    system: str
    """A `System`; `system_label` is it in words."""
    arbiter: str
    names: Mapping[PairingNumber, str]
    rounds: tuple[RecordedRound, ...]

    @property
    def system_label(self) -> str:
        return str(System(self.system).label)


def record_sheet(tournament: Tournament, *, only: int | None = None) -> RecordSheet:
    """Every published round, or round `only` in whatever state it was paired; four queries a round.

    Methods are named in the language now active.
    """
    rounds = tournament.rounds.published() if only is None else tournament.rounds.filter(number=only)
    entries = tournament.entries.values_list("tpn", "name")
    rounds = rounds.select_related("decision")
    return RecordSheet(
        club=tournament.club.name,
        event=tournament.name,
        system=tournament.system,
        arbiter=tournament.chief_arbiter,
        names={tpn: name for tpn, name in entries if tpn is not None},
        rounds=tuple(_recorded(rounds.order_by("number"), tournament)),
    )


def _recorded(rounds: Iterable[Round], tournament: Tournament) -> Iterable[RecordedRound]:
    for each in rounds:
        each.tournament = tournament
        sheet = pairing_sheet(each, with_reasons=True)
        yield RecordedRound(
            sheet=sheet,
            boards=tuple(RecordedBoard(board=b, reasons=reasons_from_json(b.reasons)) for b in sheet.boards),
            byes=tuple(RecordedBye(bye=b, reasons=reasons_from_json(b.reasons)) for b in sheet.byes),
            decision=decision_of(each),
            system_label=each.paired_by.label,
        )
