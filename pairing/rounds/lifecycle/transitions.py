"""From a waiting round to a published pairing: read, pair, save. Only this module saves a paired round."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from common.signals import ChangeKind, publish
from pairing.engine.acceleration.baku import accelerated_group_size
from pairing.engine.acceleration.progressive import GroupLimitsError
from pairing.engine.paired_round import PairedRound, PairingImpossible
from pairing.engine.progress import check_cancelled
from pairing.engine.snapshot import ABSENT_RECORD, InvalidSnapshot, PairingNumber, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.log_actions import PairingAction
from pairing.models import PairingCause
from pairing.rounds.lifecycle import editing_sessions, pairing_history
from pairing.rounds.lifecycle.board_storage import save_paired_round
from pairing.rounds.lifecycle.draft_checks import require_current_version, require_draft
from tournaments.access import lock_round
from tournaments.audit_log.recorder import record_action
from tournaments.check_in.presence import silent_players
from tournaments.entries.enrolment import assign_pairing_numbers, record_missed_round_byes
from tournaments.entries.pairing_numbers import (
    forget_numbers_from_round,
    numbers_for_pairing,
    place_late_entries,
)
from tournaments.events.acceleration_groups import explain_refused_group_limits
from tournaments.import_export.snapshots import came_from_team_event, snapshot_from_entries
from tournaments.models import Acceleration, Bye, Entry, Game, Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.withdrawal_forfeits import enter_withdrawal_forfeits, undo_withdrawal_forfeits

_ATTEMPTS = 3
"""The number of attempts to pair a round while the event keeps changing."""


class NoLegalPairing(ArbiterProblem):
    """Raised if the event's system has no legal pairing for the round. `entries` are the players who block it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArbiterDecision:
    """The arbiter's decision if no legal pairing exists: the log entry, and the players still to be paired."""

    action: PairingAction
    details: Mapping[str, Any]
    unpaired: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedDraft:
    """A round with its saved pairing. `is_new` is False if it was already paired, as after a double click."""

    round: Round
    is_new: bool


def take_pairing_snapshot(round: Round) -> TournamentSnapshot:
    """Return the event before this round. The number of queries doesn't grow with the event.

    In round 1 the numbers are those `pair_round` will give. Players who had to sign up for a waiting round and didn't
    are absent. Raises ArbiterProblem if an earlier round is not finished, or if the data contradict themselves.
    """
    unfinished = round.tournament.rounds.filter(number__lt=round.number).exclude(state=Round.State.FINISHED).first()
    if unfinished is not None:
        raise ArbiterProblem(
            _("Round %(round)s isn't finished. Enter its results and finish it first.") % {"round": unfinished.number}
        )
    entries = list(round.tournament.entries.all())
    numbers = numbers_for_pairing(round, entries)
    snapshot = snapshot_from_entries(round.tournament, entries, round.number, numbers=numbers)
    if round.state == Round.State.WAITING and (silent := silent_players(round)):
        snapshot = _without(snapshot, {numbers.by_entry[key] for key in silent})
    try:
        snapshot.check_consistency()
    except InvalidSnapshot as error:
        raise ArbiterProblem(_("The event's data is inconsistent: %(what)s.") % {"what": error}) from error
    return snapshot


def _without(snapshot: TournamentSnapshot, absent: Collection[PairingNumber]) -> TournamentSnapshot:
    """Return the snapshot with these players absent from the round to be paired."""
    cards = (
        replace(card, unavailable=ABSENT_RECORD) if card.tpn in absent and card.unavailable is None else card
        for card in snapshot.cards
    )
    return replace(snapshot, cards=tuple(cards))


def pair_round(round_id: int, *, by: User | None) -> SavedDraft:
    """Pair a waiting round and save it as a draft. The pairing is computed without a lock and saved under one.

    A round that is already paired is returned unchanged. Raises ArbiterProblem if an earlier round is open, nobody is
    there to be paired, or the event is one of teams. Raises NoLegalPairing, with the players who block it, if no legal
    pairing exists. Then nothing has changed.
    """
    for _attempt in range(_ATTEMPTS):
        this_round = Round.objects.select_related("tournament__club").get(pk=round_id)
        if this_round.state != Round.State.WAITING:
            return SavedDraft(round=this_round, is_new=False)
        if came_from_team_event(this_round.tournament):
            raise ArbiterProblem(_("This event was imported from a team event. Clubnight doesn't pair teams."))
        snapshot = take_pairing_snapshot(this_round)
        draft = save_draft(this_round, snapshot, pair_snapshot(this_round.tournament, snapshot), by=by)
        if draft is not None:
            return draft
    raise ArbiterProblem(_("Players or results changed while the round was being paired. Pair it again."))


def save_draft(
    round: Round,
    snapshot: TournamentSnapshot,
    paired: PairedRound,
    *,
    by: User | None,
    decision: ArbiterDecision | None = None,
) -> SavedDraft | None:
    """Save a paired round as a draft, in one transaction. None if the event no longer matches the snapshot.

    The observer of `engine.progress` may cancel it: then nothing has changed. Round 1 gives the pairing numbers.
    Players who enter after this round get the bye the event grants for it.
    """
    with transaction.atomic():
        current = lock_round(round)
        if current.state != Round.State.WAITING:
            return SavedDraft(round=current, is_new=False)
        if take_pairing_snapshot(current) != snapshot:
            return None
        check_cancelled()
        pairing_history.refresh_current_step(current)
        Bye.objects.bulk_create(
            [Bye(round=current, entry_id=key, kind=Bye.Kind.ABSENT) for key in silent_players(current)]
        )
        if current.number == 1:
            assign_pairing_numbers(current.tournament)
            _keep_upper_group(current.tournament, snapshot)
        else:
            place_late_entries(current, by=by)
        entries = {entry.tpn: entry for entry in current.tournament.entries.all()}
        save_paired_round(current, paired, entries)
        check_cancelled()
        late = [entry for entry in entries.values() if entry.entered_in_round > current.number]
        record_missed_round_byes(
            current.tournament, [current], [entry for entry in late if not entry.withdrawn_from_round]
        )
        current.state, current.paired_at = Round.State.DRAFT, timezone.now()
        current.version += 1
        current.scores = {str(entries[score.tpn].pk): score.pairing_score for score in paired.scores}
        line = record_action(
            current.tournament,
            decision.action if decision else PairingAction.ROUND_PAIRED,
            by=by,
            round=current,
            boards=len(paired.games),
            system=paired.system,
            version=current.version,
            **(decision.details if decision else {}),
        )
        current.decision = line if decision else None
        current.save(update_fields=["state", "paired_at", "version", "scores", "decision"])
        pairing_history.record_pairing_step(
            current, cause=PairingCause.PAIRED, by=by, unpaired=decision.unpaired if decision else ()
        )
        return SavedDraft(round=current, is_new=True)


@transaction.atomic
def discard_draft(round: Round, *, by: User | None, version: int | None = None) -> Round:
    """Discard a draft, so that the round can be paired again. Round 1 loses numbers that didn't come from a file.

    `version` is the one the arbiter has seen, or None for any. Raises PairingChanged if it is no longer current, and
    ArbiterProblem if the round is published. Nothing happens if there is no draft.
    """
    current = lock_round(round)
    if current.state == Round.State.WAITING:
        return current
    require_draft(current)
    require_current_version(current, version)
    pairing_history.refresh_current_step(current)
    pairing_history.create_restore_point(current, cause=PairingCause.DISCARDED, by=by)
    editing_sessions.end_editing_session(current)
    current.games.all().delete()
    current.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).delete()
    current.byes.filter(entry__entered_in_round__gt=current.number).delete()
    if current.tournament.only_sign_ups:
        # They were absent because they hadn't signed up, and can still do so.
        seen = current.check_ins.values("entry")
        current.byes.filter(kind=Bye.Kind.ABSENT).exclude(entry__in=seen).delete()
    if current.number == 1:
        Tournament.objects.filter(pk=current.tournament_id).update(accelerated_players=None)
        if not current.tournament.keeps_numbers:
            current.tournament.entries.update(tpn=None)
    forget_numbers_from_round(current.tournament, current.number)
    current.state, current.paired_at, current.scores = Round.State.WAITING, None, {}
    current.version += 1
    current.save(update_fields=["state", "paired_at", "scores", "version"])
    pairing_history.record_pairing_step(current, cause=PairingCause.DISCARDED, by=by)
    record_action(current.tournament, PairingAction.DRAFT_DISCARDED, by=by, round=current)
    return current


@transaction.atomic
def publish_round(round: Round, *, by: User | None, version: int, provisional_until: datetime | None = None) -> Round:
    """Publish the draft. `version` is the version that the arbiter has seen.

    Players see that it may change until `provisional_until`. Without a time it is final at once. Players who entered
    after the draft was made play from the next round. Nothing happens if it is already published. Raises PairingChanged
    if the version is no longer current, and ArbiterProblem with the names if a player is still to be paired.
    """
    current = lock_round(round)
    require_current_version(current, version)
    if current.state in (Round.State.PUBLISHED, Round.State.FINISHED):
        return current
    require_draft(current)
    _require_everyone_seated(current)
    if current.number == 1:
        assign_pairing_numbers(current.tournament)
    _put_off_newcomers(current)
    current.state, current.published_at = Round.State.PUBLISHED, timezone.now()
    current.provisional_until = provisional_until
    current.publications += 1
    current.save(update_fields=["state", "published_at", "provisional_until", "publications"])
    pairing_history.delete_pairing_steps(current)
    editing_sessions.end_editing_session(current)
    until = {"until": provisional_until.isoformat()} if provisional_until else {}
    line = record_action(
        current.tournament,
        PairingAction.ROUND_PUBLISHED,
        by=by,
        round=current,
        version=current.publications,
        **until,
    )
    enter_withdrawal_forfeits(current, by=by)
    publish(ChangeKind.PLAYER_NEWS, line.pk)
    return current


@transaction.atomic
def unpublish_round(round: Round, *, by: User | None, reason: str, version: int | None = None) -> Round:
    """Make a published round a draft again, if it has no results. The chief arbiter's written reason is logged.

    `version` is the one the arbiter has seen, or None for any. Raises PairingChanged if it is no longer current. Raises
    ArbiterProblem if the round is not published, has results, or no reason is given.
    """
    current = lock_round(round)
    if current.state != Round.State.PUBLISHED:
        raise ArbiterProblem(_("Round %(round)s isn't published.") % {"round": current.number})
    require_current_version(current, version)
    if not reason.strip():
        raise ArbiterProblem(_("Enter a reason for unpublishing this round. We'll add it to the log."))
    # Results are entered under the lock of their board alone. From here on none can be added.
    list(current.games.select_for_update(no_key=True).order_by("pk"))
    undo_withdrawal_forfeits(current, by=by)
    games = list(current.games.all())
    played = sorted((game for game in games if game.result != Game.Result.PENDING), key=lambda game: game.board)
    if played:
        raise ArbiterProblem(
            _("You can't unpublish this round because results have been entered (boards: %(boards)s).")
            % {"boards": ", ".join(str(game.board) for game in played)},
            games=played,
        )
    pairing_history.create_restore_point(current, cause=PairingCause.UNPUBLISHED, by=by)
    current.state, current.published_at, current.provisional_until = Round.State.DRAFT, None, None
    current.save(update_fields=["state", "published_at", "provisional_until"])
    pairing_history.record_pairing_step(current, cause=PairingCause.UNPUBLISHED, by=by)
    line = record_action(
        current.tournament, PairingAction.ROUND_UNPUBLISHED, by=by, round=current, reason=reason.strip()
    )
    publish(ChangeKind.PLAYER_NEWS, line.pk)
    return current


def pair_snapshot(tournament: Tournament, snapshot: TournamentSnapshot) -> PairedRound:
    """Return the round as the event's system pairs it. Raises ArbiterProblem with the players' names if it cannot."""
    if all(card.unavailable is not None for card in snapshot.cards):
        raise ArbiterProblem(_("No players to pair."))
    try:
        return PAIRING_SYSTEMS[snapshot.system](snapshot)
    except GroupLimitsError as error:
        raise ArbiterProblem(
            explain_refused_group_limits(error)
            + " "
            + _("Change the group limits under “Edit event”, then pair the round.")
        ) from error
    except InvalidSnapshot as error:
        raise ArbiterProblem(_("The event can't be paired like this: %(what)s.") % {"what": error}) from error
    except PairingImpossible as error:
        entries = list(tournament.entries.all())
        numbers = numbers_for_pairing(tournament.rounds.get(number=snapshot.round_number), entries).by_entry
        blocking = [entry for entry in entries if numbers[entry.pk] in error.players]
        names = ", ".join(f"{entry.name} ({numbers[entry.pk]})" for entry in blocking)
        message = _("No legal pairing exists.")
        if names:
            message += " " + _("These players can't be paired: %(names)s.") % {"names": names}
        raise NoLegalPairing(message, entries=blocking) from error


def _keep_upper_group(tournament: Tournament, snapshot: TournamentSnapshot) -> None:
    """Baku acceleration: the groups made for round 1 do not change with later entries (C.04.5.1)."""
    if tournament.acceleration == Acceleration.BAKU:
        tournament.accelerated_players = accelerated_group_size(len(snapshot.cards))
        tournament.save(update_fields=["accelerated_players"])


def _put_off_newcomers(round: Round) -> None:
    """Move players who entered after the draft was made to the next round. They have missed this one."""
    seated = Q(pk__in=round.games.values("white")) | Q(pk__in=round.games.values("black"))
    seated |= Q(pk__in=round.byes.values("entry"))
    newcomers = list(
        round.tournament.entries.filter(entered_in_round=round.number, withdrawn_from_round=None).exclude(seated)
    )
    record_missed_round_byes(round.tournament, [round], newcomers)
    Entry.objects.filter(pk__in=[entry.pk for entry in newcomers]).update(entered_in_round=round.number + 1)


def _require_everyone_seated(round: Round) -> None:
    waiting = list(Entry.objects.filter(pk__in=pairing_history.unpaired_entry_ids(round)))
    if waiting:
        raise ArbiterProblem(
            _("Not paired yet: %(names)s. Give each one an opponent or the bye, or remove them from the round.")
            % {"names": "; ".join(entry.name for entry in waiting)},
            entries=waiting,
        )
