"""Pages of proposals: choose absent and late players, compare, then adopt or discard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.request_types import AuthenticatedRequest, parse_key
from common.jobs.redirects import enqueue_and_redirect
from common.text.name_order import name_sort_key
from pairing.explanations.named_reasons import add_names_to_warnings, player_names_by_number
from pairing.models import PairingProposal
from pairing.page_context import event_page_context
from pairing.rounds.comparison.views import build_named_comparison
from pairing.rounds.proposals import jobs
from pairing.rounds.proposals import proposal_actions as repairing
from tournaments.access import get_round_for_arbiter
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Bye, Entry, Round
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentPlayer:
    """A player who is not in the round, with their bye if they have one."""

    entry: Entry
    bye: Bye | None


@require_http_methods(["GET", "HEAD", "POST"])
def proposal_create(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the form for absent and late players. When submitted, the round is paired again as a proposal."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if request.method == "POST":
        absent, present = (_keys(this_round, request.POST, name) for name in ("absent", "present"))
        job = jobs.create_proposal_job(this_round, absent=absent, present=present, by=request.user)
        return enqueue_and_redirect(request, job)
    if this_round.state not in (Round.State.DRAFT, Round.State.PUBLISHED):
        messages.error(request, _("Only draft or published rounds can be re-paired."))
        return redirect("round", club, event, number)
    seated, away = _players(this_round)
    context = event_page_context(this_round.tournament, may_run=True, number=number)
    context |= {"round": this_round, "seated": seated, "away": away}
    return render(request, "pairing/rounds/proposals/proposal_form.html", context)


@require_safe
def proposal_page(request: AuthenticatedRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Show the changes of the proposal, board by board, and any objections to it."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)
    compared = repairing.compare_proposal(found)
    is_open = found.state == PairingProposal.State.OPEN and repairing.is_proposal_current(found)
    is_public = this_round.state == Round.State.PUBLISHED
    titles = (_("Current pairings"), _("Proposal"))
    context = event_page_context(this_round.tournament, may_run=True, number=number) | {
        "round": this_round,
        "proposal": found,
        "changed": repairing.count_changed_boards(compared),
        "comparison": build_named_comparison(compared, snapshot_before_round(this_round.tournament, number), titles),
        "absent": _named(found.absent),
        "present": _named(found.present),
        "is_open": is_open,
        "is_public": is_public,
    }
    if is_open and is_public:
        context |= {
            "broken": add_names_to_warnings(
                repairing.find_round_breaches(this_round), player_names_by_number(this_round.tournament)
            ),
            "touched": repairing.affected_results(found),
        }
    return render(request, "pairing/rounds/proposals/proposal_page.html", context)


@require_POST
def proposal_adopt(request: AuthenticatedRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Make the proposal the round's pairing, and log the reason."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)
    reason = request.POST.get("reason", "")[:300]

    def adopt_proposal() -> str:
        adopted = repairing.adopt_proposal(found, by=request.user, reason=reason)
        jobs.propose_after_corrections(this_round.tournament, by=request.user)
        if not adopted.is_public:
            return _("Draft updated.")
        return _("Pairings updated (version %(version)s).") % {"version": adopted.publications}

    return _settled(request, found, adopt_proposal)


@require_POST
def proposal_discard(request: AuthenticatedRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Discard the proposal. The pairing stays as it is."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)

    def discard_proposal() -> str:
        repairing.discard_proposal(found)
        return _("The pairings are unchanged.")

    return _settled(request, found, discard_proposal)


def _settled(request: AuthenticatedRequest, proposal: PairingProposal, act: Callable[[], str]) -> HttpResponse:
    tournament = proposal.round.tournament
    address = [tournament.club.slug, tournament.slug, proposal.round.number]
    try:
        messages.success(request, act())
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("proposal", *address, proposal.pk)
    return redirect("round", *address)


def _proposal(round: Round, key: int) -> PairingProposal:
    found: PairingProposal = get_object_or_404(
        PairingProposal.objects.select_related("correction__round"), round=round, pk=key
    )
    found.round = round
    return found


def _keys(round: Round, sent: QueryDict, name: str) -> list[int]:
    """Return the ticked entries. Entries of other events are ignored."""
    ticked = [parse_key(key) for key in sent.getlist(name)]
    return list(round.tournament.entries.filter(pk__in=ticked).values_list("pk", flat=True))


def _named(keys: list[int]) -> list[str]:
    return list(Entry.objects.filter(pk__in=keys).order_by("name").values_list("name", flat=True))


def _players(round: Round) -> tuple[list[Entry], list[AbsentPlayer]]:
    """Return the players in the pairing, and those who might still arrive, by name."""
    byes = {bye.entry_id: bye for bye in round.byes.all()}
    seated = {key for pair in round.games.values_list("white", "black") for key in pair}
    seated |= {key for key, bye in byes.items() if bye.kind == Bye.Kind.PAIRING_ALLOCATED}
    entries = sorted(round.tournament.entries.all(), key=lambda entry: (name_sort_key(entry.name), entry.pk))
    stayed = [
        entry for entry in entries if entry.withdrawn_from_round is None or entry.withdrawn_from_round > round.number
    ]
    return (
        [entry for entry in entries if entry.pk in seated],
        [AbsentPlayer(entry=entry, bye=byes.get(entry.pk)) for entry in stayed if entry.pk not in seated],
    )
