"""Title norms, for information: FIDE Title Regulations (B.01) in force since 1 January 2024, articles 1.4.1 to 1.4.9.

Not checked: conditions for the event as a whole (registration, arbiters, rounds a day, thinking time: 1.1) and the
exemptions of championships (1.4.1b, 1.4.3a-d). All games count, though 1.4.1e and f allow some to be ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from django.utils.translation import gettext as _

from clubs.rating.calculation.fide_regulations import round_half_up
from clubs.rating.calculation.performance import EventPerformance, calculate_performance

MIN_NORM_GAMES = 9
MIN_QUALIFYING_OPPONENTS = 3
"""Opponents with a title that counts for the norm (1.4.5), even if fewer are a third."""
RATING_FOR_UNRATED = 1400
NON_FEDERATION_CODES = frozenset({"", "FID", "NON"})
"""Players under FIDE's flag are opponents like others, but of no federation (1.4.2a)."""

_TITLED = frozenset({"GM", "IM", "WGM", "WIM", "FM", "WFM"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NormRequirements:
    """The requirements for a norm of one title.

    Performance (1.4.8), average (1.4.8a), floor (1.4.6b), and titles that a third must hold (1.4.5b-e).
    """

    performance: int
    average: int
    floor: int
    qualifying_titles: tuple[str, ...]


REQUIREMENTS_BY_TITLE = MappingProxyType(
    {
        "GM": NormRequirements(performance=2600, average=2380, floor=2200, qualifying_titles=("GM",)),
        "IM": NormRequirements(performance=2450, average=2230, floor=2050, qualifying_titles=("GM", "IM")),
        "WGM": NormRequirements(performance=2400, average=2180, floor=2000, qualifying_titles=("GM", "IM", "WGM")),
        "WIM": NormRequirements(
            performance=2250, average=2030, floor=1850, qualifying_titles=("GM", "IM", "WGM", "WIM")
        ),
    }
)
"""By title, the highest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NormGame:
    """A game played over the board: the opponent's data (rating 0: unrated) and the score in half points."""

    rating: int
    title: str
    federation: str
    score: int


class NormArticle(StrEnum):
    """An article of the norm rules that a player's games can fail to meet."""

    GAMES = "1.4.1"
    FOREIGN_FEDERATIONS = "1.4.3"
    OWN_FEDERATION = "1.4.4 own"
    ONE_FEDERATION = "1.4.4 one"
    TITLED = "1.4.5a"
    QUALIFYING_TITLES = "1.4.5b-e"
    AVERAGE = "1.4.8a"
    SCORE = "1.4.8b"
    PERFORMANCE = "1.4.8"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingNormCondition:
    """A condition that isn't met: the actual and the required number (for 1.4.4, the allowed maximum)."""

    article: NormArticle
    actual: int
    required: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NormCheck:
    """The check of a player's games for a norm. If nothing is missing, the games meet its conditions."""

    title: str
    performance: EventPerformance
    missing: tuple[MissingNormCondition, ...]


def check_norm(
    title: str, games: Sequence[NormGame], *, federation: str, min_games: int = MIN_NORM_GAMES
) -> NormCheck | None:
    """Check the games against all conditions of a norm, in the articles' order. Return None if there are no games.

    `federation` is the player's. `min_games` is 8 if one of nine was a forfeit win or the bye (1.4.1c).
    """
    done = calculate_performance(_ratings(title, games), sum(game.score for game in games))
    if done is None:
        return None
    checks = (
        _enough(NormArticle.GAMES, len(games), min_games),
        *_federations(games, federation),
        *_titles(title, games),
        _enough(NormArticle.AVERAGE, done.average_opponent, REQUIREMENTS_BY_TITLE[title].average),
        _enough(NormArticle.SCORE, round_half_up(Fraction(50 * done.score, len(games))), 35),
        _enough(NormArticle.PERFORMANCE, done.rating, REQUIREMENTS_BY_TITLE[title].performance),
    )
    return NormCheck(title=title, performance=done, missing=tuple(check for check in checks if check is not None))


def _ratings(title: str, games: Sequence[NormGame]) -> list[int]:
    """Return the opponents' ratings, with only the lowest raised to the title's floor (1.4.6)."""
    ratings = sorted(game.rating or RATING_FOR_UNRATED for game in games)
    return [max(rating, REQUIREMENTS_BY_TITLE[title].floor) for rating in ratings[:1]] + ratings[1:]


def _federations(games: Sequence[NormGame], own: str) -> list[MissingNormCondition | None]:
    """Check federations: two besides the player's (1.4.3), at most 3/5 own and 2/3 of any (1.4.4, rounded down)."""
    players = Counter(game.federation for game in games if game.federation not in NON_FEDERATION_CODES)
    return [
        _enough(NormArticle.FOREIGN_FEDERATIONS, len(players.keys() - {own}), 2),
        _not_more(NormArticle.OWN_FEDERATION, players[own], 3 * len(games) // 5),
        _not_more(NormArticle.ONE_FEDERATION, max(players.values(), default=0), 2 * len(games) // 3),
    ]


def _titles(title: str, games: Sequence[NormGame]) -> list[MissingNormCondition | None]:
    """Check opponents' titles: half need one, except CM and WCM. A third, and at least three, need a
    high one (1.4.5, rounded up)."""
    titled = sum(game.title in _TITLED for game in games)
    of_rank = sum(game.title in REQUIREMENTS_BY_TITLE[title].qualifying_titles for game in games)
    return [
        _enough(NormArticle.TITLED, titled, -(-len(games) // 2)),
        _enough(NormArticle.QUALIFYING_TITLES, of_rank, max(MIN_QUALIFYING_OPPONENTS, -(-len(games) // 3))),
    ]


def _enough(article: NormArticle, there_is: int, wanted: int) -> MissingNormCondition | None:
    return None if there_is >= wanted else MissingNormCondition(article=article, actual=there_is, required=wanted)


def _not_more(article: NormArticle, there_is: int, most: int) -> MissingNormCondition | None:
    return None if there_is <= most else MissingNormCondition(article=article, actual=there_is, required=most)


def describe_missing_condition(missing: MissingNormCondition, title: str) -> str:
    """Describe what is missing for a title norm, in the active language."""
    words = {
        NormArticle.GAMES: _("%(there_is)s games, %(wanted)s needed"),
        NormArticle.FOREIGN_FEDERATIONS: _("other federations among the opponents: %(there_is)s, %(wanted)s needed"),
        NormArticle.OWN_FEDERATION: _(
            "%(there_is)s opponents from the player's own federation, at most %(wanted)s allowed"
        ),
        NormArticle.ONE_FEDERATION: _("%(there_is)s opponents from one federation, at most %(wanted)s allowed"),
        NormArticle.TITLED: _("opponents with a title other than CM or WCM: %(there_is)s, %(wanted)s needed"),
        NormArticle.QUALIFYING_TITLES: _(
            "opponents with the %(title)s title or higher: %(there_is)s, %(wanted)s needed"
        ),
        NormArticle.AVERAGE: _("average opponent rating %(there_is)s, %(wanted)s needed"),
        NormArticle.SCORE: _("a score of %(there_is)s%%, %(wanted)s%% needed"),
        NormArticle.PERFORMANCE: _("a performance rating of %(there_is)s, %(wanted)s needed"),
    }[missing.article]
    return words % {"there_is": missing.actual, "wanted": missing.required, "title": title}
