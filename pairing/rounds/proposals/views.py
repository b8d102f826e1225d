"""A round paired once more on trial: who is missing or came late, what would change, taking it over or leaving it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.requests import OfficerRequest, key_of
from common.jobs.waiting import soon
from common.text.name_order import name_key
from pairing.explanations.with_names import names_of, with_names
from pairing.frame import frame
from pairing.models import Proposal
from pairing.rounds.comparison.views import comparison_of
from pairing.rounds.proposals import background
from pairing.rounds.proposals import proposing as repairing
from tournaments.access import get_round_for_arbiter
from tournaments.import_export.snapshots import snapshot_before
from tournaments.models import Bye, Entry, Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """Somebody who is not in the round, and why: his bye, or the round he plays from."""

    entry: Entry
    bye: Bye | None


@require_http_methods(["GET", "HEAD", "POST"])
def round_trial(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Tick who is not here and who came late; posted, the round is paired once more on trial."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if request.method == "POST":
        absent, present = (_keys(this_round, request.POST, name) for name in ("absent", "present"))
        job = background.ask_to_propose(this_round, absent=absent, present=present, by=request.user)
        return soon(request, job)
    if this_round.state not in (Round.State.DRAFT, Round.State.PUBLISHED):
        messages.error(request, _("Only a draft or a published round is paired once more on trial."))
        return redirect("round", club, event, number)
    seated, away = _players(this_round)
    context = frame(this_round.tournament, may_run=True, number=number)
    context |= {"round": this_round, "seated": seated, "away": away}
    return render(request, "pairing/rounds/proposals/trial.html", context)


@require_safe
def proposal_page(request: OfficerRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """What the trial would change, board by board, and what stands against it."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)
    compared = repairing.compare_proposal(found)
    is_open = found.state == Proposal.State.OPEN and repairing.is_current(found)
    is_public = this_round.state == Round.State.PUBLISHED
    titles = (_("The pairing as it stands"), _("Paired once more"))
    context = frame(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "proposal": found,
        "changed": repairing.changed_boards(compared),
        "comparison": comparison_of(compared, snapshot_before(this_round.tournament, number), titles),
        "absent": _named(found.absent),
        "present": _named(found.present),
        "is_open": is_open,
        "is_public": is_public,
    }
    if is_open and is_public:
        context |= {
            "broken": with_names(repairing.breaches(this_round), names_of(this_round.tournament)),
            "touched": repairing.touched_results(found),
        }
    return render(request, "pairing/rounds/proposals/proposal.html", context)


@require_POST
def proposal_adopt(request: OfficerRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Make the trial the round's pairing; the reason goes into the log."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)
    reason = request.POST.get("reason", "")[:300]

    def adopt_proposal() -> str:
        adopted = repairing.adopt(found, by=request.user, reason=reason)
        background.look_after_correction(this_round.tournament, by=request.user)
        if not adopted.is_public:
            return _("The draft is changed.")
        return _("The pairing is changed: this is its version %(version)s.") % {"version": adopted.publications}

    return _settled(request, found, adopt_proposal)


@require_POST
def proposal_discard(request: OfficerRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Leave the pairing as it is."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)

    def discard_proposal() -> str:
        repairing.discard(found)
        return _("The pairing stays as it was.")

    return _settled(request, found, discard_proposal)


def _settled(request: OfficerRequest, proposal: Proposal, act: Callable[[], str]) -> HttpResponse:
    tournament = proposal.round.tournament
    address = [tournament.club.slug, tournament.slug, proposal.round.number]
    try:
        messages.success(request, act())
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("proposal", *address, proposal.pk)
    return redirect("round", *address)


def _proposal(round: Round, key: int) -> Proposal:
    found: Proposal = get_object_or_404(Proposal.objects.select_related("correction__round"), round=round, pk=key)
    found.round = round
    return found


def _keys(round: Round, sent: QueryDict, name: str) -> list[int]:
    """The entries ticked; others than this event's are not there."""
    ticked = [key_of(key) for key in sent.getlist(name)]
    return list(round.tournament.entries.filter(pk__in=ticked).values_list("pk", flat=True))


def _named(keys: list[int]) -> list[str]:
    return list(Entry.objects.filter(pk__in=keys).order_by("name").values_list("name", flat=True))


def _players(round: Round) -> tuple[list[Entry], list[Away]]:
    """Those whom the pairing holds, and those who might still come, by name."""
    byes = {bye.entry_id: bye for bye in round.byes.all()}
    seated = {key for pair in round.games.values_list("white", "black") for key in pair}
    seated |= {key for key, bye in byes.items() if bye.kind == Bye.Kind.PAIRING_ALLOCATED}
    entries = sorted(round.tournament.entries.all(), key=lambda entry: (name_key(entry.name), entry.pk))
    stayed = [
        entry for entry in entries if entry.withdrawn_from_round is None or entry.withdrawn_from_round > round.number
    ]
    return (
        [entry for entry in entries if entry.pk in seated],
        [Away(entry=entry, bye=byes.get(entry.pk)) for entry in stayed if entry.pk not in seated],
    )
