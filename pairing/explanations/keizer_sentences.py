"""Sentences that only a Keizer season needs: ranks and values, early repeats, and the bye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason
from pairing.engine.snapshot import PairingNumber, Result
from pairing.engine.standings.tie_break_columns import round_half_up
from pairing.engine.systems.keizer import KeizerChange, KeizerLineChange, KeizerOptions
from pairing.explanations.evidence_sentences import PlayerNames, join_in_words

KEIZER_CAUSES: Mapping[DecisionCause, Promise] = {
    DecisionCause.MET_RECENTLY: gettext_lazy(
        "they met in round %(round)s and cannot play each other again before round %(again)s"
    ),
    DecisionCause.MET_OFTEN: gettext_lazy("they have already played each other as often as allowed (%(count)s)"),
    DecisionCause.MORE_BYES: gettext_lazy("they have already had more byes (%(byes)s)"),
}
"""Why a candidate was ruled out, as the second half of a sentence."""

KEIZER_COLOUR_CAUSES: Mapping[ColourCause, Promise] = {
    ColourCause.FEWER_WHITES: gettext_lazy(
        "%(claim)s has the lower colour difference (games with White minus games with Black)"
    ),
    ColourCause.LAST_MEETING: gettext_lazy(
        "the colours of their last game against each other (round %(round)s) are reversed"
    ),
    ColourCause.BOARD_PARITY: gettext_lazy(
        "there is no earlier game to go by, and colours alternate from board to board"
    ),
}
"""Why the colours were allocated as they were."""

_LAST_COLOURS = {
    "w": gettext_lazy(
        "they have the same colour difference, and %(claim)s, who is ranked higher, had White in their last game"
    ),
    "b": gettext_lazy(
        "they have the same colour difference, and %(claim)s, who is ranked higher, had Black in their last game"
    ),
}
"""`ColourCause.LAST_COLOUR`, by the last colour of the higher player."""

_YOUR_LAST_COLOURS = {
    "w": gettext_lazy(
        "you and your opponent have the same colour difference, and you are ranked higher and had White in your "
        "last game"
    ),
    "b": gettext_lazy(
        "you and your opponent have the same colour difference, and you are ranked higher and had Black in your "
        "last game"
    ),
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
    more = reason.get_fact("more")
    if isinstance(more, int) and more:
        said.append(
            ngettext(
                "%(count)s more player between them is not listed here.",
                "%(count)s more players between them are not listed here.",
                more,
            )
            % {"count": more}
        )
    return " ".join(said)


def _named(tpn: PairingNumber, names: PlayerNames, rank: int) -> str:
    return _("%(player)s (number %(rank)s)") % {"player": names[tpn], "rank": rank}


def repeated_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Say that two players meet again sooner, or more often, than the event's settings allow."""
    facts: dict[str, object] = {"one": names[reason.players[0]], "other": names[reason.players[1]]}
    facts |= {key: reason.get_fact(key) for key in ("round", "wanted", "limit")}
    if reason.get_fact("limit") is not None:
        return (
            _(
                "%(one)s and %(other)s met in round %(round)s and play each other again. Otherwise, not "
                "everyone could have been paired, so the limit on games between 2 players (%(limit)s) was "
                "dropped for this round."
            )
            % facts
        )
    gap = reason.get_fact("gap")
    facts["gap"] = gap
    return (
        ngettext(
            "%(one)s and %(other)s met in round %(round)s and play each other again. Players should only meet "
            "again after %(wanted)s rounds, but then not everyone could have been paired. So %(gap)s round is "
            "enough this time.",
            "%(one)s and %(other)s met in round %(round)s and play each other again. Players should only meet "
            "again after %(wanted)s rounds, but then not everyone could have been paired. So %(gap)s rounds "
            "are enough this time.",
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
                "%(byes)s so far, %(player)s is the lowest in the ranking."
            )
            % facts
        )
    return (
        _(
            "%(player)s has the bye. Of the players with the fewest byes so far (%(byes)s), %(player)s is the "
            "lowest in the ranking who can be left out."
        )
        % facts
    )


# -- What changed in a total -----------------------------------------------------------------------------------------

MAX_TOLD = 3
"""How many of the biggest changes are mentioned."""

_SUBJECTS: Mapping[str, Promise] = {
    "self": gettext_lazy("the player's own value"),
    "bye": gettext_lazy("the bye in round %(round)s"),
    "excused": gettext_lazy("the absence in round %(round)s"),
    "absent": gettext_lazy("the absence in round %(round)s"),
    "duty": gettext_lazy("playing for the club in round %(round)s"),
    "late": gettext_lazy("round %(round)s, before the player entered,"),
    "forfeit_win": gettext_lazy("the forfeit win against %(opponent)s"),
    "forfeit_loss": gettext_lazy("the forfeit loss to %(opponent)s"),
}
_GAMES: Mapping[Result, Promise] = {
    **dict.fromkeys((Result.WIN, Result.UNRATED_WIN), gettext_lazy("the win against %(opponent)s")),
    **dict.fromkeys((Result.DRAW, Result.UNRATED_DRAW), gettext_lazy("the draw with %(opponent)s")),
    **dict.fromkeys((Result.LOSS, Result.UNRATED_LOSS), gettext_lazy("the loss to %(opponent)s")),
    Result.ADJOURNED: gettext_lazy("the adjourned game with %(opponent)s"),
    Result.FORFEIT_WIN: _SUBJECTS["forfeit_win"],
}


def change_sentences(
    change: KeizerChange, player: PairingNumber, names: PlayerNames, *, rounds_before: int = 0
) -> list[str]:
    """Return how a total changed since the round before, what the round itself gave, and the biggest other changes.

    `rounds_before` is how many rounds of the event are not part of the season.
    """
    facts = {"before": _number(change.total_before), "now": _number(change.total_now)}
    said = [_("Since the previous round, the total has gone from %(before)s to %(now)s.") % facts]
    moved = sorted(
        (line for line in change.lines if line.difference or line.before is None),
        key=lambda line: (line.before is not None, -abs(line.difference)),
    )
    games = Counter(line.now.opponent for line in change.lines)
    said += [
        _change_sentence(line, player, names, rounds_before, met_again=games[line.now.opponent] > 1)
        for line in moved[: MAX_TOLD + 1]
    ]
    if rest := sum((line.difference for line in moved[MAX_TOLD + 1 :]), start=Fraction(0)):
        sign = "+" if rest > 0 else "−"
        said.append(_("Smaller changes: %(sum)s.") % {"sum": sign + _number(abs(rest))})
    return said


def _change_sentence(
    line: KeizerLineChange, player: PairingNumber, names: PlayerNames, rounds_before: int, *, met_again: bool
) -> str:
    opponent = "" if line.now.opponent is None else names[line.now.opponent]
    words = _GAMES.get(line.now.result) if line.now.result else None
    number = (line.now.round or 0) + rounds_before
    subject = str(words or _SUBJECTS[line.now.cause]) % {"round": number, "opponent": opponent}
    if opponent and met_again:
        subject = _("%(game)s in round %(round)s") % {"game": subject, "round": number}
    facts: dict[str, object] = {"subject": subject[:1].upper() + subject[1:], "worth": _number(abs(line.difference))}
    if line.before is None:
        facts["worth"] = _number(line.now.credit)
        return _("%(subject)s is worth %(worth)s.") % facts
    facts["because"] = _cause(line, player, names)
    if line.difference > 0:
        return _("%(subject)s is worth %(worth)s more, because %(because)s.") % facts
    return _("%(subject)s is worth %(worth)s less, because %(because)s.") % facts


def _cause(line: KeizerLineChange, player: PairingNumber, names: PlayerNames) -> str:
    value_of = line.now.opponent if line.now.is_opponents_value and line.now.opponent is not None else player
    facts: dict[str, object] = {"player": names[value_of], "before": line.rank_before, "now": line.rank_now}
    if line.before and line.before.cause != line.now.cause and line.now.opponent is not None:
        return _("%(player)s has withdrawn") % {"player": names[line.now.opponent]}
    if line.rank_before is None or line.rank_now is None or line.rank_before == line.rank_now:
        return _("the value of %(player)s has changed") % facts
    if line.rank_before < line.rank_now:
        return _("%(player)s fell from place %(before)s to place %(now)s") % facts
    return _("%(player)s rose from place %(before)s to place %(now)s") % facts


def _number(number: Fraction) -> str:
    """Format a value with two decimals, as the tables do."""
    hundredths = round_half_up(100 * number.numerator, number.denominator)
    return str(Decimal(hundredths).scaleb(-2)).replace(".", get_format("DECIMAL_SEPARATOR"))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- The options of a season -------------------------------------------------------------------------------------------


def describe_keizer_options(options: KeizerOptions) -> Iterator[tuple[str, str]]:
    """Yield each setting of a season and its value, for the regulations."""
    lowest = _("half the number of players") if options.bottom is None else str(options.bottom)
    yield _("Value of the last player"), lowest
    yield _("Difference in value between one place and the next"), str(options.step)
    yield _("The total includes the player's own value"), _("yes") if options.counts_self else _("no")
    of_opponent, of_own = _("%(share)s × the opponent's value"), _("%(share)s × the player's own value")
    most = _("%(share)s × the player's own value, for at most %(count)s absences")
    yield _("Loss"), of_opponent % {"share": options.loss} if options.loss else "0"
    yield _("Win by forfeit"), of_opponent % {"share": options.forfeit_win}
    yield _("Bye"), of_own % {"share": options.bye}
    yield _capitalised(_("absent with notice")), most % {"share": options.excused, "count": options.max_excused}
    yield _capitalised(_("absent without notice")), of_own % {"share": options.absent} if options.absent else "0"
    yield _capitalised(_("playing for the club")), of_own % {"share": options.duty}
    yield _("Each round before a late entry"), of_own % {"share": options.late}
    yield (
        _("Game against a player who withdrew"),
        _("%(share)s × the player's own value × the result") % {"share": options.withdrawn},
    )
    yield (
        _("Players may meet again"),
        ngettext("after %(count)s round", "after %(count)s rounds", options.gap) % {"count": options.gap},
    )
    if options.max_meetings is not None:
        yield _("Games between 2 players"), _("at most %(count)s") % {"count": options.max_meetings}
    if options.is_frozen:
        yield _("Credits"), _("frozen at the values from before each round")


def _whole(reason: PairingReason, name: str) -> tuple[int, ...]:
    value = reason.get_fact(name)
    return value if isinstance(value, tuple) else ()
