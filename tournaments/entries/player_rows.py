"""Players as rows of a pasted list or a file, and the outcome of entering each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.translation import gettext as _

from clubs.models import Member
from common.tabular.column_mapping import ImportColumn
from common.text.name_search import NameWords, name_search_words, normalise_name
from pairing.engine.trf import model
from tournaments.models import Entry, Tournament

MAX_PLAYERS = model.MAX_PLAYERS
"""Of an event, and of a list."""


GUEST_ANSWER = "guest"
"""The answer that a row isn't a member."""


class RowAnswer(StrEnum):
    """An arbiter's answer about a row of a pasted list. It can also be a member's key or `GUEST_ANSWER`."""

    NOTE = "note"
    """Keep what couldn't be read as a note."""
    DROP = "drop"
    """Leave out what couldn't be read."""
    SKIP = "skip"
    """Skip the line."""
    RIGHT = "right"
    """The name is right as it is."""
    AS_WRITTEN = "written"
    """The name without a comma is right as written, not as guessed."""
    BOTH = "both"
    """Another player with the same name as in an earlier line."""


class RowOutcome(StrEnum):
    """The outcome of entering a row."""

    MEMBER = "member"
    """Enters a member of the club, found by ID or name."""
    GUEST = "guest"
    """Enters a player who isn't in the member list."""
    ALREADY_ENTERED = "already_entered"
    """Does nothing: the player is in the event."""
    DUPLICATE = "duplicate"
    """Does nothing: the player is in an earlier line, `twin`."""
    SKIPPED = "skipped"
    """Does nothing: the arbiter skips the line."""
    WRONG = "wrong"
    """Can't be entered: `problems` say why. With such a row, nothing of the list is entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextProblem:
    """A problem in a text, and its place. `line` and `column` count from 1, and 0 means the whole text or line.

    Columns are characters, or those of a table, and then `cell` names the column: "B (rating)".
    """

    line: int
    column: int
    message: str
    expected: str = ""
    cell: str = ""

    def __str__(self) -> str:
        text = self.message
        if self.line:
            place = _("line %(line)s, column %(column)s") % {"line": self.line, "column": self.cell or self.column}
            alone = _("line %(line)s: %(message)s") % {"line": self.line, "message": self.message}
            text = f"{place}: {self.message}" if self.column else alone
        return text + (" " + _("Expected: %(expected)s.") % {"expected": self.expected} if self.expected else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A player in a list. `birth` is a year or a date as in report files. Empty strings and 0 mean not given."""

    line: int
    name: str
    column: int = 1
    cell: str = ""
    rating: int = 0
    title: str = ""
    federation: str = ""
    sex: str = ""
    birth: str = ""
    fide_id: str = ""
    national_id: str = ""
    club_name: str = ""
    remark: str = ""
    outcome: RowOutcome = RowOutcome.GUEST
    member: Member | None = None
    candidates: tuple[Member, ...] = ()
    """Members the row may be, if only the arbiter can decide."""
    answer: str = ""
    """The arbiter's answer: a member's key, `GUEST_ANSWER` for none of them, a `RowAnswer`, or empty so far."""
    twin: int = 0
    """The earlier line of a duplicate."""
    unread: tuple[str, ...] = ()
    """The texts that `problems` are about."""
    is_edited: bool = False
    """The arbiter has changed a cell of the row on the page."""
    problems: tuple[TextProblem, ...] = ()
    warnings: tuple[TextProblem, ...] = ()
    original_name: str = ""
    """The name as written, if it has no comma and most have one. `name` is then a guess, if one is possible."""
    has_doubtful_name: bool = False
    """The name has something no name has, such as a question mark: somebody must check it, and `warnings` say why."""

    @property
    def is_to_be_entered(self) -> bool:
        return self.outcome in (RowOutcome.MEMBER, RowOutcome.GUEST)

    @property
    def is_to_be_checked(self) -> bool:
        """Return True if the row can be entered, but its name is doubtful or guessed."""
        return self.outcome is RowOutcome.GUEST and (self.has_doubtful_name or bool(self.original_name))

    @property
    def is_to_be_answered(self) -> bool:
        """Return True if the row has a question for the arbiter."""
        return bool(self.problems) or self.is_to_be_checked

    @property
    def cells(self) -> dict[str, str]:
        """The text of each cell that can be edited on the page."""
        return {name: str(getattr(self, name) or "") for name in EDITABLE_CELLS}


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedListPreview:
    """A preview of a pasted list. `text` is the list as pasted, to be sent again when the players are entered."""

    text: str
    rows: tuple[PlayerRow, ...]
    columns: tuple[ImportColumn, ...] = ()
    column_problems: tuple[TextProblem, ...] = ()
    passed_over: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[TextProblem, ...]:
        """Everything that stops the list from being entered, in the order of the lines."""
        return (*self.column_problems, *(problem for row in self.rows for problem in row.problems))

    @property
    def rows_to_enter(self) -> tuple[PlayerRow, ...]:
        """The rows that would enter a player."""
        return tuple(row for row in self.rows if row.is_to_be_entered)

    @property
    def clear_rows(self) -> tuple[PlayerRow, ...]:
        """The rows that would enter a player and need no check first."""
        return tuple(row for row in self.rows_to_enter if not row.is_to_be_checked)

    @property
    def can_enter_all_rows(self) -> bool:
        """Return True if at least one row would enter a player and no row is wrong."""
        return bool(self.rows_to_enter) and not self.problems

    @property
    def can_enter_some_rows(self) -> bool:
        """Return True if some rows can be entered now and the others after a fix."""
        return bool(self.clear_rows) and self.must_check_lines and not self.column_problems

    @property
    def must_choose_columns(self) -> bool:
        """Return True if the user must first say what a column contains."""
        return bool(self.column_problems) or any(column.is_undecided and column.heading for column in self.columns)

    @property
    def has_headings(self) -> bool:
        """Return True if the list has column headings. Without them, users edit cells instead of choosing columns."""
        return any(column.heading for column in self.columns)

    @property
    def must_check_lines(self) -> bool:
        return bool(self.rows_to_answer)

    @property
    def rows_to_answer(self) -> tuple[PlayerRow, ...]:
        return tuple(row for row in self.rows if row.is_to_be_answered)

    @property
    def duplicate_count(self) -> int:
        return sum(row.outcome is RowOutcome.DUPLICATE for row in self.rows)

    @property
    def editable_lines(self) -> frozenset[int]:
        """The lines whose cells can be edited on the page: edited and questioned lines first, up to a maximum."""
        wanted = [row for row in self.rows if row.is_edited or row.answer] + list(self.rows_to_answer)
        return frozenset(row.line for row in [*wanted, *self.rows][:MAX_EDITABLE_ROWS])

    @property
    def text_of_unclear_lines(self) -> str:
        """The list without clear lines: only the lines to check, and the headings.

        A guessed name has its comma there, because nobody can guess it without the other lines.
        """
        clear = {row.line for row in self.rows if not row.problems and not row.is_to_be_checked}
        guessed = {row.line: row for row in self.rows if row.original_name}
        return "\n".join(
            line.replace(guessed[n].original_name, guessed[n].name, 1) if n in guessed else line
            for n, line in enumerate(_lines(self.text), start=1)
            if n not in clear
        )


EDITABLE_CELLS = ("name", "title", "rating", "fide_id", "birth")
MAX_EDITABLE_ROWS = 100
"""Forms have at most 1,000 fields."""


def _lines(text: str) -> list[str]:
    """Return the lines, counted as the parser counts them."""
    return text.lstrip("\ufeff").splitlines()


def answered_row(row: PlayerRow, answer: str) -> PlayerRow:
    """Return the row with the arbiter's answer. Answers about members or other lines apply when the row is resolved."""
    row = replace(row, answer=answer)
    if answer in (RowAnswer.NOTE, RowAnswer.DROP) and row.name:
        notes = row.unread if answer == RowAnswer.NOTE else ()
        remark = "; ".join(filter(None, (row.remark, *notes)))[:MAX_REMARK_LENGTH]
        return replace(row, problems=(), remark=remark)
    if answer == RowAnswer.RIGHT:
        return replace(row, has_doubtful_name=False, warnings=())
    return row


MAX_REMARK_LENGTH: int = Entry._meta.get_field("remark").max_length or 0


def resolve_player_rows(tournament: Tournament, rows: Iterable[PlayerRow]) -> tuple[PlayerRow, ...]:
    """Find the outcome of entering each row. Two queries, however many rows."""
    settling = _Settling(tournament.club_id, tournament.entries.all())
    settled = tuple(settling.resolve_row(row) for row in rows)
    return _with_commas(settled, (member.name for members in settling.members.values() for member in members))


def match_rows_to_members(
    club_id: int, rows: Iterable[PlayerRow], answers: Mapping[int, str] | None = None
) -> tuple[PlayerRow, ...]:
    """Match the rows in a starting list to members, by data or by the arbiter's answers. Each member is used once.

    A row that may be one of several members is a guest's, with these as `candidates`, until it is answered.
    """
    settling = _Settling(club_id, ())
    linked, taken = [], set[int]()
    for row in rows:
        meant = settling.find_matching_members(row)
        if len(meant) == 1 and meant[0].pk not in taken:
            taken.add(meant[0].pk)
            linked.append(replace(row, outcome=RowOutcome.MEMBER, member=meant[0]))
        else:
            linked.append(replace(row, candidates=tuple(meant) if len(meant) > 1 else ()))
    return tuple(_answered(row, taken, (answers or {}).get(row.line, "")) for row in linked)


def find_members_matching_row(club_id: int, row: PlayerRow) -> Sequence[Member]:
    """Return the members who may be the player in a row. One query."""
    return _Settling(club_id, ()).find_matching_members(row)


def _with_commas(rows: Sequence[PlayerRow], known: Iterable[str]) -> tuple[PlayerRow, ...]:
    """Guess and mark the comma in guests' names without one, if most names have one.

    `known` names of members help with the given names. If most names have no comma, every name stays as it is.
    """
    names = [row.name for row in rows if "," in row.name]
    if not names or sum(_lacks_comma(row) for row in rows) > len(names):
        return tuple(rows)
    given = {normalise_name(words[0]) for name in (*names, *known) if (words := name.partition(",")[2].split())}
    return tuple(
        replace(
            row,
            name=_with_comma(row.name, given),
            original_name="" if row.answer == RowAnswer.RIGHT else row.name,
        )
        if row.outcome is RowOutcome.GUEST and _lacks_comma(row) and row.answer != RowAnswer.AS_WRITTEN
        else row
        for row in rows
    )


def _lacks_comma(row: PlayerRow) -> bool:
    """Return True for a name of several words without a comma, unless it is doubtful."""
    return "," not in row.name and " " in row.name and not row.has_doubtful_name


def _with_comma(name: str, given: Collection[str]) -> str:
    """Guess the family name: words in capitals, else those beside a known given name, else the first of two words."""
    words = name.split()
    loud = [len(word) > 1 and word.isupper() for word in words]
    if any(loud) and not all(loud):
        family = " ".join(word for word, is_loud in zip(words, loud, strict=True) if is_loud)
        return f"{family}, {' '.join(word for word, is_loud in zip(words, loud, strict=True) if not is_loud)}"
    first, last = normalise_name(words[0]) in given, normalise_name(words[-1]) in given
    if first and not last:
        return f"{words[-1]}, {' '.join(words[:-1])}"
    if len(words) == 2:
        return f"{words[0]}, {words[1]}"
    begin = next((n for n, word in enumerate(words) if n and normalise_name(word) in given), 0)
    return f"{' '.join(words[:begin])}, {' '.join(words[begin:])}" if begin and not first else name


def _answered(row: PlayerRow, taken: set[int], answer: str) -> PlayerRow:
    """Return the row with its remaining candidates, who belong to no other row, and the answer."""
    free = tuple(member for member in row.candidates if member.pk not in taken)
    said = next((member for member in free if str(member.pk) == answer), None)
    if said is None:
        return replace(row, candidates=free, answer=answer if free and answer == GUEST_ANSWER else "")
    taken.add(said.pk)
    return replace(row, outcome=RowOutcome.MEMBER, member=said, candidates=free, answer=answer)


class _Settling:
    """The club's members and the event's entries by name, and the rows seen so far."""

    def __init__(self, club_id: int, entries: Iterable[Entry]) -> None:
        self.members: dict[NameWords, list[Member]] = defaultdict(list)
        self.entries: dict[NameWords, list[Entry]] = defaultdict(list)
        self.rows: dict[NameWords, list[PlayerRow]] = defaultdict(list)
        self.members_by_fide_id: dict[str, Member] = {}
        self.members_by_national_id: dict[str, Member] = {}
        for member in Member.objects.filter(club_id=club_id, erased_at=None):
            self.members[name_search_words(member.name)].append(member)
            if member.fide_id:
                self.members_by_fide_id[str(member.fide_id)] = member
            if member.national_id:
                self.members_by_national_id[member.national_id] = member
        self.entered_members: set[int] = set()
        self.entered_fide_ids: set[str] = set()
        for entry in entries:
            self.entered_fide_ids |= {entry.fide_id} - {""}
            self.entries[name_search_words(entry.name)].append(entry)
            if entry.member_id:
                self.entered_members.add(entry.member_id)

    def resolve_row(self, row: PlayerRow) -> PlayerRow:
        if row.answer == RowAnswer.SKIP:
            return replace(row, outcome=RowOutcome.SKIPPED, problems=(), warnings=())
        if row.problems:
            return replace(row, outcome=RowOutcome.WRONG)
        words = name_search_words(row.name)
        twin = next((other for other in self.rows[words] if _may_be_same(row, other.birth, other.fide_id)), None)
        if twin is not None:
            if row.answer == RowAnswer.BOTH:
                return row
            return replace(row, outcome=RowOutcome.DUPLICATE, twin=twin.line)
        self.rows[words].append(row)
        return self._settle_known(row, words)

    def _settle_known(self, row: PlayerRow, words: NameWords) -> PlayerRow:
        candidates = self.find_matching_members(row)
        if len(candidates) > 1:
            meant = [member for member in candidates if str(member.pk) == row.answer]
            if not meant and row.answer != GUEST_ANSWER:
                return _wrong(
                    replace(row, candidates=tuple(candidates)),
                    _("The club has %(count)s members with this name.") % {"count": len(candidates)},
                    expected=_("the birth year or the FIDE ID"),
                )
            candidates = meant
        member = candidates[0] if candidates else None
        if member is not None and member.pk in self.entered_members:
            return replace(row, outcome=RowOutcome.ALREADY_ENTERED, member=member)
        if row.fide_id in self.entered_fide_ids or any(
            _may_be_same(row, entry.birth, entry.fide_id)
            for entry in self.entries[words]
            if entry.member_id is None or member is None
        ):
            return replace(row, outcome=RowOutcome.ALREADY_ENTERED, member=member)
        return replace(row, outcome=RowOutcome.MEMBER if member else RowOutcome.GUEST, member=member)

    def find_matching_members(self, row: PlayerRow) -> Sequence[Member]:
        """Return the members who may be the player in the row."""
        if row.fide_id in self.members_by_fide_id:
            return [self.members_by_fide_id[row.fide_id]]
        if row.national_id in self.members_by_national_id:
            return [self.members_by_national_id[row.national_id]]
        same_name = [
            member
            for member in self.members[name_search_words(row.name)]
            if _may_be_same(row, str(member.birth_year or ""), str(member.fide_id or ""))
        ]
        same_birth = [member for member in same_name if row.birth and str(member.birth_year) == row.birth[:4]]
        return same_birth if len(same_birth) == 1 else same_name


def _may_be_same(row: PlayerRow, birth: str, fide_id: str) -> bool:
    """Return True if the known data of two people of one name don't contradict each other."""
    if row.fide_id and fide_id:
        return row.fide_id == fide_id
    return not (row.birth and birth) or row.birth[:4] == birth[:4]


def _wrong(row: PlayerRow, message: str, *, expected: str = "") -> PlayerRow:
    problem = TextProblem(line=row.line, column=row.column, message=message, expected=expected, cell=row.cell)
    return replace(row, outcome=RowOutcome.WRONG, problems=(*row.problems, problem))
