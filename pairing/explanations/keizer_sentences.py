"""Sentences that only a Keizer season needs: ranks and values, early repeats, and the bye."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.evidence_sentences import PlayerNames, join_in_words

KEIZER_CAUSES: Mapping[DecisionCause, Promise] = {
    DecisionCause.MET_RECENTLY: gettext_lazy(
        "they met in round %(round)s and cannot play each other again before round %(again)s"
    ),
    DecisionCause.MET_OFTEN: gettext_lazy("they have already played each other %(count)s times"),
    DecisionCause.MORE_BYES: gettext_lazy("they have already had more byes (%(byes)s)"),
}
"""Why a candidate was ruled out, as the second half of a sentence."""

KEIZER_COLOUR_CAUSES: Mapping[ColourCause, Promise] = {
    ColourCause.FEWER_WHITES: gettext_lazy("%(claim)s has had fewer games with White, compared with Black"),
    ColourCause.LAST_MEETING: gettext_lazy("the colours of their last game (round %(round)s) are reversed"),
    ColourCause.BOARD_PARITY: gettext_lazy(
        "there is no earlier game to go by, and colours alternate from board to board"
    ),
}
"""Why the colours fell as they did."""

_LAST_COLOURS = {
    "w": gettext_lazy("their colours are equally balanced, and %(claim)s, who is ranked higher, had White last time"),
    "b": gettext_lazy("their colours are equally balanced, and %(claim)s, who is ranked higher, had Black last time"),
}
"""`ColourCause.LAST_COLOUR`, by the last colour of the higher player."""

_YOUR_LAST_COLOURS = {
    "w": gettext_lazy("your colours are equally balanced, and you are ranked higher and had White last time"),
    "b": gettext_lazy("your colours are equally balanced, and you are ranked higher and had Black last time"),
}


def last_colour_cause(reason: PairingReason, names: PlayerNames, *, you: PairingNumber | None = None) -> str:
    """Return the cause of colours that follow from the last colour of the higher player."""
    white, _black = reason.players
    claim = reason.get_fact("claim")
    letters = reason.get_fact("white_colours" if claim == white else "black_colours")
    words = _YOUR_LAST_COLOURS if claim == you else _LAST_COLOURS
    return str(words[str(letters)[-1]]) % {"claim": names[claim] if isinstance(claim, int) else ""}


_BETWEEN = {
    "p": gettext_lazy("Between them but already paired: %(players)s."),
    "b": gettext_lazy("Between them but with the bye: %(players)s."),
    "a": gettext_lazy("Between them but not playing this round: %(players)s."),
}


def ranks_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Say where both players are in the ranking, what they are worth, and who is between them."""
    ranked = dict(zip(reason.players, zip(_whole(reason, "ranks"), _whole(reason, "values"), strict=True), strict=True))
    facts: dict[str, object] = {}
    for key, tpn in zip(("one", "other"), reason.players, strict=False):
        rank, value = ranked[tpn]
        facts |= {key: names[tpn], f"{key}_rank": rank, f"{key}_value": value}
    said = [
        _(
            "%(one)s is number %(one_rank)s in the ranking (value %(one_value)s), and %(other)s is number "
            "%(other_rank)s (value %(other_value)s)."
        )
        % facts
    ]
    between = str(reason.get_fact("between"))
    for letter, words in _BETWEEN.items():
        listed = [
            _named(tpn, names, ranked[tpn][0])
            for tpn, state in zip(reason.players[2:], between, strict=True)
            if state == letter
        ]
        if listed:
            said.append(str(words) % {"players": join_in_words(listed)})
    return " ".join(said)


def _named(tpn: PairingNumber, names: PlayerNames, rank: int) -> str:
    return _("%(player)s (number %(rank)s)") % {"player": names[tpn], "rank": rank}


def repeated_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Say that two players meet again sooner, or more often, than the event wants."""
    facts: dict[str, object] = {"one": names[reason.players[0]], "other": names[reason.players[1]]}
    facts |= {key: reason.get_fact(key) for key in ("round", "wanted", "limit")}
    if reason.get_fact("limit") is not None:
        return (
            _(
                "%(one)s and %(other)s meet again after round %(round)s. Otherwise, not everyone could have been "
                "paired, so the limit of %(limit)s games between 2 players was dropped for this round."
            )
            % facts
        )
    gap = reason.get_fact("gap")
    facts["gap"] = gap
    return (
        ngettext(
            "%(one)s and %(other)s meet again after round %(round)s. Players should only meet again after %(wanted)s "
            "rounds, but not everyone could have been paired. So %(gap)s round is enough this time.",
            "%(one)s and %(other)s meet again after round %(round)s. Players should only meet again after %(wanted)s "
            "rounds, but not everyone could have been paired. So %(gap)s rounds are enough this time.",
            gap if isinstance(gap, int) else 0,
        )
        % facts
    )


def bye_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Say why a player has the bye."""
    facts = {"player": names[reason.players[0]], "byes": reason.get_fact("byes")}
    if reason.get_fact("byes") != reason.get_fact("fewest"):
        return (
            _(
                "%(player)s has the bye. None of the players with fewer byes could be left out. Of those with "
                "%(byes)s so far, they are the lowest in the ranking."
            )
            % facts
        )
    return (
        _(
            "%(player)s has the bye. Of the players with the fewest byes so far (%(byes)s), they are the lowest in "
            "the ranking who can be left out."
        )
        % facts
    )


def _whole(reason: PairingReason, name: str) -> tuple[int, ...]:
    value = reason.get_fact(name)
    return value if isinstance(value, tuple) else ()
