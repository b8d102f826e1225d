"""Sets of players as bitmasks: bit v stands for player v."""

from collections.abc import Iterable, Iterator


def mask_of(vertices: Iterable[int]) -> int:
    """Return the bitmask of some vertices (each 0 or more)."""
    mask = 0
    for vertex in vertices:
        mask |= 1 << vertex
    return mask


def members(mask: int) -> Iterator[int]:
    """Yield the vertices of a bitmask (not negative) in ascending order."""
    # The digits are read from a text because taking bit after bit off a long integer copies it every time.
    digits = f"{mask:b}"
    last = len(digits) - 1
    place = digits.rfind("1")
    while place >= 0:
        yield last - place
        place = digits.rfind("1", 0, place)
