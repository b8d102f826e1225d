"""The page of a round without a legal pairing: who blocks it, and what the arbiter may decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.request_types import AuthenticatedRequest
from pairing.engine.infeasibility import BYE_NUMBER, InfeasibilityProof, find_infeasibility_proof
from pairing.engine.relaxations import RELAXATION_ARTICLES, can_relax_rules, governing_document
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames, cause_text
from pairing.explanations.relaxations import (
    ARBITER_AUTHORITY_TEXTS,
    MANUAL_PAIRING_TEXT,
    RELAXATION_TEXTS,
    RelaxationText,
)
from pairing.models import PairingProposal
from pairing.page_context import event_page_context
from pairing.rounds.lifecycle.editing_sessions import start_editing_session
from pairing.rounds.lifecycle.relaxations import (
    adopt_relaxation,
    create_empty_draft,
    exception_reasons,
    open_relaxation_proposals,
)
from pairing.rounds.lifecycle.transitions import take_pairing_snapshot
from tournaments.access import get_round_for_arbiter
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

MAX_NAMED_OPPONENTS = 12
"""The most possible opponents listed for one player."""
MAX_REASON_LENGTH = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedPlayers:
    """Players who may meet only one another and `could_meet`. `more` is the number of opponents not listed."""

    names: tuple[str, ...]
    could_meet: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaivedBoard:
    """A board or bye of a relaxation that an article forbids, and why."""

    who: str
    articles: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedRelaxation:
    """A relaxation, ready for its template: `boards` are White and Black of all boards, by name."""

    proposal: PairingProposal
    words: RelaxationText
    waived_boards: tuple[WaivedBoard, ...]
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
        names = _names(this_round.tournament)
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
    """Start with empty boards on the editing page."""
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
    messages.success(request, _("Your decision is logged. Review this draft, then publish it."))
    return redirect(then, *address)


def _names(tournament: Tournament) -> dict[PairingNumber, str]:
    """Return the names of all players by number, given or to be given, and of the bye."""
    entries = list(tournament.entries.all())
    numbers = pairing_numbers_by_entry(entries)
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


def _let_go(who: str, reasons: Iterable[dict[str, Any]], names: PlayerNames) -> WaivedBoard:
    found = reasons_from_json(exception_reasons(reasons))
    return WaivedBoard(
        who=who,
        articles=", ".join(sorted({why.article for why in found} - {""})),
        why="; ".join(cause_text(why, names) for why in found),
    )
