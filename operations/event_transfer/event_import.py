"""Import of an event file into a club, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, ExpectedPayment, Member, User
from common.locking import lock_row
from operations.event_transfer.file_format import EventFile, EventFilePairingState, EventFilePart, EventFileRound
from operations.event_transfer.file_reader import event_file_problem
from operations.event_transfer.log_references import translate_player_keys
from operations.integrity.event_checks import check_events
from operations.integrity.findings import FindingSeverity
from pairing.engine.snapshot import InvalidSnapshot
from pairing.engine.standings import UnknownTieBreak, parse_tie_break
from pairing.explanations.reason_json import reasons_from_json
from pairing.log_actions import PairingAction
from pairing.models import HallMessage, PairingProposal, PairingStep, RestorePoint
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_event_rating
from tournaments.events.event_deletion import delete_event, event_state_token
from tournaments.events.event_setup import find_free_slug
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import (
    Bye,
    CheckIn,
    Entry,
    EntryFee,
    ForbiddenPair,
    Game,
    LogEntry,
    OnlineEntry,
    OnlineEntrySettings,
    PairingSystem,
    Prize,
    PrizeFund,
    ResultCheck,
    ResultClaim,
    Round,
    Series,
    Tournament,
)
from tournaments.models.point_systems import check_points_compatible
from tournaments.privacy.imported_authors import IMPORTED_AUTHOR
from tournaments.privacy.personal_data import hide_refused_names
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingEvent:
    """A copy of the file's event. `lines_not_in_file` counts its additional log lines. `seen` is its state token."""

    event: Tournament
    lines_not_in_file: int
    seen: str


def find_existing_events(club: Club, file: EventFile) -> list[ExistingEvent]:
    """Return the club's copies of the file's event, the latest import first.

    The log keeps its times, so two events with the same first line at the same microsecond are one event.
    """
    if not file.log:
        return []
    first = file.log[0]
    known = {(line.at, line.action) for line in file.log}
    began = LogEntry.objects.filter(tournament__club=club, at=first.at, action=first.action).values("tournament")
    return [
        ExistingEvent(
            event=event,
            lines_not_in_file=sum(line not in known for line in event.log.values_list("at", "action")),
            seen=event_state_token(event),
        )
        for event in Tournament.objects.filter(club=club, pk__in=began).order_by("-pk")
    ]


def replace_existing_event(event: Tournament, *, by: User, seen: str) -> str:
    """Delete an event (it can be restored) and return its slug, which is now free for the imported event.

    Raises ArbiterProblem if the event has changed since `seen`.
    """
    address = event.slug
    if delete_event(event, by=by, typed=event.name, seen=seen):
        Tournament.with_deleted.filter(pk=event.pk).update(slug=find_free_slug(event.club, event.name))
    return address


Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEvent:
    """The imported event. `matched_members` counts the file's members found here, `unmatched_members` the rest.

    `rated_duplicate` is an existing copy of the event, whose games count for ratings instead.
    """

    event: Tournament
    matched_members: int
    unmatched_members: int
    rated_duplicate: Tournament | None = None


def import_event(
    club: Club, file: EventFile, *, filename: str, by: User, instead_of: int | None = None, seen: str = ""
) -> ImportedEvent:
    """Create the event described in a file. Raises ArbiterProblem, with no changes, if the file contradicts itself.

    `instead_of` is the key of the same event in this club (see `find_existing_events`, also for `seen`). It is moved to
    the deleted events. The new one takes its URL, entry form and online entries. If a rated copy stays, the new event
    is not rated: no game counts twice.
    """
    try:
        with transaction.atomic():
            lock_row(Club, club.pk)
            same = {each.event.pk: each.event for each in find_existing_events(club, file)}
            slug, replaced = "", None
            if instead_of is not None:
                if instead_of not in same:
                    raise ArbiterProblem(_("The event to replace no longer exists. Check the file again."))
                replaced = same.pop(instead_of)
                slug = replace_existing_event(replaced, by=by, seen=seen)
                if _has_online_entries(replaced):
                    file = without_online_entries(file)
            counts = next((event for event in same.values() if event.rated_as and file.event.rated_as), None)
            brought = replace(
                _Bringing(club, file, by).create_event(slug, is_rated=counts is None), rated_duplicate=counts
            )
            if replaced is not None:
                _move_online_entries(replaced, brought.event)
            if brought.event.is_public:
                hide_refused_names(brought.event)
            _check(brought.event)
            schedule_event_rating(brought.event.pk)
            made_at = file.made_at.isoformat(timespec="minutes")
            record_action(brought.event, PairingAction.EVENT_IMPORTED, by=by, filename=filename, made_at=made_at)
    except DatabaseError as error:
        # Violations of database constraints, such as a player twice in a round.
        raise event_file_problem("", str(error).partition("\n")[0]) from error
    return brought


def without_online_entries(file: EventFile) -> EventFile:
    """Return the file without the entry form and the online entries, which only a secretary may see and change."""
    return file.model_copy(update={"entry_form": None, "online_entries": []})


def _has_online_entries(event: Tournament) -> bool:
    return OnlineEntrySettings.objects.filter(tournament=event).exists() or event.online_entries.exists()


def _move_online_entries(old: Tournament, new: Tournament) -> None:
    """Move the entry form and the online entries to the event's new copy. Players are matched by name.

    So payments, addresses and links that were sent stay valid. An entry whose player was removed is withdrawn.
    """
    players: dict[str, list[Entry]] = {}
    for entry in new.entries.order_by("-pk"):
        players.setdefault(entry.name, []).append(entry)
    OnlineEntrySettings.objects.filter(tournament=old).update(tournament=new)
    for online in old.online_entries.select_related("entry").order_by("entry", "pk"):
        found = players.get(online.entry.name, []) if online.entry else []
        online.tournament, online.entry = new, found.pop() if found else None
        online.save(update_fields=["tournament", "entry"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedEvent:
    """What a club's archive contains about an event besides its file.

    `people` are keyed by username, and `members` are the keys of members by the position of their player.
    """

    slug: str
    people: Mapping[str, User]
    members: Mapping[int, int | None]


def import_archived_event(club: Club, file: EventFile, archived: ArchivedEvent, *, by: User) -> Tournament:
    """Create an event of a club that is just being imported, in the caller's transaction.

    Raises ArbiterProblem if the file contradicts itself. The caller runs the integrity checks and rates the games.
    """
    try:
        with transaction.atomic():
            event = _Bringing(club, file, by, archived).create_event(archived.slug, is_rated=True).event
            _check_engine(event)
    except DatabaseError as error:
        raise event_file_problem("", str(error).partition("\n")[0]) from error
    made_at = file.made_at.isoformat(timespec="minutes")
    record_action(event, PairingAction.EVENT_IMPORTED, by=by, filename=club.name, made_at=made_at)
    return event


class _Bringing:
    """Creates the rows of one event from the positions in its file."""

    def __init__(self, club: Club, file: EventFile, by: User, archived: ArchivedEvent | None = None) -> None:
        self.club, self.file, self.by, self.archived = club, file, by, archived
        self.players: dict[int, int] = {}
        self.lines: dict[int, LogEntry] = {}

    def create_event(self, slug: str, *, is_rated: bool) -> ImportedEvent:
        file = self.file
        series = Series.objects.filter(club=self.club, name=file.series).first() if file.series else None
        slug = slug or find_free_slug(self.club, file.event.name)
        values = _values(file.event, earlier_numbers=[]) | ({} if is_rated else {"rated_as": ""})
        event = self._save(Tournament(club=self.club, series=series, slug=slug, **values), "event")
        rounds = [self._bare_round(event, each, place) for place, each in enumerate(file.rounds)]
        found = self._enter(event)
        event.earlier_numbers = [
            _values(each, numbers=self._by_player(each.numbers)) for each in file.event.earlier_numbers
        ]
        event.save(update_fields=["earlier_numbers"])
        for place, pair in enumerate(file.kept_apart):
            values = _values(pair, first_id=self.players[pair.first], second_id=self.players[pair.second])
            self._save(ForbiddenPair(tournament=event, **values), f"kept_apart.{place}")
        self._log(event, rounds)
        for place, (row, each) in enumerate(zip(rounds, file.rounds, strict=True)):
            self._fill(row, each, f"rounds.{place}")
        self._prizes(event)
        self._online_entries(event)
        finished = [each.number for each in file.rounds if each.state == Round.State.FINISHED]
        event.rounds.filter(number__in=finished).update(state=Round.State.FINISHED)
        members = sum(player.member is not None for player in file.players)
        return ImportedEvent(event=event, matched_members=found, unmatched_members=members - found)

    def _bare_round(self, event: Tournament, each: EventFileRound, place: int) -> Round:
        """Create the round without boards. A finished round accepts none, so its state is set at the end."""
        values = _values(each, scores={}) | {"tournament": event}
        for name in (
            "decision",
            "boards",
            "byes",
            "door",
            "claims",
            "second_readings",
            "steps",
            "restore_points",
            "trials",
        ):
            values.pop(name)
        if each.state == Round.State.FINISHED:
            values["state"] = Round.State.PUBLISHED.value
        return self._save(Round(**values), f"rounds.{place}")

    def _enter(self, event: Tournament) -> int:
        taken: set[int] = set()
        rows: list[Entry] = []
        for place, player in enumerate(self.file.players, start=1):
            member_id = self._member_id(place, player.member, taken)
            rows.append(Entry(tournament=event, **_values(player, member_id=member_id)))
        self._save_all(rows, "players")
        self.players = {place: row.pk for place, row in enumerate(rows, start=1)}
        return len(taken)

    def _member_id(self, place: int, facts: Any, taken: set[int]) -> int | None:
        if self.archived is not None:
            return self.archived.members.get(place)
        member = self._member(facts, taken) if facts else None
        return member.pk if member else None

    def _member(self, facts: Any, taken: set[int]) -> Member | None:
        """Return the matching member of the club. Return None if there is none, or more than one."""
        there = Member.objects.filter(club=self.club, erased_at=None).exclude(pk__in=taken)
        names = {"family_name": facts.family_name, "given_name": facts.given_name}
        for wanted in (
            {"fide_id": facts.fide_id} if facts.fide_id else None,
            {"national_id": facts.national_id} if facts.national_id else None,
            names | {"birth_year": facts.birth_year},
        ):
            found = list(there.filter(**wanted)[:2]) if wanted else []
            if len(found) == 1:
                taken.add(found[0].pk)
                return found[0]
        return None

    def _log(self, event: Tournament, rounds: list[Round]) -> None:
        lines: list[LogEntry] = []
        for line in self.file.log:
            actor = self._person(line.by)
            details = translate_player_keys(line.details, self.players)
            if line.by is not None and actor is None:
                details[IMPORTED_AUTHOR] = self.file.people[line.by - 1].name
            row = LogEntry(
                tournament=event,
                round=rounds[line.round - 1] if line.round else None,
                actor=actor,
                at=line.at,
                action=line.action,
                details=details,
            )
            lines.append(row)
        self._save_all(lines, "log")
        self.lines = dict(enumerate(lines, start=1))
        for place, line in enumerate(self.file.log, start=1):
            if line.erasure is not None:
                self.lines[place].save_and_reseal(erasure=self.lines[line.erasure])

    def _fill(self, row: Round, each: EventFileRound, where: str) -> None:
        decision = self.lines.get(each.decision or 0)
        Round.objects.filter(pk=row.pk).update(scores=self._by_player(each.scores), decision=decision)
        games: dict[int, Game] = {}
        for place, board in enumerate(each.boards):
            values = _values(
                board,
                white_id=self.players[board.white],
                black_id=self.players[board.black],
                entered_by=self._person(board.entered_by),
                correction=self.lines.get(board.correction or 0),
            )
            games[board.board] = Game(round=row, **values)
            _check_reasons(values["reasons"], f"{where}.boards.{place}")
        self._save_all(list(games.values()), f"{where}.boards")
        byes = [Bye(round=row, **_values(bye, entry_id=self.players[bye.player])) for bye in each.byes]
        for place, bye_row in enumerate(byes):
            _check_reasons(bye_row.reasons, f"{where}.byes.{place}")
        self._save_all(byes, f"{where}.byes")
        for place, seen in enumerate(each.door):
            values = _values(seen, entry_id=self.players[seen.player], by=self._person(seen.by))
            self._save(CheckIn(round=row, **values), f"{where}.door.{place}")
        for place, claim in enumerate(each.claims):
            values = {"entry_id": self.players[claim.player], "result": claim.result, "at": claim.at}
            self._save(ResultClaim(game=games[claim.board], **values), f"{where}.claims.{place}")
        for place, again in enumerate(each.second_readings):
            values = {"result": again.result, "by": self._person(again.by), "at": again.at}
            self._save(ResultCheck(game=games[again.board], **values), f"{where}.second_readings.{place}")
        for place, step in enumerate(each.steps):
            row_of = PairingStep(round=row, number=step.number or 0, is_current=step.is_current, **self._state(step))
            self._save(row_of, f"{where}.steps.{place}")
        for place, point in enumerate(each.restore_points):
            self._save(RestorePoint(round=row, **self._state(point)), f"{where}.restore_points.{place}")
        self._trials(row, each, where)

    def _state(self, state: EventFilePairingState) -> dict[str, Any]:
        values = _values(
            state,
            boards=self._seats(state.boards),
            byes=self._away(state.byes),
            unpaired=[self.players[place] for place in state.unpaired],
            scores=self._by_player(state.scores),
            numbers=self._by_player(state.numbers),
            by=self._person(state.by),
        )
        return {name: value for name, value in values.items() if name not in ("number", "is_current")}

    def _trials(self, row: Round, each: EventFileRound, where: str) -> None:
        for place, trial in enumerate(each.trials):
            values = _values(
                trial,
                correction=self.lines.get(trial.correction or 0),
                absent=[self.players[one] for one in trial.absent],
                present=[self.players[one] for one in trial.present],
                boards=self._seats(trial.boards),
                bye=self._away([trial.bye])[0] if trial.bye else None,
                scores=self._by_player(trial.scores),
                by=self._person(trial.by),
            )
            self._save(PairingProposal(round=row, **values), f"{where}.trials.{place}")

    def _prizes(self, event: Tournament) -> None:
        if (prizes := self.file.prizes) is not None:
            values = {name: value for name, value in _values(prizes).items() if name != "prizes"}
            fund = self._save(PrizeFund(tournament=event, **values), "prizes")
            for place, prize in enumerate(prizes.prizes):
                self._save(Prize(fund=fund, **_values(prize)), f"prizes.prizes.{place}")
        if (message := self.file.hall_message) is not None:
            self._save(HallMessage(tournament=event, **_values(message)), "hall_message")

    def _online_entries(self, event: Tournament) -> None:
        """Create the entry form, closed, and the online entries. No emails are sent about the import.

        No place is offered until the secretary saves the settings.
        """
        if (form := self.file.entry_form) is not None:
            values = {name: value for name, value in _values(form).items() if name != "fees"}
            values |= {"is_open": False, "is_waiting_list_paused": True}
            settings = self._save(OnlineEntrySettings(tournament=event, **values), "entry_form")
            for place, fee in enumerate(form.fees):
                self._save(EntryFee(settings=settings, **_values(fee)), f"entry_form.fees.{place}")
        elif self.file.online_entries:
            OnlineEntrySettings.objects.create(tournament=event, is_waiting_list_paused=True)
        for place, each in enumerate(self.file.online_entries):
            entry_id = self.players.get(each.player or 0)
            values = {name: value for name, value in _values(each).items() if name != "is_paid"}
            online = OnlineEntry(tournament=event, entry_id=entry_id, **values)
            if online.state == OnlineEntry.State.OFFERED:
                online.state, online.offer_ends_at = OnlineEntry.State.WAITING, None
            if entry_id and online.fee and self.archived is None:
                purpose = event.name[:140]
                paid_on = timezone.localdate(self.file.made_at) if each.is_paid else None
                online.payment = ExpectedPayment.objects.create(
                    club=self.club, amount=online.fee, purpose=purpose, payer=online.name, marked_paid_on=paid_on
                )
            self._save(online, f"online_entries.{place}")

    # -- Positions to keys ----------------------------------------------------------------------------------------

    def _person(self, place: int | None) -> User | None:
        """Return the importing user if the file names them. Other people in the file cannot be verified.

        In an archive, they are people who can't sign in.
        """
        login = self.file.people[place - 1].login if place is not None else ""
        if self.archived is not None:
            return self.archived.people.get(login)
        return self.by if login == self.by.username else None

    def _by_player(self, values: Mapping[str, int]) -> dict[str, int]:
        return {str(self.players[int(place)]): value for place, value in values.items()}

    def _seats(self, boards: list[Any]) -> list[dict[str, Any]]:
        made = [_values(board, white=self.players[board.white], black=self.players[board.black]) for board in boards]
        for each in made:
            _check_reasons(each["reasons"], f"board {each['board']}")
        return made

    def _away(self, byes: list[Any]) -> list[dict[str, Any]]:
        return [_values(bye, entry=self.players[bye.entry]) for bye in byes]

    def _save(self, row: Row, place: str) -> Row:
        """Save a row as it is, including its times. Raises ArbiterProblem if a value is invalid for its column."""
        _check_values(row, place)
        row.save_base(raw=True, force_insert=True)
        return row

    def _save_all(self, rows: Sequence[Row], place: str) -> None:
        """Save rows whose times Django doesn't set, in few statements."""
        for number, row in enumerate(rows):
            _check_values(row, f"{place}.{number}")
        if rows:
            type(rows[0])._default_manager.bulk_create(rows, batch_size=500)


def _values(part: EventFilePart, **others: Any) -> dict[str, Any]:
    """Return the values of a part by column name. `others` replace the fields they name.

    `white_id=7` replaces `white`.
    """
    told = part.model_dump(mode="python")
    for name, value in others.items():
        told.pop(name.removesuffix("_id"), None)
        told[name] = value
    return {name: value for name, value in told.items() if name != "player"}


def _check_values(row: models.Model, place: str) -> None:
    """Raise ArbiterProblem if a value is invalid for its column."""
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if field.is_relation or field.primary_key or (value is None and field.null):
            continue
        try:
            if isinstance(field, models.JSONField):
                field.run_validators(value)
            else:
                field.clean(value, row)
        except ValidationError as error:
            raise event_file_problem(f"{place}.{field.name}", error.messages[0].rstrip(".")) from error


def _check_reasons(stored: Any, place: str) -> None:
    try:
        reasons_from_json(stored)
    except (KeyError, TypeError, ValueError) as error:
        raise event_file_problem(f"{place}.reasons", str(error)) from error


def _check(event: Tournament) -> None:
    """Raise ArbiterProblem if the event fails the integrity checks, or the engine can't read it."""
    wrong = [
        each for each in check_events(Tournament.objects.filter(pk=event.pk)) if each.weight is FindingSeverity.ERROR
    ]
    if wrong:
        raise event_file_problem("", f"{wrong[0].what} ({wrong[0].where})")
    _check_engine(event)


def _check_engine(event: Tournament) -> None:
    """Raise ArbiterProblem if the engine can't read the event, or its settings don't fit together."""
    named = {each[name] for each in event.earlier_systems for name in ("system", "procedure")} - {""}
    if unknown := named - set(PairingSystem.values):
        raise event_file_problem("event.earlier_systems", min(unknown))
    try:
        told = {"system": event.system, "acceleration": event.acceleration, "tie_breaks": event.tie_breaks}
        check_points_compatible(event.point_system, **told)
        for code in event.tie_breaks:
            parse_tie_break(code)
        paired = event.rounds.exclude(state=Round.State.WAITING).count()
        snapshot_before_round(event, paired + 1).check_consistency()
    except ValidationError as error:
        raise event_file_problem("event", error.messages[0]) from error
    except (InvalidSnapshot, UnknownTieBreak, KeyError, ValueError, OverflowError) as error:
        raise event_file_problem("", str(error) or type(error).__name__) from error
