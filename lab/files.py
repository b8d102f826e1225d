"""Read folders of report files and print the result for each: `python -m lab.files FOLDER...`.

Read, refused with line and column, misread or crashed, on the command line and on the web, whose answers must be the
same. A file counts as misread if a value differs from the file's columns (cut here a second time, without the
reader's help), if points differ from the results without a warning, or if a player with fewer points has a better
rank. Prints Markdown: a table by program, which is the beginning of a file's name up to `__`, or else its folder, and
below it what is refused and why. A file that is there twice counts once.

The table in docs/secretary/files.md is of the public repositories AuroraRyunix/Ainalrami,
BieremaBoyzProgramming/bbpPairings, Sharly-Chess/bbpPairings, Sharly-Chess/sharly-chess, gnutterts/chesspairing,
Moritz72/py4swiss, gbtami/swisspairing, echecsjs/trf and sklangen/TRF.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

from lab.figures import table
from pairing.engine.snapshot import InvalidSnapshot, Result
from pairing.engine.trf import TrfError, TrfFile, TrfWarningKind, read_trf, snapshot_from_trf

OTHERS = {".md", ".pairs", ".json", ".py"}
SYSTEM = "dutch-2026"


@dataclass(slots=True)
class Outcome:
    """The result for one file; `said` is a refusal, `wrong` lists values that were misread."""

    path: Path
    program: str = ""
    is_team: bool = False
    outcome: str = "read"
    said: str = ""
    wrong: list[str] = field(default_factory=list)
    players: int = 0
    points_compared: int = 0
    points_warned: int = 0
    ranks_compared: int = 0


def main(arguments: list[str] | None = None) -> int:
    """Read the files and print; 1 if one is misread or crashes, or the web and the command line differ."""
    parser = argparse.ArgumentParser(prog="python -m lab.files", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    folders: list[Path] = parser.parse_args(arguments).folders
    outcomes, seen = [], set[bytes]()
    for folder in folders:
        for path in report_files_in(folder):
            if (content := path.read_bytes()) in seen:
                continue
            seen.add(content)
            outcomes.append(look_at(path))
            outcomes[-1].program = _program(path, folder)
    differing = _otherwise_on_the_web(outcomes)
    print(_tables(outcomes, differing))
    bad = [each for each in outcomes if each.outcome in ("misread", "crashed")]
    return 1 if bad or differing else 0


def report_files_in(folder: Path) -> Iterator[Path]:
    """The report files in a folder and its subfolders, recognised by a player's line."""
    for path in sorted(folder.rglob("*")):
        if (
            path.is_file()
            and path.suffix.lower() not in OTHERS
            and re.search(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?001", path.read_bytes())
        ):
            yield path


def _program(path: Path, folder: Path) -> str:
    """The program a file was found with: the text before `__` in its name, or else the folder it is in."""
    name, underscores, _rest = path.name.partition("__")
    parts = path.relative_to(folder).parts
    return name if underscores else parts[0] if len(parts) > 1 else folder.name


def look_at(path: Path) -> Outcome:
    """Read a file as a command does, make its snapshot, and compare the values read with the text."""
    found = Outcome(path=path)
    data = path.read_bytes()
    try:
        trf = read_trf(data, name=path.name)
        found.is_team = any(each.kind is TrfWarningKind.TEAM_EVENT for each in trf.warnings)
        snapshot_from_trf(trf.before_open_games(), system=SYSTEM, is_for_pairing=False).check_consistency()
    except TrfError as error:
        found.outcome, found.said = "refused", str(error)
        if error.line < 1 or error.column < 1:
            found.outcome = "crashed"
    except InvalidSnapshot as error:
        found.outcome, found.said = "refused", f"{path.name}: {error}"
    except Exception:  # the test looks for crashes
        found.outcome, found.said = "crashed", traceback.format_exc(limit=-1)
    else:
        found.players = len(trf.players)
        found.wrong = [
            *_cells_that_differ(data, trf),
            *_points_that_differ(trf, found),
            *_ranks_that_differ(trf, found),
        ]
        found.outcome = "misread" if found.wrong else "read"
    return found


def _cells_that_differ(data: bytes, trf: TrfFile) -> Iterator[str]:
    """Every field of the players' lines, cut at the columns of TRF16 (annex), compared with the values read."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    lines = [line for line in re.split("\r\n|\r|\n", text) if line.startswith("001")]
    if len(lines) != len(trf.players):
        yield f"{len(lines)} players stand in it, {len(trf.players)} were read"
        return
    for line, player in zip(lines, trf.players, strict=True):
        if "\ufffd" in line:
            continue  # an older code page, which the reader detects
        cells = {
            "number": (line[4:8].strip(), str(player.tpn)),
            "name": (line[14:47].strip(), player.name),
            "rating": (line[48:52].strip().lstrip("0"), str(player.rating or "")),
            "federation": (line[53:56].strip(), player.federation),
            "FIDE ID": (line[57:68].strip(), player.fide_number),
            "birth": (line[69:79].strip(), player.birth_date),
            "rank": (line[85:89].strip().lstrip("0"), str(player.rank or "")),
        }
        for what, (stands, read) in cells.items():
            if stands != read and int(player.tpn) < 10_000:
                yield f"{what} of player {player.tpn}: {stands!r} stands there, {read!r} was read"
        blocks = [line[begin : begin + 8] for begin in range(91, len(line.rstrip()), 10)]
        for number, block in enumerate(blocks, start=1):
            told = player.get_round(number)
            opponent, colour, result = block[:4].strip().lstrip("0"), block[5:6].strip(" -"), block[7:8].strip()
            was = (
                str(told.opponent or "")[-4:],
                told.colour.value if told.colour else "",
                told.result.value if told.result else "",
            )
            stands = (opponent, colour.lower(), _as_read(result.upper(), opponent))
            if was != stands:
                yield f"round {number} of player {player.tpn}: {block!r} stands there, {was} was read"


def _as_read(result: str, opponent: str) -> str:
    """An absence equals a lost forfeit without an opponent."""
    return Result.ABSENT.value if result == "-" and not opponent else result


def _points_that_differ(trf: TrfFile, found: Outcome) -> Iterator[str]:
    """Stated points that differ from the results without a warning about that player."""
    warned = {each.line for each in trf.warnings if each.kind is TrfWarningKind.POINTS_DIFFER}
    usual = not any(trf.values_for_code(code) for code in ("XXS", "162", "BBW", "BBD", "BBL", "BBU", "BBZ", "BBF"))
    worth = {"1": 2, "W": 2, "+": 2, "U": 2, "F": 2, "=": 1, "D": 1, "H": 1, "*": 1}
    for line, player in trf.players_with_line_numbers():
        if player.points is None:
            continue
        found.points_compared += 1
        if line in warned:
            found.points_warned += 1
            continue
        halves = [worth.get(block.result.value if block.result else "", 0) for block in player.rounds]
        sums = {Decimal(sum(halves)) / 2, Decimal(sum(halves[: trf.rounds_paired])) / 2}
        if usual and player.points not in sums:
            yield f"player {player.tpn}: {player.points} points stated, {sums} of the results, and no warning"


def _ranks_that_differ(trf: TrfFile, found: Outcome) -> Iterator[str]:
    """Ranks follow points, if the file has both and ranks are not the starting order."""
    ranked = sorted(
        (player.rank, player.points, player.tpn) for player in trf.players if player.rank and player.points is not None
    )
    warned = {TrfWarningKind.POINTS_DIFFER, TrfWarningKind.RANKS_DIFFER}
    if not trf.rounds_paired or any(each.kind in warned for each in trf.warnings):
        return
    if all(rank == tpn for rank, _points, tpn in ranked) or len({rank for rank, *_ in ranked}) != len(ranked):
        return
    found.ranks_compared += len(ranked)
    for (rank, points, tpn), (_rank, next_points, other) in pairwise(ranked):
        if points < next_points:
            yield f"rank {rank} has {points} points (player {tpn}), the next {next_points} (player {other})"
            return


def _otherwise_on_the_web(outcomes: list[Outcome]) -> list[str]:
    """Files that the pages accept and the commands refuse, or the other way round."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("CLUBNIGHT_DEBUG", "1")
    import django

    django.setup()
    from tournaments.import_export.report_files import UnreadableReport, read_report

    differing = []
    for each in outcomes:
        try:
            problems = read_report(each.path.read_bytes(), each.path.name).problems
        except UnreadableReport as unreadable:
            problems = (unreadable.problem,)
        except Exception:  # the test looks for crashes
            each.outcome, each.said = "crashed", traceback.format_exc(limit=-1)
            continue
        if bool(problems) != (each.outcome == "refused"):
            told = str(problems[0]) if problems else "taken"
            differing.append(f"{each.path.name}: {each.outcome} by command ({each.said or '-'}); on the web: {told}")
    return differing


def _tables(outcomes: list[Outcome], differing: list[str]) -> str:
    programs = sorted({each.program for each in outcomes}, key=str.lower)
    columns = [*([each for each in outcomes if each.program == program] for program in programs), outcomes]
    rows = [["files", *(str(len(column)) for column in columns)]]
    for what in ("read", "refused", "misread", "crashed"):
        rows.append([what, *(str(sum(each.outcome == what for each in column)) for column in columns)])
    rows.append(["read, of teams", *(str(sum(each.is_team for each in column)) for column in columns)])
    read = [each for each in outcomes if each.outcome == "read"]
    lines = [
        table(["", *programs, "all"], rows),
        "",
        f"Of the files read: {sum(each.players for each in read)} players, of whom every field was compared;"
        f" points of {sum(each.points_compared for each in read)} (a warning says of"
        f" {sum(each.points_warned for each in read)} that they are not the sum), ranks of"
        f" {sum(each.ranks_compared for each in read)}.",
        f"Taken by command and on the web alike: {len(outcomes) - len(differing)} of {len(outcomes)}.",
        "",
        *(f"- {each}" for each in differing),
        *(f"- {each.path.name}: {each.outcome}: {each.wrong[0]}" for each in outcomes if each.wrong),
        *(f"- {each.path.name}: {each.outcome}: {each.said}" for each in outcomes if each.outcome == "crashed"),
        *(f"- {each.said}" for each in outcomes if each.outcome == "refused"),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
