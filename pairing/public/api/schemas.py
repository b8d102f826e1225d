"""Schemas of the API's responses, the source of its OpenAPI description.

Names are stable: within a version of the API none is renamed or removed, but new ones may be added.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Generic, Literal, TypeVar

from ninja import Field, Schema
from pydantic import ConfigDict

from tournaments.models import Game

Row = TypeVar("Row")
RESULT_VALUES = tuple(str(value) for value in Game.Result.values)


class ErrorSchema(Schema):
    """The reason for an error."""

    detail: str


class PagedListSchema(Schema, Generic[Row]):
    """A page of a list. `count` is the total number of rows. `next` is the URL of the next page, null on the last."""

    count: int
    next: str | None
    rows: list[Row]


class ClubSchema(Schema):
    """A club. `page` is the address of its web page. A demo club is made up."""

    slug: str
    name: str
    city: str
    federation: str
    is_demo: bool
    page: str
    events: str = Field(description="URL of its events")
    calendar: str = Field(description="address of its evenings")


class EventSummarySchema(Schema):
    """An event in a list. `system` is a name from the table of pairing systems.

    `changed_at` is the time of its latest public change, null if there is none.
    """

    slug: str
    name: str
    starts_on: date | None
    ends_on: date | None
    progress: str = Field(description="to_come, running or finished")
    system: str
    rounds_announced: int
    rounds_published: int
    changed_at: datetime | None
    page: str
    event: str = Field(description="URL of the event")


class RoundSummarySchema(Schema):
    """A round in an event. An unpublished round only shows that it will take place."""

    number: int
    state: str = Field(description="to_come, published or finished")
    is_provisional: bool = Field(description="published, but may still change")
    starts_at: datetime | None
    published_at: datetime | None
    round: str | None = Field(description="URL of its boards, once it is published")


class EventSchema(EventSummarySchema):
    """An event."""

    club: str
    city: str
    time_control: str
    acceleration: str
    points: str = Field(description="for a win, a draw and a loss")
    players: str = Field(description="URL of its players")
    standings: str = Field(description="URL of its standings")
    crosstable: str = Field(description="address of its crosstable")
    prizes: str | None = Field(description="address of its prizes, once everyone may see them")
    rounds: list[RoundSummarySchema]


class PlayerSummarySchema(Schema):
    """A player on the starting list. `rating` is 0 if unrated. `number` can change if players enter late.

    `fide_id` is only given in events that FIDE rates, because FIDE publishes it there. It is empty for those who
    refused publication.
    """

    number: int
    name: str
    title: str
    rating: int
    federation: str
    club: str
    fide_id: str
    has_withdrawn: bool


class BoardPlayerSchema(Schema):
    """A player at a board. `points` is the score they were paired with, empty if it is not known."""

    number: int | None
    name: str
    title: str
    rating: int
    points: str


class ReasonSchema(Schema):
    """A reason: the article that decided, and a sentence in the requested language."""

    article: str
    kind: str
    players: list[int]
    text: str


class BoardSchema(Schema):
    """A board. `result` is 1-0, 0-1, 1/2 and so on, empty while it is open. `text` is for display.

    `game` is the key of this pair with these colours, and `revision` counts changes of the result.
    """

    board: int
    game: int
    revision: int
    white: BoardPlayerSchema
    black: BoardPlayerSchema
    result: str
    text: str
    reasons: list[ReasonSchema]


class ByeSchema(Schema):
    """A player without a game. `worth` is the points they get."""

    player: BoardPlayerSchema
    kind: str
    worth: str
    reasons: list[ReasonSchema]


class RoundSchema(Schema):
    """A published round: its boards in pages, and all byes on the last page."""

    number: int
    state: str
    system: str
    edition: int = Field(description="increases each time it is published again")
    is_provisional: bool
    starts_at: datetime | None
    published_at: datetime | None
    boards_open: int
    count: int
    next: str | None
    boards: list[BoardSchema]
    byes: list[ByeSchema]


class RoundResultSchema(Schema):
    """A player's round: the opponent's number, the colour (w, b) and the result. A bye has only its points."""

    opponent: int | None
    colour: str
    result: str


class PlayerRoundSchema(RoundResultSchema):
    """A player's round. `points` is the score after it."""

    round: int
    board: int | None
    bye: str
    points: str


class PlayerSchema(PlayerSummarySchema):
    """A player with their published rounds."""

    points: str
    rounds: list[PlayerRoundSchema]


class StandingsColumnSchema(Schema):
    """A column of the table: points first, then tie-breaks by their codes."""

    code: str
    heading: str
    meaning: str


class StandingsRowSchema(Schema):
    """A row in the standings. `values` match the columns, and `rounds` are in order from round 1."""

    place: int
    number: int | None
    name: str
    title: str
    rating: int
    federation: str
    has_withdrawn: bool
    values: list[str]
    rounds: list[RoundResultSchema]
    workings: str | None = Field(description="URL of the calculation of the values")


class StandingsSchema(Schema):
    """The standings after a round (0: before the first)."""

    after_round: int
    is_provisional: bool
    columns: list[StandingsColumnSchema]
    count: int
    next: str | None
    rows: list[StandingsRowSchema]


class CrosstableCellSchema(RoundResultSchema):
    """A round in a crosstable. `opponent_line` is the opponent's line in the table."""

    opponent_line: int | None


class CrosstableRowSchema(Schema):
    """A line in the crosstable. Line numbers start at 1 and are unique. `values` match the columns of the standings."""

    line: int
    number: int | None
    name: str
    title: str
    rating: int
    federation: str
    has_withdrawn: bool
    values: list[str]
    rounds: list[CrosstableCellSchema]


class CrosstableSchema(Schema):
    """The crosstable after a round (0: before the first)."""

    after_round: int
    is_provisional: bool
    columns: list[StandingsColumnSchema]
    count: int
    next: str | None
    rows: list[CrosstableRowSchema]


class PrizeSchema(Schema):
    """A player's prize from a list. `amount` is money, `in_kind` anything else, `working` how it was calculated."""

    place: int
    number: int | None
    name: str
    amount: str
    in_kind: str
    working: str


class PrizeByLotSchema(Schema):
    """A prize in kind for which several players draw lots. `players` are their numbers."""

    in_kind: str
    players: list[int]


class PrizeListSchema(Schema):
    """The prizes for everyone (an empty `key`) or for a category."""

    key: str
    label: str
    prizes: list[PrizeSchema]
    by_lot: list[PrizeByLotSchema]


class PrizesSchema(Schema):
    """The prizes and their winners, according to the table after a round."""

    after_round: int
    is_final: bool
    currency: str
    lists: list[PrizeListSchema]


class CalendarEntrySchema(Schema):
    """An evening of an event (`starts_at`, one round), or the days of an event whose rounds have no times."""

    name: str
    place: str
    round: int | None
    starts_at: datetime | None
    first_day: date | None
    last_day: date | None
    event: str = Field(description="address of the event")


class TieBreakStepSchema(Schema):
    """One step of a value's calculation. Fields are null if they do not apply."""

    round: int | None
    opponent: int | None
    remark: str
    counted: str | None
    points: str | None
    value: str | None
    is_cut: bool


class TieBreakWorkingSchema(Schema):
    """The calculation of a tie-break value."""

    code: str
    meaning: str
    article: str
    value: str
    rows: list[TieBreakStepSchema]


class _Request(Schema):
    """A body of a request. Unknown names are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


_PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f]*$"
_Cell = Annotated[str, Field(max_length=160, pattern=_PRINTABLE)]
RoundNumber = Annotated[int, Field(ge=1, le=1000)]


class NewPlayerSchema(_Request):
    """A player to be entered. Members of the club are recognised by FIDE ID, or by name and birth.

    `name` is "family name, given name". `birth` is a year, or YYYY-MM-DD. `sex` is w or m.
    """

    name: Annotated[str, Field(min_length=1, max_length=160, pattern=_PRINTABLE)]
    rating: Annotated[int, Field(ge=0, le=3500)] = 0
    title: _Cell = ""
    federation: _Cell = ""
    sex: _Cell = ""
    birth: _Cell = ""
    fide_id: _Cell = ""
    club: _Cell = ""


class NewEntriesSchema(_Request):
    """Players to be entered, all or none. `from_round` is the first round they play, by default the next one."""

    players: Annotated[list[NewPlayerSchema], Field(min_length=1, max_length=500)]
    from_round: RoundNumber | None = None


class EntrySchema(Schema):
    """A player of an event. `id` never changes, unlike `number`, which is null before round 1 is paired."""

    id: int
    number: int | None
    name: str
    title: str
    rating: int
    federation: str
    club: str
    from_round: int
    withdrawn_from_round: int | None


class EnteredSchema(Schema):
    """The new entries, and the names of those who were in the event already."""

    entered: list[EntrySchema]
    already_entered: list[str]


class WithdrawalSchema(_Request):
    """From which round a player is withdrawn, by default the next one."""

    from_round: RoundNumber | None = None


class PresenceSchema(_Request):
    """Whether a player is at a round that isn't paired yet. An empty `state` clears what was recorded.

    Absent players and those with a bye aren't paired. All others are.
    """

    state: Literal["here", "late", "absent", ""]


class BoardResultSchema(_Request):
    """A result, for the game and revision that the client has read from its round. Empty withdraws it."""

    game: Annotated[int, Field(ge=1, lt=2**63)]
    revision: Annotated[int, Field(ge=0, lt=2**31)]
    result: Literal[RESULT_VALUES]  # type: ignore[valid-type]
    reason: Annotated[str, Field(max_length=200, pattern=_PRINTABLE)] = ""
