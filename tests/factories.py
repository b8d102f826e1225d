"""Objects for tests, made by plain functions. All players are invented."""

from __future__ import annotations

import random
from collections.abc import Callable

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from clubs.models import Club, Member, Membership, Role, User
from pairing.rounds.lifecycle.transitions import pair_round, publish_round
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.check_in.byes import round_attendance
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.events.event_setup import create_tournament
from tournaments.models import Entry, Game, LogEntry, PairingSystem, Round, Tournament
from tournaments.results.displayed_game import DisplayedGame
from tournaments.results.recording import finish_round


def make_club(slug: str = "pod-wieza", name: str = "Pod Wieżą") -> Club:
    return Club.objects.create(slug=slug, name=name)


def make_user(name: str, club: Club | None = None, *roles: Role) -> User:
    """A user with the password `name`, and roles in a club."""
    user = User.objects.create_user(name, password=name)
    for role in roles:
        assert club is not None
        Membership.objects.create(user=user, club=club, role=role)
    return user


def make_member(club: Club, name: str, rating: int = 0, **fields: object) -> Member:
    """A member by `Family, Given`."""
    family, _, given = name.partition(", ")
    return Member.objects.create(club=club, family_name=family, given_name=given, rating=rating, **fields)


def make_event(
    club: Club, *, players: int = 0, rounds: int = 5, system: str = PairingSystem.JAHR, **fields: object
) -> Tournament:
    """An event whose player k is `Pionek, Nr k`, rated from 2000 down in steps of ten."""
    event = create_tournament(club, by=None, name="Środa", rounds_announced=rounds, system=system, **fields)
    if players:
        text = "\n".join(f"Pionek, Nr{number:03}; {2010 - 10 * number}" for number in range(1, players + 1))
        enter_pasted_list(event, text, by=None)
    return event


def player(event: Tournament, number: int) -> Entry:
    """Player k of `make_event`."""
    return event.entries.get(name=f"Pionek, Nr{number:03}")


def round_of(event: Tournament, number: int) -> Round:
    return event.rounds.select_related("tournament__club").get(number=number)


def draft_of(event: Tournament, number: int) -> Round:
    """The round, paired."""
    return pair_round(round_of(event, number).pk, by=None).round


def seen(this_round: Round, board: int, revision: int | None = None, result: str = "") -> str:
    """What a page sends about a board: loaded now, or when the board had this revision and result."""
    game = this_round.games.get(board=board)
    if revision is None:
        revision, result = game.revision, game.result
    return str(DisplayedGame(game=game.pk, revision=revision, result=result))


def published(event: Tournament, number: int) -> Round:
    """The round, paired and published."""
    draft = draft_of(event, number)
    return publish_round(draft, by=None, version=draft.version)


def played(event: Tournament, number: int, *, seed: int = 1) -> Round:
    """The round, paired, published and finished with random results."""
    shown = published(event, number)
    chance = random.Random(seed)
    enter_all(shown, lambda _game: chance.choice(PLAYED), by=None)
    return finish_round(shown, by=None)


PLAYED = (Game.Result.WHITE_WINS, Game.Result.DRAW, Game.Result.BLACK_WINS)


def leave_finished(rounds: QuerySet[Round]) -> None:
    """Set finished rounds back to published, with the log line that the database requires."""
    for this_round in rounds.filter(state=Round.State.FINISHED).select_related("tournament"):
        record_action(this_round.tournament, EventAction.ROUND_REOPENED, by=None, round=this_round)
    rounds.update(state=Round.State.PUBLISHED)


@transaction.atomic
def entries_to_pair(round: Round) -> list[Entry]:
    """The names of the players to be paired in a round."""
    return [each.entry for each in round_attendance(round) if each.is_to_be_paired]


def enter_all(this_round: Round, result_of: Callable[[Game], Game.Result], *, by: User | None) -> None:
    """Enter first results for a round's open boards in a few statements, with the same rows as `enter_result`.

    That the rows are the same is tested beside it (tests/tournaments/results/test_results.py).
    """
    results = {game: result_of(game) for game in this_round.games.all() if not game.result}
    for result in {*results.values()}:
        assert result in PLAYED
        boards = [game.pk for game, wanted in results.items() if wanted == result]
        Game.objects.filter(pk__in=boards).update(
            result=result, revision=F("revision") + 1, entered_by=by, entered_at=timezone.now(), colours_drawn=True
        )
    LogEntry.objects.bulk_create(
        LogEntry(
            tournament=this_round.tournament,
            round=this_round,
            actor=by,
            action=EventAction.RESULT_ENTERED.value,
            details={"board": game.board, "before": "", "after": result.value},
        )
        for game, result in results.items()
    )


PAGES_OF_A_PLAYER = ("player", "player_progress", "tie_break_working")
"""Pages whose URL ends with a player's key."""


def key_of_number(event: Tournament, number: int) -> int:
    """The key of the player with a number, or the number itself if nobody has it."""
    return event.entries.filter(tpn=number).values_list("pk", flat=True).first() or number if number < 10**6 else number
