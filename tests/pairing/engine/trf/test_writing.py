"""Files written in columns, and read again without loss."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from pairing.engine.snapshot import Colour, PairingCard, PointSystem, Result, RoundRecord, TournamentSnapshot
from pairing.engine.trf import (
    TrfEdition,
    TrfHeader,
    TrfPlayer,
    TrfRound,
    encode_event_type,
    make_trf,
    read_trf,
    snapshot_from_trf,
    trf_from_snapshot,
    write_trf,
)
from tests.pairing.engine.trf.lines import FOUR_AFTER_TWO_ROUNDS, player, report

HEADER = TrfHeader(tournament="Autumn event")


def lines_of(data: bytes) -> list[str]:
    return [line.rstrip() for line in re.split("\r\n|\r|\n", data.decode())]


def written(one: TrfPlayer) -> str:
    return lines_of(write_trf(make_trf(header=HEADER, players=[one])))[-2]


def test_a_player_is_in_the_right_columns():
    one = TrfPlayer(
        tpn=7,
        name="Wymyślony, Stanisław",
        sex="m",
        title="FM",
        rating=2345,
        federation="POL",
        fide_number="1100001",
        birth_date="1990/02/03",
        points=Decimal("3.5"),
        rank=3,
        rounds=(
            TrfRound(opponent=12, colour=Colour.WHITE, result=Result.WIN),
            TrfRound(),
            TrfRound(result=Result.ABSENT),
            TrfRound(result=Result.HALF_POINT_BYE),
            TrfRound(opponent=3, result=Result.FORFEIT_LOSS),
            TrfRound(opponent=4, colour=Colour.BLACK),
        ),
    )
    blocks = ("  12 w 1", "        ", "0000 - -", "0000 - H", "   3 - -", "   4 b  ")
    assert (
        written(one)
        == player(
            7,
            *blocks,
            name="Wymyślony, Stanisław",
            sex="m",
            title="FM",
            rating=2345,
            federation="POL",
            fide_number="1100001",
            birth_date="1990/02/03",
            points="3.5",
            rank=3,
        ).rstrip()
    )


def test_a_long_name_is_cut_and_moves_nothing():
    assert written(TrfPlayer(tpn=1, name="Ż" * 40, rating=1500))[14:52] == "Ż" * 33 + " 1500"


def test_line_ends_in_a_name_do_not_break_the_line():
    assert written(TrfPlayer(tpn=1, name="Broken\r\nName")).startswith("001    1      Broken Name")


@pytest.mark.parametrize("field", [{"rating": 12345}, {"federation": "POLAND"}, {"fide_number": "123456789012"}])
def test_what_does_not_fit_is_an_error(field: dict[str, object]):
    with pytest.raises(ValueError, match="longer than"):
        write_trf(make_trf(header=HEADER, players=[TrfPlayer(tpn=1, **field)]))


def test_lines_about_the_event():
    header = TrfHeader(
        tournament="Autumn event",
        city="Nowhere",
        deputies=("First Deputy", "Second Deputy"),
        round_dates=("26/10/02", "26/10/09"),
    )
    players = [TrfPlayer(tpn=2, rating=0), TrfPlayer(tpn=1, rating=1500)]
    parts = {
        "header": header,
        "players": players,
        "rounds": 7,
        "first_colour": Colour.BLACK,
        "points": PointSystem(pairing_allocated_bye=1),
        "fictitious": {1: (2, 1)},
        "forbidden_pairs": [frozenset({2, 1})],
    }
    lines = lines_of(write_trf(make_trf(**parts)))
    assert lines[:4] == ["012 Autumn event", "022 Nowhere", "062 2", "072 1"]
    assert "112 First Deputy" in lines
    assert "112 Second Deputy" in lines
    dates = next(line for line in lines if line.startswith("132"))
    assert (dates[91:99], dates[101:109]) == ("26/10/02", "26/10/09")
    assert [line[4:8] for line in lines if line.startswith("001")] == ["   1", "   2"]
    new = {
        "142 7",
        "152 B",
        "162  P 0.5",
        "250       1.0 001 001    1    1",
        "250       0.5 002 002    1    1",
        "260 001 007    1    2",
    }
    old = {"XXR 7", "XXC black1", "XXS PAB=0.5", "XXP 1 2", "XXA    1  1.0  0.5"}
    assert new <= set(lines)
    assert not old & set(lines)
    older = lines_of(write_trf(make_trf(**parts, edition=TrfEdition.TRF16)))
    assert set(older) - set(lines) == old
    assert set(lines) - set(older) == new


def test_points_of_every_size_and_rounds_of_every_group_come_back():
    """FIDE's columns leave no blank before 10.0, and one line is for neighbours with the same points."""
    points = PointSystem(win=20, draw=10, absence=0, pairing_allocated_bye=10)
    cards = tuple(
        PairingCard(tpn=tpn, fictitious=fictitious, unavailable=unavailable)
        for tpn, fictitious, unavailable in [
            (1, (20,), None),
            (2, (20,), RoundRecord(result=Result.HALF_POINT_BYE)),
            (4, (20,), RoundRecord(result=Result.ZERO_POINT_BYE)),
            (5, (10,), RoundRecord(result=Result.ABSENT)),
            (6, (), RoundRecord(result=Result.HALF_POINT_BYE)),
            (10000, (20,), None),
        ]
    )
    event = TournamentSnapshot(
        cards=cards, rounds_paired=0, rounds_announced=5, first_colour=Colour.WHITE, system="dutch-2026", points=points
    )
    for edition in TrfEdition:
        data = write_trf(
            trf_from_snapshot(event, header=HEADER, ranks={card.tpn: 1 for card in cards}, edition=edition)
        )
        assert snapshot_from_trf(read_trf(data, name="x"), system="dutch-2026") == event
        if edition is TrfEdition.TRF26:
            assert [line for line in lines_of(data) if line[:3] in ("162", "240", "250")] == [
                "162  W10.0    D 5.0    P 5.0",
                "240 H 001    2    6",
                "240 Z 001    4",
                "250       5.0 001 001    5    5",
                "250      10.0 001 001    1    4",
                "250      10.0 001 0011000010000",
            ]


def test_type_tie_breaks_and_time_control_have_their_codes():
    header = TrfHeader(
        tournament="Autumn event",
        time_control="90 min + 30 s",
        event_type=encode_event_type("dutch-2026", is_accelerated=True),
        tie_breaks=("BH/C1", "BH"),
    )
    coded = [line for line in lines_of(write_trf(make_trf(header=header, players=[]))) if line[:3] > "132"]
    assert coded == ["192 FIDE_DUTCH_2026_BAKU", "202 BH/C1,BH", "212 PTS,BH/C1,BH", "222 5400+30"]
    historic = replace(header, tie_breaks=("BH", "T"), event_type=encode_event_type("jahr", is_accelerated=False))
    assert [line[:3] for line in lines_of(write_trf(make_trf(header=historic, players=[])))] == [
        "012",
        "062",
        "072",
        "082",
        "092",
        "122",
        "222",
        "",
    ]


def test_line_ends_are_kept_and_new_files_have_those_of_the_format():
    for newline in ("\n", "\r"):
        assert newline.join(FOUR_AFTER_TWO_ROUNDS).encode() in write_trf(
            read_trf(newline.join(FOUR_AFTER_TWO_ROUNDS).encode(), name="x.trf")
        )
    assert write_trf(make_trf(header=HEADER, players=[])).endswith(b"\r\n")


def test_a_file_set_by_the_columns_comes_back_as_it_was():
    lines = ("### remark", "012 Autumn event", "", "XXR 5", "QQQ unknown", *FOUR_AFTER_TWO_ROUNDS, "172 IND FIDE")
    assert write_trf(read_trf(report(*lines), name="x.trf")) == report(*lines)


def test_an_event_comes_back_as_it_was():
    one = PairingCard(
        tpn=1,
        name="Измислен, Тодор",
        title="WGM",
        rating=2000,
        records=(RoundRecord(result=Result.WIN, opponent=10000, colour=Colour.BLACK),),
        unavailable=RoundRecord(result=Result.HALF_POINT_BYE),
        fictitious=(2, 1),
    )
    other = PairingCard(
        tpn=10000,
        name="Неизвестна, Мая",
        records=(RoundRecord(result=Result.LOSS, opponent=1, colour=Colour.WHITE),),
    )
    third = PairingCard(tpn=3, name="Nikt, Nemo", records=(RoundRecord(result=Result.PAIRING_ALLOCATED_BYE),))
    event = TournamentSnapshot(
        cards=(one, third, other),
        rounds_paired=1,
        rounds_announced=5,
        first_colour=Colour.BLACK,
        forbidden_pairs=frozenset({frozenset({1, 3})}),
        system="jahr",
        points=PointSystem(pairing_allocated_bye=1),
    )
    ranks = {1: 1, 3: 2, 10000: 10000}
    trf = read_trf(write_trf(trf_from_snapshot(event, header=HEADER, ranks=ranks)), name="x.trf")
    assert trf.warnings == ()
    assert snapshot_from_trf(trf, system="jahr") == event
    assert [(one.points, one.rank) for one in trf.players] == [
        (Decimal("1.0"), 1),
        (Decimal("0.5"), 2),
        (Decimal("0.0"), 10000),
    ]


def test_the_real_files_lose_nothing(event_files):
    for path in sorted(event_files.glob("*.trf")):
        trf = read_trf(path.read_bytes(), name=path.name)
        assert read_trf(write_trf(trf), name=path.name) == trf


def test_real_files_set_by_the_columns_come_back_letter_by_letter(event_files):
    paths = [*event_files.glob("open*.trf"), *event_files.glob("festival*.trf"), event_files / "memorial_284.trf"]
    for path in paths:
        data = path.read_bytes()
        assert lines_of(write_trf(read_trf(data, name=path.name))) == lines_of(data)
