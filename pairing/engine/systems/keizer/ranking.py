"""Keizer's ranking: values by rank, totals by values, and the ranking that both agree on.

All totals are exact. They are whole numbers, counted in units of one divided by `KeizerOptions.unit`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pairing.engine.snapshot import PairingCard, PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems.keizer.options import KeizerOptions

_SCORES = {
    Result.WIN: 2,
    Result.UNRATED_WIN: 2,
    Result.DRAW: 1,
    Result.UNRATED_DRAW: 1,
    Result.ADJOURNED: 1,
    Result.LOSS: 0,
    Result.UNRATED_LOSS: 0,
}
"""Half points of the results over the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeizerCredit:
    """What a round gives a player: a share of somebody's value.

    - `share`: in units of one divided by `KeizerOptions.unit`
    - `value_of`: whose value counts, the opponent's or the player's own
    - `cause`: `game`, `forfeit_win`, `forfeit_loss`, `bye`, `excused`, `absent`, `duty`, `late` or `withdrawn` (a game
      against a player who has left)
    """

    round: int
    share: int
    value_of: PairingNumber
    cause: str
    result: Result
    opponent: PairingNumber | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeizerRanking:
    """The ranking after some rounds.

    - `order`: the ranked players, the first one first
    - `values`: what a game against each of them is worth, by TPN
    - `totals`: their totals in units of one divided by `unit * cycle`, by TPN
    - `cycle`: 1, or the number of rankings that took turns and of whose totals `totals` are the mean
    - `value_sums`: the values in all rankings of the cycle, added up; the values themselves if `cycle` is 1
    """

    after_round: int
    order: tuple[PairingNumber, ...]
    values: dict[PairingNumber, int]
    totals: dict[PairingNumber, int]
    unit: int
    value_sums: dict[PairingNumber, int]
    cycle: int = 1

    def total(self, player: PairingNumber) -> Fraction:
        """Return a player's exact total."""
        return Fraction(self.totals[player], self.unit * self.cycle)

    @property
    def ranks(self) -> dict[PairingNumber, int]:
        """The rank of each ranked player, from 1."""
        return {tpn: rank for rank, tpn in enumerate(self.order, start=1)}

    def counted_value(self, player: PairingNumber) -> Fraction:
        """Return the value that totals use for games against a player: the mean over the rankings of a cycle."""
        return Fraction(self.value_sums[player], self.cycle)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeizerLine:
    """A line of a total: `credit` is `share` times `value`.

    - `round`: None for the player's own value
    - `cause`: that of the KeizerCredit; `self` for the own value
    - `is_opponents_value`: the opponent's value counts, not the player's own
    """

    round: int | None
    cause: str
    value: Fraction
    share: Fraction
    result: Result | None = None
    opponent: PairingNumber | None = None
    is_opponents_value: bool = False

    @property
    def credit(self) -> Fraction:
        return self.share * self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class KeizerLineChange:
    """A line of a total after a round, and the same line after the round before.

    - `before`: None for the round itself
    - `rank_before`, `rank_now`: of the player whose value counts now; None while they are not ranked
    """

    now: KeizerLine
    before: KeizerLine | None
    rank_before: int | None
    rank_now: int | None

    @property
    def difference(self) -> Fraction:
        return self.now.credit - (self.before.credit if self.before else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeizerChange:
    """What a round changed in a player's total. The lines' differences add up to the difference in the total."""

    total_before: Fraction
    total_now: Fraction
    rank_before: int
    rank_now: int
    lines: tuple[KeizerLineChange, ...]


def rankings_by_round(snapshot: TournamentSnapshot, options: KeizerOptions) -> list[KeizerRanking]:
    """Return the ranking before round 1 and after each round. The last one includes late entries for the next round."""
    return _Season(snapshot, options).rankings()


def current_ranking(snapshot: TournamentSnapshot, options: KeizerOptions) -> KeizerRanking:
    """Return the ranking that is used to pair the next round."""
    return rankings_by_round(snapshot, options)[-1]


def orders_by_round(snapshot: TournamentSnapshot, options: KeizerOptions) -> list[tuple[PairingNumber, ...]]:
    """Return the ranked players before round 1 and after each round, as the tables of these rounds list them.

    Players who enter for the next round are in the order.
    """
    season = _Season(snapshot, options)
    return [
        _with_entered(ranking.order, season.newcomers_after(ranking.after_round, ranking.values))
        for ranking in season.rankings()
    ]


def season_from_round(snapshot: TournamentSnapshot, first: int) -> TournamentSnapshot:
    """Return the season as if it had begun with this round, without the players who had left by then."""
    cards = [replace(card, records=card.records[first - 1 :]) for card in snapshot.cards]
    return replace(
        snapshot,
        cards=tuple(card for card in cards if _last_round(card) != 0),
        rounds_paired=max(0, snapshot.rounds_paired - first + 1),
    )


def explain_total(
    snapshot: TournamentSnapshot, options: KeizerOptions, player: PairingNumber
) -> tuple[KeizerLine, ...]:
    """Return the lines that add up to a player's total, their own value first. Empty if the player is not ranked."""
    season = _Season(snapshot, options)
    ranking = season.rankings()[-1]
    return tuple(season.lines(player, ranking)) if player in ranking.totals else ()


def explain_change(snapshot: TournamentSnapshot, options: KeizerOptions, player: PairingNumber) -> KeizerChange | None:
    """Return what the last round changed in a player's total. None before round 1, or if the player was not ranked."""
    season = _Season(snapshot, options)
    *_, before, now = [None, *season.rankings()]
    if before is None or player not in before.totals or player not in now.totals:
        return None
    lines_before = {line.round: line for line in season.lines(player, before)}
    ranks_before, ranks_now = before.ranks, now.ranks
    changes = []
    for line in season.lines(player, now):
        value_of = line.opponent if line.is_opponents_value else player
        changes.append(
            KeizerLineChange(
                now=line,
                before=lines_before.get(line.round),
                rank_before=None if value_of is None else ranks_before.get(value_of),
                rank_now=None if value_of is None else ranks_now.get(value_of),
            )
        )
    return KeizerChange(
        total_before=before.total(player),
        total_now=now.total(player),
        rank_before=ranks_before[player],
        rank_now=ranks_now[player],
        lines=tuple(changes),
    )


def credits_of_player(
    snapshot: TournamentSnapshot, options: KeizerOptions, player: PairingNumber
) -> tuple[KeizerCredit, ...]:
    """Return a player's credit from each round, given who is ranked now. Frozen seasons keep earlier values."""
    facts = _Facts(snapshot, options)
    records = facts.cards[player].records
    return tuple(facts.credit(player, number, left_by=len(records)) for number in range(1, len(records) + 1))


class _Facts:
    """The facts of a season that do not depend on values: who was there when, and the share that each round gives."""

    def __init__(self, snapshot: TournamentSnapshot, options: KeizerOptions) -> None:
        self.options, self.unit, self.rounds = options, options.unit, snapshot.rounds_paired
        self.cards = {card.tpn: card for card in sorted(snapshot.cards, key=lambda card: card.tpn)}
        self.arrival = {tpn: _round_of_arrival(card) for tpn, card in self.cards.items()}
        self.last = {tpn: _last_round(card) for tpn, card in self.cards.items()}
        self._excused_until = {tpn: _last_excused(card, options.max_excused) for tpn, card in self.cards.items()}
        self.withdrawn_share = options.withdrawn
        of_opponent = {result: Fraction(half, 2) or options.loss for result, half in _SCORES.items()}
        of_opponent[Result.FORFEIT_WIN] = options.forfeit_win
        self._of_opponent = {result: int(share * self.unit) for result, share in of_opponent.items()}
        self._late, self._absent = int(options.late * self.unit), int(options.absent * self.unit)
        self._excused = int(options.excused * self.unit)
        self._of_own = {
            Result.PAIRING_ALLOCATED_BYE: int(options.bye * self.unit),
            Result.FULL_POINT_BYE: int(options.duty * self.unit),
            Result.FORFEIT_LOSS: 0,
        }

    def has_left(self, tpn: PairingNumber, by: int) -> bool:
        """Return True if a player left the event after this round or an earlier one."""
        last = self.last[tpn]
        return last is not None and last <= by

    def is_ranked(self, tpn: PairingNumber, after: int) -> bool:
        """Return True if a player was in the event in one of the rounds so far, or before round 1, and has not left."""
        return self.arrival[tpn] <= max(after, 1) and not self.has_left(tpn, after)

    def newcomers_after(self, number: int, ranked: Container[PairingNumber]) -> list[PairingNumber]:
        """Return the players who enter for the round after this one and are not ranked yet."""
        return [
            tpn
            for tpn in self.cards
            if self.arrival[tpn] == number + 1 and tpn not in ranked and not self.has_left(tpn, number)
        ]

    def share(self, tpn: PairingNumber, number: int) -> tuple[int, PairingNumber]:
        """Return the share of a value that a round gives, and whose value it is, as if the opponent had not left."""
        record = self.cards[tpn].records[number - 1]
        result = record.result
        if result in self._of_opponent:
            return self._of_opponent[result], record.opponent or tpn
        if result in self._of_own:
            return self._of_own[result], tpn
        if result is Result.HALF_POINT_BYE and number <= self._excused_until[tpn]:
            return self._excused, tpn
        return (self._late if number < self.arrival[tpn] else self._absent), tpn

    def credit(self, tpn: PairingNumber, number: int, *, left_by: int) -> KeizerCredit:
        """Return a round's credit, for display. An opponent who left by round `left_by` counts as withdrawn."""
        record = self.cards[tpn].records[number - 1]
        share, value_of = self.share(tpn, number)
        cause = _CAUSES.get(record.result, "game")
        if record.result is Result.ABSENT and number < self.arrival[tpn]:
            cause = "late"
        elif record.result is Result.HALF_POINT_BYE and number > self._excused_until[tpn]:
            cause = "absent"
        if value_of != tpn and self.has_left(value_of, left_by):
            cause, share, value_of = "withdrawn", int(share * self.withdrawn_share), tpn
        return KeizerCredit(
            round=number, share=share, value_of=value_of, cause=cause, result=record.result, opponent=record.opponent
        )


_CAUSES = {
    Result.FORFEIT_WIN: "forfeit_win",
    Result.FORFEIT_LOSS: "forfeit_loss",
    Result.PAIRING_ALLOCATED_BYE: "bye",
    Result.HALF_POINT_BYE: "excused",
    Result.FULL_POINT_BYE: "duty",
    Result.ZERO_POINT_BYE: "absent",
    Result.ABSENT: "absent",
}


class _Season(_Facts):
    """Goes through a season round by round. Totals are kept, and changed only where a value or a result changes."""

    def __init__(self, snapshot: TournamentSnapshot, options: KeizerOptions) -> None:
        super().__init__(snapshot, options)
        self._values = dict.fromkeys(self.cards, 0)
        self._totals = dict.fromkeys(self.cards, 0)
        self._points = dict.fromkeys(self.cards, 0)
        # In a frozen season, the values of the day on which each round was added, by player and round.
        self._frozen: dict[tuple[PairingNumber, int], int] = {}
        own = self.unit if options.counts_self else 0
        # For each player, who has how much of their value in the total.
        self._holders: dict[PairingNumber, dict[PairingNumber, int]] = {tpn: {tpn: own} for tpn in self.cards}

    def rankings(self) -> list[KeizerRanking]:
        order = tuple(tpn for tpn in self.cards if self.is_ranked(tpn, 0))
        self._set_values(order)
        made = [self._given(order, 0)]
        for number in range(1, self.rounds + 1):
            made.append(self._ranking_after(number, made[-1]))
        newcomers = self.newcomers_after(self.rounds, made[-1].values)
        if self.rounds and newcomers:
            order = _with_entered(made[-1].order, newcomers)
            self._set_values(order)
            for tpn in newcomers:
                for missed in range(1, self.rounds + 1):
                    self._add(tpn, missed)
            made[-1] = self._given(order, self.rounds)
        return made

    def lines(self, tpn: PairingNumber, ranking: KeizerRanking) -> Iterator[KeizerLine]:
        """Yield the lines of a total in one of the rankings."""
        if self.options.counts_self:
            yield KeizerLine(round=None, cause="self", value=ranking.counted_value(tpn), share=Fraction(1))
        for number in range(1, ranking.after_round + 1):
            given = self.credit(tpn, number, left_by=-1 if self.options.is_frozen else ranking.after_round)
            yield KeizerLine(
                round=number,
                cause=given.cause,
                value=Fraction(self._frozen.get((tpn, number), 0))
                if self.options.is_frozen
                else ranking.counted_value(given.value_of),
                share=Fraction(given.share, self.unit),
                result=given.result,
                opponent=given.opponent,
                is_opponents_value=given.value_of != tpn,
            )

    def _given(self, order: tuple[PairingNumber, ...], after: int) -> KeizerRanking:
        values = {tpn: self._values[tpn] for tpn in order}
        totals = {tpn: self._totals[tpn] for tpn in order}
        return KeizerRanking(
            after_round=after, order=order, values=values, totals=totals, unit=self.unit, value_sums=values
        )

    def _ranking_after(self, number: int, before: KeizerRanking) -> KeizerRanking:
        """Return the ranking after a round, by repeating from the one before until a ranking comes again."""
        newcomers = [tpn for tpn in self.cards if tpn not in before.values and self.arrival[tpn] == number]
        entered = _with_entered(before.order, newcomers)
        self._set_values(entered)
        for tpn in newcomers:
            for missed in range(1, number):
                self._add(tpn, missed)
        for tpn in entered:
            self._add(tpn, number)
            self._points[tpn] += _SCORES.get(self.cards[tpn].records[number - 1].result, 0)
        if not self.options.is_frozen:
            for tpn in entered:
                if self.last[tpn] == number:
                    self._take_leave(tpn)
        order = tuple(tpn for tpn in entered if self.is_ranked(tpn, number))
        seen: dict[tuple[PairingNumber, ...], int] = {}
        tables: list[dict[PairingNumber, int]] = []
        values: list[dict[PairingNumber, int]] = []
        while order not in seen:
            seen[order] = len(tables)
            self._set_values(order)
            tables.append(self._totals.copy())
            values.append(self._values.copy())
            order = self._by_totals(order, self._totals)
        cycle = tables[seen[order] :]
        totals = {tpn: sum(table[tpn] for table in cycle) for tpn in order}
        value_sums = {tpn: sum(each[tpn] for each in values[seen[order] :]) for tpn in order}
        if len(cycle) > 1:
            order = self._by_totals(order, totals)
        self._set_values(order)
        return replace(
            self._given(order, number),
            totals={tpn: totals[tpn] for tpn in order},
            value_sums=value_sums,
            cycle=len(cycle),
        )

    def _set_values(self, order: Sequence[PairingNumber]) -> None:
        """Give everybody the value of their rank, and nobody else any; totals follow."""
        count, values, totals = len(order), self._values, self._totals
        wanted = dict.fromkeys(values, 0)
        wanted.update((tpn, self.options.value_of_rank(rank, count)) for rank, tpn in enumerate(order, start=1))
        for tpn, value in wanted.items():
            change = value - values[tpn]
            if change:
                values[tpn] = value
                for holder, share in self._holders[tpn].items():
                    totals[holder] += change * share

    def _add(self, tpn: PairingNumber, number: int) -> None:
        """Add what a round gives. In a frozen season it is kept as it is now."""
        share, value_of = self.share(tpn, number)
        if not share:
            return
        self._totals[tpn] += share * self._values[value_of]
        if self.options.is_frozen:
            self._frozen[tpn, number] = self._values[value_of]
        else:
            holders = self._holders[value_of]
            holders[tpn] = holders.get(tpn, 0) + share

    def _take_leave(self, gone: PairingNumber) -> None:
        """Turn the shares of somebody who has left into shares of their opponents' own values."""
        own = self._holders[gone].pop(gone, 0)
        for holder, share in self._holders[gone].items():
            turned = int(share * self.withdrawn_share)
            self._holders[holder][holder] = self._holders[holder].get(holder, 0) + turned
            self._totals[holder] += turned * self._values[holder] - share * self._values[gone]
        self._holders[gone] = {gone: own}

    def _by_totals(
        self, players: Iterable[PairingNumber], totals: Mapping[PairingNumber, int]
    ) -> tuple[PairingNumber, ...]:
        points = self._points
        return tuple([tpn for _, _, tpn in sorted([(-totals[tpn], -points[tpn], tpn) for tpn in players])])


def _round_of_arrival(card: PairingCard) -> int:
    """Return the first round for which a player was entered: the one after the rounds before their arrival."""
    for number, record in enumerate(card.records, start=1):
        if record.result is not Result.ABSENT:
            return number
    return len(card.records) + 1


def _last_round(card: PairingCard) -> int | None:
    """Return the last round before a player left (0: they never came), or None if they are still in the event."""
    if card.unavailable is None or card.unavailable.result is not Result.ABSENT:
        return None
    attended = [number for number, record in enumerate(card.records, start=1) if record.result is not Result.ABSENT]
    return attended[-1] if attended else 0


def _last_excused(card: PairingCard, most: int) -> int:
    """Return the round up to which absences with notice count."""
    rounds = [n for n, record in enumerate(card.records, start=1) if record.result is Result.HALF_POINT_BYE]
    return len(card.records) if len(rounds) <= most else rounds[most - 1] if most else 0


def _with_entered(order: Sequence[PairingNumber], newcomers: Iterable[PairingNumber]) -> tuple[PairingNumber, ...]:
    """Return the ranking with late entries, each at the rank of their number among those who are ranked."""
    made = list(order)
    for tpn in newcomers:
        made.insert(sum(other < tpn for other in made), tpn)
    return tuple(made)
