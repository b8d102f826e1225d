"""Sets of players as bitmasks: bit v is player v."""

from collections.abc import Iterable, Iterator


def bitmask_of(vertices: Iterable[int]) -> int:
    """Return the bitmask of some vertices (each 0 or more)."""
    mask = 0
    for vertex in vertices:
        mask |= 1 << vertex
    return mask


def bitmask_members(mask: int) -> Iterator[int]:
    """Yield the vertices of a bitmask (not negative) in ascending order."""
    # Reading digits from a text: removing bits one by one from a long integer would copy it every time.
    digits = f"{mask:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def bitmask_members_descending(mask: int) -> Iterator[int]:
    """Yield the vertices of a bitmask (not negative) in descending order, without delay before the first."""
    while mask:
        highest = mask.bit_length() - 1
        mask ^= 1 << highest
        yield highest
