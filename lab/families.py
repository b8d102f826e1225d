"""Families of events that are hard to pair, each drawn from a few parameters: the graph of allowed pairs is chosen.

Everyone has played strangers only, who have left since, so that scores, due colours and floats can be dealt at will;
all pairs outside the graph are forbidden. A pairing of all stands in the graph, so that a legal round exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import combinations, pairwise
from random import Random

from lab.sketch import Sketch
from pairing.engine.snapshot import TournamentSnapshot

PLAYED = 6
"""Rounds before the one to be paired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The parameters of an event. `groups`: score groups; `knot`: the size of its cliques, chains, stars or blocks.

    `hubs` are players of each group whom many may meet; `below` is how many in lower groups each may meet; `bound`
    the share in per cent of those who must have a colour, `density` that of the edges wherever a family has no rule,
    `lifted` the rounds which the strangers began with a point, so that whoever meets them floats up.
    """

    family: str
    players: int
    groups: int
    knot: int
    hubs: int
    below: int
    bound: int
    density: int
    lifted: int
    seed: int

    def __str__(self) -> str:
        return ":".join(map(str, astuple(self)))

    @classmethod
    def read(cls, text: str) -> Recipe:
        """Read a recipe as printed. Raises ValueError."""
        family, *numbers = text.split(":")
        names = [field.name for field in fields(cls)][1:]
        if family not in FAMILIES or len(numbers) != len(names):
            raise ValueError(f"expected FAMILY:{':'.join(names).upper()}, found {text!r}")
        return cls(family=family, **dict(zip(names, map(int, numbers), strict=True)))


class _Graph:
    """The allowed pairs, and the score groups from the top, while they are drawn."""

    def __init__(self, recipe: Recipe) -> None:
        self.dice = Random(str(recipe))
        self.recipe = recipe
        cuts = [recipe.players * place // recipe.groups for place in range(1, recipe.groups)]
        if self.dice.randrange(2):
            cuts = sorted(self.dice.sample(range(1, recipe.players), min(recipe.groups, recipe.players) - 1))
        bounds = [0, *cuts, recipe.players]
        self.groups = [range(first + 1, last + 1) for first, last in pairwise(bounds) if first < last]
        self.edges: set[tuple[int, int]] = set()
        self.group_of = {player: number for number, group in enumerate(self.groups) for player in group}
        self.alone: set[int] = set()

    def join(self, one: int, other: int) -> None:
        """Allow a pair, except for players who may meet nobody in their own group."""
        own_group = self.group_of[one] == self.group_of[other]
        if one != other and not (own_group and (one in self.alone or other in self.alone)):
            self.edges.add((min(one, other), max(one, other)))

    def happens(self) -> bool:
        return self.dice.randrange(100) < self.recipe.density

    def join_below(self, number: int, players: Iterable[int]) -> None:
        """Allow players of a group some opponents in lower groups, mostly the next."""
        lower = self.groups[number + 1 :]
        for player in players:
            for _ in range(self.dice.randint(0, 2 * self.recipe.below) if lower else 0):
                self.join(player, self.dice.choice(lower[0] if self.dice.randrange(3) else self.dice.choice(lower)))

    def split(self, players: Sequence[int], sizes: Callable[[], int]) -> list[list[int]]:
        """The players in random order, in parts of the drawn sizes."""
        left = [*players]
        self.dice.shuffle(left)
        parts: list[list[int]] = []
        while left:
            size = max(1, sizes())
            parts.append(left[:size])
            left = left[size:]
        return parts


def _cliques_and_hubs(graph: _Graph) -> None:
    """Odd cliques, whose members may meet each other, a few hubs, and some players below."""
    dice, recipe = graph.dice, graph.recipe
    for number, group in enumerate(graph.groups):
        hubs, rest = group[: recipe.hubs], group[recipe.hubs :]
        for clique in graph.split(rest, lambda: dice.randrange(1, recipe.knot + 1, 2)):
            for pair in combinations(clique, 2):
                graph.join(*pair)
            for hub in hubs:
                if graph.happens():
                    for player in clique:
                        graph.join(player, hub)
        graph.join_below(number, group)


def _chains(graph: _Graph) -> None:
    """Chains, in which everyone may meet both neighbours, and some players below."""
    dice, recipe = graph.dice, graph.recipe
    for number, group in enumerate(graph.groups):
        for chain in graph.split(group, lambda: dice.randint(1, recipe.knot)):
            for one, other in pairwise(chain):
                graph.join(one, other)
            if graph.happens():
                graph.join(chain[0], chain[-1])
        graph.join_below(number, group)


def _stars(graph: _Graph) -> None:
    """Stars, whose rays may meet the centre, perhaps another hub, and some players below."""
    dice, recipe = graph.dice, graph.recipe
    for number, group in enumerate(graph.groups):
        hubs = group[: recipe.hubs]
        for centre, *rays in graph.split(group, lambda: dice.randint(1, recipe.knot)):
            for ray in rays:
                graph.join(centre, ray)
                for hub in hubs:
                    if graph.happens():
                        graph.join(ray, hub)
        graph.join_below(number, group)


def _round_robins(graph: _Graph) -> None:
    """Blocks in which nearly everyone has met everyone: each has a few opponents left, across score groups."""
    dice, recipe = graph.dice, graph.recipe
    for block in graph.split(range(1, recipe.players + 1), lambda: dice.randint(3, 4 * recipe.knot)):
        for step in range(1, 1 + recipe.below):
            for place, player in enumerate(block):
                graph.join(player, block[(place + step * (1 + recipe.hubs)) % len(block)])


def _floaters(graph: _Graph) -> None:
    """Groups of which most players must float: few possible opponents inside, many below, some only below."""
    dice, recipe = graph.dice, graph.recipe
    for number, group in enumerate(graph.groups):
        hubs = group[: max(1, len(group) * recipe.density // 200)] if number % 2 == 0 else group
        for pair in combinations(group, 2):
            if (pair[0] in hubs or pair[1] in hubs) and dice.randrange(20) >= recipe.hubs:
                graph.join(*pair)
        for lower in graph.groups[number + 1 : number + 3]:
            for other in lower:
                if dice.randrange(20) < recipe.knot:
                    graph.alone.add(other)
                for player in dice.sample(group, min(recipe.below, len(group))):
                    graph.join(player, other)


def _sparse(graph: _Graph) -> None:
    """Everyone may meet a few players with similar scores."""
    for number, group in enumerate(graph.groups):
        for player in group:
            for _ in range(graph.dice.randint(0, graph.recipe.knot)):
                graph.join(player, graph.dice.choice(group))
        graph.join_below(number, group)


FAMILIES: Mapping[str, Callable[[_Graph], None]] = {
    "cliques-and-hubs": _cliques_and_hubs,
    "chains": _chains,
    "stars": _stars,
    "round-robins": _round_robins,
    "floaters": _floaters,
    "sparse": _sparse,
}


def event_of(recipe: Recipe, *, system: str = "fide-1989") -> TournamentSnapshot:
    """The event of a recipe, before its next round."""
    graph = _Graph(recipe)
    FAMILIES[recipe.family](graph)
    dice, players = graph.dice, recipe.players
    partner = _pairing_of_all(graph)
    sketch = Sketch(2 * players)
    due = _due_colours(recipe, partner, dice)
    scores = {
        player: 2 * PLAYED - min(number, 2 * PLAYED) for number, group in enumerate(graph.groups) for player in group
    }
    gains = {player: _gains(scores[player], dice) for player in scores}
    for player in range(1, 2 * players + 1):
        for _ in range(recipe.lifted):
            sketch.bye(player, 0 if player <= players else 2)
    for number in range(PLAYED):
        for player in range(1, players + 1):
            stranger = players + 1 + (player + number) % players
            half_points = gains[player][number]
            if _is_white(due[player], number, player):
                sketch.game(player, stranger, half_points)
            else:
                sketch.game(stranger, player, 2 - half_points)
    sketch.withdraw(range(players + 1, 2 * players + 1))
    for pair in combinations(range(1, players + 1), 2):
        if pair not in graph.edges:
            sketch.forbid(*pair)
    return sketch.event(system, rounds=recipe.lifted + PLAYED + 4)


def _pairing_of_all(graph: _Graph) -> dict[int, int]:
    """Partners for all but the last of an odd number, mostly with similar scores; their edges join the graph."""
    dice = graph.dice
    graph.alone.clear()
    line = sorted(
        range(1, graph.recipe.players + 1), key=lambda player: player + dice.randrange(1 + graph.recipe.knot * 3)
    )
    partner: dict[int, int] = {}
    for one, other in zip(line[::2], line[1::2], strict=False):
        graph.join(one, other)
        partner[one], partner[other] = other, one
    return partner


def _due_colours(recipe: Recipe, partner: Mapping[int, int], dice: Random) -> dict[int, int]:
    """For each player 1 (must have White), -1 (must have Black) or 0; partners do not need the same colour."""
    due: dict[int, int] = {}
    for player in range(1, recipe.players + 1):
        mate = partner.get(player)
        if dice.randrange(100) >= recipe.bound:
            due[player] = 0
        elif mate is not None and due.get(mate):
            due[player] = -due[mate]
        else:
            due[player] = dice.choice((1, -1, -1))
    return due


def _is_white(due: int, number: int, player: int) -> bool:
    """The colour of a game: alternating, with the last two equal if a colour must be due."""
    if due and number >= PLAYED - 2:
        return due < 0
    return (number + player) % 2 == 0


def _gains(score: int, dice: Random) -> list[int]:
    """Results in half points that add up to a score."""
    gains = [0] * PLAYED
    for _ in range(score):
        gains[dice.choice([number for number in range(PLAYED) if gains[number] < 2])] += 1
    return gains
