"""A round without a legal pairing: relaxations kept as proposals, and the arbiter's decision with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.engine.paired_round import PairedBye, PairedGame, PairedRound, PlayerScore, ReasonKind
from pairing.engine.relaxations import RelaxationKind, find_infeasibility_proof, find_relaxed_rounds
from pairing.engine.snapshot import TournamentSnapshot
from pairing.explanations.pairing_warnings import players_with_fictitious_points
from pairing.explanations.reason_json import reasons_from_json
from pairing.log_actions import PairingAction
from pairing.models import PairingProposal
from pairing.rounds.lifecycle.board_storage import serialize_paired_round, snapshot_fingerprint
from pairing.rounds.lifecycle.transitions import ArbiterDecision, save_draft, take_pairing_snapshot
from tournaments.access import lock_round
from tournaments.entries.pairing_numbers import numbers_for_pairing
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

RELAXATION_LOG_ACTIONS: Mapping[str, PairingAction] = {
    RelaxationKind.EVENT_RULE: PairingAction.EVENT_RULE_WAIVED,
    RelaxationKind.SECOND_BYE: PairingAction.SECOND_BYE_DECIDED,
    RelaxationKind.REPEAT: PairingAction.REPEAT_DECIDED,
    RelaxationKind.ODD_COLOUR: PairingAction.FORBIDDEN_COLOUR_DECIDED,
    RelaxationKind.SEVERAL: PairingAction.SEVERAL_RELAXATIONS_DECIDED,
}
"""The log action of each relaxation."""


def propose_relaxations(round: Round, *, by: User | None) -> list[PairingProposal]:
    """Save a proposal for each relaxation that the rules let the arbiter decide on, and discard outdated ones.

    For an unchanged event, the proposals already saved are returned.
    """
    snapshot = take_pairing_snapshot(round)
    there = open_relaxation_proposals(round, snapshot)
    if there:
        return there
    found = find_relaxed_rounds(snapshot)
    keys = _keys(round)
    with transaction.atomic():
        current = lock_round(round)
        PairingProposal.objects.filter(round=current, state=PairingProposal.State.OPEN).exclude(relief="").update(
            state=PairingProposal.State.DISCARDED
        )
        for way in found:
            boards, bye = serialize_paired_round(way.paired_round, keys)
            PairingProposal.objects.create(
                round=current,
                base_version=current.version,
                ground=snapshot_fingerprint(snapshot),
                relief=way.relaxation,
                boards=boards,
                bye=bye,
                scores={str(keys[score.tpn]): score.pairing_score for score in way.paired_round.scores},
                by=by,
            )
    return open_relaxation_proposals(round, snapshot)


def open_relaxation_proposals(round: Round, snapshot: TournamentSnapshot) -> list[PairingProposal]:
    """Return the relaxations found for the event in its current state, in the order of `RelaxationKind`."""
    ground = snapshot_fingerprint(snapshot)
    found = PairingProposal.objects.filter(round=round, state=PairingProposal.State.OPEN, ground=ground).exclude(
        relief=""
    )
    return sorted(found, key=lambda way: list(RelaxationKind).index(RelaxationKind(way.relief)))


def exception_reasons(reasons: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the stored reasons that record an exception to a rule."""
    return [why for why in reasons if why["kind"] == ReasonKind.EXCEPTION]


@transaction.atomic
def adopt_relaxation(proposal: PairingProposal, *, by: User, reason: str) -> Round:
    """Make a relaxation the draft of its round, and log the waived rules with the reason.

    Nothing happens on a second click. Raises ArbiterProblem if there is no reason, or if the event has changed since.
    """
    current = lock_round(proposal.round)
    fresh = PairingProposal.objects.select_for_update().get(pk=proposal.pk)
    if fresh.state == PairingProposal.State.ADOPTED:
        return current
    snapshot = _snapshot_of_waiting(current, reason)
    if not fresh.relief or fresh.state != PairingProposal.State.OPEN or fresh.ground != snapshot_fingerprint(snapshot):
        raise ArbiterProblem(_("Players or results have changed since this proposal was made. Pair the round again."))
    numbers = numbers_for_pairing(current, current.tournament.entries.all()).by_entry
    names = dict(current.tournament.entries.values_list("pk", "name"))
    let_go = [board for board in fresh.boards if exception_reasons(board["reasons"])]
    bye = fresh.bye if fresh.bye and exception_reasons(fresh.bye["reasons"]) else None
    broken = [why["article"] for one in (*let_go, *([bye] if bye else [])) for why in exception_reasons(one["reasons"])]
    decision = ArbiterDecision(
        action=RELAXATION_LOG_ACTIONS[fresh.relief],
        details={
            "names": [f"{names[board['white']]} – {names[board['black']]}" for board in let_go]
            + ([names[bye["entry"]]] if bye else []),
            "numbers": [f"{numbers[board['white']]}-{numbers[board['black']]}" for board in let_go]
            + ([str(numbers[bye["entry"]])] if bye else []),
            "articles": ", ".join(sorted(set(broken) - {""})),
            "reason": reason.strip(),
        },
    )
    saved = _saved(current, snapshot, _as_paired(fresh, snapshot, numbers), decision, by=by)
    fresh.state = PairingProposal.State.ADOPTED
    fresh.save(update_fields=["state"])
    return saved


@transaction.atomic
def create_empty_draft(round: Round, *, by: User, reason: str) -> Round:
    """Create a draft without boards. The arbiter pairs everybody.

    Raises ArbiterProblem if there is no reason, or if there is a legal pairing after all.
    """
    current = lock_round(round)
    snapshot = _snapshot_of_waiting(current, reason)
    if find_infeasibility_proof(snapshot) is None:
        raise ArbiterProblem(_("A legal pairing is now possible. Pair the round."))
    keys = _keys(current)
    nobody = PairedRound(
        system=snapshot.system,
        round_number=snapshot.round_number,
        games=(),
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in players_with_fictitious_points(snapshot)
        ),
    )
    here = tuple(keys[card.tpn] for card in snapshot.cards if card.unavailable is None)
    decision = ArbiterDecision(
        action=PairingAction.MANUAL_PAIRING_DECIDED, details={"reason": reason.strip()}, unpaired=here
    )
    return _saved(current, snapshot, nobody, decision, by=by)


def _snapshot_of_waiting(round: Round, reason: str) -> TournamentSnapshot:
    if round.pairing_method.has_fixed_schedule:
        raise ArbiterProblem(_("A legal pairing is now possible. Pair the round."))
    if round.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is already paired.") % {"round": round.number})
    if not reason.strip():
        raise ArbiterProblem(_("Enter a reason. We'll add it to the log and the report file."))
    return take_pairing_snapshot(round)


def _saved(
    round: Round, snapshot: TournamentSnapshot, paired: PairedRound, decision: ArbiterDecision, *, by: User
) -> Round:
    draft = save_draft(round, snapshot, paired, by=by, decision=decision)
    if draft is None:
        # The event is locked: nobody can have changed it in the meantime.
        raise AssertionError("the event has changed while it was held")
    return draft.round


def _keys(round: Round) -> dict[int, int]:
    """Return the keys of all entries, by number."""
    return {tpn: key for key, tpn in numbers_for_pairing(round, round.tournament.entries.all()).by_entry.items()}


def _as_paired(proposal: PairingProposal, snapshot: TournamentSnapshot, numbers: Mapping[int, int]) -> PairedRound:
    """Convert the stored proposal to the engine's `PairedRound`."""
    bye = proposal.bye
    return PairedRound(
        system=snapshot.system,
        round_number=snapshot.round_number,
        games=tuple(
            PairedGame(
                board=board["board"],
                white=numbers[board["white"]],
                black=numbers[board["black"]],
                reasons=reasons_from_json(board["reasons"]),
            )
            for board in proposal.boards
        ),
        bye=PairedBye(player=numbers[bye["entry"]], reasons=reasons_from_json(bye["reasons"])) if bye else None,
        scores=tuple(PlayerScore(tpn=numbers[int(key)], score=score) for key, score in proposal.scores.items()),
        acceleration=snapshot.acceleration,
    )
