"""Sentences for reasons that give evidence: orders and their causes, exchanges tried, missing opponents below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest

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

EVIDENCE_CAUSE_TEXTS = {
    DecisionCause.FARTHER_GROUP: gettext_lazy("%(floater)s is from a closer group"),
    DecisionCause.OTHER_COLOUR: gettext_lazy("a player due the other colour was needed"),
    DecisionCause.LOWER_RATING: gettext_lazy("the rating is lower"),
    DecisionCause.HIGHER_AVERAGE: gettext_lazy("the opponents' average rating is higher"),
}
"""Causes that only evidence names, as the second half of a sentence."""

CRITERION_CAUSE_TEXTS = {
    "C7": gettext_lazy("players with more points would have moved down"),
    "C8": gettext_lazy("the pairing of the next group would have been worse"),
    "C9": gettext_lazy("the bye would have gone to a player with more unplayed games"),
    "C10": gettext_lazy("more topscorers or their opponents would have got a colour difference greater than 2"),
    "C11": gettext_lazy("more topscorers or their opponents would have got the same colour 3 times in a row"),
    "B4": gettext_lazy("fewer players would have got the colour they were due"),
    "C12": gettext_lazy("fewer players would have got the colour they were due"),
    "C13": gettext_lazy("fewer strong colour preferences would have been met"),
}
"""`DecisionCause.WORSE_BY_CRITERION`: what would have become of the criteria on which most candidates fail."""

_RULES = {
    "moved_down": gettext_lazy("that would have left the moved-down players with opponents further down the order"),
    "moved_down_set": gettext_lazy(
        "that would have needed a different set of moved-down players, further down the list"
    ),
    "exchange": gettext_lazy("that would have needed an exchange further down the list"),
    "transposition": gettext_lazy("the lower half would have needed an order further down the list"),
}
"""`DecisionCause.BETTER_CANDIDATE`, by the rule that it names."""


_FLOATED_BEFORE = {
    "down": gettext_lazy("%(player)s floated down too recently, in round %(round)s"),
    "up": gettext_lazy("%(player)s floated up too recently, in round %(round)s"),
}
_FLOATED_LAST_ROUND = {
    "down": gettext_lazy("%(player)s floated down in round %(round)s"),
    "up": gettext_lazy("%(player)s floated up in round %(round)s"),
}
_CANDIDATE_FLOATED = {
    "down": gettext_lazy("they had floated down too recently, in round %(round)s"),
    "up": gettext_lazy("they had floated up too recently, in round %(round)s"),
}
"""The same where the sentence has just named the player."""


def detailed_cause_clause(reason: PairingReason, names: PlayerNames) -> str | None:
    """Return a cause with the players, values or rule that decided it. Return None if the reason has none of these.

    Old stored reasons do not give the direction of a float.
    """
    floated = _FLOATED_BEFORE.get(str(reason.get_fact("direction")))
    if floated is not None and reason.get_fact("because") == DecisionCause.FLOATED_BEFORE:
        floater = reason.get_fact("floater")
        if not isinstance(floater, int):
            floater = reason.players[1 if reason.kind is ReasonKind.PASSED_OVER else 0]
        if reason.article == "fide-1989 art. 10.10":
            floated = _FLOATED_LAST_ROUND[str(reason.get_fact("direction"))]
        if reason.kind is ReasonKind.PASSED_OVER and floater == reason.players[1]:
            floated = _CANDIDATE_FLOATED[str(reason.get_fact("direction"))]
        return str(floated) % {"player": names[floater], "round": reason.get_fact("round")}
    if (rule := _RULES.get(str(reason.get_fact("rule")))) is not None:
        return str(rule)
    far, ratings = reason.get_fact("far"), reason.get_fact("far_ratings")
    if isinstance(far, tuple) and isinstance(ratings, tuple):
        chooser, candidate = reason.players
        told = {
            "player": names[far[0]],
            "rating": ratings[0],
            "other": names[candidate if far[0] == chooser else chooser],
            "first": names[far[1]],
            "first_rating": ratings[1],
        }
        return (
            _(
                "%(player)s's rating (%(rating)s) is more than 100 points from the rating of %(other)s's first "
                "possible opponent, %(first)s (%(first_rating)s)"
            )
            % told
        )
    if reason.get_fact("chosen_rating") is not None:
        facts = {"player": names[reason.players[0]], "rating": reason.get_fact("rating")}
        facts["chosen"] = reason.get_fact("chosen_rating")
        return _("%(player)s has the lower rating (%(rating)s against %(chosen)s)") % facts
    if reason.get_fact("chosen_average_numerator") is not None:
        average, chosen = _average_rating(reason), _average_rating(reason, "chosen_average")
        averages = {"average": average, "chosen": chosen, "player": names[reason.players[0]]}
        if isinstance(average, Fraction) and isinstance(chosen, Fraction):
            averages["average"], averages["chosen"] = _format_averages([average, chosen])
        return _("%(player)s's opponents have the higher average rating (%(average)s against %(chosen)s)") % averages
    return None


def leftover_pair_text(
    reason: PairingReason, names: PlayerNames, because: Callable[[PairingReason, PlayerNames], str]
) -> str | None:
    """Return who would be left with whom and why they cannot meet, or None if the reason does not say."""
    left = reason.get_fact("left")
    if not isinstance(left, tuple):
        return None
    told = tuple((name, reason.get_fact(f"left_{name}")) for name in ("because", "colour", "round"))
    apart = replace(reason, kind=ReasonKind.PASSED_OVER, facts=told)
    facts = {"one": names[left[0]], "other": names[left[1]], "because": because(apart, names)}
    return _("then only %(one)s and %(other)s would have been left, and %(because)s") % facts


def deciding_average(reason: PairingReason) -> str | None:
    """Format the average that decided the colours, with the other player's average if the reason has it."""
    average, other = _average_rating(reason), _average_rating(reason, "other_average")
    if not isinstance(average, Fraction) or not isinstance(other, Fraction):
        return format_average_rating(reason)
    higher, lower = _format_averages([average, other])
    return _("%(value)s against %(other)s") % {"value": higher, "other": lower}


def deciding_rating(reason: PairingReason) -> str:
    """Format the rating that decided the colours, with the other player's rating if the reason has it."""
    rating, other = reason.get_fact("rating"), reason.get_fact("other_rating")
    return str(rating) if other is None else _("%(value)s against %(other)s") % {"value": rating, "other": other}


def format_average_rating(reason: PairingReason) -> str | None:
    """Format a reason's average with one decimal. Old stored reasons already have it as text."""
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


_ORDERS = {
    "down": gettext_lazy(
        "%(sentence)s The players not yet paired are split into halves. Opponents are tried from the top of the "
        "lower half, then from the bottom of the upper half."
    ),
    "up": gettext_lazy(
        "%(sentence)s The players not yet paired are split into halves. Opponents are tried from the bottom of the "
        "upper half, then from the top of the lower half."
    ),
    "colour": gettext_lazy(
        "%(sentence)s Players in the group who aren't due the same colour are tried first, then the rest of "
        "the group, then floaters. Each part is tried from the top."
    ),
    "floater": gettext_lazy(
        "%(sentence)s Players who haven't floated are tried first, then players due the other colour, then "
        "players with the highest rating."
    ),
    "colour_near": gettext_lazy(
        "%(sentence)s Players in the group who aren't due the same colour are tried first. Their rating must "
        "be within 100 points of the first possible opponent's. The rest of the group and floaters come after "
        "them. Each part is tried from the top."
    ),
    "colour_up_near": gettext_lazy(
        "%(sentence)s Players in the group who aren't due the same colour are tried first. Their rating must "
        "be within 100 points of the first possible opponent's. The rest of the group and floaters come after "
        "them. Each part is tried from the bottom."
    ),
    "colour_up": gettext_lazy(
        "%(sentence)s Players in the group who aren't due the same colour are tried first, then the rest of "
        "the group, then floaters. Each part is tried from the bottom."
    ),
}

_HALVES = {
    "down": gettext_lazy("%(sentence)s The upper half meets the lower half, starting from the top."),
    "up": gettext_lazy("%(sentence)s The lower half meets the upper half, starting from the bottom."),
}
"""The order where a player meets the one in the same place of the other half."""

_IN_COLUMNS = ("first try", "correction")

_DOWN_THE_COLUMNS = gettext_lazy(
    "%(sentence)s Opponents are tried in order, first in the Black column and then in the White column."
)
"""Dubov's order."""


def append_candidate_order(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add the order of candidates to a sentence about an opponent."""
    if reason.get_fact("step") == "moved down":
        facts = {"sentence": sentence, "chooser": names[reason.players[0]]}
        return _("%(sentence)s %(chooser)s comes from a higher group, so this pair was made first.") % facts
    if reason.get_fact("step") in ("order", "transposition", "exchange"):
        return _("%(sentence)s Opponents are tried from the top of the lower half (S2).") % {"sentence": sentence}
    order = str(reason.get_fact("order"))
    if reason.get_fact("near_ratings") is not None:
        order = f"{order}_near"
    if reason.get_fact("step") == "floater":
        order = "floater"
    words = _DOWN_THE_COLUMNS if reason.get_fact("step") in _IN_COLUMNS else _ORDERS.get(order)
    if order in _HALVES and reason.article == "fide-1989 art. 9.4":
        words = _HALVES[order]
    return str(words) % {"sentence": sentence} if words else sentence


def append_candidates(sentence: str, reason: PairingReason, names: PlayerNames) -> str:
    """Add the candidates in their order to a sentence about an opponent. Old stored reasons do not name them."""
    candidates = reason.get_fact("candidates")
    if not isinstance(candidates, tuple):
        return sentence
    more, place = reason.get_fact("more"), reason.get_fact("place")
    before = reason.get_fact("paired_before")
    if isinstance(before, tuple):
        sentence = _("%(sentence)s Already paired: %(pairs)s.") % {
            "sentence": sentence,
            "pairs": pairs_in_words(before, names),
        }
    if len(candidates) == 1 and not more and place in (None, 1):
        return _("%(sentence)s There were no other candidates.") % {"sentence": sentence}
    listed = _with_dues(reason, candidates, names)
    first = place - candidates.index(reason.players[1]) if isinstance(place, int) else 1
    facts = {"sentence": sentence, "first": first}
    facts["players"] = join_in_words(listed, more=more if isinstance(more, int) else 0)
    if first > 1:
        return _("%(sentence)s Candidates in order, from number %(first)s: %(players)s.") % facts
    return _("%(sentence)s Candidates in order: %(players)s.") % facts


def pairs_in_words(flat: Sequence[PairingNumber], names: PlayerNames) -> str:
    """Return pairs as "A – B, C – D" from their players, one after the other."""
    return ", ".join(f"{names[one]} – {names[other]}" for one, other in zip(flat[::2], flat[1::2], strict=True))


_DUE_COLOURS = {
    "w": (gettext_lazy("due White"), gettext_lazy("must have White")),
    "b": (gettext_lazy("due Black"), gettext_lazy("must have Black")),
}
"""What is said of a player due a colour, and of one who must have it."""


def names_with_due_colours(
    reason: PairingReason,
    players: Sequence[PairingNumber],
    names: PlayerNames,
    *,
    residents: int | None = None,
    ratings: Sequence[str] = (),
) -> list[str]:
    """Name players with the colours they are due and who may not float, if the reason says so.

    Those after `residents` floated.
    """
    white, black, must, kept, moved, up = (
        fact if isinstance(fact := reason.get_fact(name), tuple) else ()
        for name in ("due_white", "due_black", "must", "kept", "moved", "moved_up")
    )
    told = []
    for number, tpn in enumerate(players):
        has_moved = tpn in moved or (residents is not None and number >= residents)
        details = [_("floater")] if has_moved else [_("moved up")] if tpn in up else []
        details += [str(_DUE_COLOURS[due][tpn in must]) for due, who in (("w", white), ("b", black)) if tpn in who]
        details += [_("can't be left over")] if tpn in kept else []
        details += ratings[number : number + 1]
        told.append(f"{names[tpn]} ({', '.join(details)})" if details else names[tpn])
    return told


def _with_dues(reason: PairingReason, candidates: tuple[int, ...], names: PlayerNames) -> list[str]:
    """Name the candidates with the colours they are due where these decided, and mark those who floated."""
    sections, place = reason.get_fact("sections"), reason.get_fact("place")
    residents = None
    if isinstance(sections, tuple) and isinstance(place, int):
        residents = sections[0] + sections[1] - (place - candidates.index(reason.players[1]) - 1)
    # The columns already show the values of their players.
    ratings = [] if reason.get_fact("step") in _IN_COLUMNS else ratings_in_words(reason, "candidate_")
    near = reason.get_fact("near_ratings")
    if isinstance(near, tuple):
        ratings = [_("rating %(rating)s") % {"rating": rating} for rating in near]
    return names_with_due_colours(reason, candidates, names, residents=residents, ratings=ratings)


def ratings_in_words(reason: PairingReason, of: str) -> list[str]:
    """Return the rating and average of each player that a reason compares. `of` is the prefix of the facts' names."""
    return [rating_in_words(rating, average) for rating, average in ratings_and_averages(reason, of)]


def rating_in_words(rating: int, average: str) -> str:
    """Return a rating and the opponents' average. The average is empty before the first opponent."""
    facts = {"rating": rating, "average": average}
    if average:
        return _("rating %(rating)s, opponents' average %(average)s") % facts
    return _("rating %(rating)s, no opponents yet") % facts


def ratings_and_averages(reason: PairingReason, of: str) -> list[tuple[int, str]]:
    """Return the rating and the formatted average of each player. Empty if the reason has none.

    The average is empty for a player without opponents. Old stored reasons give 0 as their average.
    """
    ratings, *averages = (
        reason.get_fact(f"{of}{fact}") for fact in ("ratings", "average_numerators", "average_denominators")
    )
    if not isinstance(ratings, tuple):
        return []
    numerators, denominators = (fact if isinstance(fact, tuple) else () for fact in averages)
    parts = [*zip(numerators, denominators, strict=True)]
    told = iter(_format_averages([Fraction(above, below) for above, below in parts if below]))
    return [(rating, next(told) if below else "") for rating, (_above, below) in zip(ratings, parts, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRow:
    """One row of Dubov's two columns: a player in each, with rating and average. `number` counts from 1."""

    number: int
    white: ColumnCell | None
    black: ColumnCell | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnCell:
    """A player in a column, with the values that order it. `average` is empty before the first opponent."""

    tpn: PairingNumber
    name: str
    rating: int
    average: str
    floated: str = ""


def column_rows(reason: PairingReason, names: PlayerNames) -> tuple[ColumnRow, ...]:
    """Return the rows that a reason lists, or none for any other kind of reason."""
    whites, first = reason.get_fact("whites"), reason.get_fact("first")
    if reason.kind is not ReasonKind.COLUMNS or not isinstance(whites, int) or not isinstance(first, int):
        return ()
    floated = {
        tpn: word
        for fact, word in (("moved_up", _("moved up")), ("moved", _("floater")))
        if isinstance(players := reason.get_fact(fact), tuple)
        for tpn in players
    }
    cells = [
        ColumnCell(tpn=tpn, name=names[tpn], rating=rating, average=average, floated=floated.get(tpn, ""))
        for tpn, (rating, average) in zip(reason.players, ratings_and_averages(reason, ""), strict=True)
    ]
    rows = zip_longest(cells[:whites], cells[whites:])
    return tuple(
        ColumnRow(number=number, white=white, black=black) for number, (white, black) in enumerate(rows, start=first)
    )


def columns_heading(reason: PairingReason, names: PlayerNames) -> str:
    """Return the heading of the two columns."""
    heading = _("White column: lowest average rating of opponents first. Black column: highest rating first.")
    first, of = reason.get_fact("first"), reason.get_fact("of")
    last = first + len(column_rows(reason, names)) - 1 if isinstance(first, int) else 0
    if isinstance(of, int) and (first != 1 or last < of):
        facts = {"sentence": heading, "first": first, "last": last, "of": of}
        return _("%(sentence)s Rows %(first)s to %(last)s of %(of)s:") % facts
    return heading


def columns_sentence(reason: PairingReason, names: PlayerNames) -> str:
    """List both columns from the top."""
    rows = column_rows(reason, names)
    white, black = (
        [
            f"{cell.name} ({rating_in_words(cell.rating, cell.average)})"
            + (f" ({cell.floated})" if cell.floated else "")
            for cell in column
            if cell
        ]
        for column in ([row.white for row in rows], [row.black for row in rows])
    )
    facts = {"sentence": columns_heading(reason, names), "white": "; ".join(white), "black": "; ".join(black)}
    if not black:
        return _("%(sentence)s White: %(white)s. The Black column is empty.") % facts
    if not white:
        return _("%(sentence)s The White column is empty. Black: %(black)s.") % facts
    return _("%(sentence)s White: %(white)s. Black: %(black)s.") % facts


def append_rule_interpretation(sentence: str, reason: PairingReason) -> str:
    """Add the rule interpretation to a sentence if another interpretation would have decided differently."""
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
    if not parts and reason.get_fact("bye"):
        return _("Nobody in lower groups could have the bye.")
    count = reason.get_fact("count")
    short = ngettext(
        "The lower groups are %(count)s player short.",
        "The lower groups are %(count)s players short.",
        count if isinstance(count, int) else 0,
    )
    facts = {"players": join_in_words(parts, more=max(more, 0)), "sentence": short % {"count": count}}
    if reason.get_fact("bye"):
        return _("%(sentence)s Still without an opponent: %(players)s. Somebody must also have the bye.") % facts
    return _("%(sentence)s Still without an opponent: %(players)s.") % facts


def player_order_sentence(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> str:
    """Return the order of a score group: place, player, total points, and the exact value in brackets."""
    lines = (
        f"{line.place}. {line.name} {line.total} ({line.exact}){f', {line.note}' if line.note else ''}"
        for line in player_order_lines(reason, names)
    )
    return f"{player_order_heading(reason, points)} {'; '.join(lines)}."


def player_order_heading(reason: PairingReason, points: FactFormatter) -> str:
    """Return the heading of an order."""
    return _("Players on %(points)s, ordered by total points, then by the sum of opponents' totals (in brackets):") % {
        "points": points(reason.get_fact("half_points"))
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrderLine:
    """A player in the order of their score group, with formatted values. `note` says if they were no longer free."""

    tpn: PairingNumber
    place: int
    name: str
    total: str
    exact: str
    note: str = ""


def player_order_lines(reason: PairingReason, names: PlayerNames) -> tuple[PlayerOrderLine, ...]:
    """Return the players in the order that a reason states, or none for any other kind of reason."""
    if reason.kind is not ReasonKind.ORDER:
        return ()
    columns = [reason.get_fact(name) for name in ("places", "totals", "exacts")]
    places, totals, exacts = (column if isinstance(column, tuple) else () for column in columns)
    notes: dict[PairingNumber, str] = {}
    told_notes = {
        "paired": _("already paired"),
        "floated": _("floated"),
        "absent": _("not playing"),
        "with_bye": _("has the bye"),
    }
    for fact, note in told_notes.items():
        gone = reason.get_fact(fact)
        notes |= dict.fromkeys(gone if isinstance(gone, tuple) else (), note)
    return tuple(
        PlayerOrderLine(
            tpn=tpn,
            place=place,
            name=names[tpn],
            total=_decimal(total, 2),
            exact=_decimal(exact, reason.get_fact("decimals")),
            note=notes.get(tpn, ""),
        )
        for tpn, place, total, exact in zip(reason.players, places, totals, exacts, strict=False)
    )


def ranking_sentence(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> str:
    """Say what ranked one player above another."""
    by = reason.get_fact("by")
    more, less = reason.get_fact("higher"), reason.get_fact("lower")
    facts = {"higher": names[reason.players[0]], "lower": names[reason.players[1]]}
    if by == "number":
        return _("%(higher)s ranks above %(lower)s. All values are equal, so the lower pairing number decides.") % facts
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
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{places.rstrip('0'):0<2}" if point else text


def _listed(players: tuple[PairingNumber, ...], names: PlayerNames) -> str:
    return join_in_words([names[tpn] for tpn in players])


def _between(parts: Sequence[str]) -> str:
    """Return what separates parts: a semicolon if a part, such as a name, has a comma itself."""
    return "; " if any(", " in part for part in parts) else ", "


def join_in_words(parts: Sequence[str], *, more: int = 0) -> str:
    """Return "A, B and C", or "A, B, C and 4 more"."""
    if more:
        return " ".join((_between(parts).join(parts), _("and %(n)s more") % {"n": more}))
    if len(parts) < 2:
        return "".join(parts)
    return _("%(list)s and %(last)s") % {"list": _between(parts).join(parts[:-1]), "last": parts[-1]}


def join_alternatives(parts: Sequence[str]) -> str:
    """Return "A, B or C"."""
    if len(parts) < 2:
        return "".join(parts)
    return _("%(list)s or %(last)s") % {"list": _between(parts).join(parts[:-1]), "last": parts[-1]}
