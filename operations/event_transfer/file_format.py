"""The format of event files, version 1 (described in docs/developer/event-file.md).

Players are referred to by their position in `players`, from 1, and staff by their position in `people`.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

FORMAT, VERSION = "clubnight-event", 1
MAX_PLAYERS, MAX_LOG_LINES = 10_000, 200_000


def _of_our_time(moment: datetime) -> datetime:
    """Raise ValueError if the year is out of range. Later time zone conversions cannot overflow."""
    if not 1900 <= moment.year <= 2200:
        raise ValueError("no time of ours")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_of_our_time)]
Player = Annotated[int, Field(ge=1, le=MAX_PLAYERS)]
Person = Annotated[int, Field(ge=1, le=1000)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Small = Annotated[int, Field(ge=0, le=32767)]
RoundNumber = Annotated[int, Field(ge=1, le=99)]
Text = Annotated[str, Field(max_length=500)]
HalfPoints = dict[Annotated[str, Field(pattern=r"^\d{1,5}$")], Annotated[int, Field(ge=-1000, le=1000)]]
"""Half points by a player's position."""


class EventFilePart(BaseModel):
    """A part of the file. Unknown fields and wrong types are rejected."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class EventFileReason(EventFilePart):
    """The reason for a board or bye. `players` are starting numbers, `facts` are the data that the article needs."""

    article: Text
    kind: Text
    players: Annotated[list[Count], Field(max_length=1000)]
    facts: dict[Annotated[str, Field(max_length=100)], JsonValue]


Reasons = Annotated[list[EventFileReason], Field(max_length=500)]


class EventFileEarlierSystem(EventFilePart):
    """The system that paired the rounds up to this one, before the event changed to another."""

    to_round: RoundNumber
    system: Text
    procedure: Text
    had_bye: bool


class EventFileEarlierNumbers(EventFilePart):
    """The pairing numbers for the rounds up to a given one, before late entries changed them, by player position."""

    to_round: RoundNumber
    numbers: dict[Annotated[str, Field(pattern=r"^\d{1,5}$")], Count]
    accelerated_players: Count | None


class EventFileSettings(EventFilePart):
    """The settings of the event, named like the fields of the event's form."""

    name: Text
    system: Text
    procedure: Text = ""
    acceleration: Text
    group_limit_a: Small | None
    group_limit_c: Small | None
    accelerated_players: Count | None
    point_system: Text
    rounds_announced: Small
    first_colour: Text
    starts_on: date | None
    ends_on: date | None
    city: Text
    chief_arbiter: Text
    chief_arbiter_fide_id: Text = ""
    deputy_arbiters: Annotated[str, Field(max_length=2000)] = ""
    time_control: Text
    rated_as: Text
    fide_rated: bool
    earlier_systems: Annotated[list[EventFileEarlierSystem], Field(max_length=100)]
    earlier_numbers: Annotated[list[EventFileEarlierNumbers], Field(max_length=100)] = []
    requested_bye_worth: Text
    requested_byes_allowed: Small
    bye_in_last_round: bool
    bye_deadline_hours: Small
    only_sign_ups: bool = False
    late_entry_worth: Text
    tie_breaks: Annotated[list[Text], Field(max_length=20)]
    readings: dict[Text, Text]
    keizer_options: Annotated[list[Text], Field(max_length=20)] = []
    report_lines: Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(max_length=50_000)]
    keeps_numbers: bool
    is_public: bool
    players_check_in: bool
    players_report_results: bool


class EventFileMember(EventFilePart):
    """The data used to match a player with a member of the club that imports the event."""

    family_name: Text
    given_name: Text
    birth_year: Small | None
    fide_id: Count | None
    national_id: Text


class EventFilePlayer(EventFilePart):
    """A player on the starting list. `tpn` is their starting number, if they have one."""

    member: EventFileMember | None
    tpn: Count | None
    name: Text
    title: Text
    sex: Text
    rating: Small
    rating_is_estimate: bool
    federation: Text
    club_name: Text
    fide_id: Text
    birth: Text
    report_name: Annotated[str, Field(max_length=33)] = ""
    entered_in_round: Small
    withdrawn_from_round: Small | None
    remark: Text
    fictitious: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=99)]
    lot: Count | None


class EventFileForbiddenPair(EventFilePart):
    """Two players who must not be paired with each other."""

    first: Player
    second: Player
    from_round: Small
    to_round: Small | None
    remark: Text


class EventFileLogLine(EventFilePart):
    """Who did what, and when. `erasure` is the position of the log line that erased a name in this one."""

    round: RoundNumber | None
    by: Person | None
    at: Moment
    action: Annotated[str, Field(max_length=40, min_length=1)]
    details: dict[Text, JsonValue]
    erasure: Annotated[int, Field(ge=1, le=MAX_LOG_LINES)] | None


class EventFileBoard(EventFilePart):
    """A board. `correction` is the position of the log line that corrected its result after the round."""

    board: Count
    white: Player
    black: Player
    result: Text
    revision: Count
    colours_drawn: bool
    entered_by: Person | None
    entered_at: Moment | None
    correction: Annotated[int, Field(ge=1, le=MAX_LOG_LINES)] | None
    reasons: Reasons


class EventFileBye(EventFilePart):
    """A player who has no game in a round."""

    player: Player
    kind: Text
    reasons: Reasons
    beside_another: bool = False


class EventFileCheckIn(EventFilePart):
    """A player's check-in for a round."""

    player: Player
    state: Text
    at: Moment
    by: Person | None
    by_player: bool
    says_here_at: Moment | None
    is_coming: bool = False


class EventFileResultClaim(EventFilePart):
    """A result that a player reported."""

    board: Count
    player: Player
    result: Text
    at: Moment


class EventFileResultCheck(EventFilePart):
    """A result entered again in the results check."""

    board: Count
    result: Text
    by: Person | None
    at: Moment


class EventFileStateBoard(EventFilePart):
    """A board in an earlier state of the pairings."""

    board: Count
    white: Player
    black: Player
    reasons: Reasons


class EventFileStateBye(EventFilePart):
    """A player without a game in an earlier state of the pairings."""

    entry: Player
    kind: Text
    reasons: Reasons


class EventFilePairingState(EventFilePart):
    """A state of a round's pairings: a step that can be undone (`number`), or a restore point."""

    number: Count | None
    is_current: bool
    is_paired: bool
    boards: list[EventFileStateBoard]
    byes: list[EventFileStateBye]
    unpaired: list[Player]
    scores: HalfPoints
    numbers: dict[Annotated[str, Field(pattern=r"^\d{1,5}$")], Count]
    accelerated_players: Count | None
    paired_at: Moment | None
    cause: Text
    by: Person | None
    at: Moment


class EventFileProposal(EventFilePart):
    """A proposal for the round. `ground` shows whether the event has changed since."""

    correction: Annotated[int, Field(ge=1, le=MAX_LOG_LINES)] | None
    base_version: Count
    ground: Annotated[str, Field(max_length=64)]
    relief: Text
    absent: list[Player]
    present: list[Player]
    boards: list[EventFileStateBoard]
    bye: EventFileStateBye | None
    scores: HalfPoints
    state: Text
    by: Person | None
    at: Moment


class EventFileRound(EventFilePart):
    """A round with all its data. `decision` is the position of the log line with the arbiter's decision."""

    number: RoundNumber
    state: Text
    starts_at: Moment | None
    check_in_closed_at: Moment | None
    paired_at: Moment | None
    published_at: Moment | None
    provisional_until: Moment | None
    version: Count
    publications: Count
    decision: Annotated[int, Field(ge=1, le=MAX_LOG_LINES)] | None
    scores: HalfPoints
    boards: Annotated[list[EventFileBoard], Field(max_length=MAX_PLAYERS)]
    byes: Annotated[list[EventFileBye], Field(max_length=MAX_PLAYERS)]
    door: Annotated[list[EventFileCheckIn], Field(max_length=MAX_PLAYERS)]
    claims: Annotated[list[EventFileResultClaim], Field(max_length=MAX_PLAYERS)]
    second_readings: Annotated[list[EventFileResultCheck], Field(max_length=MAX_PLAYERS)]
    steps: Annotated[list[EventFilePairingState], Field(max_length=2000)]
    restore_points: Annotated[list[EventFilePairingState], Field(max_length=2000)]
    trials: Annotated[list[EventFileProposal], Field(max_length=2000)]


class EventFilePrize(EventFilePart):
    """The prize for a place, either among all players or in a category."""

    category: Text
    place: Small
    cents: Count
    thing: Text


class EventFilePrizeFund(EventFilePart):
    """The prizes of the event."""

    sharing: Text
    one_prize_each: bool
    is_published: bool
    prizes: Annotated[list[EventFilePrize], Field(max_length=2000)]


class EventFileEntryFee(EventFilePart):
    """An entry fee. Amounts are in cents."""

    place: Small
    name: Text
    amount: Count
    early_amount: Count | None
    from_age: Small | None
    to_age: Small | None
    for_members: bool


class EventFileEntryForm(EventFilePart):
    """The settings of the event's entry form."""

    is_open: bool
    closes_at: Moment | None
    places: Small | None
    rating_from: Small | None
    rating_to: Small | None
    born_from: Small | None
    born_to: Small | None
    needs_approval: bool
    asks_id: bool
    asks_club: bool
    guardian_under: Small
    questions: Annotated[list[Text], Field(max_length=3)]
    early_until: date | None
    payment_url: Text
    fees: Annotated[list[EventFileEntryFee], Field(max_length=100)]


class EventFileOnlineEntry(EventFilePart):
    """What a person submitted with the entry form, without contact data.

    `player` is their position if they are entered. `is_paid` is about the fee.
    """

    state: Text
    reason: Text = ""
    player: Player | None
    queue_number: Annotated[int, Field(ge=-(2**31), le=2**31 - 1)] | None
    name: Text
    birth_year: Small | None
    fide_id: Text
    national_id: Text
    title: Text
    sex: Text
    rating: Small
    federation: Text
    club_name: Text
    shows_name: bool
    answers: Annotated[list[Annotated[list[Text], Field(min_length=2, max_length=2)]], Field(max_length=3)]
    fee: Count
    is_paid: bool
    sent_at: Moment
    confirmed_at: Moment | None
    offer_ends_at: Moment | None


class EventFileHallMessage(EventFilePart):
    """The message on the hall screen."""

    text: Text
    until: Moment


class EventFilePerson(EventFilePart):
    """A user who changed something in the event: the username and the person's name."""

    login: Text
    name: Text


class EventFile(EventFilePart):
    """A complete event."""

    format: Literal["clubnight-event"]
    version: Literal[1]
    made_at: Moment
    program: Text
    club: Text
    series: Text
    event: EventFileSettings
    people: Annotated[list[EventFilePerson], Field(max_length=1000)]
    players: Annotated[list[EventFilePlayer], Field(max_length=MAX_PLAYERS)]
    kept_apart: Annotated[list[EventFileForbiddenPair], Field(max_length=100_000)]
    rounds: Annotated[list[EventFileRound], Field(min_length=1, max_length=99)]
    log: Annotated[list[EventFileLogLine], Field(max_length=MAX_LOG_LINES)]
    prizes: EventFilePrizeFund | None
    hall_message: EventFileHallMessage | None
    entry_form: EventFileEntryForm | None = None
    online_entries: Annotated[list[EventFileOnlineEntry], Field(max_length=MAX_PLAYERS)] = []


def event_file_schema() -> dict[str, Any]:
    """Return the format as a JSON schema, for docs/developer/event-file.schema.json."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **EventFile.model_json_schema()}
