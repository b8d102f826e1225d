"""Log actions for pairing, lots and prizes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.audit_log.actions import LogAction, LogVisibility


class PairingAction(LogAction):
    """Actions on rounds and standings."""

    ROUND_PAIRED = (
        "round paired",
        LogVisibility.OFFICERS,
        ngettext_lazy("Paired {boards} board", "Paired {boards} boards"),
        "boards",
    )
    EVENT_RULE_WAIVED = (
        "event rule let go",
        LogVisibility.OFFICERS,
        _("Let {names} meet despite a rule of the event, as no legal pairings existed. {reason}"),
    )
    SECOND_BYE_DECIDED = (
        "second bye decided",
        LogVisibility.OFFICERS,
        _("Gave {names} the bye again ({articles}), as no legal pairings existed. {reason}"),
    )
    REPEAT_DECIDED = (
        "repeat decided",
        LogVisibility.OFFICERS,
        _("Let {names} meet again ({articles}), as no legal pairings existed. {reason}"),
    )
    FORBIDDEN_COLOUR_DECIDED = (
        "odd colour decided",
        LogVisibility.OFFICERS,
        _("Allowed a forbidden colour for {names} ({articles}), as no legal pairings existed. {reason}"),
    )
    SEVERAL_RELAXATIONS_DECIDED = (
        "several decided",
        LogVisibility.OFFICERS,
        _("Waived rules for {names} ({articles}), as no legal pairings existed. {reason}"),
    )
    MANUAL_PAIRING_DECIDED = (
        "by hand decided",
        LogVisibility.OFFICERS,
        _("Chose to pair manually from empty boards, as no legal pairings existed. {reason}"),
    )
    DRAFT_DISCARDED = "draft discarded", LogVisibility.OFFICERS, _("Discarded the draft")
    PLAYERS_SWAPPED = "players swapped", LogVisibility.OFFICERS, _("Manual change: swapped {names}")
    COLOURS_SWAPPED = (
        "colours turned",
        LogVisibility.OFFICERS,
        _("Manual change: swapped colours on board {board} ({names})"),
    )
    BOARD_MOVED = "board moved", LogVisibility.OFFICERS, _("Manual change: moved {names} to board {board}")
    PAIR_REMOVED = "pair removed", LogVisibility.OFFICERS, _("Manual change: removed {names} from board {board}")
    PAIR_MADE = "pair made", LogVisibility.OFFICERS, _("Manual change: paired {names} on board {board}")
    BYE_GIVEN_MANUALLY = "bye given by hand", LogVisibility.OFFICERS, _("Manual change: gave the bye to {names}")
    BYE_REMOVED = "bye taken away", LogVisibility.OFFICERS, _("Manual change: removed the bye from {names}")
    PLAYER_REMOVED = "player taken out", LogVisibility.OFFICERS, _("Manual change: removed {names} from this round")
    PLAYER_ADDED = "player put in", LogVisibility.OFFICERS, _("Manual change: added {names} to this round")
    EDITING_BEGUN = "editing begun", LogVisibility.OFFICERS, _("Started editing the pairings")
    EDITING_TAKEN_OVER = (
        "editing taken over",
        LogVisibility.OFFICERS,
        _("Took over editing the pairings from {name}"),
    )
    EDITING_ENDED = "editing ended", LogVisibility.OFFICERS, _("Finished editing the pairings")
    STEP_UNDONE = "step undone", LogVisibility.OFFICERS, _("Undid a change to the pairings")
    STEP_REDONE = "step done again", LogVisibility.OFFICERS, _("Redid a change to the pairings")
    PAIRING_RESTORED = "pairing restored", LogVisibility.OFFICERS, _("Restored earlier pairings")
    ROUND_PUBLISHED = "round published", LogVisibility.ALL, _("Published the pairings")
    PAIRING_DECLARED_FINAL = (
        "pairing declared final",
        LogVisibility.ALL,
        _("Declared the pairings final (version {version})"),
    )
    ROUND_UNPUBLISHED = "round unpublished", LogVisibility.ALL, _("Unpublished the pairings: {reason}")
    PROPOSAL_ADOPTED = (
        "trial pairing adopted",
        LogVisibility.ALL,
        ngettext_lazy(
            "Applied a proposal: {count} board changed (version {version}) {broken} {reason}",
            "Applied a proposal: {count} boards changed (version {version}) {broken} {reason}",
        ),
        "count",
    )
    PROPOSAL_DRAFTED = (
        "trial pairing drafted",
        LogVisibility.OFFICERS,
        ngettext_lazy(
            "Applied a proposal to the draft: {count} board changed {broken}",
            "Applied a proposal to the draft: {count} boards changed {broken}",
        ),
        "count",
    )
    EVENT_IMPORTED = (
        "event brought in",
        LogVisibility.ALL,
        _("Imported the event from the file “{filename}” dated {made_at}"),
    )
    HALL_MESSAGE_SHOWN = "hall message shown", LogVisibility.ALL, _("Posted on the hall screen until {until}: {text}")
    HALL_MESSAGE_ENDED = "hall message ended", LogVisibility.ALL, _("Removed the message from the hall screen")
    PRIZES_SET = (
        "prizes set",
        LogVisibility.ALL,
        ngettext_lazy("Set {count} prize worth {total}", "Set {count} prizes worth {total} in total"),
        "count",
    )
    PRIZES_PUBLISHED = "prizes published", LogVisibility.ALL, _("Published the prize winners")
    PRIZES_WITHDRAWN = "prizes withdrawn", LogVisibility.ALL, _("Unpublished the prize winners")
    LOTS_DRAWN = (
        "lots drawn",
        LogVisibility.ALL,
        ngettext_lazy("Drew lots for {count} player", "Drew lots for {count} players"),
        "count",
    )
    LOTS_REDRAWN = "lots drawn again", LogVisibility.ALL, _("Redrew all lots: {reason}")
