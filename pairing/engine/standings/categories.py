"""Standings of some of the players: juniors, seniors, women, rating classes, members of a club."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.ranking import PlayerStanding


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCandidate:
    """A player's data for categories. `birth_year` is None if unknown, `sex` w, m or empty, `rating` 0 for none."""

    tpn: PairingNumber
    birth_year: int | None = None
    sex: str = ""
    rating: int = 0
    club: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCategory:
    """A category of players. Every condition that is set must be true.

    The years `born_from` and `born_until` are inclusive; so is `rating_from`, but not `rating_below`. Players without a
    required birth year or rating do not belong; `unrated` requires players without a rating.
    """

    name: str
    born_from: int | None = None
    born_until: int | None = None
    sex: str = ""
    rating_from: int | None = None
    rating_below: int | None = None
    club: str = ""
    unrated: bool = False

    def includes_player(self, person: CategoryCandidate) -> bool:
        """Return True if the player belongs to the category."""
        return (
            _within(person.birth_year, self.born_from, self.born_until)
            and (not self.sex or person.sex == self.sex)
            and _within(person.rating or None, self.rating_from, self._highest_rating)
            and (not self.unrated or not person.rating)
            and (not self.club or person.club == self.club)
        )

    @property
    def _highest_rating(self) -> int | None:
        return None if self.rating_below is None else self.rating_below - 1


def junior_category(name: str, *, under: int, in_year: int) -> PlayerCategory:
    """Return the category of players under a given age on 1 January. Under 18 in 2026 means born in 2008 or later."""
    return PlayerCategory(name=name, born_from=in_year - under)


def senior_category(name: str, *, age: int, in_year: int) -> PlayerCategory:
    """Return the category of players who reach a given age by the end of the year `in_year`."""
    return PlayerCategory(name=name, born_until=in_year - age)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryStanding:
    """A player's place in a category. `standing` has their rank among all players."""

    place: int
    standing: PlayerStanding


def category_standings(
    category: PlayerCategory, standings: Sequence[PlayerStanding], people: Iterable[CategoryCandidate]
) -> tuple[CategoryStanding, ...]:
    """Return the category's players in table order. Players who share a rank in the table share the place."""
    members = {person.tpn for person in people if category.includes_player(person)}
    placed: list[CategoryStanding] = []
    for standing in standings:
        if standing.tpn not in members:
            continue
        shares = bool(placed) and placed[-1].standing.rank == standing.rank
        place = placed[-1].place if shares else len(placed) + 1
        placed.append(CategoryStanding(place=place, standing=standing))
    return tuple(placed)


def _within(known: int | None, least: int | None, most: int | None) -> bool:
    if least is None and most is None:
        return True
    if known is None:
        return False
    return (least is None or known >= least) and (most is None or known <= most)
