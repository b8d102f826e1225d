"""Checks that a locked round may still be changed from the page the arbiter has seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from clubs.request_types import parse_key
from pairing.engine.paired_round import ReasonKind
from pairing.engine.snapshot import HalfPoints
from pairing.explanations.pairing_warnings import (
    PairingWarning,
    WarningSeverity,
    find_pairing_warnings,
    players_with_fictitious_points,
)
from pairing.rounds.lifecycle import pairing_history
from tournaments.entries.pairing_numbers import numbers_for_pairing
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Bye, Round
from tournaments.problems import ArbiterProblem, PairingChanged


def require_draft(round: Round) -> None:
    """Raise ArbiterProblem if the round is not a draft."""
    if round.state != Round.State.DRAFT:
        raise ArbiterProblem(
            _("Round %(round)s isn't a draft (%(state)s).")
            % {"round": round.number, "state": round.get_state_display()}
        )


def parse_seen_version(sent: QueryDict) -> int:
    """Return the version of the pairing on the submitted page.

    Anything but a number gives -1, which is never current.
    """
    text = sent.get("version", "")
    return parse_key(text) if text == "0" or parse_key(text) else -1


def require_current_version(round: Round, version: int | None) -> None:
    """Raise PairingChanged if the pairing is no longer the version seen. None skips the check."""
    if version is not None and round.version != version:
        raise PairingChanged(
            _("The pairings of round %(round)s have changed. Check them again.") % {"round": round.number}
        )


def draft_warnings(round: Round) -> tuple[PairingWarning, ...]:
    """Return the warnings of `find_pairing_warnings` for a round's saved boards, the worst first.

    For boards paired by the system only forbidden pairings are listed: it has already weighed the rest.
    """
    numbers = numbers_for_pairing(round, round.tournament.entries.all()).by_entry
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
    """Return the names of the players the arbiter still has to pair."""
    return list(
        round.tournament.entries.filter(pk__in=pairing_history.unpaired_entry_ids(round)).values_list("name", flat=True)
    )


def is_manually_paired(reasons: Iterable[Mapping[str, Any]]) -> bool:
    """Return True if the arbiter set this board, according to its stored reasons."""
    return any(reason["kind"] == ReasonKind.MANUAL for reason in reasons)


def is_draft_outdated(round: Round) -> bool:
    """Return True if a score or the players to be paired have changed since the draft was made.

    Players the arbiter still has to pair do not count as a change.
    """
    snapshot = snapshot_before_round(round.tournament, round.number)
    numbers = numbers_for_pairing(round, round.tournament.entries.all()).by_entry
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
    """Return the score used for pairing and the current score, in half points, by entry key, if they differ."""
    numbers = numbers_for_pairing(round, round.tournament.entries.all()).by_entry
    field = players_with_fictitious_points(snapshot_before_round(round.tournament, round.number))
    current = {player.tpn: player.pairing_score for player in field}
    stored = {int(entry): score for entry, score in round.scores.items() if int(entry) in numbers}
    now = {key: current.get(numbers[key], score) for key, score in stored.items()}
    return {key: (score, now[key]) for key, score in stored.items() if now[key] != score}
