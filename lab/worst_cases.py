"""Events that are hard to pair: `WORST_CASES`, by name.

They are drawn from fixed seeds. In some of them no legal round exists: that has to be found out, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

from lab.sketch import Sketch
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.snapshot import Colour, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS

MAKER = "fide-1989"
"""Who pairs the rounds before, where they are paired at all."""


def one_group() -> TournamentSnapshot:
    """500 players who have drawn all games in eight rounds: one score group, and everybody is due a colour."""
    sketch = Sketch(500)
    for _ in range(8):
        for game in PAIRING_SYSTEMS[MAKER](sketch.event(MAKER, rounds=10)).games:
            sketch.game(game.white, game.black)
    return sketch.event(MAKER, rounds=10)


def one_group_two_colours() -> TournamentSnapshot:
    """500 with equal points, half absolutely due white, the others black; eight games between the halves."""
    sketch = Sketch(500)
    dice = Random(2)
    numbers = list(range(1, 501))
    dice.shuffle(numbers)
    whites, blacks = numbers[:250], numbers[250:]
    for shift in range(8):
        for place, white in enumerate(whites):
            sketch.game(white, blacks[(place + 31 * shift) % 250])
    return sketch.event(MAKER, rounds=10)


def one_group_few_colours() -> TournamentSnapshot:
    """500 with equal points: 250 are absolutely due black after two games against players who have left since."""
    sketch = Sketch(1000)
    for number in (0, 1):
        for player in range(1, 501):
            stranger = 501 + (player + number) % 500
            # The others alternate colours too; either of the two games may come first.
            if player % 2 or number == player // 2 % 2:
                sketch.game(player, stranger, 2)
            else:
                sketch.game(stranger, player, 0)
    sketch.withdraw(range(501, 1001))
    return sketch.event(MAKER, rounds=10)


def same_colour() -> TournamentSnapshot:
    """500 with equal points, all absolutely due Black: no legal round while colours count."""
    return _all_white(rounds=10)


def same_colour_last_round() -> TournamentSnapshot:
    """The same before the last round, when some documents ignore colours."""
    return _all_white(rounds=3)


def _all_white(*, rounds: int) -> TournamentSnapshot:
    sketch = Sketch(1000)
    for number in (0, 1):
        for player in range(1, 501):
            sketch.game(player, 501 + (player + number) % 500, 2)
    sketch.withdraw(range(501, 1001))
    return sketch.event(MAKER, rounds=rounds)


def round_robin() -> TournamentSnapshot:
    """60 players after 58 of 59 rounds of a round robin: one opponent is left for each."""
    return _round_robin(60, played=58)


def round_robin_a_few_left() -> TournamentSnapshot:
    """60 players after 54 of these rounds: five opponents are left for each."""
    return _round_robin(60, played=54)


def _round_robin(players: int, *, played: int) -> TournamentSnapshot:
    """Berger tables, with random results."""
    sketch = Sketch(players)
    dice = Random(players)
    circle = players - 1
    for number in range(played):
        fixed, opposite = players, number + 1
        pairs = [(opposite, fixed) if number % 2 else (fixed, opposite)]
        for step in range(1, players // 2):
            one, other = (number + step) % circle + 1, (number - step) % circle + 1
            pairs.append((one, other) if step % 2 else (other, one))
        for white, black in pairs:
            sketch.game(white, black, dice.randrange(3))
    return sketch.event(MAKER, rounds=circle)


def club_of_350() -> TournamentSnapshot:
    """350 of the 500 leaders are in one club; 30 are below them, of whom each club member may not play half."""
    return _big_club(following=30, open_share=50)


def club_of_350_hardly_anyone_beyond() -> TournamentSnapshot:
    """The same with 150 below them, of whom each club member may play hardly any."""
    return _big_club(following=150, open_share=1)


def _big_club(*, following: int, open_share: int) -> TournamentSnapshot:
    """Two rounds: 500 players with two points, some with one and a half, the rest below."""
    sketch = Sketch(1000)
    dice = Random(following)
    leaders, seconds = range(1, 501), range(501, 501 + following)
    for half_points in (2, 1):
        others = list(range(501 + following, 1001))
        dice.shuffle(others)
        for player in (*leaders, *seconds):
            gained = 2 if player in leaders else half_points
            if not others or dice.randrange(5) == 0:
                sketch.bye(player, gained)
            else:
                _game_by_chance(sketch, dice, player, others.pop(), gained)
        while len(others) > 1:
            sketch.game(others.pop(), others.pop())
        for player in others:
            sketch.bye(player, 1)
    club = dice.sample(leaders, 350)
    sketch.forbid_among(club)
    for player in club:
        for other in seconds:
            if dice.randrange(100) >= open_share:
                sketch.forbid(player, other)
    return sketch.event(MAKER, rounds=12)


def _game_by_chance(sketch: Sketch, dice: Random, player: int, other: int, half_points: int) -> None:
    """The player usually gets the other colour than last time."""
    is_white = dice.random() < 0.5
    if sketch.last_colour(player) is (Colour.WHITE if is_white else Colour.BLACK) and dice.random() < 0.7:
        is_white = not is_white
    if is_white:
        sketch.game(player, other, half_points)
    else:
        sketch.game(other, player, 2 - half_points)


def ten_clubs() -> TournamentSnapshot:
    """500 players in round 5, in ten clubs of 50 in succession on the list, which may not play within a club."""
    sketch = Sketch(500)
    for first in range(1, 500, 50):
        sketch.forbid_among(range(first, first + 50))
    dice = Random(3)
    for _ in range(4):
        for game in PAIRING_SYSTEMS[MAKER](sketch.event(MAKER, rounds=9)).games:
            sketch.game(game.white, game.black, dice.randrange(3))
    return sketch.event(MAKER, rounds=9)


def few_opponents() -> TournamentSnapshot:
    """300 with equal points after two rounds, each with only four possible opponents."""
    sketch = Sketch(300)
    dice = Random(6)
    numbers = list(range(1, 301))
    for _ in range(2):
        dice.shuffle(numbers)
        for white, black in zip(numbers[::2], numbers[1::2], strict=True):
            sketch.game(white, black)
    allowed: set[frozenset[int]] = set()
    for _ in range(4):
        dice.shuffle(numbers)
        allowed.update(frozenset(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))
    for one, other in combinations(sorted(numbers), 2):
        if frozenset((one, other)) not in allowed:
            sketch.forbid(one, other)
    return sketch.event(MAKER, rounds=9)


def everyone_floats() -> TournamentSnapshot:
    """40 score groups of ten siblings each: nobody has an opponent in the own group."""
    sketch = Sketch(400)
    for group in range(40):
        siblings = range(10 * group + 1, 10 * group + 11)
        sketch.forbid_among(siblings)
        for player in siblings:
            _come_by(sketch, player, 40 - group)
    _everyone_draws(sketch, 400)
    return sketch.event(MAKER, rounds=30)


def odd_groups() -> TournamentSnapshot:
    """42 score groups of seven, five of whom are siblings: several floaters out of every group."""
    sketch = Sketch(294)
    for group in range(42):
        members = range(7 * group + 1, 7 * group + 8)
        sketch.forbid_among(members[:5])
        for player in members:
            _come_by(sketch, player, 42 - group)
    _everyone_draws(sketch, 294)
    return sketch.event(MAKER, rounds=30)


def _come_by(sketch: Sketch, player: int, half_points: int) -> None:
    """21 rounds of requested byes, worth so many half points together."""
    for number in range(21):
        sketch.bye(player, max(0, min(2, half_points - 2 * number)))


def _everyone_draws(sketch: Sketch, players: int) -> None:
    """A round of games, without which byes would not count as rounds played."""
    for player in range(1, players // 2 + 1):
        pair = (player, player + players // 2)
        sketch.game(*(pair if player % 2 else reversed(pair)))


def last_of_36_rounds() -> TournamentSnapshot:
    """40 players before the last of 36 rounds, all paired by the rules, so that few opponents are left."""
    played = simulate_event(
        SimulationPlan(players=40, rounds=35, system=MAKER, seed=4, draws=Fraction(1, 2)), PAIRING_SYSTEMS[MAKER]
    )
    return _announced(played, 36)


def last_of_99_rounds() -> TournamentSnapshot:
    """200 players before the last of 99 rounds, the maximum in a report file."""
    played = simulate_event(SimulationPlan(players=200, rounds=98, system=MAKER, seed=5), PAIRING_SYSTEMS[MAKER])
    return _announced(played, 99)


def _announced(event: TournamentSnapshot, rounds: int) -> TournamentSnapshot:
    return replace(event, rounds_announced=rounds)


WORST_CASES: Mapping[str, Callable[[], TournamentSnapshot]] = {
    "one-group": one_group,
    "one-group-two-colours": one_group_two_colours,
    "one-group-few-colours": one_group_few_colours,
    "same-colour": same_colour,
    "same-colour-last-round": same_colour_last_round,
    "round-robin-60-58": round_robin,
    "round-robin-60-54": round_robin_a_few_left,
    "club-of-350": club_of_350,
    "club-of-350-nobody-beyond": club_of_350_hardly_anyone_beyond,
    "ten-clubs": ten_clubs,
    "few-opponents": few_opponents,
    "everyone-floats": everyone_floats,
    "odd-groups": odd_groups,
    "last-of-36-rounds": last_of_36_rounds,
    "last-of-99-rounds": last_of_99_rounds,
}
