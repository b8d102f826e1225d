"""Changing a draft by hand: each change saved as it is made, with its step, its reasons and its line in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as replaced
from typing import Any, NamedTuple

from django.db import transaction

from clubs.models import User
from pairing.engine.paired_round import PairingImpossible, ReasonKind, reason
from pairing.engine.rules.colours import PreferenceStrength
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import ABSENT, Colour, PairingNumber, TournamentSnapshot
from pairing.engine.systems import SYSTEMS
from pairing.explanations.stored import reasons_to_json
from pairing.explanations.warnings import accelerated_field
from pairing.log_actions import PairingAction
from pairing.models import Cause
from pairing.rounds.lifecycle import editing_sessions, steps
from pairing.rounds.lifecycle.saving_boards import Away, Seats, away_in, write_round
from pairing.rounds.lifecycle.seen_version import require_draft, require_version
from pairing.rounds.manual.arrangement import Arrangement, Change, Operation, Player
from tournaments.audit_log.lines import record
from tournaments.entries.entering import number_entries, numbers_of
from tournaments.import_export.snapshots import snapshot_before
from tournaments.locking import hold_round
from tournaments.models import Bye, Entry, Round

_ORIGINS = (Cause.PAIRED, Cause.ADOPTED, Cause.FOUND, Cause.UNPUBLISHED)
"""What changes by hand are measured by."""


@transaction.atomic
def change_by_hand(round: Round, operation: Operation, *, by: User, version: int) -> Change:
    """Do something of `by_hand` to a draft and save it. Begins an editing session where nobody is at it.

    Raises ArbiterProblem when it cannot be done, EditedElsewhere while somebody else is changing the draft,
    PairingChanged when the draft is no longer the version seen; then nothing has changed.
    """
    current = hold_round(round)
    require_draft(current)
    editing_sessions.enter(current, by=by)
    require_version(current, version)
    steps.take_stock(current)
    before = arrangement_of(current)
    change = operation(before)
    after = change.arrangement
    if current.number == 1:
        number_entries(current.tournament)
    _save(current, before, after, by=by)
    current.scores |= _scores_of(current, after.players - before.players)
    current.version += 1
    current.save(update_fields=["version", "scores"])
    steps.record_step(current, cause=change.cause, by=by, unpaired=after.unpaired)
    _log(current, change, by=by)
    return change


def arrangement_of(round: Round) -> Arrangement:
    """A draft as it is saved."""
    games = round.games.order_by("board").values_list("white_id", "black_id")
    bye = round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry_id", flat=True).first()
    return Arrangement(pairs=tuple(games), bye=bye, unpaired=tuple(steps.unpaired_keys(round)))


def in_due_colours(round: Round, one: Player, other: Player) -> tuple[Player, Player]:
    """White and Black, as the event's system gives colours to a pair of these two.

    Where it would never pair them, the firmer claim to a colour decides, and the higher number where none is firmer.
    """
    numbers = numbers_of(round.tournament.entries.all())
    keys = {numbers[key]: key for key in (one, other)}
    snapshot = snapshot_before(round.tournament, round.number)
    white, black = _coloured(snapshot, *keys)
    return keys[white], keys[black]


def _coloured(
    snapshot: TournamentSnapshot, one: PairingNumber, other: PairingNumber
) -> tuple[PairingNumber, PairingNumber]:
    """The two by themselves in the round, paired by the system."""
    two = {one, other}
    cards = tuple(replaced(card, unavailable=None if card.tpn in two else ABSENT) for card in snapshot.cards)
    try:
        games = SYSTEMS[snapshot.system](replaced(snapshot, cards=cards)).games
        # By a table all are paired, and these two perhaps in another round.
        game = next((game for game in games if {game.white, game.black} == two), None)
    except PairingImpossible:
        game = None
    if game is None:
        field = {player.tpn: player for player in accelerated_field(snapshot)}
        firm, rival = sorted((field[one], field[other]), key=_claim)
        return (rival.tpn, firm.tpn) if firm.due_colour is Colour.BLACK else (firm.tpn, rival.tpn)
    return game.white, game.black


def _claim(player: Contender) -> tuple[int, int, int]:
    """The firmest first."""
    strength = player.preference.strength if player.preference else PreferenceStrength.MILD - 1
    return -strength, -abs(player.colour_difference), player.number


class _Origin(NamedTuple):
    """What the boards were before they were changed by hand: reasons by pair, opponents by player."""

    reasons: Mapping[tuple[Player, Player | None], list[dict[str, Any]]]
    opponents: Mapping[Player, Player | None]


def _save(round: Round, before: Arrangement, after: Arrangement, *, by: User) -> None:
    origin = _origin(round)
    entries = {entry.pk: entry for entry in round.tournament.entries.all()}
    now = {(game.white_id, game.black_id): game.reasons for game in round.games.all()}

    def board_reasons(white: Player, black: Player | None) -> list[dict[str, Any]]:
        stays = origin.reasons.get((white, black)) or now.get((white, black))  # type: ignore[arg-type]
        return stays or _by_hand(white, black, origin.opponents, entries, by)

    seats = [
        Seats(board=board, white=white, black=black, reasons=board_reasons(white, black))
        for board, (white, black) in enumerate(after.pairs, start=1)
    ]
    away = [
        one for one in away_in(round) if one["entry"] not in after.players and one["kind"] != Bye.Kind.PAIRING_ALLOCATED
    ]
    away += [
        Away(entry=player, kind=Bye.Kind.ABSENT.value, reasons=[]) for player in sorted(before.players - after.players)
    ]
    if after.bye is not None:
        away.append(
            Away(entry=after.bye, kind=Bye.Kind.PAIRING_ALLOCATED.value, reasons=board_reasons(after.bye, None))
        )
    write_round(round, seats, away)


def _origin(round: Round) -> _Origin:
    """The newest step that was not made by hand."""
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
    """The arbiter may change what the computer proposes, and answers for it (FIDE 1987-89, preface).

    Facts: by whom, and for each whom he was to play before, by number; 0 is the bye, None nobody.
    """

    def pairing_number(player: Player | None) -> int:
        return 0 if player is None else entries[player].tpn or 0

    players = [white] if black is None else [white, black]
    told: dict[str, int | None] = {
        f"instead_{side}": pairing_number(before[player]) if player in before else None
        for side, player in zip(("white", "black"), players, strict=False)
    }
    # The log-in name is nobody's business on a public page.
    because = reason(
        "fide-1989 preface",
        ReasonKind.BY_HAND,
        *(pairing_number(player) for player in players),
        by=by.get_full_name(),
        **told,
    )
    return reasons_to_json([because])


def _scores_of(round: Round, newcomers: frozenset[Player]) -> dict[str, int]:
    """The scores with which those put into the round would be paired."""
    if not newcomers:
        return {}
    numbers = numbers_of(round.tournament.entries.all())
    field = {
        player.tpn: player.pairing_score
        for player in accelerated_field(snapshot_before(round.tournament, round.number))
    }
    return {str(key): field[numbers[key]] for key in newcomers}


def _log(round: Round, change: Change, *, by: User) -> None:
    action = {
        Cause.SWAPPED: PairingAction.PLAYERS_SWAPPED,
        Cause.COLOURS: PairingAction.COLOURS_TURNED,
        Cause.MOVED: PairingAction.BOARD_MOVED,
        Cause.PAIR_REMOVED: PairingAction.PAIR_REMOVED,
        Cause.PAIR_MADE: PairingAction.PAIR_MADE,
        Cause.BYE_GIVEN: PairingAction.BYE_GIVEN_BY_HAND,
        Cause.BYE_TAKEN: PairingAction.BYE_TAKEN_AWAY,
        Cause.PLAYER_OUT: PairingAction.PLAYER_TAKEN_OUT,
        Cause.PLAYER_IN: PairingAction.PLAYER_PUT_IN,
    }[change.cause]
    names = dict(Entry.objects.filter(pk__in=change.players).values_list("pk", "name"))
    details = {} if change.board is None else {"board": change.board}
    record(
        round.tournament,
        action,
        by=by,
        round=round,
        names=[names[player] for player in change.players],
        version=round.version,
        **details,
    )
