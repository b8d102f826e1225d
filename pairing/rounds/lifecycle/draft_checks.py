"""What there is to say about a draft before it is published: what it breaks, and whether its ground has moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pairing.engine.paired_round import ReasonKind
from pairing.engine.snapshot import HalfPoints
from pairing.explanations.pairing_warnings import (
    PairingWarning,
    WarningSeverity,
    find_pairing_warnings,
    players_with_fictitious_points,
)
from pairing.rounds.lifecycle import pairing_history
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Bye, Round


def draft_warnings(round: Round) -> tuple[PairingWarning, ...]:
    """`find_pairing_warnings` a round's saved boards, the worst first.

    Of boards as the system has paired them only what is forbidden: the rest it has weighed already.
    """
    numbers = pairing_numbers_by_entry(round.tournament.entries.all())
    games = list(round.games.order_by("board").values_list("board", "white", "black", "reasons"))
    allocated = round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).first()
    pairs = [(numbers[white], numbers[black]) for _board, white, black, _reasons in games]
    found = find_pairing_warnings(
        snapshot_before_round(round.tournament, round.number), pairs, numbers[allocated.entry_id] if allocated else None
    )
    by_hand: set[int | None] = {
        place for place, (*_, reasons) in enumerate(games, start=1) if is_manually_paired(reasons)
    }
    if allocated and is_manually_paired(allocated.reasons):
        by_hand.add(None)
    told = (one for one in found if one.severity is WarningSeverity.FORBIDDEN or one.board in by_hand)
    return tuple(sorted(told, key=lambda one: -one.severity))


def unpaired_player_names(round: Round) -> list[str]:
    """Those whom the arbiter has still to seat."""
    return list(
        round.tournament.entries.filter(pk__in=pairing_history.unpaired_entry_ids(round)).values_list("name", flat=True)
    )


def is_manually_paired(reasons: Iterable[Mapping[str, Any]]) -> bool:
    """The arbiter has set this board, as its stored reasons say."""
    return any(reason["kind"] == ReasonKind.MANUAL for reason in reasons)


def is_draft_outdated(round: Round) -> bool:
    """The draft was made before something it rests on changed: a score, or who is to be paired.

    Those whom the arbiter has still to seat are known to him: they are no change.
    """
    snapshot = snapshot_before_round(round.tournament, round.number)
    numbers = pairing_numbers_by_entry(round.tournament.entries.all())
    known = {numbers[key] for pair in round.games.values_list("white", "black") for key in pair}
    known.update(
        numbers[key] for key in round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry", flat=True)
    )
    known.update(numbers[key] for key in pairing_history.unpaired_entry_ids(round))
    if known != {card.tpn for card in snapshot.cards if card.unavailable is None}:
        return True
    stored = {numbers[int(entry)]: score for entry, score in round.scores.items() if int(entry) in numbers}
    current = {
        player.tpn: player.pairing_score
        for player in players_with_fictitious_points(snapshot)
        if player.is_to_be_paired
    }
    return any(stored.get(tpn, score) != score for tpn, score in current.items())


def changed_scores(round: Round) -> dict[int, tuple[HalfPoints, HalfPoints]]:
    """The half points a round was paired with, and those of now, by entry key where they differ."""
    numbers = pairing_numbers_by_entry(round.tournament.entries.all())
    field = players_with_fictitious_points(snapshot_before_round(round.tournament, round.number))
    current = {player.tpn: player.pairing_score for player in field}
    stored = {int(entry): score for entry, score in round.scores.items() if int(entry) in numbers}
    now = {key: current.get(numbers[key], score) for key, score in stored.items()}
    return {key: (score, now[key]) for key, score in stored.items() if now[key] != score}
