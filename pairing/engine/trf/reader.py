"""Reader of FIDE report files: TRF16, its usual extensions, and the codes of TRF26 for the same data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import itemgetter
from typing import NoReturn

from pairing.engine.snapshot import Colour, PairingNumber, Result
from pairing.engine.trf import model
from pairing.engine.trf.comments import read_rule_interpretations
from pairing.engine.trf.consistency_checks import check_player_lines_agree, find_file_warnings
from pairing.engine.trf.encoding import decode_text
from pairing.engine.trf.event_directives import read_directives
from pairing.engine.trf.model import BLANK_ROUND, TrfError, TrfFile, TrfPlayer, TrfRecord, TrfRound

_LINE_END = re.compile("\r\n|\r|\n")
_OTHER_CODES = frozenset({"013", "240", "250", "260", "299", "300", "310", "320", "330", "801"})
_CODE = re.compile(r"(?!00)[0-9][0-9]2|[A-Z]{3}")
_RULER = re.compile(r"(?: {9}[1-9]| {8}[1-9][0-9])+|(?:1234567890)+[0-9]*")
"""Lines that count the columns, as FIDE's examples have them."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WHOLE = re.compile(r" *[0-9]+ *")
_POINTS = re.compile(r" *(?:[0-9]+|[0-9]*\.[0-9]{1,2}) *")
_BLOCK = re.compile(r"([ 0-9]{5}) ([wbWB -]) ([10=+\-*WDLHFUZwdlhfuz ]) ")
_GAPS = itemgetter(*model.GAPS)
_BLANK_GAPS = _GAPS(" " * model.FIRST_BLOCK)
_COLOURS = {"w": Colour.WHITE, "b": Colour.BLACK}
_WITH_OPPONENT = frozenset(
    result for result in Result if result.is_played or result in (Result.FORFEIT_WIN, Result.FORFEIT_LOSS)
)
_WITHOUT_OPPONENT = frozenset(
    result
    for result in Result
    if result.is_requested_bye or result in (Result.PAIRING_ALLOCATED_BYE, Result.FORFEIT_WIN)
)


def read_trf(data: bytes, *, name: str) -> TrfFile:
    """Parse a report file, checking it line by line and player against player.

    `name` is the file's, for messages. Raises TrfError, and nothing else, if anything cannot be read or contradicts
    itself. For encodings see `encoding`. Minor problems are in `warnings`.
    """
    text = decode_text(data, name=name)
    newline = _LINE_END.search(text)
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    _check_sizes(lines, name)
    reader = _LineReader(name=name)
    trf = TrfFile(
        lines=tuple(reader.read_line(line, number) for number, line in enumerate(lines, start=1)),
        name=name,
        newline=newline.group() if newline else "\n",
    )
    if not trf.players:
        raise TrfError("a player (a line that begins with 001)", name=name, line=max(len(lines), 1), column=1)
    directives = read_directives(trf)
    read_rule_interpretations(trf)
    check_player_lines_agree(trf)
    return replace(trf, warnings=find_file_warnings(trf, directives))


def _check_sizes(lines: list[str], name: str) -> None:
    """Raise TrfError if there are more lines, players or rounds than any event may have."""
    if len(lines) > model.MAX_LINES:
        raise TrfError(
            f"at most {model.MAX_LINES} lines",
            name=name,
            line=model.MAX_LINES + 1,
            column=1,
        )
    players = [number for number, line in enumerate(lines, start=1) if line.startswith("001")]
    if len(players) > model.MAX_PLAYERS:
        place = players[model.MAX_PLAYERS]
        raise TrfError(f"at most {model.MAX_PLAYERS} players", name=name, line=place, column=1)
    longest = model.FIRST_BLOCK + model.MAX_ROUNDS * model.BLOCK_WIDTH
    for number in players:
        if len(lines[number - 1].rstrip()) > longest:
            raise TrfError(f"at most {model.MAX_ROUNDS} rounds", name=name, line=number, column=longest + 1)


_USUAL = {
    f" {code} {letter} ": (colour, result)
    for code, colour in _COLOURS.items()
    for letter, result in model.RESULTS_BY_LETTER.items()
    if result.is_played
}
"""Everything after the opponent in the usual form of a game, which nearly all blocks have."""


def _usual(block: str) -> TrfRound | None:
    """Return a played game in the usual form, or None if the block needs full parsing."""
    opponent = block[1:5]
    found = _USUAL.get(f"{block[5:]:5}")
    if found is None or block[0] != " " or opponent == "0000" or not (opponent.isascii() and opponent.isdigit()):
        return None
    return TrfRound(opponent=int(opponent), colour=found[0], result=found[1])


@dataclass(slots=True)
class _LineReader:
    """Reader of the lines of one file. Equal blocks become one object."""

    name: str
    first_lines: dict[PairingNumber, int] = field(default_factory=dict)
    blocks: dict[str, TrfRound] = field(default_factory=dict)

    def read_line(self, text: str, number: int) -> TrfPlayer | TrfRecord:
        if text.startswith("001"):
            return self._player(text, number)
        if text.strip() and not text.startswith("#") and not _RULER.fullmatch(text.rstrip()):
            self._check_code(text, number)
        return TrfRecord(text=text)

    def _check_code(self, text: str, number: int) -> None:
        """Refuse unknown codes, so that a damaged player's line does not pass as another line."""
        code = text[:3]
        if not (code in _OTHER_CODES or _CODE.fullmatch(code)):
            self._refuse("a line's code (001 for a player, 012, ..., XXR, ...)", number, 1, code)
        if text[3:4].strip() and not text[3].isdigit():
            self._refuse("a blank after the code", number, 4, text[3])

    def _player(self, text: str, number: int) -> TrfPlayer:
        control = _CONTROL.search(text)
        if control:
            self._refuse("a printable character", number, control.start() + 1, control.group())
        line = text if len(text) >= model.FIRST_BLOCK else text.ljust(model.FIRST_BLOCK)
        tpn = self._whole(line, model.TPN, number, "the player's starting rank")
        if not tpn:
            self._refuse("the player's starting rank, from 1", number, 5, line[model.TPN])
        if _GAPS(line) != _BLANK_GAPS:
            column = next(gap for gap in model.GAPS if line[gap] != " ")
            self._refuse("a blank between two fields", number, column + 1, line[column])
        if tpn in self.first_lines:
            self._refuse(f"a starting rank not used on line {self.first_lines[tpn]}", number, 5, str(tpn))
        self.first_lines[tpn] = number
        return TrfPlayer(
            tpn=tpn,
            name=line[model.NAME].strip(),
            sex=line[model.SEX].strip(),
            title=line[model.TITLE].strip(),
            rating=self._whole(line, model.RATING, number, "a rating in whole numbers") or 0,
            federation=line[model.FEDERATION].strip(),
            fide_number=line[model.FIDE_NUMBER].strip(),
            birth_date=line[model.BIRTH_DATE].strip(),
            points=self._points(line, number),
            rank=self._whole(line, model.RANK, number, "a rank in whole numbers"),
            rounds=self._rounds(text, number),
        )

    def _rounds(self, text: str, number: int) -> tuple[TrfRound, ...]:
        text = text.rstrip()
        rounds = []
        for start in range(model.FIRST_BLOCK, len(text), model.BLOCK_WIDTH):
            block = text[start : start + model.BLOCK_WIDTH]
            known = self.blocks.get(block)
            if known is None:
                known = self.blocks[block] = _usual(block) or self._block(block.ljust(model.BLOCK_WIDTH), number, start)
            rounds.append(known)
        return tuple(rounds)

    def _block(self, block: str, number: int, start: int) -> TrfRound:
        match = _BLOCK.fullmatch(block)
        if not match:
            self._refuse_block(block, number, start)
        opponent = self._opponent(match[1], number, start)
        colour = _COLOURS.get(match[2].lower())
        result = model.RESULTS_BY_LETTER.get(match[3].upper())
        if opponent:
            if result is not None and result not in _WITH_OPPONENT:
                self._refuse("a game's result beside an opponent (1 = 0 W D L + -)", number, start + 9, match[3])
            if colour is None and result is not None and result.is_played:
                self._refuse("the colour w or b of a played game", number, start + 7, match[2])
            return TrfRound(opponent=opponent, colour=colour, result=result)
        if colour is not None:
            self._refuse("no colour without an opponent (-)", number, start + 7, match[2])
        if not block.strip():
            return BLANK_ROUND
        if result in (None, Result.FORFEIT_LOSS):
            return TrfRound(result=Result.ABSENT)
        if result not in _WITHOUT_OPPONENT:
            self._refuse("H F Z U + or - where there is no opponent", number, start + 9, match[3])
        return TrfRound(result=result)

    def _opponent(self, text: str, number: int, start: int) -> PairingNumber:
        """Return the opponent's number, or 0 without one."""
        if not text.strip():
            return 0
        if not _WHOLE.fullmatch(text):
            self._refuse("the opponent's starting rank, or 0000", number, start + 2, text)
        return int(text)

    def _refuse_block(self, block: str, number: int, start: int) -> NoReturn:
        """Raise TrfError at the first invalid column of a block."""
        fields = (
            (r"[ 0-9]{5}", 0, 5, 2, "the opponent's starting rank, or 0000"),
            (" ", 5, 6, 6, "a blank after the opponent"),
            (r"[wbWB -]", 6, 7, 7, "the colour w, b or -"),
            (" ", 7, 8, 8, "a blank after the colour"),
            (r"[10=+\-*WDLHFUZwdlhfuz ]", 8, 9, 9, "a result: 1 = 0 W D L + - H F Z U"),
            (" ", 9, 10, 10, "a blank between two rounds"),
        )
        for pattern, begin, end, column, expected in fields:
            if not re.fullmatch(pattern, block[begin:end]):
                self._refuse(expected, number, start + column, block[begin:end])
        raise AssertionError(f"no fault in block {block!r}")

    def _whole(self, line: str, place: slice, number: int, expected: str) -> int | None:
        """Return the whole number in a field, or None if the field is blank."""
        text = line[place]
        if text.isspace():
            return None
        if not _WHOLE.fullmatch(text):
            is_five_wide = place in (model.TPN, model.RANK)
            self._refuse(expected, number, place.start + 1 + is_five_wide, text)
        return int(text)

    def _points(self, line: str, number: int) -> Decimal | None:
        text = line[model.POINTS]
        if text.isspace():
            return None
        if not _POINTS.fullmatch(text):
            self._refuse("points such as 4.5", number, model.POINTS.start + 1, text)
        return Decimal(text.strip())

    def _refuse(self, expected: str, number: int, column: int, found: str) -> NoReturn:
        raise TrfError(expected, name=self.name, line=number, column=column, found=found)
