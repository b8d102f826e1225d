"""Nested blossoms and the alternating trees over them: the structure of the weighted searches, without the weights.

A *node* is a vertex or a blossom. Trees contain outermost nodes only.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.matching.bitmasks import bitmask_members
from pairing.engine.matching.maximum_matching import NO_VERTEX


@dataclass(frozen=True, slots=True, kw_only=True)
class Blossom:
    """An odd cycle of nodes (vertices or blossoms). The first node contains `base`.

    `links[i]` is the edge from a vertex of `children[i]` to one of the next child, cyclically.
    """

    base: int
    children: tuple[int, ...]
    links: tuple[tuple[int, int], ...]
    mask: int


class BlossomForest:
    """A matching, the blossoms over it, and alternating trees, each from an exposed vertex.

    `mate[v]` is the partner of a vertex or NO_VERTEX; `top[v]` is the outermost node that contains it. `blossoms` and
    `weight` are keyed by the node of a blossom. For the trees, `is_outer` separates outer nodes from inner ones;
    `outer` and `inner` are the bitmasks of their vertices.
    """

    def __init__(self, size: int) -> None:
        """Begin with `size` unmatched vertices, 0 to size - 1. Blossoms are numbered from there."""
        self.mate = [NO_VERTEX] * size
        self.top = list(range(size))
        self.blossoms: dict[int, Blossom] = {}
        self.weight: dict[int, int] = {}
        self._next_node = size
        # The root of the tree that a vertex is in; valid only while it is in one.
        self._root = [NO_VERTEX] * size
        self.clear_trees()

    def copy_without_trees(self) -> "BlossomForest":
        """Return a forest with the same matching and blossoms, without trees."""
        other = BlossomForest(0)
        other.mate, other.top = self.mate.copy(), self.top.copy()
        other.blossoms, other.weight = self.blossoms.copy(), self.weight.copy()
        other._next_node, other._root = self._next_node, self._root.copy()
        return other

    def clear_trees(self) -> None:
        """Remove all trees."""
        self.outer = self.inner = 0
        self.is_outer: dict[int, bool] = {}
        self._link: dict[int, tuple[int, int]] = {}

    def reset_trees(self, roots: Iterable[int]) -> None:
        """Replace all trees with new ones at the nodes of exposed vertices."""
        self.clear_trees()
        for root in roots:
            self._stand(self.top[root], root)
            self._label_outer(self.top[root])

    def is_in_same_tree(self, left: int, right: int) -> bool:
        """Return True if two vertices, both in trees, are in the same one."""
        return self._root[left] == self._root[right]

    def node_mask(self, node: int) -> int:
        """Return the bitmask of a node's vertices."""
        return self.blossoms[node].mask if node in self.blossoms else 1 << node

    def node_base(self, node: int) -> int:
        """Return the node's vertex that is matched outside the node or exposed."""
        return self.blossoms[node].base if node in self.blossoms else node

    def grow_tree(self, node: int, link: tuple[int, int]) -> int:
        """Add a node and its mate to a tree. Return the mask of the mate.

        `link` is the edge from an outer vertex to one of the node's own.
        """
        beyond = self.top[self.mate[self.node_base(node)]]
        for new in (node, beyond):
            self._stand(new, self._root[link[0]])
        self._label_inner(node, link)
        return self._label_outer(beyond)

    def contract_blossom(self, left: int, right: int) -> int:
        """Shrink the cycle that a tight edge between outer nodes closes. Return the mask of new outer vertices."""
        ups = [self._way_up(self.top[left]), self._way_up(self.top[right])]
        # From the root downwards the two paths separate after the node where the cycle closes.
        while len(ups[0]) > 1 and len(ups[1]) > 1 and ups[0][-2][0] == ups[1][-2][0]:
            ups[0].pop()
            ups[1].pop()
        down = ups[0][::-1]
        children = [node for node, _ in down]
        links = [(link[1], link[0]) for _, link in down[1:]]
        links.append((left, right))
        for node, link in ups[1][:-1]:
            children.append(node)
            links.append(link)
        mask = fresh = 0
        for node in children:
            mask |= self.node_mask(node)
            if not self.is_outer.pop(node):
                fresh |= self.node_mask(node)
                del self._link[node]
        base = self.node_base(children[0])
        new, within = self._node_for(children)
        self.blossoms[new] = Blossom(base=base, children=tuple(children), links=tuple(links), mask=mask)
        self.weight[new] = 0
        for vertex in bitmask_members(mask & ~within):
            self.top[vertex] = new
        self.inner &= ~fresh
        self._label_outer(new)
        return fresh

    def _node_for(self, children: list[int]) -> tuple[int, int]:
        """Return a node for a blossom of these, and the mask of vertices that already have it outermost.

        It is the node of the largest child, which gets a new one until it is outermost again. So when a blossom keeps
        growing, only its new vertices need an update.
        """
        fresh = self._next_node
        self._next_node += 1
        blossoms = [node for node in children if node in self.blossoms]
        if not blossoms:
            return fresh, 0
        largest = max(blossoms, key=lambda node: self.blossoms[node].mask.bit_count())
        self._rename(largest, fresh)
        children[children.index(largest)] = fresh
        return largest, self.blossoms[fresh].mask

    def _rename(self, node: int, new: int) -> None:
        self.blossoms[new], self.weight[new] = self.blossoms.pop(node), self.weight.pop(node)

    def augment_matching(self, left: int, right: int) -> int:
        """Match two outer vertices of different trees and remove both trees. Return the mask of all their vertices."""
        ends = (self._root[left], self._root[right])
        nodes = [node for node in self.is_outer if self._root[self.node_base(node)] in ends]
        self.flip_path_to_root(left, right)
        self.flip_path_to_root(right, left)
        fallen = 0
        for node in nodes:
            fallen |= self.node_mask(node)
            del self.is_outer[node]
            self._link.pop(node, None)
        self.outer &= ~fallen
        self.inner &= ~fallen
        return fallen

    def flip_path_to_root(self, vertex: int, new: int) -> None:
        """Match an outer vertex to `new` and swap all pairs from there up to the root."""
        while True:
            node = self.top[vertex]
            old = self.mate[self.node_base(node)]
            self.rebase_blossom(node, vertex)
            self.mate[vertex] = new
            if old == NO_VERTEX:
                return
            inner = self.top[old]
            above, entered = self._link[inner]
            self.rebase_blossom(inner, entered)
            self.mate[entered] = above
            vertex, new = above, entered

    def rebase_blossom(self, node: int, base: int) -> None:
        """Match the inside of a blossom so that only `base` is left to be matched outside."""
        waiting = [(node, base)]
        while waiting:
            node, base = waiting.pop()
            blossom = self.blossoms.get(node)
            if blossom is None or blossom.base == base:
                continue
            first = self._child_of(blossom, base)
            children = blossom.children[first:] + blossom.children[:first]
            links = blossom.links[first:] + blossom.links[:first]
            self.blossoms[node] = Blossom(base=base, children=children, links=links, mask=blossom.mask)
            waiting.append((children[0], base))
            for i in range(1, len(children), 2):
                one, other = links[i]
                self.mate[one], self.mate[other] = other, one
                waiting += ((children[i], one), (children[i + 1], other))

    def dissolve_blossom(self, node: int) -> tuple[int, ...]:
        """Replace an outermost blossom with its children, and return them."""
        blossom = self.blossoms.pop(node)
        del self.weight[node]
        children = list(blossom.children)
        heirs = [place for place, child in enumerate(children) if child in self.blossoms]
        if heirs:
            # The largest child keeps the node, as all its vertices refer to it already.
            place = max(heirs, key=lambda place: self.blossoms[children[place]].mask.bit_count())
            self._rename(children[place], node)
            children[place] = node
        for child in children:
            if child != node:
                for vertex in bitmask_members(self.node_mask(child)):
                    self.top[vertex] = child
        return tuple(children)

    def expand_inner_blossom(self, node: int) -> None:
        """Replace an inner blossom with its children. Children on the even path from entry to base join the tree."""
        link = self._link.pop(node)
        del self.is_outer[node]
        blossom = self.blossoms[node]
        self.inner &= ~blossom.mask
        at = self._child_of(blossom, link[1])
        children = self.dissolve_blossom(node)
        step = 1 if at % 2 else -1
        self._label_inner(children[at], link)
        while at % len(children):
            at += step
            self._label_outer(children[at])
            link = blossom.links[at] if step == 1 else blossom.links[at - 1][::-1]
            at += step
            self._label_inner(children[at % len(children)], link)

    def _stand(self, node: int, root: int) -> None:
        for vertex in bitmask_members(self.node_mask(node)):
            self._root[vertex] = root

    def _label_outer(self, node: int) -> int:
        mask = self.node_mask(node)
        self.is_outer[node] = True
        self.outer |= mask
        return mask

    def _label_inner(self, node: int, link: tuple[int, int]) -> None:
        self.is_outer[node] = False
        self._link[node] = link
        self.inner |= self.node_mask(node)

    def _way_up(self, node: int) -> list[tuple[int, tuple[int, int]]]:
        """Return the nodes up to the root, each with the edge to the next, its own vertex first."""
        way: list[tuple[int, tuple[int, int]]] = []
        while True:
            base = self.node_base(node)
            partner = self.mate[base]
            way.append((node, (base, partner)))
            if partner == NO_VERTEX:
                return way
            inner = self.top[partner]
            above, entered = self._link[inner]
            way.append((inner, (entered, above)))
            node = self.top[above]

    def _child_of(self, blossom: Blossom, vertex: int) -> int:
        return next(i for i, child in enumerate(blossom.children) if self.node_mask(child) >> vertex & 1)
