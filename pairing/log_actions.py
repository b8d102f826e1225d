"""Log actions for pairing, lots and prizes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.audit_log.actions import LogAction, LogVisibility


class PairingAction(LogAction):
    """Actions on rounds and standings."""

    ROUND_PAIRED = "round paired", LogVisibility.OFFICERS, _("Paired: {boards} boards")
    EVENT_RULE_WAIVED = (
        "event rule let go",
        LogVisibility.OFFICERS,
        _("No legal round existed: decided that {names} meet against a rule of the event. {reason}"),
    )
    SECOND_BYE_DECIDED = (
        "second bye decided",
        LogVisibility.OFFICERS,
        _("No legal round existed: decided that {names} has the bye again ({articles}). {reason}"),
    )
    REPEAT_DECIDED = (
        "repeat decided",
        LogVisibility.OFFICERS,
        _("No legal round existed: decided that {names} meet again ({articles}). {reason}"),
    )
    FORBIDDEN_COLOUR_DECIDED = (
        "odd colour decided",
        LogVisibility.OFFICERS,
        _("No legal round existed: decided on a colour that may not be, {names} ({articles}). {reason}"),
    )
    SEVERAL_RELAXATIONS_DECIDED = (
        "several decided",
        LogVisibility.OFFICERS,
        _("No legal round existed: decided on {names} ({articles}). {reason}"),
    )
    MANUAL_PAIRING_DECIDED = (
        "by hand decided",
        LogVisibility.OFFICERS,
        _("No legal round existed: decided to pair by hand, from empty boards. {reason}"),
    )
    DRAFT_DISCARDED = "draft discarded", LogVisibility.OFFICERS, _("Discarded the draft")
    PLAYERS_SWAPPED = "players swapped", LogVisibility.OFFICERS, _("By hand: swapped {names}")
    COLOURS_SWAPPED = (
        "colours turned",
        LogVisibility.OFFICERS,
        _("By hand: turned the colours of board {board} ({names})"),
    )
    BOARD_MOVED = "board moved", LogVisibility.OFFICERS, _("By hand: made {names} board {board}")
    PAIR_REMOVED = "pair removed", LogVisibility.OFFICERS, _("By hand: took {names} off board {board}")
    PAIR_MADE = "pair made", LogVisibility.OFFICERS, _("By hand: paired {names} at board {board}")
    BYE_GIVEN_MANUALLY = "bye given by hand", LogVisibility.OFFICERS, _("By hand: gave the bye to {names}")
    BYE_REMOVED = "bye taken away", LogVisibility.OFFICERS, _("By hand: took the bye from {names}")
    PLAYER_REMOVED = "player taken out", LogVisibility.OFFICERS, _("By hand: {names} is absent from this round")
    PLAYER_ADDED = "player put in", LogVisibility.OFFICERS, _("By hand: {names} is in this round")
    EDITING_BEGUN = "editing begun", LogVisibility.OFFICERS, _("Began to change the pairing by hand")
    EDITING_TAKEN_OVER = (
        "editing taken over",
        LogVisibility.OFFICERS,
        _("Took over the changing of the pairing from {name}"),
    )
    EDITING_ENDED = "editing ended", LogVisibility.OFFICERS, _("Ended the changing of the pairing by hand")
    STEP_UNDONE = "step undone", LogVisibility.OFFICERS, _("Undid a step of the pairing")
    STEP_REDONE = "step done again", LogVisibility.OFFICERS, _("Did a step of the pairing again")
    PAIRING_RESTORED = "pairing restored", LogVisibility.OFFICERS, _("Restored an earlier pairing")
    ROUND_PUBLISHED = "round published", LogVisibility.ALL, _("Published the pairing")
    PAIRING_DECLARED_FINAL = (
        "pairing declared final",
        LogVisibility.ALL,
        _("Declared the pairing final (version {version})"),
    )
    ROUND_UNPUBLISHED = "round unpublished", LogVisibility.ALL, _("Took the published pairing back: {reason}")
    PROPOSAL_ADOPTED = (
        "trial pairing adopted",
        LogVisibility.ALL,
        _("Took over a trial pairing: {count} boards changed (version {version}) {broken} {reason}"),
    )
    PROPOSAL_DRAFTED = (
        "trial pairing drafted",
        LogVisibility.OFFICERS,
        _("Took over a trial pairing as the draft: {count} boards changed {broken}"),
    )
    EVENT_IMPORTED = (
        "event brought in",
        LogVisibility.ALL,
        _("Took the event over from the file “{filename}” of {made_at}"),
    )
    HALL_MESSAGE_SHOWN = "hall message shown", LogVisibility.ALL, _("On the hall's screen until {until}: {text}")
    HALL_MESSAGE_ENDED = "hall message ended", LogVisibility.ALL, _("Took the message off the hall's screen")
    PRIZES_SET = "prizes set", LogVisibility.ALL, _("Set {count} prizes, {total} in all")
    PRIZES_PUBLISHED = "prizes published", LogVisibility.ALL, _("Published who gets which prize")
    PRIZES_WITHDRAWN = "prizes withdrawn", LogVisibility.ALL, _("Took the prizes back")
    LOTS_DRAWN = "lots drawn", LogVisibility.ALL, _("Drew lots for {count} players")
    LOTS_REDRAWN = "lots drawn again", LogVisibility.ALL, _("Drew all lots again: {reason}")
