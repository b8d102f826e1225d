"""Rounds for events that have no legal round: they break as few rules as possible, for each kind of relaxation.

A relaxation pairs some players, or gives the bye, against one article. The event's own system pairs all others. As few
players as possible are paired against the rules. Among such pairings the greatest cost is the least, then the second
greatest, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from pairing.engine.acceleration import fictitious_points
from pairing.engine.legality import AbsoluteCriteria, RuleBreach, RuleBreachKind
from pairing.engine.matching import EdgeCosts, MaximumMatching, bitmask_members, bitmask_of, find_min_weight_matching
from pairing.engine.paired_round import (
    DecisionCause,
    PairedBye,
    PairedGame,
    PairedRound,
    PairingReason,
    PlayerScore,
    ReasonKind,
    make_reason,
)
from pairing.engine.progress import check_cancelled
from pairing.engine.rules.players import PairingPlayer, players_from_snapshot
from pairing.engine.snapshot import ABSENT_RECORD, Colour, HalfPoints, PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS


class RelaxationKind(StrEnum):
    """The kinds of relaxation."""

    EVENT_RULE = "event rule"
    """Two players meet although a rule of the event keeps them apart; no document asks for that rule."""
    SECOND_BYE = "second bye"
    """The bye goes to somebody who may not have it."""
    REPEAT = "repeat"
    """Two players meet for a second time."""
    ODD_COLOUR = "odd colour"
    """Two players meet who both must have the same colour: one of them does not get it."""
    SEVERAL = "several"
    """None of the above is enough on its own."""


RELAXATION_ARTICLES: Mapping[str, str] = {
    "fide-1989": "fide-1989 preface",
    "dutch-1992": "dutch-1992 B1, B2",
    "dubov-1997": "dubov-1997 art. 9",
    "dutch-2026": "dutch-2026 1.9",
}
"""The article of each document by which the arbiter decides, or, in 1992, may not."""

_OWN_TO_LET_GO = frozenset({RelaxationKind.EVENT_RULE})
_NEVER_RELAXED = frozenset({"dutch-1992"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaxedRound:
    """A whole round that breaks rules: its `pairs` (White first), its `bye`, and the articles it breaks."""

    relaxation: RelaxationKind
    pairs: tuple[tuple[PairingNumber, PairingNumber], ...]
    bye: PairingNumber | None
    breaches: tuple[RuleBreach, ...]
    paired_round: PairedRound


class RelaxationCost(NamedTuple):
    """The cost of one relaxed pair or bye. Costs are compared field by field, and the lower one is better."""

    broken_articles: int
    """The number of articles broken."""
    occurrences: int
    """The number of games between the two, or of the player's points without play."""
    latest_round: int
    """The last round of that: the longer ago the better."""
    colour_excess: int
    """The excess of the colour difference or run over two, for the player who does not get their colour."""
    score_gap: HalfPoints
    """The difference of the two pairing scores; for the bye, that of the player and the lowest."""
    score_sum: HalfPoints
    """The sum of the pairing scores: changes lower down disturb fewer players."""
    numbers: tuple[PairingNumber, ...]
    """The larger numbers first, so that no two costs are equal."""


def governing_document(snapshot: TournamentSnapshot) -> str:
    """Return the document whose articles apply. Under Jahr's order, it is the procedure's document."""
    return (snapshot.procedure or "fide-1989") if snapshot.system == "jahr" else snapshot.system


def can_relax_rules(document: str) -> bool:
    """Return True if the document lets the arbiter decide when its articles allow no round."""
    return document not in _NEVER_RELAXED


def find_relaxed_rounds(snapshot: TournamentSnapshot) -> tuple[RelaxedRound, ...]:
    """Return one round for each kind of relaxation that allows one, in the order of `RelaxationKind`.

    Under a document without exceptions (1992: B1, B2) only the event's own rule can be relaxed. SEVERAL is tried only
    if no other kind helps. The same snapshot gives the same rounds. The result is empty if the event has a legal round,
    or if nothing helps.
    """
    search = _Search(snapshot)
    if not MaximumMatching(search.places.legal).deficiency:
        return ()
    kinds = [kind for kind in RelaxationKind if kind is not RelaxationKind.SEVERAL]
    if not can_relax_rules(governing_document(snapshot)):
        kinds = [kind for kind in kinds if kind in _OWN_TO_LET_GO]
    found = [way for kind in kinds if (way := search.find_relaxed_round(kind)) is not None]
    if not found and can_relax_rules(governing_document(snapshot)):
        last = search.find_relaxed_round(RelaxationKind.SEVERAL)
        found = [last] if last is not None else []
    return tuple(found)


class _Edge(NamedTuple):
    """Two vertices that can be paired only by a relaxation."""

    cost: RelaxationCost
    one: int
    other: int


class _Search:
    def __init__(self, snapshot: TournamentSnapshot) -> None:
        self._snapshot = snapshot
        self.places = LegalPairingGraph(snapshot)
        field = players_from_snapshot(snapshot, fictitious=fictitious_points(snapshot))
        self._field = {player.tpn: player for player in field}
        self._lowest = min((player.pairing_score for player in field if player.is_to_be_paired), default=0)

    def find_relaxed_round(self, relief: RelaxationKind) -> RelaxedRound | None:
        """Return the round with the lowest cost under this kind of relaxation alone, or None if there is none."""
        chosen = self._least_harm(sorted(self._edges(relief)))
        if chosen is None:
            return None
        pairs = [self._coloured(edge.one, edge.other) for edge in chosen if edge.other != self.places.bye_vertex]
        bye = next((self.places.numbers[edge.one] for edge in chosen if edge.other == self.places.bye_vertex), None)
        law = self.places.law
        broken = [breach for pair in pairs for breach in law.pair_breaches(*pair)]
        broken += law.bye_breaches(bye) if bye is not None else ()
        return RelaxedRound(
            relaxation=relief,
            pairs=tuple(pairs),
            bye=bye,
            breaches=tuple(broken),
            paired_round=self._whole_round(pairs, bye, broken),
        )

    def _edges(self, relief: RelaxationKind) -> Iterator[_Edge]:
        places = self.places
        for one in range(len(places.players)):
            above = -1 << (one + 1)
            for other in bitmask_members(self._let_go(relief, one) & above):
                yield _Edge(self._harm_of_pair(one, other), one, other)
        if places.bye_vertex is not None and relief in (RelaxationKind.SECOND_BYE, RelaxationKind.SEVERAL):
            for one in bitmask_members(places.barred):
                yield _Edge(self._harm_of_bye(one), one, places.bye_vertex)

    def _let_go(self, relief: RelaxationKind, one: int) -> int:
        """Return the vertices a player can be paired with by this relaxation, and only by it."""
        met, apart, same = self.places.met[one], self.places.kept_apart[one], self.places.same_colour[one]
        if relief is RelaxationKind.EVENT_RULE:
            return apart & ~met & ~same
        if relief is RelaxationKind.REPEAT:
            return met & ~apart & ~same
        if relief is RelaxationKind.ODD_COLOUR:
            return same & ~met & ~apart
        return met | apart | same if relief is RelaxationKind.SEVERAL else 0

    def _least_harm(self, edges: Sequence[_Edge]) -> list[_Edge] | None:
        """Return the fewest edges, at the least costs, that let everybody be paired, or None if they are not enough.

        `edges` are sorted by cost.
        """
        alive = (1 << len(self.places.numbers)) - 1
        chosen: list[_Edge] = []
        needed = self._fewest(edges, alive)
        if needed is None:
            return None
        while needed:
            # The shortest prefix of the list that needs no more edges ends in an edge that is needed.
            short, enough = needed - 1, len(edges)
            while enough - short > 1:
                middle = (short + enough) // 2
                if self._fewest(edges[:middle], alive) == needed:
                    enough = middle
                else:
                    short = middle
            worst = edges[enough - 1]
            chosen.append(worst)
            alive &= ~(1 << worst.one | 1 << worst.other)
            edges, needed = edges[: enough - 1], needed - 1
        return chosen

    def _fewest(self, edges: Sequence[_Edge], alive: int) -> int | None:
        """Return how many of these edges it takes to pair all players in `alive`, or None if they are not enough."""
        check_cancelled()
        count = len(self.places.numbers)
        costly = [0] * count
        for edge in edges:
            costly[edge.one] |= 1 << edge.other
            costly[edge.other] |= 1 << edge.one
        tariff = EdgeCosts(levels=((0, self.places.legal), (1, costly)), owned=[0] * count, prices=[0] * count)
        pairs = find_min_weight_matching(tariff, alive)
        return None if pairs is None else sum(costly[one] >> other & 1 for one, other in pairs)

    def _harm_of_pair(self, one: int, other: int) -> RelaxationCost:
        first, second = self._at(one), self._at(other)
        games = self._games_between(first.tpn, second.tpn)
        clash = bool(self.places.same_colour[one] >> other & 1)
        broken = (bool(games), bool(self.places.kept_apart[one] >> other & 1), clash)
        return RelaxationCost(
            broken_articles=sum(broken),
            occurrences=len(games),
            latest_round=max(games, default=0),
            colour_excess=min(_beyond(first), _beyond(second)) if clash else 0,
            score_gap=abs(first.pairing_score - second.pairing_score),
            score_sum=first.pairing_score + second.pairing_score,
            numbers=tuple(sorted((-first.tpn, -second.tpn))),
        )

    def _harm_of_bye(self, one: int) -> RelaxationCost:
        player = self._at(one)
        rounds = [number for number, result in enumerate(player.results, start=1) if result in _WITHOUT_PLAY]
        return RelaxationCost(
            broken_articles=1,
            occurrences=len(rounds),
            latest_round=max(rounds),
            colour_excess=0,
            score_gap=player.pairing_score - self._lowest,
            score_sum=player.pairing_score,
            numbers=(-player.tpn,),
        )

    def _at(self, vertex: int) -> PairingPlayer:
        return self._field[self.places.numbers[vertex]]

    def _games_between(self, one: PairingNumber, other: PairingNumber) -> list[int]:
        card = next(card for card in self._snapshot.cards if card.tpn == one)
        return [
            number
            for number, record in enumerate(card.records, start=1)
            if record.opponent == other and record.is_played
        ]

    def _coloured(self, one: int, other: int) -> tuple[PairingNumber, PairingNumber]:
        """Return (White, Black): the stronger claim gets its due colour.

        With equal claims the two swap the colours of their latest game; if they have not met, the higher player gets
        their due colour.
        """
        first, second = sorted(
            (self._at(one), self._at(other)), key=lambda player: (-player.pairing_score, player.number)
        )
        claims = [
            (player.preference.strength.value if player.preference else 0, _beyond(player))
            for player in (first, second)
        ]
        if first.due_colour is not second.due_colour or claims[0] != claims[1]:
            firm, rival = (first, second) if claims[0] >= claims[1] else (second, first)
        elif games := self._games_between(first.tpn, second.tpn):
            card = next(card for card in self._snapshot.cards if card.tpn == first.tpn)
            had_white = card.records[games[-1] - 1].colour is Colour.WHITE
            return (second.tpn, first.tpn) if had_white else (first.tpn, second.tpn)
        else:
            firm, rival = first, second
        return (rival.tpn, firm.tpn) if firm.due_colour is Colour.BLACK else (firm.tpn, rival.tpn)

    def _whole_round(
        self,
        pairs: Sequence[tuple[PairingNumber, PairingNumber]],
        bye: PairingNumber | None,
        broken: Sequence[RuleBreach],
    ) -> PairedRound:
        """Return the round with these pairs and this bye, and all others paired by the system."""
        apart = {tpn for pair in pairs for tpn in pair} | ({bye} if bye is not None else set())
        made = self._paired_without(apart)
        games = list(made.games)
        for white, black in pairs:
            why = tuple(_stated(breach) for breach in broken if set(breach.players) <= {white, black})
            games.append(PairedGame(board=0, white=white, black=black, reasons=why, formation_number=len(games) + 1))
        games.sort(key=self._board_key)
        rests = made.bye
        if bye is not None:
            why = tuple(_stated(breach) for breach in broken if breach.players == (bye,))
            rests = PairedBye(player=bye, reasons=why)
        return replace(
            made,
            games=tuple(replace(game, board=board) for board, game in enumerate(games, start=1)),
            bye=rests,
            scores=tuple(
                PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
                for player in sorted(self._field.values(), key=lambda player: player.tpn)
            ),
        )

    def _paired_without(self, apart: set[PairingNumber]) -> PairedRound:
        snapshot = self._snapshot
        cards = tuple(
            replace(card, unavailable=card.unavailable or ABSENT_RECORD) if card.tpn in apart else card
            for card in snapshot.cards
        )
        if all(card.unavailable is not None for card in cards):
            return PairedRound(
                system=snapshot.system,
                round_number=snapshot.round_number,
                games=(),
                acceleration=snapshot.acceleration,
            )
        return PAIRING_SYSTEMS[snapshot.system](replace(snapshot, cards=cards))

    def _board_key(self, game: PairedGame) -> tuple[int, int]:
        """Return a sort key by scores alone, so that the boards of the system keep their own order."""
        scores = sorted((self._field[game.white].pairing_score, self._field[game.black].pairing_score))
        return (-scores[1], -sum(scores))


_WITHOUT_PLAY = frozenset({Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN})
_CAUSES: Mapping[RuleBreachKind, DecisionCause] = {
    RuleBreachKind.MET: DecisionCause.MET,
    RuleBreachKind.FORBIDDEN: DecisionCause.FORBIDDEN,
    RuleBreachKind.SAME_ABSOLUTE_COLOUR: DecisionCause.SAME_ABSOLUTE_COLOUR,
    RuleBreachKind.BYE_BARRED: DecisionCause.HAD_POINT_WITHOUT_PLAY,
}


def _stated(breach: RuleBreach) -> PairingReason:
    """Return a breach as a reason of the board. The event's own rule isn't an article of any document."""
    facts = {} if breach.round_number is None else {"round": breach.round_number}
    article = "" if breach.kind is RuleBreachKind.FORBIDDEN else breach.article
    return make_reason(article, ReasonKind.EXCEPTION, *breach.players, because=_CAUSES[breach.kind], **facts)


def _beyond(player: PairingPlayer) -> int:
    """Return how far the colour a player is not due would take their difference, or run, beyond two."""
    if player.preference is None:
        return 0
    again = player.preference.colour.opposite
    run = next(
        (back for back, colour in enumerate(reversed(player.colours)) if colour is not again), len(player.colours)
    )
    difference = player.colour_difference if again is Colour.WHITE else -player.colour_difference
    return max(difference - 1, run - 1, 0)


BYE_NUMBER: PairingNumber = 0
"""The number used for the bye among the players of a proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfeasibilityProof:
    """A proof that there are more `groups` than `scarce_opponents`, while each group needs one of those opponents.

    `possible_opponents` lists every opponent that a member of a group can still have. BYE_NUMBER is the bye: among a
    player's opponents it means that they can have the bye; its own entry lists who can.
    """

    groups: tuple[tuple[PairingNumber, ...], ...]
    scarce_opponents: tuple[PairingNumber, ...]
    possible_opponents: Mapping[PairingNumber, tuple[PairingNumber, ...]]


def find_infeasibility_proof(snapshot: TournamentSnapshot) -> InfeasibilityProof | None:
    """Return the proof that the next round cannot be paired, or None if it can."""
    places = LegalPairingGraph(snapshot)
    matching = MaximumMatching(places.legal)
    if not matching.deficiency:
        return None
    parts = matching.decompose_gallai_edmonds()
    return InfeasibilityProof(
        groups=tuple(sorted(places.pairing_numbers_of(group) for group in _connected(places.legal, parts.missable))),
        scarce_opponents=places.pairing_numbers_of(parts.blocking),
        possible_opponents={
            places.numbers[v]: places.pairing_numbers_of(places.legal[v]) for v in bitmask_members(parts.missable)
        },
    )


class LegalPairingGraph:
    """The players to be paired as vertices of a graph, and the bye if their number is odd.

    `numbers` are their pairing numbers, BYE_NUMBER for the bye. Every graph gives for each vertex a bitmask of others:

    - `legal`: those the document lets this player be paired with
    - `met`: those this player has met
    - `kept_apart`: those a rule of the event keeps apart from this player
    - `same_colour`: those who must have the same colour

    `barred` is the bitmask of players who may not have the bye.
    """

    def __init__(self, snapshot: TournamentSnapshot) -> None:
        """Build the graphs for the next round of `snapshot`."""
        self.law = AbsoluteCriteria(snapshot)
        self.players = tuple(player for player in players_from_snapshot(snapshot) if player.is_to_be_paired)
        self.numbers = tuple(player.tpn for player in self.players)
        self.has_bye = len(self.players) % 2 == 1
        self.barred = bitmask_of(v for v, tpn in enumerate(self.numbers) if any(self.law.bye_breaches(tpn)))
        at = {tpn: v for v, tpn in enumerate(self.numbers)}
        self.met = [bitmask_of(at[tpn] for tpn in player.met_in_round if tpn in at) for player in self.players]
        self.kept_apart = [
            bitmask_of(at[tpn] for tpn in player.forbidden_opponents if tpn in at) for player in self.players
        ]
        self.same_colour = list(self._same_colours())
        everyone = (1 << len(self.players)) - 1
        self.legal = [
            everyone & ~(met | apart | same | 1 << v)
            for v, (met, apart, same) in enumerate(zip(self.met, self.kept_apart, self.same_colour, strict=True))
        ]
        if self.has_bye:
            self._add_bye(everyone)

    @property
    def bye_vertex(self) -> int | None:
        """The vertex of the bye, or None if the number of players is even."""
        return len(self.players) if self.has_bye else None

    def pairing_numbers_of(self, vertices: int) -> tuple[PairingNumber, ...]:
        """Return the pairing numbers of some vertices in ascending order."""
        return tuple(sorted(self.numbers[v] for v in bitmask_members(vertices)))

    def _same_colours(self) -> Iterator[int]:
        must = [self.law.required_colour(tpn) for tpn in self.numbers]
        who = {colour: bitmask_of(v for v, needed in enumerate(must) if needed is colour) for colour in Colour}
        for v, needed in enumerate(must):
            yield 0 if needed is None else who[needed] & ~(1 << v)

    def _add_bye(self, everyone: int) -> None:
        place = len(self.players)
        self.numbers = (*self.numbers, BYE_NUMBER)
        for graph in (self.met, self.kept_apart, self.same_colour):
            graph.append(0)
        may_rest = everyone & ~self.barred
        self.legal = [edges | (may_rest >> v & 1) << place for v, edges in enumerate(self.legal)]
        self.legal.append(may_rest)


def _connected(neighbours: list[int], among: int) -> Iterator[int]:
    """Yield the connected components of some vertices, each as a bitmask."""
    while among:
        part = new = among & -among
        while new:
            reached = 0
            for vertex in bitmask_members(new):
                reached |= neighbours[vertex]
            new = reached & among & ~part
            part |= new
        among &= ~part
        yield part
