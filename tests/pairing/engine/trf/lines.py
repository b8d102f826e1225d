"""Lines of report files for tests, by the columns of FIDE's TRF16 and without our own writer."""

from __future__ import annotations


def player(
    tpn: int,
    *rounds: str,
    name: str = "",
    sex: str = "",
    title: str = "",
    rating: int | str = "",
    federation: str = "",
    fide_number: str = "",
    birth_date: str = "",
    points: str = "",
    rank: int | str = "",
) -> str:
    """A line 001. Each round is eight characters, such as `   4 w 1` or `0000 - H`."""
    assert all(len(block) == 8 for block in rounds), rounds
    static = (
        f"001 {tpn:>4} {sex:1}{title:>3} {name or f'Player {tpn}':<33} {rating:>4} {federation:>3} {fide_number:>11} "
        f"{birth_date:<10} {points:>4} {rank:>4}"
    )
    assert len(static) == 89, static
    return static + "".join(f"  {block}" for block in rounds)


def report(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


FOUR_AFTER_TWO_ROUNDS = (
    player(1, "   3 w 1", "   2 b =", points="1.5", rank=1, rating=2100),
    player(2, "   4 b 1", "   1 w =", points="1.5", rank=2, rating=2000),
    player(3, "   1 b 0", "   4 w 1", points="1.0", rank=3, rating=1900),
    player(4, "   2 w 0", "   3 b 0", points="0.0", rank=4, rating=1800),
)
