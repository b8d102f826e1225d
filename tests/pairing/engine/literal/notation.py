"""A snapshot as a few short lines, to read, paste and pair again.

The first line holds the event's facts, then one line a player: TPN, rating, one cell a round already paired
(`7w1`: White against 7, won; `7+`: 7 did not come; `U`, `H`, `Z`; `.`: absent), after `|` what he has for the
round to be paired, and after `fs=` the fictitious half points given by hand, after `name=` his name where one matters.

    fide-1989 rounds=5 first=w
    1 2100 3w1 2b=
    2 2000 4b1 1w= | H
    3 1900 1b0 4w+
    4 1800 2w0 3-
"""

from __future__ import annotations

import re

from pairing.engine.rule_interpretations import non_default_interpretations, parse_interpretation
from pairing.engine.snapshot import Colour, PairingCard, PointSystem, Result, RoundRecord, TournamentSnapshot

CELL = re.compile(r"(?:(\d+)([wb]?))?([10=WDL+\-UFHZ.*])")


def written(snapshot: TournamentSnapshot) -> str:
    """The snapshot as short lines."""
    name = f"{snapshot.system}+{snapshot.procedure}" if snapshot.procedure else snapshot.system
    words = [name, f"first={snapshot.first_colour.value}", f"bye={snapshot.points.pairing_allocated_bye}"]
    if snapshot.rounds_announced is not None:
        words.append(f"rounds={snapshot.rounds_announced}")
    if snapshot.acceleration != "none":
        words.append(f"acceleration={snapshot.acceleration}")
    if snapshot.group_limits is not None:
        words.append("limits={},{}".format(*snapshot.group_limits))
    if snapshot.forbidden_pairs:
        pairs = sorted(tuple(sorted(pair)) for pair in snapshot.forbidden_pairs)
        words.append("forbidden=" + ",".join(f"{a}-{b}" for a, b in pairs))
    words += [f"reading={name}={value}" for name, value in snapshot.interpretations]
    cards = sorted(snapshot.cards, key=lambda card: card.tpn)
    return "\n".join([" ".join(words), *map(_written_card, cards)]) + "\n"


def read(text: str) -> TournamentSnapshot:
    """The snapshot from short lines, checked."""
    head, *lines = [line.strip() for line in text.strip().splitlines()]
    name, *words = head.split()
    readings = [word.removeprefix("reading=") for word in words if word.startswith("reading=")]
    facts = dict(word.split("=", 1) for word in words)
    system, _, procedure = name.partition("+")
    cards = tuple(_read_card(line) for line in lines)
    snapshot = TournamentSnapshot(
        cards=cards,
        rounds_paired=len(cards[0].records),
        system=system,
        procedure=procedure or None,
        rounds_announced=int(facts["rounds"]) if "rounds" in facts else None,
        first_colour=Colour(facts.get("first", "w")),
        forbidden_pairs=frozenset(
            frozenset(_numbers(pair, "-")) for pair in facts.get("forbidden", "").split(",") if pair
        ),
        acceleration=facts.get("acceleration", "none"),
        group_limits=_limits(facts["limits"]) if "limits" in facts else None,
        points=PointSystem(pairing_allocated_bye=int(facts.get("bye", "1" if system == "jahr" else "2"))),
        interpretations=non_default_interpretations(map(parse_interpretation, readings)),
    )
    snapshot.check_consistency()
    return snapshot


def _written_card(card: PairingCard) -> str:
    words = [str(card.tpn), str(card.rating), *map(_written_cell, card.records)]
    if card.unavailable is not None:
        words += ["|", _written_cell(card.unavailable)]
    if card.name:
        words.append(f"name={card.name}")
    if card.fictitious:
        words.append("fs=" + ",".join(map(str, card.fictitious)))
    return " ".join(words)


def _written_cell(record: RoundRecord) -> str:
    opponent = "" if record.opponent is None else str(record.opponent)
    colour = "" if record.colour is None else record.colour.value
    return opponent + colour + record.result.value.replace(" ", ".")


def _read_card(line: str) -> PairingCard:
    tpn, rating, *words = line.split()
    fictitious = tuple(number for word in words if word.startswith("fs=") for number in _numbers(word[3:], ","))
    names = [word.removeprefix("name=") for word in words if word.startswith("name=")]
    cells = [word for word in words if not word.startswith(("fs=", "name="))]
    unavailable = _read_cell(cells[-1]) if "|" in cells else None
    played = cells[: cells.index("|")] if "|" in cells else cells
    return PairingCard(
        tpn=int(tpn),
        name=names[0] if names else "",
        rating=int(rating),
        records=tuple(map(_read_cell, played)),
        unavailable=unavailable,
        fictitious=fictitious,
    )


def _read_cell(cell: str) -> RoundRecord:
    match = CELL.fullmatch(cell)
    if match is None:
        raise ValueError(f"not a round of a player: {cell!r}")
    opponent, colour, result = match.groups()
    return RoundRecord(
        result=Result(result.replace(".", " ")),
        opponent=int(opponent) if opponent else None,
        colour=Colour(colour) if colour else None,
    )


def _numbers(text: str, between: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(between))


def _limits(text: str) -> tuple[int, int]:
    upper, lower = _numbers(text, ",")
    return upper, lower
