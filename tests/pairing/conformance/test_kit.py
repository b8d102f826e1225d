"""The conformance kit: our engine passes it, and an engine with a broken article fails it."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest

from pairing.cli.conformance import KIT_FOLDER
from pairing.cli.conformance_kit import ConformanceCase, judge_answer, read_conformance_cases, suspected_articles
from pairing.engine.rule_interpretations import non_default_interpretations, parse_interpretation
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.cli.conftest import Run, run  # noqa: F401 - a fixture
from tests.pairing.conformance.articles import ARTICLES
from tests.pairing.conformance.build import OTHER_PROGRAMS, case_id
from tests.pairing.conformance.mutant import PAIR, Mutant, answer
from tests.pairing.conformance.mutants import MUTANTS
from tests.pairing.conformance.mutants_of_clauses import CLAUSES
from tests.pairing.conformance.pages import write_pages

CASES = read_conformance_cases(KIT_FOLDER)
ENTRIES = {each["id"]: each for each in json.loads((KIT_FOLDER / "index.json").read_text(encoding="utf-8"))["cases"]}


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
    assert by_engine(case) == case.expected
    if not ENTRIES[case.id]["source"].startswith(OTHER_PROGRAMS):
        assert by_twin(case) == case.expected


@pytest.mark.parametrize("mutant", [m for m in MUTANTS if m not in CLAUSES], ids=lambda m: f"{m.system} {m.name}")
def test_breaking_an_article_fails_its_case(mutant: Mutant):
    (case,) = (each for each in CASES if each.id == case_id(mutant))
    assert case.article == mutant.article
    assert by_twin(case, mutant) != case.expected


def test_every_clause_has_a_case_that_its_mutant_fails():
    """`python -m lab.kit_mutants` runs them all; here each system's first ones."""
    clauses = json.loads((KIT_FOLDER / "clauses.json").read_text(encoding="utf-8"))
    by_id = {case.id: case for case in CASES}
    tried: Counter[str] = Counter()
    for mutant in MUTANTS:
        known = clauses[mutant.system][f"{mutant.article}|{mutant.key}"]
        assert case_id(mutant) in known
        tried[mutant.system] += mutant in CLAUSES
        if mutant in CLAUSES and tried[mutant.system] <= 3:
            assert by_twin(by_id[case_id(mutant)], mutant) != by_id[case_id(mutant)].expected


def test_the_likely_article_comes_first():
    """A program with an article broken: all its rounds point to that article."""
    clauses = json.loads((KIT_FOLDER / "clauses.json").read_text(encoding="utf-8"))
    for system, article, key in [
        ("dubov-1997", "7.4", "lowest averages"),
        ("dubov-1997", "8.2", "lowest rating"),
        ("dubov-1997", "2.5", "in the last round too"),
        ("dubov-1997", "8.1", "all blacks first"),
        ("dubov-1997", "2.5", "always four times"),
        ("dutch-2026", "C2", "after a bye"),
    ]:
        (mutant,) = (m for m in MUTANTS if (m.system, m.article, m.key) == (system, article, key))
        cases = [case for case in CASES if case.system == system and not case.readings and case.id in ENTRIES]
        wrong = clauses[system][f"{article}|{key}"]
        results = [
            judge_answer(case, found)
            for case in cases
            if not isinstance(found := by_twin(case, mutant) if case.id in wrong else case.expected, str)
        ]
        assert {result.case.id for result in results if not result.has_passed} <= set(wrong)
        assert suspected_articles(clauses[system], results)[0].article == article


def test_every_file_has_what_other_programs_need():
    made = {case.file.name for case in CASES if not ENTRIES[case.id]["source"].startswith("worked by hand")}
    for path in sorted((KIT_FOLDER / "cases").rglob("*.trf")):
        trf = read_trf(path.read_bytes(), name=path.name)
        codes = {record.line_code for _line, record in trf.records_with_line_numbers()}
        assert {"XXR", "XXC"} <= codes, path.name
        assert ("260" in codes or path.name not in made) or "XXP" not in codes, path.name
        assert sorted(player.tpn for player in trf.players) == list(range(1, len(trf.players) + 1)), path.name


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
            assert default.expected != case.expected
            assert default.others == {" ".join(case.readings): case.expected}


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
import json
from pathlib import Path
path = Path(sys.argv[1])
cases = json.loads((path.parents[2] / "index.json").read_text(encoding="utf-8"))["cases"]
case = [c for c in cases if path.match(c["file"]) and bool(c["readings"]) is {other}][0]
pairs = [*case["pairs"], *([[case["bye"], 0]] if case["bye"] else [])]
print(len(pairs))
for white, black in sorted(pairs, reverse=True):
    print({pair})
"""


def test_a_program_that_answers_well(run: Run, tmp_path: Path):  # noqa: F811
    ended = run(
        "conformance",
        "--system",
        "round-robin",
        "--engine",
        program(tmp_path, GOOD.format(pair="white, black", other=False)),
    )
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == "round-robin: 3 of 3 cases\n"


def test_a_program_that_turns_colours_fails_every_case(run: Run, tmp_path: Path):  # noqa: F811
    turned = program(tmp_path, GOOD.format(pair="*((black, white) if black else (white, 0)),", other=False))
    ended = run("conformance", "--system", "round-robin", "--engine", turned)
    assert ended.status == 1
    assert ended.out.splitlines()[-1].startswith("round-robin: 0 of 3 ")
    assert ended.out.startswith("Most likely article: round-robin annex 1")
    assert "round-robin-6: round-robin annex 1: wrong: expected 1-6 2-5 3-4; found 4-3 5-2 6-1" in ended.out


def test_another_reading_is_no_fault(run: Run, tmp_path: Path):  # noqa: F811
    kit = tmp_path / "kit"
    shutil.copytree(KIT_FOLDER / "cases" / "jahr", kit / "cases" / "jahr")
    entries = [each for each in ENTRIES.values() if each["file"] == "cases/jahr/reading-jahr-6.trf"]
    (kit / "index.json").write_text(json.dumps({"cases": entries}), encoding="utf-8")
    (kit / "clauses.json").write_text("{}")
    other = program(tmp_path, GOOD.format(pair="white, black", other=True))
    ended = run("conformance", "--kit", kit, "--engine", other)
    assert (ended.status, ended.out.splitlines()) == (
        0,
        ["reading-jahr-6: jahr 6: other reading, jahr:6=unrounded", "jahr: 1 of 1 cases, 1 by another reading"],
    )


def test_the_archive_is_used_without_anything_else(run: Run, tmp_path: Path):  # noqa: F811
    assert run("conformance", "--archive", tmp_path / "kit.zip").status == 0
    with ZipFile(tmp_path / "kit.zip") as archive:
        archive.extractall(tmp_path)
    kit = tmp_path / "conformance-kit"
    assert {"README.md", "LICENCE.md", "index.json", "clauses.json", "run.py", "cases"} <= {
        p.name for p in kit.iterdir()
    }
    command = [sys.executable, "-I", str(kit / "run.py"), "--system", "round-robin", "--engine"]
    refuses = subprocess.run([*command, "false {file}"], capture_output=True, text=True, check=False)
    assert (refuses.returncode, refuses.stdout.splitlines()[-1]) == (3, "round-robin: 0 of 3 cases, 3 refused")
    wrong = program(tmp_path, "print(1); print('2 1')")
    ended = subprocess.run([*command, wrong], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (
        1,
        "Most likely article: round-robin annex 1, then twice",
    )
    assert run("conformance").status == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('hello')", "t start with the number of pairs"),
        ("print(1); print('1 x')", "not a pair: 1 x"),
        ("print(2)", "the answer states 2 pairs but has 0"),
        ("print('no', 'number')", "t start with the number of pairs"),
        ("import time; time.sleep(30)", "no answer"),
    ],
)
def test_a_program_that_answers_nothing(run: Run, tmp_path: Path, body: str, said: str):  # noqa: F811
    kit = tmp_path / "kit"
    kit.mkdir()
    (kit / "x.trf").write_text("")
    (kit / "clauses.json").write_text("{}")
    (kit / "index.json").write_text(
        '{"cases": [{"id": "x", "system": "jahr", "article": "2", "file": "x.trf", "acceleration": "none", "groups":'
        ' null, "procedure": null, "readings": [], "pairs": [[1, 2]], "bye": null}]}'
    )
    ended = run("conformance", "--engine", program(tmp_path, body), "--kit", kit, "--timeout", 1)
    assert ended.status == 1
    assert said in ended.out
    assert "jahr: 0 of 1 cases, 1 no answer" in ended.out
    refused = run("conformance", "--engine", program(tmp_path, "sys.exit('no such event')"), "--kit", kit)
    assert (refused.status, "x: jahr 2: refused: exited with status 1: no such event" in refused.out) == (3, True)


def test_a_command_without_a_file_and_a_folder_without_a_kit(run: Run, tmp_path: Path):  # noqa: F811
    ended = run("conformance", "--engine", "pair", "--system", "round-robin")
    assert (ended.status, "the command needs {file}" in ended.err) == (2, True)
    ended = run("conformance", "--engine", "pair {file}", "--kit", tmp_path)
    assert (ended.status, "can't be read" in ended.err) == (2, True)
