"""Turning events into notifications: one row for each recipient, saved before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from tournaments.audit_log.actions import EventAction
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Entry, Game, LogEntry, Notification, ResultClaim, Round
from tournaments.notifications.preferences import Recipient, recipients_wanting

NOTIFICATION_LIFETIME = {
    Notification.Kind.PAIRING: timedelta(hours=3),
    Notification.Kind.RESULT: timedelta(hours=12),
    Notification.Kind.EVENING: timedelta(hours=12),
    Notification.Kind.LINK: timedelta(days=1),
}
"""Undelivered messages are given up after this time, as their news is old."""

DELIVERED_STATES = (Notification.State.SENT, Notification.State.HANDED)


def queue_notifications_for_log_entry(line: LogEntry) -> None:
    """Queue notifications for a line of an event's log. Safe to run twice."""
    if line.round is None or line.tournament.deleted_at is not None:
        return
    line.round.tournament = line.tournament
    if line.action in (EventAction.RESULT_REPORTED, EventAction.RESULT_ENTERED, EventAction.RESULT_CORRECTED):
        _note_result(line, line.round)
    else:
        _note_pairing(line, line.round)


def queue_notifications(
    kind: Notification.Kind, about: str, round: Round | None, told: Iterable[tuple[Recipient, dict[str, Any]]]
) -> None:
    """Save one row per channel and subject. A repeated row is ignored."""
    now = timezone.now()
    ends = round.starts_at if round is not None and kind is Notification.Kind.EVENING else None
    Notification.objects.bulk_create(
        [
            Notification(
                channel=each.channel,
                entry=each.entry,
                round=round,
                kind=kind,
                about=about,
                facts=facts,
                due_at=now,
                give_up_at=ends or now + NOTIFICATION_LIFETIME[kind],
            )
            for each, facts in told
        ],
        ignore_conflicts=True,
    )


def _note_pairing(line: LogEntry, round: Round) -> None:
    """Notify players whose board, colour or opponent differs from their last notification, or who had none."""
    entries = [
        entry for entry in round.tournament.entries.select_related("member") if is_entered_in_round(entry, round.number)
    ]
    facts = _pairing_facts(round)
    before = _told_before(round)
    told = []
    for each in recipients_wanting(Notification.Kind.PAIRING, entries):
        now, last = facts.get(each.entry.pk, _OUT), before.get((each.channel.pk, each.entry.pk))
        if last is None and now["state"] in ("out", "taken back"):
            continue
        if last is not None:
            now = now | {"again": True}
            if _same(now, last):
                continue
        told.append((each, now))
    queue_notifications(Notification.Kind.PAIRING, f"line {line.pk}", round, told)


_OUT = {"state": "out"}


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return True if both have the same game or bye. The time until which it is provisional is ignored."""
    return all(one.get(name) == other.get(name) for name in ("state", "kind", "board", "white", "opponent"))


def _pairing_facts(round: Round) -> dict[int, dict[str, Any]]:
    """Return each player's game or bye in the round, by key of their entry."""
    if not round.is_public:
        keys = round.tournament.entries.values_list("pk", flat=True)
        return {key: {"state": "taken back"} for key in keys}
    until = round.provisional_until.isoformat() if round.provisional_until else None
    facts: dict[int, dict[str, Any]] = {}
    for board, white, black in round.games.values_list("board", "white_id", "black_id"):
        for own, other, is_white in ((white, black, True), (black, white, False)):
            facts[own] = {"state": "game", "board": board, "white": is_white, "opponent": other, "until": until}
    for entry, kind in round.byes.values_list("entry_id", "kind"):
        facts[entry] = {"state": "bye", "kind": kind}
    return facts


def _told_before(round: Round) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the last facts sent or queued for this round, by channel and player."""
    lost = (Notification.State.FAILED, Notification.State.DROPPED)
    of_round = Notification.objects.filter(round=round, kind=Notification.Kind.PAIRING).exclude(state__in=lost)
    return {
        (way, entry): facts
        for way, entry, facts in of_round.order_by("pk").values_list("channel_id", "entry_id", "facts")
    }


def _note_result(line: LogEntry, round: Round) -> None:
    game = round.games.filter(board=line.details.get("board")).select_related("white__member", "black__member").first()
    if game is None:
        return
    facts = _dispute(game) if line.action == EventAction.RESULT_REPORTED else _decision(line, game)
    players = [entry for entry in (game.white, game.black) if entry.pk in facts]
    told = [(each, facts[each.entry.pk]) for each in recipients_wanting(Notification.Kind.RESULT, players)]
    queue_notifications(Notification.Kind.RESULT, f"line {line.pk}", round, told)


def _dispute(game: Game) -> dict[int, dict[str, Any]]:
    """Return the facts for both players while their reports differ. Empty once the result is settled."""
    reports = dict(ResultClaim.objects.filter(game=game).values_list("entry_id", "result"))
    if game.result or len(reports) < 2 or len(set(reports.values())) == 1:
        return {}
    return {
        own: {
            "state": "differs",
            "board": game.board,
            "white": own == game.white_id,
            "mine": reports[own],
            "theirs": reports[other],
        }
        for own, other in ((game.white_id, game.black_id), (game.black_id, game.white_id))
    }


def _decision(line: LogEntry, game: Game) -> dict[int, dict[str, Any]]:
    """Return the facts for both players if there was a result before, else for a player who reported otherwise."""
    after = line.details.get("after", "")
    concerned = {game.white_id, game.black_id}
    if not line.details.get("before"):
        others = ResultClaim.objects.filter(game=game).exclude(result=after)
        concerned &= set(others.values_list("entry_id", flat=True))
    return {
        own: {
            "state": "decided",
            "board": game.board,
            "white": own == game.white_id,
            "after": after,
            "reason": line.details.get("reason", ""),
        }
        for own in concerned
    }


def is_notification_still_true(message: Notification, later: Iterable[Notification]) -> bool:
    """Return True if a message still applies: it is the latest, its event exists, and its evening is in the future."""
    tournament = message.entry.tournament
    if tournament.deleted_at is not None or message.entry.member_id != message.channel.member_id:
        return False
    if message.kind == Notification.Kind.EVENING:
        answered = message.entry.check_ins.filter(round=message.round) if message.facts.get("asked") else None
        is_answered = answered is not None and answered.exists()
        return not is_answered and is_player_in_upcoming_round(message.entry, message.round)
    if message.kind != Notification.Kind.PAIRING:
        return True
    newer = [each for each in later if each.kind == message.kind and each.round_id == message.round_id]
    if any(each.entry_id == message.entry_id and each.pk > message.pk for each in newer):
        return False
    last = (
        Notification.objects.filter(
            channel=message.channel_id,
            entry=message.entry_id,
            round=message.round_id,
            kind=message.kind,
            state__in=DELIVERED_STATES,
        )
        .order_by("-pk")
        .first()
    )
    if last is None:
        return bool(message.facts["state"] != "taken back")
    return not _same(message.facts, last.facts)


def is_player_in_upcoming_round(entry: Entry, round: Round | None) -> bool:
    """Return True if the round is in the future, at a known time, and the player will play in it."""
    return (
        round is not None
        and round.state == Round.State.WAITING
        and round.starts_at is not None
        and round.starts_at > timezone.now()
        and is_entered_in_round(entry, round.number)
        and not entry.byes.filter(Q(round=round)).exists()
    )
