"""A round that has no legal pairing: who blocks it, what may be decided, and deciding it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.requests import OfficerRequest
from pairing.engine.deadlock import BYE, Deadlock, find_deadlock
from pairing.engine.snapshot import PairingNumber
from pairing.engine.ways_out import AUTHORITY, document_of, may_relax
from pairing.explanations.explanations import Names, because
from pairing.explanations.reliefs import AUTHORITIES, BY_HAND, RELIEF_WORDS, ReliefWords
from pairing.explanations.stored import reasons_from_json
from pairing.frame import frame
from pairing.models import Proposal
from pairing.rounds.lifecycle.deciding import begin_by_hand, decide, exceptions_in, ways_kept
from pairing.rounds.lifecycle.editing_sessions import begin
from pairing.rounds.lifecycle.pairing import take_snapshot
from tournaments.access import get_round_for_arbiter
from tournaments.entries.entering import numbers_of
from tournaments.models import Round, Tournament
from tournaments.problems import ArbiterProblem

MOST_NAMED = 12
"""So many opponents are written out for one player."""
LONGEST_REASON = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """Players who may meet nobody but one another and `could_meet`; `more` of these are not written out."""

    names: tuple[str, ...]
    could_meet: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGo:
    """A board or the bye of a way out that an article forbids, and why."""

    who: str
    articles: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedWay:
    """A way out, ready for its template: `boards` are White and Black of all boards, by name."""

    proposal: Proposal
    words: ReliefWords
    let_go: tuple[LetGo, ...]
    boards: tuple[tuple[int, str, str, bool], ...]
    bye: str

    @property
    def by_the_rules(self) -> int:
        """How many boards the system has paired as ever."""
        return sum(not is_let_go for *_board, is_let_go in self.boards)


@require_safe
def no_round(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Who stands in the way of a waiting round, and the ways out that were found when it was paired."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    if this_round.state != Round.State.WAITING or this_round.paired_by.has_schedule:
        return redirect("round", club, event, number)
    try:
        snapshot = take_snapshot(this_round)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("round", club, event, number)
    context = frame(this_round.tournament, may_run=True, number=number) | {"round": this_round}
    deadlock = find_deadlock(snapshot)
    if deadlock is not None:
        names = _names(this_round.tournament)
        document = document_of(snapshot)
        context |= {
            "blocked": _blocked(deadlock, names),
            "groups": len(deadlock.groups),
            "wanted": [names[tpn] for tpn in deadlock.wanted],
            "authority": AUTHORITIES[document],
            "authority_article": AUTHORITY[document],
            "is_relaxed": may_relax(document),
            "is_jahr": snapshot.system == "jahr",
            "ways": [_offered(way, names, this_round.tournament) for way in ways_kept(this_round, snapshot)],
            "by_hand": BY_HAND,
            "longest_reason": LONGEST_REASON,
        }
    return render(request, "pairing/rounds/proposals/no_round.html", context | {"deadlock": deadlock})


@require_POST
def no_round_decide(request: OfficerRequest, club: str, event: str, number: int, proposal: int) -> HttpResponse:
    """Make a way out the draft; the written reason goes into the log."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    found = get_object_or_404(Proposal, round=this_round, pk=proposal)
    reason = request.POST.get("reason", "")[:LONGEST_REASON]
    return _settled(request, this_round, "round", lambda: decide(found, by=request.user, reason=reason))


@require_POST
def no_round_by_hand(request: OfficerRequest, club: str, event: str, number: int) -> HttpResponse:
    """Begin with empty boards, on the page on which drafts are changed by hand."""
    this_round = get_round_for_arbiter(request.user, club, event, number)
    reason = request.POST.get("reason", "")[:LONGEST_REASON]

    def start_empty_draft() -> None:
        begin(begin_by_hand(this_round, by=request.user, reason=reason), by=request.user)

    return _settled(request, this_round, "round_edit", start_empty_draft)


def _settled(request: OfficerRequest, this_round: Round, then: str, act: Callable[[], object]) -> HttpResponse:
    tournament = this_round.tournament
    address = [tournament.club.slug, tournament.slug, this_round.number]
    try:
        act()
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("no_round", *address)
    messages.success(request, _("Your decision is in the log. This is the draft: look at it, then publish it."))
    return redirect(then, *address)


def _names(tournament: Tournament) -> dict[PairingNumber, str]:
    """Everybody by number, given or to be given, and the bye."""
    entries = list(tournament.entries.all())
    numbers = numbers_of(entries)
    return {BYE: _("the bye")} | {numbers[entry.pk]: entry.name for entry in entries}


def _blocked(deadlock: Deadlock, names: Names) -> list[Blocked]:
    """The groups; players of groups of one who could meet the same people stand together."""
    found: dict[tuple[PairingNumber, ...], list[PairingNumber]] = {}
    lines = []
    for group in deadlock.groups:
        reach = _outside(group, deadlock.could_meet)
        if len(group) > 1:
            lines.append(_line(group, reach, names))
        else:
            found.setdefault(reach, []).extend(group)
    return [*(_line(players, reach, names) for reach, players in found.items()), *lines]


def _outside(
    group: Iterable[PairingNumber], could_meet: Mapping[PairingNumber, tuple[PairingNumber, ...]]
) -> tuple[PairingNumber, ...]:
    return tuple(sorted({tpn for one in group for tpn in could_meet[one]} - set(group)))


def _line(players: Iterable[PairingNumber], reach: tuple[PairingNumber, ...], names: Names) -> Blocked:
    return Blocked(
        names=tuple(names[tpn] for tpn in sorted(players, key=lambda tpn: tpn == BYE)),
        could_meet=tuple(names[tpn] for tpn in reach[:MOST_NAMED]),
        more=max(len(reach) - MOST_NAMED, 0),
    )


def _offered(way: Proposal, names: Names, tournament: Tournament) -> OfferedWay:
    keys = dict(tournament.entries.values_list("pk", "name"))
    boards = [
        (board["board"], keys[board["white"]], keys[board["black"]], bool(exceptions_in(board["reasons"])))
        for board in way.boards
    ]
    let_go = [
        _let_go(f"{keys[board['white']]} – {keys[board['black']]}", board["reasons"], names)
        for board in way.boards
        if exceptions_in(board["reasons"])
    ]
    bye: Mapping[str, Any] = way.bye or {}
    if exceptions_in(bye.get("reasons", ())):
        let_go.append(_let_go(_("%(name)s: the bye") % {"name": keys[bye["entry"]]}, bye["reasons"], names))
    return OfferedWay(
        proposal=way,
        words=RELIEF_WORDS[way.relief],
        let_go=tuple(let_go),
        boards=tuple(boards),
        bye=keys[bye["entry"]] if bye else "",
    )


def _let_go(who: str, reasons: Iterable[dict[str, Any]], names: Names) -> LetGo:
    found = reasons_from_json(exceptions_in(reasons))
    return LetGo(
        who=who,
        articles=", ".join(sorted({why.article for why in found} - {""})),
        why="; ".join(because(why, names) for why in found),
    )
