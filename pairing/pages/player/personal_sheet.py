"""The content of a player's own page: board, place and possible actions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TypeAlias

from django.core.cache import caches
from django.utils import timezone
from django.utils.translation import gettext as _

from pairing.engine.snapshot import Colour
from pairing.view_models.sheets.player_sheet import PlayerSheet, PlayerSheetRound, player_sheet
from pairing.view_models.sheets.players_and_results import format_result
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.check_in.answers import PlayerAnswer, player_answers
from tournaments.check_in.byes import remaining_byes
from tournaments.check_in.presence import CheckInRow, check_in_rows, is_check_in_open
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.notifications import message_text
from tournaments.problems import ArbiterProblem
from tournaments.results.displayed_game import DisplayedGame
from tournaments.results.player_reporting import REPORTABLE_RESULTS

CHECK_IN_OPENS_BEFORE = timedelta(hours=3)
"""The check-in buttons appear this long before a round. Until then the page asks whether the player is coming."""


PLACES_CACHE_SECONDS = 60
"""The cache time of all places, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBoard:
    """The player's board in the latest published round. `result` and the reports may be empty."""

    game: Game
    is_white: bool
    opponent: Entry
    result: str
    own_report: str
    their_report: str
    may_report: bool

    @property
    def seen_game(self) -> DisplayedGame:
        """The displayed game, sent along with a report."""
        return DisplayedGame(game=self.game.pk, revision=self.game.revision, result=self.game.result)

    @property
    def result_text(self) -> str:
        return format_result(self.result)

    @property
    def result_in_words(self) -> str:
        """Return the result in words for the player, if the game was played."""
        return self._words(self.result) if self.result in REPORTABLE_RESULTS else ""

    @property
    def is_report_overruled(self) -> bool:
        """True if the result differs from the one the player reported."""
        return bool(self.result and self.own_report and self.own_report != self.result)

    @property
    def has_conflicting_reports(self) -> bool:
        """True if the two players reported different results. Equal reports become the result."""
        return bool(not self.result and self.own_report and self.their_report)

    @property
    def reportable_results(self) -> list[tuple[str, str]]:
        """The results that can be reported, in words for the player."""
        won, lost = ("1-0", "0-1") if self.is_white else ("0-1", "1-0")
        return [(won, _("I won")), ("1/2", _("Draw")), (lost, _("I lost"))]

    @property
    def own_report_in_words(self) -> str:
        return self._words(self.own_report)

    @property
    def conflicting_reports_sentence(self) -> str:
        return message_text.conflicting_reports_sentence(self.own_report, self.their_report, is_white=self.is_white)

    @property
    def opponent_report_in_words(self) -> str:
        """The opponent's report, in words for the player."""
        return self._words(self.their_report)

    def _words(self, result: str) -> str:
        if not result:
            return ""
        return message_text.result_phrase_for_player(result, is_white=self.is_white)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalSheet:
    """A player's own page. `place` is None before the first published round. `latest` is the round of `board`."""

    entry: Entry
    card: PlayerSheet
    place: int | None
    players: int
    points: Decimal | None
    total_and_value: tuple[Decimal | str, ...]
    """In a Keizer season the player's total and their value, otherwise empty."""
    latest: PlayerSheetRound | None
    board: OwnBoard | None
    check_in: CheckInRow | None
    next_round: Round | None
    being_paired: int
    """The number of the player's drafted round, or 0."""
    is_running: bool
    """True if the round of `latest` is published and not finished."""
    is_check_in_open: bool
    answers: tuple[PlayerAnswer, ...]
    """The player's answers for the rounds that aren't paired. Empty on a page without actions."""
    byes_left: int

    @property
    def next_answer(self) -> PlayerAnswer | None:
        """The answer for the next round that isn't paired, if the player can give one."""
        return self.answers[0] if self.answers else None

    @property
    def has_white(self) -> bool:
        return self.latest is not None and self.latest.colour is Colour.WHITE

    @property
    def news_sentence(self) -> str:
        """The news about the latest round in one sentence, for screen readers."""
        return describe_published_round(self.latest.number, self.board) if self.latest is not None else ""


def describe_published_round(number: int, board: OwnBoard | None) -> str:
    """Describe a published round for the player: board, opponent and colour, or no game. Empty once it has a result."""
    if board is not None and board.result:
        return ""
    if board is None:
        return message_text.round_published_sentence(number)
    return message_text.board_published_sentence(number, board.game.board, board.opponent.name, is_white=board.is_white)


def build_personal_sheet(entry: Entry, *, version: int, may_act: bool = True) -> PersonalSheet:
    """Build the page of a player. `entry.tournament` has its club. Drafts are never shown.

    Without `may_act` the page has only public data and no actions. `version` is `EventVersions.officers`: places are
    computed once for each version.
    """
    tournament = entry.tournament
    card = player_sheet(entry)
    latest = card.rounds[-1] if card.rounds else None
    place, players, points, total_and_value = _place(entry, latest.number, version) if latest else (None, 0, None, ())
    rounds = list(tournament.rounds.defer("scores"))
    for each in rounds:
        each.tournament = tournament
    waiting = [each for each in rounds if each.state == Round.State.WAITING and is_entered_in_round(entry, each.number)]
    following = next((each for each in rounds if not each.is_public), None)
    next_round = waiting[0] if waiting and following == waiting[0] else None
    is_drafted = (
        following is not None and following.state == Round.State.DRAFT and is_entered_in_round(entry, following.number)
    )
    lines = check_in_rows(next_round, only=[entry.pk]) if next_round and may_act else []
    return PersonalSheet(
        entry=entry,
        card=card,
        place=place,
        players=players,
        points=points,
        total_and_value=total_and_value,
        latest=latest,
        board=_board(entry, latest, may_act=may_act),
        check_in=lines[0] if lines else None,
        next_round=next_round,
        being_paired=following.number if following is not None and is_drafted else 0,
        is_running=latest is not None
        and any(each.number == latest.number and each.state == Round.State.PUBLISHED for each in rounds),
        is_check_in_open=may_act
        and next_round is not None
        and tournament.players_check_in
        and _is_the_day(next_round, latest),
        answers=tuple(player_answers(entry, waiting)) if may_act else (),
        byes_left=remaining_byes(entry),
    )


def _is_the_day(next_round: Round, latest: PlayerSheetRound | None) -> bool:
    """Return True if the player may check in for the round now.

    Check-in must be open, the previous round over and, if its time is known, the round must start within hours.
    """
    begins = next_round.starts_at
    running = next_round.tournament.rounds.filter(state=Round.State.PUBLISHED)
    return (
        is_check_in_open(next_round)
        and (begins is None or begins - timezone.now() < CHECK_IN_OPENS_BEFORE)
        and not (latest is not None and running.exists())
    )


def _place(entry: Entry, after: int, version: int) -> tuple[int | None, int, Decimal | None, tuple[Decimal | str, ...]]:
    """Return the player's place, the number of players, the player's points, and their total and value."""
    key = f"places/{entry.tournament_id}/{after}/{version}"
    places: dict[int, _Place] | None = caches["parts"].get(key)
    if places is None:
        places = _places(entry.tournament, after)
        caches["parts"].set(key, places, PLACES_CACHE_SECONDS)
    place, points, total_and_value = places.get(entry.pk, (None, None, ()))
    return place, len(places), points, total_and_value


_Place: TypeAlias = tuple[int, Decimal, tuple[Decimal | str, ...]]


def _places(tournament: Tournament, after: int) -> dict[int, _Place]:
    try:
        table = get_event_standings(tournament, after)
    except ArbiterProblem:
        # Unknown tie-break: the arbiter must fix it, but the player's board is still shown.
        return {}
    return {
        row.entry.pk: (row.place, row.points, row.values[:2] if row.is_ranked_by_total else ())
        for row in table.rows
        if row.is_ranked
    }


def _board(entry: Entry, latest: PlayerSheetRound | None, *, may_act: bool) -> OwnBoard | None:
    if latest is None or latest.board is None:
        return None
    game = (
        Game.objects.select_related("round", "white", "black")
        .prefetch_related("claims")
        .get(round__tournament=entry.tournament, round__number=latest.number, board=latest.board)
    )
    return game_for_player(entry, game, sees_reports=may_act)


def game_for_player(entry: Entry, game: Game, *, sees_reports: bool) -> OwnBoard:
    """Return a game from one player's view. Its round, players and claims must be loaded.

    Reports are only for the two players: `sees_reports` is False for a player who only chose their name.
    """
    is_white = game.white_id == entry.pk
    reports = {claim.entry_id: claim.result for claim in game.claims.all()} if sees_reports else {}
    opponent = game.black if is_white else game.white
    return OwnBoard(
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
