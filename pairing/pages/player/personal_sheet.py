"""What a player's own page says: his board, his place, what he can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.core.cache import caches
from django.utils import timezone
from django.utils.translation import gettext as _

from pairing.engine.snapshot import Colour
from pairing.view_models.sheets.parts import result_text
from pairing.view_models.sheets.players import PlayerRound, PlayerSheet, player_sheet
from pairing.view_models.standings.event_standings import standings
from tournaments.check_in.byes import REQUESTED, bye_deadline, byes_left, byes_offered, is_in_time
from tournaments.check_in.check_in import DoorLine, door_lines, is_open
from tournaments.import_export.snapshots import takes_part
from tournaments.models import Bye, Entry, Game, Round, Tournament
from tournaments.notifications import words
from tournaments.problems import ArbiterProblem
from tournaments.results.reporting import REPORTABLE
from tournaments.results.seen_game import SeenGame

DOOR_OPENS_BEFORE = timedelta(hours=12)
"""A personal page offers "I am here" so long before a round: nobody checks in for next week by a slip."""


PLACES_KEPT = 60
"""Seconds for which everyone's places are kept for the next who asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGame:
    """The player's board of the latest published round. `result` and the reports are empty while there is none."""

    game: Game
    is_white: bool
    opponent: Entry
    result: str
    own_report: str
    their_report: str
    may_report: bool

    @property
    def seen(self) -> SeenGame:
        """What the form sends along with a report."""
        return SeenGame(game=self.game.pk, revision=self.game.revision, result=self.game.result)

    @property
    def result_text(self) -> str:
        return result_text(self.result)

    @property
    def result_words(self) -> str:
        """The result as the player says it, where it is one of a played game."""
        return self._words(self.result) if self.result in REPORTABLE else ""

    @property
    def is_overruled(self) -> bool:
        """He has reported otherwise than what stands there."""
        return bool(self.result and self.own_report and self.own_report != self.result)

    @property
    def are_different(self) -> bool:
        """Both have reported, and not the same; equal reports are a result already."""
        return bool(not self.result and self.own_report and self.their_report)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """What can be reported, as the player says it."""
        won, lost = ("1-0", "0-1") if self.is_white else ("0-1", "1-0")
        return [(won, _("I won")), ("1/2", _("Draw")), (lost, _("I lost"))]

    @property
    def own_words(self) -> str:
        return self._words(self.own_report)

    @property
    def their_words(self) -> str:
        """What the opponent has reported, said of the player."""
        return self._words(self.their_report)

    def _words(self, result: str) -> str:
        if not result:
            return ""
        return words.result_in_words(result, is_white=self.is_white)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """A round to come, and the bye in it: `bye` is the player's, `offered` what he would get for the asking."""

    round: Round
    bye: Bye | None
    offered: Bye.Kind
    deadline: datetime | None
    is_in_time: bool

    @property
    def may_take_back(self) -> bool:
        return self.is_in_time and self.bye is not None and self.bye.kind in REQUESTED


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalSheet:
    """A player's own page. `place` is None before the first published round; `latest` is the round of `board`."""

    entry: Entry
    card: PlayerSheet
    place: int | None
    players: int
    points: Decimal | None
    latest: PlayerRound | None
    board: OwnGame | None
    door: DoorLine | None
    next_round: Round | None
    being_paired: int
    """The number of the round of which there is a draft; 0 where there is none that concerns him."""
    is_running: bool
    """The round of `latest` is published, and not finished."""
    door_is_open: bool
    to_come: tuple[OwnRound, ...]
    byes_left: int

    @property
    def has_white(self) -> bool:
        return self.latest is not None and self.latest.colour is Colour.WHITE

    @property
    def said(self) -> str:
        """The news of the latest round in one sentence, for those who hear the page."""
        return published_in_words(self.latest.number, self.board) if self.latest is not None else ""


def published_in_words(number: int, board: OwnGame | None) -> str:
    """That a round is published and what it brings the player: whom he meets with which colour, or no game."""
    if board is None:
        return words.published_in_words(number)
    return words.board_in_words(number, board.game.board, board.opponent.name, is_white=board.is_white)


def personal_sheet(entry: Entry, *, version: int, may_act: bool = True) -> PersonalSheet:
    """What the holder of a personal link sees; `entry.tournament` has its club. Drafts are never shown.

    Not `may_act`: what everybody may know of him, and nothing to be done. `version` is the state of the event
    (`Versions.officers`): the table is counted once for all who ask in it.
    """
    tournament = entry.tournament
    card = player_sheet(entry)
    latest = card.rounds[-1] if card.rounds else None
    place, players, points = _place(entry, latest.number, version) if latest else (None, 0, None)
    rounds = list(tournament.rounds.defer("scores"))
    for each in rounds:
        each.tournament = tournament
    waiting = [each for each in rounds if each.state == Round.State.WAITING and takes_part(entry, each.number)]
    following = next((each for each in rounds if not each.is_public), None)
    next_round = waiting[0] if waiting and following == waiting[0] else None
    is_drafted = following is not None and following.state == Round.State.DRAFT and takes_part(entry, following.number)
    lines = door_lines(next_round, only=[entry.pk]) if next_round and may_act else []
    return PersonalSheet(
        entry=entry,
        card=card,
        place=place,
        players=players,
        points=points,
        latest=latest,
        board=_board(entry, latest, may_act=may_act),
        door=lines[0] if lines else None,
        next_round=next_round,
        being_paired=following.number if following is not None and is_drafted else 0,
        is_running=latest is not None
        and any(each.number == latest.number and each.state == Round.State.PUBLISHED for each in rounds),
        door_is_open=may_act
        and next_round is not None
        and tournament.players_check_in
        and _is_the_day(next_round, latest),
        to_come=tuple(_to_come(entry, waiting)) if may_act else (),
        byes_left=byes_left(entry),
    )


def _is_the_day(next_round: Round, latest: PlayerRound | None) -> bool:
    """Check-in is open, the round before is over, and the round begins within hours, where its time is known."""
    begins = next_round.starts_at
    running = next_round.tournament.rounds.filter(state=Round.State.PUBLISHED)
    return (
        is_open(next_round)
        and (begins is None or begins - timezone.now() < DOOR_OPENS_BEFORE)
        and not (latest is not None and running.exists())
    )


def _place(entry: Entry, after: int, version: int) -> tuple[int | None, int, Decimal | None]:
    """His place, of how many, and his points."""
    key = f"places/{entry.tournament_id}/{after}/{version}"
    places: dict[int, tuple[int, Decimal]] | None = caches["parts"].get(key)
    if places is None:
        places = _places(entry.tournament, after)
        caches["parts"].set(key, places, PLACES_KEPT)
    place, points = places.get(entry.pk, (None, None))
    return place, len(places), points


def _places(tournament: Tournament, after: int) -> dict[int, tuple[int, Decimal]]:
    try:
        table = standings(tournament, after)
    except ArbiterProblem:
        # A tie-break nobody knows is for the arbiter to put right; the player's board is shown all the same.
        return {}
    return {row.entry.pk: (row.place, row.points) for row in table.rows}


def _board(entry: Entry, latest: PlayerRound | None, *, may_act: bool) -> OwnGame | None:
    if latest is None or latest.board is None:
        return None
    game = (
        Game.objects.select_related("round", "white", "black")
        .prefetch_related("claims")
        .get(round__tournament=entry.tournament, round__number=latest.number, board=latest.board)
    )
    return own_game(entry, game, sees_reports=may_act)


def own_game(entry: Entry, game: Game, *, sees_reports: bool) -> OwnGame:
    """A game as one of its two players sees it; its round, both players and its claims are there.

    What was reported is for the two alone: whoever has only said who he is sees nothing of it.
    """
    is_white = game.white_id == entry.pk
    reports = {claim.entry_id: claim.result for claim in game.claims.all()} if sees_reports else {}
    opponent = game.black if is_white else game.white
    return OwnGame(
        game=game,
        is_white=is_white,
        opponent=opponent,
        result=game.result,
        own_report=reports.get(entry.pk, ""),
        their_report=reports.get(opponent.pk, ""),
        may_report=sees_reports
        and entry.tournament.players_report_results
        and game.round.state == Round.State.PUBLISHED
        and game.result == Game.Result.PENDING,
    )


def _to_come(entry: Entry, waiting: list[Round]) -> Iterator[OwnRound]:
    byes = {bye.round_id: bye for bye in entry.byes.filter(round__in=waiting)}
    offered = byes_offered(entry, waiting)
    for each in waiting:
        yield OwnRound(
            round=each,
            bye=byes.get(each.pk),
            offered=offered[each.pk],
            deadline=bye_deadline(each),
            is_in_time=is_in_time(each),
        )
