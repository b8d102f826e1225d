"""Save the boards and byes of a round. Unchanged boards and byes keep their rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from pairing.engine.paired_round import PairedRound
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.explanations.reason_json import reasons_to_json
from tournaments.models import Bye, Entry, Game, Round


class StoredBoard(TypedDict):
    """A board as stored: players by the keys of their entries, reasons as in `Game.reasons`."""

    board: int
    white: int
    black: int
    reasons: list[dict[str, Any]]


class StoredBye(TypedDict):
    """A player without a game, by the key of their entry. `kind` is a `Bye.Kind`."""

    entry: int
    kind: str
    reasons: list[dict[str, Any]]


class PlayerSeatedTwice(Exception):
    """Raised if a player would be in a round twice. This is a bug, never the arbiter's mistake."""


def stored_boards(round: Round) -> list[StoredBoard]:
    """Return the boards in a round, in order."""
    rows = round.games.order_by("board").values_list("board", "white_id", "black_id", "reasons")
    return [StoredBoard(board=board, white=white, black=black, reasons=why) for board, white, black, why in rows]


def stored_byes(round: Round) -> list[StoredBye]:
    """Return all byes and absences in a round."""
    rows = round.byes.order_by("entry").values_list("entry_id", "kind", "reasons")
    return [StoredBye(entry=entry, kind=kind, reasons=why) for entry, kind, why in rows]


def save_boards_and_byes(round: Round, seats: Sequence[StoredBoard], away: Sequence[StoredBye]) -> None:
    """Replace the boards and byes of a round. Raises PlayerSeatedTwice if a player is in them more than once."""
    _require_everyone_once(seats, away)
    # Delete first, then create: the database never allows a player both a board and a bye.
    new_seats, new_away = _keep_seats(round, seats), _keep_away(round, away)
    Game.objects.bulk_create(
        [
            Game(
                round=round,
                board=board["board"],
                white_id=board["white"],
                black_id=board["black"],
                reasons=board["reasons"],
            )
            for board in new_seats
        ],
        batch_size=400,
    )
    Bye.objects.bulk_create(
        [Bye(round=round, entry_id=one["entry"], kind=one["kind"], reasons=one["reasons"]) for one in new_away],
        batch_size=400,
    )


def save_paired_round(round: Round, paired: PairedRound, entries: Mapping[int | None, Entry]) -> None:
    """Save a system's pairings and keep the existing byes. `entries` maps numbers to entries."""
    seats, bye = serialize_paired_round(
        paired, {number: entry.pk for number, entry in entries.items() if number is not None}
    )
    away = stored_byes(round)
    if paired.system == "round-robin":
        # In a round robin, absent players keep their game: it is forfeited or played on another day.
        seated = {player for board in seats for player in (board["white"], board["black"])}
        away = [one for one in away if one["entry"] not in seated]
    save_boards_and_byes(round, seats, [*away, *([bye] if bye else [])])


def serialize_paired_round(
    paired: PairedRound, keys: Mapping[PairingNumber, int]
) -> tuple[list[StoredBoard], StoredBye | None]:
    """Convert a paired round to stored boards and a stored bye. `keys` maps numbers to the keys of entries."""
    boards = [
        StoredBoard(
            board=game.board, white=keys[game.white], black=keys[game.black], reasons=reasons_to_json(game.reasons)
        )
        for game in paired.games
    ]
    if paired.bye is None:
        return boards, None
    why = reasons_to_json(paired.bye.reasons)
    return boards, StoredBye(entry=keys[paired.bye.player], kind=Bye.Kind.PAIRING_ALLOCATED.value, reasons=why)


def snapshot_fingerprint(snapshot: TournamentSnapshot) -> str:
    """Return a hash (64 hex digits) of all the data a pairing depends on."""
    pairs = sorted(sorted(pair) for pair in snapshot.forbidden_pairs)
    plain = replace(snapshot, forbidden_pairs=frozenset())
    return hashlib.sha256(f"{plain!r} {pairs}".encode()).hexdigest()


def _require_everyone_once(seats: Iterable[StoredBoard], away: Iterable[StoredBye]) -> None:
    times = Counter(player for board in seats for player in (board["white"], board["black"]))
    times.update(one["entry"] for one in away)
    twice = sorted(player for player, count in times.items() if count > 1)
    if twice:
        raise PlayerSeatedTwice(f"entries more than once in a round: {twice}")


def _keep_seats(round: Round, seats: Sequence[StoredBoard]) -> list[StoredBoard]:
    """Delete the boards that are not wanted. Return those to be created.

    Changed boards are created again: updated one by one, two of them could clash.
    """
    wanted = {(board["board"], board["white"], board["black"]): board for board in seats}
    changed = []
    for game in round.games.all():
        stays = wanted.pop((game.board, game.white_id, game.black_id), None)
        if stays is None:
            changed.append(game.pk)
        elif stays["reasons"] != game.reasons:
            Game.objects.filter(pk=game.pk).update(reasons=stays["reasons"])
    round.games.filter(pk__in=changed).delete()
    return list(wanted.values())


def _keep_away(round: Round, away: Sequence[StoredBye]) -> list[StoredBye]:
    """Delete the byes that are not wanted. Return those to be created."""
    wanted = {(one["entry"], one["kind"]): one for one in away}
    for bye in round.byes.all():
        stays = wanted.pop((bye.entry_id, bye.kind), None)
        if stays is None:
            bye.delete()
        elif stays["reasons"] != bye.reasons:
            Bye.objects.filter(pk=bye.pk).update(reasons=stays["reasons"])
    return list(wanted.values())
