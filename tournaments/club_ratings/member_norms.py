"""Title norms: members' games in events, checked against the next titles."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import Member, TimeControlKind
from clubs.rating.calculation.norms import (
    MIN_NORM_GAMES,
    MIN_QUALIFYING_OPPONENTS,
    REQUIREMENTS_BY_TITLE,
    NormCheck,
    NormGame,
    check_norm,
)
from tournaments.models import Bye, Entry, Game, Round, Tournament

_SCORES = {
    Game.Result.WHITE_WINS: (2, 0),
    Game.Result.DRAW: (1, 1),
    Game.Result.BLACK_WINS: (0, 2),
    Game.Result.WHITE_WINS_UNRATED: (2, 0),
    Game.Result.DRAW_UNRATED: (1, 1),
    Game.Result.BLACK_WINS_UNRATED: (0, 2),
}
"""White's and Black's half points of games decided over the board (B.01, 1.4.2c)."""

_TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNorms:
    """Norms in an event: for the lowest title above the player's own, then for the next title after each norm."""

    event: Tournament
    results: tuple[NormCheck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NormOpponent:
    """An opponent on a norm certificate: round, name, and the data that count for the norm."""

    round: int
    name: str
    game: NormGame


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNorms:
    """A player with enough games for a norm: the possible titles, and the opponents."""

    entry: Entry
    results: tuple[NormCheck, ...]
    opponents: tuple[NormOpponent, ...]


def norms_of_member(member: Member) -> list[EventNorms]:
    """Return a member's standard events with enough games for a norm, newest first. Two or five queries."""
    entries = Entry.objects.filter(
        member=member, tournament__rated_as=TimeControlKind.STANDARD, tournament__deleted_at=None
    )
    found = _norms({entry.pk: entry for entry in entries.select_related("tournament__club")})
    norms = [EventNorms(event=each.entry.tournament, results=each.results) for each in found]
    return sorted(norms, key=lambda each: each.event.pk, reverse=True)


def norms_in_event(event: Tournament) -> list[PlayerNorms]:
    """Return the players in a standard event with enough games for a norm, by name. Two or five queries."""
    entries = list(event.entries.all()) if event.rated_as == TimeControlKind.STANDARD else []
    for entry in entries:
        entry.tournament = event
    return sorted(_norms({entry.pk: entry for entry in entries}), key=lambda each: each.entry.name)


def has_norms(event: Tournament) -> bool:
    """Return True if a player in the event achieved a norm. One query if too few titleholders played for any norm."""
    titled = {title for each in REQUIREMENTS_BY_TITLE.values() for title in each.qualifying_titles}
    is_possible = (
        event.rated_as == TimeControlKind.STANDARD
        and event.rounds_announced >= MIN_NORM_GAMES
        and event.entries.filter(title__in=titled).count() >= MIN_QUALIFYING_OPPONENTS
    )
    return is_possible and any(not result.missing for each in norms_in_event(event) for result in each.results)


def _norms(by_key: dict[int, Entry]) -> list[PlayerNorms]:
    """Return the entries with enough games and a title above the player's own."""
    games: dict[int, list[NormGame]] = defaultdict(list)
    opponents: dict[int, list[NormOpponent]] = defaultdict(list)
    played = Game.objects.filter(result__in=_SCORES, round__state=Round.State.FINISHED).order_by("round__number")
    played = played.filter(Q(white__in=by_key) | Q(black__in=by_key)) if by_key else played.none()
    for game in played.select_related("white", "black", "round"):
        scores = _SCORES[Game.Result(game.result)]
        for entry, opponent, score in ((game.white, game.black, scores[0]), (game.black, game.white, scores[1])):
            if entry.pk in by_key:
                counted = _norm_game(opponent, by_key[entry.pk].tournament, score)
                games[entry.pk].append(counted)
                met = NormOpponent(round=game.round.number, name=opponent.name, game=counted)
                opponents[entry.pk].append(met)
    short_by_one = [key for key in games if len(games[key]) == MIN_NORM_GAMES - 1]
    excused = _excused([key for key in short_by_one if by_key[key].tournament.rounds_announced == MIN_NORM_GAMES])
    return [
        PlayerNorms(entry=by_key[key], results=results, opponents=tuple(opponents[key]))
        for key in games
        if len(games[key]) >= MIN_NORM_GAMES or key in excused
        if (results := _results(by_key[key], games[key]))
    ]


def _norm_game(opponent: Entry, event: Tournament, score: int) -> NormGame:
    return NormGame(
        rating=0 if opponent.rating_is_estimate else opponent.rating,
        title=opponent.title,
        federation=opponent.federation or event.club.federation,
        score=score,
    )


def _excused(entries: list[int]) -> set[int]:
    """Return entries with a forfeit win or the bye: for them eight other games of nine rounds are enough (1.4.1c)."""
    if not entries:
        return set()
    byes = Bye.objects.filter(entry__in=entries, kind__in=(Bye.Kind.PAIRING_ALLOCATED, Bye.Kind.FORFEIT_WIN))
    as_white = Game.objects.filter(white__in=entries, result=Game.Result.WHITE_WINS_FORFEIT)
    as_black = Game.objects.filter(black__in=entries, result=Game.Result.BLACK_WINS_FORFEIT)
    return {
        *byes.values_list("entry", flat=True),
        *as_white.values_list("white", flat=True),
        *as_black.values_list("black", flat=True),
    }


def _results(entry: Entry, games: list[NormGame]) -> tuple[NormCheck, ...]:
    federation = entry.federation or entry.tournament.club.federation
    results: list[NormCheck] = []
    for title in reversed(_titles_above(entry)):
        result = check_norm(title, games, federation=federation, min_games=min(MIN_NORM_GAMES, len(games)))
        if result is not None:
            results.append(result)
        if result is None or result.missing:
            break
    return tuple(results)


def _titles_above(entry: Entry) -> list[str]:
    """Return the titles above the player's own, the highest first, with women's titles for women (0.3.1)."""
    open_to = [title for title in REQUIREMENTS_BY_TITLE if entry.sex == Member.Sex.FEMALE or not title.startswith("W")]
    return [title for title in open_to if _TITLES.index(title) < _TITLES.index(entry.title)]
