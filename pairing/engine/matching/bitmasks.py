"""Sets of players as bitmasks: bit v stands for player v."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, count


def bitmask_of(vertices: Iterable[int]) -> int:
    """Return the bitmask of some vertices (each 0 or more)."""
    listed = [*vertices]
    if len(listed) > _MANY:
        return _mask_of_many(listed)
    mask = 0
    for vertex in listed:
        mask |= 1 << vertex
    return mask


_MANY = 32
"""So many bits are set in bytes: of a long integer every one would cost a copy."""


def _mask_of_many(vertices: Sequence[int]) -> int:
    eights = bytearray((max(vertices) >> 3) + 1)
    for vertex in vertices:
        eights[vertex >> 3] |= 1 << (vertex & 7)
    return int.from_bytes(eights, "little")


_DENSE = 16
"""With one bit in so many, looking at every digit costs less than jumping from one to the next."""
_HANDFUL = 4
"""Up to so many of a long bitmask are taken off one by one: a text of all digits for them would cost more."""
_TRUTH = bytes.maketrans(b"01", b"\x00\x01")


def bitmask_members(mask: int) -> Iterator[int]:
    """Yield the vertices of a bitmask (not negative) in ascending order."""
    many, length = mask.bit_count(), mask.bit_length()
    if many * _DENSE > length:
        return compress(count(), f"{mask:b}"[::-1].encode().translate(_TRUTH))
    return reversed([*bitmask_members_descending(mask)]) if many <= _HANDFUL and length > _RUN else _scattered(mask)


def _scattered(mask: int) -> Iterator[int]:
    # The digits are read from a text because taking bit after bit off a long integer copies it every time.
    digits = f"{mask:b}"
    last = len(digits) - 1
    place = digits.rfind("1")
    while place >= 0:
        yield last - place
        place = digits.rfind("1", 0, place)


_RUN = 512


def bitmask_members_descending(mask: int) -> Iterator[int]:
    """Yield the vertices of a bitmask (not negative) in descending order, the first of them at once."""
    while mask:
        # A run of bits at a time, as what is taken off a long integer copies it.
        low = max(mask.bit_length() - _RUN, 0)
        run = mask >> low
        mask ^= run << low
        while run:
            highest = run.bit_length() - 1
            run ^= 1 << highest
            yield low + highest


def bitmask_bytes(mask: int) -> bytes:
    """A bitmask as bytes, for `is_bit_set`."""
    return mask.to_bytes(mask.bit_length() + 7 >> 3, "little")


def is_bit_set(eights: bytes, vertex: int) -> bool:
    """Whether a vertex is of the bitmask: of a long integer a bit is found in time for all of its length."""
    place = vertex >> 3
    return place < len(eights) and bool(eights[place] >> (vertex & 7) & 1)


_LONG = 1 << 12
"""A bitmask of so many is turned into bytes before thousands are looked for in it."""


def filter_by_bitmask(mask: int, vertices: Iterable[int]) -> Iterator[int]:
    """Those of some vertices who are of the bitmask, read lazily."""
    if mask.bit_length() < _LONG:
        return (vertex for vertex in vertices if mask >> vertex & 1)
    within = bitmask_bytes(mask)
    return (vertex for vertex in vertices if is_bit_set(within, vertex))
