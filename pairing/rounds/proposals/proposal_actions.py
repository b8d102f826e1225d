"""Proposals to pair a paired round again: what would change, adopting and discarding (F6, F7).

A proposal changes nothing until it is adopted. A draft may always be replaced. A published pairing may be replaced only
if it breaks B1 or B2, or by the chief arbiter with a written reason. A board with a result is never changed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from common.models import Job
from common.signals import ChangeKind, publish
from pairing.engine.snapshot import ABSENT_RECORD, PairingNumber, TournamentSnapshot
from pairing.explanations.pairing_warnings import PairingWarning, PairingWarningKind, find_pairing_warnings
from pairing.explanations.reason_json import reasons_from_json
from pairing.log_actions import PairingAction
from pairing.models import PairingCause, PairingProposal
from pairing.rounds.comparison.differences import (
    BoardDifference,
    PairedBoard,
    PairingComparison,
    compare_pairings,
    saved_boards,
)
from pairing.rounds.lifecycle import editing_sessions, pairing_history
from pairing.rounds.lifecycle.board_storage import (
    StoredBoard,
    StoredBye,
    save_boards_and_byes,
    serialize_paired_round,
    snapshot_fingerprint,
    stored_boards,
    stored_byes,
)
from pairing.rounds.lifecycle.draft_checks import require_current_version
from pairing.rounds.lifecycle.transitions import pair_snapshot, take_pairing_snapshot
from tournaments.access import lock_round
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import assign_pairing_numbers
from tournaments.entries.pairing_numbers import numbers_for_pairing
from tournaments.models import Bye, Entry, Game, LogEntry, Round
from tournaments.problems import ArbiterProblem

_B1_B2 = frozenset({PairingWarningKind.MET, PairingWarningKind.SAME_ABSOLUTE_COLOUR, PairingWarningKind.SECOND_BYE})
_IN_HAND = (Round.State.DRAFT, Round.State.PUBLISHED)


def propose_pairing(
    round_id: int,
    *,
    absent: Collection[int] = (),
    present: Collection[int] = (),
    by: User | None,
    job: Job | None = None,
    correction: LogEntry | None = None,
) -> PairingProposal:
    """Pair a draft or published round again, leaving out the absent players and adding those who are present.

    `absent` and `present` are keys of entries. The same job always gives the same proposal. Raises ArbiterProblem if
    the round is neither a draft nor published, or cannot be paired.
    """
    if job is not None and (made := PairingProposal.objects.filter(job=job).first()):
        return made
    this_round = Round.objects.select_related("tournament__club").get(pk=round_id)
    if this_round.state not in _IN_HAND:
        raise ArbiterProblem(_("Round %(round)s is neither a draft nor published.") % {"round": this_round.number})
    snapshot = take_pairing_snapshot(this_round)
    numbers = numbers_for_pairing(this_round, this_round.tournament.entries.all()).by_entry
    keys = {tpn: key for key, tpn in numbers.items()}
    paired = pair_snapshot(this_round.tournament, _changed(snapshot, keys, absent, present))
    boards, bye = serialize_paired_round(paired, keys)
    with transaction.atomic():
        return PairingProposal.objects.create(
            round=this_round,
            job=job,
            correction=correction,
            base_version=this_round.version,
            ground=snapshot_fingerprint(snapshot),
            absent=sorted(absent),
            present=sorted(present),
            boards=boards,
            bye=bye,
            scores={str(keys[score.tpn]): score.pairing_score for score in paired.scores},
            by=by,
        )


def compare_proposal(proposal: PairingProposal) -> PairingComparison:
    """Compare the current pairing with the proposed one."""
    return compare_pairings(saved_boards(proposal.round), proposed_boards(proposal))


def count_changed_boards(compared: PairingComparison) -> int:
    """Count the boards, including the bye, that only the second pairing has."""
    return sum(difference is not BoardDifference.SAME for _seat, difference in compared.other)


def proposed_boards(proposal: PairingProposal) -> tuple[PairedBoard, ...]:
    """Return the proposed boards and bye by pairing number. A published round keeps its board numbers if possible."""
    numbers = numbers_for_pairing(proposal.round, proposal.round.tournament.entries.all()).by_entry
    boards = proposal.boards
    if proposal.round.state == Round.State.PUBLISHED:
        boards = _at_their_boards(_by_pair(proposal.round), boards)
    seats = [
        PairedBoard(
            board=board["board"],
            white=numbers[board["white"]],
            black=numbers[board["black"]],
            reasons=reasons_from_json(board["reasons"]),
        )
        for board in boards
    ]
    if proposal.bye is not None:
        bye = proposal.bye
        why = reasons_from_json(bye["reasons"])
        seats.append(PairedBoard(board=None, white=numbers[bye["entry"]], black=None, reasons=why))
    return tuple(seats)


def is_proposal_current(proposal: PairingProposal) -> bool:
    """Return True if the pairing and all the data it depends on are unchanged since the proposal."""
    this_round = Round.objects.select_related("tournament__club").get(pk=proposal.round_id)
    if this_round.state not in _IN_HAND or this_round.version != proposal.base_version:
        return False
    try:
        return snapshot_fingerprint(take_pairing_snapshot(this_round)) == proposal.ground
    except ArbiterProblem:
        return False


def find_round_breaches(round: Round) -> tuple[PairingWarning, ...]:
    """Return the breaches of B1 and B2 in the current pairing. They permit a change after publication (F6)."""
    seats = saved_boards(round)
    pairs = [(seat.white, seat.black) for seat in seats if seat.black is not None]
    bye = next((seat.white for seat in seats if seat.black is None), None)
    return tuple(one for one in find_pairing_warnings(take_pairing_snapshot(round), pairs, bye) if one.kind in _B1_B2)


def affected_results(proposal: PairingProposal) -> list[Game]:
    """Return boards that the proposal would split or reverse although they have a result or a player's report."""
    kept = {(board["white"], board["black"]) for board in proposal.boards}
    games = proposal.round.games.select_related("white", "black").prefetch_related("claims").order_by("board")
    return [
        game
        for game in games
        if (game.white_id, game.black_id) not in kept and (game.result != Game.Result.PENDING or game.claims.all())
    ]


@transaction.atomic
def adopt_proposal(proposal: PairingProposal, *, by: User, reason: str = "") -> Round:
    """Apply the proposed pairing to the round. Unchanged boards keep results and reasons. The version is increased.

    In a published round they also keep their board numbers, as far as there are enough boards. Nothing happens on a
    second click. Raises ArbiterProblem if the proposal is outdated or discarded, or if a board with a result would
    change. For a published pairing that breaks neither B1 nor B2, it is also raised if no reason is given.
    """
    current = lock_round(proposal.round)
    fresh = PairingProposal.objects.select_for_update().get(pk=proposal.pk)
    fresh.round = current
    if fresh.state == PairingProposal.State.ADOPTED:
        return current
    _require_open_and_current(fresh)
    broken = find_round_breaches(current)
    if current.state == Round.State.PUBLISHED:
        _require_permission(fresh, broken, reason)
    elif editing_sessions.active_editing_session(current) is not None:
        editing_sessions.ensure_editing_session(current, by=by)
    changed = count_changed_boards(compare_proposal(fresh))
    pairing_history.refresh_current_step(current)
    pairing_history.create_restore_point(current, cause=PairingCause.ADOPTED, by=by)
    assign_pairing_numbers(current.tournament)
    Entry.objects.filter(pk__in=fresh.present, entered_in_round__gt=current.number).update(
        entered_in_round=current.number
    )
    moved = _write(current, fresh)
    current.version += 1
    current.scores, current.paired_at = fresh.scores, timezone.now()
    # There is a legal pairing now, so an earlier decision for lack of one no longer applies.
    current.decision = None
    if current.state == Round.State.PUBLISHED:
        current.published_at = current.paired_at
        current.publications += 1
    current.save(update_fields=["version", "scores", "paired_at", "published_at", "publications", "decision"])
    pairing_history.record_pairing_step(current, cause=PairingCause.ADOPTED, by=by)
    _end(fresh, PairingProposal.State.ADOPTED)
    line = record_action(
        current.tournament,
        PairingAction.PROPOSAL_ADOPTED if current.is_public else PairingAction.PROPOSAL_DRAFTED,
        by=by,
        round=current,
        count=changed,
        version=current.publications,
        broken=", ".join(sorted({one.article for one in broken})),
        reason=reason.strip(),
        absent=_names(fresh.absent),
        present=_names(fresh.present),
        **({"moved": moved} if current.is_public else {}),
    )
    if current.is_public:
        publish(ChangeKind.PLAYER_NEWS, line.pk)
    return current


def discard_proposal(proposal: PairingProposal) -> None:
    """Discard the proposal. Does nothing if it is no longer open."""
    PairingProposal.objects.filter(pk=proposal.pk, state=PairingProposal.State.OPEN).update(
        state=PairingProposal.State.DISCARDED
    )


def latest_correction(round: Round) -> LogEntry | None:
    """Return the latest correction of an earlier round's result since this published round was paired."""
    if round.state != Round.State.PUBLISHED or round.paired_at is None:
        return None
    return LogEntry.objects.filter(
        tournament=round.tournament_id,
        action=EventAction.RESULT_CORRECTED,
        round__number__lt=round.number,
        at__gt=round.paired_at,
    ).first()


def _changed(
    snapshot: TournamentSnapshot, keys: dict[PairingNumber, int], absent: Collection[int], present: Collection[int]
) -> TournamentSnapshot:
    """Return the snapshot with the absent players removed from the round and the present ones added."""
    cards = []
    for card in snapshot.cards:
        if keys[card.tpn] in absent:
            card = replace(card, unavailable=card.unavailable or ABSENT_RECORD)
        elif keys[card.tpn] in present:
            card = replace(card, unavailable=None)
        cards.append(card)
    return replace(snapshot, cards=tuple(cards))


def _require_open_and_current(proposal: PairingProposal) -> None:
    if proposal.state == PairingProposal.State.DISCARDED:
        raise ArbiterProblem(_("This proposal was discarded. Make a new one."))
    require_current_version(proposal.round, proposal.base_version)
    if not is_proposal_current(proposal):
        raise ArbiterProblem(_("Players or results have changed since this proposal was made. Make a new one."))


def _require_permission(proposal: PairingProposal, broken: Sequence[PairingWarning], reason: str) -> None:
    """Raise ArbiterProblem if F6 and F7 do not permit the change of a published pairing."""
    if touched := affected_results(proposal):
        raise ArbiterProblem(
            _("Nothing was changed because results have been entered (boards: %(boards)s).")
            % {"boards": ", ".join(str(game.board) for game in touched)},
            games=touched,
        )
    if not broken and not reason.strip():
        raise ArbiterProblem(_("The published pairings break no mandatory rules. Enter a reason to change them."))


def _write(round: Round, proposal: PairingProposal) -> list[tuple[int, int]]:
    """Save the proposed boards and byes. Unchanged ones keep their rows and results.

    Returns the boards of a published round that moved, as (old, new) board numbers.
    """
    before = _by_pair(round)
    is_public = round.state == Round.State.PUBLISHED
    seats = _at_their_boards(before, proposal.boards) if is_public else proposal.boards
    seats = [
        {**seat, "reasons": before[pair]["reasons"]} if (pair := (seat["white"], seat["black"])) in before else seat
        for seat in seats
    ]
    moved = _move(round, before, seats) if is_public else []
    away = [
        one
        for one in stored_byes(round)
        if one["kind"] != Bye.Kind.PAIRING_ALLOCATED and one["entry"] not in proposal.present
    ]
    noted = {one["entry"] for one in away}
    away += [
        StoredBye(entry=key, kind=Bye.Kind.ABSENT.value, reasons=[]) for key in proposal.absent if key not in noted
    ]
    save_boards_and_byes(round, seats, [*away, *([proposal.bye] if proposal.bye else [])])
    return moved


def _by_pair(round: Round) -> dict[tuple[int, int], StoredBoard]:
    return {(seat["white"], seat["black"]): seat for seat in stored_boards(round)}


def _at_their_boards(before: dict[tuple[int, int], StoredBoard], proposed: Sequence[StoredBoard]) -> list[StoredBoard]:
    """Return the boards of a published round: unchanged pairs keep theirs, the others fill the rest in order."""
    stays = [seat for seat in proposed if (seat["white"], seat["black"]) in before]
    boards = {(seat["white"], seat["black"]): before[seat["white"], seat["black"]]["board"] for seat in stays}
    boards = {pair: board for pair, board in boards.items() if board <= len(proposed)}
    free = iter(sorted(set(range(1, len(proposed) + 1)) - set(boards.values())))
    seats = [
        StoredBoard(
            board=boards[pair] if (pair := (seat["white"], seat["black"])) in boards else next(free),
            white=seat["white"],
            black=seat["black"],
            reasons=seat["reasons"],
        )
        for seat in proposed
    ]
    return sorted(seats, key=lambda seat: seat["board"])


def _move(
    round: Round, before: dict[tuple[int, int], StoredBoard], seats: Sequence[StoredBoard]
) -> list[tuple[int, int]]:
    """Move unchanged pairs whose board no longer exists, with their results. Return (old, new) board numbers."""
    wanted = {(seat["white"], seat["black"]): seat["board"] for seat in seats}
    gone = [seat["board"] for pair, seat in before.items() if pair not in wanted]
    round.games.filter(board__in=gone).delete()
    moved = [
        (seat["board"], wanted[pair])
        for pair, seat in before.items()
        if wanted.get(pair, seat["board"]) != seat["board"]
    ]
    for old, new in moved:
        round.games.filter(board=old).update(board=new)
    return moved


def _end(proposal: PairingProposal, state: PairingProposal.State) -> None:
    proposal.state = state
    proposal.save(update_fields=["state"])


def _names(keys: Collection[int]) -> str:
    return "; ".join(Entry.objects.filter(pk__in=keys).values_list("name", flat=True))
