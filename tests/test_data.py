"""The files of `tests/data`: complete, listed, small, and read or refused without a crash, in every encoding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pairing.engine.trf import TeamEventError, TrfError, TrfWarningKind, read_trf, snapshot_from_trf
from tests.anonymise_report import MadeUp, anonymised
from tests.real_names import LIST, fingerprint, fingerprints_of, known_fingerprints, real_names_in, words_of

DATA = Path(__file__).parent / "data"
FILES = {path.relative_to(DATA).as_posix(): path for path in sorted(DATA.rglob("*.trf"))}
ENCODED = sorted((DATA / "events" / "encodings").glob("*.trf"))

NOT_READ = {
    *("foreign/accelerated_8.trf", "foreign/accelerated_9.trf", "foreign/incompatible_result.trf"),
    *("events/odd/incompatible_colour.trf", "events/odd/missing_result.trf"),
    *("foreign/bonus_4.trf", "foreign/penalty_5.trf", "foreign/teams/teams_1.trf", "foreign/teams/teams_2.trf"),
    *("foreign/grown_16.trf", "foreign/grown_32.trf", "foreign/grown_128.trf", "foreign/grown_256.trf"),
}
"""Wrong, or with points that the systems do not count. Of these it is only held that they do not crash."""


def test_every_file_is_named_and_every_name_has_its_file():
    told, folder = set[str](), ""
    for line in (DATA / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            folder = line[3:]
        told |= {f"{folder}/{name}" for name in re.findall(r"`([a-z0-9_.]+\.trf)`", line) if folder}
    told.discard("events/encodings/absent_52.trf")
    assert told == set(FILES)


def test_the_data_stays_small():
    assert sum(path.stat().st_size for path in DATA.rglob("*")) < 2_000_000


@pytest.mark.parametrize("name", [name for name in FILES if name not in NOT_READ and "/teams/" not in name])
def test_a_file_is_read(name: str):
    data = FILES[name].read_bytes()
    trf = read_trf(data, name=name)
    snapshot_from_trf(trf, system="fide-1989").check_consistency()
    lines = lines_of(data.removeprefix(b"\xef\xbb\xbf"))
    assert len(trf.players) == sum(line.startswith(b"001") for line in lines)


@pytest.mark.parametrize("name", [name for name in FILES if "/teams/" in name and name not in NOT_READ])
def test_a_team_event_is_read_but_not_paired(name: str):
    trf = read_trf(FILES[name].read_bytes(), name=name)
    assert TrfWarningKind.TEAM_EVENT in {each.kind for each in trf.warnings}
    assert TrfWarningKind.POINTS_DIFFER not in {each.kind for each in trf.warnings}
    snapshot_from_trf(trf.before_open_games(), system="fide-1989", is_for_pairing=False).check_consistency()
    with pytest.raises(TeamEventError):
        snapshot_from_trf(trf, system="fide-1989")


@pytest.mark.parametrize("name", sorted(NOT_READ))
def test_a_difficult_file_is_read_or_refused_where_it_is_wrong(name: str):
    data = FILES[name].read_bytes()
    try:
        snapshot_from_trf(read_trf(data, name=name), system="fide-1989").check_consistency()
    except TrfError as error:
        refused = error
    else:
        return
    assert 1 <= refused.line <= len(lines_of(data))
    assert refused.column >= 1
    assert refused.expected


def lines_of(data: bytes) -> list[bytes]:
    return re.split(b"\r\n|\r|\n", data)


@pytest.mark.parametrize("path", ENCODED, ids=[path.name for path in ENCODED])
def test_an_encoding_is_told_from_the_letters(path: Path):
    data = path.read_bytes()
    text = data.decode(path.suffixes[-2].removeprefix("."))
    assert not text.isascii()
    assert read_trf(data, name="x") == read_trf(text.encode("utf-8"), name="x")


# -- Making up ---------------------------------------------------------------------------------------------------------

REPORT = (
    "012 Puchar Zmyślony 2024\r\n102 IA Kto Nikt (1234567)\r\n"
    "001    1 m  g Nikt-Ktoś, Żyraf A.               2586 POL     1234567 1987/00/00  1.0    1     2 w 1\r\n"
    "001    2      Player0002                        2540 CZE     7654321 1992/03/04  0.0    2     1 b 0\r\n"
    "013 Wieża                              1    2\rXXR 5\n"
)


def test_made_up_people_stand_in_the_columns_of_the_real_ones():
    made = anonymised(REPORT, MadeUp(seed=1))
    before, after = re.split("(\r\n|\r|\n)", REPORT), re.split("(\r\n|\r|\n)", made)
    assert [part for part in after if not part.strip()] == [part for part in before if not part.strip()]
    first = after[4]
    assert len(first) == len(before[4])
    assert re.fullmatch(r"[A-Z][a-z]{3}-[A-Z][a-z]{2}\w, [\w]{5} [A-Z]\.", first[14:47].strip())
    assert (first[:14], first[47:53], first[79:]) == (before[4][:14], before[4][47:53], before[4][79:])
    assert first[73:79] == "/00/00"
    assert abs(int(first[69:73]) - 1987) <= 2
    assert after[6][14:47] == before[6][14:47]
    for real in ("Nikt", "Ktoś", "Żyraf", "Zmyślony", "1234567", "7654321", "1992/03/04", "Wieża"):
        assert real not in made
    assert made.endswith("XXR 5\n")
    assert "2024" in after[0]


def test_whoever_stands_in_two_files_is_made_up_once():
    made_up = MadeUp(seed=1)
    players = [
        {line[14:47] for line in re.split("\r\n|\r|\n", anonymised(REPORT, made_up)) if line.startswith("001")}
        for _file in range(2)
    ]
    assert players[0] == players[1]


# -- Fingerprints ------------------------------------------------------------------------------------------------------


def test_a_name_has_one_fingerprint_in_every_way_of_writing_it():
    ways = ("Nikt-Ktoś, Żyraf", "Zyraf NIKT KTOS", "żyraf  nikt_ktoś")
    first, *others = (fingerprints_of(way) for way in ways)
    assert all(other == first for other in others)
    assert fingerprint(["ktos", "nikt", "zyraf"]) in first
    assert not {each for each in first & fingerprints_of("Nikt, Zenon") if len(each) == 20}


@pytest.mark.parametrize(
    "name", ["1000503", "Player 7", "Player One", "Chief Arbiter", "Test0001 Player0001", "Ola", "P1", ""]
)
def test_what_names_nobody_has_none(name):
    assert fingerprints_of(name) == set()


def test_a_listed_name_is_found_in_a_text_and_a_part_of_it_is_not(monkeypatch, tmp_path):
    listed = tmp_path / "names.txt"
    listed.write_text("\n".join(["# two", *fingerprints_of("Nikt-Ktoś, Żyraf"), *fingerprints_of("zmyslony2013")]))
    monkeypatch.setattr("tests.real_names.LIST", listed)
    assert real_names_in(["White: Żyraf Nikt-Ktoś (2100)."]) == {"zyraf nikt ktos"}
    assert real_names_in(["Nikt Ktos\nZyraf", "played Zmyslony2013 twice"]) == {"nikt ktos zyraf", "zmyslony2013"}
    assert real_names_in(["Żyraf Nikt and Ktoś", "zmyslony 2013"]) == set()


def test_the_list_is_not_empty_and_holds_fingerprints_only():
    lines = LIST.read_text(encoding="ascii").splitlines()
    assert all(line.startswith("#") or re.fullmatch("[0-9a-f]{20}|[0-9a-f]{4}", line) for line in lines)
    assert sum(len(each) == 20 for each in known_fingerprints()) > 1400
    assert words_of("Łódź – Straße 5") == ["lodz", "strasse", "5"]
