"""Make the cases of the conformance kit: for every article and clause a small event in which it decides.

    python -m tests.pairing.conformance.build [--system NAME] [--events 300]

A stored case stays if its mutant still fails it. Events are searched for the others. Expected pairs are the literal
twin's or were worked by hand; the engine is not asked. `clauses.json` has the rounds of every mutant that differ, which
tell a program's author which article is most likely the cause. Cases of other programs (`other_programs.json`, made by
`python -m lab.large_cases`) are added to the index.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pairing.cli.conformance_kit import spell_pairs
from pairing.engine.rule_interpretations import (
    ChosenInterpretations,
    non_default_interpretations,
    parse_interpretation,
)
from pairing.engine.snapshot import RoundRecord, TournamentSnapshot
from pairing.engine.trf import (
    TrfEdition,
    TrfHeader,
    TrfRecord,
    read_trf,
    snapshot_from_trf,
    trf_from_snapshot,
    write_trf,
)
from tests.pairing.conformance.mutant import PAIR, Mutant, answer
from tests.pairing.conformance.mutants import MUTANTS
from tests.pairing.conformance.mutants_2026 import RARE_2026
from tests.pairing.conformance.worked_cases import HAND_CASES
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.compare import OTHER_READINGS
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import Pairing

KIT = Path(__file__).resolve().parents[3] / "docs" / "conformance"
SYSTEMS = ("fide-1989", "jahr", "dutch-1992", "dubov-1997", "dutch-2026", "round-robin")
OTHER_PROGRAMS = "agreed by"
"""So begins the source of a case whose answer comes from other programs."""
RARE_SYSTEM = "dutch-2026"
SMALL = (8, 4)
"""So many players after so many rounds at most: good enough to stop looking."""


@dataclass(frozen=True)
class Found:
    """A case: the event as read from its file, and both answers."""

    snapshot: TournamentSnapshot
    text: bytes
    expected: Pairing
    otherwise: Pairing | str

    @property
    def size(self) -> tuple[int, int]:
        return len(self.snapshot.cards), self.snapshot.rounds_paired


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the cases of the conformance kit.")
    parser.add_argument("--events", type=int, default=300)
    parser.add_argument("--system", choices=SYSTEMS, help="build the cases of this system only")
    options = parser.parse_args()
    entries: list[dict[str, Any]] = []
    answers: dict[str, dict[str, dict[str, str]]] = {}
    for system in SYSTEMS:
        stored = stored_entries(system)
        if options.system not in (None, system):
            entries += stored
            answers[system] = json.loads((KIT / "clauses.json").read_text(encoding="utf-8")).get(system, {})
            continue
        built = _entries_of_system(system, stored, options.events)
        mutants = [mutant for mutant in MUTANTS if mutant.system == system]
        missing = [mutant.name for mutant in mutants if not any(entry["id"] == case_id(mutant) for entry in built)]
        print(f"{system}: {len(built)} cases; no event found for: {', '.join(missing) or 'none'}")
        answers[system] = wrong_answers(mutants, built)
        entries += built
    _write(KIT / "index.json", json.dumps({"version": 2, "cases": entries}, indent=1, ensure_ascii=False) + "\n")
    _write(KIT / "clauses.json", json.dumps(answers, indent=0, ensure_ascii=False, sort_keys=True) + "\n")


def stored_entries(system: str) -> list[dict[str, Any]]:
    cases = json.loads((KIT / "index.json").read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if case["system"] == system]


def _entries_of_system(system: str, stored: list[dict[str, Any]], events: int) -> list[dict[str, Any]]:
    by_id = {entry["id"]: entry for entry in stored}
    mutants = [mutant for mutant in MUTANTS if mutant.system == system]
    found = decided_by(system, mutants, {m: by_id[case_id(m)] for m in mutants if case_id(m) in by_id}, events)
    entries = [_entry(mutant, found[mutant]) for mutant in mutants if mutant in found]
    for name, reading in OTHER_READINGS:
        if name.partition("+")[0] == system:
            entries += _reading_entries(name, reading, events)
    entries += [_hand_entry(case) for case in HAND_CASES if case.system == system]
    return entries + [entry for entry in stored if entry["source"].startswith(OTHER_PROGRAMS)]


def wrong_answers(mutants: list[Mutant], entries: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """The rounds of each mutant that are not the expected ones, by its name and the case; empty for no answer."""
    cases = [
        (entry["id"], snapshot_of_entry(entry), frozenset(map(tuple, entry["pairs"])), entry["bye"])
        for entry in entries
        if not entry["source"].startswith(OTHER_PROGRAMS)
    ]
    found: dict[str, dict[str, str]] = {}
    for mutant in mutants:
        told = {}
        for name, snapshot, games, bye in cases:
            pairing = mutant.pair(snapshot)
            if boards(pairing) != (games, bye):
                told[name] = "" if isinstance(pairing, str) else spell_pairs(_with_bye(pairing))
        found[f"{mutant.article}|{mutant.key}"] = told
    return found


def _with_bye(pairing: Pairing) -> frozenset[tuple[int, int]]:
    games, bye = pairing
    return frozenset([*games, *([(bye, 0)] if bye else [])])


def snapshot_of_entry(entry: dict[str, Any]) -> TournamentSnapshot:
    """The event of a case, with its readings."""
    snapshot = snapshot_from_trf(
        read_trf((KIT / entry["file"]).read_bytes(), name=entry["id"]),
        system=entry["system"],
        procedure=entry["procedure"],
        acceleration=entry["acceleration"],
        group_limits=tuple(entry["groups"]) if entry["groups"] else None,
    )
    return replace(snapshot, interpretations=non_default_interpretations(map(parse_interpretation, entry["readings"])))


def decided_by(
    system: str, mutants: list[Mutant], stored: dict[Mutant, dict[str, Any]], events: int
) -> dict[Mutant, Found]:
    """An event on which each mutant goes wrong: the stored one, or a small one, preferably with a pairing."""
    best = {mutant: _rare(mutant) for mutant in mutants if mutant.system == RARE_SYSTEM and mutant.name in RARE_2026}
    for mutant, entry in stored.items():
        case = as_file(snapshot_of_entry(entry))
        if mutant not in best and case and (found := _found(mutant, *case)):
            best[mutant] = found
    for entry in stored_entries(system):
        missing = [mutant for mutant in mutants if mutant not in best and mutant.acceleration == entry["acceleration"]]
        if not entry["readings"] and not entry["procedure"] and not entry["source"].startswith(OTHER_PROGRAMS):
            case = as_file(snapshot_of_entry(entry)) if missing else None
            best |= {mutant: found for mutant in missing if case and (found := _found(mutant, *case))}
    kept = frozenset(best)
    for seed in range(events):
        left = [
            mutant for mutant in mutants if mutant not in kept and (mutant not in best or best[mutant].size > SMALL)
        ]
        if not left:
            break
        for snapshot, _ in play(system, seed, PAIR[system]):
            size = len(snapshot.cards), snapshot.rounds_paired
            accelerated = snapshot.acceleration
            asked = [
                mutant
                for mutant in left
                if mutant.acceleration == accelerated and (mutant not in best or size < best[mutant].size)
            ]
            if not asked or any(card.fictitious for card in snapshot.cards):
                continue
            case = as_file(snapshot)
            if case is None:
                continue
            back, text = case
            expected = answer(PAIR[system], back)
            if isinstance(expected, str):
                continue
            for mutant in asked:
                wrong = mutant.pair(back)
                if boards(wrong) != boards(expected) and (
                    not isinstance(wrong, str) or (mutant not in best and seed > events // 2)
                ):
                    best[mutant] = Found(back, text, expected, wrong)
    return best


def _rare(mutant: Mutant) -> Found:
    """An event stored for a mutant that random events hardly ever catch."""
    case = as_file(notation.read(RARE_2026[mutant.name]))
    if case is None:
        raise ValueError(f"no file can tell the event of {mutant.name}")
    expected = answer(PAIR[mutant.system], case[0])
    if isinstance(expected, str):
        raise TypeError(f"{mutant.name}: {expected}")
    return Found(*case, expected, mutant.pair(case[0]))


def _found(mutant: Mutant, snapshot: TournamentSnapshot, text: bytes) -> Found | None:
    """The case if the mutant fails it."""
    expected, wrong = answer(PAIR[mutant.system], snapshot), mutant.pair(snapshot)
    if isinstance(expected, str) or boards(wrong) == boards(expected):
        return None
    return Found(snapshot, text, expected, wrong)


def boards(pairing: Pairing | str) -> object:
    """A pairing without the order of its boards, which the kit does not ask for."""
    return pairing if isinstance(pairing, str) else (frozenset(pairing[0]), pairing[1])


def as_file(snapshot: TournamentSnapshot) -> tuple[TournamentSnapshot, bytes] | None:
    """The event written and read again; None if the file cannot contain all of it.

    Numbers have no gaps and the number of rounds is stated, as other programs need both.
    """
    snapshot = without_gaps(snapshot)
    if snapshot.rounds_announced is None:
        snapshot = replace(snapshot, rounds_announced=max(snapshot.rounds_paired + 3, 5))
    named = tuple(replace(card, name=card.name or f"Player {card.tpn:02}") for card in snapshot.cards)
    snapshot = replace(snapshot, cards=tuple(sorted(named, key=lambda card: card.tpn)), interpretations=())
    if any(card.unavailable is not None and card.unavailable.result.value == " " for card in snapshot.cards):
        return None
    text = written(snapshot)
    back = snapshot_from_trf(
        read_trf(text, name="case.trf"),
        system=snapshot.system,
        procedure=snapshot.procedure,
        acceleration=snapshot.acceleration,
        group_limits=snapshot.group_limits,
    )
    return back, text


def written(snapshot: TournamentSnapshot) -> bytes:
    """The event's file. What it says of the event is in the codes of both editions, for older and newer programs."""
    ranks = {card.tpn: card.tpn for card in snapshot.cards}
    old, new = (
        trf_from_snapshot(snapshot, header=TrfHeader(tournament="Conformance case"), ranks=ranks, edition=edition)
        for edition in (TrfEdition.TRF16, TrfEdition.TRF26)
    )
    both = [line for line in new.lines if isinstance(line, TrfRecord) and line.line_code in ("142", "152", "260")]
    return write_trf(replace(old, lines=(*both, *old.lines))).replace(b"\r\n", b"\n")


def without_gaps(snapshot: TournamentSnapshot) -> TournamentSnapshot:
    """The event with the numbers 1 to n, in the same order."""
    number = {tpn: place for place, tpn in enumerate(sorted(card.tpn for card in snapshot.cards), start=1)}

    def renumbered(record: RoundRecord) -> RoundRecord:
        return record if record.opponent is None else replace(record, opponent=number[record.opponent])

    return replace(
        snapshot,
        cards=tuple(
            replace(card, tpn=number[card.tpn], records=tuple(map(renumbered, card.records))) for card in snapshot.cards
        ),
        forbidden_pairs=frozenset(frozenset(number[tpn] for tpn in pair) for pair in snapshot.forbidden_pairs),
    )


def _reading_entries(name: str, reading: str, events: int) -> Iterator[dict[str, Any]]:
    """Two cases with one file: by the default and by the other interpretation."""
    system, _, procedure = name.partition("+")
    readings = non_default_interpretations([parse_interpretation(reading)])
    slug = reading.split("=")[0].replace(":", "-").replace(".", "-")
    path = f"{system}/reading-{slug}{'-' + procedure if procedure else ''}.trf"
    best = _stored_reading(KIT / "cases" / path, system, procedure, readings)
    for seed in range(0 if best else events):
        for snapshot, _ in play(name, seed, PAIR[system], readings):
            size = len(snapshot.cards), snapshot.rounds_paired
            if (best and size >= best.size) or snapshot.acceleration != "none":
                continue
            if any(card.fictitious for card in snapshot.cards) or (case := as_file(snapshot)) is None:
                continue
            expected, otherwise = (
                answer(PAIR[system], case[0]),
                answer(PAIR[system], replace(case[0], interpretations=readings)),
            )
            if (
                boards(expected) != boards(otherwise)
                and not isinstance(expected, str)
                and not isinstance(otherwise, str)
            ):
                best = Found(*case, expected, otherwise)
        if best and best.size <= SMALL:
            break
    if best is None:
        print(f"no event found for {name} {reading}")
        return
    for value, pairing in (("", best.expected), (reading, best.otherwise)):
        other = "-other" if value else ""
        assert not isinstance(pairing, str)
        yield _case(
            f"reading-{slug}{'-' + procedure if procedure else ''}{other}",
            system,
            reading.split(":")[1].split("=")[0],
            best,
            pairing,
            readings=[value] if value else [],
            file=path,
            procedure=procedure,
            source="literal transcription",
        )


def _stored_reading(path: Path, system: str, procedure: str, readings: ChosenInterpretations) -> Found | None:
    """The stored event if the two interpretations still pair it differently."""
    if not path.exists():
        return None
    trf = read_trf(path.read_bytes(), name=path.name)
    case = as_file(snapshot_from_trf(trf, system=system, procedure=procedure or None))
    if case is None:
        return None
    expected = answer(PAIR[system], case[0])
    otherwise = answer(PAIR[system], replace(case[0], interpretations=readings))
    if isinstance(expected, str) or isinstance(otherwise, str) or boards(expected) == boards(otherwise):
        return None
    return Found(*case, expected, otherwise)


def case_id(mutant: Mutant) -> str:
    """The name of the case for a mutant."""
    return re.sub(r"[^a-z0-9]+", "-", f"{mutant.system} {mutant.name}".lower())


def _entry(mutant: Mutant, found: Found) -> dict[str, Any]:
    entry = _case(case_id(mutant), mutant.system, mutant.article, found, found.expected, source="literal transcription")
    entry["without_it"] = _spelled(found.otherwise)
    return entry


def _hand_entry(case: Any) -> dict[str, Any]:
    found = Found(case.snapshot, case.text, case.expected, "")
    return _case(case.id, case.system, case.article, found, case.expected, source=f"worked by hand: {case.working}")


def _case(
    name: str,
    system: str,
    article: str,
    found: Found,
    expected: Pairing,
    *,
    source: str,
    readings: list[str] | None = None,
    file: str = "",
    procedure: str = "",
) -> dict[str, Any]:
    path = file or f"{system}/{name}.trf"
    _write(KIT / "cases" / path, found.text.decode())
    games, bye = expected
    limits = found.snapshot.group_limits
    return {
        "id": name,
        "system": system,
        "article": article,
        "file": f"cases/{path}",
        "acceleration": found.snapshot.acceleration,
        "groups": list(limits) if limits else None,
        "procedure": procedure or None,
        "readings": readings or [],
        "pairs": [list(game) for game in games],
        "bye": bye,
        "source": source,
    }


def _spelled(pairing: Pairing | str) -> str | None:
    if isinstance(pairing, str):
        return None
    games, bye = pairing
    return " ".join([*(f"{white}-{black}" for white, black in games), *([f"bye {bye}"] if bye else [])])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
