"""The steps of a round's pairing until it is published, and its restore points.

Code that changes the pairing of a locked round calls `refresh_current_step` before and `record_pairing_step` after, in
one transaction. It calls `create_restore_point` before a pairing is discarded or unpublished.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.models import PairingCause, PairingState, PairingStep, RestorePoint
from pairing.rounds.lifecycle.board_storage import StoredBye, save_boards_and_byes, stored_boards, stored_byes
from tournaments.check_in.byes import entries_in_round
from tournaments.models import Bye, Entry, Round, Tournament
from tournaments.problems import ArbiterProblem

PUBLIC_STATES = (Round.State.PUBLISHED, Round.State.FINISHED)


def refresh_current_step(round: Round) -> PairingStep | None:
    """Update the current step with changes made outside the steps, such as an absence in a waiting round.

    A round without steps gets its first, in its present state. A published round has none.
    """
    if round.state in PUBLIC_STATES:
        return None
    step = current_pairing_step(round)
    if step is None:
        return _new_step(round, 1, _as_it_stands(round, unpaired_entry_ids(round)), cause=PairingCause.FOUND, by=None)
    stands = _as_it_stands(round, unpaired_entry_ids(round))
    if any(getattr(step, name) != value for name, value in stands.items()):
        for name, value in stands.items():
            setattr(step, name, value)
        step.save(update_fields=list(stands))
    return step


def record_pairing_step(
    round: Round, *, cause: PairingCause, by: User | None, unpaired: Iterable[int] = ()
) -> PairingStep | None:
    """Record the current pairing of this locked round as its newest step. Steps that were undone are deleted.

    `unpaired` are keys of entries still to be paired. A published round has no steps: nothing is recorded.
    """
    if round.state in PUBLIC_STATES:
        return None
    before = current_pairing_step(round)
    if before is not None:
        round.steps.filter(number__gt=before.number).delete()
        round.steps.filter(pk=before.pk).update(is_current=False)
    state = _as_it_stands(round, unpaired)
    return _new_step(round, 1 if before is None else before.number + 1, state, cause=cause, by=by)


def create_restore_point(round: Round, *, cause: PairingCause, by: User | None) -> RestorePoint:
    """Save the current pairing before the user `by` makes the change named by `cause`."""
    return RestorePoint.objects.create(
        round=round, cause=cause, by=by, **_as_it_stands(round, unpaired_entry_ids(round))
    )


def is_in_pairing_state(round: Round, state: PairingState) -> bool:
    """Return True if the round's pairing is the one in `state`."""
    return all(getattr(state, name) == value for name, value in _as_it_stands(round, unpaired_entry_ids(round)).items())


def delete_pairing_steps(round: Round) -> None:
    """Delete the steps of a round that is being published. Restore points are kept."""
    round.steps.all().delete()


def current_pairing_step(round: Round) -> PairingStep | None:
    """Return the current step, or None if the pairing was never changed or is published."""
    return round.steps.filter(is_current=True).first()


def unpaired_entry_ids(round: Round) -> list[int]:
    """Return the keys of players in the round that the arbiter has not paired yet."""
    kept = round.steps.filter(is_current=True).values_list("unpaired", flat=True).first()
    if not kept or round.state != Round.State.DRAFT:
        return []
    here = set(entries_in_round(round).filter(pk__in=kept).exclude(byes__round=round).values_list("pk", flat=True))
    return [key for key in kept if key in here]


def restore_state(round: Round, wanted: PairingState, *, later_byes: Iterable[StoredBye] = ()) -> None:
    """Restore the rows of a locked round from a step or restore point, and increase its version.

    `later_byes` are byes noted since. Players without a board in that pairing keep them. Raises ArbiterProblem if one
    of its players has left, or if an earlier round has been reopened.
    """
    seated = _seated(wanted)
    _require_ground(round, wanted, seated)
    away = [*wanted.byes]
    taken = seated | {one["entry"] for one in away} | set(wanted.unpaired)
    here = set(round.tournament.entries.values_list("pk", flat=True))
    save_boards_and_byes(
        round,
        wanted.boards,
        [one for one in (*away, *(one for one in later_byes if one["entry"] not in taken)) if one["entry"] in here],
    )
    _give_numbers(round, wanted)
    round.state = Round.State.DRAFT if wanted.is_paired else Round.State.WAITING
    round.paired_at = wanted.paired_at or (timezone.now() if wanted.is_paired else None)
    round.scores = wanted.scores
    round.version += 1
    round.save(update_fields=["state", "paired_at", "scores", "version"])


def byes_since_current_step(round: Round) -> list[StoredBye]:
    """Return the byes and absences recorded outside the steps since the current step was made."""
    step = current_pairing_step(round)
    known = {one["entry"] for one in step.byes} if step else set()
    return [
        one for one in stored_byes(round) if one["entry"] not in known and one["kind"] != Bye.Kind.PAIRING_ALLOCATED
    ]


def _seated(state: PairingState) -> set[int]:
    return {player for board in state.boards for player in (board["white"], board["black"])}


def _require_ground(round: Round, wanted: PairingState, seated: set[int]) -> None:
    """Raise ArbiterProblem if one of the players no longer takes part, or an earlier round is not finished."""
    if not wanted.is_paired:
        return
    before = round.tournament.rounds.filter(number__lt=round.number)
    unfinished = before.exclude(state=Round.State.FINISHED).order_by("number").first()
    if unfinished is not None:
        raise ArbiterProblem(
            _("Round %(round)s isn't finished. Enter its results and finish it first.") % {"round": unfinished.number}
        )
    bye = {one["entry"] for one in wanted.byes if one["kind"] == Bye.Kind.PAIRING_ALLOCATED}
    needed = seated | bye | set(wanted.unpaired)
    gone = needed - set(entries_in_round(round).values_list("pk", flat=True))
    if gone:
        entries = list(Entry.objects.filter(pk__in=gone))
        names = "; ".join(entry.name for entry in entries) or "–"
        raise ArbiterProblem(
            _("Those pairings include players who are no longer in this round: %(names)s.") % {"names": names},
            entries=entries,
        )


def _as_it_stands(round: Round, unpaired: Iterable[int]) -> dict[str, Any]:
    """Return the fields of a PairingState for the round's present rows, without cause and author."""
    is_first = round.number == 1
    numbers = round.tournament.entries.exclude(tpn=None).values_list("pk", "tpn")
    return {
        "is_paired": round.state != Round.State.WAITING,
        "boards": stored_boards(round),
        "byes": stored_byes(round),
        "unpaired": list(unpaired),
        "scores": round.scores,
        "numbers": {str(key): tpn for key, tpn in numbers},
        "accelerated_players": round.tournament.accelerated_players if is_first else None,
        "paired_at": round.paired_at,
    }


def _new_step(round: Round, number: int, state: dict[str, Any], *, cause: PairingCause, by: User | None) -> PairingStep:
    return PairingStep.objects.create(round=round, number=number, is_current=True, cause=cause, by=by, **state)


def _give_numbers(round: Round, wanted: PairingState) -> None:
    """Restore the pairing numbers of a pairing. Players who entered since come last, or have none in round 1."""
    tournament = round.tournament
    if tournament.keeps_numbers or not (wanted.is_paired or round.number == 1):
        return
    if round.number == 1:
        Tournament.objects.filter(pk=tournament.pk).update(accelerated_players=wanted.accelerated_players)
        tournament.accelerated_players = wanted.accelerated_players
    entries = list(tournament.entries.all())
    numbers = {str(entry.pk): wanted.numbers[str(entry.pk)] for entry in entries if str(entry.pk) in wanted.numbers}
    if round.number > 1:
        newer = (str(entry.pk) for entry in entries if str(entry.pk) not in numbers)
        numbers |= {key: place for place, key in enumerate(newer, start=max(numbers.values(), default=0) + 1)}
    changed = [entry for entry in entries if entry.tpn != numbers.get(str(entry.pk))]
    # Numbers are unique, so all that change are cleared first.
    tournament.entries.filter(pk__in=[entry.pk for entry in changed]).update(tpn=None)
    for entry in changed:
        entry.tpn = numbers.get(str(entry.pk))
    Entry.objects.bulk_update(changed, ["tpn"], batch_size=400)
