"""Any bytes give a file or a TrfError with a place in the file, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairing.engine.trf import TrfError, read_trf, snapshot_from_trf, write_trf
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player, report

VALID = report(
    "012 Autumn event",
    "XXR 5",
    "XXC black1",
    "162  W 1.0    D 0.5",
    *FOUR_AFTER_TWO_ROUNDS,
    player(5, "0000 - H", "0000 - U", "0000 - Z", name="Żółta, Zuzanna"),
    "XXA    1  1.0  1.0",
    "250      01.0 001 003 0001 0002",
    "260 001 005    1    4",
    "240 H 003    2",
)
PIECES = st.sampled_from(
    [b"\r", b"\n", b" ", b"0", b"9", b"001 ", b"XXR", b"\xc5\x81", b"\xff", b"\x00", b"w", b"-", b"="]
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = bytearray(VALID)
    for _ in range(draw(st.integers(min_value=1, max_value=6))):
        at = draw(st.integers(min_value=0, max_value=len(data)))
        kind = draw(st.sampled_from(["insert", "replace", "delete", "cut"]))
        if kind == "insert":
            data[at:at] = draw(PIECES)
        elif kind == "replace":
            data[at : at + 1] = draw(PIECES)
        elif kind == "delete":
            del data[at : at + draw(st.integers(min_value=1, max_value=12))]
        else:
            del data[max(at, 10) :]
    return bytes(data)


def check_reading(data: bytes) -> None:
    refusal = None
    try:
        trf = read_trf(data, name="fuzz.trf")
        snapshot_from_trf(trf, system="fide-1989").check_consistency()
    except TrfError as error:
        refusal = error
    if refusal is None:
        assert read_trf(write_trf(trf), name="fuzz.trf") == trf
    else:
        assert refusal.line >= 1
        assert refusal.column >= 1
        assert str(refusal).startswith("fuzz.trf: line ")


@given(damaged())
@settings(max_examples=400, deadline=None)
def test_a_damaged_file(data: bytes):
    check_reading(data)


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data: bytes):
    check_reading(data)


def test_the_undamaged_file_is_read():
    assert len(read_trf(VALID, name="x.trf").players) == 5


@pytest.mark.parametrize("points", ["4" * 99 + ".5", "0." + "5" * 99])
def test_points_longer_than_any_number(points):
    """Found by `fuzz_readers`: more digits than expected."""
    with pytest.raises(TrfError, match="points such as"):
        snapshot_from_trf(
            read_trf(VALID.replace(b"D 0.5", f"D {points}".encode()), name="fuzz.trf"), system="fide-1989"
        )
