"""Export of an event to its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from clubs.models import ExpectedPayment, Member, User
from common.locking import read_one_snapshot
from operations.event_transfer.file_format import (
    FORMAT,
    VERSION,
    EventFile,
    EventFileBoard,
    EventFileBye,
    EventFileCheckIn,
    EventFileEntryFee,
    EventFileEntryForm,
    EventFileForbiddenPair,
    EventFileOnlineEntry,
    EventFilePairingState,
    EventFilePlayer,
    EventFileProposal,
    EventFileRound,
    EventFileSettings,
)
from operations.event_transfer.log_references import Places, translate_player_keys
from pairing.models import HallMessage, PairingProposal, PairingStep, RestorePoint
from tournaments.models import (
    Bye,
    CheckIn,
    Entry,
    Game,
    LogEntry,
    OnlineEntry,
    OnlineEntrySettings,
    PrizeFund,
    ResultCheck,
    ResultClaim,
    Round,
    Tournament,
)
from tournaments.privacy.imported_authors import IMPORTED_AUTHOR

_STATES: tuple[Any, ...] = (PairingStep, RestorePoint, PairingProposal)
_PARTS_OF_ROUNDS = (
    Prefetch("games", Game.objects.select_related("entered_by", "second_reading__by").order_by("board")),
    Prefetch("byes", Bye.objects.order_by("pk")),
    Prefetch("check_ins", CheckIn.objects.select_related("by").order_by("pk")),
    Prefetch("steps", PairingStep.objects.select_related("by").order_by("number")),
    Prefetch("restore_points", RestorePoint.objects.select_related("by").order_by("pk")),
    Prefetch("proposals", PairingProposal.objects.select_related("by").order_by("pk")),
)
"""One query each for all rounds of an event."""


@transaction.atomic
def render_event_file(tournament: Tournament, *, with_online_entries: bool = True) -> bytes:
    """Return all data about an event as JSON in UTF-8, from one consistent read.

    `with_online_entries` includes the entry form. Only a secretary may see both.
    """
    read_one_snapshot()
    event = Tournament.objects.select_related("club", "series").get(pk=tournament.pk)
    return _Writing(event, with_online_entries=with_online_entries).build_document()


def exported_online_entries(event: Tournament) -> QuerySet[OnlineEntry]:
    """Return the online entries that are in the file, in its order."""
    return event.online_entries.exclude(state=OnlineEntry.State.UNCONFIRMED).order_by("pk")


def event_authors(event: Tournament) -> set[int]:
    """Return the keys of the users that the file names."""
    named = (
        event.log.values_list("actor"),
        Game.objects.filter(round__tournament=event).values_list("entered_by"),
        CheckIn.objects.filter(round__tournament=event).values_list("by"),
        ResultCheck.objects.filter(game__round__tournament=event).values_list("by"),
        *(model.objects.filter(round__tournament=event).values_list("by") for model in _STATES),
    )
    return {key for keys in named for (key,) in keys.order_by().distinct() if key is not None}


class _Writing:
    """Builds the file of one event: positions of players, people and log lines instead of keys."""

    def __init__(self, event: Tournament, *, with_online_entries: bool) -> None:
        self.event, self.with_online_entries = event, with_online_entries
        self.entries = list(event.entries.select_related("member").order_by("pk"))
        self.log = list(event.log.select_related("actor", "round").order_by("pk"))
        self.players: Places = {entry.pk: place for place, entry in enumerate(self.entries, start=1)}
        self.lines = {line.pk: place for place, line in enumerate(self.log, start=1)}
        self.people: dict[tuple[str, str], int] = {}
        self.claims: dict[int, list[dict[str, Any]]] = {}
        claims = ResultClaim.objects.filter(game__round__tournament=event).order_by("pk")
        for this_round, board, entry, result, at in claims.values_list(
            "game__round", "game__board", "entry", "result", "at"
        ):
            claim = {"board": board, "player": self.players[entry], "result": result, "at": at}
            self.claims.setdefault(this_round, []).append(claim)

    def build_document(self) -> bytes:
        event = self.event
        rounds = [self._round(each) for each in event.rounds.order_by("number").prefetch_related(*_PARTS_OF_ROUNDS)]
        log = [self._line(line) for line in self.log]
        fund = PrizeFund.objects.filter(tournament=event).first()
        message = HallMessage.objects.filter(tournament=event).first()
        forms = OnlineEntrySettings.objects.filter(tournament=event)
        form = forms.first() if self.with_online_entries else None
        whole = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": timezone.now(),
            "program": settings.VERSION,
            "club": event.club.name,
            "series": event.series.name if event.series else "",
            "event": _fields(
                event,
                EventFileSettings,
                earlier_numbers=[
                    {**each, "numbers": self._by_player(each["numbers"])} for each in event.earlier_numbers
                ],
            ),
            "players": [self._player(entry) for entry in self.entries],
            "kept_apart": [
                _fields(
                    pair, EventFileForbiddenPair, first=self.players[pair.first_id], second=self.players[pair.second_id]
                )
                for pair in event.forbidden_pairs.order_by("pk")
            ],
            "rounds": rounds,
            "log": log,
            "prizes": fund and self._prizes(fund),
            "hall_message": message and {"text": message.text, "until": message.until},
            "entry_form": form
            and _fields(form, EventFileEntryForm, fees=[_fields(fee, EventFileEntryFee) for fee in form.fees.all()]),
            "online_entries": self._online_entries() if self.with_online_entries else [],
            "people": [{"login": login, "name": name} for login, name in self.people],
        }
        return EventFile.model_validate(whole).model_dump_json(indent=1).encode()

    def _player(self, entry: Entry) -> dict[str, Any]:
        return _fields(entry, EventFilePlayer, member=entry.member and _book_facts(entry.member))

    def _entry_form(self, form: OnlineEntrySettings) -> dict[str, Any]:
        return _fields(form, EventFileEntryForm, fees=[_fields(fee, EventFileEntryFee) for fee in form.fees.all()])

    def _online_entries(self) -> list[dict[str, Any]]:
        """Return the confirmed online entries. Links sent to players work only on this server."""
        rows = exported_online_entries(self.event)
        paid = set(ExpectedPayment.objects.filter(online_entry__in=rows).paid().values_list("pk", flat=True))
        return [
            _fields(
                each,
                EventFileOnlineEntry,
                player=self.players.get(each.entry_id or 0),
                is_paid=each.payment_id in paid,
            )
            for each in rows
        ]

    def _round(self, row: Round) -> dict[str, Any]:
        games = row.games.all()
        of_board = {game.pk: game.board for game in games}
        readings = sorted(
            (game.second_reading for game in games if hasattr(game, "second_reading")), key=attrgetter("pk")
        )
        return _fields(
            row,
            EventFileRound,
            scores=self._by_player(row.scores),
            decision=self.lines.get(row.decision_id or 0),
            boards=[
                _fields(
                    game,
                    EventFileBoard,
                    white=self.players[game.white_id],
                    black=self.players[game.black_id],
                    entered_by=self._person(game.entered_by),
                    correction=self.lines.get(game.correction_id or 0),
                )
                for game in games
            ],
            byes=[_fields(bye, EventFileBye, player=self.players[bye.entry_id]) for bye in row.byes.all()],
            door=[
                _fields(seen, EventFileCheckIn, player=self.players[seen.entry_id], by=self._person(seen.by))
                for seen in row.check_ins.all()
            ],
            claims=self.claims.get(row.pk, []),
            second_readings=[
                {"board": of_board[each.game_id], "result": each.result, "by": self._person(each.by), "at": each.at}
                for each in readings
            ],
            steps=[self._state(step, step.number, step.is_current) for step in row.steps.all()],
            restore_points=[self._state(point, None, False) for point in row.restore_points.all()],
            trials=[self._trial(trial) for trial in row.proposals.all()],
        )

    def _state(self, state: Any, number: int | None, is_current: bool) -> dict[str, Any]:
        return _fields(
            state,
            EventFilePairingState,
            number=number,
            is_current=is_current,
            boards=self._seats(state.boards),
            byes=self._away(state.byes),
            unpaired=self._known(state.unpaired),
            scores=self._by_player(state.scores),
            numbers=self._by_player(state.numbers),
            by=self._person(state.by),
        )

    def _trial(self, trial: PairingProposal) -> dict[str, Any]:
        away = self._away([trial.bye] if trial.bye else [])
        return _fields(
            trial,
            EventFileProposal,
            correction=self.lines.get(trial.correction_id or 0),
            absent=self._known(trial.absent),
            present=self._known(trial.present),
            boards=self._seats(trial.boards),
            bye=away[0] if away else None,
            scores=self._by_player(trial.scores),
            by=self._person(trial.by),
        )

    def _line(self, line: LogEntry) -> dict[str, Any]:
        details = {name: value for name, value in line.details.items() if name != IMPORTED_AUTHOR}
        name = str(line.details.get(IMPORTED_AUTHOR, ""))
        return {
            "round": line.round.number if line.round else None,
            "by": self._person(line.actor) or (self._place_of("", name) if name else None),
            "at": line.at,
            "action": line.action,
            "details": translate_player_keys(details, self.players),
            "erasure": self.lines.get(line.erasure_id or 0),
        }

    def _prizes(self, fund: PrizeFund) -> dict[str, Any]:
        prizes = fund.prizes.order_by("pk").values("category", "place", "cents", "thing")
        return {
            "sharing": fund.sharing,
            "one_prize_each": fund.one_prize_each,
            "is_published": fund.is_published,
            "prizes": list(prizes),
        }

    # -- Keys to positions ----------------------------------------------------------------------------------------

    def _person(self, user: User | None) -> int | None:
        return self._place_of(user.username, user.get_full_name() or user.username) if user else None

    def _place_of(self, login: str, name: str) -> int:
        return self.people.setdefault((login, name), len(self.people) + 1)

    def _known(self, keys: Iterable[int]) -> list[int]:
        return [self.players[key] for key in keys if key in self.players]

    def _by_player(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {str(self.players[int(key)]): value for key, value in values.items() if int(key) in self.players}

    def _seats(self, boards: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return boards whose players are still in the event. Players of earlier states may have been removed."""
        return [
            {**board, "white": self.players[board["white"]], "black": self.players[board["black"]]}
            for board in boards
            if board["white"] in self.players and board["black"] in self.players
        ]

    def _away(self, byes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [{**bye, "entry": self.players[bye["entry"]]} for bye in byes if bye["entry"] in self.players]


def _fields(row: models.Model, part: type[Any], **others: Any) -> dict[str, Any]:
    """Return the values of a row for the fields of a part. `others` override them."""
    return {name: others[name] if name in others else getattr(row, name) for name in part.model_fields}


def _book_facts(member: Member) -> dict[str, Any]:
    return {
        "family_name": member.family_name,
        "given_name": member.given_name,
        "birth_year": member.birth_year,
        "fide_id": member.fide_id,
        "national_id": member.national_id,
    }
