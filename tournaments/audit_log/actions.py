"""The actions in an event's log: their stored values, their visibility and their sentences.

An app adds its own as an enum (`class PairingAction(LogAction)`), imported when the app is ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


class LogVisibility(StrEnum):
    """The open pages that a new line updates. Only officers can read the log itself."""

    ALL = "all"
    """Players' pages too, which then reload their content."""
    OFFICERS = "officers"
    """Changes to a draft, and check-in. Players' pages get no signal, so nobody learns of a draft, and forty taps do
    not wake two thousand phones."""


class LogAction(StrEnum):
    """A kind of line in an event's log. Its value is stored in the database, so it must never change.

    `sentence` has names of the line's details in braces. If it has two plural forms, `counted` is the name of the
    detail that selects one.
    """

    visibility: LogVisibility
    sentence: Promise
    counted: str

    def __new__(cls, value: str, seen: LogVisibility, sentence: Promise, counted: str = "") -> LogAction:
        action = str.__new__(cls, value)
        action._value_ = value
        action.visibility = seen
        action.sentence = sentence
        action.counted = counted
        if _known.setdefault(value, action) is not action:
            raise TypeError(f"two actions are called {value!r}")
        return action

    def choose_log_sentence(self, details: Mapping[str, Any]) -> str:
        """Return the sentence in the right plural form for these details, with its placeholders still unfilled."""
        if not self.counted:
            return str(self.sentence)
        count = details.get(self.counted)
        # The number only selects the form: the text itself has no place for `%`.
        return str(self.sentence % (count if isinstance(count, int) else 0))


_known: dict[str, LogAction] = {}


def find_log_action(value: str) -> LogAction | None:
    """Return the action stored in a log line, or None if another version of Clubnight wrote it."""
    return _known.get(value)


def officer_only_actions() -> list[str]:
    """Return the actions whose log lines only update officers' pages."""
    return [value for value, action in _known.items() if action.visibility is LogVisibility.OFFICERS]


class EventAction(LogAction):
    """Actions in an event other than pairing."""

    TOURNAMENT_CREATED = "tournament created", LogVisibility.ALL, _("Created the event “{name}”")
    TOURNAMENT_CHANGED = "tournament changed", LogVisibility.ALL, _("Changed the event: {changes}")
    SYSTEM_CHANGED = (
        "system changed",
        LogVisibility.ALL,
        _("From round {from_round}: {after} (previously: {before}). {reason}"),
    )
    EVENT_COPIED = "event made again", LogVisibility.ALL, _("Copied the settings of “{name}”")
    EVENT_DELETED = "event deleted", LogVisibility.ALL, _("Deleted the event")
    EVENT_RESTORED = "event restored", LogVisibility.ALL, _("Restored the event")
    NUMBERS_DRAWN = "numbers drawn", LogVisibility.ALL, _("Drew pairing numbers by lot: {numbers}")
    NUMBERS_CHANGED = "numbers changed", LogVisibility.ALL, _("Late entries changed pairing numbers: {numbers}")
    FILE_IMPORTED = (
        "file imported",
        LogVisibility.ALL,
        ngettext_lazy("Imported “{filename}”: {players} player", "Imported “{filename}”: {players} players"),
        "players",
    )
    PLAYERS_ENTERED = "players entered", LogVisibility.ALL, _("Entered players ({count}): {names}")
    ENTRY_CHANGED = "entry changed", LogVisibility.ALL, _("Changed the entry of {name}: {changes}")
    ENTRY_LINKED = "entry linked", LogVisibility.ALL, _("Linked {name} to the member {member}")
    ENTRY_UNLINKED = "entry unlinked", LogVisibility.ALL, _("Unlinked {name} from the member {member} (guest again)")
    ENTRY_REMOVED = "entry removed", LogVisibility.ALL, _("Removed {name} from the starting list")
    FIRST_ROUND_CHANGED = "first round changed", LogVisibility.ALL, _("{name} plays from round {from_round}")
    PLAYER_WITHDRAWN = "player withdrawn", LogVisibility.ALL, _("{name} withdrew before round {from_round}")
    PLAYER_RETURNED = "player returned", LogVisibility.ALL, _("{name} returned to the event")
    PAIR_FORBIDDEN = "pair forbidden", LogVisibility.ALL, _("Kept apart: {names} {remark}")
    GROUPS_FORBIDDEN = (
        "groups kept apart",
        LogVisibility.ALL,
        ngettext_lazy("Kept apart by group: {names} ({count} pair)", "Kept apart by group: {names} ({count} pairs)"),
        "count",
    )
    GROUP_ALLOWED = (
        "group may meet",
        LogVisibility.ALL,
        ngettext_lazy("No longer kept apart by group: {count} pair", "No longer kept apart by group: {count} pairs"),
        "count",
    )
    PAIR_ALLOWED = "pair allowed", LogVisibility.ALL, _("No longer kept apart: {names}")
    BYE_REQUESTED = "bye requested", LogVisibility.ALL, _("{name}: {kind}")
    MARKED_ABSENT = "marked absent", LogVisibility.ALL, _("Marked {name} as absent")
    RESULT_ENTERED = "result entered", LogVisibility.ALL, _("Board {board}: {after} (previously: {before}) {reason}")
    RESULT_CORRECTED = (
        "result corrected",
        LogVisibility.ALL,
        _("Board {board} corrected: {after} (previously: {before}) {reason}"),
    )
    ROUND_FINISHED = "round finished", LogVisibility.ALL, _("Finished the round")
    EVENINGS_SET = (
        "evenings set",
        LogVisibility.ALL,
        ngettext_lazy("Set the date for {rounds} round", "Set dates for {rounds} rounds (days between rounds: {days})"),
        "rounds",
    )
    ROUND_REOPENED = "round reopened", LogVisibility.ALL, _("Reopened the round")
    NAME_ERASED = "name erased", LogVisibility.ALL, _("Erased the name of a former member")
    PERSONAL_LINK_RENEWED = "personal link renewed", LogVisibility.OFFICERS, _("Renewed the personal link of {name}")
    CHECKED_IN = "checked in", LogVisibility.OFFICERS, _("Check-in: {name}, {state}")
    PLAYER_CHECKED_IN = "player checked in", LogVisibility.OFFICERS, _("{name} checked in from their phone")
    PRESENCE_CLAIMED = (
        "says he is here",
        LogVisibility.OFFICERS,
        _("{name} reported from their phone that they are here"),
    )
    EVERYBODY_CHECKED_IN = (
        "everybody checked in",
        LogVisibility.OFFICERS,
        ngettext_lazy(
            "Checked in {count} player in bulk. Absent: {names}",
            "Checked in {count} players in bulk. Absent: {names}",
        ),
        "count",
    )
    EVERYBODY_CHECK_IN_UNDONE = (
        "everybody taken back",
        LogVisibility.OFFICERS,
        ngettext_lazy("Undid the check-in of {count} player", "Undid the check-in of {count} players"),
        "count",
    )
    CHECK_IN_CLOSED = "check-in closed", LogVisibility.OFFICERS, _("Closed check-in. Not checked in ({count}): {names}")
    CHECK_IN_REOPENED = "check-in opened", LogVisibility.OFFICERS, _("Reopened check-in")
    BYE_REQUESTED_BY_PLAYER = "bye asked for", LogVisibility.OFFICERS, _("{name} requested a bye: {kind}")
    PLAYER_SIGNED_UP = "player signed up", LogVisibility.OFFICERS, _("{name} is coming")
    BYE_REQUEST_WITHDRAWN = "bye taken back", LogVisibility.OFFICERS, _("{name} cancelled their bye")
    ENTRY_FORM_CHANGED = "entry form changed", LogVisibility.ALL, _("Changed the online entry form")
    ONLINE_ENTRY_CHANGED = (
        "online entry changed",
        LogVisibility.OFFICERS,
        _("Online entry {number}: {online_state}"),
    )
    ONLINE_ENTRY_MOVED = (
        "online entry moved",
        LogVisibility.OFFICERS,
        _("Moved online entry {number} to the front of the waiting list"),
    )
    ONLINE_ENTRY_PAID = "online entry paid", LogVisibility.OFFICERS, _("Marked online entry {number} as paid")
    ONLINE_ENTRY_UNPAID = "online entry unpaid", LogVisibility.OFFICERS, _("Marked online entry {number} as not paid")
    RESULT_REPORTED = "result reported", LogVisibility.ALL, _("Board {board}: {name} reported {result}")
    RESULT_CONFIRMED = "result confirmed", LogVisibility.ALL, _("Board {board}: {after}, confirmed by both players")
    RESULT_CHECKED = "result read again", LogVisibility.OFFICERS, _("Board {board}: result checked, {result}")
