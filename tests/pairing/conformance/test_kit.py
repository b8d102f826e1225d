"""The conformance kit: our engine passes it, and an engine with a broken article fails it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from pairing.cli.conformance import KIT_FOLDER, ConformanceCase, read_conformance_cases
from pairing.engine.rule_interpretations import non_default_interpretations, parse_interpretation
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.cli.conftest import Run, run  # noqa: F401 - a fixture
from tests.pairing.conformance.articles import ARTICLES
from tests.pairing.conformance.mutant import PAIR, Mutant, answer
from tests.pairing.conformance.mutants import MUTANTS
from tests.pairing.conformance.pages import write_pages

CASES = read_conformance_cases()


def snapshot_of(case: ConformanceCase) -> TournamentSnapshot:
    """A case's event, to be paired as its index entry says."""
    return snapshot_from_trf(
        read_trf(
            case.file.read_bytes() + b"".join(f"### Clubnight reading {r}\n".encode() for r in case.readings),
            name=case.id,
        ),
        system=case.system,
        procedure=case.procedure,
        acceleration=case.acceleration,
        group_limits=case.groups,
    )


def by_engine(case: ConformanceCase) -> frozenset[tuple[int, int]]:
    made = PAIRING_SYSTEMS[case.system](snapshot_of(case))
    return frozenset(
        {*((game.white, game.black) for game in made.games), *([(made.bye.player, 0)] if made.bye else [])}
    )


def by_twin(case: ConformanceCase, mutant: Mutant | None = None) -> frozenset[tuple[int, int]] | str:
    pairing = mutant.pair(snapshot_of(case)) if mutant else answer(PAIR[case.system], snapshot_of(case))
    if isinstance(pairing, str):
        return pairing
    games, bye = pairing
    return frozenset({*games, *([(bye, 0)] if bye is not None else [])})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_engine_and_transcription_pass_every_case(case: ConformanceCase):
    assert by_engine(case) == case.expected_pairs == by_twin(case)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.system} {mutant.name}")
def test_breaking_an_article_fails_its_case(mutant: Mutant):
    name = f"{mutant.system}-{mutant.name}".replace(" ", "-").replace(".", "-").lower()
    (case,) = (each for each in CASES if each.id == name)
    assert case.article == mutant.article
    assert by_twin(case, mutant) != case.expected_pairs


def test_every_reading_has_both_answers_on_one_file():
    asked = {reading for case in CASES for reading in case.readings}
    assert {reading.partition("=")[0] for reading in asked} >= {
        "fide-1989:8.2",
        "dubov-1997:2.5",
        "dubov-1997:5",
        "dubov-1997:6.2",
        "dubov-1997:7.1",
        "dubov-1997:7.2",
        "dubov-1997:7.3",
        "jahr:6",
    }
    for case in CASES:
        assert non_default_interpretations(map(parse_interpretation, case.readings)) or not case.readings
        if case.readings:
            (default,) = (each for each in CASES if each.file == case.file and not each.readings)
            assert default.expected_pairs != case.expected_pairs


def test_the_index_is_whole():
    assert len({case.id for case in CASES}) == len(CASES)
    assert {case.file for case in CASES} == set((KIT_FOLDER / "cases").rglob("*.trf"))
    quoted = {(case.system, case.article) for case in CASES if case.article in ARTICLES[case.system]}
    assert quoted >= {(mutant.system, mutant.article) for mutant in MUTANTS}
    assert {case.system for case in CASES} == set(ARTICLES)


def test_the_pages_hold_every_case(tmp_path: Path):
    entries = json.loads((KIT_FOLDER / "index.json").read_text(encoding="utf-8"))["cases"]
    text = "".join(page.read_text(encoding="utf-8") for page in write_pages(tmp_path, entries))
    headings = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert sorted(headings) == sorted(case.id for case in CASES)


# -- Running programs ----------------------------------------------------------------------------------------------


def program(folder: Path, body: str) -> str:
    """A program that gets the event's file, as a command."""
    path = folder / "program.py"
    path.write_text(f"import sys\nsys.path.insert(0, {str(Path.cwd())!r})\n{body}", encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))} {{file}}"


GOOD = """
from pathlib import Path
from pairing.cli.conformance import read_conformance_cases
(case,) = [c for c in read_conformance_cases(system="jahr") if c.file == Path(sys.argv[1]) and not c.readings]
print(len(case.expected_pairs))
for white, black in sorted(case.expected_pairs, reverse=True):
    print({pair})
"""


def test_a_program_that_answers_well(run: Run, tmp_path: Path):  # noqa: F811
    ended = run("conformance", "--system", "jahr", "--engine", program(tmp_path, GOOD.format(pair="white, black")))
    assert (ended.status, ended.err) == (0, "")
    many = sum(case.system == "jahr" and not case.readings and not case.procedure for case in CASES)
    assert ended.out == f"jahr: {many} of {many} cases\n"


def test_a_program_that_turns_colours_fails_every_case(run: Run, tmp_path: Path):  # noqa: F811
    turned = program(tmp_path, GOOD.format(pair="*((black, white) if black else (white, 0)),"))
    ended = run("conformance", "--system", "jahr", "--engine", turned)
    assert ended.status == 1
    assert ended.out.splitlines()[-1].startswith("jahr: 0 of ")
    assert "jahr-example: jahr example: expected 1-2 6-3 7-4 8-5; found 2-1 3-6 4-7 5-8" in ended.out


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('hello')", "t start with the number of pairs"),
        ("print(1); print('1 x')", "not a pair: 1 x"),
        ("print(2)", "the answer states 2 pairs but has 0"),
        ("print('no', 'number')", "t start with the number of pairs"),
        ("sys.exit('no such event')", "exited with status 1: no such event"),
        ("import time; time.sleep(30)", "no answer"),
    ],
)
def test_a_program_that_answers_nothing(run: Run, tmp_path: Path, body: str, said: str):  # noqa: F811
    kit = tmp_path / "kit"
    kit.mkdir()
    (kit / "x.trf").write_text("")
    (kit / "index.json").write_text(
        '{"cases": [{"id": "x", "system": "jahr", "article": "2", "file": "x.trf", "acceleration": "none", "groups":'
        ' null, "procedure": null, "readings": [], "pairs": [[1, 2]], "bye": null}]}'
    )
    ended = run("conformance", "--engine", program(tmp_path, body), "--kit", kit, "--timeout", 1)
    assert ended.status == 1
    assert said in ended.out
    assert "jahr: 0 of 1 cases" in ended.out


def test_a_command_without_a_file_and_a_folder_without_a_kit(run: Run, tmp_path: Path):  # noqa: F811
    ended = run("conformance", "--engine", "pair")
    assert (ended.status, "the command needs {file}" in ended.err) == (2, True)
    ended = run("conformance", "--engine", "pair {file}", "--kit", tmp_path)
    assert (ended.status, "can't be read" in ended.err) == (2, True)
