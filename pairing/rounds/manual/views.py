"""The context of the page on which a draft is changed manually."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.request_types import AuthenticatedRequest, parse_key
from clubs.roles import Visitor
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
from pairing.models import EditingSession, PairingCause, PairingStep
from pairing.page_context import event_page_context
from pairing.rounds.comparison.differences import boards_by_system, compare_pairings, saved_boards
from pairing.rounds.comparison.views import build_named_comparison
from pairing.rounds.lifecycle import draft_checks, editing_sessions, pairing_history
from pairing.rounds.lifecycle.draft_checks import parse_seen_version
from pairing.rounds.lifecycle.editing_sessions import active_editing_session, user_display_name
from pairing.rounds.lifecycle.transitions import take_pairing_snapshot
from pairing.rounds.manual import arrangement as by_hand
from pairing.rounds.manual import undo as undoing
from pairing.rounds.manual.arrangement import ArrangementChange, DraftArrangement, Operation
from pairing.rounds.manual.changes import change_draft_manually, order_by_due_colour
from pairing.rounds.manual.undo import undo_history
from pairing.view_models.sheets.players_and_results import PLAYER_FIELDS, SheetPlayer, player_from_fields
from pairing.view_models.sheets.round_pairings import SheetBoard, SheetBye, pairing_sheet
from tournaments.access import get_round_for_arbiter
from tournaments.check_in.byes import RoundAttendance, round_attendance
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Entry, Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedBoard:
    """A board in a draft, with its warnings and, if it was set manually, its reasons."""

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
    names = player_names_by_number(this_round.tournament, this_round.number)
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
    """Return players in the event who are not in this round, or who arrived after it was paired."""
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


@require_safe
def round_edit(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the draft with a checkbox for each player and a button for each change."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state != Round.State.DRAFT:
        return redirect(f"{reverse('round', args=[club, event, number])}?edit=refused")
    return render(request, "pairing/rounds/manual/edit.html", draft_edit_context(this_round, request.user))


@require_POST
def round_edit_begin(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Start editing the draft, or take over from another user."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    begin = (
        editing_sessions.take_over_editing_session
        if "take_over" in request.POST
        else editing_sessions.start_editing_session
    )
    try:
        begin(this_round, by=request.user)
    except editing_sessions.DraftEditedByOtherUser:
        pass  # The page names the other user and offers to take over.
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("round", club, event, number)
    return redirect("round_edit", club, event, number)


@require_POST
def round_edit_apply(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponseBase:
    """Apply the change of the button that was clicked."""
    this_round = get_round_for_arbiter(request.user, club, event, number)

    def change_draft() -> str:
        operation = _operation(this_round, request.POST)
        return _told(
            change_draft_manually(this_round, operation, by=request.user, version=parse_seen_version(request.POST))
        )

    return apply_edit_and_render(request, this_round, change_draft)


@require_safe
def round_edit_review(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the review at the end of a session: the system's pairing, broken rules, and the choice to keep or revert."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state != Round.State.DRAFT:
        return redirect("round", club, event, number)
    session = this_round.editing_sessions.filter(ended_at=None, by=request.user).select_related("began_from").first()
    has_changed = (
        session is None
        or session.began_from is None
        or not pairing_history.is_in_pairing_state(this_round, session.began_from)
    )
    context = draft_edit_context(this_round, request.user)
    context |= {"has_changed": has_changed, "may_go_back": session is not None and has_changed}
    return render(request, "pairing/rounds/manual/edit_review.html", context | _beside_the_system(this_round))


@require_POST
def round_edit_end(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """End the session: keep the changes, or restore the pairing from when it began."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    keep = request.POST.get("choice") != "back"
    try:
        undoing.finish_editing_session(this_round, by=request.user, version=parse_seen_version(request.POST), keep=keep)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("round_edit", club, event, number)
    messages.success(request, _("Your changes were kept.") if keep else _("Your changes were discarded."))
    return redirect("round", club, event, number)


def apply_edit_and_render(request: AuthenticatedRequest, this_round: Round, act: Callable[[], str]) -> HttpResponseBase:
    """Apply a change and show the editing page again, as a fragment for HTMX."""
    tournament = this_round.tournament
    address = [tournament.club.slug, tournament.slug, this_round.number]
    problem = None
    try:
        said = act()
    except ArbiterProblem as found:
        problem, said = found, found.message
    this_round.refresh_from_db()
    this_round.tournament = tournament
    if request.htmx and this_round.state == Round.State.DRAFT:
        context = draft_edit_context(this_round, request.user) | {"said": said, "problem": problem, "is_part": True}
        return render(request, "pairing/rounds/manual/edit.html#editing", context, status=422 if problem else 200)
    if problem:
        messages.error(request, said)
    else:
        messages.success(request, said)
    where = "round_edit" if this_round.state == Round.State.DRAFT else "round"
    return HttpResponseClientRedirect(reverse(where, args=address)) if request.htmx else redirect(where, *address)


def _operation(this_round: Round, sent: QueryDict) -> Operation:
    """Return the operation of the clicked button. Some buttons apply to the ticked players."""
    if "turn" in sent:
        return by_hand.swap_colours(_whole(sent, "turn"))
    if "unpair" in sent:
        return by_hand.remove_pair(_whole(sent, "unpair"))
    if "take_bye" in sent:
        return by_hand.remove_bye
    if "put_in" in sent:
        return _putting_in(this_round, _whole(sent, "put_in"))
    if "bye" in sent:
        return by_hand.give_bye(*_ticked(sent, 1))
    if "take_out" in sent:
        return by_hand.remove_player(*_ticked(sent, 1))
    if "pair" in sent:
        return _pairing(this_round, *_ticked(sent, 2))
    if "move" in sent:
        return by_hand.move_board(_whole(sent, "board"), _whole(sent, "to"))
    return by_hand.swap_players(*_ticked(sent, 2))


def _pairing(this_round: Round, one: int, other: int) -> Operation:
    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        by_hand.make_pair(one, other)(before)
        return by_hand.make_pair(*order_by_due_colour(this_round, one, other))(before)

    return apply_operation


def _putting_in(this_round: Round, player: int) -> Operation:
    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        if player not in {each.entry.pk for each in players_not_in_round(this_round, before.unpaired)}:
            raise ArbiterProblem(_("This player isn't in the event or is already in the round."))
        return by_hand.add_player(player)(before)

    return apply_operation


def _ticked(sent: QueryDict, wanted: int) -> list[int]:
    ticked = [parse_key(key) for key in sent.getlist("player")]
    if len(ticked) != wanted or len(set(ticked)) != wanted:
        raise ArbiterProblem(_("Select 1 player first.") if wanted == 1 else _("Select 2 players first."))
    return ticked


def _whole(sent: QueryDict, name: str) -> int:
    value = sent.get(name, "")
    if not parse_key(value):
        raise ArbiterProblem(_("Enter a board number."))
    return parse_key(value)


def _told(change: ArrangementChange) -> str:
    """Describe the change in a sentence."""
    names = dict(Entry.objects.filter(pk__in=change.players).values_list("pk", "name"))
    one, other = (*change.players, change.players[0])[:2]
    return {
        PairingCause.SWAPPED: _("%(one)s and %(other)s have swapped places."),
        PairingCause.COLOURS: _("%(other)s now has White on board %(board)s, and %(one)s has Black."),
        PairingCause.MOVED: _("%(one)s – %(other)s is now board %(board)s."),
        PairingCause.PAIR_REMOVED: _("%(one)s and %(other)s are no longer paired."),
        PairingCause.PAIR_MADE: _("%(one)s has White on board %(board)s, and %(other)s has Black."),
        PairingCause.BYE_GIVEN: _("%(one)s now has the bye."),
        PairingCause.BYE_TAKEN: _("%(one)s no longer has the bye and needs an opponent."),
        PairingCause.PLAYER_OUT: _("%(one)s is now absent this round."),
        PairingCause.PLAYER_IN: _("%(one)s is now in the round but not paired yet."),
    }[change.cause] % {"one": names[one], "other": names[other], "board": change.board}


def _beside_the_system(this_round: Round) -> dict[str, Any]:
    """Compare the draft with the system's present pairing, or give the reason why it has none."""
    try:
        snapshot = take_pairing_snapshot(this_round)
        compared = compare_pairings(saved_boards(this_round), boards_by_system(snapshot))
    except ArbiterProblem as problem:
        return {"no_comparison": problem.message}
    titles = (_("This draft"), _("The system's pairings"))
    return {"comparison": build_named_comparison(compared, snapshot, titles), "agrees": compared.is_identical}


Step = Callable[..., PairingStep]


@require_POST
def round_undo(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponseBase:
    """Undo the latest step of an unpublished round."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return _step(request, this_round, undoing.undo_step, _("Undone: %(step)s."))


@require_POST
def round_redo(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponseBase:
    """Redo the last undone step."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return _step(request, this_round, undoing.redo_step, _("Redone: %(step)s."))


@require_POST
def round_restore(request: AuthenticatedRequest, club: str, event: str, number: int, point: int) -> HttpResponseBase:
    """Restore a pairing that was saved before it was discarded or changed."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    kept = get_object_or_404(this_round.restore_points.select_related("round"), pk=point)
    return _on_the_rounds_page(
        request,
        this_round,
        lambda: undoing.restore_pairing(kept, by=request.user, version=parse_seen_version(request.POST)),
        _("Pairings restored."),
    )


def _step(request: AuthenticatedRequest, this_round: Round, step: Step, words: str) -> HttpResponseBase:
    def perform_step() -> str:
        done = step(this_round, by=request.user, version=parse_seen_version(request.POST))
        return words % {"step": done.get_cause_display()}

    if request.POST.get("page") == "edit":
        return apply_edit_and_render(request, this_round, perform_step)
    return _on_the_rounds_page(request, this_round, perform_step, None)


def _on_the_rounds_page(
    request: AuthenticatedRequest, this_round: Round, act: Callable[[], Any], said: str | None
) -> HttpResponseBase:
    try:
        done = act()
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, said or done)
    return redirect("round", this_round.tournament.club.slug, this_round.tournament.slug, this_round.number)
