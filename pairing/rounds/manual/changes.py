"""Manual changes of a draft: each is saved at once, with its step, reasons and log entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as replaced
from typing import Any, NamedTuple

from django.db import transaction

from clubs.models import User
from pairing.engine.paired_round import PairingImpossible, ReasonKind, make_reason
from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import ABSENT_RECORD, Colour, PairingNumber, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.explanations.pairing_warnings import players_with_fictitious_points
from pairing.explanations.reason_json import reasons_to_json
from pairing.log_actions import PairingAction
from pairing.models import PairingCause
from pairing.rounds.lifecycle import editing_sessions, pairing_history
from pairing.rounds.lifecycle.board_storage import StoredBoard, StoredBye, save_boards_and_byes, stored_byes
from pairing.rounds.lifecycle.draft_checks import require_current_version, require_draft
from pairing.rounds.manual.arrangement import ArrangementChange, DraftArrangement, Operation, Player
from tournaments.access import lock_round
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import assign_pairing_numbers
from tournaments.entries.pairing_numbers import numbers_for_pairing
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Bye, Entry, Round

_ORIGINS = (PairingCause.PAIRED, PairingCause.ADOPTED, PairingCause.FOUND, PairingCause.UNPUBLISHED)
"""The steps with which manual changes are compared."""


@transaction.atomic
def change_draft_manually(round: Round, operation: Operation, *, by: User, version: int) -> ArrangementChange:
    """Apply an operation from `arrangement` to a draft and save it. Starts an editing session if there is none.

    Raises ArbiterProblem if the operation is not possible. Raises DraftEditedByOtherUser while somebody else is editing
    the draft. Raises PairingChanged if the version seen is no longer current. Then nothing has changed.
    """
    current = lock_round(round)
    require_draft(current)
    editing_sessions.ensure_editing_session(current, by=by)
    require_current_version(current, version)
    pairing_history.refresh_current_step(current)
    before = load_arrangement(current)
    change = operation(before)
    after = change.arrangement
    if current.number == 1:
        assign_pairing_numbers(current.tournament)
    _save(current, before, after, by=by)
    current.scores |= _scores_of(current, after.players - before.players)
    current.version += 1
    current.save(update_fields=["version", "scores"])
    pairing_history.record_pairing_step(current, cause=change.cause, by=by, unpaired=after.unpaired)
    _log(current, change, by=by)
    return change


def load_arrangement(round: Round) -> DraftArrangement:
    """Return the arrangement of a saved draft."""
    games = round.games.order_by("board").values_list("white_id", "black_id")
    bye = round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry_id", flat=True).first()
    return DraftArrangement(pairs=tuple(games), bye=bye, unpaired=tuple(pairing_history.unpaired_entry_ids(round)))


def order_by_due_colour(round: Round, one: Player, other: Player) -> tuple[Player, Player]:
    """Return White and Black as the event's system allocates colours to this pair.

    If it would never pair them, the stronger colour preference decides, then the higher ranking.
    """
    numbers = numbers_for_pairing(round, round.tournament.entries.all()).by_entry
    keys = {numbers[key]: key for key in (one, other)}
    snapshot = snapshot_before_round(round.tournament, round.number)
    white, black = _coloured(snapshot, *keys)
    return keys[white], keys[black]


def _coloured(
    snapshot: TournamentSnapshot, one: PairingNumber, other: PairingNumber
) -> tuple[PairingNumber, PairingNumber]:
    """Return the colours the system gives if these two are the only players in the round."""
    two = {one, other}
    cards = tuple(replaced(card, unavailable=None if card.tpn in two else ABSENT_RECORD) for card in snapshot.cards)
    try:
        games = PAIRING_SYSTEMS[snapshot.system](replaced(snapshot, cards=cards)).games
        # A round robin pairs everybody, and these two perhaps in another round.
        game = next((game for game in games if {game.white, game.black} == two), None)
    except PairingImpossible:
        game = None
    if game is None:
        field = {player.tpn: player for player in players_with_fictitious_points(snapshot)}
        firm, rival = sorted((field[one], field[other]), key=_claim)
        return (rival.tpn, firm.tpn) if firm.due_colour is Colour.BLACK else (firm.tpn, rival.tpn)
    return game.white, game.black


def _claim(player: PairingPlayer) -> tuple[int, int, int]:
    """Sort key: the strongest colour preference first."""
    strength = player.preference.strength if player.preference else PreferenceStrength.MILD - 1
    return -strength, -abs(player.colour_difference), player.number


class _Origin(NamedTuple):
    """The boards before manual changes: reasons by pair, opponents by player."""

    reasons: Mapping[tuple[Player, Player | None], list[dict[str, Any]]]
    opponents: Mapping[Player, Player | None]


def _save(round: Round, before: DraftArrangement, after: DraftArrangement, *, by: User) -> None:
    origin = _origin(round)
    entries = {entry.pk: entry for entry in round.tournament.entries.all()}
    now = {(game.white_id, game.black_id): game.reasons for game in round.games.all()}

    def board_reasons(white: Player, black: Player | None) -> list[dict[str, Any]]:
        stays = origin.reasons.get((white, black)) or now.get((white, black))  # type: ignore[arg-type]
        return stays or _by_hand(white, black, origin.opponents, entries, by)

    seats = [
        StoredBoard(board=board, white=white, black=black, reasons=board_reasons(white, black))
        for board, (white, black) in enumerate(after.pairs, start=1)
    ]
    away = [
        one
        for one in stored_byes(round)
        if one["entry"] not in after.players and one["kind"] != Bye.Kind.PAIRING_ALLOCATED
    ]
    away += [
        StoredBye(entry=player, kind=Bye.Kind.ABSENT.value, reasons=[])
        for player in sorted(before.players - after.players)
    ]
    if after.bye is not None:
        away.append(
            StoredBye(entry=after.bye, kind=Bye.Kind.PAIRING_ALLOCATED.value, reasons=board_reasons(after.bye, None))
        )
    save_boards_and_byes(round, seats, away)


def _origin(round: Round) -> _Origin:
    """Return the boards of the newest step that was not made manually."""
    step = round.steps.filter(cause__in=_ORIGINS, is_paired=True).order_by("number").last()
    if step is None:
        return _Origin({}, {})
    reasons = {(board["white"], board["black"]): board["reasons"] for board in step.boards}
    opponents: dict[Player, Player | None] = {}
    for white, black in reasons:
        opponents |= {white: black, black: white}
    for one in step.byes:
        if one["kind"] == Bye.Kind.PAIRING_ALLOCATED:
            reasons[one["entry"], None] = one["reasons"]
            opponents[one["entry"]] = None
    return _Origin(reasons, opponents)


def _by_hand(
    white: Player,
    black: Player | None,
    before: Mapping[Player, Player | None],
    entries: Mapping[Player, Entry],
    by: User,
) -> list[dict[str, Any]]:
    """The arbiter may change the computer's proposal, and is responsible for it (FIDE 1987-89, preface).

    Facts: who made the change, and each player's former opponent by number. 0 is the bye, None nobody.
    """

    def pairing_number(player: Player | None) -> int:
        return 0 if player is None else entries[player].tpn or 0

    players = [white] if black is None else [white, black]
    told: dict[str, int | None] = {
        f"instead_{side}": pairing_number(before[player]) if player in before else None
        for side, player in zip(("white", "black"), players, strict=False)
    }
    # Login names must not appear on a public page.
    because = make_reason(
        "fide-1989 preface",
        ReasonKind.MANUAL,
        *(pairing_number(player) for player in players),
        by=by.get_full_name(),
        **told,
    )
    return reasons_to_json([because])


def _scores_of(round: Round, newcomers: frozenset[Player]) -> dict[str, int]:
    """Return the pairing scores of the players added to the round."""
    if not newcomers:
        return {}
    numbers = numbers_for_pairing(round, round.tournament.entries.all()).by_entry
    field = {
        player.tpn: player.pairing_score
        for player in players_with_fictitious_points(snapshot_before_round(round.tournament, round.number))
    }
    return {str(key): field[numbers[key]] for key in newcomers}


def _log(round: Round, change: ArrangementChange, *, by: User) -> None:
    action = {
        PairingCause.SWAPPED: PairingAction.PLAYERS_SWAPPED,
        PairingCause.COLOURS: PairingAction.COLOURS_SWAPPED,
        PairingCause.MOVED: PairingAction.BOARD_MOVED,
        PairingCause.PAIR_REMOVED: PairingAction.PAIR_REMOVED,
        PairingCause.PAIR_MADE: PairingAction.PAIR_MADE,
        PairingCause.BYE_GIVEN: PairingAction.BYE_GIVEN_MANUALLY,
        PairingCause.BYE_TAKEN: PairingAction.BYE_REMOVED,
        PairingCause.PLAYER_OUT: PairingAction.PLAYER_REMOVED,
        PairingCause.PLAYER_IN: PairingAction.PLAYER_ADDED,
    }[change.cause]
    names = dict(Entry.objects.filter(pk__in=change.players).values_list("pk", "name"))
    details = {} if change.board is None else {"board": change.board}
    record_action(
        round.tournament,
        action,
        by=by,
        round=round,
        names=[names[player] for player in change.players],
        version=round.version,
        **details,
    )
