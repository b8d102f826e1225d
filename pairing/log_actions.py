"""What is done with the pairing, the lots and the prizes of an event, as its log knows it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.audit_log.actions import LogAction, Seen


class PairingAction(LogAction):
    """What is done with rounds and tables."""

    ROUND_PAIRED = "round paired", Seen.OFFICERS, _("Paired: {boards} boards")
    EVENT_RULE_LET_GO = (
        "event rule let go",
        Seen.OFFICERS,
        _("No legal round existed: decided that {names} meet against a rule of the event. {reason}"),
    )
    SECOND_BYE_DECIDED = (
        "second bye decided",
        Seen.OFFICERS,
        _("No legal round existed: decided that {names} has the bye again ({articles}). {reason}"),
    )
    REPEAT_DECIDED = (
        "repeat decided",
        Seen.OFFICERS,
        _("No legal round existed: decided that {names} meet again ({articles}). {reason}"),
    )
    ODD_COLOUR_DECIDED = (
        "odd colour decided",
        Seen.OFFICERS,
        _("No legal round existed: decided on a colour that may not be, {names} ({articles}). {reason}"),
    )
    SEVERAL_DECIDED = (
        "several decided",
        Seen.OFFICERS,
        _("No legal round existed: decided on {names} ({articles}). {reason}"),
    )
    BY_HAND_DECIDED = (
        "by hand decided",
        Seen.OFFICERS,
        _("No legal round existed: decided to pair by hand, from empty boards. {reason}"),
    )
    DRAFT_DISCARDED = "draft discarded", Seen.OFFICERS, _("Discarded the draft")
    PLAYERS_SWAPPED = "players swapped", Seen.OFFICERS, _("By hand: swapped {names}")
    COLOURS_TURNED = "colours turned", Seen.OFFICERS, _("By hand: turned the colours of board {board} ({names})")
    BOARD_MOVED = "board moved", Seen.OFFICERS, _("By hand: made {names} board {board}")
    PAIR_REMOVED = "pair removed", Seen.OFFICERS, _("By hand: took {names} off board {board}")
    PAIR_MADE = "pair made", Seen.OFFICERS, _("By hand: paired {names} at board {board}")
    BYE_GIVEN_BY_HAND = "bye given by hand", Seen.OFFICERS, _("By hand: gave the bye to {names}")
    BYE_TAKEN_AWAY = "bye taken away", Seen.OFFICERS, _("By hand: took the bye from {names}")
    PLAYER_TAKEN_OUT = "player taken out", Seen.OFFICERS, _("By hand: {names} is absent from this round")
    PLAYER_PUT_IN = "player put in", Seen.OFFICERS, _("By hand: {names} is in this round")
    EDITING_BEGUN = "editing begun", Seen.OFFICERS, _("Began to change the pairing by hand")
    EDITING_TAKEN_OVER = "editing taken over", Seen.OFFICERS, _("Took over the changing of the pairing from {name}")
    EDITING_ENDED = "editing ended", Seen.OFFICERS, _("Ended the changing of the pairing by hand")
    STEP_UNDONE = "step undone", Seen.OFFICERS, _("Undid a step of the pairing")
    STEP_DONE_AGAIN = "step done again", Seen.OFFICERS, _("Did a step of the pairing again")
    PAIRING_RESTORED = "pairing restored", Seen.OFFICERS, _("Restored an earlier pairing")
    ROUND_PUBLISHED = "round published", Seen.ALL, _("Published the pairing")
    PAIRING_DECLARED_FINAL = "pairing declared final", Seen.ALL, _("Declared the pairing final (version {version})")
    ROUND_UNPUBLISHED = "round unpublished", Seen.ALL, _("Took the published pairing back: {reason}")
    TRIAL_PAIRING_ADOPTED = (
        "trial pairing adopted",
        Seen.ALL,
        _("Took over a trial pairing: {count} boards changed (version {version}) {broken} {reason}"),
    )
    TRIAL_PAIRING_DRAFTED = (
        "trial pairing drafted",
        Seen.OFFICERS,
        _("Took over a trial pairing as the draft: {count} boards changed {broken}"),
    )
    EVENT_BROUGHT_IN = "event brought in", Seen.ALL, _("Took the event over from the file “{filename}” of {made_at}")
    HALL_MESSAGE_SHOWN = "hall message shown", Seen.ALL, _("On the hall's screen until {until}: {text}")
    HALL_MESSAGE_ENDED = "hall message ended", Seen.ALL, _("Took the message off the hall's screen")
    PRIZES_SET = "prizes set", Seen.ALL, _("Set {count} prizes, {total} in all")
    PRIZES_PUBLISHED = "prizes published", Seen.ALL, _("Published who gets which prize")
    PRIZES_WITHDRAWN = "prizes withdrawn", Seen.ALL, _("Took the prizes back")
    LOTS_DRAWN = "lots drawn", Seen.ALL, _("Drew lots for {count} players")
    LOTS_DRAWN_AGAIN = "lots drawn again", Seen.ALL, _("Drew all lots again: {reason}")
