"""Make the cases of the conformance kit: for every article the smallest event found in which it decides.

    python -m tests.pairing.conformance.build [--events 300]

Expected pairs are the literal twin's or were worked by hand; the engine is not asked.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pairing.engine.rule_interpretations import non_default_interpretations, parse_interpretation
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.trf import TrfEdition, TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf
from tests.pairing.conformance.mutant import PAIR, Mutant, answer
from tests.pairing.conformance.mutants import MUTANTS
from tests.pairing.conformance.mutants_2026 import RARE_2026
from tests.pairing.conformance.worked_cases import HAND_CASES
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.compare import OTHER_READINGS
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import Pairing

KIT = Path(__file__).resolve().parents[3] / "docs" / "conformance"
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
    events = parser.parse_args().events
    entries: list[dict[str, Any]] = []
    for system in ("fide-1989", "jahr", "dutch-1992", "dubov-1997", "dutch-2026"):
        mutants = [mutant for mutant in MUTANTS if mutant.system == system]
        for mutant, found in decided_by(system, mutants, events).items():
            entries.append(_entry(mutant, found))
    entries += [entry for name, reading in OTHER_READINGS for entry in _reading_entries(name, reading, events)]
    entries += [_hand_entry(case) for case in HAND_CASES]
    _write(KIT / "index.json", json.dumps({"version": 1, "cases": entries}, indent=1, ensure_ascii=False) + "\n")
    missing = [f"{m.system} {m.name}" for m in MUTANTS if not any(e["id"] == _id(m) for e in entries)]
    print(f"{len(entries)} cases; no event found for: {', '.join(missing) or 'none'}")


def decided_by(system: str, mutants: list[Mutant], events: int) -> dict[Mutant, Found]:
    """The smallest events on which each mutant goes wrong, preferably with a pairing as its answer."""
    best = {mutant: _rare(mutant) for mutant in mutants if mutant.system == RARE_SYSTEM and mutant.name in RARE_2026}
    for seed in range(events):
        left = [mutant for mutant in mutants if mutant not in best or best[mutant].size > SMALL]
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


def boards(pairing: Pairing | str) -> object:
    """A pairing without the order of its boards, which the kit does not ask for."""
    return pairing if isinstance(pairing, str) else (frozenset(pairing[0]), pairing[1])


def as_file(snapshot: TournamentSnapshot) -> tuple[TournamentSnapshot, bytes] | None:
    """The event written and read again; None if the file cannot contain all of it."""
    named = tuple(replace(card, name=card.name or f"Player {card.tpn:02}") for card in snapshot.cards)
    snapshot = replace(snapshot, cards=tuple(sorted(named, key=lambda card: card.tpn)), interpretations=())
    if any(card.unavailable is not None and card.unavailable.result.value == " " for card in snapshot.cards):
        return None
    ranks = {card.tpn: card.tpn for card in snapshot.cards}
    trf = trf_from_snapshot(
        snapshot, header=TrfHeader(tournament="Conformance case"), ranks=ranks, edition=TrfEdition.TRF16
    )
    text = write_trf(trf).replace(b"\r\n", b"\n")
    back = snapshot_from_trf(
        read_trf(text, name="case.trf"),
        system=snapshot.system,
        procedure=snapshot.procedure,
        acceleration=snapshot.acceleration,
        group_limits=snapshot.group_limits,
    )
    return back, text


def _reading_entries(name: str, reading: str, events: int) -> Iterator[dict[str, Any]]:
    """Two cases with one file: by the default and by the other interpretation."""
    system, _, procedure = name.partition("+")
    readings = non_default_interpretations([parse_interpretation(reading)])
    best: Found | None = None
    for seed in range(events):
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
    slug = reading.split("=")[0].replace(":", "-").replace(".", "-")
    for value, pairing in (("", best.expected), (reading, best.otherwise)):
        other = "-other" if value else ""
        yield _case(
            f"reading-{slug}{'-' + procedure if procedure else ''}{other}",
            system,
            reading.split(":")[1].split("=")[0],
            best,
            pairing,
            readings=[value] if value else [],
            file=f"{system}/reading-{slug}{'-' + procedure if procedure else ''}.trf",
            procedure=procedure,
            source="literal transcription",
        )


def _id(mutant: Mutant) -> str:
    return f"{mutant.system}-{mutant.name}".replace(" ", "-").replace(".", "-").lower()


def _entry(mutant: Mutant, found: Found) -> dict[str, Any]:
    entry = _case(_id(mutant), mutant.system, mutant.article, found, found.expected, source="literal transcription")
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
