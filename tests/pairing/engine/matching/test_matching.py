"""Incremental matching, compared with all pairings of small fields."""

import random
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from pairing.engine.matching import NO_VERTEX, MaximumMatching, MinConflictMatching, bitmask_members, bitmask_of
from pairing.engine.matching.bitmasks import bitmask_members_descending, filter_by_bitmask

Best = Callable[[int], tuple[int, int]]


def graph(count: int, *edges: tuple[int, int]) -> list[int]:
    neighbours = [0] * count
    for one, other in edges:
        neighbours[one] |= 1 << other
        neighbours[other] |= 1 << one
    return neighbours


def cycle(*vertices: int) -> list[tuple[int, int]]:
    return list(zip(vertices, (*vertices[1:], vertices[0]), strict=True))


def random_graph(count: int, share: float, rng: random.Random) -> list[int]:
    return graph(count, *((i, j) for i in range(count) for j in range(i) if rng.random() < share))


def same_colour(neighbours: Sequence[int], white: int, black: int) -> list[int]:
    return [mask & (white if white >> v & 1 else black if black >> v & 1 else 0) for v, mask in enumerate(neighbours)]


def brute_force(neighbours: Sequence[int], costly: Sequence[int] | None = None) -> Best:
    """Return a function from a set of vertices to the fewest left exposed and the fewest costly pairs with so few."""

    @cache
    def best(left: int) -> tuple[int, int]:
        if not left:
            return 0, 0
        vertex = left.bit_length() - 1
        rest = left ^ 1 << vertex
        exposed, cost = best(rest)
        found = exposed + 1, cost
        for other in bitmask_members(neighbours[vertex] & rest):
            exposed, cost = best(rest ^ 1 << other)
            found = min(found, (exposed, cost + (costly[vertex] >> other & 1 if costly else 0)))
        return found

    return best


class Field:
    """A `MaximumMatching`, and a plain record of the graph that it should have."""

    def __init__(self, neighbours: list[int], alive: int) -> None:
        self.neighbours = list(neighbours)
        self.matching = MaximumMatching(neighbours, alive)

    @property
    def best(self) -> Best:
        return brute_force(self.neighbours)

    def change(self, rng: random.Random) -> None:
        matching, count = self.matching, len(self.neighbours)
        vertex = rng.randrange(count)
        others = rng.getrandbits(count) & rng.getrandbits(count) & ~(1 << vertex)
        match rng.randrange(5):
            case 0 if matching.alive >> vertex & 1:
                matching.remove_vertices(vertex)
            case 1 if matching.alive.bit_count() > 1:
                matching.remove_vertices(*rng.sample(list(bitmask_members(matching.alive)), 2))
            case 2 if not matching.alive >> vertex & 1:
                matching.add_vertex(vertex)
            case 3:
                matching.forbid_edges(vertex, others)
                self.neighbours[vertex] &= ~others
                for other in bitmask_members(others):
                    self.neighbours[other] &= ~(1 << vertex)
            case 4:
                matching.allow_edges(vertex, others)
                self.neighbours[vertex] |= others
                for other in bitmask_members(others):
                    self.neighbours[other] |= 1 << vertex

    def check(self) -> None:
        matching, best = self.matching, self.best
        assert matching.deficiency == best(matching.alive)[0]
        for vertex, mate in enumerate(matching.mate):
            assert (mate == NO_VERTEX) == bool(matching.exposed >> vertex & 1 or not matching.alive >> vertex & 1)
            if mate != NO_VERTEX:
                assert matching.mate[mate] == vertex
                assert self.neighbours[vertex] >> mate & matching.alive >> mate & 1

    def check_queries(self, rng: random.Random) -> None:
        matching, best = self.matching, self.best
        alive, deficiency = matching.alive, matching.deficiency
        parts = matching.decompose_gallai_edmonds()
        missable = bitmask_of(v for v in bitmask_members(alive) if best(alive ^ 1 << v)[0] < deficiency)
        beside = bitmask_of(
            w for v in bitmask_members(missable) for w in bitmask_members(self.neighbours[v] & alive & ~missable)
        )
        assert parts == (missable, beside, alive & ~missable & ~beside)
        left_out = rng.getrandbits(len(self.neighbours)) & alive
        possible = best(alive & ~left_out)[0] == deficiency - left_out.bit_count()
        assert matching.can_leave_unmatched(left_out) == possible
        for one in bitmask_members(alive):
            gentle = [
                w
                for w in bitmask_members(self.neighbours[one] & alive)
                if best(alive ^ 1 << one ^ 1 << w)[0] <= deficiency
            ]
            assert matching.possible_partners(one) == bitmask_of(gentle)
            other = rng.randrange(len(self.neighbours))
            assert matching.can_pair(one, other) == (other in gentle)
        self.check()


def contents(matching: MaximumMatching) -> tuple[object, ...]:
    return list(matching.mate), matching.alive, matching.exposed, list(matching._neighbours)


@pytest.mark.parametrize("seed", range(8))
def test_every_change_leaves_a_maximum_matching_and_can_be_undone(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        count = rng.randint(1, 10)
        field = Field(random_graph(count, rng.choice([0.15, 0.3, 0.5, 0.9]), rng), rng.getrandbits(count))
        field.check()
        marks = []
        for _ in range(6):
            marks.append((field.matching.create_savepoint(), contents(field.matching), list(field.neighbours)))
            field.change(rng)
            field.check()
        field.check_queries(rng)
        for mark, before, neighbours in reversed(marks):
            field.matching.rollback(mark)
            field.neighbours = neighbours
            assert contents(field.matching) == before
        field.check_queries(rng)


@pytest.mark.parametrize("seed", range(5))
def test_the_first_possible_candidate_is_taken(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        count = rng.randint(2, 12)
        neighbours = random_graph(count, rng.choice([0.2, 0.4, 0.7]), rng)
        matching, best = MaximumMatching(neighbours), brute_force(neighbours)
        for vertex in range(count):
            candidates = rng.sample(range(count), count)
            alive, limit = matching.alive, matching.deficiency
            if not alive >> vertex & 1:
                assert matching.fix_first_possible_pair(vertex, candidates) is None
                continue
            possible = neighbours[vertex] & alive
            fitting = [w for w in candidates if possible >> w & 1 and best(alive ^ 1 << vertex ^ 1 << w)[0] <= limit]
            assert matching.fix_first_possible_pair(vertex, iter(candidates)) == (fitting[0] if fitting else None)


@pytest.mark.parametrize("seed", range(20))
def test_a_larger_matching_is_maximum_by_berges_formula(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(40, 120)
    neighbours = random_graph(count, rng.choice([1.0, 1.5, 2.0, 3.0]) / count, rng)
    matching = MaximumMatching(neighbours)
    missable, blocking, settled = matching.decompose_gallai_edmonds()
    assert missable | blocking | settled == (1 << count) - 1
    left, odd = (1 << count) - 1 & ~blocking, 0
    while left:
        part, edge = 0, left & -left
        while edge:
            part |= edge
            edge = bitmask_of(w for v in bitmask_members(edge) for w in bitmask_members(neighbours[v] & left & ~part))
        left &= ~part
        odd += part.bit_count() % 2
    assert matching.deficiency == odd - blocking.bit_count()


def test_many_left_over_are_matched_by_parting_pairs() -> None:
    """Fifty paths of four with the middle pair matched, and fifty triangles, each of which leaves one vertex."""
    count = 50
    paths = [(4 * number, 4 * number + 1, 4 * number + 2, 4 * number + 3) for number in range(count)]
    triangles = [tuple(4 * count + 3 * number + corner for corner in range(3)) for number in range(count)]
    edges = [edge for one, two, three, four in paths for edge in ((one, two), (two, three), (three, four))]
    edges += [edge for one, two, three in triangles for edge in ((one, two), (two, three), (one, three))]
    graph = [0] * (7 * count)
    for one, other in edges:
        graph[one] |= 1 << other
        graph[other] |= 1 << one
    matching = MaximumMatching(graph, pairs=[(two, three) for _, two, three, _ in paths])
    assert matching.deficiency == count
    assert matching.exposed >> 4 * count << 4 * count == matching.exposed, "nobody of the paths is left over"
    assert all(graph[one] >> other & 1 and matching.mate[other] == one for one, other in matching.matched_pairs())


def test_a_long_path_is_turned_over_without_recursion() -> None:
    count = 3000
    matching = MaximumMatching(graph(count, *((v, v + 1) for v in range(count - 1))), pairs=[])
    assert matching.deficiency == 0
    # Without both end vertices every pair of the path must change.
    assert matching.can_pair(0, 1)
    assert matching.remove_vertices(0, count - 1) == 0


def test_nested_blossoms_are_found() -> None:
    # Triangles attached to a pentagon and before it.
    edges = [(0, 1), *cycle(1, 2, 3), (3, 4), *cycle(4, 5, 6, 7, 8), *cycle(5, 6, 10), (7, 9), (2, 11)]
    neighbours = graph(12, *edges)
    assert MaximumMatching(neighbours).deficiency == brute_force(neighbours)((1 << 12) - 1)[0]


def test_of_an_odd_cycle_anybody_can_be_left_out() -> None:
    matching = MaximumMatching(graph(5, *cycle(0, 1, 2, 3, 4)))
    assert matching.deficiency == 1
    assert matching.decompose_gallai_edmonds() == (0b11111, 0, 0)
    assert all(matching.can_leave_unmatched(1 << v) for v in range(5))
    assert not matching.can_leave_unmatched(0b11)


def test_of_a_star_only_its_points_can_be_left_out() -> None:
    matching = MaximumMatching(graph(4, (0, 1), (0, 2), (0, 3)))
    assert matching.decompose_gallai_edmonds() == (0b1110, 0b0001, 0)
    assert matching.can_leave_unmatched(0b1100)
    assert not matching.try_leave_exposed(0)
    assert matching.try_leave_exposed(2)
    assert matching.deficiency == 1


def test_a_pair_that_isolates_a_player_is_refused_unless_they_may_be_exposed() -> None:
    matching = MaximumMatching(graph(4, (0, 1), (1, 2), (2, 3)))
    before = contents(matching)
    assert not matching.try_fix_pair(1, 2)
    assert contents(matching) == before
    assert matching.try_fix_pair(1, 2, exposed_at_most=2)
    assert matching.exposed == 0b1001


def test_those_who_have_met_are_not_paired() -> None:
    matching = MaximumMatching(graph(4, *cycle(0, 1, 2, 3)))
    assert not matching.can_pair(0, 2)
    assert matching.fix_first_possible_pair(0, [2, 0]) is None


def test_rollback_on_exit_undoes_changes_after_an_error() -> None:
    matching = MaximumMatching(graph(4, *cycle(0, 1, 2, 3)))
    before = contents(matching)

    def fail_within() -> None:
        with matching.rollback_on_exit():
            matching.remove_vertices(0, 1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_within()
    assert contents(matching) == before


def test_an_empty_field_is_matched() -> None:
    assert MaximumMatching([]).deficiency == 0
    assert MaximumMatching([]).decompose_gallai_edmonds() == (0, 0, 0)
    assert MinConflictMatching([], 0, 0).min_conflicts == 0


@pytest.mark.parametrize(
    ("neighbours", "alive"),
    [([0b1], 1), ([0b10], 1), ([0], 0b10), ([0], -1), ([-1], 1)],
    ids=["loop", "outside", "absent", "negative field", "negative neighbours"],
)
def test_what_is_no_graph_is_refused(neighbours: list[int], alive: int) -> None:
    with pytest.raises(ValueError, match=r"graph"):
        MaximumMatching(neighbours, alive)


def test_wrong_calls_are_refused() -> None:
    matching = MaximumMatching(graph(4, *cycle(0, 1, 2, 3)))
    with pytest.raises(ValueError, match="same matching"):
        MaximumMatching(graph(3, (0, 1), (1, 2)), pairs=[(0, 1), (1, 2)])
    with pytest.raises(ValueError, match="takes part"):
        matching.add_vertex(0)
    with pytest.raises(ValueError, match="paired with itself"):
        matching.allow_edges(0, 0b1)
    start = matching.create_savepoint()
    matching.remove_vertices(0)
    late = matching.create_savepoint()
    with pytest.raises(ValueError, match="take part"):
        matching.remove_vertices(0)
    matching.rollback(start)
    with pytest.raises(ValueError, match="mark"):
        matching.rollback(late)


def random_colours(count: int, rng: random.Random) -> tuple[int, int]:
    white_share, none_share = rng.uniform(0.05, 0.95), rng.choice([0, 0, 0.2, 0.5])
    white = bitmask_of(v for v in range(count) if rng.random() < white_share)
    none = bitmask_of(v for v in range(count) if rng.random() < none_share)
    return white & ~none, (1 << count) - 1 & ~white & ~none


def pair_all(clashes: MinConflictMatching, neighbours: Sequence[int], best: Best, rng: random.Random) -> None:
    """Pair everybody, in any order and within any limit, and compare each step with brute force."""
    while clashes.alive:
        vertex = rng.choice(list(bitmask_members(clashes.alive)))
        limit = clashes.min_conflicts + rng.choice([-1, 0, 0, 0, 1, 2])
        fitting = []
        for other in bitmask_members(neighbours[vertex] & clashes.alive):
            exposed, cost = best(clashes.alive ^ 1 << vertex ^ 1 << other)
            if not exposed and cost + clashes.is_conflicting_pair(vertex, other) <= limit:
                fitting.append(other)
        assert clashes.possible_partners(vertex, limit) == bitmask_of(fitting)
        candidates = rng.sample(range(len(neighbours)), len(neighbours))
        assert clashes.can_pair(vertex, candidates[0], limit) == (candidates[0] in fitting)
        first = next((c for c in candidates if c in fitting), None)
        assert clashes.fix_first_possible_pair(vertex, iter(candidates), limit) == first
        assert clashes.min_conflicts == best(clashes.alive)[1]
        pairs = clashes.matched_pairs()
        assert bitmask_of(v for pair in pairs for v in pair) == clashes.alive
        assert sum(clashes.is_conflicting_pair(*pair) for pair in pairs) == clashes.min_conflicts
        assert all(clashes.are_neighbours(*pair) for pair in pairs)


@pytest.mark.parametrize("seed", range(12))
def test_the_fewest_clashes_are_kept_through_every_choice_and_its_undoing(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(70):
        count = 2 * rng.randint(1, 7)
        neighbours = random_graph(count, rng.choice([0.25, 0.35, 0.5, 0.9]), rng)
        white, black = random_colours(count, rng)
        best = brute_force(neighbours, same_colour(neighbours, white, black))
        exposed, fewest = best((1 << count) - 1)
        if exposed:
            with pytest.raises(ValueError, match="cannot all be paired"):
                MinConflictMatching(neighbours, white, black)
            continue
        clashes = MinConflictMatching(neighbours, white, black)
        assert clashes.min_conflicts == fewest
        before = clashes.alive, clashes.min_conflicts, clashes.matched_pairs()
        with clashes.rollback_on_exit():
            pair_all(clashes, neighbours, best, rng)
        assert (clashes.alive, clashes.min_conflicts, clashes.matched_pairs()) == before
        pair_all(clashes, neighbours, best, rng)


def test_a_majority_clashes_as_often_as_it_is_in_excess() -> None:
    everybody = [0b111111 & ~(1 << v) for v in range(6)]
    assert MinConflictMatching(everybody, 0b011111, 0b100000).min_conflicts == 2
    assert MinConflictMatching(everybody, 0b001111, 0).min_conflicts == 1
    assert MinConflictMatching(everybody, 0b000111, 0b111000).min_conflicts == 0


def test_an_odd_part_without_an_opponent_of_the_other_colour_costs_a_clash() -> None:
    # Three players due no colour among whites: two triangles joined by one edge between players due white.
    neighbours = graph(6, *cycle(0, 1, 2), *cycle(3, 4, 5), (0, 3))
    clashes = MinConflictMatching(neighbours, white=0b001001, black=0)
    assert clashes.min_conflicts == 1
    assert clashes.possible_partners(0) == 0b001000
    assert not clashes.try_fix_pair(0, 1)
    assert not clashes.can_pair(0, 3, at_most=0)
    assert clashes.try_fix_pair(0, 3)
    assert clashes.min_conflicts == 0


def test_a_limit_above_the_least_lets_a_clash_pass() -> None:
    clashes = MinConflictMatching(graph(4, *cycle(0, 1, 2, 3)), white=0b0011, black=0b1100)
    assert clashes.min_conflicts == 0
    assert clashes.possible_partners(0) == 0b1000
    assert clashes.possible_partners(0, at_most=2) == 0b1010
    assert not clashes.can_pair(0, 1, at_most=1)
    assert clashes.fix_first_possible_pair(0, [1, 3], at_most=2) == 1
    assert clashes.min_conflicts == 1


def test_players_not_taking_part_do_not_count() -> None:
    clashes = MinConflictMatching(graph(5, *cycle(0, 1, 2, 3), (0, 4)), white=0b10001, black=0b01110, alive=0b01111)
    assert clashes.min_conflicts == 1
    assert clashes.possible_partners(4) == 0
    assert clashes.fix_first_possible_pair(4, [0]) is None
    assert not clashes.try_fix_pair(0, 4)


def test_nobody_is_due_both_colours() -> None:
    with pytest.raises(ValueError, match="both colours"):
        MinConflictMatching(graph(2, (0, 1)), white=0b11, black=0b10)


def test_members_are_ascending_and_mask_of_is_their_inverse() -> None:
    assert list(bitmask_members(0)) == []
    assert list(bitmask_members(0b1010011)) == [0, 1, 4, 6]
    assert bitmask_of([6, 0, 4, 1]) == 0b1010011
    rng = random.Random(6)
    for length in (1, 40, 511, 512, 513, 1600):
        mask = rng.getrandbits(length)
        assert (
            list(bitmask_members(mask))
            == [v for v in range(length) if mask >> v & 1]
            == list(bitmask_members_descending(mask))[::-1]
        )
        assert bitmask_of(bitmask_members(mask)) == bitmask_of(bitmask_members_descending(mask)) == mask


def test_those_within_a_bitmask_keep_their_order() -> None:
    rng = random.Random(7)
    for length in (1, 60, 5000):
        mask = rng.getrandbits(length) | 1 << length - 1
        vertices = rng.sample(range(length + 9), length + 9)
        assert list(filter_by_bitmask(mask, vertices)) == [v for v in vertices if mask >> v & 1]
