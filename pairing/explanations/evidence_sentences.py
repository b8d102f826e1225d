"""Sentences for reasons that give evidence: orders and their causes, exchanges tried, missing opponents below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.engine.systems.dubov_1997.players import format_mixed_number, round_to_one_decimal
from tournaments.events.interpretation_texts import INTERPRETATION_TEXTS

PlayerNames = Mapping[PairingNumber, str]
FactFormatter = Callable[[ReasonFact], str]
"""Formats points or a cause in words."""

_TOO_SOON = gettext_lazy("a player would have floated again too soon")

EVIDENCE_CAUSE_TEXTS = {
    DecisionCause.MORE_FLOATS: _TOO_SOON,
    DecisionCause.FARTHER_GROUP: gettext_lazy("%(floater)s is from a closer group"),
    DecisionCause.OTHER_COLOUR: gettext_lazy("a player due the other colour was needed"),
    DecisionCause.LOWER_RATING: gettext_lazy("the rating is lower"),
    DecisionCause.HIGHER_AVERAGE: gettext_lazy("the opponents' average rating is higher"),
}
"""Causes that only evidence names, as the second half of a sentence."""

CRITERION_CAUSE_TEXTS = {
    "C7": gettext_lazy("players with more points would have moved down"),
    "C8": gettext_lazy("the next group could not have been paired as well"),
    "C9": gettext_lazy("the bye would have gone to a player with more unplayed games"),
    "C10": gettext_lazy("more topscorers or their opponents would have got a colour difference greater than 2"),
    "C11": gettext_lazy("more topscorers or their opponents would have got the same colour 3 times in a row"),
    "C12": gettext_lazy("fewer players would have got the colour they were due"),
    "C13": gettext_lazy("fewer strong colour preferences would have been met"),
    "C14": _TOO_SOON,
    "C15": _TOO_SOON,
    "C16": _TOO_SOON,
    "C17": _TOO_SOON,
}
"""`DecisionCause.WORSE_BY_CRITERION`: what would have become of the criteria on which most candidates fail."""

_RULES = {
    "moved_down": gettext_lazy("that would have given the moved-down players opponents further down the order"),
    "exchange": gettext_lazy("that would have needed a later exchange between the halves"),
    "transposition": gettext_lazy("that would have needed a later order of the lower half"),
}
"""`DecisionCause.BETTER_CANDIDATE`, by the rule that it names."""


_FLOATED_BEFORE = {
    "down": gettext_lazy("%(player)s floated down too recently, in round %(round)s"),
    "up": gettext_lazy("%(player)s floated up too recently, in round %(round)s"),
}


def detailed_cause_clause(reason: PairingReason, names: PlayerNames) -> str | None:
    """Return a cause with the players and values that decided, or by its rule. Return None if the reason has none.

    Old stored reasons do not give the direction of a float.
    """
    floated = _FLOATED_BEFORE.get(str(reason.get_fact("direction")))
    if floated is not None and reason.get_fact("because") == DecisionCause.FLOATED_BEFORE:
        floater = reason.get_fact("floater")
        if not isinstance(floater, int):
            floater = reason.players[1 if reason.kind is ReasonKind.PASSED_OVER else 0]
        return str(floated) % {"player": names[floater], "round": reason.get_fact("round")}
    if (rule := _RULES.get(str(reason.get_fact("rule")))) is not None:
        return str(rule)
    if reason.get_fact("chosen_rating") is not None:
        facts = {"player": names[reason.players[0]], "rating": reason.get_fact("rating")}
        facts["chosen"] = reason.get_fact("chosen_rating")
        return _("%(player)s has the lower rating (%(rating)s against %(chosen)s)") % facts
    if reason.get_fact("chosen_average_numerator") is not None:
        average, chosen = _average_rating(reason), _average_rating(reason, "chosen_average")
        averages = {"average": average, "chosen": chosen, "player": names[reason.players[0]]}
        if isinstance(average, Fraction) and isinstance(chosen, Fraction):
            averages["average"], averages["chosen"] = _format_averages([average, chosen])
        return _("%(player)s has the higher average rating of opponents (%(average)s against %(chosen)s)") % averages
    return None


def leftover_pair_text(
    reason: PairingReason, names: PlayerNames, because: Callable[[PairingReason, PlayerNames], str]
) -> str | None:
    """Return who would be left with whom and why they may not meet, or None if the reason does not say."""
    left = reason.get_fact("left")
    if not isinstance(left, tuple):
        return None
    apart = replace(
        reason, facts=(("because", reason.get_fact("left_because")), ("round", reason.get_fact("left_round")))
    )
    facts = {"one": names[left[0]], "other": names[left[1]], "because": because(apart, names)}
    return _("then only %(one)s and %(other)s would have been left, and %(because)s") % facts


def format_average_rating(reason: PairingReason) -> str | None:
    """Format a reason's average with one decimal. In old stored reasons it is text."""
    average = _average_rating(reason)
    return _format_averages([average])[0] if isinstance(average, Fraction) else average


def _average_rating(reason: PairingReason, of: str = "average") -> Fraction | str | None:
    numerator, denominator = reason.get_fact(f"{of}_numerator"), reason.get_fact(f"{of}_denominator")
    if isinstance(numerator, int) and isinstance(denominator, int):
        return Fraction(numerator, denominator)
    told = reason.get_fact(of)
    return None if told is None else str(told)


def _format_averages(averages: Sequence[Fraction]) -> list[str]:
    """Format averages with one decimal, or exactly where different ones would look the same."""
    rounded = [round_to_one_decimal(average) for average in averages]
    different = Counter(dict(zip(averages, rounded, strict=True)).values())
    return [
        format_mixed_number(average)
        if average.denominator == 1 or different[short] > 1
        else str(short).replace(".", get_format("DECIMAL_SEPARATOR"))
        for average, short in zip(averages, rounded, strict=True)
    ]


def append_deciding_ratings(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add the rating and average that the rule used to a sentence about an upfloat or an opponent."""
    average, rating = format_average_rating(reason), reason.get_fact("rating")
    if average is None or rating is None:
        return sentence
    facts = {"sentence": sentence, "average": average, "rating": rating}
    if reason.kind is ReasonKind.FLOATED:
        return _("%(sentence)s Rating %(rating)s, average rating of opponents %(average)s.") % facts
    facts |= {"chooser": names[reason.players[0]], "opponent": names[reason.players[1]]}
    return (
        _(
            "%(sentence)s %(chooser)s's opponents have an average rating of %(average)s. %(opponent)s's rating is "
            "%(rating)s."
        )
        % facts
    )


_ORDERS = {
    "down": gettext_lazy(
        "%(sentence)s Opponents are tried from the top of the lower half, then from the bottom of the upper half."
    ),
    "up": gettext_lazy(
        "%(sentence)s Opponents are tried from the bottom of the upper half, then from the top of the lower half."
    ),
    "colour": gettext_lazy(
        "%(sentence)s First come players in the group who aren't due the same colour, then the rest of the "
        "group, then floaters."
    ),
}

_HALVES = {
    "down": gettext_lazy(
        "%(sentence)s The group is listed by number (by total points under Jahr's rules). "
        "The upper half meets the lower half, starting from the top."
    ),
    "up": gettext_lazy(
        "%(sentence)s The group is listed by number (by total points under Jahr's rules). "
        "The lower half meets the upper half, starting from the bottom."
    ),
}
"""The order if nobody was passed over."""

_COLUMNS = {
    "first try": gettext_lazy(
        "%(sentence)s The White column is ordered by opponents' average rating, lowest first. "
        "The Black column is ordered by rating, highest first."
    ),
    "correction": gettext_lazy(
        "%(sentence)s The White column is ordered by opponents' average rating, lowest first. "
        "The Black column is ordered by rating, highest first. "
        "Opponents are tried down the Black column, then down the White column."
    ),
}
"""Dubov's order, by step."""


def append_candidate_order(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add the order of candidates to a sentence about an opponent."""
    if reason.get_fact("step") == "moved down":
        facts = {"sentence": sentence, "chooser": names[reason.players[0]]}
        return _("%(sentence)s %(chooser)s comes from a higher group, so this pair was made first.") % facts
    if reason.get_fact("step") in ("order", "transposition", "exchange"):
        return _("%(sentence)s Opponents are tried from the top of the lower half (S2).") % {"sentence": sentence}
    order = str(reason.get_fact("order"))
    words = _COLUMNS.get(str(reason.get_fact("step"))) or _ORDERS.get(order)
    if order in _HALVES and reason.get_fact("place") == 1:
        words = _HALVES[order]
    return str(words) % {"sentence": sentence} if words else sentence


def append_blocked_players(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add who had too few opponents in the median group, and who these were. Old stored reasons do not say."""
    blocked, only = reason.get_fact("blocked"), reason.get_fact("only")
    if not isinstance(blocked, tuple) or not isinstance(only, tuple):
        return sentence
    players, others = [names[player] for player in blocked], [names[player] for player in only]
    if reason.get_fact("each_other"):
        others.append(_("each other"))
    more = reason.get_fact("more_blocked")
    facts = {"sentence": sentence, "others": join_in_words(others)}
    facts["players"] = join_in_words(players, more=more if isinstance(more, int) else 0)
    if not others:
        return _("%(sentence)s In that group, %(players)s had no possible opponent.") % facts
    return _("%(sentence)s In that group, %(players)s could only play %(others)s.") % facts


def append_candidates(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add the candidates in their order to a sentence about an opponent. Old stored reasons do not name them."""
    candidates = reason.get_fact("candidates")
    if not isinstance(candidates, tuple):
        return sentence
    more, place = reason.get_fact("more"), reason.get_fact("place")
    if len(candidates) == 1 and not more and place in (None, 1):
        return _("%(sentence)s There were no other candidates.") % {"sentence": sentence}
    listed = _with_ratings(reason, "candidate", candidates, names)
    first = place - candidates.index(reason.players[1]) if isinstance(place, int) else 1
    facts = {"sentence": sentence, "first": first}
    facts["players"] = join_in_words(listed, more=more if isinstance(more, int) else 0)
    if first > 1:
        return _("%(sentence)s Candidates in order, from number %(first)s: %(players)s.") % facts
    return _("%(sentence)s Candidates in order: %(players)s.") % facts


def append_compared_players(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add who was compared for a move to the other column, in the order of the rule."""
    compared = reason.get_fact("compared")
    if not isinstance(compared, tuple):
        return sentence
    listed = join_in_words(_with_ratings(reason, "compared", compared, names))
    return _("%(sentence)s Players compared, in order: %(players)s.") % {"sentence": sentence, "players": listed}


def _with_ratings(reason: PairingReason, of: str, players: tuple[int, ...], names: PlayerNames) -> list[str]:
    """Return the names of players, with ratings and averages where the rule compares them."""
    ratings, *averages = (
        reason.get_fact(f"{of}_{fact}") for fact in ("ratings", "average_numerators", "average_denominators")
    )
    if not isinstance(ratings, tuple):
        return [names[player] for player in players]
    numerators, denominators = (fact if isinstance(fact, tuple) else () for fact in averages)
    told = _format_averages([Fraction(*parts) for parts in zip(numerators, denominators, strict=True)])
    words = _("%(player)s (rating %(rating)s, average %(average)s)")
    return [
        words % {"player": names[player], "rating": rating, "average": average}
        for player, rating, average in zip(players, ratings, told, strict=True)
    ]


def append_rule_interpretation(sentence: str, reason: PairingReason) -> str:
    """Add the rule interpretation to a sentence if the other one would have decided differently."""
    name, _between, value = str(reason.get_fact("reading") or "").partition("=")
    if (name, value) not in INTERPRETATION_TEXTS:
        return sentence
    facts = {"sentence": sentence, "article": name.partition(":")[2], "reading": INTERPRETATION_TEXTS[name, value]}
    return _("%(sentence)s Rule interpretation used for article %(article)s: %(reading)s.") % facts


def exchange_sentence(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> str:
    """Say which players were exchanged between the halves of a group."""
    facts = {
        "player": names[reason.players[0]],
        "others": _listed(reason.players[1:], names),
        "points": points(reason.get_fact("half_points")),
    }
    if reason.get_fact("half") == "S1":
        return (
            _("%(player)s moved to the upper half (S1) of the group on %(points)s, in exchange for %(others)s.") % facts
        )
    return _("%(player)s moved to the lower half (S2) of the group on %(points)s, in exchange for %(others)s.") % facts


def failed_exchange_sentence(reason: PairingReason, names: PlayerNames, because: str) -> str:
    """Name an earlier exchange and the reason it failed."""
    leaving = reason.get_fact("leaving")
    if not isinstance(leaving, int) or not leaving:
        return _("An exchange between the halves was needed. Without one, %(because)s.") % {"because": because}
    facts = {
        "leaving": _listed(reason.players[:leaving], names),
        "entering": _listed(reason.players[leaving:], names),
        "because": because,
    }
    return _("Exchanging %(leaving)s for %(entering)s came earlier in the order, but %(because)s.") % facts


def failed_exchange_count_sentence(reason: PairingReason) -> str:
    """Say how many more exchanges failed."""
    count = reason.get_fact("count")
    if reason.get_fact("at_least"):
        return _("More than %(count)s other exchanges came earlier in the order, but did not work either.") % {
            "count": count
        }
    words = ngettext(
        "%(count)s other exchange came earlier in the order, but did not work either.",
        "%(count)s other exchanges came earlier in the order, but did not work either.",
        count if isinstance(count, int) else 0,
    )
    return words % {"count": count}


def lack_of_opponents_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """Say which players have too few opponents below."""
    more = (told if isinstance(told := reason.get_fact("of"), int) else 0) - len(reason.players)
    parts = [names[tpn] for tpn in reason.players]
    if reason.get_fact("bye"):
        parts.insert(0, _("the bye"))
    facts = {"players": join_in_words(parts, more=max(more, 0)), "count": reason.get_fact("count")}
    return _("These have too few possible opponents in lower groups: %(players)s. They need %(count)s more.") % facts


def player_order_sentence(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> str:
    """Return the order of a score group: place, player, total points, and the exact value in brackets."""
    lines = (f"{line.place}. {line.name} {line.total} ({line.exact})" for line in player_order_lines(reason, names))
    return f"{player_order_heading(reason, points)} {'; '.join(lines)}."


def player_order_heading(reason: PairingReason, points: FactFormatter) -> str:
    """Return the heading of an order."""
    return _("Players on %(points)s, ordered by total points, then by the sum of opponents' totals (in brackets):") % {
        "points": points(reason.get_fact("half_points"))
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrderLine:
    """A player in the order of their score group, with formatted values."""

    tpn: PairingNumber
    place: int
    name: str
    total: str
    exact: str


def player_order_lines(reason: PairingReason, names: PlayerNames) -> tuple[PlayerOrderLine, ...]:
    """Return the players in the order that a reason states, or none for any other kind of reason."""
    if reason.kind is not ReasonKind.ORDER:
        return ()
    columns = [reason.get_fact(name) for name in ("places", "totals", "exacts")]
    places, totals, exacts = (column if isinstance(column, tuple) else () for column in columns)
    return tuple(
        PlayerOrderLine(
            tpn=tpn,
            place=place,
            name=names[tpn],
            total=_decimal(total, 2),
            exact=_decimal(exact, reason.get_fact("decimals")),
        )
        for tpn, place, total, exact in zip(reason.players, places, totals, exacts, strict=False)
    )


def ranking_sentence(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> str:
    """Say what ranked one player above another."""
    by = reason.get_fact("by")
    more, less = reason.get_fact("higher"), reason.get_fact("lower")
    facts = {"higher": names[reason.players[0]], "lower": names[reason.players[1]]}
    if by == "number":
        return (
            _("%(higher)s ranks above %(lower)s. All values are equal, so the smaller pairing number decides.") % facts
        )
    if by == "total":
        facts |= {"more": _decimal(more, 2), "less": _decimal(less, 2)}
        return _("%(higher)s ranks above %(lower)s. Total points: %(more)s against %(less)s.") % facts
    if by == "exact":
        decimals = reason.get_fact("decimals")
        facts |= {"more": _decimal(more, decimals), "less": _decimal(less, decimals)}
        return (
            _(
                "%(higher)s ranks above %(lower)s. Total points are equal, but the sum of opponents' totals "
                "is %(more)s against %(less)s."
            )
            % facts
        )
    facts |= {"more": points(more), "less": points(less)}
    return _("%(higher)s ranks above %(lower)s, with %(more)s against %(less)s.") % facts


def bye_points_sentence(reason: PairingReason, points: FactFormatter) -> str:
    """Say how many points the bye scores."""
    return _("In this event the bye is worth %(points)s.") % {"points": points(reason.get_fact("half_points"))}


def _decimal(value: ReasonFact, decimals: ReasonFact) -> str:
    """Format a number in units of ten to the power of -`decimals`, without zeros after the second place."""
    if not isinstance(value, int) or not isinstance(decimals, int):
        return ""
    text = str(Decimal(value).scaleb(-decimals))
    whole, point, places = text.partition(".")
    # Use the reader's decimal separator, as the tables nearby do.
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{places.rstrip('0'):0<2}" if point else text


def _listed(players: tuple[PairingNumber, ...], names: PlayerNames) -> str:
    return join_in_words([names[tpn] for tpn in players])


def join_in_words(parts: Sequence[str], *, more: int = 0) -> str:
    """Return "A, B and C", or "A, B, C and 4 more"."""
    if more:
        return f"{', '.join(parts)} {_('and %(n)s more') % {'n': more}}"
    if len(parts) < 2:
        return "".join(parts)
    return _("%(list)s and %(last)s") % {"list": ", ".join(parts[:-1]), "last": parts[-1]}
