"""A graph given by its missing edges, compared with an explicit one."""

import random

import pytest

from pairing.engine.matching import ComplementGraph, MaximumMatching, bitmask_of, complement_graph


def drawn(count: int, rng: random.Random) -> tuple[ComplementGraph, list[int]]:
    """The same graph both ways: two groups without inner edges, and some further missing edges."""
    crowd = [rng.choice([0, 0, 1, 2]) for _ in range(count)]
    apart: list[list[int]] = [[] for _ in range(count)]
    for _ in range(count * rng.randrange(4)):
        one, other = rng.randrange(count), rng.randrange(count)
        if one != other and other not in apart[one]:
            apart[one].append(other)
            apart[other].append(one)
    shared = [bitmask_of(v for v in range(count) if not own or crowd[v] != own) for own in range(3)]
    open_to = [shared[own] for own in crowd]
    written_out = [
        bitmask_of(v for v in range(count) if v != u and v not in apart[u] and (not crowd[u] or crowd[v] != crowd[u]))
        for u in range(count)
    ]
    return ComplementGraph(open_to, apart), written_out


@pytest.mark.parametrize("room", [0, 3, 1000])
@pytest.mark.parametrize("few", [0, 2, 16])
def test_every_bitmask_is_that_of_the_graph_written_out(room: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complement_graph, "MAX_LISTED_GAPS", few)
    rng = random.Random(room + few)
    for _ in range(20):
        count = rng.randrange(1, 40)
        monkeypatch.setattr(complement_graph, "MAX_CACHED_BITS", room * count)
        made, written_out = drawn(count, rng)
        assert [made.has_edge(u, v) for u in range(count) for v in range(count)] == [
            bool(written_out[u] >> v & 1) for u in range(count) for v in range(count)
        ]
        asked = [rng.randrange(count) for _ in range(2 * count)]
        assert [made[vertex] for vertex in asked] == [written_out[vertex] for vertex in asked]
        assert list(made) == written_out
        assert made[count // 2 :] == written_out[count // 2 :]
        neighbours = rng.getrandbits(count)
        wider = [mask | (neighbours >> vertex & 1) << count for vertex, mask in enumerate(written_out)]
        assert list(made.with_added_vertex(neighbours)) == [*wider, neighbours]


def test_a_matching_of_it_is_that_of_the_graph_written_out_through_every_change() -> None:
    rng = random.Random(20)
    for _ in range(60):
        made, written_out = drawn(rng.randrange(2, 16), rng)
        by_gaps, by_list = MaximumMatching(made), MaximumMatching(written_out)
        for vertex in rng.sample(range(len(made)), len(made) // 2):
            others = rng.getrandbits(len(made)) & ~(1 << vertex)
            for one in (by_gaps, by_list):
                assert one.decompose_gallai_edmonds().missable == whom_it_could_leave_out(one)
                one.forbid_edges(vertex, others)
            assert by_gaps.deficiency == by_list.deficiency
            assert by_gaps.decompose_gallai_edmonds() == by_list.decompose_gallai_edmonds()
            if rng.random() < 0.5:
                assert by_gaps.remove_vertices(vertex) == by_list.remove_vertices(vertex)
        assert list(made) == written_out


def whom_it_could_leave_out(matching: MaximumMatching) -> int:
    """For each vertex, whether as many are left over without it as with it, less the vertex itself."""
    return bitmask_of(
        v for v in range(len(matching.mate)) if matching.alive >> v & 1 and matching.can_leave_unmatched(1 << v)
    )
