"""Reasons as sentences in the reader's language. The engine gives them as data only."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason, ReasonFact, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.explanations import evidence_sentences

PlayerNames = Mapping[PairingNumber, str]
"""The name of each player in sentences."""

_GROUPS = {
    "above": gettext_lazy("Paired in the group of %(points)s, above the median."),
    "below": gettext_lazy("Paired in the group of %(points)s, below the median."),
    "median": gettext_lazy("Paired in the median group, of %(points)s."),
    "whole": gettext_lazy("Paired in one group with all players."),
}

_CAUSES = {
    DecisionCause.MET: gettext_lazy("they have met"),
    DecisionCause.FORBIDDEN: gettext_lazy("a rule of the event keeps them apart"),
    DecisionCause.SAME_ABSOLUTE_COLOUR: gettext_lazy("both must have the same colour"),
    DecisionCause.BLOCKS_REST: gettext_lazy("the others would have been left without a legal round"),
    DecisionCause.BLOCKS_GROUP: gettext_lazy("the rest of the group could not have been paired as the rules demand"),
    DecisionCause.SAME_DUE_COLOUR: gettext_lazy("both are due the same colour"),
    DecisionCause.MORE_CLASHES: gettext_lazy("fewer players would have had the colour they are due"),
    DecisionCause.FLOATED_BEFORE: gettext_lazy("that would have been another float too soon"),
    DecisionCause.RATING_GAP: gettext_lazy("the ratings are too far apart"),
    DecisionCause.NO_OPPONENT: gettext_lazy("there was no possible opponent in the group"),
    DecisionCause.OPPONENT_WANTED: gettext_lazy("a player of the higher group had no possible opponent there"),
    DecisionCause.ODD_GROUP: gettext_lazy("the number of players in the group was odd"),
    DecisionCause.COLOUR_BALANCE: gettext_lazy("it leaves the colours in the group better balanced"),
    DecisionCause.NO_DUE_COLOUR: gettext_lazy("no colour is due before the first game"),
    DecisionCause.LOWER_NUMBER: gettext_lazy("the number in the order decided"),
    DecisionCause.DISADVANTAGE: gettext_lazy("the disadvantage of floating would have been greater"),
    DecisionCause.HAD_BYE: gettext_lazy("nobody has the bye twice"),
    DecisionCause.HAD_FORFEIT_WIN: gettext_lazy("nobody has the bye after a win by forfeit"),
    DecisionCause.HAD_POINT_WITHOUT_PLAY: gettext_lazy("nobody has the bye after a point without play"),
    DecisionCause.FLOAT_LIMIT: gettext_lazy("nobody floats up more often in one event"),
    DecisionCause.BLOCKED_MEDIAN: gettext_lazy("the median group could not be paired otherwise"),
    DecisionCause.BETTER_CANDIDATE: gettext_lazy("the pairing made comes earlier in the order of the rule"),
    DecisionCause.LOOK_AHEAD: gettext_lazy("there would have been no opponent in the next group"),
    **evidence_sentences.EVIDENCE_CAUSE_TEXTS,
    DecisionCause.WORSE_BY_CRITERION: gettext_lazy("criterion %(criterion)s would have been kept less well"),
}
"""Why a candidate was ruled out or a player moved, as the second half of a sentence."""

_CAUSES_IN_ROUND = {
    DecisionCause.MET: gettext_lazy("they met in round %(round)s"),
    DecisionCause.FLOATED_BEFORE: gettext_lazy("the float in round %(round)s was too short a time ago"),
    DecisionCause.HAD_BYE: gettext_lazy("nobody has the bye twice, and it was given in round %(round)s"),
    DecisionCause.HAD_FORFEIT_WIN: gettext_lazy("nobody has the bye after a win by forfeit, as in round %(round)s"),
    DecisionCause.HAD_POINT_WITHOUT_PLAY: gettext_lazy(
        "nobody has the bye after a point without play, as in round %(round)s"
    ),
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


def reason_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Return a reason as a sentence in the active language, without its article."""
    return evidence_sentences.append_rule_interpretation(_SENTENCES[reason.kind](reason, names), reason)


def reason_sentence_without_lines(reason: PairingReason, names: PlayerNames) -> str:
    """Return a reason as a sentence; for an order of players only the heading."""
    if reason.kind is not ReasonKind.ORDER:
        return reason_sentence(reason, names)
    return evidence_sentences.append_rule_interpretation(
        evidence_sentences.player_order_heading(reason, _points), reason
    )


def points_text(half_points: ReasonFact) -> str:
    """Format half points: 3 is 1½."""
    whole, half = divmod(half_points if isinstance(half_points, int) else 0, 2)
    return f"{whole or ''}½" if half else str(whole)


def _points(half_points: ReasonFact) -> str:
    """Format points with their unit: 1 point, 1½ points."""
    if half_points in (1, 2):
        return _("%(points)s point") % {"points": points_text(half_points)}
    return _("%(points)s points") % {"points": points_text(half_points)}


def _score_group(reason: PairingReason, names: PlayerNames) -> str:
    sentence = _GROUPS.get(str(reason.get_fact("side")), gettext_lazy("Paired in the group of %(points)s."))
    return str(sentence) % {"points": _points(reason.get_fact("half_points"))}


def _floated(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "player": _name(reason, names, 0),
        "from": points_text(reason.get_fact("from_half_points")),
        "to": _points(reason.get_fact("to_half_points")),
        "because": cause_text(reason, names),
    }
    if reason.get_fact("because") == DecisionCause.OPPONENT_WANTED and len(reason.players) == 2:
        facts["wanting"] = _name(reason, names, 1)
        return evidence_sentences.append_deciding_ratings(
            _("%(player)s floated up from %(from)s to %(to)s, for %(wanting)s had no possible opponent there.") % facts,
            reason,
        )
    if reason.get_fact("direction") == "up":
        return evidence_sentences.append_deciding_ratings(
            _("%(player)s floated up from %(from)s to %(to)s: %(because)s.") % facts, reason
        )
    return _("%(player)s floated down from %(from)s to %(to)s: %(because)s.") % facts


def _stayed(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"kept": _name(reason, names, 0), "floater": _name(reason, names, 1), "because": cause_text(reason, names)}
    return _("%(kept)s stayed, and %(floater)s floated instead: %(because)s.") % facts


def _opponent(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "chooser": _name(reason, names, 0),
        "opponent": _name(reason, names, 1),
        "place": reason.get_fact("place"),
    }
    if reason.get_fact("place") in (None, 1):
        first = _("%(chooser)s was to be paired: %(opponent)s is the first opponent in the order of the rule.") % facts
        return evidence_sentences.append_deciding_ratings(
            evidence_sentences.append_order_of_rule(first, reason, names), reason
        )
    later = _("%(chooser)s was to be paired: %(opponent)s is number %(place)s in the order of the rule.") % facts
    return evidence_sentences.append_deciding_ratings(
        evidence_sentences.append_order_of_rule(later, reason, names), reason
    )


def _passed_over(reason: PairingReason, names: PlayerNames) -> str:
    why = evidence_sentences.leftover_pair_text(reason, names, cause_text) or cause_text(reason, names)
    facts = {"chooser": _name(reason, names, 0), "candidate": _name(reason, names, 1), "because": why}
    return _("For %(chooser)s, %(candidate)s stood before in the order, but %(because)s.") % facts


def _exchanged(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "chooser": _name(reason, names, 0),
        "opponent": _name(reason, names, 1),
        "first": _name(reason, names, 2),
        "because": cause_text(reason, names),
    }
    return _("%(chooser)s would have played %(first)s and plays %(opponent)s: %(because)s.") % facts


def _moved_to_half(reason: PairingReason, names: PlayerNames) -> str:
    if reason.get_fact("because") is None:
        return evidence_sentences.exchange_sentence(reason, names, _points)
    facts = {"player": _name(reason, names, 0), "because": cause_text(reason, names)}
    if reason.get_fact("half") == "S1":
        return _("%(player)s was exchanged into the upper half (S1): %(because)s.") % facts
    return _("%(player)s was exchanged into the lower half (S2): %(because)s.") % facts


def _colour(reason: PairingReason, names: PlayerNames) -> str:
    claim = reason.get_fact("claim")
    cause = ColourCause(str(reason.get_fact("because")))
    back = reason.get_fact("games_back")
    words = _LAST_GAMES if cause is ColourCause.HISTORY and back == 1 else _COLOUR_CAUSES[cause]
    because = str(words) % {
        "claim": names[claim] if isinstance(claim, int) else "",
        "games_back": back,
        "average": evidence_sentences.format_average_rating(reason),
        "rating": reason.get_fact("rating"),
    }
    facts = {"white": _name(reason, names, 0), "black": _name(reason, names, 1), "because": because}
    return _("%(white)s has White, %(black)s Black: %(because)s.") % facts


def _column(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"player": _name(reason, names, 0), "because": cause_text(reason, names)}
    if reason.get_fact("colour") == "w":
        sentence = _("%(player)s was put among those to have White: %(because)s.") % facts
    else:
        sentence = _("%(player)s was put among those to have Black: %(because)s.") % facts
    # Players in the other column may still get their due colour at the board.
    return _("%(sentence)s Only the opponents are found so; the colours of the pair are decided afterwards.") % {
        "sentence": sentence
    }


def _bye(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"player": _name(reason, names, 0), "points": _points(reason.get_fact("half_points"))}
    if reason.get_fact("step") == "left over":
        return _("%(player)s has the bye, left over when the lowest group was paired, with %(points)s.") % facts
    return _("%(player)s has the bye, as the first whom the rule permits, with %(points)s.") % facts


def _bye_passed_over(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"player": _name(reason, names, 0), "because": cause_text(reason, names)}
    return _("%(player)s stood before in the order of the bye, but %(because)s.") % facts


def _completion(reason: PairingReason, names: PlayerNames) -> str:
    moved = ", ".join(names[tpn] for tpn in reason.players)
    return _("%(players)s had to be moved so that all others keep a legal round.") % {"players": moved}


def _table(reason: PairingReason, names: PlayerNames) -> str:
    """Return the table row that gave a game or a bye."""
    facts = {"table": reason.get_fact("table"), "row": reason.get_fact("row"), "player": _name(reason, names, 0)}
    if reason.get_fact("rests"):
        return _("%(player)s rests: row %(row)s of the Berger table for %(table)s players.") % facts
    if reason.get_fact("cycle") == 2:
        return _("Row %(row)s of the Berger table for %(table)s players, second cycle, colours turned.") % facts
    return _("Row %(row)s of the Berger table for %(table)s players.") % facts


def _withdrawn(reason: PairingReason, names: PlayerNames) -> str:
    return _("%(player)s has withdrawn: the game is scored as lost by forfeit.") % {"player": _name(reason, names, 0)}


def _by_hand(reason: PairingReason, names: PlayerNames) -> str:
    """Say who set the pairing and which boards it broke up; old stored boards do not say."""
    if reason.get_fact("by") is None:
        return _("Set by the arbiter.")
    by = reason.get_fact("by") or _("the arbiter")
    opponents = [reason.get_fact("instead_white"), reason.get_fact("instead_black")]
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


_SENTENCES: Mapping[ReasonKind, Callable[[PairingReason, PlayerNames], str]] = {
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
    ReasonKind.MANUAL: _by_hand,
    ReasonKind.EXCEPTION: lambda reason, names: (
        _("No legal round existed, and the arbiter decided on this one, although %(because)s.")
        % {"because": cause_text(reason, names)}
    ),
    ReasonKind.TABLE: _table,
    ReasonKind.WITHDRAWN: _withdrawn,
    ReasonKind.EXCHANGE_TRIED: lambda reason, names: evidence_sentences.failed_exchange_sentence(
        reason, names, cause_text(reason, names)
    ),
    ReasonKind.EXCHANGES_TRIED: lambda reason, names: evidence_sentences.failed_exchange_count_sentence(reason),
    ReasonKind.LACK_OPPONENTS: evidence_sentences.lack_of_opponents_sentence,
    ReasonKind.ORDER: lambda reason, names: evidence_sentences.player_order_sentence(reason, names, _points),
    ReasonKind.RANKED: lambda reason, names: evidence_sentences.ranking_sentence(reason, names, _points),
    ReasonKind.BYE_POINTS: lambda reason, names: evidence_sentences.bye_points_sentence(reason, _points),
}


def _name(reason: PairingReason, names: PlayerNames, place: int) -> str:
    return names[reason.players[place]]


def cause_text(reason: PairingReason, names: PlayerNames) -> str:
    """Return the cause as the second half of a sentence, with its round or rating gap if given."""
    if (told := evidence_sentences.detailed_cause_text(reason, names)) is not None:
        return told
    stated = DecisionCause(str(reason.get_fact("because")))
    if reason.get_fact("round") is not None and stated in _CAUSES_IN_ROUND:
        return str(_CAUSES_IN_ROUND[stated]) % {"round": reason.get_fact("round")}
    cause = str(_CAUSES[stated])
    if reason.get_fact("criterion") is not None:
        words = evidence_sentences.CRITERION_CAUSE_TEXTS.get(str(reason.get_fact("criterion")), _CAUSES[stated])
        return str(words) % {"criterion": reason.get_fact("criterion")}
    if reason.get_fact("gap") is not None:
        return _("%(cause)s (by %(gap)s points)") % {"cause": cause, "gap": reason.get_fact("gap")}
    return cause
