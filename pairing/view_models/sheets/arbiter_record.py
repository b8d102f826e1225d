"""The arbiter's decision if a round had no legal pairing, for the round's page and the arbiter's record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.paired_round import PairingReason
from pairing.explanations.named_reasons import player_names_by_number
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard, SheetBye, pairing_sheet
from tournaments.audit_log.actions import find_log_action
from tournaments.models import PairingSystem, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionText:
    """A decision as a sentence, and its reason, shown only to people who run the event."""

    sentence: str
    reason: str


def decision_of_round(round: Round) -> DecisionText | None:
    """Return the arbiter's decision about a round's pairing, or None if the rules allowed a pairing."""
    line = round.decision
    if line is None or round.state == Round.State.WAITING:
        return None
    action = find_log_action(line.action)
    names, articles = "; ".join(line.details.get("names", ())), line.details.get("articles", "")
    said = (
        (action.choose_log_sentence(line.details) if action else line.action)
        .format(names=names, articles=articles, reason="")
        .strip()
    )
    return DecisionText(sentence=said.replace(" ()", ""), reason=line.details["reason"])


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardWithReasons:
    """A board with the reasons for its pairing."""

    board: SheetBoard
    reasons: tuple[PairingReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeWithReasons:
    """A player without a game, with the reasons."""

    bye: SheetBye
    reasons: tuple[PairingReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWithReasons:
    """A round with its pairing, results and reasons. `names` are the players' by their numbers in this round."""

    sheet: PairingSheet
    names: PlayerNames
    boards: tuple[BoardWithReasons, ...]
    byes: tuple[ByeWithReasons, ...]
    system_label: str
    decision: DecisionText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArbiterRecordSheet:
    """The selected rounds in order."""

    club: str
    event: str
    system: str
    """A `PairingSystem`; `system_label` is its name."""
    arbiter: str
    rounds: tuple[RoundWithReasons, ...]

    @property
    def system_label(self) -> str:
        return str(PairingSystem(self.system).label)


def arbiter_record_sheet(tournament: Tournament, *, only: int | None = None) -> ArbiterRecordSheet:
    """Return every published round, or only the round `only` in any state. Five or six queries per round.

    The names of methods are in the active language.
    """
    rounds = tournament.rounds.only_published() if only is None else tournament.rounds.filter(number=only)
    rounds = rounds.select_related("decision")
    return ArbiterRecordSheet(
        club=tournament.club.name,
        event=tournament.name,
        system=tournament.system,
        arbiter=tournament.chief_arbiter,
        rounds=tuple(_recorded(rounds.order_by("number"), tournament)),
    )


def _recorded(rounds: Iterable[Round], tournament: Tournament) -> Iterable[RoundWithReasons]:
    for each in rounds:
        each.tournament = tournament
        sheet = pairing_sheet(each, with_reasons=True)
        yield RoundWithReasons(
            sheet=sheet,
            names=player_names_by_number(tournament, each.number),
            boards=tuple(BoardWithReasons(board=b, reasons=reasons_from_json(b.reasons)) for b in sheet.boards),
            byes=tuple(ByeWithReasons(bye=b, reasons=reasons_from_json(b.reasons)) for b in sheet.byes),
            decision=decision_of_round(each),
            system_label=each.pairing_method.label,
        )
