"""Reasons as sentences in the reader's language. The engine gives them as data only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason, ReasonFact, ReasonKind
from pairing.engine.snapshot import Colour, PairingNumber
from pairing.explanations import evidence_sentences, keizer_sentences
from pairing.explanations.fact_sentences import append_facts, due_colour_sentence

PlayerNames = Mapping[PairingNumber, str]
"""The name of each player in sentences."""

_GROUPS = {
    "above": gettext_lazy("Paired in the score group on %(points)s, above the median."),
    "below": gettext_lazy("Paired in the score group on %(points)s, below the median."),
    "median": gettext_lazy("Paired in the median score group (%(points)s)."),
    "half": gettext_lazy("Paired in the median score group (%(points)s, half of the %(rounds)s rounds played)."),
    "whole": gettext_lazy("All players were paired as one group."),
}

_CAUSES = {
    DecisionCause.MET: gettext_lazy("they have already played each other"),
    DecisionCause.FORBIDDEN: gettext_lazy("a rule of the event keeps them apart"),
    DecisionCause.SAME_ABSOLUTE_COLOUR: gettext_lazy("they must both have the same colour"),
    DecisionCause.BLOCKS_REST: gettext_lazy("the other players could not all have been paired within the rules"),
    DecisionCause.BLOCKS_GROUP: gettext_lazy("the other players could not all have been paired within the rules"),
    DecisionCause.HIGHER_BYE: gettext_lazy("the bye would have gone to a player with more points"),
    DecisionCause.SAME_DUE_COLOUR: gettext_lazy("they were both due the same colour"),
    DecisionCause.MORE_CLASHES: gettext_lazy("fewer players would have got the colour they were due"),
    DecisionCause.FLOATED_BEFORE: gettext_lazy("that would have meant floating again too soon"),
    DecisionCause.RATING_GAP: gettext_lazy("the ratings are too far apart"),
    DecisionCause.NO_OPPONENT: gettext_lazy("there was no eligible opponent in their group"),
    DecisionCause.OPPONENT_WANTED: gettext_lazy("a player in the higher group had no eligible opponent there"),
    DecisionCause.ODD_GROUP: gettext_lazy("the group had an odd number of players"),
    DecisionCause.COLOUR_BALANCE: gettext_lazy("this leaves the colours in the group better balanced"),
    DecisionCause.NO_DUE_COLOUR: gettext_lazy("nobody is due a colour before their first game"),
    DecisionCause.LOWER_NUMBER: gettext_lazy("%(floater)s comes first in the order of players"),
    DecisionCause.DISADVANTAGE: gettext_lazy("floating %(kept)s would have been a greater disadvantage"),
    DecisionCause.HAD_BYE: gettext_lazy("a player cannot have the bye twice"),
    DecisionCause.HAD_FORFEIT_WIN: gettext_lazy("a player cannot have the bye after a forfeit win"),
    DecisionCause.HAD_POINT_WITHOUT_PLAY: gettext_lazy(
        "a player cannot have the bye after getting a point without playing"
    ),
    DecisionCause.FLOAT_LIMIT: gettext_lazy("the limit on upfloats in one event was reached"),
    DecisionCause.BLOCKED_MEDIAN: gettext_lazy("the median group could not be paired otherwise"),
    DecisionCause.BETTER_CANDIDATE: gettext_lazy("the chosen pairs come earlier in the order set by the rules"),
    DecisionCause.LOOK_AHEAD: gettext_lazy("the next group would have had no eligible opponent"),
    **evidence_sentences.EVIDENCE_CAUSE_TEXTS,
    **keizer_sentences.KEIZER_CAUSES,
    DecisionCause.WORSE_BY_CRITERION: gettext_lazy("the pairing would have been worse under criterion %(criterion)s"),
}
"""Why a candidate was ruled out or a player moved, as the second half of a sentence."""

_COUNTERFACTUAL_CAUSES = {
    DecisionCause.BLOCKS_REST,
    DecisionCause.BLOCKS_GROUP,
    DecisionCause.HIGHER_BYE,
    DecisionCause.MORE_CLASHES,
    DecisionCause.MORE_FLOATS,
    DecisionCause.LOOK_AHEAD,
    DecisionCause.WORSE_BY_CRITERION,
}
"""Causes that say what would have happened with another choice."""

_TESTS = {
    "moved_without_opponent": gettext_lazy(
        "a player who had already floated in this round would have had no opponent in the next group"
    ),
    "moved_with_opponent": gettext_lazy("a player who had already floated in this round would have floated again"),
    "residents_without_opponent": gettext_lazy("a floater would have had no opponent in the next group"),
}
"""What makes a float a greater disadvantage, by the test that decided."""

_DUBOV_TESTS = {
    "stayed_without_opponent": "residents_without_opponent",
    "came_down_with_opponent": "moved_with_opponent",
    "came_down_without_opponent": "moved_without_opponent",
}

_CRITERIA_OF_FLOATS = ("C14", "C15", "C16", "C17")
MAX_NAMED_FLOATERS = 3
"""If more players than this could have floated again too soon, none is named."""

_CAUSES_BY_COLOUR = {
    (DecisionCause.SAME_DUE_COLOUR, "w"): gettext_lazy("they were both due White"),
    (DecisionCause.SAME_DUE_COLOUR, "b"): gettext_lazy("they were both due Black"),
    (DecisionCause.SAME_ABSOLUTE_COLOUR, "w"): gettext_lazy("they must both have White"),
    (DecisionCause.SAME_ABSOLUTE_COLOUR, "b"): gettext_lazy("they must both have Black"),
    (DecisionCause.OTHER_COLOUR, "w"): gettext_lazy("a player due White was needed"),
    (DecisionCause.OTHER_COLOUR, "b"): gettext_lazy("a player due Black was needed"),
}
"""The same where the reason names the colour."""

_FLOAT_CAUSES = {
    DecisionCause.BLOCKS_REST: gettext_lazy("otherwise not everyone could have been paired within the rules"),
    DecisionCause.BLOCKS_GROUP: gettext_lazy("not everyone in the group could be paired"),
    DecisionCause.HIGHER_BYE: gettext_lazy("otherwise the bye would have gone to a player with more points"),
}
"""The same where the cause made a player change groups."""

_FEWER_PAIRS = gettext_lazy("fewer pairs could have been made in the group")
"""`DecisionCause.BLOCKS_GROUP` where others may leave the group too (C6 of 2026, and its like in 1992)."""

_COMPARING_CAUSES = {DecisionCause.LOWER_NUMBER, DecisionCause.DISADVANTAGE, DecisionCause.FARTHER_GROUP}
"""Causes of `ReasonKind.STAYED` that name its first player, `kept`, or its second, `floater`."""

_CAUSES_IN_ROUND = {
    DecisionCause.MET: gettext_lazy("they met in round %(round)s"),
    DecisionCause.FLOATED_BEFORE: gettext_lazy("the float in round %(round)s was too recent"),
    DecisionCause.HAD_BYE: gettext_lazy("they already had the bye in round %(round)s"),
    DecisionCause.HAD_FORFEIT_WIN: gettext_lazy("they had already won by forfeit in round %(round)s"),
    DecisionCause.HAD_POINT_WITHOUT_PLAY: gettext_lazy(
        "they had already got a point without playing in round %(round)s"
    ),
}
"""The same where the reason names the round."""

_EXCEPTIONAL_BYE = gettext_lazy("the player got a point without playing in round %(round)s, which rules out the bye")
"""`DecisionCause.HAD_POINT_WITHOUT_PLAY` where the sentence does not name the player."""

_COLOUR_CAUSES = {
    ColourCause.BOTH_DUE: gettext_lazy("each got the colour they were due"),
    ColourCause.ONLY_ONE_DUE: gettext_lazy("only %(claim)s was due a colour"),
    ColourCause.HISTORY: gettext_lazy(
        "both were due the same colour, and %(games_back)s games ago, %(white)s had Black"
    ),
    ColourCause.HIGHER_AVERAGE: gettext_lazy(
        "neither had the better claim to a colour, and %(claim)s's opponents have the higher average rating "
        "(%(average)s)"
    ),
    ColourCause.LOWER_RATING: gettext_lazy(
        "neither had the better claim to a colour, and %(claim)s has the lower rating (%(rating)s)"
    ),
    ColourCause.LARGER_NUMBER: gettext_lazy(
        "colours and ratings didn't decide, and %(claim)s has the higher pairing number"
    ),
    ColourCause.ALTERNATE_PAIRS: gettext_lazy(
        "in round 1 colours alternate from pair to pair, starting with the colour drawn for the first pair"
    ),
    ColourCause.NUMBER_PARITY: gettext_lazy(
        "neither was due a colour, so %(claim)s's number and the colour drawn for round 1 decided"
    ),
    **keizer_sentences.KEIZER_COLOUR_CAUSES,
}
"""Why the colours were allocated as they were; `claim` is the player whose claim decided."""

_PARITY = {
    "w": gettext_lazy(
        "neither was due a colour. The draw gave White to odd numbers, and %(claim)s has number %(number)s"
    ),
    "b": gettext_lazy(
        "neither was due a colour. The draw gave Black to odd numbers, and %(claim)s has number %(number)s"
    ),
}
"""`ColourCause.NUMBER_PARITY`, by the colour drawn for odd numbers."""

_REQUIRED_COLOURS = {
    Colour.WHITE: gettext_lazy("%(claim)s must get White"),
    Colour.BLACK: gettext_lazy("%(claim)s must get Black"),
}
"""`ColourCause.ABSOLUTE`, by the colour of the player whose claim decided."""

CLAIM_CAUSES = {
    ColourCause.STRONGER: gettext_lazy("%(claim)s had the stronger claim"),
    ColourCause.HIGHER_PLAYER: gettext_lazy("%(claim)s is ranked higher"),
    ColourCause.LOWER_PLAYER: gettext_lazy("%(claim)s is ranked lower, which gives priority below the median"),
    ColourCause.DIFFERENCE: gettext_lazy("%(claim)s has the greater difference between White and Black games"),
}
"""Why one of two players got the colour that both were due, as the second half of a sentence."""

_NUMBER_CLAIMS = {
    ColourCause.HIGHER_PLAYER: gettext_lazy("%(claim)s has the lower number (%(number)s against %(other)s)"),
    ColourCause.LOWER_PLAYER: gettext_lazy(
        "%(claim)s has the higher number (%(number)s against %(other)s), which gives priority below the median"
    ),
}
_YOUR_NUMBER_CLAIMS = {
    ColourCause.HIGHER_PLAYER: gettext_lazy("you have the lower number (%(number)s against %(other)s)"),
    ColourCause.LOWER_PLAYER: gettext_lazy(
        "you have the higher number (%(number)s against %(other)s), which gives you priority below the median"
    ),
}
"""The same where pairing numbers alone decided."""

_LAST_GAMES = gettext_lazy("both were due the same colour, and %(white)s had Black in their last game")
"""`ColourCause.HISTORY` one game back."""


def reason_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Return a reason as a sentence in the active language, without its article."""
    sentence = append_facts(_SENTENCES[reason.kind](reason, names), reason, names, points_with_unit, cause_clause)
    return evidence_sentences.append_rule_interpretation(sentence, reason)


def reason_sentence_without_lines(reason: PairingReason, names: PlayerNames) -> str:
    """Return a reason as a sentence, or only the heading if it is a list or a table of players."""
    if reason.kind is ReasonKind.COLUMNS:
        return evidence_sentences.columns_heading(reason, names)
    if reason.kind is not ReasonKind.ORDER:
        return reason_sentence(reason, names)
    return evidence_sentences.append_rule_interpretation(
        evidence_sentences.player_order_heading(reason, points_with_unit), reason
    )


def points_text(half_points: ReasonFact) -> str:
    """Format half points: 3 is 1½."""
    whole, half = divmod(half_points if isinstance(half_points, int) else 0, 2)
    return f"{whole or ''}½" if half else str(whole)


def points_with_unit(half_points: ReasonFact) -> str:
    """Format points with their unit: 1 point, 1½ points."""
    if half_points in (1, 2):
        return _("%(points)s point") % {"points": points_text(half_points)}
    return _("%(points)s points") % {"points": points_text(half_points)}


def _score_group(reason: PairingReason, names: PlayerNames) -> str:
    rounds = reason.get_fact("rounds")
    # With other points for results, the median is not half of the rounds.
    is_half = isinstance(rounds, int) and 1 < rounds == reason.get_fact("half_points")
    side = "half" if is_half else str(reason.get_fact("side"))
    sentence = _GROUPS.get(side, gettext_lazy("Paired in the score group on %(points)s."))
    return str(sentence) % {"points": points_with_unit(reason.get_fact("half_points")), "rounds": rounds}


def _floated(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "player": _name(reason, names, 0),
        "from": points_text(reason.get_fact("from_half_points")),
        "to": points_with_unit(reason.get_fact("to_half_points")),
        "because": cause_clause(reason, names),
    }
    if reason.get_fact("because") == DecisionCause.OPPONENT_WANTED and len(reason.players) == 2:
        facts["wanting"] = _name(reason, names, 1)
        return (
            _("%(player)s floated up from %(from)s to %(to)s, because %(wanting)s had no eligible opponent there.")
            % facts
        )
    if reason.get_fact("direction") == "up":
        return _("%(player)s floated up from %(from)s to %(to)s, because %(because)s.") % facts
    return _("%(player)s floated down from %(from)s to %(to)s, because %(because)s.") % facts


def _stayed(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "kept": _name(reason, names, 0),
        "floater": _name(reason, names, 1),
        "because": cause_clause(reason, names),
    }
    counterfactual = (
        reason.get_fact("because") in _COUNTERFACTUAL_CAUSES
        or reason.get_fact("test") is not None
        or reason.get_fact("rule") == "transposition"
    )
    if reason.get_fact("came"):
        counterfactual = False
        facts["because"] = _("%(kept)s had already floated in this round") % facts
    if reason.get_fact("floated_later"):
        if counterfactual:
            return _("%(floater)s floated before %(kept)s. With %(kept)s floating first, %(because)s.") % facts
        return _("%(floater)s floated before %(kept)s, because %(because)s.") % facts
    if reason.get_fact("because") == DecisionCause.RATING_GAP and reason.get_fact("gap") is not None:
        gap = {"gap": reason.get_fact("gap")}
        return _(
            "%(kept)s stayed and %(floater)s floated instead. Floating %(kept)s would have balanced the "
            "colours better, but that is only allowed if the ratings are at most 100 points apart. Here they "
            "are %(gap)s points apart."
        ) % (facts | gap)
    if counterfactual:
        return _("%(kept)s stayed and %(floater)s floated instead. With %(kept)s floating, %(because)s.") % facts
    sentence = _("%(kept)s stayed and %(floater)s floated instead, because %(because)s.") % facts
    if reason.article == "fide-1989 art. 10.10":
        return _("%(sentence)s Players who floated in the last round, up or down, stay if possible.") % {
            "sentence": sentence
        }
    return sentence


def _opponent(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "chooser": _name(reason, names, 0),
        "opponent": _name(reason, names, 1),
        "place": reason.get_fact("place"),
    }
    if reason.get_fact("place") in (None, 1):
        sentence = _("%(opponent)s was %(chooser)s's first eligible opponent.") % facts
    else:
        sentence = _("%(opponent)s was number %(place)s on %(chooser)s's list of candidates.") % facts
    sentence = evidence_sentences.append_candidate_order(sentence, reason, names)
    if reason.get_fact("due_white") is not None:
        due = due_colour_sentence(_name(reason, names, 0), reason.get_fact("due"))
        sentence = f"{sentence} {due}"
    return evidence_sentences.append_candidates(sentence, reason, names)


def _passed_over(reason: PairingReason, names: PlayerNames) -> str:
    why = evidence_sentences.leftover_pair_text(reason, names, cause_clause) or cause_clause(reason, names)
    facts = {"chooser": _name(reason, names, 0), "candidate": _name(reason, names, 1), "because": why}
    if reason.get_fact("not_moved_up"):
        return _("%(candidate)s could not move up to play %(chooser)s, because %(because)s.") % facts
    return _("%(candidate)s came earlier on %(chooser)s's list of candidates, but %(because)s.") % facts


def _exchanged(reason: PairingReason, names: PlayerNames) -> str:
    facts = {
        "chooser": _name(reason, names, 0),
        "opponent": _name(reason, names, 1),
        "first": _name(reason, names, 2),
        "because": cause_clause(reason, names),
    }
    return (
        _("%(chooser)s was first paired with %(first)s, but %(because)s. %(chooser)s plays %(opponent)s instead.")
        % facts
    )


def _moved_to_half(reason: PairingReason, names: PlayerNames) -> str:
    if reason.get_fact("because") is None:
        return evidence_sentences.exchange_sentence(reason, names, points_with_unit)
    facts = {"player": _name(reason, names, 0), "because": cause_clause(reason, names)}
    if reason.get_fact("half") == "S1":
        return _("%(player)s moved to the upper half (S1), because %(because)s.") % facts
    return _("%(player)s moved to the lower half (S2), because %(because)s.") % facts


def _colour(reason: PairingReason, names: PlayerNames) -> str:
    because = colour_cause_text(reason, names)
    facts = {"white": _name(reason, names, 0), "black": _name(reason, names, 1), "because": because}
    return _("%(white)s has White against %(black)s, because %(because)s.") % facts


def _column(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"player": _name(reason, names, 0), "because": cause_clause(reason, names)}
    if reason.get_fact("colour") == "w":
        sentence = _("%(player)s was put in the White column, because %(because)s.") % facts
    else:
        sentence = _("%(player)s was put in the Black column, because %(because)s.") % facts
    # Players in the other column may still get their due colour at the board.
    return _("%(sentence)s This only decides the opponents. The colours of the pair are decided afterwards.") % {
        "sentence": sentence
    }


def _bye(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"player": _name(reason, names, 0), "points": points_with_unit(reason.get_fact("half_points"))}
    if reason.get_fact("byes") is not None:
        return keizer_sentences.bye_sentence(reason, names)
    if reason.get_fact("step") == "left over":
        return _("%(player)s (%(points)s) was left over in the lowest score group, and has the bye.") % facts
    return _("%(player)s (%(points)s) has the bye because they were the first eligible player.") % facts


def _bye_passed_over(reason: PairingReason, names: PlayerNames) -> str:
    facts = {"player": _name(reason, names, 0), "because": cause_clause(reason, names)}
    return _("%(player)s came earlier in the order for the bye, but %(because)s.") % facts


def _completion(reason: PairingReason, names: PlayerNames) -> str:
    moved = evidence_sentences.join_in_words([names[tpn] for tpn in reason.players])
    return _("%(players)s had to move so that all others could be paired within the rules.") % {"players": moved}


def _table(reason: PairingReason, names: PlayerNames) -> str:
    """Return the table row that gave a game or a bye."""
    facts = {"table": reason.get_fact("table"), "row": reason.get_fact("row"), "player": _name(reason, names, 0)}
    if reason.get_fact("rests"):
        return _("%(player)s sits out this round (row %(row)s of the Berger table for %(table)s players).") % facts
    if reason.get_fact("cycle") == 2:
        return _("Row %(row)s of the Berger table for %(table)s players, second cycle, colours reversed.") % facts
    return _("Row %(row)s of the Berger table for %(table)s players.") % facts


def _withdrawn(reason: PairingReason, names: PlayerNames) -> str:
    return _("%(player)s has withdrawn, so they forfeit this game.") % {"player": _name(reason, names, 0)}


def _by_hand(reason: PairingReason, names: PlayerNames) -> str:
    """Say who set the pairing and which boards it broke up. Old stored boards do not say."""
    if reason.get_fact("by") is None:
        return _("Set by the arbiter.")
    by = reason.get_fact("by") or _("the arbiter")
    opponents = [reason.get_fact("instead_white"), reason.get_fact("instead_black")]
    if len(reason.players) == 2 and opponents == [*reversed(reason.players)]:
        return _("Set manually by %(by)s. Only the colours were swapped.") % {"by": by}
    instead = [
        _("the bye for %(player)s") % {"player": names[player]}
        if opponent == 0
        else f"{names[player]} – {names[opponent]}"
        for player, opponent in zip(reason.players, opponents, strict=False)
        if isinstance(opponent, int)
    ]
    if not instead:
        return _("Set manually by %(by)s.") % {"by": by}
    return _("Set manually by %(by)s, instead of %(pairs)s.") % {"by": by, "pairs": "; ".join(instead)}


def _exchange_tried(reason: PairingReason, names: PlayerNames) -> str:
    """Say what ruled an exchange out. Pairings without one may fail on different criteria, in the order of these."""
    causes = [
        cause_clause(replace(reason, facts=(("because", DecisionCause.WORSE_BY_CRITERION), ("criterion", one))), names)
        for one in str(reason.get_fact("others_fail") or "").split(",")
        if one
    ]
    *first, last = dict.fromkeys((*causes, cause_clause(reason, names)))
    because = _("either %(first)s, or %(last)s") % {"first": ", ".join(first), "last": last} if first else last
    return evidence_sentences.failed_exchange_sentence(reason, names, because)


_SENTENCES: Mapping[ReasonKind, Callable[[PairingReason, PlayerNames], str]] = {
    ReasonKind.SCORE_GROUP: _score_group,
    ReasonKind.FLOATED: _floated,
    ReasonKind.STAYED: _stayed,
    ReasonKind.OPPONENT: _opponent,
    ReasonKind.PASSED_OVER: _passed_over,
    ReasonKind.EXCHANGED: _exchanged,
    ReasonKind.MOVED_TO_HALF: _moved_to_half,
    ReasonKind.COLOUR: _colour,
    ReasonKind.COLUMNS: evidence_sentences.columns_sentence,
    ReasonKind.COLUMN: _column,
    ReasonKind.BYE: _bye,
    ReasonKind.RANKS: keizer_sentences.ranks_sentence,
    ReasonKind.REPEATED: keizer_sentences.repeated_sentence,
    ReasonKind.BYE_PASSED_OVER: _bye_passed_over,
    ReasonKind.COMPLETION: _completion,
    ReasonKind.MANUAL: _by_hand,
    ReasonKind.EXCEPTION: lambda reason, names: (
        _("No legal pairings existed for this round. The arbiter decided on this one, although %(because)s.")
        % {"because": cause_clause(reason, names)}
    ),
    ReasonKind.TABLE: _table,
    ReasonKind.WITHDRAWN: _withdrawn,
    ReasonKind.EXCHANGE_TRIED: _exchange_tried,
    ReasonKind.EXCHANGES_TRIED: lambda reason, names: evidence_sentences.failed_exchange_count_sentence(reason),
    ReasonKind.LACK_OPPONENTS: evidence_sentences.lack_of_opponents_sentence,
    ReasonKind.ORDER: lambda reason, names: evidence_sentences.player_order_sentence(reason, names, points_with_unit),
    ReasonKind.RANKED: lambda reason, names: evidence_sentences.ranking_sentence(reason, names, points_with_unit),
    ReasonKind.BYE_POINTS: lambda reason, names: evidence_sentences.bye_points_sentence(reason, points_with_unit),
}


def _name(reason: PairingReason, names: PlayerNames, place: int) -> str:
    return names[reason.players[place]]


def cause_clause(reason: PairingReason, names: PlayerNames) -> str:
    """Return the cause as the second half of a sentence, with its round or rating difference if given."""
    if (told := evidence_sentences.detailed_cause_clause(reason, names)) is not None:
        return told
    stated = DecisionCause(str(reason.get_fact("because")))
    if stated is DecisionCause.MORE_FLOATS or reason.get_fact("criterion") in _CRITERIA_OF_FLOATS:
        return _floating_again_text(reason, names)
    if stated in keizer_sentences.KEIZER_CAUSES:
        return str(_CAUSES[stated]) % dict(reason.facts)
    if reason.get_fact("round") is not None and stated in _CAUSES_IN_ROUND:
        is_exceptional_bye = reason.kind is ReasonKind.EXCEPTION and stated is DecisionCause.HAD_POINT_WITHOUT_PLAY
        in_round = _EXCEPTIONAL_BYE if is_exceptional_bye else _CAUSES_IN_ROUND[stated]
        return str(in_round) % {"round": reason.get_fact("round")}
    if coloured := _CAUSES_BY_COLOUR.get((stated, str(reason.get_fact("colour")))):
        return str(coloured)
    if stated is DecisionCause.MORE_CLASHES and reason.article == "dubov-1997 art. 6.3":
        return _("more pairs would have been made inside a column")
    if (test := reason.get_fact("test")) is not None:
        return str(_TESTS.get(_DUBOV_TESTS.get(str(test), str(test)), _CAUSES[DecisionCause.BLOCKS_REST]))
    if reason.get_fact("alone") and stated is DecisionCause.NO_OPPONENT:
        return _("there was nobody else to pair in their group")
    if reason.kind is ReasonKind.STAYED and stated is DecisionCause.NO_OPPONENT:
        # Dubov, 7.2: a player who could have moved up.
        return _("%(player)s had no eligible opponent in the higher group") % {"player": _name(reason, names, 0)}
    if reason.article == "dubov-1997 art. 7.2" and stated is DecisionCause.ODD_GROUP:
        return _("the higher group had an odd number of players")
    without = reason.get_fact("without")
    if isinstance(without, tuple):
        others = evidence_sentences.join_in_words([names[tpn] for tpn in without])
        return _("without %(players)s, the group had an odd number of players") % {"players": others}
    if reason.kind is ReasonKind.FLOATED and stated in _FLOAT_CAUSES:
        return str(_FLOAT_CAUSES[stated])
    if stated is DecisionCause.BLOCKS_GROUP and (
        reason.article == "dutch-2026 C6" or reason.kind is ReasonKind.EXCHANGE_TRIED
    ):
        return str(_FEWER_PAIRS)
    if stated is DecisionCause.LOOK_AHEAD and reason.article.startswith("dutch-2026"):
        return str(evidence_sentences.CRITERION_CAUSE_TEXTS["C8"])
    if reason.get_fact("criterion") is not None:
        words = evidence_sentences.CRITERION_CAUSE_TEXTS.get(str(reason.get_fact("criterion")), _CAUSES[stated])
        return str(words) % {"criterion": reason.get_fact("criterion")}
    cause = str(_CAUSES[stated])
    if stated in _COMPARING_CAUSES:
        cause %= {"kept": _name(reason, names, 0), "floater": _name(reason, names, 1)}
    if reason.get_fact("gap") is not None:
        return _("%(cause)s (%(gap)s points)") % {"cause": cause, "gap": reason.get_fact("gap")}
    return cause


def _floating_again_text(reason: PairingReason, names: PlayerNames) -> str:
    """Say who would have floated again too soon, if the reason names only a few who could have."""
    again = reason.get_fact("again")
    players = dict.fromkeys(again if isinstance(again, tuple) else ())
    if reason.kind is ReasonKind.PASSED_OVER and reason.get_fact("again_direction") == "down":
        # These two would have played each other.
        players = {tpn: None for tpn in players if tpn not in reason.players}
    # Other kinds of reasons begin their sentence with the choice that "then" refers to.
    has_then = reason.kind is not ReasonKind.STAYED and reason.get_fact("leaving") != 0
    if not 0 < len(players) <= MAX_NAMED_FLOATERS:
        if reason.kind is ReasonKind.EXCHANGE_TRIED:
            return _("somebody would have floated again too soon")
        if has_then:
            return _("somebody else would then have floated again too soon")
        return _("somebody else would have floated again too soon")
    facts = {"players": evidence_sentences.join_alternatives([names[tpn] for tpn in players])}
    if has_then:
        return _("%(players)s would then have floated again too soon") % facts
    return _("%(players)s would have floated again too soon") % facts


def colour_cause_text(reason: PairingReason, names: PlayerNames) -> str:
    """Return the cause of the colours as the second half of a sentence."""
    claim = reason.get_fact("claim")
    cause = ColourCause(str(reason.get_fact("because")))
    back = reason.get_fact("games_back")
    facts = {
        "claim": names[claim] if isinstance(claim, int) else "",
        "white": names[reason.players[0]],
        "games_back": back,
        "average": evidence_sentences.deciding_average(reason),
        "rating": evidence_sentences.deciding_rating(reason),
        "round": reason.get_fact("round"),
    }
    claimed = Colour.WHITE if claim == reason.players[0] else Colour.BLACK
    if cause in CLAIM_CAUSES:
        return both_due_text(claimed, number_claim_text(reason, names) or str(CLAIM_CAUSES[cause]) % facts)
    if cause is ColourCause.NUMBER_PARITY and reason.get_fact("number") is not None:
        facts["number"] = reason.get_fact("number")
        return str(_PARITY[str(reason.get_fact("first_colour"))]) % facts
    if cause is ColourCause.LAST_COLOUR:
        return keizer_sentences.last_colour_cause(reason, names)
    if cause is ColourCause.ABSOLUTE:
        return str(_REQUIRED_COLOURS[claimed]) % facts
    return str(_LAST_GAMES if cause is ColourCause.HISTORY and back == 1 else _COLOUR_CAUSES[cause]) % facts


def number_claim_text(reason: PairingReason, names: PlayerNames, *, you: PairingNumber | None = None) -> str:
    """Say which pairing number gave a player the colour. Empty if numbers alone did not decide."""
    claim, numbers = reason.get_fact("claim"), reason.get_fact("numbers")
    if not isinstance(claim, int) or not isinstance(numbers, tuple):
        return ""
    words = (_YOUR_NUMBER_CLAIMS if claim == you else _NUMBER_CLAIMS)[ColourCause(str(reason.get_fact("because")))]
    return str(words) % {"claim": names[claim], "number": numbers[0], "other": numbers[1]}


def both_due_text(colour: Colour, because: str) -> str:
    """Say that both players were due a colour and why one got it, as the second half of a sentence."""
    if colour is Colour.WHITE:
        return _("both were due White, and %(because)s") % {"because": because}
    return _("both were due Black, and %(because)s") % {"because": because}
