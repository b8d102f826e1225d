"""Drawing lots for places that no tie-break separates."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubs.request_types import AuthenticatedRequest
from pairing.view_models.standings.lots import draw_lots, redraw_all_lots
from tournaments.access import get_tournament_for_arbiter
from tournaments.problems import ArbiterProblem


@require_POST
def lots_draw(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Draw lots for everybody who has none yet."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    drawn = draw_lots(tournament, by=request.user)
    if drawn:
        said = ngettext("Lot drawn for %(count)s player.", "Lots drawn for %(count)s players.", drawn)
        messages.success(request, said % {"count": drawn})
    else:
        messages.info(request, _("All players already have a lot, so nothing has changed."))
    return redirect("standings", club, event)


@require_POST
def lots_draw_again(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Draw all lots again. The reason is logged."""
    tournament = get_tournament_for_arbiter(request.user, club, event)
    try:
        redraw_all_lots(tournament, reason=request.POST.get("reason", "")[:500], by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("All lots redrawn."))
    return redirect("standings", club, event)
