"""Legality of a round, however it was paired: the articles that no pairing may break.

Only what a document forbids outright is checked. A better alternative, or a player who floats again, makes a round
differ from the rules. It does not make it illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pairing.engine.rule_interpretations import FORFEIT_WIN_BYES, RULE_INTERPRETATIONS
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.players import PairingPlayer, players_from_snapshot
from pairing.engine.snapshot import Colour, PairingNumber, Result, TournamentSnapshot


class RuleBreachKind(StrEnum):
    """The kinds of breach."""

    MET = "met"
    """players=the two: they had met, in `round_number`."""
    FORBIDDEN = "forbidden"
    """players=the two: a rule of the event keeps them apart."""
    SAME_ABSOLUTE_COLOUR = "same_absolute_colour"
    """players=the two: both had to have the same colour."""
    WRONG_COLOUR = "wrong_colour"
    """players=(player,): they had to have the other colour."""
    BYE_BARRED = "bye_barred"
    """players=(player,): they may not have the bye, because of their result in `round_number`."""
    SEVERAL_BYES = "several_byes"
    """players=all who had the bye of the round: at most one is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreach:
    """One article that a round breaks, and the players involved."""

    kind: RuleBreachKind
    article: str
    players: tuple[PairingNumber, ...]
    round_number: int | None = None


_POINT_WITHOUT_PLAY = frozenset({Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Articles:
    """The article numbers of one document.

    `difference` and `running` are the two grounds for an absolute colour. `unsuited` forbids a pair because of their
    colours; None if the ground itself does.
    """

    prefix: str
    met: str
    difference: str
    running: str
    bye: str
    one_bye: str
    unsuited: str | None = None
    barring: frozenset[Result] = _POINT_WITHOUT_PLAY


_ARTICLES: Mapping[str, _Articles] = {
    "fide-1989": _Articles(
        prefix="fide-1989 art. ",
        met="2",
        unsuited="9.1",
        difference="12.1 b",
        running="12.1 a",
        bye="8.2",
        one_bye="8.1",
        barring=frozenset({Result.PAIRING_ALLOCATED_BYE, Result.FORFEIT_WIN}),
    ),
    "dutch-1992": _Articles(prefix="dutch-1992 ", met="B1", difference="B2", running="B2", bye="B1", one_bye="A5"),
    "dubov-1997": _Articles(
        prefix="dubov-1997 art. ", met="2.1", difference="2.3", running="2.4", bye="2.2", one_bye="4"
    ),
    "dutch-2026": _Articles(prefix="dutch-2026 ", met="C1", difference="C3", running="C3", bye="C2", one_bye="C2"),
}


def find_rule_breaches(
    before: TournamentSnapshot,
    pairs: Iterable[tuple[PairingNumber, PairingNumber]],
    byes: Sequence[PairingNumber],
    *,
    coloured: frozenset[PairingNumber],
) -> tuple[RuleBreach, ...]:
    """Return every article that the round breaks, pair by pair, then the byes. Empty for a legal round.

    `pairs` are (White, Black). `coloured` are the players whose colours are known and count (played games). `before` is
    the event before the round; its fictitious points make no difference here. A round robin follows a table and forbids
    nothing. A Keizer season only forbids pairs who are kept apart.
    """
    if before.system == "round-robin":
        return ()
    if before.system == "keizer":
        return tuple(
            RuleBreach(kind=RuleBreachKind.FORBIDDEN, article="keizer 3.4", players=pair)
            for pair in pairs
            if frozenset(pair) in before.forbidden_pairs
        )
    law = AbsoluteCriteria(before)
    found = [breach for white, black in pairs for breach in law.pair_breaches(white, black, {white, black} <= coloured)]
    found += [breach for tpn in byes for breach in law.bye_breaches(tpn)]
    return (*found, *law.multiple_bye_breaches(byes))


class AbsoluteCriteria:
    """Everything that an event's rule document strictly forbids in its next round."""

    def __init__(self, before: TournamentSnapshot) -> None:
        """Prepare the checks for the next round. Under Jahr's order the document is that of the procedure."""
        self._before = before
        self.document = (before.procedure or "fide-1989") if before.system == "jahr" else before.system
        self._articles = _ARTICLES[self.document]
        nothing = {card.tpn: (0,) * before.round_number for card in before.cards}
        self._field = {player.tpn: player for player in players_from_snapshot(before, fictitious=nothing)}

    def pair_breaches(self, one: PairingNumber, other: PairingNumber, coloured: bool = False) -> Iterator[RuleBreach]:
        """Yield every article that this pair breaks, White first. Colours are checked only if `coloured`."""
        white, black = self._field[one], self._field[other]
        if black.tpn in white.met_in_round:
            met = white.met_in_round[black.tpn]
            yield self._breach(RuleBreachKind.MET, self._articles.met, white.tpn, black.tpn, round_number=met)
        if black.tpn in white.forbidden_opponents:
            yield self._breach(
                RuleBreachKind.FORBIDDEN, self._articles.unsuited or self._articles.met, white.tpn, black.tpn
            )
        must = self.required_colour(one), self.required_colour(other)
        if must[0] is not None and must[0] is must[1]:
            number = self._articles.unsuited or self._ground(black)
            yield self._breach(RuleBreachKind.SAME_ABSOLUTE_COLOUR, number, white.tpn, black.tpn)
            return
        if not coloured:
            return
        for player, given in ((white, Colour.WHITE), (black, Colour.BLACK)):
            needed = self.required_colour(player.tpn)
            if needed is not None and needed is not given:
                yield self._breach(RuleBreachKind.WRONG_COLOUR, self._ground(player), player.tpn)

    def required_colour(self, tpn: PairingNumber) -> Colour | None:
        """Return the colour a player must have in this round, if any.

        In the last round nobody must have one by article 13 of 1989. By the Dutch systems this is true of players above
        half.
        """
        player = self._field[tpn]
        if self._before.is_last_round and self.document == "fide-1989":
            return None
        if self.document.startswith("dutch") and self._is_topscorer(player):
            return None
        return absolute_colour(player)

    def _is_topscorer(self, player: PairingPlayer) -> bool:
        most = self._before.points.win * self._before.rounds_paired
        return self._before.is_last_round and 2 * player.score > most

    def _ground(self, player: PairingPlayer) -> str:
        """Return the article by which a player must have a colour."""
        must = absolute_colour(player)
        last = player.colours[-2:]
        if must is not None and list(last) == [must.opposite] * 2:
            return self._articles.running
        return self._articles.difference

    def bye_breaches(self, tpn: PairingNumber) -> Iterator[RuleBreach]:
        """Yield the article that is broken if this player has the bye."""
        player = self._field[tpn]
        read_otherwise = (
            self._before.chosen_interpretation(FORFEIT_WIN_BYES)
            == RULE_INTERPRETATIONS[FORFEIT_WIN_BYES].alternative_value
        )
        for number, result in enumerate(player.results, start=1):
            if result not in self._articles.barring:
                continue
            long_ago = self.document == "fide-1989" and read_otherwise and number < self._before.rounds_paired
            if not (long_ago and result is Result.FORFEIT_WIN):
                yield self._breach(RuleBreachKind.BYE_BARRED, self._articles.bye, player.tpn, round_number=number)
                return

    def multiple_bye_breaches(self, byes: Sequence[PairingNumber]) -> Iterator[RuleBreach]:
        """Yield a breach if there is more than one bye."""
        if len(byes) > 1:
            yield self._breach(RuleBreachKind.SEVERAL_BYES, self._articles.one_bye, *byes)

    def _breach(
        self, kind: RuleBreachKind, number: str, *players: PairingNumber, round_number: int | None = None
    ) -> RuleBreach:
        article = f"{self._articles.prefix}{number}"
        return RuleBreach(kind=kind, article=article, players=players, round_number=round_number)
