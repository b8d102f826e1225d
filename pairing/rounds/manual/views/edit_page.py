"""The context of the page on which a draft is changed manually."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from clubs.access import Visitor
from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.snapshot import Colour
from pairing.explanations.named_reasons import (
    ExplainedReason,
    WarningWithNames,
    add_names_to_warnings,
    explain_stored_reasons,
    player_names_by_number,
)
from pairing.explanations.pairing_warnings import players_with_fictitious_points
from pairing.explanations.reason_sentences import PlayerNames
from pairing.models import EditingSession
from pairing.page_context import event_page_context
from pairing.rounds.lifecycle import draft_checks, pairing_history
from pairing.rounds.lifecycle.editing_sessions import active_editing_session, user_display_name
from pairing.rounds.manual.undo import undo_history
from pairing.view_models.sheets.players_and_results import PLAYER_FIELDS, SheetPlayer, player_from_fields
from pairing.view_models.sheets.round_pairings import SheetBoard, SheetBye, pairing_sheet
from tournaments.check_in.byes import RoundAttendance, round_attendance
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Entry, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedBoard:
    """A board of a draft with its warnings and, if it was set manually, its reasons."""

    board: SheetBoard
    white_due: str
    black_due: str
    warnings: Sequence[WarningWithNames]
    why: Sequence[ExplainedReason]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedBye:
    """The bye of a draft with its warnings and reasons."""

    bye: SheetBye
    due: str
    warnings: Sequence[WarningWithNames]
    why: Sequence[ExplainedReason]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedPlayer:
    """A player who is still to be paired."""

    player: SheetPlayer
    due: str


def draft_edit_context(this_round: Round, user: Visitor) -> dict[str, Any]:
    """Return the context of `pairing/rounds/manual/edit.html`."""
    names = player_names_by_number(this_round.tournament)
    sheet = pairing_sheet(this_round, with_reasons=True)
    warnings = add_names_to_warnings(draft_checks.draft_warnings(this_round), names)
    allocated = next((bye for bye in sheet.byes if bye.is_pairing_allocated), None)
    unpaired = pairing_history.unpaired_entry_ids(this_round)
    session = active_editing_session(this_round)
    due = _due_colours(this_round)
    return event_page_context(this_round.tournament, may_run=True, number=this_round.number) | {
        "round": this_round,
        "sheet": sheet,
        "lines": [
            EditedBoard(
                board=board,
                white_due=due.get(board.white.tpn, ""),
                black_due=due.get(board.black.tpn, ""),
                warnings=[one for one in warnings if one.board == board.board],
                why=_by_hand(board.reasons, names),
            )
            for board in sheet.boards
        ],
        "bye": allocated
        and EditedBye(
            bye=allocated,
            due=due.get(allocated.player.tpn, ""),
            warnings=[one for one in warnings if one.board is None],
            why=_by_hand(allocated.reasons, names),
        ),
        "warnings": warnings,
        "unpaired": [
            UnpairedPlayer(player=player, due=due.get(player.tpn, "")) for player in _players(unpaired, this_round)
        ],
        "away": players_not_in_round(this_round, unpaired),
        "history": undo_history(this_round),
        **editing_session_context(session, user),
    }


def editing_session_context(session: EditingSession | None, user: Visitor) -> dict[str, Any]:
    """Return the session, its user, and `is_edited_elsewhere`: True if that is another user."""
    is_elsewhere = session is not None and session.by_id != user.pk
    return {
        "session": session,
        "is_edited_elsewhere": is_elsewhere,
        "edited_by": user_display_name(session.by) if session else "",
    }


def players_not_in_round(this_round: Round, unpaired: Iterable[int]) -> list[RoundAttendance]:
    """Return players of the event who are not in this round, or who arrived after it was paired."""
    seated = {key for pair in this_round.games.values_list("white_id", "black_id") for key in pair} | set(unpaired)
    return [
        player
        for player in round_attendance(this_round)
        if player.entry.pk not in seated and not (player.bye and player.is_to_be_paired)
    ]


def _players(keys: Sequence[int], this_round: Round) -> list[SheetPlayer]:
    rows = {row[0]: row for row in Entry.objects.filter(pk__in=keys).values_list(*PLAYER_FIELDS)}
    return [player_from_fields(rows[key], this_round.scores) for key in keys]


def _due_colours(this_round: Round) -> dict[int | None, str]:
    """Return each player's due colour in words, by number. Players without a preference are left out."""
    due: dict[int | None, str] = {}
    for player in players_with_fictitious_points(snapshot_before_round(this_round.tournament, this_round.number)):
        if player.preference is None:
            continue
        is_white = player.preference.colour is Colour.WHITE
        if player.preference.strength is PreferenceStrength.ABSOLUTE:
            due[player.tpn] = _("must have White") if is_white else _("must have Black")
        else:
            due[player.tpn] = _("due White") if is_white else _("due Black")
    return due


def _by_hand(reasons: Sequence[dict[str, Any]], names: PlayerNames) -> Sequence[ExplainedReason]:
    return explain_stored_reasons(reasons, names) if draft_checks.is_manually_paired(reasons) else ()
