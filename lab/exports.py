"""Import and export report files, and read the exports with other programs: `python -m lab.exports FOLDER...`.

Every individual file of the folders becomes an event in a database of its own, which is written as a report; both are
read and compared player by player, round by round, rule by rule. Then gacrux and py4swiss read the report and the file
it was made from (installed from PyPI into a folder of their own, `var/exports`, by this command only), and say how many
players and results they found. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lab.figures import table
from lab.files import look_at, report_files_in
from pairing.engine.trf import TrfFile, read_trf
from pairing.engine.trf.event_directives import read_directives

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "exports"
PROGRAMS = ("gacrux", "py4swiss")
TEXTS = ("012", "022", "042", "052", "102", "112", "122", "132", "172", "182", "192", "202", "212", "222")
"""What a file says stands in the report again; the report may say more."""


def main(arguments: list[str] | None = None) -> int:
    """Compare and print; 1 if a file changes, or another program reads our report worse than the file."""
    parser = argparse.ArgumentParser(prog="python -m lab.exports", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    folders: list[Path] = parser.parse_args(arguments).folders
    paths = [path for folder in folders for path in report_files_in(folder) if look_at(path).outcome == "read"]
    with tempfile.TemporaryDirectory() as kept:
        return compare(dict(_written(paths, Path(kept))))


def compare(written: Mapping[Path, tuple[Path, str]]) -> int:
    """Print how files and their exports differ, for us and for others; 1 if they do."""
    changed = [
        f"{path.name}: {difference}"
        for path, (report, problem) in written.items()
        for difference in ([problem] if problem else differences(path, report))
    ]
    told = read_by_others([each for path, (report, _why) in written.items() for each in (path, report)])
    counts: Counter[tuple[str, str]] = Counter()
    notes = []
    for path, (report, _why) in written.items():
        for program in PROGRAMS:
            of_file, of_report = told[path][program], told[report][program]
            outcome = _outcome(of_file, of_report)
            counts[program, outcome] += 1
            if outcome in ("read otherwise", "refused, and the file read"):
                notes.append(f"{path.name}: {program}: {of_file} of the file, {of_report} of ours")
    kinds = ("read alike", "read, and the file refused", "both refused", "read otherwise", "refused, and the file read")
    print(f"{len(written)} files written and read again; changed: {len(changed)}.\n")
    print(table(["our report", *kinds], [[each, *(str(counts[each, kind]) for kind in kinds)] for each in PROGRAMS]))
    print("\n".join(["", *(f"- {each}" for each in (*changed, *notes))]))
    return 1 if changed or notes else 0


def _written(paths: list[Path], folder: Path) -> Iterator[tuple[Path, tuple[Path, str]]]:
    """Each file with its export and an empty text; without one, with itself and the reason."""
    os.environ |= {
        "CLUBNIGHT_DATABASE": str(folder / "events.sqlite3"),
        "CLUBNIGHT_DEBUG": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True, cwd=ROOT)
    import django

    django.setup()
    from clubs.models import Club
    from tournaments.import_export.file_import import apply_import
    from tournaments.import_export.trf_export import export_trf
    from tournaments.problems import ArbiterProblem

    club = Club.objects.create(slug="exports", name="Exports")
    for number, path in enumerate(paths):
        report = folder / f"{number}.trf"
        try:
            event = apply_import(club, path.read_bytes(), path.name, by=None, system="dutch-2026")
            report.write_bytes(export_trf(event))
        except ArbiterProblem as refused:
            yield path, (path, f"not taken: {refused.message}")
        else:
            yield path, (report, "")


def differences(path: Path, report: Path) -> list[str]:
    """The differences between the export and the file."""
    before, after = (read_trf(each.read_bytes(), name=each.name) for each in (path, report))
    found = []
    one, other = _players(before), _players(after)
    if len(one) != len(other):
        return [f"{len(one)} players, {len(other)} written"]
    found += [f"player {tpn}: {one[tpn]}, {other.get(tpn)} written" for tpn in one if one[tpn] != other.get(tpn)][:3]
    said, written = _rules(before), _rules(after)
    found += [f"{name}: {said[name]}, {written[name]} written" for name in said if said[name] != written[name]]
    texts = {code: before.first_value_for_code(code) for code in TEXTS if before.first_value_for_code(code)}
    found += [
        f"{code}: {text}, {after.first_value_for_code(code)} written"
        for code, text in texts.items()
        if text != after.first_value_for_code(code)
    ]
    return found


def _players(trf: TrfFile) -> dict[int, Any]:
    """The data of each player that the export must keep. Requested byes in separate lines are on that line there."""
    asked = {(bye.tpn, bye.round_number or trf.rounds_paired + 1): bye.result for bye in read_directives(trf).byes}
    last = max([trf.rounds_paired, *(number for _tpn, number in asked), *(len(one.rounds) for one in trf.players)])

    def rounds(player: Any) -> tuple[Any, ...]:
        blocks = [player.get_round(number) for number in range(1, last + 1)]
        return tuple(
            (
                block.opponent,
                block.colour,
                block.result or (None if block.opponent else asked.get((player.tpn, number))),
            )
            for number, block in enumerate(blocks, start=1)
        )

    return {
        player.tpn: (
            " ".join(player.name.split()),
            player.fide_title,
            player.rating,
            player.federation,
            player.fide_number,
            player.birth_date.removesuffix("/00/00"),
            rounds(player),
        )
        for player in trf.players
    }


def _rules(trf: TrfFile) -> dict[str, object]:
    said = read_directives(trf)
    pairs = {
        (one, other, group.first_round, group.last_round)
        for group in said.forbidden
        for one in group.players
        for other in group.players
        if one < other
    }
    fictitious = {tpn: {n: points for n, points in by.items() if points} for tpn, by in said.fictitious.items()}
    return {
        "worth": said.result_points,
        "pairs": pairs,
        "fictitious": {tpn: by for tpn, by in fictitious.items() if by},
    }


def _outcome(of_file: object, of_report: object) -> str:
    if isinstance(of_report, str):
        return "both refused" if isinstance(of_file, str) else "refused, and the file read"
    if isinstance(of_file, str):
        return "read, and the file refused"
    return "read alike" if of_file == of_report else "read otherwise"


def read_by_others(paths: Sequence[Path]) -> dict[Path, dict[str, Any]]:
    """For each file and program the players and games it read, or its refusal."""
    told = subprocess.run(
        [str(programs_python()), str(ROOT / "lab" / "exports_of_others.py")],
        check=True,
        capture_output=True,
        text=True,
        input="".join(f"{path}\n" for path in paths),
    )
    return dict(zip(paths, map(json.loads, told.stdout.splitlines()), strict=True))


def programs_python() -> Path:
    """The Python that has the other programs, which are installed the first time."""
    python = FOLDER / "programs" / "bin" / "python"
    if not (FOLDER / "installed").exists():
        venv.create(FOLDER / "programs", with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PROGRAMS], check=True)
        (FOLDER / "installed").touch()
    return python


if __name__ == "__main__":
    sys.exit(main())
