"""Vega's tournament description files (`.tdf`): report codes with fields between bars, and national ratings.

The format is in Vega's manual, appendix P. Its codes from 142 mean something else than FIDE's of 2026.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from common.tabular.text_tables import detect_encoding
from common.text.rating_text import MAX_RATING
from pairing.engine.point_systems import InvalidPointSystem, check_point_system
from pairing.engine.snapshot import Colour, PointSystem, Result
from pairing.engine.trf import TrfEdition, TrfFile, TrfPlayer, TrfRecord, TrfRound, format_point_system_lines, model
from tournaments.entries.player_rows import PlayerRow, TextProblem
from tournaments.import_export.report_files import ImportedEvent, UnreadableReport, build_report, parse_report_date

_PLAYER_LINE = re.compile(rb"(?:^|[\r\n])001 +[0-9]{1,5} *\|(?:[^|\r\n]*\|){10}")
_OWN_FILE = re.compile(rb"(?:\xef\xbb\xbf)?Vega(?:Team)? [0-9]{1,2}\.[0-9]")
_KEPT = ("012", "022", "042", "052", "092", "102", "112", "122")
_ROUND = re.compile(r"([0-9]{1,5}) *([wb-]) *([012+=-])", re.IGNORECASE)
_POINTS = re.compile(r"([0-9]{1,2}\.[05]) +([0-9]{1,2}\.[05])")
_BIRTH = re.compile(r"([0-9]{2})([0-9]{2})([0-9]{2})")
_FIDE_ID = re.compile(r"(?!0+$)[0-9]{1,10}")
_FIELDS = 12
"""Number, sex, title, name, rating, federation, FIDE ID, national rating and ID, birth, points, rank; then rounds."""
_GAMES = {
    "1": Result.WIN,
    "2": Result.DRAW,
    "0": Result.LOSS,
    "+": Result.FORFEIT_WIN,
    "=": Result.UNRATED_DRAW,
    "-": Result.FORFEIT_LOSS,
}
_BYES = {
    "1": Result.PAIRING_ALLOCATED_BYE,
    "2": Result.HALF_POINT_BYE,
    "0": Result.ZERO_POINT_BYE,
    "+": Result.PAIRING_ALLOCATED_BYE,
    "=": Result.HALF_POINT_BYE,
    "-": Result.ZERO_POINT_BYE,
}


def parse_vega_file(data: bytes, filename: str) -> ImportedEvent | None:
    """Read a tournament description file, or return None if it isn't one. Vega's own files (`.veg`) are refused."""
    if _OWN_FILE.match(data):
        message = _(
            "This is Vega's own file. In Vega, save the FIDE report or the tournament description (TDF) instead."
        )
        return ImportedEvent(report=None, format="veg", problems=(TextProblem(line=0, column=0, message=message),))
    return _Reading(data, filename).read_event() if _PLAYER_LINE.search(data) else None


class _Reading:
    def __init__(self, data: bytes, filename: str) -> None:
        self.encoding, self.filename = detect_encoding(data), filename
        self.lines = data.decode(self.encoding, errors="replace").replace("\0", "").splitlines()
        self.problems: list[TextProblem] = []
        self.rows: dict[int, PlayerRow] = {}

    def read_event(self) -> ImportedEvent:
        report = None
        if len(self.lines) > model.MAX_LINES:
            self._refuse(0, _("The file is too large."))
        else:
            trf = TrfFile(lines=tuple(self._records()), name=self.filename)
            if not self.problems:
                try:
                    report = build_report(trf, self.rows)
                    self.problems += report.problems
                except UnreadableReport as unreadable:
                    self.problems.append(unreadable.problem)
        return ImportedEvent(
            report=None if self.problems else report,
            rows=tuple(self.rows.values()),
            format="tdf",
            encoding=self.encoding.removesuffix("-sig"),
            problems=tuple(self._placed(problem) for problem in self.problems),
        )

    def _placed(self, problem: TextProblem) -> TextProblem:
        """Return the problem of a report with the round instead of the column."""
        number = model.round_of_column(problem.column)
        cell = _("round %(n)s") % {"n": number} if number else problem.cell
        return TextProblem(
            line=problem.line,
            column=problem.column if cell else 0,
            message=problem.message,
            expected=problem.expected,
            cell=cell,
        )

    def _records(self) -> Iterator[TrfPlayer | TrfRecord]:
        """Yield a record for each line of the file, in the report's own codes."""
        taken = set[int]()
        for line, text in enumerate(self.lines, start=1):
            code, value = text[:3], text[4:].strip()
            if code == "001":
                player = self._player(line, value)
                if player is not None and player.tpn in taken:
                    self._refuse(line, _("This cell needs a player number that no other row has."))
                elif player is not None:
                    taken.add(player.tpn)
                    yield player
                    continue
            elif code in _KEPT:
                yield TrfRecord(text=f"{code} {value}")
                continue
            elif code == "162" and 0 < _number(value) <= model.MAX_ROUNDS:
                yield TrfRecord(text=f"142 {value}")
                continue
            elif code == "142" and (points := self._points(line, value)):
                yield TrfRecord(text=points)
                continue
            yield TrfRecord(text="")

    def _points(self, line: int, value: str) -> str:
        """Return the line of a report for the points of a win and a draw. Empty if they are the usual ones."""
        match = _POINTS.fullmatch(value)
        if match is None:
            return ""
        win, draw = (int(2 * Decimal(text)) for text in match.groups())
        points = PointSystem(win=win, draw=draw, pairing_allocated_bye=win)
        try:
            check_point_system(points)
        except InvalidPointSystem:
            self._refuse(line, _("We can't use the points of this event."))
            return ""
        return next(iter(format_point_system_lines(points, TrfEdition.TRF26)), "")

    def _player(self, line: int, value: str) -> TrfPlayer | None:
        fields = [field.strip() for field in value.split("|")]
        number, name = fields[0], " ".join(fields[3].split()) if len(fields) > 3 else ""
        if len(fields) < _FIELDS or not name or not (number.isascii() and number.isdigit() and 0 < len(number) < 6):
            self._refuse(line, _("We couldn't read “%(text)s”.") % {"text": value[:40]})
            return None
        rating, national = _number(fields[4]), _number(fields[7])
        player = TrfPlayer(
            tpn=int(number),
            name=name,
            sex={"m": "m", "w": "w", "f": "w"}.get(fields[1].lower(), ""),
            title=fields[2],
            rating=min(rating or national, MAX_RATING),
            federation=fields[5].upper() if len(fields[5]) == 3 else "",
            fide_number=fields[6] if _FIDE_ID.fullmatch(fields[6]) else "",
            birth_date=_birth(fields[9]),
            points=Decimal(fields[10]) if re.fullmatch(r"[0-9]{1,2}\.[05]", fields[10]) else None,
            rank=int(fields[11]) if re.fullmatch(r"[0-9]{1,5}", fields[11]) else None,
            rounds=self._rounds(line, fields[_FIELDS:]),
        )
        self.rows[line] = PlayerRow(
            line=line,
            name=player.name[:160],
            rating=player.rating,
            title=player.fide_title,
            federation=player.federation,
            sex=player.sex,
            birth=player.birth_date,
            fide_id=player.fide_number,
            national_id=fields[8][:20] if fields[8].strip("0") else "",
        )
        return player

    def _rounds(self, line: int, texts: list[str]) -> tuple[TrfRound, ...]:
        if len(texts) > model.MAX_ROUNDS:
            self._refuse(line, _("This line has too many fields."))
            return ()
        rounds = [self._round(line, number, text) for number, text in enumerate(texts, start=1)]
        while rounds and rounds[-1].is_blank:
            rounds.pop()
        return tuple(rounds)

    def _round(self, line: int, number: int, text: str) -> TrfRound:
        if not text.strip("0 -"):
            return model.BLANK_ROUND
        match = _ROUND.fullmatch(text)
        if match is None:
            expected = _("opponent, colour and result, such as 16 w 1")
            column = model.opponent_column_of_round(number)
            message = _("We couldn't read “%(text)s”.") % {"text": text[:40]}
            self.problems.append(TextProblem(line=line, column=column, message=message, expected=expected))
            return model.BLANK_ROUND
        opponent = int(match[1])
        if not opponent:
            return TrfRound(result=_BYES[match[3]])
        colour = {"w": Colour.WHITE, "b": Colour.BLACK}.get(match[2].lower())
        return TrfRound(opponent=opponent, colour=colour, result=_GAMES[match[3]])

    def _refuse(self, line: int, message: str) -> None:
        self.problems.append(TextProblem(line=line, column=0, message=message))


def _number(text: str) -> int:
    """Return a number of up to five digits, or 0 for any other text."""
    return int(text) if re.fullmatch(r"[0-9]{1,5}", text) else 0


def _birth(text: str) -> str:
    """Return a birth date or year as in reports. Vega also writes days as `151265`."""
    if match := _BIRTH.fullmatch(text):
        year = 2000 + int(match[3])
        text = f"{match[1]}/{match[2]}/{year if year <= date.today().year else year - 100}"
    day = parse_report_date(text)
    return f"{day:%Y/%m/%d}" if day else text if re.fullmatch(r"(?:19|20)[0-9]{2}", text) else ""
