"""Writer of report files: players' lines by the columns of TRF16, every other line unchanged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from pairing.engine.rule_interpretations import ChosenInterpretations
from pairing.engine.snapshot import STANDARD_POINTS, Colour, HalfPoints, PairingNumber, PointSystem, Result
from pairing.engine.trf import model
from pairing.engine.trf.comments import format_interpretation_lines
from pairing.engine.trf.model import TrfEdition, TrfFile, TrfPlayer, TrfRecord, TrfRound, format_trf_points
from pairing.engine.trf.regulations import format_regulation_lines
from pairing.engine.trf.scoring import format_point_system_lines

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfHeader:
    """The event's data for lines 012 to 132, and 192 to 222 in TRF26. Lines for empty strings are left out."""

    tournament: str
    city: str = ""
    federation: str = ""
    first_day: str = ""
    last_day: str = ""
    kind: str = "Individual: Swiss-System"
    """The text that `describe_event_kind` returns."""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    round_dates: tuple[str, ...] = ()
    """One date for each round, as YY/MM/DD; the days above are YYYY/MM/DD."""
    event_type: str = ""
    """FIDE's code for the pairing system, as `encode_event_type` returns it."""
    tie_breaks: tuple[str, ...] = ()
    """Their codes. They are left out if one is from a historic document."""


def write_trf(trf: TrfFile) -> bytes:
    """Return the file in UTF-8, with the line endings it was read with, or else CR LF.

    Raises ValueError if a player's field does not fit its columns. Only a long name is cut, to the 33 characters of the
    format.
    """
    lines = (line.text if isinstance(line, TrfRecord) else format_player_line(line) for line in trf.lines)
    return "".join(f"{line}{trf.newline}" for line in lines).encode()


def make_trf(
    *,
    header: TrfHeader,
    players: Iterable[TrfPlayer],
    rounds: int | None = None,
    first_colour: Colour | None = None,
    points: PointSystem = STANDARD_POINTS,
    fictitious: Mapping[PairingNumber, tuple[HalfPoints, ...]] | None = None,
    forbidden_pairs: Iterable[frozenset[PairingNumber]] = (),
    byes: Mapping[tuple[PairingNumber, int], Result] | None = None,
    readings: ChosenInterpretations = (),
    edition: TrfEdition = TrfEdition.TRF26,
    name: str = "report.trf",
) -> TrfFile:
    """Create a new report file from its parts, with players given by pairing number.

    `rounds` is the event's announced number of rounds, `fictitious` the half points for rounds 1, 2, ..., `byes` those
    that are not in the players' own lines. Points other than the standard get a line of their own, and so does each
    reading (as a comment). What the edition has no code for is written in that of the other edition.
    """
    players = sorted(players, key=lambda player: player.tpn)
    is_new = edition is TrfEdition.TRF26
    lines = []
    if rounds is not None:
        lines.append(f"{'142' if is_new else 'XXR'} {rounds}")
    if first_colour is not None:
        is_white = first_colour is Colour.WHITE
        lines.append(f"152 {first_colour.value.upper()}" if is_new else f"XXC {'white1' if is_white else 'black1'}")
    lines += format_point_system_lines(points, edition)
    if is_new:
        lines += format_regulation_lines(header.event_type, header.tie_breaks, header.time_control)
    lines += format_bye_lines(byes or {})
    if is_new:
        lines += _fictitious_lines(fictitious or {}, [player.tpn for player in players])
    else:
        for tpn, half_points in sorted((fictitious or {}).items()):
            by_round = " ".join(f"{Decimal(each) / 2:4.1f}" for each in half_points)
            lines.append(f"XXA{tpn:>5} {by_round}")
    for pair in sorted(sorted(pair) for pair in forbidden_pairs):
        in_all_rounds = is_new and rounds is not None
        lines.append(format_forbidden_pair_line(1, rounds or 1, pair) if in_all_rounds else f"XXP {pair[0]} {pair[1]}")
    lines += format_interpretation_lines(readings)
    records = [TrfRecord(text=text) for text in (*_header_lines(header, players), *lines)]
    return TrfFile(lines=(*records, *players), name=name)


def format_bye_lines(byes: Mapping[tuple[PairingNumber, int], Result]) -> Iterator[str]:
    """Yield lines 240, one for each kind of bye in each round. An absence is a zero-point bye there."""
    players: dict[tuple[int, str], list[PairingNumber]] = defaultdict(list)
    for (tpn, number), result in byes.items():
        kind = result.value if result in (Result.HALF_POINT_BYE, Result.FULL_POINT_BYE) else "Z"
        players[number, kind].append(tpn)
    for (number, kind), tpns in sorted(players.items()):
        yield f"240 {kind} {number:03}" + "".join(f" {tpn:>4}" for tpn in sorted(tpns))


def format_forbidden_pair_line(first_round: int, last_round: int, pair: Iterable[PairingNumber]) -> str:
    """Return line 260."""
    return f"260 {first_round:03} {last_round:03}" + "".join(f" {tpn:>4}" for tpn in pair)


def _fictitious_lines(
    fictitious: Mapping[PairingNumber, tuple[HalfPoints, ...]], tpns: Sequence[PairingNumber]
) -> Iterator[str]:
    """Yield lines 250: one for neighbours in the list of players who get the same points in the same rounds.

    The format has no lines for 0 points.
    """
    spans: dict[tuple[int, int, HalfPoints], list[list[PairingNumber]]] = {}
    previous: PairingNumber | None = None
    for tpn in tpns:
        number = 1
        for half_points, rounds in groupby(fictitious.get(tpn, ())):
            after = number + len(list(rounds))
            if half_points:
                blocks = spans.setdefault((number, after - 1, half_points), [])
                if blocks and blocks[-1][1] == previous:
                    blocks[-1][1] = tpn
                else:
                    blocks.append([tpn, tpn])
            number = after
        previous = tpn
    for (first, last, half_points), blocks in sorted(spans.items()):
        for block in blocks:
            yield f"250      {Decimal(half_points) / 2:4.1f} {first:03} {last:03}{block[0]:>5}{block[1]:>5}"


def format_player_line(player: TrfPlayer) -> str:
    """Return a player's line (001)."""
    fields = (
        _fit(player.tpn, model.TPN, "starting rank"),
        " ",
        _fit(player.sex, model.SEX, "sex"),
        _fit(player.title, model.TITLE, "title"),
        " ",
        _printable(player.name)[:33].ljust(33),
        " ",
        _fit(player.rating or "", model.RATING, "rating"),
        " ",
        _fit(player.federation, model.FEDERATION, "federation"),
        " ",
        _fit(player.fide_number, model.FIDE_NUMBER, "FIDE number"),
        " ",
        _fit(player.birth_date, model.BIRTH_DATE, "date of birth"),
        " ",
        _fit("" if player.points is None else format_trf_points(player.points), model.POINTS, "points"),
        _fit("" if player.rank is None else player.rank, model.RANK, "rank"),
        " ",
    )
    return ("001" + "".join(fields) + "".join(map(_block, player.rounds))).rstrip()


def _block(block: TrfRound) -> str:
    """Return the ten columns of a round, from the blank before its opponent's number."""
    if block.is_blank:
        return " " * model.BLOCK_WIDTH
    opponent = " 0000" if block.opponent is None else f"{block.opponent:>5}"
    result = "-" if block.result is Result.ABSENT else block.result.value if block.result else " "
    return f"{opponent} {block.colour.value if block.colour else '-'} {result} "


def _fit(value: object, place: slice, what: str) -> str:
    """Return a value aligned to the right of its field, as programs write it.

    Raises ValueError if it is too long.
    """
    width = place.stop - place.start
    text = _printable(str(value))
    if len(text) > width:
        raise ValueError(f"{what} {text!r} is longer than {width} characters")
    return text.rjust(width)


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(" ", text).strip()


def _header_lines(header: TrfHeader, players: list[TrfPlayer]) -> list[str]:
    rated = sum(player.rating > 0 for player in players)
    dates = "".join(f"{date:<10}" for date in header.round_dates)
    numbered = [
        ("012", header.tournament),
        ("022", header.city),
        ("032", header.federation),
        ("042", header.first_day),
        ("052", header.last_day),
        ("062", str(len(players))),
        ("072", str(rated)),
        ("082", "0"),
        ("092", header.kind),
        ("102", header.chief_arbiter),
        *(("112", deputy) for deputy in header.deputies),
        ("122", header.time_control),
    ]
    lines = [f"{code} {_printable(value)}" for code, value in numbered if value.strip()]
    if dates:
        lines.append("132".ljust(model.FIRST_BLOCK + 1) + dates.rstrip())
    return lines
