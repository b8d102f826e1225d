"""Test the conformance kit: is every broken clause caught, and is its article named first?

    python -m lab.kit_mutants [--system NAME] [--without-own]

Each mutant of the literal transcriptions answers all cases of its system. With `--without-own` the kit doesn't know
the mutant's rounds, as for a program that breaks the clause in another way.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter

from pairing.cli.conformance import KIT_FOLDER
from pairing.cli.conformance_kit import (
    CaseStatus,
    ConformanceCase,
    ConformanceResult,
    judge_answer,
    read_conformance_cases,
    suspected_articles,
)
from tests.pairing.conformance.build import OTHER_PROGRAMS, SYSTEMS, snapshot_of_entry
from tests.pairing.conformance.mutant import Mutant
from tests.pairing.conformance.mutants import MUTANTS
from tests.pairing.conformance.mutants_of_clauses import CLAUSES


def main() -> None:
    parser = argparse.ArgumentParser(description="Test the conformance kit with broken transcriptions.")
    parser.add_argument("--system", choices=SYSTEMS)
    parser.add_argument("--without-own", action="store_true", help="hide the mutant's own rounds from the kit")
    options = parser.parse_args()
    entries = {
        each["id"]: each for each in json.loads((KIT_FOLDER / "index.json").read_text(encoding="utf-8"))["cases"]
    }
    clauses = json.loads((KIT_FOLDER / "clauses.json").read_text(encoding="utf-8"))
    counts = Counter[tuple[str, str]]()
    for mutant in MUTANTS:
        if options.system not in (None, mutant.system):
            continue
        cases = [
            case
            for case in read_conformance_cases(KIT_FOLDER, system=mutant.system)
            if not entries[case.id]["source"].startswith(OTHER_PROGRAMS)
        ]
        results = [_result(mutant, case, entries[case.id]) for case in cases]
        known = dict(clauses[mutant.system])
        if options.without_own:
            known.pop(f"{mutant.article}|{mutant.key}")
        suspected = suspected_articles(known, results)
        first = suspected[0].article if suspected else ""
        is_caught = any(not each.has_passed for each in results)
        for kind in ("all", "clauses") if mutant in CLAUSES else ("all",):
            counts[kind, "mutants"] += 1
            counts[kind, "caught"] += is_caught
            counts[kind, "named first"] += first == mutant.article
        if not is_caught or first != mutant.article:
            print(f"{mutant.system} {mutant.name}: {'named ' + (first or 'nothing') if is_caught else 'NOT CAUGHT'}")
    for kind in ("clauses", "all"):
        told = ", ".join(f"{counts[kind, what]} {what}" for what in ("mutants", "caught", "named first"))
        print(f"{kind}: {told}")


def _result(mutant: Mutant, case: ConformanceCase, entry: dict) -> ConformanceResult:
    pairing = mutant.pair(snapshot_of_entry(entry))
    if isinstance(pairing, str):
        return ConformanceResult(case=case, status=CaseStatus.REFUSED, detail=pairing)
    games, bye = pairing
    return judge_answer(case, frozenset([*games, *([(bye, 0)] if bye else [])]))


if __name__ == "__main__":
    main()
