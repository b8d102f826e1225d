"""Event databases of Sharly Chess (`.sce`): SQLite files with one or several tournaments, read as reports.

The tables are those of Sharly Chess 2.8 to 4.2, from when players are in the database and not in Papi files. Columns
that a version doesn't have are missing in the rows. A player's line number is their pairing number.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from common.tabular.sqlite_tables import is_sqlite, read_sqlite_tables
from common.tabular.text_tables import UnreadableTable
from common.text.rating_text import MAX_RATING
from pairing.engine.point_systems import InvalidPointSystem, check_point_system
from pairing.engine.snapshot import Colour, PairingNumber, PointSystem, Result
from pairing.engine.trf import (
    TrfEdition,
    TrfFile,
    TrfPlayer,
    TrfRecord,
    TrfRound,
    describe_event_kind,
    format_point_system_lines,
    model,
)
from tournaments.entries.player_rows import PlayerRow, TextProblem
from tournaments.import_export.report_files import EventPart, ImportedEvent, UnreadableReport, build_report

_Row = Mapping[str, Any]
_TABLES = {
    "info": "name location player_rating_type pab_value three_points_for_a_win start stop start_date stop_date",
    "tournament": "id name location start stop start_date stop_date rounds rating pairing player_rating_type pab_value "
    "three_points_for_a_win game_points time_control_trf25",
    "player": "id last_name first_name date_of_birth year_of_birth gender title ratings fide_id federation club",
    "tournament_player": "tournament_id player_id pairing_number",
    "board": "id white_player_id black_player_id",
    "pairing": "tournament_id player_id round result board_id",
}
_NEEDED = {
    "tournament": {"id", "name", "rounds"},
    "player": {"id", "last_name"},
    "tournament_player": {"tournament_id", "player_id"},
    "board": {"id", "white_player_id", "black_player_id"},
    "pairing": {"tournament_id", "player_id", "round", "result"},
}
_MOST_ROWS = 300_000
_RESULTS = {
    0: None,
    1: Result.LOSS,
    2: Result.DRAW,
    3: Result.WIN,
    4: Result.FORFEIT_LOSS,
    5: Result.FORFEIT_LOSS,
    6: Result.FORFEIT_WIN,
    11: Result.UNRATED_LOSS,
    12: Result.UNRATED_DRAW,
    13: Result.UNRATED_WIN,
    15: Result.LOSS,
    16: Result.DRAW,
    17: Result.LOSS,
    18: Result.UNRATED_LOSS,
    19: Result.UNRATED_DRAW,
    20: Result.UNRATED_LOSS,
}
"""A player's own result of a game. From 15 on, the arbiter took points from somebody."""
_BYES = {
    0: None,
    7: Result.ZERO_POINT_BYE,
    8: Result.HALF_POINT_BYE,
    9: Result.PAIRING_ALLOCATED_BYE,
    10: Result.FULL_POINT_BYE,
    14: None,
}
"""Results without an opponent. 14 is the free round of a round robin with an odd number of players."""
_WIN, _DRAW, _LOSS, _ABSENCE, _BYE = 3, 2, 1, 7, 9
_TITLES = dict(enumerate(("", "WCM", "CM", "WFM", "FM", "WIM", "IM", "WGM", "GM")))
_SEXES = {1: "w", 2: "m", "F": "w", "M": "m"}
_STANDARD = 1
_RATING_ORDERS = {1: ("estimated", "national", "fide"), 2: ("national", "estimated", "fide")}
_FIDE_FIRST = ("fide", "national", "estimated")
_RATES = {2: " rapid", 3: " blitz"}
"""Words of a report for the kinds of rating."""
_SYSTEMS = {
    "SWISS_STANDARD": "192 FIDE_DUTCH_2026",
    "pairing_acceleration-SWISS_BAKU": "192 FIDE_DUTCH_2026_BAKU",
    "ROUND_ROBIN_BERGER": "192 FIDE_ROUNDROBIN",
}
"""The line of a report for each pairing system that has a code. With another one, the user chooses."""


class _Invalid(Exception):
    """Raised if the database contradicts itself. The message says where."""


def parse_sharly_database(data: bytes, filename: str, part: str = "") -> ImportedEvent | None:
    """Read a tournament of a database by its key, or the first one. None if the file isn't such a database."""
    if not is_sqlite(data):
        return None
    wanted = {table: columns.split() for table, columns in _TABLES.items()}
    try:
        tables = read_sqlite_tables(data, wanted, most_rows=_MOST_ROWS)
    except UnreadableTable as unreadable:
        return _refused(str(unreadable))
    if _is_before_players(tables):
        message = _(
            "This database is from an old version of Sharly Chess. Open it in the current one, then choose it again."
        )
        return _refused(message)
    return _read(tables, filename, part) if _has_columns(tables) else None


def _is_before_players(tables: Mapping[str, Sequence[_Row]]) -> bool:
    """Return True for a database whose players are in Papi files."""
    return {"info", "tournament"} <= tables.keys() and not {"player", "pairing", "board"} & tables.keys()


def _has_columns(tables: Mapping[str, Sequence[_Row]]) -> bool:
    """Return True if the tables are those of Sharly Chess. An empty table has no columns to check."""
    return all(
        name in tables and (not tables[name] or needed <= tables[name][0].keys()) for name, needed in _NEEDED.items()
    )


def _refused(message: str, **more: Any) -> ImportedEvent:
    return ImportedEvent(report=None, format="sce", problems=(TextProblem(line=0, column=0, message=message),), **more)


def _read(tables: Mapping[str, Sequence[_Row]], filename: str, part: str) -> ImportedEvent:
    tournaments = {str(row["id"]): row for row in tables["tournament"] if _whole(row["id"]) is not None}
    members: dict[str, list[_Row]] = defaultdict(list)
    for row in tables["tournament_player"]:
        members[str(row["tournament_id"])].append(row)
    parts = tuple(
        EventPart(key=key, name=_text(row["name"]), player_count=len(members[key])) for key, row in tournaments.items()
    )
    with_players = (each.key for each in parts if each.player_count)
    key = part if part in tournaments else next(with_players, next(iter(tournaments), ""))
    if not key:
        return _refused(_("This file has no players."))
    shown: dict[str, Any] = {"parts": parts if len(parts) > 1 else (), "part": key}
    event = _Event(tables, tournaments[key], members[key])
    try:
        trf = event.build_trf(filename, is_alone=len(tournaments) == 1)
        report = build_report(trf, event.rows)
    except (_Invalid, UnreadableReport) as invalid:
        problem = invalid.problem if isinstance(invalid, UnreadableReport) else None
        return _refused(event.describe(problem) if problem else str(invalid), **shown)
    problems = [TextProblem(line=0, column=0, message=event.describe(each)) for each in report.problems]
    return ImportedEvent(
        report=None if problems else report,
        rows=tuple(event.rows.values()),
        format="sce",
        problems=tuple(problems),
        **shown,
    )


class _Event:
    """One tournament of the database, with its players numbered."""

    def __init__(self, tables: Mapping[str, Sequence[_Row]], tournament: _Row, members: Sequence[_Row]) -> None:
        self.tournament = tournament
        self.info: _Row = next(iter(tables.get("info", ())), {})
        self.boards = {row["id"]: row for row in tables["board"]}
        self.pairings = [row for row in tables["pairing"] if row["tournament_id"] == tournament["id"]]
        self.players = {row["id"]: row for row in tables["player"]}
        self.members = members
        self.rows: dict[int, PlayerRow] = {}

    def build_trf(self, filename: str, *, is_alone: bool) -> TrfFile:
        """Return the tournament as a report: the players at the lines of their numbers, then the event's data."""
        if str(self.tournament.get("pairing") or "").startswith("TEAM"):
            raise _Invalid(_("This file is for a team event. Team events aren't supported."))
        if not self.members:
            raise _Invalid(_("This file has no players."))
        if len(self.members) > model.MAX_PLAYERS:
            raise _Invalid(_("The table has more than %(most)s rows.") % {"most": model.MAX_PLAYERS})
        self.numbers = self._pairing_numbers()
        self.rows = {number: self._row(number, self.players[key]) for key, number in self.numbers.items()}
        rounds = self._rounds()
        players = {
            number: TrfPlayer(
                tpn=number,
                name=row.name,
                sex=row.sex,
                title=row.title,
                rating=row.rating,
                federation=row.federation,
                fide_number=row.fide_id,
                birth_date=row.birth,
                rounds=tuple(rounds[number]),
            )
            for number, row in self.rows.items()
        }
        blank = TrfRecord(text="")
        lines = [players.get(number, blank) for number in range(1, max(players, default=0) + 1)]
        header = [TrfRecord(text=text.rstrip()) for text in self._header(is_alone=is_alone)]
        return TrfFile(lines=(*lines, *header), name=filename)

    def describe(self, problem: TextProblem) -> str:
        """Return a problem in the report's lines and columns with the player's name and the round instead."""
        row, number = self.rows.get(problem.line), model.round_of_column(problem.column)
        if row is None:
            return str(TextProblem(line=0, column=0, message=problem.message, expected=problem.expected))
        place = _("%(name)s, round %(round)s") % {"name": row.name, "round": number} if number else row.name
        return f"{place}: {problem.message}"

    def _pairing_numbers(self) -> dict[Any, PairingNumber]:
        """Return the players' numbers. Those without one follow by rating, title and name, as in the program."""
        numbers: dict[Any, PairingNumber] = {}
        without = []
        for member in self.members:
            key, number = member["player_id"], _whole(member.get("pairing_number"))
            if key not in self.players:
                raise _Invalid(_("The database is damaged, or it isn't one that we can read."))
            if number is None:
                without.append(self._row(0, self.players[key]))
                numbers[key] = 0
            elif not 0 < number <= model.MAX_TPN or number in numbers.values():
                raise _Invalid(_("%(name)s needs a pairing number that no one else has.") % {"name": self._name(key)})
            else:
                numbers[key] = number
        free = max(numbers.values(), default=0)
        order = sorted(
            (key for key, number in numbers.items() if not number), key=lambda key: self._order(self.players[key])
        )
        return numbers | {key: number for number, key in enumerate(order, start=free + 1)}

    def _order(self, player: _Row) -> tuple[int, int, str]:
        title = _title(player.get("title"))
        return -self._rating(player), -list(_TITLES.values()).index(title) if title else 0, self._row(0, player).name

    def _name(self, key: Any) -> str:
        return self._row(0, self.players[key]).name

    def _row(self, number: int, player: _Row) -> PlayerRow:
        name = ", ".join(filter(None, (_text(player["last_name"]), _text(player.get("first_name")))))
        problems = [] if name else [TextProblem(line=number, column=0, message=_("The player has no name."))]
        day, year = _text(player.get("date_of_birth")), _whole(player.get("year_of_birth"))
        federation, fide_id = _text(player.get("federation")), _whole(player.get("fide_id"))
        return PlayerRow(
            line=number,
            name=name[:160],
            sex=_SEXES.get(player.get("gender") or "", ""),
            title=_title(player.get("title")),
            rating=self._rating(player),
            federation=federation if len(federation) == 3 and federation not in ("NON", "FID") else "",
            birth=day[:10].replace("-", "/") or (str(year) if year else ""),
            fide_id=str(fide_id) if fide_id and 0 < fide_id < 10**10 else "",
            club_name=_text(player.get("club"))[:120],
            problems=tuple(problems),
        )

    def _rating(self, player: _Row) -> int:
        """Return the rating that the tournament uses: of its kind, and FIDE's standard rating if there is no other."""
        ratings = _json(player.get("ratings"))
        kind = _whole(self._setting("rating")) or _STANDARD
        first = _whole(self._setting("player_rating_type"))
        order = _RATING_ORDERS.get(first or 0, _FIDE_FIRST)
        own, standard = ratings.get(str(kind)), ratings.get(str(_STANDARD))
        candidates = [own.get(name) for name in (order[0], "value")] if isinstance(own, dict) else []
        if order is _FIDE_FIRST and isinstance(standard, dict):
            candidates.append(standard.get("fide"))
        candidates += [own.get(name) for name in order[1:]] if isinstance(own, dict) else []
        found = (rating for rating in map(_whole, candidates) if rating and 0 < rating <= MAX_RATING)
        return next(found, 0)

    def _setting(self, name: str) -> Any:
        """Return a setting of the tournament, or else of the whole database."""
        own = self.tournament.get(name)
        return self.info.get(name) if own is None else own

    def _rounds(self) -> dict[PairingNumber, list[TrfRound]]:
        rounds: dict[PairingNumber, dict[int, TrfRound]] = defaultdict(dict)
        for row in self.pairings:
            tpn, number = self.numbers.get(row["player_id"]), _whole(row["round"])
            if tpn is None or number is None or not 0 < number <= model.MAX_ROUNDS:
                raise _Invalid(_("The database is damaged, or it isn't one that we can read."))
            rounds[tpn][number] = self._round(row)
        found: dict[PairingNumber, list[TrfRound]] = defaultdict(list)
        for tpn, blocks in rounds.items():
            last = max((number for number, block in blocks.items() if not block.is_blank), default=0)
            found[tpn] = [blocks.get(number, model.BLANK_ROUND) for number in range(1, last + 1)]
        return found

    def _round(self, row: _Row) -> TrfRound:
        key, result = row["player_id"], _whole(row["result"])
        board = self.boards.get(row.get("board_id")) if row.get("board_id") is not None else None
        sides = [] if board is None else [board["white_player_id"], board["black_player_id"]]
        opponent = next((side for side in sides if side is not None and side != key), None)
        known = _BYES if opponent is None else _RESULTS
        if (
            result not in known
            or (sides and key not in sides)
            or (opponent is not None and opponent not in self.numbers)
        ):
            place = {"name": self._name(key), "round": row["round"]}
            raise _Invalid(_("%(name)s, round %(round)s") % place + ": " + _("The database has no valid result here."))
        if opponent is None:
            return TrfRound(result=known[result])
        return TrfRound(
            opponent=self.numbers[opponent],
            colour=Colour.WHITE if sides[0] == key else Colour.BLACK,
            result=known[result],
        )

    def _header(self, *, is_alone: bool) -> Iterator[str]:
        """Yield the lines of the event's data."""
        names = [_text(self.info.get("name")), _text(self.tournament["name"])]
        yield "012 " + (names[0] or names[1] if is_alone else ", ".join(dict.fromkeys(filter(None, names))))
        yield f"022 {_text(self.tournament.get('location')) or _text(self.info.get('location'))}"
        for code, name in (("042", "start"), ("052", "stop")):
            yield f"{code} {_day(self._setting(f'{name}_date') or self._setting(name))}"
        system = str(self.tournament.get("pairing"))
        kind = describe_event_kind(is_round_robin="ROUND_ROBIN" in system, is_double="DOUBLE" in system)
        yield f"092 {kind}{_RATES.get(_whole(self._setting('rating')) or 0, '')}"
        if system in _SYSTEMS:
            yield _SYSTEMS[system]
        rounds = _whole(self.tournament["rounds"])
        if rounds is not None and 0 < rounds <= model.MAX_ROUNDS:
            yield f"142 {rounds}"
        yield from format_point_system_lines(self._points(), TrfEdition.TRF26)
        if control := _text(self.tournament.get("time_control_trf25")):
            yield f"222 {control}"

    def _points(self) -> PointSystem:
        worth = {_WIN: 2, _DRAW: 1, _LOSS: 0, _ABSENCE: 0}
        if self._setting("three_points_for_a_win"):
            worth |= {_WIN: 6, _DRAW: 2}
        for code, points in _json(self.tournament.get("game_points")).items():
            if (
                isinstance(points, int | float)
                and re.fullmatch(r"[0-9]{1,2}", code)
                and 0 <= points <= 99
                and float(points * 2).is_integer()
            ):
                worth[int(code)] = int(points * 2)
        usual = _whole(self._setting("pab_value")) or _WIN
        points_of_event = PointSystem(
            win=worth[_WIN],
            draw=worth[_DRAW],
            loss=worth[_LOSS],
            absence=worth[_ABSENCE],
            pairing_allocated_bye=worth.get(_BYE, worth.get(usual, worth[_WIN])),
        )
        try:
            check_point_system(points_of_event)
        except InvalidPointSystem as invalid:
            raise _Invalid(_("We can't use the points of this event.")) from invalid
        return points_of_event


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: Any) -> str:
    """Return a text without line ends and surplus blanks."""
    return " ".join(value.replace("\0", "").split()) if isinstance(value, str) else ""


def _title(value: Any) -> str:
    title = _TITLES.get(value, "") if isinstance(value, int) else _text(value).upper()
    return title if title in _TITLES.values() else ""


def _json(value: Any) -> dict[str, Any]:
    try:
        found = json.loads(value) if isinstance(value, str) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _day(value: Any) -> str:
    """Return a day as in reports. Before Sharly Chess 3.3 it was stored in seconds since 1970."""
    if isinstance(value, int | float):
        try:
            return f"{datetime.fromtimestamp(value, tz=timezone.get_current_timezone()):%Y/%m/%d}"
        except (OverflowError, OSError, ValueError):
            return ""
    return _text(value)[:10].replace("-", "/")
