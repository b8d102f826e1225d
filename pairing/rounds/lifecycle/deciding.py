"""A round that has no legal pairing: ways out kept as trials, and the arbiter's decision for one, with his reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from pairing.engine.deadlock import find_deadlock
from pairing.engine.paired_round import PairedBye, PairedGame, PairedRound, PlayerScore, ReasonKind
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.ways_out import Relief, ways_out
from pairing.explanations.stored import reasons_from_json
from pairing.explanations.warnings import accelerated_field
from pairing.log_actions import PairingAction
from pairing.models import Proposal
from pairing.rounds.lifecycle.pairing import Decision, save_draft, take_snapshot
from pairing.rounds.lifecycle.saving_boards import ground_of, kept
from tournaments.entries.entering import numbers_of
from tournaments.locking import hold_round
from tournaments.models import Round
from tournaments.problems import ArbiterProblem

DECIDED: Mapping[str, PairingAction] = {
    Relief.EVENT_RULE: PairingAction.EVENT_RULE_LET_GO,
    Relief.SECOND_BYE: PairingAction.SECOND_BYE_DECIDED,
    Relief.REPEAT: PairingAction.REPEAT_DECIDED,
    Relief.ODD_COLOUR: PairingAction.ODD_COLOUR_DECIDED,
    Relief.SEVERAL: PairingAction.SEVERAL_DECIDED,
}
"""What each relief is in the log."""


def look_for_ways_out(round: Round, *, by: User | None) -> list[Proposal]:
    """Keep a trial for each way out that the document lets the arbiter decide on; those of another ground are over.

    Asked again for the same event, they are those kept already.
    """
    snapshot = take_snapshot(round)
    there = ways_kept(round, snapshot)
    if there:
        return there
    found = ways_out(snapshot)
    keys = _keys(round)
    with transaction.atomic():
        current = hold_round(round)
        Proposal.objects.filter(round=current, state=Proposal.State.OPEN).exclude(relief="").update(
            state=Proposal.State.DISCARDED
        )
        for way in found:
            boards, bye = kept(way.round, keys)
            Proposal.objects.create(
                round=current,
                base_version=current.version,
                ground=ground_of(snapshot),
                relief=way.relief,
                boards=boards,
                bye=bye,
                scores={str(keys[score.tpn]): score.pairing for score in way.round.scores},
                by=by,
            )
    return ways_kept(round, snapshot)


def ways_kept(round: Round, snapshot: TournamentSnapshot) -> list[Proposal]:
    """The ways out found for this very event, in the order of `Relief`."""
    ground = ground_of(snapshot)
    found = Proposal.objects.filter(round=round, state=Proposal.State.OPEN, ground=ground).exclude(relief="")
    return sorted(found, key=lambda way: list(Relief).index(Relief(way.relief)))


def exceptions_in(reasons: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of stored reasons those that say what was let go of."""
    return [why for why in reasons if why["kind"] == ReasonKind.EXCEPTION]


@transaction.atomic
def decide(proposal: Proposal, *, by: User, reason: str) -> Round:
    """Make a way out the draft of its round; what is let go of and why goes into the log. A second press is no error.

    Raises ArbiterProblem without a reason, and where the event is no longer as it was when this was found.
    """
    current = hold_round(proposal.round)
    fresh = Proposal.objects.select_for_update().get(pk=proposal.pk)
    if fresh.state == Proposal.State.ADOPTED:
        return current
    snapshot = _snapshot_of_waiting(current, reason)
    if not fresh.relief or fresh.state != Proposal.State.OPEN or fresh.ground != ground_of(snapshot):
        raise ArbiterProblem(_("Players or results have changed since this was found: pair the round again."))
    numbers = numbers_of(current.tournament.entries.all())
    names = dict(current.tournament.entries.values_list("pk", "name"))
    let_go = [board for board in fresh.boards if exceptions_in(board["reasons"])]
    bye = fresh.bye if fresh.bye and exceptions_in(fresh.bye["reasons"]) else None
    broken = [why["article"] for one in (*let_go, *([bye] if bye else [])) for why in exceptions_in(one["reasons"])]
    decision = Decision(
        action=DECIDED[fresh.relief],
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
    fresh.state = Proposal.State.ADOPTED
    fresh.save(update_fields=["state"])
    return saved


@transaction.atomic
def begin_by_hand(round: Round, *, by: User, reason: str) -> Round:
    """Make a draft without boards, in which everybody is still to be seated by the arbiter.

    Raises ArbiterProblem without a reason, and where there is a legal round after all.
    """
    current = hold_round(round)
    snapshot = _snapshot_of_waiting(current, reason)
    if find_deadlock(snapshot) is None:
        raise ArbiterProblem(_("There is a legal round now: pair it."))
    keys = _keys(current)
    nobody = PairedRound(
        system=snapshot.system,
        round_number=snapshot.round_number,
        games=(),
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in accelerated_field(snapshot)
        ),
    )
    here = tuple(keys[card.tpn] for card in snapshot.cards if card.unavailable is None)
    decision = Decision(action=PairingAction.BY_HAND_DECIDED, details={"reason": reason.strip()}, unpaired=here)
    return _saved(current, snapshot, nobody, decision, by=by)


def _snapshot_of_waiting(round: Round, reason: str) -> TournamentSnapshot:
    if round.paired_by.has_schedule:
        raise ArbiterProblem(_("There is a legal round now: pair it."))
    if round.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is paired already.") % {"round": round.number})
    if not reason.strip():
        raise ArbiterProblem(_("Write down why you decide so: the reason goes into the log and into the report file."))
    return take_snapshot(round)


def _saved(round: Round, snapshot: TournamentSnapshot, paired: PairedRound, decision: Decision, *, by: User) -> Round:
    draft = save_draft(round, snapshot, paired, by=by, decision=decision)
    if draft is None:
        # The event is held: nobody can have changed it meanwhile.
        raise AssertionError("the event has changed while it was held")
    return draft.round


def _keys(round: Round) -> dict[int, int]:
    """The keys of all entries, by number."""
    return {tpn: key for key, tpn in numbers_of(round.tournament.entries.all()).items()}


def _as_paired(proposal: Proposal, snapshot: TournamentSnapshot, numbers: Mapping[int, int]) -> PairedRound:
    """The trial in the engine's words, as it was kept."""
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
