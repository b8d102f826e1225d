"""Sets of players as bitmasks: bit v is player v."""

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
"""From this many bits on, bits are set in bytes: each one set in a long integer would copy it."""


def _mask_of_many(vertices: Sequence[int]) -> int:
    eights = bytearray((max(vertices) >> 3) + 1)
    for vertex in vertices:
        eights[vertex >> 3] |= 1 << (vertex & 7)
    return int.from_bytes(eights, "little")


_DENSE = 16
"""With more than one bit in this many, reading every digit is faster than jumping from bit to bit."""
_HANDFUL = 4
"""Up to this many bits of a long bitmask are removed one by one: a text of all digits would be slower."""
_TRUTH = bytes.maketrans(b"01", b"\x00\x01")


def bitmask_members(mask: int) -> Iterator[int]:
    """Yield the vertices in a bitmask (not negative) in ascending order."""
    many, length = mask.bit_count(), mask.bit_length()
    if many * _DENSE > length:
        return compress(count(), f"{mask:b}"[::-1].encode().translate(_TRUTH))
    return reversed([*bitmask_members_descending(mask)]) if many <= _HANDFUL and length > _RUN else _scattered(mask)


def _scattered(mask: int) -> Iterator[int]:
    # Read the digits from a text: removing bits one by one from a long integer copies it every time.
    digits = f"{mask:b}"
    last = len(digits) - 1
    place = digits.rfind("1")
    while place >= 0:
        yield last - place
        place = digits.rfind("1", 0, place)


_RUN = 512


def bitmask_members_descending(mask: int) -> Iterator[int]:
    """Yield the vertices in a bitmask (not negative) in descending order. The first one is found at once."""
    while mask:
        # Work on a run of bits at a time, as removing bits from a long integer copies it.
        low = max(mask.bit_length() - _RUN, 0)
        run = mask >> low
        mask ^= run << low
        while run:
            highest = run.bit_length() - 1
            run ^= 1 << highest
            yield low + highest


def bitmask_bytes(mask: int) -> bytes:
    """Return a bitmask as bytes, for `is_bit_set`."""
    return mask.to_bytes(mask.bit_length() + 7 >> 3, "little")


def is_bit_set(eights: bytes, vertex: int) -> bool:
    """Return True if a vertex is in the bitmask, given as bytes because indexing a long integer is slow."""
    place = vertex >> 3
    return place < len(eights) and bool(eights[place] >> (vertex & 7) & 1)


_LONG = 1 << 12
"""A bitmask this long is turned into bytes before many vertices are looked up in it."""


def filter_by_bitmask(mask: int, vertices: Iterable[int]) -> Iterator[int]:
    """Return the vertices that are in the bitmask, read lazily."""
    if mask.bit_length() < _LONG:
        return (vertex for vertex in vertices if mask >> vertex & 1)
    within = bitmask_bytes(mask)
    return (vertex for vertex in vertices if is_bit_set(within, vertex))
