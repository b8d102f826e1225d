"""A player's board in brief, pinned to the top of every page of the event."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from pairing.pages.player.personal_sheet import OwnBoard, describe_published_round, game_for_player
from pairing.view_models.sheets.players_and_results import bye_symbol
from tournaments.check_in.remembered_device import OwnedEntry
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Bye, Entry, Game, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedBoard:
    """A player's pinned board. `latest` is the latest public round, with `game`, `bye` or neither."""

    own: OwnedEntry
    latest: Round | None
    game: OwnBoard | None
    bye: Bye | None
    bye_symbol: str
    next_round: Round | None

    @property
    def entry(self) -> Entry:
        return self.own.entry

    @property
    def news_sentence(self) -> str:
        """The news about a published round in one sentence, for screen readers."""
        return describe_published_round(self.latest.number, self.game) if self.latest is not None else ""


def pinned_boards(tournament: Tournament, owners: tuple[OwnedEntry, ...]) -> list[PinnedBoard]:
    """Return these players' boards. The number of queries doesn't grow with the event."""
    rounds = list(tournament.rounds.defer("scores").order_by("number"))
    for each in rounds:
        each.tournament = tournament
    latest = next((each for each in reversed(rounds) if each.is_public), None)
    keys = [own.entry.pk for own in owners]
    games: dict[int, Game] = {}
    byes: dict[int, Bye] = {}
    if latest is not None:
        of_latest = latest.games.filter(Q(white__in=keys) | Q(black__in=keys))
        for game in of_latest.select_related("white", "black").prefetch_related("claims"):
            game.round = latest
            games[game.white_id] = games[game.black_id] = game
        byes = {bye.entry_id: bye for bye in latest.byes.filter(entry__in=keys)}
    return [_pinned(own, rounds, latest, games.get(own.entry.pk), byes.get(own.entry.pk)) for own in owners]


def _pinned(
    own: OwnedEntry, rounds: list[Round], latest: Round | None, game: Game | None, bye: Bye | None
) -> PinnedBoard:
    entry = own.entry
    to_come = [each for each in rounds if not each.is_public and is_entered_in_round(entry, each.number)]
    return PinnedBoard(
        own=own,
        latest=latest if latest is not None and is_entered_in_round(entry, latest.number) else None,
        game=game_for_player(entry, game, sees_reports=own.may_act) if game is not None else None,
        bye=bye,
        bye_symbol=bye_symbol(entry.tournament, bye.kind) if bye is not None else "",
        next_round=to_come[0] if to_come else None,
    )
