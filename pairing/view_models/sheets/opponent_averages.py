"""Average ratings of opponents (ARO), as used by the Dubov system (articles 1 and 9)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from pairing.engine.systems.dubov_1997 import average_opponent_ratings, round_to_one_decimal
from tournaments.entries.pairing_numbers import numbers_in_round
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentAverageLine:
    """A player with the average rating of `games` opponents, to one decimal (0.0 without a game)."""

    number: int
    name: str
    title: str
    rating: int
    games: int
    average: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentAverageSheet:
    """All players in an event after a round, by number."""

    club: str
    event: str
    after_round: int
    lines: tuple[OpponentAverageLine, ...]

    @property
    def lines_by_average(self) -> tuple[OpponentAverageLine, ...]:
        """Return the lines by average, highest first, then by number."""
        return tuple(sorted(self.lines, key=lambda line: (-line.average, line.number)))


def opponent_average_sheet(tournament: Tournament, after_round: int) -> OpponentAverageSheet:
    """Return the averages after a round, which are used to pair the next round."""
    snapshot = snapshot_before_round(tournament, after_round + 1)
    entries = list(tournament.entries.all())
    numbers = numbers_in_round(tournament, entries, after_round + 1).by_entry
    of_number = {numbers[entry.pk]: entry for entry in entries}
    averages = average_opponent_ratings(snapshot)
    lines = (
        OpponentAverageLine(
            number=card.tpn,
            name=of_number[card.tpn].name,
            title=of_number[card.tpn].title,
            rating=card.rating,
            games=sum(record.is_played for record in card.records),
            average=round_to_one_decimal(averages[card.tpn]),
        )
        for card in snapshot.cards
    )
    return OpponentAverageSheet(
        club=tournament.club.name,
        event=tournament.name,
        after_round=after_round,
        lines=tuple(sorted(lines, key=lambda line: line.number)),
    )
