"""Writer of report files: players' lines by the columns of TRF16, every other line unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from pairing.engine.rule_interpretations import ChosenInterpretations
from pairing.engine.snapshot import STANDARD_POINTS, Colour, HalfPoints, PairingNumber, PointSystem, Result
from pairing.engine.trf import model
from pairing.engine.trf.comments import format_interpretation_lines
from pairing.engine.trf.model import TrfFile, TrfPlayer, TrfRecord, TrfRound, format_trf_points
from pairing.engine.trf.scoring import format_point_system_lines

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfHeader:
    """The event's data for lines 012 to 132. Lines for empty texts are left out."""

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


def write_trf(trf: TrfFile) -> bytes:
    """Return the file in UTF-8, with its own line ends (CR LF unless it was read with others).

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
    readings: ChosenInterpretations = (),
    name: str = "report.trf",
) -> TrfFile:
    """Create a new report file from its parts, with players given by pairing number.

    `rounds` is the event's announced number of rounds, `fictitious` the half points for rounds 1, 2, ... Points other
    than the standard get a line of their own, and so does each reading (as a comment).
    """
    players = sorted(players, key=lambda player: player.tpn)
    extensions = []
    if rounds is not None:
        extensions.append(f"XXR {rounds}")
    if first_colour is not None:
        extensions.append("XXC white1" if first_colour is Colour.WHITE else "XXC black1")
    extensions += format_point_system_lines(points)
    for pair in sorted(sorted(pair) for pair in forbidden_pairs):
        extensions.append("XXP " + " ".join(map(str, pair)))
    for tpn, half_points in sorted((fictitious or {}).items()):
        by_round = " ".join(f"{Decimal(each) / 2:4.1f}" for each in half_points)
        extensions.append(f"XXA{tpn:>5} {by_round}")
    extensions += format_interpretation_lines(readings)
    records = [TrfRecord(text=text) for text in (*_header_lines(header, players), *extensions)]
    return TrfFile(lines=(*records, *players), name=name)


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
