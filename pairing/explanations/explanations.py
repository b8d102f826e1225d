"""Reasons in words, in the reader's language. The engine's reasons are data; their sentences live here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.paired_round import Cause, ColourCause, Fact, Reason, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.explanations import evidence_words

Names = Mapping[PairingNumber, str]
"""What to call each player in a sentence."""

_GROUPS = {
    "above": gettext_lazy("Paired in the group of %(points)s, above the median."),
    "below": gettext_lazy("Paired in the group of %(points)s, below the median."),
    "median": gettext_lazy("Paired in the median group, of %(points)s."),
    "whole": gettext_lazy("Paired in one group with all players."),
}

_CAUSES = {
    Cause.MET: gettext_lazy("they have met"),
    Cause.FORBIDDEN: gettext_lazy("a rule of the event keeps them apart"),
    Cause.SAME_ABSOLUTE_COLOUR: gettext_lazy("both must have the same colour"),
    Cause.BLOCKS_REST: gettext_lazy("the others would have been left without a legal round"),
    Cause.BLOCKS_GROUP: gettext_lazy("the rest of the group could not have been paired as the rules demand"),
    Cause.SAME_DUE_COLOUR: gettext_lazy("both are due the same colour"),
    Cause.MORE_CLASHES: gettext_lazy("fewer players would have had the colour they are due"),
    Cause.FLOATED_BEFORE: gettext_lazy("that would have been another float too soon"),
    Cause.RATING_GAP: gettext_lazy("the ratings are too far apart"),
    Cause.NO_OPPONENT: gettext_lazy("there was no possible opponent in the group"),
    Cause.OPPONENT_WANTED: gettext_lazy("a player of the higher group had no possible opponent there"),
    Cause.ODD_GROUP: gettext_lazy("the number of players in the group was odd"),
    Cause.COLOUR_BALANCE: gettext_lazy("it leaves the colours in the group better balanced"),
    Cause.NO_DUE_COLOUR: gettext_lazy("no colour is due before the first game"),
    Cause.LOWER_NUMBER: gettext_lazy("the number in the order decided"),
    Cause.DISADVANTAGE: gettext_lazy("the disadvantage of floating would have been greater"),
    Cause.HAD_BYE: gettext_lazy("nobody has the bye twice"),
    Cause.HAD_FORFEIT_WIN: gettext_lazy("nobody has the bye after a win by forfeit"),
    Cause.HAD_POINT_WITHOUT_PLAY: gettext_lazy("nobody has the bye after a point without play"),
    Cause.FLOAT_LIMIT: gettext_lazy("nobody floats up more often in one event"),
    Cause.BLOCKED_MEDIAN: gettext_lazy("the median group could not be paired otherwise"),
    Cause.BETTER_CANDIDATE: gettext_lazy("the pairing made comes earlier in the order of the rule"),
    Cause.LOOK_AHEAD: gettext_lazy("there would have been no opponent in the next group"),
    **evidence_words.CAUSES,
    Cause.WORSE_BY_CRITERION: gettext_lazy("criterion %(criterion)s would have been kept less well"),
}
"""Why a candidate was ruled out or a player moved, as the second half of a sentence."""

_CAUSES_IN_ROUND = {
    Cause.MET: gettext_lazy("they met in round %(round)s"),
    Cause.FLOATED_BEFORE: gettext_lazy("the float in round %(round)s was too short a time ago"),
    Cause.HAD_BYE: gettext_lazy("nobody has the bye twice, and it was given in round %(round)s"),
    Cause.HAD_FORFEIT_WIN: gettext_lazy("nobody has the bye after a win by forfeit, as in round %(round)s"),
    Cause.HAD_POINT_WITHOUT_PLAY: gettext_lazy("nobody has the bye after a point without play, as in round %(round)s"),
}
"""The same where the reason names the round."""

_COLOUR_CAUSES = {
    ColourCause.ABSOLUTE: gettext_lazy("%(claim)s had to have this colour"),
    ColourCause.STRONGER: gettext_lazy("both were due the same, %(claim)s more strongly"),
    ColourCause.BOTH_DUE: gettext_lazy("each was due this colour"),
    ColourCause.ONLY_ONE_DUE: gettext_lazy("only %(claim)s was due a colour"),
    ColourCause.HISTORY: gettext_lazy(
        "both were due the same; the latest games in which they had different colours were %(games_back)s back, and now"
        " each has the other colour"
    ),
    ColourCause.HIGHER_PLAYER: gettext_lazy(
        "both were due the same, nor do their colours so far decide; %(claim)s is the higher player"
    ),
    ColourCause.LOWER_PLAYER: gettext_lazy(
        "both were due the same, nor do their colours so far decide; below the median %(claim)s, the lower player, is"
        " given the colour due"
    ),
    ColourCause.DIFFERENCE: gettext_lazy(
        "both were due the same; %(claim)s has the greater difference between games with White and with Black"
    ),
    ColourCause.HIGHER_AVERAGE: gettext_lazy(
        "colours did not decide; White goes to the higher average rating of opponents, that of %(claim)s (%(average)s)"
    ),
    ColourCause.LOWER_RATING: gettext_lazy(
        "colours did not decide; White goes to the lower rating, that of %(claim)s (%(rating)s)"
    ),
    ColourCause.LARGER_NUMBER: gettext_lazy(
        "colours and ratings did not decide; White goes to the larger number, that of %(claim)s"
    ),
    ColourCause.ALTERNATE_PAIRS: gettext_lazy(
        "in round 1 the colour drawn for the first pair changes from pair to pair"
    ),
    ColourCause.NUMBER_PARITY: gettext_lazy(
        "neither was due a colour; the colour drawn for round 1 and the number of %(claim)s decided"
    ),
}
"""Why the colours fell as they did; `claim` is the player whose claim decided."""

_LAST_GAMES = gettext_lazy(
    "both were due the same; they had different colours in their last games, and now each has the other colour"
)
"""`ColourCause.HISTORY` one game back."""


def sentence(reason: Reason, names: Names) -> str:
    """One reason as a sentence in the language now active, without its article."""
    return evidence_words.with_reading(_SENTENCES[reason.kind](reason, names), reason)


def without_lines(reason: Reason, names: Names) -> str:
    """`sentence`, but of an order of players what stands above its lines."""
    if reason.kind is not ReasonKind.ORDER:
        return sentence(reason, names)
    return evidence_words.with_reading(evidence_words.order_heading(reason, _points), reason)


def points_text(half_points: Fact) -> str:
    """Half points as people write them: 3 is 1½."""
    whole, half = divmod(half_points if isinstance(half_points, int) else 0, 2)
    return f"{whole or ''}½" if half else str(whole)


def _points(half_points: Fact) -> str:
    """Points with their unit: 1 point, 1½ points."""
    if half_points in (1, 2):
        return _("%(points)s point") % {"points": points_text(half_points)}
    return _("%(points)s points") % {"points": points_text(half_points)}


def _score_group(reason: Reason, names: Names) -> str:
    sentence = _GROUPS.get(str(reason.fact("side")), gettext_lazy("Paired in the group of %(points)s."))
    return str(sentence) % {"points": _points(reason.fact("half_points"))}


def _floated(reason: Reason, names: Names) -> str:
    facts = {
        "player": _name(reason, names, 0),
        "from": points_text(reason.fact("from_half_points")),
        "to": _points(reason.fact("to_half_points")),
        "because": because(reason, names),
    }
    if reason.fact("because") == Cause.OPPONENT_WANTED and len(reason.players) == 2:
        facts["wanting"] = _name(reason, names, 1)
        return evidence_words.with_values(
            _("%(player)s floated up from %(from)s to %(to)s, for %(wanting)s had no possible opponent there.") % facts,
            reason,
        )
    if reason.fact("direction") == "up":
        return evidence_words.with_values(
            _("%(player)s floated up from %(from)s to %(to)s: %(because)s.") % facts, reason
        )
    return _("%(player)s floated down from %(from)s to %(to)s: %(because)s.") % facts


def _stayed(reason: Reason, names: Names) -> str:
    facts = {"kept": _name(reason, names, 0), "floater": _name(reason, names, 1), "because": because(reason, names)}
    return _("%(kept)s stayed, and %(floater)s floated instead: %(because)s.") % facts


def _opponent(reason: Reason, names: Names) -> str:
    facts = {
        "chooser": _name(reason, names, 0),
        "opponent": _name(reason, names, 1),
        "place": reason.fact("place"),
    }
    if reason.fact("place") in (None, 1):
        first = _("%(chooser)s was to be paired: %(opponent)s is the first opponent in the order of the rule.") % facts
        return evidence_words.with_values(evidence_words.with_order(first, reason, names), reason)
    later = _("%(chooser)s was to be paired: %(opponent)s is number %(place)s in the order of the rule.") % facts
    return evidence_words.with_values(evidence_words.with_order(later, reason, names), reason)


def _passed_over(reason: Reason, names: Names) -> str:
    why = evidence_words.left_apart(reason, names, because) or because(reason, names)
    facts = {"chooser": _name(reason, names, 0), "candidate": _name(reason, names, 1), "because": why}
    return _("For %(chooser)s, %(candidate)s stood before in the order, but %(because)s.") % facts


def _exchanged(reason: Reason, names: Names) -> str:
    facts = {
        "chooser": _name(reason, names, 0),
        "opponent": _name(reason, names, 1),
        "first": _name(reason, names, 2),
        "because": because(reason, names),
    }
    return _("%(chooser)s would have played %(first)s and plays %(opponent)s: %(because)s.") % facts


def _moved_to_half(reason: Reason, names: Names) -> str:
    if reason.fact("because") is None:
        return evidence_words.exchanged(reason, names, _points)
    facts = {"player": _name(reason, names, 0), "because": because(reason, names)}
    if reason.fact("half") == "S1":
        return _("%(player)s was exchanged into the upper half (S1): %(because)s.") % facts
    return _("%(player)s was exchanged into the lower half (S2): %(because)s.") % facts


def _colour(reason: Reason, names: Names) -> str:
    claim = reason.fact("claim")
    cause = ColourCause(str(reason.fact("because")))
    back = reason.fact("games_back")
    words = _LAST_GAMES if cause is ColourCause.HISTORY and back == 1 else _COLOUR_CAUSES[cause]
    because = str(words) % {
        "claim": names[claim] if isinstance(claim, int) else "",
        "games_back": back,
        "average": evidence_words.average_text(reason),
        "rating": reason.fact("rating"),
    }
    facts = {"white": _name(reason, names, 0), "black": _name(reason, names, 1), "because": because}
    return _("%(white)s has White, %(black)s Black: %(because)s.") % facts


def _column(reason: Reason, names: Names) -> str:
    facts = {"player": _name(reason, names, 0), "because": because(reason, names)}
    if reason.fact("colour") == "w":
        sentence = _("%(player)s was put among those to have White: %(because)s.") % facts
    else:
        sentence = _("%(player)s was put among those to have Black: %(because)s.") % facts
    # Who stands in the other column may well have his colour at the board.
    return _("%(sentence)s Only the opponents are found so; the colours of the pair are decided afterwards.") % {
        "sentence": sentence
    }


def _bye(reason: Reason, names: Names) -> str:
    facts = {"player": _name(reason, names, 0), "points": _points(reason.fact("half_points"))}
    if reason.fact("step") == "left over":
        return _("%(player)s has the bye, left over when the lowest group was paired, with %(points)s.") % facts
    return _("%(player)s has the bye, as the first whom the rule permits, with %(points)s.") % facts


def _bye_passed_over(reason: Reason, names: Names) -> str:
    facts = {"player": _name(reason, names, 0), "because": because(reason, names)}
    return _("%(player)s stood before in the order of the bye, but %(because)s.") % facts


def _completion(reason: Reason, names: Names) -> str:
    moved = ", ".join(names[tpn] for tpn in reason.players)
    return _("%(players)s had to be moved so that all others keep a legal round.") % {"players": moved}


def _table(reason: Reason, names: Names) -> str:
    """The row of the table that gave a game or a rest."""
    facts = {"table": reason.fact("table"), "row": reason.fact("row"), "player": _name(reason, names, 0)}
    if reason.fact("rests"):
        return _("%(player)s rests: row %(row)s of the Berger table for %(table)s players.") % facts
    if reason.fact("cycle") == 2:
        return _("Row %(row)s of the Berger table for %(table)s players, second cycle, colours turned.") % facts
    return _("Row %(row)s of the Berger table for %(table)s players.") % facts


def _withdrawn(reason: Reason, names: Names) -> str:
    return _("%(player)s has withdrawn: the game is scored as lost by forfeit.") % {"player": _name(reason, names, 0)}


def _by_hand(reason: Reason, names: Names) -> str:
    """Who set it, and which boards of the pairing before it that broke; boards set long ago do not say."""
    if reason.fact("by") is None:
        return _("Set by the arbiter.")
    by = reason.fact("by") or _("the arbiter")
    opponents = [reason.fact("instead_white"), reason.fact("instead_black")]
    if len(reason.players) == 2 and opponents == [*reversed(reason.players)]:
        return _("Set by hand by %(by)s: the colours were turned.") % {"by": by}
    instead = [
        _("the bye for %(player)s") % {"player": names[player]}
        if opponent == 0
        else f"{names[player]} – {names[opponent]}"
        for player, opponent in zip(reason.players, opponents, strict=False)
        if isinstance(opponent, int)
    ]
    if not instead:
        return _("Set by hand by %(by)s.") % {"by": by}
    return _("Set by hand by %(by)s, instead of %(pairs)s.") % {"by": by, "pairs": "; ".join(instead)}


_SENTENCES: Mapping[ReasonKind, Callable[[Reason, Names], str]] = {
    ReasonKind.SCORE_GROUP: _score_group,
    ReasonKind.FLOATED: _floated,
    ReasonKind.STAYED: _stayed,
    ReasonKind.OPPONENT: _opponent,
    ReasonKind.PASSED_OVER: _passed_over,
    ReasonKind.EXCHANGED: _exchanged,
    ReasonKind.MOVED_TO_HALF: _moved_to_half,
    ReasonKind.COLOUR: _colour,
    ReasonKind.COLUMN: _column,
    ReasonKind.BYE: _bye,
    ReasonKind.BYE_PASSED_OVER: _bye_passed_over,
    ReasonKind.COMPLETION: _completion,
    ReasonKind.BY_HAND: _by_hand,
    ReasonKind.EXCEPTION: lambda reason, names: (
        _("No legal round existed, and the arbiter decided on this one, although %(because)s.")
        % {"because": because(reason, names)}
    ),
    ReasonKind.TABLE: _table,
    ReasonKind.WITHDRAWN: _withdrawn,
    ReasonKind.EXCHANGE_TRIED: lambda reason, names: evidence_words.exchange_tried(
        reason, names, because(reason, names)
    ),
    ReasonKind.EXCHANGES_TRIED: lambda reason, names: evidence_words.exchanges_tried(reason),
    ReasonKind.IN_WANT: evidence_words.in_want,
    ReasonKind.ORDER: lambda reason, names: evidence_words.order(reason, names, _points),
    ReasonKind.RANKED: lambda reason, names: evidence_words.ranked(reason, names, _points),
    ReasonKind.WORTH: lambda reason, names: evidence_words.worth(reason, _points),
}


def _name(reason: Reason, names: Names, place: int) -> str:
    return names[reason.players[place]]


def because(reason: Reason, names: Names) -> str:
    """The cause as the second half of a sentence, with its round, or the gap of the ratings where it is named."""
    if (told := evidence_words.more_of_cause(reason, names)) is not None:
        return told
    stated = Cause(str(reason.fact("because")))
    if reason.fact("round") is not None and stated in _CAUSES_IN_ROUND:
        return str(_CAUSES_IN_ROUND[stated]) % {"round": reason.fact("round")}
    cause = str(_CAUSES[stated])
    if reason.fact("criterion") is not None:
        words = evidence_words.CRITERIA.get(str(reason.fact("criterion")), _CAUSES[stated])
        return str(words) % {"criterion": reason.fact("criterion")}
    if reason.fact("gap") is not None:
        return _("%(cause)s (by %(gap)s points)") % {"cause": cause, "gap": reason.fact("gap")}
    return cause
