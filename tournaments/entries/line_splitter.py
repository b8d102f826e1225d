"""Splitting lines of text into fields: separators, numbering, names, remarks and the look of fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from clubs.models import FideTitle
from common.tabular.column_names import SEX_LETTERS
from common.text.rating_text import is_unrated_word, remove_rating_mark
from tournaments.entries.player_rows import TextProblem

DASHES = frozenset({"-", "–", "—"})


@dataclass(frozen=True, slots=True)
class LineField:
    """A field in a line. `column` is where its text begins, from 1, or the column number if `cell` is given."""

    text: str
    column: int
    cell: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """A line in a list, with its number and fields. If it has a problem, none of it can be read."""

    number: int
    fields: tuple[LineField, ...]
    problem: TextProblem | None = None


def split_text_into_lines(text: str) -> list[ListLine]:
    """Return the non-empty lines of a pasted text. Each is split at tabs, or else semicolons, or else commas."""
    return [
        parse_list_line(number, line)
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1)
        if line.strip(" \t;,")
    ]


def parse_list_line(number: int, line: str) -> ListLine:
    """Parse a single line from a pasted text."""
    separator = next((mark for mark in "\t;" if mark in line), ",")
    try:
        return ListLine(number=number, fields=tuple(split_line_fields(line, separator)))
    except ValueError as error:
        problem = TextProblem(
            line=number,
            column=int(str(error)),
            message=_("A quotation mark isn't closed."),
            expected=_("a closing quotation mark"),
        )
        return ListLine(number=number, fields=(), problem=problem)


def split_line_fields(line: str, separator: str) -> list[LineField]:
    """Return the trimmed fields of a line.

    A field in double quotes may hold the separator, and "" in it is one quote. Raises ValueError with the column of a
    quote if it is never closed.
    """
    fields, start = [], 0
    while True:
        begin = _past_blanks(line, start)
        if line[begin : begin + 1] == '"':
            end = _closing_quote(line, begin)
            stop = _end_of_field(line, separator, end)
            text = line[begin + 1 : end].replace('""', '"') + line[end + 1 : stop]
        else:
            stop = _end_of_field(line, separator, start)
            text = line[start:stop]
        fields.append(LineField(text.strip(), min(begin, stop) + 1))
        if stop == len(line):
            return fields
        start = stop + len(separator)


_BRACKETS_OR_COMMA = re.compile(r"\([^()]*\)|(,)")


def _end_of_field(line: str, separator: str, start: int) -> int:
    """Return the position of the next separator or of the line's end. A comma in brackets doesn't count."""
    if separator == ",":
        return next((found.start() for found in _BRACKETS_OR_COMMA.finditer(line, start) if found[1]), len(line))
    stop = line.find(separator, start)
    return len(line) if stop < 0 else stop


def _past_blanks(line: str, position: int) -> int:
    while line[position : position + 1] == " ":
        position += 1
    return position


def _closing_quote(line: str, opening: int) -> int:
    position = opening + 1
    while True:
        position = line.find('"', position)
        if position < 0:
            raise ValueError(opening + 1)
        if line[position + 1 : position + 2] != '"':
            return position
        position += 2


# -- The name, and what comes before and after it ------------------------------------------------------------------


def move_name_first(fields: Sequence[LineField]) -> list[LineField]:
    """Return the fields of a line, name first, for a list without headings.

    Numbering (`1.`, `12)`, or a short number alone) is skipped. Titles and IDs (long numbers) before the name become
    fields of their own. So does whatever follows the name in its field (`Nowak Jan 1875 POL`). Remarks (`Nowak Jan
    (late) 1875`) come last, in their brackets.
    """
    remarks: list[LineField] = []
    for place, field in enumerate(fields := list(fields)):
        fields[place], found = split_off_remarks(field)
        remarks += found
    rest = _past_numbering(fields)
    before: list[LineField] = []
    while len(rest) > 1 and (_is_title(rest[0].text) or _ID.fullmatch(rest[0].text)):
        before.append(rest.pop(0))
    lead, rest[0] = _before_name(rest[0])
    name, *tail = _behind_name(rest[0])
    rest[:1] = [name, *tail]
    if not tail and len(rest) > 1 and "," not in name.text and guess_field_kind(rest[1].text) is None:
        rest[1:2] = _behind_name(rest[1])
    return [rest[0], *rest[1:], *before, *lead, *remarks]


_IN_BRACKETS = re.compile(r"\(([^()]*)(?:\)|$)|\[([^\[\]]*)(?:\]|$)")
_BEHIND_A_DASH = re.compile(r"(?<=\S)\s+[-–—]\s+([^\W\d_].*)$")


def split_off_remarks(field: LineField) -> tuple[LineField, list[LineField]]:
    """Split a field into its text and its remarks in brackets.

    Remarks are, for example, `Nowak Jan (late)` or `Nowak Jan - comes at seven`. A rating, title or federation in
    brackets isn't a remark, nor are brackets without a letter. After a dash a remark starts in lower case, because
    family names can have a dash too.
    """
    found: list[LineField] = []

    def collect_remark(match: re.Match[str]) -> str:
        text = (match[1] or match[2] or "").strip()
        if not any(letter.isalpha() for letter in text):
            return match[0]
        if guess_field_kind(text) is not None:
            return f" {text} ".ljust(len(match[0]))
        found.append(LineField(f"({text})", _moved(field, match.start()), field.cell))
        return " " * len(match[0])

    left = _IN_BRACKETS.sub(collect_remark, field.text)
    match = _BEHIND_A_DASH.search(left)
    if match and match[1][0].islower() and guess_field_kind(match[1].strip()) is None and not is_unrated_word(match[1]):
        found.append(LineField(f"({match[1].strip()})", _moved(field, match.start(1)), field.cell))
        left = left[: match.start()]
    if not found:
        return replace(field, text=left.strip()), []
    start = len(left) - len(left.lstrip())
    return replace(field, text=left.strip(), column=_moved(field, start)), found


_NUMBERING = re.compile(r"\d{1,4}\s*[.):]?\s+(?=\S*[^\W\d_])|\d{1,4}[.):](?=[^\W\d_])")
_NUMBER_ALONE = re.compile(r"\d{1,4}\s*[.):]?")
_ID = re.compile(r"\d{5,11}", re.ASCII)


def _past_numbering(fields: list[LineField]) -> list[LineField]:
    first = fields[0]
    if match := _NUMBERING.match(first.text):
        return [_later(first, match.end()), *fields[1:]]
    if not _NUMBER_ALONE.fullmatch(first.text):
        return fields
    rest = fields[1:]
    while len(rest) > 1 and not rest[0].text:
        rest.pop(0)
    has_name = bool(rest) and any(any(letter.isalpha() for letter in field.text) for field in rest[:3])
    return rest if has_name else fields


def _before_name(field: LineField) -> tuple[list[LineField], LineField]:
    """Split off a title or an ID before the name. A title needs two words after it: in `Im Jan` it is a name."""
    words = field.text.split()
    for is_before, least in ((_is_title, 3), (_ID.fullmatch, 2)):
        if len(words) >= least and is_before(words[0]):
            return [replace(field, text=words[0])], _later(field, field.text.index(words[1], len(words[0])))
    return [], field


_WORD = re.compile(r"\S+")
_CAPITALS = re.compile(r"[A-Z]{3}")


def _behind_name(field: LineField) -> list[LineField]:
    """Return the name and the rating, ID, year, title and federation after it, as far as they are understood."""
    words = _words_behind(field.text)
    begin = next((n for n, word in enumerate(words) if n and _is_behind_name(words, n)), len(words))
    while begin > 1 and (words[begin - 1][0] in "-–—·" or _is_code(words[: begin - 1], words[begin - 1][0])):
        begin -= 1
    if begin == len(words):
        return [field]
    name = replace(field, text=field.text[: words[begin].start()].rstrip())
    fields = [name]
    for place, word in enumerate(words[begin:], start=begin):
        text = word[0].strip("()[]<>")
        if text in ("", "-", "–", "—", "·"):
            continue
        if not _is_understood(text) or (is_unrated_word(text) and not _says_no_rating(words, place)):
            fields.append(_later(field, words[place].start()))
            break
        fields.append(LineField(text, _moved(field, word.start() + word[0].index(text)), field.cell))
    return fields


def _words_behind(text: str) -> list[re.Match[str]]:
    """Return the words of a field. Words that belong together count as one: `bez rankingu`, `born 1948`, `1390 P`."""
    words: list[re.Match[str]] = []
    at = 0
    while found := _WORD.search(text, at):
        if words:
            tries = (re.compile(rf"\S+(?:\s+\S+){{{more}}}(?!\S)").match(text, found.start()) for more in (2, 1))
            found = next((each for each in tries if each and _is_one_field(each[0].strip("()[]"))), found)
        words.append(found)
        at = found.end()
    return words


def _is_one_field(text: str) -> bool:
    return is_unrated_word(text) or bool(BIRTH_PATTERN.fullmatch(text)) or remove_rating_mark(text) != text


def _is_behind_name(words: Sequence[re.Match[str]], n: int) -> bool:
    """Return True if the name ends before this word: a number, an email address, or a word for no rating."""
    return (
        _digits_tell(words[n][0])
        or is_email_address(words[n][0].strip("()[]<>"))
        or (words[n][0] not in DASHES and _says_no_rating(words, n))
    )


def _says_no_rating(words: Sequence[re.Match[str]], n: int) -> bool:
    """Return True if the word means “unrated” and all that follows is understood.

    True for `Kot Ala bez`, False for `Kot Ala 1500 bez opłaty`.
    """
    if not is_unrated_word(words[n][0].strip("()[]")):
        return False
    return all(_is_understood(word[0].strip("()[]")) for word in words[n + 1 :])


def _is_understood(text: str) -> bool:
    return guess_field_kind(text) is not None and _is_short(text)


def _digits_tell(word: str) -> bool:
    """Return True if a word after a name is a rating, a year or an ID: at least three digits.

    Fewer digits, or a number such as `007`, are part of the name.
    """
    bare = word.strip("()[]")
    if _NUMBER.fullmatch(bare) and bare[0] == "0":
        return False
    return any(letter.isdigit() for letter in bare) and guess_field_kind(bare) is not None and len(bare) > 2


def _is_short(text: str) -> bool:
    return not text.isdigit() or len(text) > 2 or text == "0"


def _is_code(name: Sequence[re.Match[str]], word: str) -> bool:
    """Return True for a title or federation after a name that isn't in capitals itself."""
    rest = " ".join(each[0] for each in name)
    return len(name) > 1 and rest != rest.upper() and (_is_title(word) or guess_field_kind(word) in _CODES)


def _is_title(text: str) -> bool:
    return text in FideTitle.values


def _later(field: LineField, position: int) -> LineField:
    """Return the field from this position of its text on."""
    return LineField(field.text[position:].strip(), _moved(field, position), field.cell)


def _moved(field: LineField, letters: int) -> int:
    return field.column if field.cell else field.column + letters


def strip_remark_brackets(field: LineField) -> LineField:
    """Return a remark without its brackets."""
    return replace(field, text=field.text[1:-1].strip())


# -- The look of a field -------------------------------------------------------------------------------------------

YEAR_PATTERN = re.compile(r"(?:19|20)\d\d", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,4}")
_LONG_NUMBER = re.compile(r"[0-9]{5,11}")
BORN_WORD = re.compile(
    r"(?:\*|born(?: in)?|b\.?|geboren|geb\.?|ur\.?|urodzon[ya]|nar\.?|narozena?|née?|nat[oa](?: nel)?|nacid[oa](?: en)?"
    r"|роден[аи]?|род\.?|р\.?|народжен(?:ий|а)|нар\.?)\s*(?=\d)",
    re.IGNORECASE,
)
"""What people write before a year or date of birth."""
BIRTH_PATTERN = re.compile(
    rf"{BORN_WORD.pattern}(?:19|20)\d\d|(?:{BORN_WORD.pattern})?"
    r"(?:(?:19|20)\d\d[./-]\d\d?[./-]\d\d?|\d\d?[./-]\d\d?[./-](?:19|20)\d\d)",
    re.ASCII | re.IGNORECASE,
)
_RATING_LISTS = frozenset({"DWZ", "ECF", "ELO", "FSI", "LOK", "NWZ", "RTG", "SNK"})
"""Capitals beside a rating that name its list, and no federation."""
_CODES = ("federation", "label")


def guess_field_kind(text: str) -> str | None:
    """Guess a field's kind from its text: number, id, title, label, federation, birth, sex, email or None.

    A number is a rating, a year or a word that means “unrated”. A label names a rating list.
    """
    if _NUMBER.fullmatch(remove_rating_mark(text)) or is_unrated_word(text):
        return "number"
    if _LONG_NUMBER.fullmatch(text):
        return "id"
    if text.upper() in FideTitle.values:
        return "title"
    if text.upper() in _RATING_LISTS:
        return "label"
    if _CAPITALS.fullmatch(text):
        return "federation"
    if BIRTH_PATTERN.fullmatch(text):
        return "birth"
    if text.casefold() in SEX_LETTERS:
        return "sex"
    return "email" if is_email_address(text) else None


def is_email_address(text: str) -> bool:
    """Return True if the text is an email address."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True
