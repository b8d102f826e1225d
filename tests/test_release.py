"""The packages: what is in them, and the engine without the rest. `./dev release` builds and checks them."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from django.utils import translation

import launch
from pairing.engine.standings import rank_players
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf
from pairing.explanations.reason_sentences import reason_sentence
from tests.test_conventions import APPS, ROOT, imported_modules

EVENT = ROOT / "tests" / "data" / "events" / "generated_20.trf"
README = (ROOT / "release" / "engine" / "README.md").read_text(encoding="utf-8")


def loaded(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_application_is_whole_and_without_its_tests():
    hook = loaded(ROOT / "release" / "hatch_build.py")
    files = hook.wheel_files(ROOT)
    assert {*APPS, "locale", "static", "templates", "docs/conformance"} == set(hook.FOLDERS)
    assert all(target.startswith("clubnight/") for target in files.values())
    assert files["release/app/__main__.py"] == "clubnight/__main__.py"
    assert {"manage.py", "config/settings.py", "static/css/clubnight.css", "templates/base.html"} <= set(files)
    assert not [name for name in files if re.search(r"(^|/)(tests|lab|var|__pycache__)/|\.(po|pyc)$", name)]
    # Programs start one another by their names, so nothing imports them.
    assert {path.name for path in ROOT.glob("*.py")} <= set(hook.FILES)
    # The source archive has what the wheel is made from.
    with (ROOT / "pyproject.toml").open("rb") as file:
        built = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]
    assert {*hook.FOLDERS, *hook.FILES, "release"} - {"pyproject.toml"} <= set(built["sdist"]["only-include"])


def test_data_of_a_package_is_kept_in_the_folder_of_the_system(monkeypatch, tmp_path):
    assert launch.data_folder() == ROOT / "var"
    monkeypatch.setattr(launch, "IS_CHECKOUT", False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    found = []
    for system in ("linux", "darwin", "win32"):
        monkeypatch.setattr(sys, "platform", system)
        found.append(launch.data_folder().relative_to(tmp_path).as_posix())
    assert found == [".local/share/clubnight", "Library/Application Support/Clubnight", "AppData/Local/Clubnight"]


def test_version_and_licence_are_everywhere_the_same():
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert (ROOT / "release/engine/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Path:
    """The engine's package, with its Polish texts."""
    hook = loaded(ROOT / "release" / "engine" / "hatch_build.py")
    package: Path = tmp_path_factory.mktemp("engine") / "clubnight_engine"
    hook.make_package(ROOT, package)
    hook.write_catalogues(ROOT / "locale", package, languages="pl")
    return package


def answer(engine: Path, code: str) -> str:
    """What a program prints that has the engine and the standard library only."""
    path = f"import sys; sys.path.insert(0, {str(engine.parent)!r})\n"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", path + code], cwd=engine.parent, capture_output=True, text=True, check=True
    ).stdout


def test_the_engine_imports_nothing_but_itself_and_python(engine):
    own = {"clubnight_engine", *sys.stdlib_module_names}
    imported = {
        (module.split(".")[0], path.name)
        for path in engine.rglob("*.py")
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(statement, ast.Import | ast.ImportFrom)
        for _node, module in imported_modules(ast.Module(body=[statement], type_ignores=[]))
    }
    assert ("clubnight_engine", "reason_sentences.py") in imported
    assert [each for each in imported if each[0] not in own] == []


def test_the_examples_of_the_engine_run(engine):
    assert [code in README for code in ("pair(event)", "explain(", "check(event")] == [True] * 3
    examples = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    printed = answer(engine, examples).splitlines()
    assert printed[0].startswith("1 1 3 Ada Moss i Cleo Park mają po 0 pkt")
    assert printed[2].startswith("0 5 None Eva Rand pauzuje")
    assert printed[-1] == str(["agrees"] * 5)


def test_the_engine_pairs_and_explains_as_the_application(engine):
    code = f"""
import json, clubnight_engine as engine
names = [getattr(engine, name) for name in engine.__all__]
event = engine.snapshot_from_trf(engine.read_trf({str(EVENT)!r}), system="dutch-2026")
told = engine.explain(engine.pair(event), event, language="pl")
boards = [[each.white, each.black, [reason.sentence for reason in each.reasons]] for each in told]
print(json.dumps([engine.SYSTEMS, engine.LANGUAGES, boards]))
"""
    systems, languages, boards = json.loads(answer(engine, code))
    assert systems == sorted(PAIRING_SYSTEMS)
    assert languages == ["en", *sorted(path.name for path in (ROOT / "locale").iterdir() if path.is_dir())]
    event = snapshot_from_trf(read_trf(EVENT.read_bytes(), name="event"), system="dutch-2026")
    names = {card.tpn: card.name for card in event.cards}
    with translation.override("pl"):
        expected = [
            [game.white, game.black, [reason_sentence(reason, names) for reason in game.reasons]]
            for game in PAIRING_SYSTEMS["dutch-2026"](event).games
        ]
    assert boards == expected


def test_an_earlier_round_can_be_paired_again(engine):
    """A round is read alone or with its report, which here doesn't say who had the first colour."""
    code = """
import clubnight_engine as engine
event = engine.generate(engine.SimulationPlan(players=9, rounds=4, system="dubov-1997", seed=3))
report = engine.read_trf(engine.write_trf(event))
for number in range(1, 5):
    actual = {(card.tpn, card.records[number - 1].opponent) for card in event.cards}
    for given in (None, report):
        paired = engine.pair(engine.before_round(event, number, report=given))
        games = {pair for game in paired.games for pair in ((game.white, game.black), (game.black, game.white))}
        games.add((paired.bye.player, None))
        print(games == actual, paired.round_number == number)
print(engine.before_round(event, 5) == event)
for number in (0, 6):
    try:
        engine.before_round(event, number)
    except engine.InvalidSnapshot as error:
        print(error)
"""
    *rounds, following, too_low, too_high = answer(engine, code).splitlines()
    assert rounds == ["True True"] * 8
    assert following == "True"
    assert too_low == "there is no round 0. Use 1 to 5"
    assert too_high == "there is no round 6. Use 1 to 5"


EVENTS = """
from dataclasses import replace
from clubnight_engine import *
def start(players=4, names="ABCDEFGH", **given):
    cards = tuple(PairingCard(tpn=tpn, name=names[tpn - 1]) for tpn in range(1, players + 1))
    usual = {"cards": cards, "rounds_paired": 0, "rounds_announced": 5, "system": "dutch-2026"}
    return TournamentSnapshot(**usual | given)
def with_first(event, **given):
    return replace(event, cards=(replace(event.cards[0], **given), *event.cards[1:]))
def away(event):
    return with_first(event, unavailable=RoundRecord(result=Result.ABSENT))
event = start()
paired = pair(event)
won = {1: "1-0", 2: "1-0"}
after = record_results(event, paired, won)
"""


def refusals(engine: Path, *calls: str) -> list[str]:
    """What InvalidSnapshot says of each call; `accepted` if it is not raised."""
    tried = "".join(
        f"try:\n    {call}\n    print('accepted')\nexcept InvalidSnapshot as error:\n    print(error)\n"
        for call in calls
    )
    return answer(engine, EVENTS + tried).splitlines()


def test_a_pairing_of_another_event_or_round_is_refused(engine):
    assert refusals(
        engine,
        "record_results(after, paired, won)",
        "explain(paired, after)",
        "explain(paired, start(2))",
        "record_results(start(6), paired, won)",
        "record_results(away(event), paired, won)",
        "record_results(replace(event, system='jahr'), paired, won)",
        "explain(pair(after), replace(after, cards=record_results(event, paired, {1: '0-1', 2: '1-0'}).cards))",
        "record_results(event, None, won)",
    ) == [
        "this is a pairing of round 1, but the event's next round is 2",
        "this is a pairing of round 1, but the event's next round is 2",
        "the pairing has players 3, 4, not on the starting list",
        "the pairing leaves out players 5, 6, not marked as unavailable. Pair again",
        "the pairing has player 1, marked as unavailable. Pair again",
        "this is a pairing by dutch-2026, but the event's system is jahr",
        "player 1 had another score when this round was paired. Use the event that was paired",
        "the paired round: expected PairedRound, found None",
    ]


def test_results_that_cannot_be_are_refused(engine):
    given = (
        '{1: "1-0"}', '{1: "1-0", 2: "1-0", 7: "1-0"}', '{"1": "1-0", "2": "1-0"}', '{1: "1:0", 2: "1-0"}',
        "{1: None, 2: '1-0'}", '["1-0", "1-0"]', "{1: (Result.WIN, Result.WIN), 2: '1-0'}",
        "{1: (Result.HALF_POINT_BYE, Result.LOSS), 2: '1-0'}", '{1: ("1", "0"), 2: "1-0"}',
        "{1: (Result.DRAW, Result.LOSS), 2: '*'}",
    )  # fmt: skip
    known = "1-0, 1/2-1/2, 0-1, 0-0, +:-, -:+, -:-, *"
    assert refusals(engine, *(f"record_results(event, paired, {each})" for each in given)) == [
        "board 2 has no result",
        "there is no board 7 in round 1",
        "there is no board '1' in round 1",
        f"board 1: unknown result '1:0'. Use one of: {known}",
        "board 1: expected a text such as '1-0' or two Results, found None",
        "results: expected a mapping from boards to results, found list",
        "board 1: WIN does not go with WIN",
        "board 1: HALF_POINT_BYE does not go with LOSS",
        "board 1: expected a text such as '1-0' or two Results, found ('1', '0')",
        "accepted",
    ]


def test_an_event_with_fields_of_a_wrong_type_is_refused(engine):
    given = {
        "pair(None)": "the event: expected TournamentSnapshot, found None",
        "pair(replace(event, cards=list(event.cards)))": "cards: expected tuple, found [",
        "pair(replace(event, rounds_paired='0'))": "rounds_paired: expected a whole number from 0, found '0'",
        "pair(replace(event, rounds_announced=0))": "rounds_announced: expected a whole number from 1, found 0",
        "pair(replace(event, system='swiss'))": "unknown system 'swiss'. Use one of: ",
        "snapshot_from_trf(read_trf(write_trf(event)), system='swiss')": "unknown system 'swiss'. Use one of: ",
        "write_trf(replace(event, acceleration='fast'))": "unknown acceleration 'fast'. Use one of: none, ",
        "pair(replace(event, first_colour='white'))": "first_colour: expected Colour, found 'white'",
        "pair(replace(event, forbidden_pairs=frozenset({(1, 2)})))": "forbidden_pairs: expected frozensets of two",
        "pair(with_first(event, tpn='1'))": "tpn: expected a whole number from 1 to 99999, found '1'",
        "pair(with_first(event, tpn=2))": "two players have the pairing number 2",
        "pair(with_first(event, rating='1500'))": "player 1: rating: expected a whole number from 0 to 9999",
        "pair(with_first(event, rating=None))": "player 1: rating: expected a whole number from 0 to 9999, found None",
        "pair(with_first(event, rating=-5))": "player 1: rating: expected a whole number from 0 to 9999, found -5",
        "write_trf(with_first(event, rating=12345))": "player 1: rating: expected a whole number from 0 to 9999",
        "write_trf(with_first(event, name='A\\nB'))": "player 1: the name 'A\\nB' is not on one line",
        "pair(with_first(event, unavailable=Result.ABSENT))": "player 1: unavailable: expected RoundRecord, found",
        "pair(with_first(event, unavailable=RoundRecord(result=Result.WIN)))": "player 1: unavailable is for a bye",
        "rank(with_first(after, records=(Result.WIN,)))": "player 1, round 1: expected RoundRecord, found <Result",
        "pair(replace(after, rounds_announced=1))": "all 1 rounds are paired. For another, change `rounds_announced`",
        "generate(SimulationPlan(players=8, rounds=2, system='jahr', seed=1, byes=7))": "byes: expected a share",
        "generate(SimulationPlan(players=8, rounds=2, system='x', seed=1))": "unknown system 'x'",
    }
    found = refusals(engine, *given)
    assert [said[: len(start)] for said, start in zip(found, given.values(), strict=True)] == list(given.values())


def test_tie_breaks_have_names_and_values_as_in_a_table(engine):
    code = """
event = snapshot_from_trf(read_trf(%r), system="dutch-2026")
print(usual_tie_breaks("dutch-2026"), list(map(str, rank(event)[0].values)))
print(rank(event) == rank(event, "BH/C1, BH,DE") == rank(event, usual_tie_breaks(event.system)))
print(rank(event, "")[0].values, {system: bool(usual_tie_breaks(system)) for system in SYSTEMS if system != "jahr"})
for call in (lambda: rank(event, "BH,XYZ"), lambda: usual_tie_breaks("swiss")):
    try:
        call()
    except (InvalidSnapshot, UnknownTieBreak) as error:
        print(type(error).__name__, str(error).split()[:3])
"""
    usual, same, none, unknown, no_system = answer(engine, EVENTS + code % str(EVENT)).splitlines()
    table = rank_players(
        snapshot_from_trf(read_trf(EVENT.read_bytes(), name="event"), system="dutch-2026"), ["BH/C1", "BH", "DE"]
    )
    assert usual == f"('BH/C1', 'BH', 'DE') {[each.display_text for each in table[0].values]}"
    assert same == "True"
    assert none.startswith("() ")
    assert "False" not in none
    assert unknown == "UnknownTieBreak ['unknown', 'tie-break', \"'XYZ';\"]"
    assert no_system == "InvalidSnapshot ['unknown', 'system', \"'swiss'.\"]"


def test_a_report_file_keeps_the_acceleration(engine):
    """After each round the file gives the same event, so that its later rounds are paired in the same way."""
    code = """
for system, acceleration, given in (
    ("dutch-2026", "baku", {"accelerated_players": 4}), ("dubov-1997", "baku", {}),
    ("fide-1989", "progressive", {"group_limits": (1760, 1730)}),
):
    event = start(10, names=[f"N{number}" for number in range(10)], system=system, acceleration=acceleration, **given)
    event = replace(event, cards=tuple(replace(card, rating=1800 - 10 * card.tpn) for card in event.cards))
    same = []
    for number in range(5):
        paired = pair(event)
        event = record_results(event, paired, {game.board: "1-0" for game in paired.games})
        same.append(snapshot_from_trf(read_trf(write_trf(event)), system=system) == event)
    text = write_trf(event).decode()
    print(same == [True] * 5, *[line for line in text.splitlines() if line[:3] in ("192", "250", "###")], sep="|")
    other = snapshot_from_trf(read_trf(text), system=system, acceleration="none")
    print(other.acceleration, other.cards[0].fictitious[:3])
"""
    assert answer(engine, EVENTS + code).splitlines() == [
        "True|192 FIDE_DUTCH_2026_BAKU|250       1.0 001 002    1    4|250       0.5 003 003    1    4"
        "|### Clubnight acceleration baku players=4",
        "none (2, 2, 1)",
        "True|250       1.0 001 002    1    6|250       0.5 003 003    1    6|### Clubnight acceleration baku",
        "none (2, 2, 1)",
        "True|250       1.0 001 003    5    7|250       2.0 001 003    1    4"
        "|### Clubnight acceleration progressive groups=1760,1730",
        "none (4, 4, 4)",
    ]


def test_a_report_file_written_into_another_keeps_its_other_lines(engine):
    code = """
first = write_trf(event).decode().splitlines()
kept = ["012 Open", "032 POL", "142 5", "152 W", "240 H 001    3", "240 H 004    2", "260 002 003    1    4", "### X"]
first = [line for line in first if line[:3] == "001"]
players = [line[:9] + "m" + line[10:53] + f"POL     110000{line[7]} 1980/01/01" + line[79:] for line in first]
report = read_trf("\\n".join([*kept, *players, "# the end", ""]))
old = snapshot_from_trf(report, system="dutch-2026")
print(write_trf(old, report=report).decode() == write_trf(old, report=read_trf(write_trf(old, report=report))).decode())
new = replace(record_results(old, pair(old), {1: "1-0"}), forbidden_pairs=frozenset({frozenset({1, 4})}))
new = with_first(new, name="Z", unavailable=RoundRecord(result=Result.HALF_POINT_BYE))
print(*write_trf(new, report=report).decode().splitlines(), sep="\\n")
"""
    stable, *lines = answer(engine, EVENTS + code).splitlines()
    assert stable == "True"
    assert lines[:8] == [
        "012 Open",
        "032 POL",
        "142 5",
        "152 W",
        "240 H 002    1",
        "240 H 004    2",
        "260 002 003    1    4",
        "### X",
    ]
    assert [line for line in lines if line[:3] == "001"] == [
        "001    1      Z                                                                  1.0    2     2 w 1",
        "001    2 m    B                                      POL     1100002 1980/01/01  0.0    4     1 b 0",
        "001    3 m    C                                      POL     1100003 1980/01/01  0.5    3  0000 - H",
        "001    4 m    D                                      POL     1100004 1980/01/01  1.0    1  0000 - U",
    ]
    assert lines[-1] == "# the end"


def test_a_report_can_be_read_from_its_text(engine):
    code = """
text = write_trf(after).decode()
print(read_trf(text) == read_trf(text.encode()), len(read_trf(text).players))
"""
    assert answer(engine, EVENTS + code).split() == ["True", "4"]


def test_a_system_fixes_the_points_of_its_bye(engine):
    """A bye is half a point under Jahr's method, and the one left out of a round-robin table gets none."""
    code = """
for system in ("dutch-2026", "jahr", "round-robin"):
    event = start(3, system=system)
    paired = pair(event)
    event = record_results(event, paired, {1: "0-0"})
    report = read_trf(write_trf(event))
    print([place.points for place in rank(event)], snapshot_from_trf(report, system=system) == event, report.warnings)
"""
    assert answer(engine, EVENTS + code).splitlines() == [
        "[2, 0, 0] True ()", "[1, 0, 0] True ()", "[0, 0, 0] True ()",
    ]  # fmt: skip


def test_a_round_without_a_legal_pairing_is_explained_by_name(engine):
    code = """
event = start(2, names=["Ada Moss", "Ben Orr"])
event = record_results(event, pair(event), {1: "1-0"})
try:
    pair(event)
except PairingImpossible as error:
    for language in ("en", "pl"):
        for each in explain_failure(error, event, language=language):
            print(each.article, each.sentence, sep="|")
"""
    assert answer(engine, EVENTS + code).splitlines() == [
        "|No legal pairing exists. These players can't be paired: Ada Moss, Ben Orr.",
        "dutch-2026 1.9|Ada Moss has no possible opponent.",
        "dutch-2026 1.9|Ben Orr has no possible opponent.",
        "|Nie ma dopuszczalnego kojarzenia. Tych zawodników nie da się skojarzyć: Ada Moss, Ben Orr.",
        "dutch-2026 1.9|Ada Moss nie ma możliwego przeciwnika.",
        "dutch-2026 1.9|Ben Orr nie ma możliwego przeciwnika.",
    ]


def test_the_command_has_a_version_and_takes_the_language_anywhere(engine):
    data = engine.parent / "clubnight_engine-9.8.7.dist-info"
    data.mkdir(exist_ok=True)
    (data / "METADATA").write_text("Metadata-Version: 2.1\nName: clubnight-engine\nVersion: 9.8.7\n")
    run = "import clubnight_engine.__main__ as command; sys.argv[1:] = {!r}; command.main()"
    assert answer(engine, run.format(["--version"])) == "clubnight-engine 9.8.7\n"
    assert answer(engine, "import clubnight_engine; print(clubnight_engine.__version__)") == "9.8.7\n"
    pairing = ["pair", "--system", "dutch-2026", "--explain", str(EVENT)]
    first = answer(engine, run.format(["--language", "pl", *pairing]))
    assert first == answer(engine, run.format([*pairing, "--language", "pl"]))
    assert first != answer(engine, run.format(pairing))


def test_every_exception_is_part_of_the_interface(engine):
    code = """
import builtins, clubnight_engine, re
known = set(clubnight_engine.__all__)
texts = [getattr(clubnight_engine, each).__doc__ or "" for each in known]
told = [text for each in texts for text in re.findall(r"Raises(.*)", each, re.S)]
raised = {name for text in told for name in re.findall(r"[A-Z][a-z]+[A-Z]\\w+", text)}
print(sorted(raised - known - {*dir(builtins)}), len(raised))
print(sorted(known) == sorted(clubnight_engine.__all__))
print([name for name in known if not hasattr(clubnight_engine, name)])
"""
    unnamed, *rest = answer(engine, code).splitlines()
    assert unnamed.startswith("[] ")
    assert rest == ["True", "[]"]
