"""From a waiting round to a published pairing: read, pair, save. The only place that saves a paired round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from common.signals import Changed, tell
from pairing.engine.acceleration.baku import upper_group_size
from pairing.engine.acceleration.progressive import LimitsDoNotFit
from pairing.engine.paired_round import PairedRound, PairingImpossible
from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot
from pairing.engine.systems import SYSTEMS
from pairing.engine.watching import breathe
from pairing.log_actions import PairingAction
from pairing.models import Cause
from pairing.rounds.lifecycle import editing_sessions, steps
from pairing.rounds.lifecycle.saving_boards import write_paired
from pairing.rounds.lifecycle.seen_version import require_draft, require_version
from tournaments.audit_log.lines import record
from tournaments.entries.entering import number_entries, numbers_of, record_missed_round
from tournaments.events.accelerating import limits_sentence
from tournaments.import_export.snapshots import snapshot_before
from tournaments.locking import hold_round
from tournaments.models import Acceleration, Bye, Entry, Game, Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.withdrawn import forfeit_games, take_back_forfeits

_ATTEMPTS = 3
"""How often a round is paired anew when the event changes while it is being paired."""


class NoLegalRound(ArbiterProblem):
    """The event's system has no pairing for the round; the players who stand in the way are its `entries`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the arbiter decides where no legal round exists: the line for the log, and who is still to be seated."""

    action: PairingAction
    details: Mapping[str, Any]
    unpaired: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A round with its saved pairing; `is_new` is False when it was there already (a double click, a second laptop)."""

    round: Round
    is_new: bool


def take_snapshot(round: Round) -> TournamentSnapshot:
    """The event before this round, in a number of queries that does not grow with the event.

    Numbers not given yet (round 1) are those `pair_round` will give. Raises ArbiterProblem when an earlier round is not
    finished, or the rows contradict one another.
    """
    unfinished = round.tournament.rounds.filter(number__lt=round.number).exclude(state=Round.State.FINISHED).first()
    if unfinished is not None:
        raise ArbiterProblem(
            _("Round %(round)s is not finished: enter its results and finish it first.") % {"round": unfinished.number}
        )
    snapshot = snapshot_before(round.tournament, round.number)
    try:
        snapshot.check()
    except InvalidSnapshot as error:
        raise ArbiterProblem(_("The event's data contradict themselves: %(what)s.") % {"what": error}) from error
    return snapshot


def pair_round(round_id: int, *, by: User | None) -> Draft:
    """Pair a waiting round and save it as a draft: computed outside the lock, saved inside it.

    A round already paired comes back as it is. Raises ArbiterProblem: an earlier round is open, nobody is there to be
    paired, or no legal round exists (naming the players who block it); then nothing has changed.
    """
    for _attempt in range(_ATTEMPTS):
        this_round = Round.objects.select_related("tournament__club").get(pk=round_id)
        if this_round.state != Round.State.WAITING:
            return Draft(round=this_round, is_new=False)
        snapshot = take_snapshot(this_round)
        draft = save_draft(this_round, snapshot, pair_snapshot(this_round.tournament, snapshot), by=by)
        if draft is not None:
            return draft
    raise ArbiterProblem(_("Players or results kept changing while the round was being paired. Pair it again."))


def save_draft(
    round: Round,
    snapshot: TournamentSnapshot,
    paired: PairedRound,
    *,
    by: User | None,
    decision: Decision | None = None,
) -> Draft | None:
    """Save a paired round as a draft, in one transaction; None when the event is no longer as in the snapshot.

    Whoever watches (`engine.watching`) may stop it: then nothing has changed.
    In round 1 this gives the numbers. Whoever enters later than this round gets the bye the event grants for it.
    """
    with transaction.atomic():
        current = hold_round(round)
        if current.state != Round.State.WAITING:
            return Draft(round=current, is_new=False)
        if take_snapshot(current) != snapshot:
            return None
        breathe()
        steps.take_stock(current)
        if current.number == 1:
            number_entries(current.tournament)
            _keep_upper_group(current.tournament, snapshot)
        entries = {entry.tpn: entry for entry in current.tournament.entries.all()}
        write_paired(current, paired, entries)
        breathe()
        late = [entry for entry in entries.values() if entry.entered_in_round > current.number]
        record_missed_round(current.tournament, [current], [entry for entry in late if not entry.withdrawn_from_round])
        current.state, current.paired_at = Round.State.DRAFT, timezone.now()
        current.version += 1
        current.scores = {str(entries[score.tpn].pk): score.pairing for score in paired.scores}
        line = record(
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
        steps.record_step(current, cause=Cause.PAIRED, by=by, unpaired=decision.unpaired if decision else ())
        return Draft(round=current, is_new=True)


@transaction.atomic
def discard_draft(round: Round, *, by: User | None, version: int | None = None) -> Round:
    """Throw a draft away: the round waits again. In round 1 the numbers go as well, unless they came with a file.

    `version` is the one the arbiter has seen (None: whichever it is); PairingChanged if it is another now. Discarding
    what is not there any more is no error; a published round is not discarded: ArbiterProblem.
    """
    current = hold_round(round)
    if current.state == Round.State.WAITING:
        return current
    require_draft(current)
    require_version(current, version)
    steps.take_stock(current)
    steps.keep_restore_point(current, cause=Cause.DISCARDED, by=by)
    editing_sessions.end(current)
    current.games.all().delete()
    current.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).delete()
    current.byes.filter(entry__entered_in_round__gt=current.number).delete()
    if current.number == 1:
        Tournament.objects.filter(pk=current.tournament_id).update(accelerated_players=None)
        if not current.tournament.keeps_numbers:
            current.tournament.entries.update(tpn=None)
    current.state, current.paired_at, current.scores = Round.State.WAITING, None, {}
    current.version += 1
    current.save(update_fields=["state", "paired_at", "scores", "version"])
    steps.record_step(current, cause=Cause.DISCARDED, by=by)
    record(current.tournament, PairingAction.DRAFT_DISCARDED, by=by, round=current)
    return current


@transaction.atomic
def publish(round: Round, *, by: User | None, version: int, provisional_until: datetime | None = None) -> Round:
    """Show the draft to everyone. `version` is the one the arbiter has seen; PairingChanged if it is another now.

    Players are told that it may change until `provisional_until`; without that it is final at once.
    Publishing twice is no error. Whoever came in after the draft was made plays from the next round. Refused while
    somebody is not paired whom the arbiter has taken off his board: ArbiterProblem naming him.
    """
    current = hold_round(round)
    require_version(current, version)
    if current.state in (Round.State.PUBLISHED, Round.State.FINISHED):
        return current
    require_draft(current)
    _require_everyone_seated(current)
    if current.number == 1:
        number_entries(current.tournament)
    _put_off_newcomers(current)
    current.state, current.published_at = Round.State.PUBLISHED, timezone.now()
    current.provisional_until = provisional_until
    current.publications += 1
    current.save(update_fields=["state", "published_at", "provisional_until", "publications"])
    steps.forget_steps(current)
    editing_sessions.end(current)
    until = {"until": provisional_until.isoformat()} if provisional_until else {}
    line = record(
        current.tournament,
        PairingAction.ROUND_PUBLISHED,
        by=by,
        round=current,
        version=current.publications,
        **until,
    )
    forfeit_games(current, by=by)
    tell(Changed.NEWS, line.pk)
    return current


@transaction.atomic
def unpublish(round: Round, *, by: User | None, reason: str, version: int | None = None) -> Round:
    """Make a published round a draft again, while no result is in; the chief arbiter's written reason is logged.

    `version` is the one the arbiter has seen (None: whichever it is); PairingChanged if it is another now.
    """
    current = hold_round(round)
    if current.state != Round.State.PUBLISHED:
        raise ArbiterProblem(_("Round %(round)s is not published.") % {"round": current.number})
    require_version(current, version)
    if not reason.strip():
        raise ArbiterProblem(_("A published round is taken back only with a written reason."))
    # Results are entered under the lock of their board alone: none may come in from here on.
    list(current.games.select_for_update(no_key=True).order_by("pk"))
    take_back_forfeits(current, by=by)
    games = list(current.games.all())
    played = sorted((game for game in games if game.result != Game.Result.PENDING), key=lambda game: game.board)
    if played:
        raise ArbiterProblem(
            _("Results have been entered on boards %(boards)s: this round can no longer be taken back.")
            % {"boards": ", ".join(str(game.board) for game in played)},
            games=played,
        )
    steps.keep_restore_point(current, cause=Cause.UNPUBLISHED, by=by)
    current.state, current.published_at, current.provisional_until = Round.State.DRAFT, None, None
    current.save(update_fields=["state", "published_at", "provisional_until"])
    steps.record_step(current, cause=Cause.UNPUBLISHED, by=by)
    line = record(current.tournament, PairingAction.ROUND_UNPUBLISHED, by=by, round=current, reason=reason.strip())
    tell(Changed.NEWS, line.pk)
    return current


def pair_snapshot(tournament: Tournament, snapshot: TournamentSnapshot) -> PairedRound:
    """The round as the event's system pairs it; ArbiterProblem with the players' names where it cannot."""
    if all(card.unavailable is not None for card in snapshot.cards):
        raise ArbiterProblem(_("Nobody is there to be paired."))
    try:
        return SYSTEMS[snapshot.system](snapshot)
    except LimitsDoNotFit as error:
        raise ArbiterProblem(
            limits_sentence(error) + " " + _("Change the limits in the event's form, then pair the round.")
        ) from error
    except InvalidSnapshot as error:
        raise ArbiterProblem(_("The event cannot be paired like this: %(what)s.") % {"what": error}) from error
    except PairingImpossible as error:
        numbers = numbers_of(tournament.entries.all())
        blocking = [entry for entry in tournament.entries.all() if numbers[entry.pk] in error.players]
        names = ", ".join(f"{entry.name} ({numbers[entry.pk]})" for entry in blocking)
        message = _("No legal round exists.")
        if names:
            message += " " + _("These players stand in the way: %(names)s.") % {"names": names}
        raise NoLegalRound(message, entries=blocking) from error


def _keep_upper_group(tournament: Tournament, snapshot: TournamentSnapshot) -> None:
    """Baku acceleration: the groups made for round 1 stand, whoever comes later (C.04.5.1)."""
    if tournament.acceleration == Acceleration.BAKU:
        tournament.accelerated_players = upper_group_size(len(snapshot.cards))
        tournament.save(update_fields=["accelerated_players"])


def _put_off_newcomers(round: Round) -> None:
    """Whoever entered for this round after its draft was made has missed it, and plays from the next."""
    seated = Q(pk__in=round.games.values("white")) | Q(pk__in=round.games.values("black"))
    seated |= Q(pk__in=round.byes.values("entry"))
    newcomers = list(
        round.tournament.entries.filter(entered_in_round=round.number, withdrawn_from_round=None).exclude(seated)
    )
    record_missed_round(round.tournament, [round], newcomers)
    Entry.objects.filter(pk__in=[entry.pk for entry in newcomers]).update(entered_in_round=round.number + 1)


def _require_everyone_seated(round: Round) -> None:
    waiting = list(Entry.objects.filter(pk__in=steps.unpaired_keys(round)))
    if waiting:
        raise ArbiterProblem(
            _("Not paired yet: %(names)s. Give each an opponent or the bye, or take the player out of the round.")
            % {"names": "; ".join(entry.name for entry in waiting)},
            entries=waiting,
        )
