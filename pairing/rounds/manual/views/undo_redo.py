"""Undo, redo and restore points, from the round page and the editing page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.request_types import AuthenticatedRequest
from pairing.models import PairingStep
from pairing.rounds.lifecycle.version_checks import parse_seen_version
from pairing.rounds.manual import undo as undoing
from pairing.rounds.manual.views.draft_edit import respond_to_edit
from tournaments.access import get_round_for_arbiter
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

Step = Callable[..., PairingStep]


@require_POST
def round_undo(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponseBase:
    """Undo the latest step of an unpublished round."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    return _step(request, this_round, undoing.undo_step, _("Undone: %(step)s."))


@require_POST
def round_redo(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponseBase:
    """Redo the step that was undone last."""
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
        return respond_to_edit(request, this_round, perform_step)
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
