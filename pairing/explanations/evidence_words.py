"""Sentences of the reasons that give evidence: orders and what made them, exchanges tried, who is in want below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pairing.engine.paired_round import Cause, Fact, Reason, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.engine.systems.dubov_1997.averages import mixed_number
from tournaments.events.reading_words import READING_WORDS

Names = Mapping[PairingNumber, str]
Words = Callable[[Fact], str]
"""Points or a cause in words."""

_TOO_SOON = gettext_lazy("somebody would have floated again too soon")

CAUSES = {
    Cause.MORE_FLOATS: _TOO_SOON,
    Cause.FARTHER_GROUP: gettext_lazy("the group is farther away"),
    Cause.OTHER_COLOUR: gettext_lazy("the colour due is not the one wanted"),
    Cause.LOWER_RATING: gettext_lazy("the rating is lower"),
    Cause.HIGHER_AVERAGE: gettext_lazy("the average rating of opponents is higher"),
}
"""Causes that only evidence names, as the second half of a sentence."""

CRITERIA = {
    "C12": gettext_lazy("fewer players would have had the colour they are due"),
    "C13": gettext_lazy("fewer players would have had a colour that they are due strongly"),
    "C14": _TOO_SOON,
    "C15": _TOO_SOON,
    "C16": _TOO_SOON,
    "C17": _TOO_SOON,
}
"""`Cause.WORSE_BY_CRITERION`: what would have become of the criteria on which most candidates fail."""

_RULES = {
    "moved_down": gettext_lazy("the players moved down would have had opponents later in the order"),
    "exchange": gettext_lazy("a later exchange between the halves would have been needed"),
    "transposition": gettext_lazy("the lower half would have stood in a later order"),
}
"""`Cause.BETTER_CANDIDATE`, by the rule that it names."""


_FLOATED_BEFORE = {
    "down": gettext_lazy("%(player)s floated down in round %(round)s, too short a time ago"),
    "up": gettext_lazy("%(player)s floated up in round %(round)s, too short a time ago"),
}


def more_of_cause(reason: Reason, names: Names) -> str | None:
    """A cause told with the players and values that decided, or by its rule; None where the reason has none.

    Reasons of long ago state no direction of a float.
    """
    floated = _FLOATED_BEFORE.get(str(reason.fact("direction")))
    if floated is not None and reason.fact("because") == Cause.FLOATED_BEFORE:
        floater = reason.fact("floater")
        if not isinstance(floater, int):
            floater = reason.players[1 if reason.kind is ReasonKind.PASSED_OVER else 0]
        return str(floated) % {"player": names[floater], "round": reason.fact("round")}
    if (rule := _RULES.get(str(reason.fact("rule")))) is not None:
        return str(rule)
    if reason.fact("chosen_rating") is not None:
        facts = {"player": names[reason.players[0]], "rating": reason.fact("rating")}
        facts["chosen"] = reason.fact("chosen_rating")
        return _("%(player)s has the lower rating, %(rating)s against %(chosen)s") % facts
    if reason.fact("chosen_average_numerator") is not None:
        averages = {"average": average_text(reason), "chosen": average_text(reason, "chosen_average")}
        averages["player"] = names[reason.players[0]]
        return _("%(player)s has the higher average of opponents, %(average)s against %(chosen)s") % averages
    return None


def left_apart(reason: Reason, names: Names, because: Callable[[Reason, Names], str]) -> str | None:
    """Who would have been left with whom, and why that is no pair; None where the reason does not say."""
    left = reason.fact("left")
    if not isinstance(left, tuple):
        return None
    apart = replace(reason, facts=(("because", reason.fact("left_because")), ("round", reason.fact("left_round"))))
    facts = {"one": names[left[0]], "other": names[left[1]], "because": because(apart, names)}
    return _("%(one)s and %(other)s would have been left, and %(because)s") % facts


def average_text(reason: Reason, of: str = "average") -> str | None:
    """The average a reason states, in full; reasons of long ago hold it as text."""
    numerator, denominator = reason.fact(f"{of}_numerator"), reason.fact(f"{of}_denominator")
    if isinstance(numerator, int) and isinstance(denominator, int):
        return mixed_number(Fraction(numerator, denominator))
    told = reason.fact(of)
    return None if told is None else str(told)


def with_values(sentence: str, reason: Reason) -> str:
    """A sentence of moving up or of an opponent, with the rating and the average that the rule asked for."""
    average, rating = average_text(reason), reason.fact("rating")
    if average is None or rating is None:
        return sentence
    facts = {"sentence": sentence, "average": average, "rating": rating}
    if reason.kind is ReasonKind.FLOATED:
        return _("%(sentence)s Rating %(rating)s, average of opponents %(average)s.") % facts
    return _("%(sentence)s Average of opponents of the one, %(average)s; rating of the other, %(rating)s.") % facts


_ORDERS = {
    "down": gettext_lazy("%(sentence)s The order: the lower half from its top, then the upper half from its bottom."),
    "up": gettext_lazy("%(sentence)s The order: the upper half from its bottom, then the lower half from its top."),
    "colour": gettext_lazy(
        "%(sentence)s The order: those of the group who are not due the same colour, its others, then floaters."
    ),
}


def with_order(sentence: str, reason: Reason, names: Names) -> str:
    """A sentence of an opponent with the order in which he stood, where it is not plain: not the first of a half."""
    if reason.fact("step") == "moved down":
        facts = {"sentence": sentence, "chooser": names[reason.players[0]]}
        return _("%(sentence)s Such pairs are formed first: %(chooser)s comes from a higher group.") % facts
    order = str(reason.fact("order"))
    if order not in _ORDERS or (order != "colour" and reason.fact("place") == 1):
        return sentence
    return str(_ORDERS[order]) % {"sentence": sentence}


def with_reading(sentence: str, reason: Reason) -> str:
    """A sentence with the reading of the document that decided, where the other one would have decided otherwise."""
    name, _between, value = str(reason.fact("reading") or "").partition("=")
    if (name, value) not in READING_WORDS:
        return sentence
    facts = {"sentence": sentence, "article": name.partition(":")[2], "reading": READING_WORDS[name, value]}
    return _("%(sentence)s Article %(article)s is read so: %(reading)s.") % facts


def exchanged(reason: Reason, names: Names, points: Words) -> str:
    """Who was exchanged between the halves of which group, and for whom."""
    facts = {
        "player": names[reason.players[0]],
        "others": _listed(reason.players[1:], names),
        "points": points(reason.fact("half_points")),
    }
    if reason.fact("half") == "S1":
        return (
            _("In the group of %(points)s %(player)s came into the upper half (S1) in exchange for %(others)s.") % facts
        )
    return _("In the group of %(points)s %(player)s went into the lower half (S2) in exchange for %(others)s.") % facts


def exchange_tried(reason: Reason, names: Names, because: str) -> str:
    """An earlier exchange, and what it failed on."""
    leaving = reason.fact("leaving")
    if not isinstance(leaving, int) or not leaving:
        return _("Without an exchange between the halves it would not do: %(because)s.") % {"because": because}
    facts = {
        "leaving": _listed(reason.players[:leaving], names),
        "entering": _listed(reason.players[leaving:], names),
        "because": because,
    }
    return _("%(leaving)s exchanged for %(entering)s stood before, but would not do: %(because)s.") % facts


def exchanges_tried(reason: Reason) -> str:
    """How many more exchanges failed."""
    count = reason.fact("count")
    if reason.fact("at_least"):
        return _("More than %(count)s further exchanges stood before and would not do either.") % {"count": count}
    words = ngettext(
        "%(count)s further exchange stood before and would not do either.",
        "%(count)s further exchanges stood before and would not do either.",
        count if isinstance(count, int) else 0,
    )
    return words % {"count": count}


def in_want(reason: Reason, names: Names) -> str:
    """Who is short of opponents below."""
    more = (told if isinstance(told := reason.fact("of"), int) else 0) - len(reason.players)
    parts = [names[tpn] for tpn in reason.players]
    if more > 0:
        parts.append(_("%(count)s more") % {"count": more})
    if reason.fact("bye"):
        parts.append(_("the bye"))
    facts = {"players": ", ".join(parts), "count": reason.fact("count")}
    return _("Too few opponents for one another have, further down: %(players)s. Missing: %(count)s.") % facts


def order(reason: Reason, names: Names, points: Words) -> str:
    """The order of a score group: place, player, total points and, in brackets, exact value."""
    lines = (f"{line.place}. {line.name} {line.total} ({line.exact})" for line in order_lines(reason, names))
    return f"{order_heading(reason, points)} {'; '.join(lines)}."


def order_heading(reason: Reason, points: Words) -> str:
    """What stands above the lines of an order."""
    return _("Order of those with %(points)s by total points (exact value):") % {
        "points": points(reason.fact("half_points"))
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLine:
    """A player in the order of his score group, his values as they are read."""

    tpn: PairingNumber
    place: int
    name: str
    total: str
    exact: str


def order_lines(reason: Reason, names: Names) -> tuple[OrderLine, ...]:
    """The lines of an order; none of any other reason."""
    if reason.kind is not ReasonKind.ORDER:
        return ()
    columns = [reason.fact(name) for name in ("places", "totals", "exacts")]
    places, totals, exacts = (column if isinstance(column, tuple) else () for column in columns)
    return tuple(
        OrderLine(
            tpn=tpn,
            place=place,
            name=names[tpn],
            total=_decimal(total, 2),
            exact=_decimal(exact, reason.fact("decimals")),
        )
        for tpn, place, total, exact in zip(reason.players, places, totals, exacts, strict=False)
    )


def ranked(reason: Reason, names: Names, points: Words) -> str:
    """What put one player before another."""
    by = reason.fact("by")
    more, less = reason.fact("higher"), reason.fact("lower")
    facts = {"higher": names[reason.players[0]], "lower": names[reason.players[1]]}
    if by == "number":
        return _("%(higher)s stands before %(lower)s: all values are equal, and the smaller number decides.") % facts
    if by == "total":
        facts |= {"more": _decimal(more, 2), "less": _decimal(less, 2)}
        return _("%(higher)s stands before %(lower)s: total points %(more)s against %(less)s.") % facts
    if by == "exact":
        decimals = reason.fact("decimals")
        facts |= {"more": _decimal(more, decimals), "less": _decimal(less, decimals)}
        return (
            _("%(higher)s stands before %(lower)s: equal total points, exact value %(more)s against %(less)s.") % facts
        )
    facts |= {"more": points(more), "less": points(less)}
    return _("%(higher)s stands before %(lower)s: %(more)s against %(less)s.") % facts


def worth(reason: Reason, points: Words) -> str:
    """What the bye is worth."""
    return _("The bye is worth %(points)s here.") % {"points": points(reason.fact("half_points"))}


def _decimal(value: Fact, decimals: Fact) -> str:
    """A whole number of units of ten to the power of -`decimals`, without noughts beyond the second place."""
    if not isinstance(value, int) or not isinstance(decimals, int):
        return ""
    text = str(Decimal(value).scaleb(-decimals))
    whole, point, places = text.partition(".")
    # With the reader's point or comma, as the tables beside the sentence have it.
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{places.rstrip('0'):0<2}" if point else text


def _listed(players: tuple[PairingNumber, ...], names: Names) -> str:
    return ", ".join(names[tpn] for tpn in players)
