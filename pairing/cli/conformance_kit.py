"""Test a pairing program with the conformance kit. It needs nothing but Python 3.11.

    python run.py --engine "PROGRAM {file}" [--system NAME] [--timeout SECONDS]

The README of the kit says more. Exit status: 0 all cases passed, 1 some answers are wrong or missing, 2 the kit or the
command cannot be used, 3 all answers are right, but the program refused some files.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

Pairs = frozenset[tuple[int, int]]
"""The pairs (White, Black) of a round. The bye is a pair with 0."""

LIKELY_ENOUGH = 0.3
"""A clause is named if this share of the rounds in question is as it would be without the clause."""


class ConformanceKitError(Exception):
    """Raised if the kit or the command cannot be used."""


class CaseStatus(StrEnum):
    """The outcome of a case."""

    PASSED = "passed"
    OTHER_READING = "other reading"
    """The program interprets the document in the other of two possible ways. That is not a fault."""
    WRONG = "wrong"
    REFUSED = "refused"
    """The program ended with an error."""
    NO_ANSWER = "no answer"
    """The program printed no pairs, took too long or could not be started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceCase:
    """One case of the kit.

    `others` are the answers by the other readings of the same place, for an event where the document can be read in
    several ways.
    """

    id: str
    system: str
    article: str
    file: Path
    acceleration: str
    groups: tuple[int, int] | None
    procedure: str | None
    readings: tuple[str, ...]
    expected: Pairs
    others: Mapping[str, Pairs]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceResult:
    """A program's result for a case: its pairs, its status, and details about the status in words."""

    case: ConformanceCase
    status: CaseStatus
    found: Pairs | None = None
    detail: str = ""

    @property
    def has_passed(self) -> bool:
        return self.status in (CaseStatus.PASSED, CaseStatus.OTHER_READING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """An article that a program may break, the way it breaks it, and how well its answers fit (1: perfectly)."""

    article: str
    clause: str
    fit: float


def read_conformance_cases(kit: Path, *, system: str | None = None) -> list[ConformanceCase]:
    """Read the cases in the kit's index, or only the cases of one system. Raises ConformanceKitError."""
    entries = _read_json(kit / "index.json")
    try:
        return [_case(kit, entry, entries["cases"]) for entry in entries["cases"] if system in (None, entry["system"])]
    except (KeyError, TypeError, ValueError) as error:
        raise ConformanceKitError(f"{kit / 'index.json'}: can't be read: {error}") from error


def run_conformance_cases(cases: list[ConformanceCase], command: str, *, timeout: int) -> Iterator[ConformanceResult]:
    """Run each case with the command. Skip a case if the command has no placeholder for its options.

    `{file}` stands for the event; `{system}`, and `{options}` (acceleration, procedure and readings as our own `pair`
    takes them), where the command has them. Raises ConformanceKitError for a command without `{file}`.
    """
    if "{file}" not in command:
        raise ConformanceKitError("the command needs {file}, which is replaced by the event's file")
    for case in cases:
        if _options(case) and "{options}" not in command:
            continue
        yield _run(case, command, timeout)


def suspected_articles(
    clauses: Mapping[str, Mapping[str, str]], results: Sequence[ConformanceResult]
) -> list[Suspicion]:
    """Return the articles that a program most likely breaks, the likeliest first. Empty if nothing is wrong.

    `results` are those of one system. `clauses` are the wrong rounds, by case, of programs that break one clause
    (`article|clause`). They are compared with the program's.
    """
    wrong = [each for each in results if each.status is CaseStatus.WRONG]
    if not wrong:
        return []
    answered = {
        each.case.id: "" if each.status is not CaseStatus.WRONG else spell_pairs(each.found or frozenset())
        for each in results
        if each.found is not None
    }
    best: dict[str, Suspicion] = {}
    for name, rounds in clauses.items():
        article, _, clause = name.partition("|")
        fit = _fit(rounds, answered)
        if fit >= LIKELY_ENOUGH and (article not in best or fit > best[article].fit):
            best[article] = Suspicion(article=article, clause=clause, fit=fit)
    counts: dict[str, int] = {}
    for each in wrong:
        counts[each.case.article] = counts.get(each.case.article, 0) + 1
    for article, count in counts.items():
        if article not in best:
            best[article] = Suspicion(article=article, clause="", fit=LIKELY_ENOUGH * count / (len(wrong) + 1))
    return sorted(best.values(), key=lambda each: -each.fit)


def format_conformance_report(kit: Path, results: Sequence[ConformanceResult]) -> Iterator[str]:
    """Format the articles most likely broken, then each case that did not pass, then one line per system."""
    clauses = _read_json(kit / "clauses.json")
    systems = sorted({each.case.system for each in results})
    for system in systems:
        of_system = [each for each in results if each.case.system == system]
        suspected = suspected_articles(clauses.get(system, {}), of_system)[:3]
        if suspected:
            names = (each.article + (f" ({each.clause})" if each.clause else "") for each in suspected)
            yield f"Most likely article: {system} {', then '.join(names)}"
    for each in results:
        if each.status is not CaseStatus.PASSED:
            yield _format_result(each)
    for system in systems:
        of_system = [each for each in results if each.case.system == system]
        yield f"{system}: {_counts(of_system)}"


def exit_status(results: Iterable[ConformanceResult]) -> int:
    """Return 1 for wrong or missing answers, otherwise 3 if the program refused a file, otherwise 0."""
    statuses = {each.status for each in results}
    if statuses & {CaseStatus.WRONG, CaseStatus.NO_ANSWER}:
        return 1
    return 3 if CaseStatus.REFUSED in statuses else 0


def _counts(results: Sequence[ConformanceResult]) -> str:
    text = f"{sum(each.has_passed for each in results)} of {len(results)} cases"
    for status in (CaseStatus.OTHER_READING, CaseStatus.WRONG, CaseStatus.REFUSED, CaseStatus.NO_ANSWER):
        number = sum(each.status is status for each in results)
        if number:
            text += f", {number} {'by another reading' if status is CaseStatus.OTHER_READING else status}"
    return text


def _format_result(result: ConformanceResult) -> str:
    case = result.case
    start = f"{case.id}: {case.system} {case.article}: {result.status}"
    if result.status is CaseStatus.OTHER_READING:
        return f"{start}, {result.detail}"
    if result.status is CaseStatus.WRONG:
        return f"{start}: expected {spell_pairs(case.expected)}; found {spell_pairs(result.found or frozenset())}"
    return f"{start}: {result.detail}"


def _fit(clause: Mapping[str, str], answered: Mapping[str, str]) -> float:
    """How well the wrong rounds of a clause (by case, "" for none) fit a program's ("" for right ones)."""
    in_question = [case for case in answered if answered[case] or case in clause]
    if not in_question:
        return 0
    alike = sum(bool(answered[case]) and clause.get(case) == answered[case] for case in in_question)
    both = sum(bool(answered[case]) and case in clause for case in in_question)
    return (3 * alike + both) / (4 * len(in_question))


def _run(case: ConformanceCase, command: str, timeout: int) -> ConformanceResult:
    words = {"{file}": [str(case.file)], "{system}": [case.system], "{options}": _options(case)}
    arguments: list[str] = []
    for word in shlex.split(command):
        if word in words:
            arguments += words[word]
        else:
            arguments.append(word.replace("{file}", str(case.file)).replace("{system}", case.system))
    try:
        ended = subprocess.run(  # noqa: S603 - the command is the user's own, and no shell reads it
            arguments, capture_output=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return ConformanceResult(case=case, status=CaseStatus.NO_ANSWER, detail=str(error))
    if ended.returncode:
        said = (ended.stderr or ended.stdout).decode(errors="replace").strip().splitlines()
        detail = f"exited with status {ended.returncode}: {said[-1] if said else ''}"
        return ConformanceResult(case=case, status=CaseStatus.REFUSED, detail=detail)
    try:
        return judge_answer(case, _answer(ended.stdout.decode(errors="replace")))
    except ValueError as error:
        return ConformanceResult(case=case, status=CaseStatus.NO_ANSWER, detail=str(error))


def judge_answer(case: ConformanceCase, found: Pairs) -> ConformanceResult:
    """Compare a program's pairs with the case."""
    if found == case.expected:
        return ConformanceResult(case=case, status=CaseStatus.PASSED, found=found)
    for reading, pairs in case.others.items():
        if found == pairs:
            return ConformanceResult(case=case, status=CaseStatus.OTHER_READING, found=found, detail=reading)
    return ConformanceResult(case=case, status=CaseStatus.WRONG, found=found)


def _answer(text: str) -> Pairs:
    """The pairs of an answer: their number, then one WHITE BLACK per line. The bye is TPN 0 or 0 TPN."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows or len(rows[0]) != 1 or not (rows[0][0].isascii() and rows[0][0].isdigit()):
        raise ValueError("the answer doesn't start with the number of pairs")
    pairs = set()
    for row in rows[1:]:
        if len(row) != 2 or not all(word.isascii() and word.isdigit() for word in row):
            raise ValueError(f"not a pair: {' '.join(row)}")
        white, black = map(int, row)
        pairs.add((black, 0) if white == 0 else (white, black))
    if len(rows) - 1 != int(rows[0][0]):
        raise ValueError(f"the answer states {rows[0][0]} pairs but has {len(rows) - 1}")
    return frozenset(pairs)


def _options(case: ConformanceCase) -> list[str]:
    options = []
    if case.acceleration != "none":
        options += ["--acceleration", case.acceleration]
    if case.groups:
        options += ["--groups", f"{case.groups[0]},{case.groups[1]}"]
    if case.procedure:
        options += ["--procedure", case.procedure]
    for reading in case.readings:
        options += ["--reading", reading]
    return options


def _case(kit: Path, entry: dict[str, Any], entries: list[dict[str, Any]]) -> ConformanceCase:
    others = {
        " ".join(each["readings"]): _pairs(each)
        for each in entries
        if not entry["readings"] and each["file"] == entry["file"] and each["readings"]
    }
    return ConformanceCase(
        id=entry["id"],
        system=entry["system"],
        article=entry["article"],
        file=kit / entry["file"],
        acceleration=entry["acceleration"],
        groups=tuple(entry["groups"]) if entry["groups"] else None,
        procedure=entry["procedure"],
        readings=tuple(entry["readings"]),
        expected=_pairs(entry),
        others=others,
    )


def _pairs(entry: dict[str, Any]) -> Pairs:
    bye = [(entry["bye"], 0)] if entry["bye"] else []
    return frozenset([*((white, black) for white, black in entry["pairs"]), *bye])


def spell_pairs(pairs: Pairs) -> str:
    """Return pairs as text, such as `1-4 2-3`, in the order of White's numbers."""
    return " ".join(f"{white}-{black}" for white, black in sorted(pairs))


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConformanceKitError(f"{path}: can't be read: {error}") from error


def add_kit_arguments(parser: argparse.ArgumentParser, systems: Sequence[str], *, is_required: bool) -> None:
    """Add the arguments that say which program is tested, and how."""
    parser.add_argument(
        "--engine",
        required=is_required,
        metavar="COMMAND",
        help="command to run for each case, with {file} for the event file. {system} and {options} are optional.",
    )
    parser.add_argument("--system", choices=systems, help="run only the cases of this system")
    parser.add_argument(
        "--timeout", type=int, default=20, metavar="SECONDS", help="time limit for each case (default: 20)"
    )


def main() -> int:
    """Run the kit in the folder that contains this file."""
    kit = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description="Test a pairing program with the conformance kit.")
    try:
        systems = sorted({case.system for case in read_conformance_cases(kit)})
        add_kit_arguments(parser, systems, is_required=True)
        options = parser.parse_args()
        cases = read_conformance_cases(kit, system=options.system)
        results = list(run_conformance_cases(cases, options.engine, timeout=options.timeout))
        print("\n".join(format_conformance_report(kit, results)))
    except ConformanceKitError as problem:
        print(problem, file=sys.stderr)
        return 2
    return exit_status(results)


if __name__ == "__main__":
    sys.exit(main())
