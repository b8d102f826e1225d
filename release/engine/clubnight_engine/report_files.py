"""Events to and from report files, with what a file can say only in several lines: the acceleration, and FIDE's data.

An acceleration is written three times. Its points are in lines 250 for every program, its FIDE code is in line 192, and
a comment has the rest: `### Clubnight acceleration baku players=10` or `... progressive groups=2000,1600`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from clubnight_engine.acceleration import fictitious_points
from clubnight_engine.snapshot import HalfPoints, InvalidSnapshot, PairingNumber, TournamentSnapshot
from clubnight_engine.trf import (
    TrfFile,
    TrfHeader,
    TrfPlayer,
    TrfRecord,
    describe_event_kind,
    encode_event_type,
    forbidden_pairs_in_round,
    is_interpretation_line,
    read_event_type,
    trf_from_snapshot,
)
from clubnight_engine.trf.event_directives import read_directives

_ACCELERATION = re.compile(
    r"###\s*Clubnight\s+acceleration\s+(baku|progressive)(?:\s+players=([0-9]{1,5}))?"
    r"(?:\s+groups=([0-9]{1,4}),([0-9]{1,4}))?\s*",
    re.IGNORECASE,
)
_FORBIDDEN, _FICTITIOUS = frozenset({"260", "XXP"}), frozenset({"250", "XXA"})
_FROM_EVENT = frozenset(
    {"062", "072", "142", "152", "162", "240", "299"} | {"XXC", "XXR", "XXS", "XXZ"}
    | {"BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"}
)  # fmt: skip
"""Other lines that the event decides, not the file it was read from."""
_WRITTEN_NAME = 33
"""A report file holds that many letters of a name."""


class StatedAcceleration(NamedTuple):
    """The acceleration of a file's event, as the fields of a snapshot."""

    name: str = "none"
    group_limits: tuple[int, int] | None = None
    players: int | None = None


def read_acceleration(report: TrfFile, system: str) -> StatedAcceleration:
    """Return the acceleration that a file states, by our comment or by FIDE's code for this system."""
    for _line, record in report.records_with_line_numbers():
        if found := _ACCELERATION.fullmatch(record.text):
            limits = (int(found[3]), int(found[4])) if found[3] else None
            return StatedAcceleration(found[1].lower(), limits, int(found[2]) if found[2] else None)
    said = read_event_type(report)
    is_baku = said is not None and said.is_accelerated and said.system == system
    return StatedAcceleration("baku" if is_baku else "none")


def with_acceleration(event: TournamentSnapshot, stated: StatedAcceleration) -> TournamentSnapshot:
    """Return the event with its acceleration. Points in the file that it gives as well are not entered manually."""
    event = replace(
        event,
        acceleration=stated.name,
        group_limits=stated.group_limits,
        accelerated_players=stated.players,
    )
    given = _points_of_acceleration(event)
    return replace(
        event,
        cards=tuple(
            replace(card, fictitious=()) if _starts_with(given.get(card.tpn, ()), card.fictitious) else card
            for card in event.cards
        ),
    )


def report_of_event(
    event: TournamentSnapshot,
    ranks: Mapping[PairingNumber, int],
    *,
    header: TrfHeader | None,
    old: TrfFile | None,
) -> TrfFile:
    """Return the event as a report file. `old` is an earlier file of it, whose other data are kept."""
    is_header_kept = header is None
    header = header or TrfHeader(tournament="", kind=describe_event_kind(is_round_robin=event.system == "round-robin"))
    if not header.event_type and event.acceleration in ("none", "baku"):
        code = encode_event_type(event.system, is_accelerated=event.acceleration == "baku")
        header = replace(header, event_type=code)
    given = _points_of_acceleration(event)
    cards = tuple(replace(card, fictitious=card.fictitious or given.get(card.tpn, ())) for card in event.cards)
    new = trf_from_snapshot(replace(event, cards=cards), header=header, ranks=ranks)
    first = len(new.lines) - len(new.players)
    own = (TrfRecord(text=text) for text in _acceleration_lines(event))
    new = replace(new, lines=(*new.lines[:first], *own, *new.players))
    return new if old is None else _with_data_of(old, new, event, is_header_kept=is_header_kept)


def _points_of_acceleration(event: TournamentSnapshot) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
    """Return everyone's fictitious half points, by round. Empty if there are none to be had.

    Those of Baku are known for the whole event, those of progressive acceleration up to the next round.
    """
    known = max(event.rounds_paired, (event.rounds_announced or 0) - 1)
    try:
        points = fictitious_points(replace(event, rounds_paired=known) if event.acceleration == "baku" else event)
    except InvalidSnapshot:
        # Without a number of rounds, or with groups that do not fit, the event cannot be paired either.
        return {}
    return {tpn: tuple(by_round) for tpn, by_round in (points or {}).items()}


def _starts_with(points: Sequence[HalfPoints], first: Sequence[HalfPoints]) -> bool:
    return bool(first) and tuple(points[: len(first)]) == tuple(first)


def _acceleration_lines(event: TournamentSnapshot) -> Iterator[str]:
    if event.acceleration == "none":
        return
    players = "" if event.accelerated_players is None else f" players={event.accelerated_players}"
    groups = "" if event.group_limits is None else " groups={},{}".format(*event.group_limits)
    yield f"### Clubnight acceleration {event.acceleration}{players}{groups}"


def _with_data_of(old: TrfFile, new: TrfFile, event: TournamentSnapshot, *, is_header_kept: bool) -> TrfFile:
    """Return the old file with the new one's players, and its lines about what the event decides in their places."""
    fresh: dict[str, list[TrfRecord]] = defaultdict(list)
    for _line, record in new.records_with_line_numbers():
        fresh[record.line_code].append(record)
    decided = {*_FROM_EVENT, *_outdated_codes(old, event), *(fresh.keys() & {"192"} if is_header_kept else fresh)} - {
        ""
    }
    stated = {record.line_code for _line, record in old.records_with_line_numbers()}
    for code in stated - decided - {""}:
        fresh.pop(code, None)
    known = {(player.tpn, player.name[:_WRITTEN_NAME]): player for player in old.players}
    players = [_with_data_of_player(known.get((each.tpn, each.name[:_WRITTEN_NAME])), each) for each in new.players]
    lines: list[TrfPlayer | TrfRecord] = []
    for line in old.lines:
        if isinstance(line, TrfPlayer):
            lines += [record for records in fresh.values() for record in records]
            lines += players
            fresh, players = {}, []
        elif line.line_code in decided and not _is_later_bye(line, old, event):
            lines += fresh.pop(line.line_code, ())
        elif not _is_from_event(line.text):
            lines.append(line)
    return replace(new, lines=tuple(lines), newline=old.newline)


def _outdated_codes(old: TrfFile, event: TournamentSnapshot) -> Iterator[str]:
    """Yield the codes of lines about pairs or fictitious points that the event no longer has.

    Lines that still hold may say more than the event: they are also about later rounds.
    """
    if forbidden_pairs_in_round(old, event.round_number) != event.forbidden_pairs:
        yield from _FORBIDDEN
    stated = read_directives(old).fictitious
    for card in event.cards:
        points = stated.get(card.tpn, {})
        if event.acceleration != "none" or any(
            points.get(number, 0) != half_points for number, half_points in enumerate(card.fictitious, start=1)
        ):
            yield from _FICTITIOUS


def _is_later_bye(record: TrfRecord, old: TrfFile, event: TournamentSnapshot) -> bool:
    """Return True for a line with byes that an event read from the old file does not have yet."""
    if record.line_code != "240":
        return False
    number = int(record.text[6:9])
    return number > old.rounds_paired + 1 and number >= event.round_number


def _is_from_event(line: str) -> bool:
    return is_interpretation_line(line) or _ACCELERATION.fullmatch(line) is not None


def _with_data_of_player(old: TrfPlayer | None, new: TrfPlayer) -> TrfPlayer:
    if old is None:
        return new
    return replace(
        new,
        sex=old.sex,
        title=new.title or old.title,
        federation=old.federation,
        fide_number=old.fide_number,
        birth_date=old.birth_date,
    )
