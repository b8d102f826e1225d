"""Reasons from Jahr's order: the order of the group, and why one player is higher than another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

from pairing.engine.paired_round import (
    ColourCause,
    PairedBye,
    PairedGame,
    PairedRound,
    PairingReason,
    ReasonEntry,
    ReasonFact,
    ReasonKind,
    ReasonRun,
    build_reason_sequence,
    list_reason_entries,
    make_reason,
    with_facts,
)
from pairing.engine.rule_interpretations import (
    EXACT_TOTALS,
    RULE_INTERPRETATIONS,
    format_interpretation,
    non_default_interpretations,
)
from pairing.engine.rules.players import PlayerOrder
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot
from pairing.engine.systems.jahr.point_totals import JAHR_POINT_SYSTEM, JahrValues, jahr_order

MAX_FULLY_LISTED_GROUP = 40
"""Groups up to this size are listed in full. For larger ones, only players named in the pair's other reasons are."""

_BY_RANK = (ColourCause.HIGHER_PLAYER, ColourCause.LOWER_PLAYER, ColourCause.NUMBER_PARITY)
"""The colour rules that depend on which player is higher."""


@cache
def article_reference(number: str) -> str:
    """Return a reference to an article of this document, as used in reasons."""
    return f"jahr art. {number}"


def add_order_reasons(
    paired: PairedRound,
    order: PlayerOrder,
    values: Mapping[PairingNumber, JahrValues],
    snapshot: TournamentSnapshot,
) -> PairedRound:
    """Add the order of the score group to all reasons, and the points to the reasons for the bye (article 8)."""
    if not any(value.rounds for value in values.values()) or not paired.scores:
        return paired
    explain = _Explainer(order, values, paired, snapshot)
    return replace(
        paired,
        games=tuple(
            replace(game, reasons=build_reason_sequence([*explain.explain_board(game)])) for game in paired.games
        ),
        bye=paired.bye and replace(paired.bye, reasons=tuple(explain.explain_bye(paired.bye))),
    )


class _Explainer:
    def __init__(
        self,
        order: PlayerOrder,
        values: Mapping[PairingNumber, JahrValues],
        paired: PairedRound,
        snapshot: TournamentSnapshot,
    ) -> None:
        self._snapshot = snapshot
        self._positions = order.positions
        self._values = values
        self._pairing_score = {score.tpn: score.pairing_score for score in paired.scores}
        self._formed = {score.tpn: 0 for score in paired.scores}
        self._floated: dict[ReasonFact, frozenset[PairingNumber]] = {}
        for game in paired.games:
            self._formed[game.white] = self._formed[game.black] = game.formation_number
            self._add_floats(game.reasons)
        self._add_floats(paired.bye.reasons if paired.bye else ())
        self._absent = {tpn for tpn, number in self._formed.items() if not number}
        self._bye = paired.bye.player if paired.bye else None
        self._absent.discard(self._bye or 0)
        self._groups: dict[int, list[PairingNumber]] = {}
        for tpn in sorted(order.positions, key=order.positions.__getitem__):
            self._groups.setdefault(self._pairing_score[tpn], []).append(tpn)

    def _add_floats(self, reasons: Sequence[PairingReason]) -> None:
        for why in list_reason_entries(reasons):
            if why.kind is ReasonKind.FLOATED:
                score = why.get_fact("from_half_points")
                self._floated[score] = self._floated.get(score, frozenset()) | {why.players[0]}

    def explain_board(self, game: PairedGame) -> Iterator[ReasonEntry]:
        """Yield a board's reasons, adding the score group's order, and the ranking if the colours depend on it."""
        reasons = list_reason_entries(game.reasons)
        named = {tpn for why in reasons for tpn in why.players}
        for why in reasons:
            candidates = why.get_fact("candidates")
            named |= {*candidates} if isinstance(candidates, tuple) else set()
        for why in reasons:
            yield why if why.kind is not ReasonKind.COLOUR or isinstance(why, ReasonRun) else _without_numbers(why)
            if isinstance(why, ReasonRun):
                continue
            if why.kind is ReasonKind.SCORE_GROUP:
                yield from self._orders(game, why, named)
            elif why.kind is ReasonKind.COLOUR and why.get_fact("because") in _BY_RANK:
                yield self._ranked(why)

    def explain_bye(self, bye: PairedBye) -> Iterator[PairingReason]:
        """Yield the reasons for the bye, adding the order of the score group and the points for the bye."""
        named = {tpn for why in bye.reasons for tpn in why.players}
        for why in bye.reasons:
            yield why
            if why.kind is ReasonKind.BYE:
                yield self._order(self._pairing_score[bye.player], named)
        yield make_reason(
            article_reference("8"),
            ReasonKind.BYE_POINTS,
            bye.player,
            half_points=JAHR_POINT_SYSTEM.pairing_allocated_bye,
        )

    def _orders(self, game: PairedGame, group: PairingReason, named: set[PairingNumber]) -> Iterator[PairingReason]:
        """Yield the order of the pair's group, and of the groups its players came from."""
        scores = {self._pairing_score[tpn] for tpn in (game.white, game.black)}
        own = group.get_fact("half_points")
        if isinstance(own, int):
            scores.add(own)
        for score in sorted(scores, reverse=True):
            if score in self._groups:
                order = self._order(score, named)
                yield self._gone(order, score, game) if score == own else order

    def _gone(self, order: PairingReason, score: int, game: PairedGame) -> PairingReason:
        """Say who of a group was no longer free when a pair was formed: those who floated, and those paired."""
        floated = self._floated.get(score, frozenset()).difference((game.white, game.black))
        formed, now = self._formed, game.formation_number
        paired = tuple([tpn for tpn in order.players if 0 < formed[tpn] < now and tpn not in floated])
        if floated:
            order = with_facts(order, floated=tuple(sorted(floated.intersection(order.players))))
        return with_facts(order, paired=paired) if paired else order

    def _order(self, score: int, named: set[PairingNumber]) -> PairingReason:
        """Explain a score group's order by total points and exact value (7). Places start at 1."""
        group = self._groups[score]
        if len(group) <= MAX_FULLY_LISTED_GROUP:
            told = list(enumerate(group, start=1))
        else:
            places = self._places
            told = sorted((places[tpn], tpn) for tpn in named if self._pairing_score.get(tpn) == score)
        values = [self._values[tpn] for _, tpn in told]
        absent = self._absent.intersection(group)
        return make_reason(
            article_reference("7"),
            ReasonKind.ORDER,
            *(tpn for _, tpn in told),
            half_points=score,
            places=tuple(place for place, _ in told),
            totals=tuple(value.total_points for value in values),
            exacts=tuple(value.exact_value for value in values),
            decimals=values[0].exact_decimals if values else 2,
            of=len(group),
            **({"absent": tuple(sorted(absent))} if absent else {}),
            **({"with_bye": (self._bye,)} if self._bye in group else {}),
            **self._only_so_read([tpn for _, tpn in told]),
        )

    @cached_property
    def _places(self) -> Mapping[PairingNumber, int]:
        """Everyone's place in their score group."""
        return {tpn: place for group in self._groups.values() for place, tpn in enumerate(group, start=1)}

    def _only_so_read(self, told: Sequence[PairingNumber]) -> dict[str, ReasonFact]:
        """Return the interpretation of 6 if the other one would order these players differently."""
        place = self._other_order.__getitem__
        if sorted(told, key=place) == list(told):
            return {}
        return {"reading": format_interpretation(EXACT_TOTALS, self._snapshot.chosen_interpretation(EXACT_TOTALS))}

    @cached_property
    def _other_order(self) -> Mapping[PairingNumber, int]:
        reading = RULE_INTERPRETATIONS[EXACT_TOTALS]
        other = (
            reading.alternative_value
            if self._snapshot.chosen_interpretation(EXACT_TOTALS) == reading.default_value
            else reading.default_value
        )
        readings = non_default_interpretations([*self._snapshot.interpretations, (EXACT_TOTALS, other)])
        return jahr_order(replace(self._snapshot, interpretations=readings)).positions

    def _ranked(self, colour: PairingReason) -> PairingReason:
        """Explain which value ranked one player above the other (6), where colours depend on it."""
        (claim,) = (tpn for tpn in colour.players if tpn == colour.get_fact("claim"))
        (rival,) = (tpn for tpn in colour.players if tpn != claim)
        higher, lower = (rival, claim) if colour.get_fact("because") is ColourCause.LOWER_PLAYER else (claim, rival)
        first, second = self._values[higher], self._values[lower]
        facts: dict[str, ReasonFact]
        if self._positions[higher] > self._positions[lower]:
            scores = self._pairing_score
            facts = {"by": "pairing_score", "higher": scores[higher], "lower": scores[lower]}
        elif first.game_points != second.game_points:
            facts = {"by": "game_points", "higher": first.game_points, "lower": second.game_points}
        elif first.total_points != second.total_points:
            facts = {"by": "total", "higher": first.total_points, "lower": second.total_points}
        elif first.exact_value != second.exact_value:
            facts = {
                "by": "exact",
                "higher": first.exact_value,
                "lower": second.exact_value,
                "decimals": first.exact_decimals,
            }
        else:
            facts = {"by": "number", "higher": higher, "lower": lower}
        pair = sorted((higher, lower), key=self._positions.__getitem__)
        return make_reason(
            article_reference("6"), ReasonKind.RANKED, higher, lower, **facts, **self._only_so_read(pair)
        )


def _without_numbers(colour: PairingReason) -> PairingReason:
    """Leave out the scores and numbers that rank players elsewhere: here the order does."""
    facts = tuple(
        (name, value) for name, value in colour.facts if name != "numbers" and not name.endswith("_half_points")
    )
    return replace(colour, facts=facts)
