"""Entering members and lists, late entries, changes of entries, withdrawals and forbidden pairs.

The starting list is open until round 1 is published. Until then, each pairing of round 1 numbers the players again, by
rating. Later entries get the next number at the end, until the next round is paired (`pairing_numbers`). For the rounds
they missed they get the byes the event grants (FIDE 1987-89, art. 17).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from clubs.models import Member, User
from clubs.privacy import public_name
from common.signals import ChangeKind, publish
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.column_detection import parse_player_list
from tournaments.entries.field_values import read_player_row
from tournaments.entries.line_splitter import LineField, split_text_into_lines
from tournaments.entries.member_linking import link_member_if_certain
from tournaments.entries.player_rows import (
    MAX_PLAYERS,
    PastedListPreview,
    PlayerRow,
    RowAnswer,
    answered_row,
    resolve_player_rows,
)
from tournaments.entries.starting_list import sort_by_starting_order
from tournaments.models import Bye, Entry, ForbiddenPair, Game, Round, Tournament
from tournaments.problems import ArbiterProblem, UnreadablePlayers


@transaction.atomic
def enter_members(
    tournament: Tournament, members: Iterable[Member], *, by: User | None, from_round: int | None = None
) -> list[Entry]:
    """Enter members of the event's own club, skip those already entered, and return the new entries.

    `from_round` is the first round they play (default: the first round not yet published). Raises ArbiterProblem if
    somebody isn't a member of the club.
    """
    current = lock_tournament(tournament.pk)
    members = list(members)
    strangers = [member.name for member in members if member.club_id != current.club_id]
    if strangers:
        raise ArbiterProblem(_("Not a member of this club: %(names)s.") % {"names": "; ".join(strangers)})
    entered = set(current.entries.exclude(member=None).values_list("member_id", flat=True))
    new = {member.pk: _entry_of_member(current, member) for member in members if member.pk not in entered}
    return _enter(current, list(new.values()), by=by, from_round=from_round)


@transaction.atomic
def enter_players_of_event(tournament: Tournament, entries: Iterable[Entry], *, by: User | None) -> list[Entry]:
    """Enter the players from another event of the club and return the new entries.

    Members come with today's data from the member list, guests with the data of that event.
    """
    current = lock_tournament(tournament.pk)
    new = [
        _entry_of_member(current, entry.member)
        if entry.member is not None
        else Entry(tournament=current, **{name: getattr(entry, name) for name in _OF_A_GUEST})
        for entry in entries
    ]
    return _enter(current, new, by=by, from_round=None)


_OF_A_GUEST = (
    "name",
    "title",
    "sex",
    "rating",
    "rating_is_estimate",
    "federation",
    "club_name",
    "fide_id",
    "birth",
    "remark",
)


def preview_pasted_list(
    tournament: Tournament,
    text: str,
    column_kinds: Mapping[str, str] | None = None,
    edits: Mapping[int, Mapping[str, str]] | None = None,
) -> PastedListPreview:
    """Parse a list with one player per line and return a preview. Saves nothing.

    Lines look like `1. Family, Given; 1875; FM; POL` or `Given Family 1875`. Fields are separated by tabs, else
    semicolons, else commas. Numbering before the name is skipped. If a line names the columns, they apply. Otherwise
    the order after the name is free: a number up to 3500 is the rating. A year after it, or a date, is the birth, a
    longer number the FIDE ID. Three capital letters are the federation, w or m the sex. `column_kinds` overrides all
    that, by column key.

    `edits` are what the arbiter changed on the page, by line: the texts of `EDITABLE_CELLS`, and an `answer`.
    """
    found = parse_player_list(split_text_into_lines(text), column_kinds or {})
    return PastedListPreview(
        text=text,
        rows=resolve_player_rows(tournament, [_edited_row(row, (edits or {}).get(row.line, {})) for row in found.rows]),
        columns=found.columns,
        column_problems=found.problems,
        passed_over=found.passed_over,
        doubts=found.doubts,
    )


def enter_pasted_list(
    tournament: Tournament,
    text: str,
    *,
    by: User | None,
    from_round: int | None = None,
    column_kinds: Mapping[str, str] | None = None,
    edits: Mapping[int, Mapping[str, str]] | None = None,
    in_part: bool = False,
) -> list[Entry]:
    """Enter the players in a list, all or none, and return the new entries.

    With `in_part`, enter only the clear rows. Raises ArbiterProblem if a row or column is wrong.
    """
    with transaction.atomic():
        current = lock_tournament(tournament.pk)
        preview = preview_pasted_list(current, text, column_kinds, edits)
        if preview.column_problems:
            raise ArbiterProblem("\n".join(str(problem) for problem in preview.column_problems))
        rows = preview.clear_rows if in_part else preview.rows
        return enter_player_rows(current, rows, by=by, from_round=from_round)


def _edited_row(row: PlayerRow, edit: Mapping[str, str]) -> PlayerRow:
    """Return the row as the arbiter changed it. Its cells are read again if one of them is different."""
    cells = {name: " ".join(edit.get(name, text).split()) for name, text in row.cells.items()}
    if cells != row.cells:
        fields = [(name, LineField(text, 0)) for name, text in cells.items()]
        kept = {name: getattr(row, name) for name in ("federation", "sex", "national_id", "club_name", "remark")}
        row = replace(read_player_row(row.line, fields), is_edited=True, **kept)
    return answered_row(row, edit.get("answer", ""))


def enter_player_rows(
    tournament: Tournament, rows: Iterable[PlayerRow], *, by: User | None, from_round: int | None = None
) -> list[Entry]:
    """Enter resolved rows, all or none. The caller has opened a transaction and locked the event.

    Raises UnreadablePlayers if a row has a problem.
    """
    rows = list(rows)
    problems = [str(problem) for row in rows for problem in row.problems]
    if problems:
        raise UnreadablePlayers("\n".join(problems))
    new = [_entry_of_row(tournament, row) for row in rows if row.is_to_be_entered]
    return _enter(tournament, new, by=by, from_round=from_round)


@transaction.atomic
def enter_named_players(
    tournament: Tournament, players: Iterable[Mapping[str, str]], *, by: User | None, from_round: int | None = None
) -> tuple[list[Entry], list[str]]:
    """Enter players given by their fields, all or none. Fields are named as in `PlayerRow`, and names stay as they are.

    Returns the new entries, and the names of those who were in the event or earlier in the list already. Raises
    UnreadablePlayers if a field is wrong, or if a name may be several members'.
    """
    current = lock_tournament(tournament.pk)
    rows = [
        answered_row(
            read_player_row(number, [(name, LineField(" ".join(text.split()), 0)) for name, text in fields.items()]),
            RowAnswer.AS_WRITTEN,
        )
        for number, fields in enumerate(players, start=1)
    ]
    resolved = resolve_player_rows(current, rows)
    entered = enter_player_rows(current, resolved, by=by, from_round=from_round)
    return entered, [row.name for row in resolved if not row.is_to_be_entered]


def first_open_round(tournament: Tournament) -> int:
    """Return the number of the first unpublished round, or one past the last if all are published."""
    published = tournament.rounds.only_published().aggregate(last=Max("number"))["last"]
    return (published or 0) + 1


def assign_pairing_numbers(tournament: Tournament) -> None:
    """Number the entries that have no number, after the existing numbers and in starting list order."""
    numbers = pairing_numbers_by_entry(tournament.entries.all())
    without = list(tournament.entries.filter(tpn=None))
    for entry in without:
        entry.tpn = numbers[entry.pk]
    Entry.objects.bulk_update(without, ["tpn"], batch_size=400)


def pairing_numbers_by_entry(entries: Iterable[Entry]) -> dict[int, int]:
    """Return every entry's number by key: its own, or the one `assign_pairing_numbers` would give."""
    entries = list(entries)
    numbers = {entry.pk: entry.tpn for entry in entries if entry.tpn is not None}
    last = max(numbers.values(), default=0)
    without = sort_by_starting_order(entry for entry in entries if entry.tpn is None)
    return numbers | {entry.pk: number for number, entry in enumerate(without, start=last + 1)}


@transaction.atomic
def remove_entry(entry: Entry, *, by: User | None) -> None:
    """Remove an entry from the starting list.

    Raises ArbiterProblem if the player has a game or a bye: they must be withdrawn instead.
    """
    tournament = lock_tournament(entry.tournament_id)
    if Game.objects.filter(Q(white=entry) | Q(black=entry)).exists() or entry.byes.exists():
        raise ArbiterProblem(
            _("%(name)s has been paired or has a bye. Withdraw the player instead.") % {"name": entry.name},
            entries=[entry],
        )
    record_action(tournament, EventAction.ENTRY_REMOVED, by=by, name=entry.name)
    entry.delete()


@transaction.atomic
def change_first_round(entry: Entry, from_round: int, *, by: User | None) -> Entry:
    """Change the first round of a late entrant. Only rounds not yet paired can be chosen.

    Raises ArbiterProblem if there is a draft or the round is already paired.
    """
    tournament = lock_tournament(entry.tournament_id)
    if tournament.rounds.filter(state=Round.State.DRAFT).exists():
        raise ArbiterProblem(_("Publish or discard the draft first."))
    current = Entry.objects.get(pk=entry.pk)
    opened = first_open_round(tournament)
    if from_round < opened or current.entered_in_round < opened:
        raise ArbiterProblem(_("Choose round %(round)s or later.") % {"round": opened})
    _require_round(tournament, from_round)
    current.entered_in_round = from_round
    current.save(update_fields=["entered_in_round"])
    record_action(
        tournament, EventAction.FIRST_ROUND_CHANGED, by=by, name=entry.name, entry=entry.pk, from_round=from_round
    )
    return current


@transaction.atomic
def withdraw_player(entry: Entry, from_round: int, *, by: User | None) -> Entry:
    """Withdraw a player from a given round onwards, and delete their byes for that round and later ones.

    Raises ArbiterProblem if one of those rounds is paired, even as a draft.
    """
    tournament = lock_tournament(entry.tournament_id)
    if from_round < 1 or tournament.rounds.filter(number__gte=from_round).exclude(state=Round.State.WAITING).exists():
        raise ArbiterProblem(
            _("Round %(round)s is already paired. Withdraw the player from a later round.") % {"round": from_round},
            entries=[entry],
        )
    Bye.objects.filter(entry=entry, round__number__gte=from_round).delete()
    return _set_withdrawal(tournament, entry, from_round, by=by)


@transaction.atomic
def reinstate_player(entry: Entry, *, by: User | None) -> Entry:
    """Let a withdrawn player play again from the next round that is paired. The rounds in between count as absences."""
    tournament = lock_tournament(entry.tournament_id)
    return _set_withdrawal(tournament, entry, None, by=by)


@transaction.atomic
def forbid_pair(first: Entry, second: Entry, *, by: User | None, remark: str = "") -> ForbiddenPair:
    """Forbid a pairing. Does nothing if it is already forbidden, in either order.

    Raises ArbiterProblem if these aren't two players of one event, or if round 1 of a FIDE rated event is paired.
    """
    if first.tournament_id != second.tournament_id or first.pk == second.pk:
        raise ArbiterProblem(_("Choose 2 different players from the same event."), entries=[first, second])
    tournament = lock_tournament(first.tournament_id)
    require_open_rules(tournament)
    low, high = sorted((first, second), key=lambda entry: entry.pk)
    rule, is_new = ForbiddenPair.objects.get_or_create(
        tournament=tournament, first=low, second=high, defaults={"remark": remark}
    )
    if is_new:
        record_action(tournament, EventAction.PAIR_FORBIDDEN, by=by, names=[low.name, high.name], remark=remark)
    return rule


def require_open_rules(tournament: Tournament) -> None:
    """Raise ArbiterProblem if round 1 of a FIDE rated event is paired. After that, no more pairs can be forbidden."""
    if tournament.fide_rated and tournament.rounds.exclude(state=Round.State.WAITING).exists():
        raise ArbiterProblem(_("This event is FIDE rated. Once round 1 is paired, you can't keep more players apart."))


@transaction.atomic
def allow_pair(first: Entry, second: Entry, *, by: User | None) -> None:
    """Allow a pairing again. Does nothing if it isn't forbidden."""
    tournament = lock_tournament(first.tournament_id)
    low, high = sorted((first, second), key=lambda entry: entry.pk)
    deleted, _kinds = ForbiddenPair.objects.filter(tournament=tournament, first=low, second=high).delete()
    if deleted:
        record_action(tournament, EventAction.PAIR_ALLOWED, by=by, names=[low.name, high.name])


def _enter(tournament: Tournament, entries: list[Entry], *, by: User | None, from_round: int | None) -> list[Entry]:
    """Save new entries, with numbers if the list is closed, and with byes for the rounds they missed."""
    opened = first_open_round(tournament)
    from_round = opened if from_round is None else from_round
    if from_round < opened:
        raise ArbiterProblem(
            _("Round %(round)s is already paired. New players can start in round %(open)s.")
            % {"round": from_round, "open": opened}
        )
    if not entries:
        return []
    if tournament.entries.count() + len(entries) > MAX_PLAYERS:
        raise ArbiterProblem(_("An event can have at most %(most)s players.") % {"most": MAX_PLAYERS})
    _require_round(tournament, from_round)
    for entry in entries:
        entry.entered_in_round = from_round
    Entry.objects.bulk_create(entries, batch_size=400)
    if opened > 1:
        assign_pairing_numbers(tournament)
    missed = tournament.rounds.filter(number__lt=from_round).exclude(state=Round.State.WAITING)
    record_missed_round_byes(tournament, missed, entries)
    names = [entry.name for entry in entries]
    record_action(
        tournament, EventAction.PLAYERS_ENTERED, by=by, count=len(names), names=names[:50], from_round=from_round
    )
    return list(tournament.entries.filter(pk__in=[entry.pk for entry in entries])) if opened > 1 else entries


def _require_round(tournament: Tournament, number: int) -> None:
    if number > tournament.rounds_announced:
        raise ArbiterProblem(
            _("Round %(round)s doesn't exist. The last round is round %(rounds)s.")
            % {"round": number, "rounds": tournament.rounds_announced}
        )


def record_missed_round_byes(tournament: Tournament, rounds: Iterable[Round], entries: Iterable[Entry]) -> None:
    """Record the byes the event grants late entrants for the rounds they missed."""
    entries = list(entries)
    Bye.objects.bulk_create(
        [Bye(round=round, entry=entry, kind=tournament.late_entry_worth) for round in rounds for entry in entries],
        batch_size=400,
    )


def _entry_of_member(tournament: Tournament, member: Member) -> Entry:
    return Entry(
        tournament=tournament,
        member=member,
        name=public_name(member) if tournament.is_public else member.name,
        title=member.title,
        sex=member.sex,
        rating=member.rating,
        rating_is_estimate=member.rating_is_estimate,
        federation=member.federation,
        club_name=tournament.club.name,
        fide_id=str(member.fide_id or ""),
        birth=str(member.birth_year or ""),
    )


def _entry_of_row(tournament: Tournament, row: PlayerRow) -> Entry:
    """Return the entry of a row, completed from the member list if the row is a member's."""
    entry = _entry_of_member(tournament, row.member) if row.member else Entry(tournament=tournament, name=row.name)
    for name in ("rating", "title", "federation", "sex", "birth", "fide_id", "club_name", "remark"):
        if given := getattr(row, name):
            setattr(entry, name, given)
    return entry


def _set_withdrawal(tournament: Tournament, entry: Entry, from_round: int | None, *, by: User | None) -> Entry:
    current = Entry.objects.get(pk=entry.pk)
    if current.withdrawn_from_round != from_round:
        current.withdrawn_from_round = from_round
        current.save(update_fields=["withdrawn_from_round"])
        action = EventAction.PLAYER_RETURNED if from_round is None else EventAction.PLAYER_WITHDRAWN
        record_action(tournament, action, by=by, name=entry.name, entry=entry.pk, from_round=from_round)
    return current


STARTING_LIST_FIELDS = (
    *("name", "title", "rating", "rating_is_estimate", "federation", "club_name"),
    *("fide_id", "sex", "birth", "remark"),
)
"""A player's data on the starting list, in the order of the form."""
CHANGEABLE_FIELDS = frozenset({*STARTING_LIST_FIELDS, "report_name"})


@transaction.atomic
def change_entry(entry: Entry, *, by: User | None, **changes: Any) -> Entry:
    """Change the event's own copy of a player's data and log the old values.

    A guest who now turns out to be a member is linked (`member_linking`). The number stays: numbers are given when
    round 1 is paired, and a later rating changes none.
    """
    unknown = changes.keys() - CHANGEABLE_FIELDS
    if unknown:
        raise TypeError(f"not an entry's own fields: {sorted(unknown)}")
    # Lock the event first, as everywhere. Locking the entry first could deadlock with somebody writing a bye.
    tournament = lock_tournament(entry.tournament_id)
    entry = Entry.objects.get(pk=entry.pk)
    entry.tournament = tournament
    before = {name: getattr(entry, name) for name, value in changes.items() if getattr(entry, name) != value}
    if not before:
        return entry
    for name in before:
        setattr(entry, name, changes[name])
    entry.save(update_fields=list(before))
    if before.keys() & {"rating", "rating_is_estimate"}:
        publish(ChangeKind.EVENT, entry.tournament_id)
    after = {name: changes[name] for name in before}
    record_action(
        entry.tournament, EventAction.ENTRY_CHANGED, by=by, entry=entry.pk, name=entry.name, before=before, after=after
    )
    return link_member_if_certain(entry, by=by) if before.keys() & {"name", "fide_id", "birth"} else entry
