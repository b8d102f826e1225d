"""Pages of proposals: choose absent and late players, compare, then adopt or discard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.request_types import AuthenticatedRequest, parse_key
from common.jobs.redirects import enqueue_and_redirect
from common.text.name_order import name_sort_key
from pairing.engine.relaxations import (
    BYE_NUMBER,
    RELAXATION_ARTICLES,
    InfeasibilityProof,
    can_relax_rules,
    find_infeasibility_proof,
    governing_document,
)
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.named_reasons import add_names_to_warnings, player_names_by_number
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames, cause_clause
from pairing.explanations.relaxations import (
    ARBITER_AUTHORITY_TEXTS,
    MANUAL_PAIRING_TEXT,
    RELAXATION_TEXTS,
    RelaxationText,
)
from pairing.models import PairingProposal
from pairing.page_context import event_page_context
from pairing.rounds.comparison.views import build_named_comparison
from pairing.rounds.lifecycle.editing_sessions import start_editing_session
from pairing.rounds.lifecycle.relaxations import (
    adopt_relaxation,
    create_empty_draft,
    exception_reasons,
    open_relaxation_proposals,
)
from pairing.rounds.lifecycle.transitions import take_pairing_snapshot
from pairing.rounds.proposals import jobs
from pairing.rounds.proposals import proposal_actions as repairing
from tournaments.access import get_round_for_arbiter
from tournaments.entries.pairing_numbers import numbers_for_pairing
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Bye, Entry, Round, Tournament
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentPlayer:
    """A player who is not in the round, with their bye if they have one."""

    entry: Entry
    bye: Bye | None


@require_http_methods(["GET", "HEAD", "POST"])
def proposal_create(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the form for absent and late players. A POST starts the job that pairs the round again as a proposal."""
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
    """Show the changes in the proposal, board by board, and any objections to it."""
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
        names = player_names_by_number(this_round.tournament, this_round.number)
        context |= {
            "broken": add_names_to_warnings(repairing.find_round_breaches(this_round), names),
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
        jobs.create_proposals_after_corrections(this_round.tournament, by=request.user)
        if not adopted.is_public:
            return _("Draft updated.")
        return _("Pairings updated (version %(version)s).") % {"version": adopted.publications}

    return _settled_proposal(request, found, adopt_proposal)


@require_POST
def proposal_discard(request: AuthenticatedRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Discard the proposal. The pairings do not change."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = _proposal(this_round, proposal)

    def discard_proposal() -> str:
        repairing.discard_proposal(found)
        return _("The pairings are unchanged.")

    return _settled_proposal(request, found, discard_proposal)


def _settled_proposal(request: AuthenticatedRequest, proposal: PairingProposal, act: Callable[[], str]) -> HttpResponse:
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


MAX_NAMED_OPPONENTS = 12
"""The most possible opponents listed for one player."""
MAX_REASON_LENGTH = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedPlayers:
    """Players who may only meet one another and the opponents in `could_meet`. `more` counts unlisted opponents."""

    names: tuple[str, ...]
    could_meet: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreakingBoard:
    """A board or bye in a relaxation, the articles that forbid it, and why."""

    who: str
    articles: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedRelaxation:
    """A relaxation, ready for its template: `boards` has the names of White and Black on all boards."""

    proposal: PairingProposal
    words: RelaxationText
    waived_boards: tuple[RuleBreakingBoard, ...]
    boards: tuple[tuple[int, str, str, bool], ...]
    bye: str

    @property
    def legal_board_count(self) -> int:
        """The number of boards paired without an exception."""
        return sum(not is_let_go for *_board, is_let_go in self.boards)


@require_safe
def no_legal_pairing(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show who blocks a waiting round, and the relaxations found when it was paired."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state != Round.State.WAITING or this_round.pairing_method.has_fixed_schedule:
        return redirect("round", club, event, number)
    try:
        snapshot = take_pairing_snapshot(this_round)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("round", club, event, number)
    context = event_page_context(this_round.tournament, may_run=True, number=number) | {"round": this_round}
    deadlock = find_infeasibility_proof(snapshot)
    if deadlock is not None:
        names = _names(this_round)
        document = governing_document(snapshot)
        context |= {
            "blocked": _blocked(deadlock, names),
            "groups": len(deadlock.groups),
            "wanted": [names[tpn] for tpn in deadlock.scarce_opponents],
            "authority": ARBITER_AUTHORITY_TEXTS[document],
            "authority_article": RELAXATION_ARTICLES[document],
            "is_relaxed": can_relax_rules(document),
            "is_jahr": snapshot.system == "jahr",
            "ways": [
                _offered(way, names, this_round.tournament) for way in open_relaxation_proposals(this_round, snapshot)
            ],
            "by_hand": MANUAL_PAIRING_TEXT,
            "longest_reason": MAX_REASON_LENGTH,
        }
    return render(request, "pairing/rounds/proposals/no_legal_pairing.html", context | {"deadlock": deadlock})


@require_POST
def relaxation_adopt(request: AuthenticatedRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Make a relaxation the draft, and log the written reason."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = get_object_or_404(PairingProposal, round=this_round, pk=proposal)
    reason = request.POST.get("reason", "")[:MAX_REASON_LENGTH]
    return _settled(request, this_round, "round", lambda: adopt_relaxation(found, by=request.user, reason=reason))


@require_POST
def empty_draft_start(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Create an empty draft, and open the editing page."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    reason = request.POST.get("reason", "")[:MAX_REASON_LENGTH]

    def start_empty_draft() -> None:
        start_editing_session(create_empty_draft(this_round, by=request.user, reason=reason), by=request.user)

    return _settled(request, this_round, "round_edit", start_empty_draft)


def _settled(request: AuthenticatedRequest, this_round: Round, then: str, act: Callable[[], object]) -> HttpResponse:
    tournament = this_round.tournament
    address = [tournament.club.slug, tournament.slug, this_round.number]
    try:
        act()
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("no_legal_pairing", *address)
    messages.success(request, _("Your decision has been logged. Review this draft, then publish it."))
    return redirect(then, *address)


def _names(this_round: Round) -> dict[PairingNumber, str]:
    """Return the names of all players by number, given or to be given, and of the bye."""
    entries = list(this_round.tournament.entries.all())
    numbers = numbers_for_pairing(this_round, entries).by_entry
    return {BYE_NUMBER: _("the bye")} | {numbers[entry.pk]: entry.name for entry in entries}


def _blocked(deadlock: InfeasibilityProof, names: PlayerNames) -> list[BlockedPlayers]:
    """Return the blocked groups. Single players with the same possible opponents are combined."""
    found: dict[tuple[PairingNumber, ...], list[PairingNumber]] = {}
    lines = []
    for group in deadlock.groups:
        reach = _outside(group, deadlock.possible_opponents)
        if len(group) > 1:
            lines.append(_line(group, reach, names))
        else:
            found.setdefault(reach, []).extend(group)
    return [*(_line(players, reach, names) for reach, players in found.items()), *lines]


def _outside(
    group: Iterable[PairingNumber], could_meet: Mapping[PairingNumber, tuple[PairingNumber, ...]]
) -> tuple[PairingNumber, ...]:
    return tuple(sorted({tpn for one in group for tpn in could_meet[one]} - set(group)))


def _line(players: Iterable[PairingNumber], reach: tuple[PairingNumber, ...], names: PlayerNames) -> BlockedPlayers:
    return BlockedPlayers(
        names=tuple(names[tpn] for tpn in sorted(players, key=lambda tpn: tpn == BYE_NUMBER)),
        could_meet=tuple(names[tpn] for tpn in reach[:MAX_NAMED_OPPONENTS]),
        more=max(len(reach) - MAX_NAMED_OPPONENTS, 0),
    )


def _offered(way: PairingProposal, names: PlayerNames, tournament: Tournament) -> OfferedRelaxation:
    keys = dict(tournament.entries.values_list("pk", "name"))
    boards = [
        (board["board"], keys[board["white"]], keys[board["black"]], bool(exception_reasons(board["reasons"])))
        for board in way.boards
    ]
    let_go = [
        _let_go(f"{keys[board['white']]} – {keys[board['black']]}", board["reasons"], names)
        for board in way.boards
        if exception_reasons(board["reasons"])
    ]
    bye: Mapping[str, Any] = way.bye or {}
    if exception_reasons(bye.get("reasons", ())):
        let_go.append(_let_go(_("%(name)s: bye") % {"name": keys[bye["entry"]]}, bye["reasons"], names))
    return OfferedRelaxation(
        proposal=way,
        words=RELAXATION_TEXTS[way.relief],
        waived_boards=tuple(let_go),
        boards=tuple(boards),
        bye=keys[bye["entry"]] if bye else "",
    )


def _let_go(who: str, reasons: Iterable[dict[str, Any]], names: PlayerNames) -> RuleBreakingBoard:
    found = reasons_from_json(exception_reasons(reasons))
    return RuleBreakingBoard(
        who=who,
        articles=", ".join(sorted({why.article for why in found} - {""})),
        why="; ".join(cause_clause(why, names) for why in found),
    )
