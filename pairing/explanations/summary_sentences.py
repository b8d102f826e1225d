"""The summary of a board or bye in a few sentences, about both players by name or to one of them as *you*."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason
from pairing.engine.snapshot import Colour, PairingNumber
from pairing.explanations.evidence_sentences import deciding_average, deciding_rating, leftover_pair_text
from pairing.explanations.keizer_sentences import last_colour_cause
from pairing.explanations.pairing_summary import (
    BoardSummary,
    ByeCause,
    ByeSummary,
    ColourClaimSummary,
    ColourHistory,
    ColourSummary,
    Meeting,
    summarise_reasons,
)
from pairing.explanations.reason_sentences import (
    CLAIM_CAUSES,
    PlayerNames,
    both_due_text,
    cause_clause,
    colour_cause_text,
    number_claim_text,
    points_with_unit,
    reason_sentence,
)

MAX_NAMED_CANDIDATES = 2
"""How many of the candidates for the bye who were ruled out are named."""


def summary_text(reasons: Iterable[PairingReason], names: PlayerNames, *, you: PairingNumber | None = None) -> str:
    """Return a short summary of the reasons, as one paragraph. Empty if they do not say how the pairing was made."""
    summary = summarise_reasons(reasons)
    return " ".join(summary_sentences(summary, names, you=you)) if summary else ""


def summary_sentences(
    summary: BoardSummary | ByeSummary, names: PlayerNames, *, you: PairingNumber | None = None
) -> tuple[str, ...]:
    """Return the summary in the active language. `you` is the reader, if they are one of its players."""
    if isinstance(summary, ByeSummary):
        return tuple(_ByeWriter(summary, names, you).sentences())
    return tuple(_BoardWriter(summary, names, you).sentences())


_YOUR_CAUSES = {
    DecisionCause.MET: gettext_lazy("you have already played each other"),
    DecisionCause.FORBIDDEN: gettext_lazy("a rule of the event keeps you apart"),
    DecisionCause.SAME_ABSOLUTE_COLOUR: gettext_lazy("you must both have the same colour"),
    DecisionCause.SAME_DUE_COLOUR: gettext_lazy("you were both due the same colour"),
}
"""Why one of your candidates was ruled out, where other causes do not speak of the two of you."""

_YOUR_FLOATS = {
    DecisionCause.ODD_GROUP: gettext_lazy("your score group had an odd number of players"),
    DecisionCause.NO_OPPONENT: gettext_lazy("your score group had no eligible opponent for you"),
}
"""Why you changed groups, where other causes do not speak of your own group."""

_HISTORIES: Mapping[tuple[ColourHistory, Colour], object] = {
    (ColourHistory.LAST_TWO, Colour.WHITE): gettext_lazy("%(player)s had Black in the last 2 games"),
    (ColourHistory.LAST_TWO, Colour.BLACK): gettext_lazy("%(player)s had White in the last 2 games"),
    (ColourHistory.LAST, Colour.WHITE): gettext_lazy("%(player)s had Black in their last game"),
    (ColourHistory.LAST, Colour.BLACK): gettext_lazy("%(player)s had White in their last game"),
    (ColourHistory.MORE, Colour.WHITE): gettext_lazy(
        "%(player)s has had Black more often (White %(whites)s, Black %(blacks)s)"
    ),
    (ColourHistory.MORE, Colour.BLACK): gettext_lazy(
        "%(player)s has had White more often (White %(whites)s, Black %(blacks)s)"
    ),
}
"""The games that made a player due the colour they got."""

_YOUR_HISTORIES: Mapping[tuple[ColourHistory, Colour], object] = {
    (ColourHistory.LAST_TWO, Colour.WHITE): gettext_lazy("you had Black in your last 2 games"),
    (ColourHistory.LAST_TWO, Colour.BLACK): gettext_lazy("you had White in your last 2 games"),
    (ColourHistory.LAST, Colour.WHITE): gettext_lazy("you had Black in your last game"),
    (ColourHistory.LAST, Colour.BLACK): gettext_lazy("you had White in your last game"),
    (ColourHistory.MORE, Colour.WHITE): gettext_lazy(
        "you have had Black more often (White %(whites)s, Black %(blacks)s)"
    ),
    (ColourHistory.MORE, Colour.BLACK): gettext_lazy(
        "you have had White more often (White %(whites)s, Black %(blacks)s)"
    ),
}

_YOUR_CLAIMS = {
    ColourCause.FEWER_WHITES: gettext_lazy(
        "you have the lower colour difference (games with White minus games with Black)"
    ),
    ColourCause.HIGHER_AVERAGE: gettext_lazy(
        "neither had the better claim to a colour, and your opponents have the higher average rating (%(average)s)"
    ),
    ColourCause.LOWER_RATING: gettext_lazy(
        "neither had the better claim to a colour, and you have the lower rating (%(rating)s)"
    ),
    ColourCause.LARGER_NUMBER: gettext_lazy(
        "colours and ratings didn't decide, and you have the higher pairing number"
    ),
    ColourCause.NUMBER_PARITY: gettext_lazy(
        "neither of you was due a colour, so your number and the colour drawn for round 1 decided"
    ),
}
"""Causes of colours where your claim decided."""

_YOUR_SHARED_CLAIMS = {
    ColourCause.STRONGER: gettext_lazy("your claim was stronger"),
    ColourCause.HIGHER_PLAYER: gettext_lazy("you are ranked higher"),
    ColourCause.LOWER_PLAYER: gettext_lazy("you are ranked lower, which gives you priority below the median"),
    ColourCause.DIFFERENCE: gettext_lazy("you have the greater difference between White and Black games"),
}
"""The same where both players were due the colour."""

_SETTLED_BY_OWN_GAMES = (ColourCause.ABSOLUTE, ColourCause.STRONGER, ColourCause.BOTH_DUE, ColourCause.ONLY_ONE_DUE)


class _BoardWriter:
    def __init__(self, summary: BoardSummary, names: PlayerNames, you: PairingNumber | None) -> None:
        self._told = summary
        self._names = names
        self._you = you if you in (summary.white, summary.black) else None
        self._one = self._you or summary.white
        self._other = summary.black if self._one == summary.white else summary.white

    def sentences(self) -> Iterator[str]:
        if self._told.meeting is Meeting.EXCEPTION:
            yield from (reason_sentence(why, self._names) for why in self._told.notes[:1])
        else:
            yield self._meeting()
            if self._told.meeting is Meeting.BOTH_MOVED:
                yield from self._moves()
            else:
                yield from map(self._later_float, self._told.later_floats)
        if self._told.chooser is not None:
            yield self._choice(self._told.chooser)
        if self._told.colours is not None:
            yield self._colours(self._told.colours)
        if self._told.meeting is Meeting.TABLE:
            yield from (reason_sentence(why, self._names) for why in self._told.notes[:1])

    # -- Scores ----------------------------------------------------------------------------------------------------

    def _points(self, player: PairingNumber) -> str:
        return self._with_extra_points(points_with_unit(self._told.score_of(player)))

    def _with_extra_points(self, points: str) -> str:
        return _("%(points)s including extra points") % {"points": points} if self._told.has_extra_points else points

    def _meeting(self) -> str:
        told, facts = self._told, {"one": self._names[self._one], "other": self._names[self._other]}
        facts |= {"points": self._points(self._one), "other_points": self._points(self._other)}
        match told.meeting:
            case Meeting.SAME_SCORE:
                if self._you:
                    return _("You both had %(points)s and had not met.") % facts
                return _("%(one)s and %(other)s both had %(points)s and had not met.") % facts
            case Meeting.MOVED_DOWN | Meeting.MOVED_UP:
                return self._float(told.floats[0])
            case Meeting.BOTH_MOVED:
                facts["group_points"] = self._with_extra_points(points_with_unit(told.group))
                if self._you:
                    return (
                        _(
                            "You (%(points)s) and %(other)s (%(other_points)s) were both moved to the score "
                            "group on %(group_points)s."
                        )
                        % facts
                    )
                return (
                    _(
                        "%(one)s (%(points)s) and %(other)s (%(other_points)s) were both moved to the score "
                        "group on %(group_points)s."
                    )
                    % facts
                )
            case Meeting.ONE_GROUP:
                if self._you:
                    return (
                        _(
                            "You (%(points)s) and %(other)s (%(other_points)s) had not met, and all players were "
                            "paired as one group."
                        )
                        % facts
                    )
                return (
                    _(
                        "%(one)s (%(points)s) and %(other)s (%(other_points)s) had not met, and all players were "
                        "paired as one group."
                    )
                    % facts
                )
            case Meeting.RANKING:
                return self._ranks(told.notes[0])
            case Meeting.TABLE:
                if self._you:
                    return _("Everyone plays everyone. This round you play %(other)s.") % facts
                return _("Everyone plays everyone. This round %(one)s plays %(other)s.") % facts
            case _:
                return _("The arbiter set this pairing and its colours.")

    def _ranks(self, why: PairingReason) -> str:
        ranks = why.get_fact("ranks")
        if not isinstance(ranks, tuple):
            return ""
        rank_of = dict(zip(why.players, ranks, strict=True))
        facts = {"one": self._names[self._one], "other": self._names[self._other]}
        facts |= {"one_rank": str(rank_of[self._one]), "other_rank": str(rank_of[self._other])}
        if self._you:
            return _("You are number %(one_rank)s in the ranking. %(other)s is number %(other_rank)s.") % facts
        return _("%(one)s is number %(one_rank)s in the ranking, and %(other)s is number %(other_rank)s.") % facts

    def _float(self, why: PairingReason) -> str:
        floater = why.players[0]
        other = self._told.black if floater == self._told.white else self._told.white
        facts = {
            "player": self._names[floater],
            "points": self._points(floater),
            "other": self._names[other],
            "other_points": self._points(other),
            "because": self._float_cause(why),
        }
        if self._told.meeting is Meeting.MOVED_UP:
            if floater == self._you:
                return _("You (%(points)s) moved up to play %(other)s (%(other_points)s), because %(because)s.") % facts
            if other == self._you:
                return (
                    _("%(player)s (%(points)s) moved up to play you (%(other_points)s), because %(because)s.") % facts
                )
            return (
                _("%(player)s (%(points)s) moved up to play %(other)s (%(other_points)s), because %(because)s.") % facts
            )
        if floater == self._you:
            return _("You (%(points)s) moved down to play %(other)s (%(other_points)s), because %(because)s.") % facts
        if other == self._you:
            return _("%(player)s (%(points)s) moved down to play you (%(other_points)s), because %(because)s.") % facts
        return (
            _("%(player)s (%(points)s) moved down to play %(other)s (%(other_points)s), because %(because)s.") % facts
        )

    def _moves(self) -> Iterator[str]:
        """Give the steps of both players in their order, each with its cause."""
        for player in (self._one, self._other):
            yield from (self._first_float(why) for why in self._told.floats if why.players[0] == player)
            yield from (self._later_float(why) for why in self._told.later_floats if why.players[0] == player)

    def _first_float(self, why: PairingReason) -> str:
        facts = {"player": self._names[why.players[0]], "because": self._float_cause(why)}
        if why.get_fact("direction") == "up":
            if why.players[0] == self._you:
                return _("You moved up, because %(because)s.") % facts
            return _("%(player)s moved up, because %(because)s.") % facts
        if why.players[0] == self._you:
            return _("You moved down, because %(because)s.") % facts
        return _("%(player)s moved down, because %(because)s.") % facts

    def _float_cause(self, why: PairingReason) -> str:
        if why.get_fact("alone") and why.players[0] == self._you:
            return _("there was nobody else to pair in your score group")
        if why.get_fact("because") == DecisionCause.OPPONENT_WANTED and len(why.players) == 2:
            if why.players[1] == self._you:
                return _("you had no eligible opponent in your group")
            return _("%(player)s had no eligible opponent in the higher group") % {
                "player": self._names[why.players[1]]
            }
        words = _YOUR_FLOATS.get(DecisionCause(str(why.get_fact("because")))) if why.players[0] == self._you else None
        # Dubov's upfloats make the number even in the group that the player joins.
        is_own_group = why.get_fact("direction") == "down" or not why.article.startswith("dubov-1997")
        return str(words) if words and is_own_group else cause_clause(why, self._names)

    def _later_float(self, why: PairingReason) -> str:
        has_no_opponent = why.get_fact("because") == DecisionCause.NO_OPPONENT and not why.get_fact("alone")
        facts = {
            "player": self._names[why.players[0]],
            "points": points_with_unit(why.get_fact("from_half_points")),
            "because": _("there was no eligible opponent there") if has_no_opponent else self._float_cause(why),
        }
        if why.players[0] == self._you:
            return _("You then moved on from the group on %(points)s, because %(because)s.") % facts
        return _("%(player)s then moved on from the group on %(points)s, because %(because)s.") % facts

    # -- The opponent ----------------------------------------------------------------------------------------------

    def _choice(self, chooser: PairingNumber) -> str:
        told = self._told
        opponent = told.black if chooser == told.white else told.white
        facts: dict[str, object] = {"chooser": self._names[chooser], "opponent": self._names[opponent]}
        if len(told.ruled_out) == 1:
            why = told.ruled_out[0]
            facts |= {"candidate": self._names[why.players[1]], "because": self._cause(why)}
            if chooser == self._you:
                return _("%(candidate)s was first on your list, but %(because)s. %(opponent)s was next.") % facts
            if opponent == self._you:
                return _("%(candidate)s was first on %(chooser)s's list, but %(because)s. You were next.") % facts
            return _("%(candidate)s was first on %(chooser)s's list, but %(because)s. %(opponent)s was next.") % facts
        if not told.ruled_out:
            if chooser == self._you:
                return _("%(opponent)s was first on your list of possible opponents.") % facts
            if opponent == self._you:
                return _("You were first on %(chooser)s's list of possible opponents.") % facts
            return _("%(opponent)s was first on %(chooser)s's list of possible opponents.") % facts
        facts["place"] = told.place
        first, second = told.ruled_out[:2]
        facts |= {"candidate": self._names[first.players[1]], "because": self._cause(first)}
        facts |= {"second": self._names[second.players[1]], "second_because": self._cause(second)}
        if chooser == self._you:
            passed = _("%(candidate)s was first on your list, but %(because)s.") % facts
        else:
            passed = _("%(candidate)s was first on %(chooser)s's list, but %(because)s.") % facts
        facts["passed"] = _("%(passed)s %(second)s was next, but %(second_because)s.") % (facts | {"passed": passed})
        if opponent == self._you:
            return _("%(passed)s You were number %(place)s.") % facts
        return _("%(passed)s %(opponent)s was number %(place)s.") % facts

    def _cause(self, why: PairingReason) -> str:
        cause = why.get_fact("because")
        if why.players[0] == self._you and isinstance(cause, str) and cause in _YOUR_CAUSES:
            if cause == DecisionCause.MET and why.get_fact("round") is not None:
                return _("you met in round %(round)s") % {"round": why.get_fact("round")}
            return str(_YOUR_CAUSES[DecisionCause(cause)])
        return leftover_pair_text(why, self._names, cause_clause) or cause_clause(why, self._names)

    # -- Colours ---------------------------------------------------------------------------------------------------

    def _colours(self, colours: ColourSummary) -> str:
        told = self._told
        facts = {"white": self._names[told.white], "black": self._names[told.black]}
        if colours.cause is None:
            if not self._you:
                return _("The table gives White to %(white)s.") % facts
            return _("The table gives you White.") if self._you == told.white else _("The table gives you Black.")
        facts["because"] = self._cause_of_colours(colours, colours.cause)
        if not self._you:
            return _("%(white)s has White against %(black)s, because %(because)s.") % facts
        if self._you == told.white:
            return _("You have White, because %(because)s.") % facts
        return _("You have Black, because %(because)s.") % facts

    def _cause_of_colours(self, colours: ColourSummary, cause: ColourCause) -> str:
        if cause in _SETTLED_BY_OWN_GAMES and (told := self._by_own_games(colours, cause)):
            return told
        if cause is ColourCause.HISTORY:
            return self._by_last_difference()
        if cause is ColourCause.LAST_COLOUR:
            return last_colour_cause(colours.reason, self._names, you=self._you)
        if self._you and cause in CLAIM_CAUSES:
            words = number_claim_text(colours.reason, self._names, you=self._you) or str(
                (_YOUR_SHARED_CLAIMS if colours.claim == self._you else CLAIM_CAUSES)[cause]
            ) % {"claim": self._names[colours.claim]}
            claimed = Colour.WHITE if colours.claim == self._told.white else Colour.BLACK
            return self._both_due(claimed, words)
        if self._you is None or colours.claim != self._you or cause not in _YOUR_CLAIMS:
            return colour_cause_text(colours.reason, self._names)
        return str(_YOUR_CLAIMS[cause]) % {
            "average": deciding_average(colours.reason),
            "rating": deciding_rating(colours.reason),
        }

    def _by_own_games(self, colours: ColourSummary, cause: ColourCause) -> str | None:
        """Tell the games that made a player due the colour they got. Return None if these are unknown or not enough."""
        decided = colours.claim_of(colours.claim)
        if colours.both_due:
            if decided is None or decided.history is ColourHistory.LAST:
                return None
            return self._both_due(colours.both_due, self._games(decided))
        if cause is ColourCause.BOTH_DUE:
            if self._you and (mine := colours.claim_of(self._you)):
                return self._games(mine)
            if colours.white_claim and colours.black_claim:
                facts = {"first": self._games(colours.white_claim), "second": self._games(colours.black_claim)}
                return _("%(first)s, and %(second)s") % facts
            return None
        return self._games(decided) if decided else None

    def _both_due(self, colour: Colour, because: str) -> str:
        if not self._you:
            return both_due_text(colour, because)
        if colour is Colour.WHITE:
            return _("you were both due White, and %(because)s") % {"because": because}
        return _("you were both due Black, and %(because)s") % {"because": because}

    def _games(self, claim: ColourClaimSummary) -> str:
        words = (_YOUR_HISTORIES if claim.player == self._you else _HISTORIES)[claim.history, claim.colour]
        return str(words) % {"player": self._names[claim.player], "whites": claim.whites, "blacks": claim.blacks}

    def _by_last_difference(self) -> str:
        if not self._you:
            facts = {"white": self._names[self._told.white]}
            return _("both were due the same colour, and when their colours last differed, %(white)s had Black") % facts
        if self._you == self._told.white:
            return _("you were both due the same colour, and when your colours last differed, you had Black")
        return _("you were both due the same colour, and when your colours last differed, you had White")


class _ByeWriter:
    def __init__(self, summary: ByeSummary, names: PlayerNames, you: PairingNumber | None) -> None:
        self._told = summary
        self._names = names
        self._is_you = you == summary.player

    def sentences(self) -> Iterator[str]:
        if self._told.cause is ByeCause.EXCEPTION:
            yield from (reason_sentence(why, self._names) for why in self._told.notes[:1])
            return
        words = (_YOUR_BYES if self._is_you else _BYES)[self._told.cause]
        yield str(words) % {"player": self._names[self._told.player]}
        yield from (reason_sentence(why, self._names) for why in self._told.ruled_out[:MAX_NAMED_CANDIDATES])


_BYES = {
    ByeCause.LOWEST: gettext_lazy(
        "%(player)s has the bye, because the number of players is odd and nobody is ranked lower."
    ),
    ByeCause.LOWEST_RATED: gettext_lazy(
        "%(player)s has the bye, because the number of players is odd. Nobody in the lowest score group has a "
        "lower rating."
    ),
    ByeCause.LEFT_OVER: gettext_lazy("%(player)s has the bye, because everyone else was paired."),
    ByeCause.LOWER_HAD_ONE: gettext_lazy(
        "%(player)s has the bye, because everyone ranked lower has already had a bye or a forfeit win."
    ),
    ByeCause.EARLIER_HAD_ONE: gettext_lazy(
        "%(player)s has the bye, because everyone ahead of them in the order has already had a bye or a forfeit win."
    ),
    ByeCause.FIRST_POSSIBLE: gettext_lazy(
        "%(player)s has the bye because they were the first eligible player in the order."
    ),
    ByeCause.KEIZER: gettext_lazy(
        "%(player)s has the bye, because they are the lowest-ranked of the players with the fewest byes."
    ),
    ByeCause.TABLE: gettext_lazy("%(player)s sits out this round, because the number of players is odd."),
    ByeCause.ARBITER: gettext_lazy("The arbiter gave %(player)s the bye."),
}

_YOUR_BYES = {
    ByeCause.LOWEST: gettext_lazy("You have the bye, because the number of players is odd and nobody is ranked lower."),
    ByeCause.LOWEST_RATED: gettext_lazy(
        "You have the bye, because the number of players is odd. Nobody in the lowest score group has a lower rating."
    ),
    ByeCause.LEFT_OVER: gettext_lazy("You have the bye, because everyone else was paired."),
    ByeCause.LOWER_HAD_ONE: gettext_lazy(
        "You have the bye, because everyone ranked lower has already had a bye or a forfeit win."
    ),
    ByeCause.EARLIER_HAD_ONE: gettext_lazy(
        "You have the bye, because everyone ahead of you in the order has already had a bye or a forfeit win."
    ),
    ByeCause.FIRST_POSSIBLE: gettext_lazy("You have the bye because you were the first eligible player in the order."),
    ByeCause.KEIZER: gettext_lazy(
        "You have the bye, because you are the lowest-ranked of the players with the fewest byes."
    ),
    ByeCause.TABLE: gettext_lazy("You sit out this round, because the number of players is odd."),
    ByeCause.ARBITER: gettext_lazy("The arbiter gave you the bye."),
}
