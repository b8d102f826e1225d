"""Changing the pairing system from the next round on. Earlier rounds keep their system."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.events.fide_rating_eligibility import require_accepted_system
from tournaments.models import Bye, PairingMethod, PairingSystem, Round, Tournament
from tournaments.models.point_systems import check_points_compatible
from tournaments.problems import ArbiterProblem


def next_round_to_pair(tournament: Tournament) -> Round | None:
    """Return the first round that isn't paired yet, or None if all are."""
    return tournament.rounds.filter(state=Round.State.WAITING).order_by("number").first()


@transaction.atomic
def change_pairing_system(
    tournament: Tournament,
    *,
    by: User | None,
    system: str,
    procedure: str = "",
    reason: str,
    from_round: int | None = None,
) -> Tournament:
    """Use a different pairing system from the next round onwards. Earlier rounds keep theirs.

    `from_round` is the next round as the arbiter saw it (None: any). Raises ArbiterProblem if there is a draft, or
    nothing is paired yet (the event form can change the system). Also if no reason is given, or one of the systems is a
    round robin. Also if the system doesn't allow the event's points, or for Jahr's method after byes scored as 1
    point.
    """
    current = lock_tournament(tournament.pk)
    coming = _require_coming(current, from_round)
    if not reason.strip():
        raise ArbiterProblem(_("Enter why you're changing the system. The reason goes into the log."))
    if system not in PairingSystem.values or procedure not in ("", PairingSystem.FIDE_1989, PairingSystem.DUTCH_1992):
        raise ArbiterProblem(_("Choose a pairing system."))
    wanted = PairingMethod(system, procedure if system == PairingSystem.JAHR else "")
    before = current.pairing_method_of_round(coming.number)
    if wanted == before:
        raise ArbiterProblem(_("Round %(round)s already uses this system.") % {"round": coming.number})
    if PairingSystem.ROUND_ROBIN in (wanted.system, before.system):
        raise ArbiterProblem(
            _("A round robin has one schedule from the first round to the last. Create a separate event for it.")
        )
    _require_points(current, wanted)
    earlier = [
        *(each for each in current.earlier_systems if each["to_round"] < coming.number - 1),
        _segment(current, coming.number - 1),
    ]
    current.earlier_systems = _without_repeats(earlier, wanted)
    current.system, current.procedure = wanted
    require_accepted_system(current)
    _require_one_worth_of_byes(current, before)
    current.save(update_fields=["earlier_systems", "system", "procedure"])
    record_action(
        current,
        EventAction.SYSTEM_CHANGED,
        by=by,
        from_round=coming.number,
        before=list(before),
        after=list(wanted),
        reason=reason.strip(),
    )
    return current


def _require_coming(tournament: Tournament, from_round: int | None) -> Round:
    if tournament.rounds.filter(state=Round.State.DRAFT).exists():
        raise ArbiterProblem(_("Publish or discard the draft first."))
    coming = next_round_to_pair(tournament)
    if coming is None:
        raise ArbiterProblem(_("All rounds are paired, so there's nothing left to change."))
    if coming.number == 1:
        raise ArbiterProblem(_("Nothing is paired yet. Change the system in the event's settings."))
    if from_round is not None and coming.number != from_round:
        raise ArbiterProblem(
            _("Round %(round)s is now the next round. Check again before you change the system.")
            % {"round": coming.number}
        )
    return coming


def _segment(tournament: Tournament, last: int) -> dict[str, Any]:
    """Return the latest rounds up to `last` with their system."""
    by = tournament.pairing_method_of_round(last)
    first = max((each["to_round"] for each in tournament.earlier_systems if each["to_round"] < last), default=0) + 1
    byes = Bye.objects.filter(round__tournament=tournament, kind=Bye.Kind.PAIRING_ALLOCATED)
    return {
        "to_round": last,
        "system": by.system,
        "procedure": by.procedure,
        "had_bye": byes.filter(round__number__range=(first, last)).exists(),
    }


def _without_repeats(earlier: list[dict[str, Any]], wanted: PairingMethod) -> list[dict[str, Any]]:
    """Drop the last segment if its system is chosen again: then nothing has changed."""
    last = earlier[-1]
    return earlier[:-1] if PairingMethod(last["system"], last["procedure"]) == wanted else earlier


def _require_points(tournament: Tournament, wanted: PairingMethod) -> None:
    """Raise ArbiterProblem if the system doesn't allow the event's points."""
    try:
        check_points_compatible(
            tournament.point_system,
            system=wanted.system,
            acceleration=tournament.acceleration,
            tie_breaks=tournament.tie_breaks,
        )
    except ValidationError as error:
        raise ArbiterProblem(" ".join(error.messages)) from error


def _require_one_worth_of_byes(tournament: Tournament, before: PairingMethod) -> None:
    """Raise ArbiterProblem if Jahr's half-point bye (art. 8) would differ from byes already given."""
    if tournament.system == PairingSystem.JAHR and tournament.bye_scoring_system != PairingSystem.JAHR:
        raise ArbiterProblem(
            _(
                "Jahr's method gives half a point for a bye, but a player in this event already got a "
                "full point. Jahr's totals can't be calculated."
            )
        )
