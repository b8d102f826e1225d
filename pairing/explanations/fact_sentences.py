"""Sentences for the players and numbers that a reason rests on. They follow the reason's own sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason, ReasonFact, ReasonKind
from pairing.engine.snapshot import Colour, PairingNumber
from pairing.explanations.evidence_sentences import (
    FactFormatter,
    PlayerNames,
    join_alternatives,
    join_in_words,
    leftover_pair_text,
    names_with_due_colours,
    pairs_in_words,
    ratings_in_words,
)


def append_facts(
    sentence: str, reason: PairingReason, names: PlayerNames, points: FactFormatter, because: CauseFormatter
) -> str:
    """Add all facts of a reason that other sentences leave out. Old stored reasons have none."""
    said = (
        sentence,
        *_changed_turn(reason, names),
        *_shortage(reason, names, because),
        *_obstacles(reason, names),
        *_order_of_floaters(reason, names),
        *_compared(reason, names, points),
        *_numbers(reason, names),
        *_earlier_floats(reason, names),
        *_halves(reason, names),
        *_met_pairs(reason, names),
        *_kept(reason, names, because),
        *([_("Nobody in the upper half (S1) is left over.")] if reason.get_fact("in_upper") else []),
        *_lowest_bye(reason, points),
        *_forfeited(reason),
        *_split_pair(reason, names),
        *_colours(reason, names, points),
        *_bye_order(reason, names, points),
    )
    return " ".join(said)


CauseFormatter = Callable[[PairingReason, PlayerNames], str]
"""Formats the cause of a reason as the second half of a sentence."""

# -- Who may not meet whom ---------------------------------------------------------------------------------------------


def _obstacles(reason: PairingReason, names: PlayerNames) -> list[str]:
    """Say why a player had no opponent among others: whom they met, and what else keeps them apart."""
    if reason.get_fact("alone"):
        if reason.get_fact("because") == DecisionCause.NO_OPPONENT:
            return []
        return [_("There was nobody else in that group.")]
    whose = reason.get_fact("whose")
    if not isinstance(whose, int):
        return []
    player, said = names[whose], []
    met = _players(reason, "met")
    more = reason.get_fact("more_mates")
    if met:
        rounds = _players(reason, "met_rounds")
        played = [
            _("%(player)s (round %(round)s)") % {"player": names[other], "round": number}
            for other, number in zip(met, rounds, strict=True)
        ]
        others = join_in_words(played, more=more if isinstance(more, int) else 0)
        said.append(_("%(player)s has already played %(others)s.") % {"player": player, "others": others})
    for fact, words in (("forbidden", _FORBIDDEN), (_bound_by(reason), _BOUND), ("floaters", _FLOATED_TOO)):
        others_there = _players(reason, "bound" if fact in ("w", "b") else fact)
        if others_there:
            text = words[fact] if isinstance(words, Mapping) else words
            said.append(str(text) % {"player": player, "others": _listed(others_there, names)})
    return said


def _bound_by(reason: PairingReason) -> str:
    return str(reason.get_fact("colour") or "")


_FORBIDDEN = gettext_lazy("A rule of the event keeps %(player)s apart from %(others)s.")
_BOUND = {
    "w": gettext_lazy("%(player)s must have White, and so must %(others)s."),
    "b": gettext_lazy("%(player)s must have Black, and so must %(others)s."),
}
_FLOATED_TOO = gettext_lazy("Players who float down don't meet each other. This rules out %(others)s.")


def _shortage(reason: PairingReason, names: PlayerNames, because: CauseFormatter) -> list[str]:
    """Say who would have been left without an opponent."""
    if reason.kind is ReasonKind.LACK_OPPONENTS:
        return _lacking(reason, names)
    over = _players(reason, "left_over")
    if over:
        facts = {"players": _listed(over, names)}
        if reason.get_fact("over_because") not in (None, reason.get_fact("because")):
            facts["because"] = because(_reason_against(reason), names)
            if reason.get_fact("no_clashes"):
                return [_("Avoiding every colour clash would have left %(players)s over, but %(because)s.") % facts]
            return [_("Then %(players)s would have been left over, but %(because)s.") % facts]
        if len(over) != reason.get_fact("to_float"):
            facts["players"] = join_alternatives([names[tpn] for tpn in over])
        return [_("Then %(players)s would have been left over.") % facts]
    if reason.kind is not ReasonKind.PASSED_OVER or reason.get_fact("because") != DecisionCause.BLOCKS_GROUP:
        # A candidate passed over has them in its own sentence.
        left = leftover_pair_text(reason, names, because)
        if left:
            return [f"{left[0].upper()}{left[1:]}."]
    blocked, only = reason.get_fact("blocked"), _players(reason, "only")
    if not isinstance(blocked, tuple):
        return []
    others = [names[player] for player in only]
    if reason.get_fact("each_other"):
        others.append(_("each other"))
    more = reason.get_fact("more_blocked")
    facts = {
        "players": join_in_words([names[one] for one in blocked], more=more if isinstance(more, int) else 0),
        "others": join_in_words(others),
    }
    if reason.kind is ReasonKind.FLOATED:
        if not others:
            return [_("In that group, %(players)s had no possible opponent.") % facts]
        return [_("In that group, %(players)s could only play %(others)s.") % facts]
    if reason.get_fact("no_clashes") and reason.get_fact("in_halves"):
        if not others:
            return [_("Then nobody in the other half could have played %(players)s without a colour clash.") % facts]
        return [
            _("Then, in the other half, only %(others)s could have played %(players)s without a colour clash.") % facts
        ]
    if reason.get_fact("no_clashes"):
        if not others:
            return [_("Then nobody in the group could have played %(players)s without a colour clash.") % facts]
        return [_("Then only %(others)s could have played %(players)s without a colour clash.") % facts]
    if reason.kind is ReasonKind.EXCHANGE_TRIED or reason.get_fact("in_halves"):
        if not others:
            return [_("%(players)s would have had no possible opponent in the other half.") % facts]
        return [_("%(players)s could only have played %(others)s in the other half.") % facts]
    if not others:
        return [_("%(players)s would have had no possible opponent.") % facts]
    said = [_("%(players)s could only have played %(others)s.") % facts]
    leaving = reason.get_fact("to_float")
    if leaving:
        said.append(_("No more than %(count)s could have been left over.") % {"count": leaving})
    return said


def _reason_against(reason: PairingReason) -> PairingReason:
    """Return the reason why the player left over could not float."""
    facts = tuple((name.removeprefix("over_"), value) for name, value in reason.facts if name.startswith("over_"))
    players = (*_players(reason, "left_over"), *_players(reason, "instead"))
    return replace(reason, kind=ReasonKind.STAYED, players=players, facts=facts)


def _lacking(reason: PairingReason, names: PlayerNames) -> list[str]:
    if reason.get_fact("only") is None:
        return []
    others = [names[player] for player in _players(reason, "only")]
    if reason.get_fact("each_other"):
        others.append(_("each other"))
    if not others:
        return [_("Nobody in the lower groups can play them.")] if reason.players else []
    if len(others) == 1 and not reason.get_fact("each_other"):
        return [_("The only possible opponent is %(other)s.") % {"other": others[0]}]
    return [_("The only possible opponents are %(others)s.") % {"others": join_in_words(others)}]


def _lowest_bye(reason: PairingReason, points: FactFormatter) -> list[str]:
    """Say how low the score of the bye could be (2026, C5)."""
    score = reason.get_fact("bye_half_points")
    if score is None:
        return []
    return [_("The lowest possible score for the bye was %(points)s.") % {"points": points(score)}]


def _forfeited(reason: PairingReason) -> list[str]:
    """Say that two players may meet although they were paired before."""
    number = reason.get_fact("forfeited")
    if number is None:
        return []
    return [_("Their game in round %(round)s was forfeited, so they can still meet.") % {"round": number}]


# -- Orders and comparisons --------------------------------------------------------------------------------------------


def _order_of_floaters(reason: PairingReason, names: PlayerNames) -> list[str]:
    order, more = _players(reason, "float_order"), reason.get_fact("more_members")
    said = []
    if together := _players(reason, "floaters_together"):
        said.append(_("Players who floated from that group: %(players)s.") % {"players": _listed(together, names)})
    if not order:
        return said
    if len(order) == 1:
        return [_("There was nobody else in that group.")]
    listed = names_with_due_colours(reason, order, names)
    players = join_in_words(listed, more=more if isinstance(more, int) else 0)
    return [*said, _("Candidates for floating, in order: %(players)s.") % {"players": players}]


_DUE = {
    "w": gettext_lazy("%(player)s (%(details)s, due White)"),
    "b": gettext_lazy("%(player)s (%(details)s, due Black)"),
    "-": "%(player)s (%(details)s)",
}


_COMPARED_ORDERS = {
    "4": gettext_lazy("The order is lowest score first, then lowest rating."),
    "6.4": gettext_lazy(
        "Players who haven't floated yet come first, then players with an opponent in the next group, then "
        "players with the lowest rating."
    ),
    "7.1": gettext_lazy("The order is nearest group first, then players due the other colour, then highest rating."),
    "7.3": gettext_lazy("The order is lowest average first, then highest rating."),
    "7.4": gettext_lazy("The order is highest average first, then lowest rating."),
}
"""The orders of Dubov's articles."""

_COMPLETING_ORDERS = {
    "w": gettext_lazy("The order is nearest group first, then players due Black, then highest rating."),
    "b": gettext_lazy("The order is nearest group first, then players due White, then highest rating."),
}
_ANY_COLOUR_ORDER = gettext_lazy("The order is nearest group first, then highest rating.")
"""Article 7.2, by the colour that most players of the group are due."""


def _compared(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> list[str]:
    """List the players whose ratings a rule compared, in its order."""
    compared = _players(reason, "compared")
    if not compared:
        return []
    scores, dues = _players(reason, "compared_half_points"), reason.get_fact("compared_dues")
    details = ratings_in_words(reason, "compared_")
    if scores and isinstance(dues, str):
        details = [f"{points(score)}, {ratings}" for score, ratings in zip(scores, details, strict=True)]
    listed = [
        str(_DUE[due]) % {"player": names[one], "details": detail}
        for one, detail, due in zip(
            compared, details, dues if isinstance(dues, str) else "-" * len(compared), strict=True
        )
    ]
    said = [_("Players compared, in order: %(players)s.") % {"players": join_in_words(listed)}]
    number, due = str(reason.article.rpartition(" ")[2]), reason.get_fact("due")
    if number == "7.2":
        said.insert(0, str(_COMPLETING_ORDERS.get(str(due), _ANY_COLOUR_ORDER)))
    elif order := _COMPARED_ORDERS.get(number):
        said.insert(0, str(order))
    if reason.get_fact("because") == DecisionCause.OPPONENT_WANTED and due:
        said.insert(0, due_colour_sentence(names[reason.players[1]], due))
    return said


def due_colour_sentence(player: str, due: ReasonFact) -> str:
    """Say which colour a player is due, if any."""
    if due == Colour.WHITE.value:
        return _("%(player)s is due White.") % {"player": player}
    if due == Colour.BLACK.value:
        return _("%(player)s is due Black.") % {"player": player}
    return _("%(player)s is not due a colour.") % {"player": player}


_PLAYERS_BY_COLOUR = {
    "strong_white": gettext_lazy("Strong preference for White: %(players)s."),
    "strong_black": gettext_lazy("Strong preference for Black: %(players)s."),
    "must_white": gettext_lazy("Must have White: %(players)s."),
    "must_black": gettext_lazy("Must have Black: %(players)s."),
    "rest_white": gettext_lazy("Others due White: %(players)s."),
    "rest_black": gettext_lazy("Others due Black: %(players)s."),
}


def _numbers(reason: PairingReason, names: PlayerNames) -> list[str]:
    """Give the counts that decided."""
    said = []
    clashes, pairs = reason.get_fact("clashes"), reason.get_fact("of")
    # Old stored reasons have this count as well where it did not decide.
    is_other_count = reason.get_fact("criterion") == "C13" or reason.article == "dubov-1997 art. 6.3"
    if isinstance(clashes, int) and not is_other_count:
        facts = {"clashes": clashes, "more": clashes + 1, "pairs": pairs}
        said.append(
            _(
                "Pairs with two players due the same colour: %(clashes)s of %(pairs)s. Otherwise there would "
                "have been at least %(more)s."
            )
            % facts
        )
    if isinstance(inside := reason.get_fact("in_column"), int):
        facts = {"inside": inside, "more": inside + 1, "pairs": pairs}
        said.append(
            _("Pairs inside a column: %(inside)s of %(pairs)s. Otherwise there would have been at least %(more)s.")
            % facts
        )
    due, of = reason.get_fact("left_due"), reason.get_fact("left_of")
    if isinstance(due, int) and isinstance(of, int):
        said += _unavoidable_clashes(due, of, is_white=reason.get_fact("left_due_colour") == Colour.WHITE.value)
    if limit := reason.get_fact("limit"):
        said.append(
            _("Only opponents within %(limit)s rating points of a player's first possible opponent count (12.7).")
            % {"limit": limit}
        )
    if isinstance(unmet := reason.get_fact("unmet"), int):
        told = {"unmet": unmet, "more": unmet + 1}
        said.append(
            _("Strong preferences not met: %(unmet)s. Otherwise there would have been at least %(more)s.") % told
        )
    unplayed, fewest = reason.get_fact("unplayed"), reason.get_fact("fewest_unplayed")
    if unplayed is not None:
        facts = {"player": names[reason.players[0]], "unplayed": unplayed, "fewest": fewest}
        said.append(_("Unplayed games: %(player)s %(unplayed)s, the player with the bye %(fewest)s.") % facts)
    for fact, words in _PLAYERS_BY_COLOUR.items():
        if rest := _players(reason, fact):
            said.append(str(words) % {"players": _listed(rest, names)})
    white, black = reason.get_fact("due_white"), reason.get_fact("due_black")
    if stay := _players(reason, "must_stay"):
        said.append(
            _("Not compared, because they must have the colour of their column: %(players)s.")
            % {"players": _listed(stay, names)}
        )
    if isinstance(white, int) and isinstance(black, int):
        said.append(
            _("Players in this group due White: %(white)s. Due Black: %(black)s.") % {"white": white, "black": black}
        )
        if included := (*_players(reason, "moved_up"), *_players(reason, "moved")):
            said.append(
                _("These include players who floated into this group: %(players)s.")
                % {"players": _listed(included, names)}
            )
    if reason.get_fact("movers"):
        said.append(_("Players who changed columns: %(count)s.") % {"count": reason.get_fact("movers")})
    balance, otherwise = _players(reason, "balance"), _players(reason, "otherwise")
    if balance and otherwise:
        facts = {"white": balance[0], "black": balance[1], "then_white": otherwise[0], "then_black": otherwise[1]}
        said.append(
            _(
                "Players who stayed: %(white)s due White and %(black)s due Black, instead of %(then_white)s "
                "and %(then_black)s."
            )
            % facts
        )
    return said


def _unavoidable_clashes(due: int, of: int, *, is_white: bool) -> list[str]:
    """Say that more than half of the players left were due a colour, and how many pairs therefore had to clash."""
    least = due - of // 2
    if due == of:
        counted = (
            _("All %(of)s players still to be paired there were due White.")
            if is_white
            else _("All %(of)s players still to be paired there were due Black.")
        )
    else:
        counted = (
            _("%(due)s of the %(of)s players still to be paired there were due White.")
            if is_white
            else _("%(due)s of the %(of)s players still to be paired there were due Black.")
        )
    clashes = (
        ngettext(
            "So at least %(least)s pair had to have two players due White.",
            "So at least %(least)s of the pairs had to have two players due White.",
            least,
        )
        if is_white
        else ngettext(
            "So at least %(least)s pair had to have two players due Black.",
            "So at least %(least)s of the pairs had to have two players due Black.",
            least,
        )
    )
    return [counted % {"due": due, "of": of}, clashes % {"least": least}]


def _earlier_floats(reason: PairingReason, names: PlayerNames) -> list[str]:
    """Name those who would have floated again."""
    again, rounds = _players(reason, "again"), _players(reason, "again_rounds")
    if not again:
        return []
    by_player: dict[PairingNumber, list[int]] = {}
    for one, number in zip(again, rounds, strict=True):
        by_player.setdefault(one, []).append(number)
    floated = [
        _("%(player)s (round %(round)s)") % {"player": names[one], "round": numbers[0]}
        if len(numbers) == 1
        else _("%(player)s (rounds %(rounds)s)")
        % {"player": names[one], "rounds": join_in_words([str(number) for number in sorted(numbers)])}
        for one, numbers in by_player.items()
    ]
    facts = {"players": join_in_words(floated)}
    if reason.get_fact("again_direction") == "down":
        return [_("Floated down before: %(players)s.") % facts]
    return [_("Floated up before: %(players)s.") % facts]


def _halves(reason: PairingReason, names: PlayerNames) -> list[str]:
    if rest := _players(reason, "rest_upper"):
        facts = {
            "upper": join_in_words(names_with_due_colours(reason, rest, names)),
            "lower": join_in_words(names_with_due_colours(reason, _players(reason, "rest_lower"), names)),
        }
        return [_("Players then left in the upper half (S1): %(upper)s. In the lower half (S2): %(lower)s.") % facts]
    upper, lower = _players(reason, "upper"), _players(reason, "lower")
    if not upper:
        return []
    facts = {
        "upper": join_in_words(names_with_due_colours(reason, upper, names)),
        "lower": join_in_words(names_with_due_colours(reason, lower, names)),
    }
    return [_("Upper half (S1) before the exchange: %(upper)s. Lower half (S2): %(lower)s.") % facts]


def _met_pairs(reason: PairingReason, names: PlayerNames) -> list[str]:
    """Say who in a group may not meet."""
    said = []
    if met := _players(reason, "met_pairs"):
        played = [
            _("%(player)s (round %(round)s)") % {"player": f"{names[one]} – {names[other]}", "round": number}
            for (one, other), number in zip(
                zip(met[::2], met[1::2], strict=True), _players(reason, "met_pair_rounds"), strict=True
            )
        ]
        more = reason.get_fact("more_met_pairs")
        pairs = join_in_words(played, more=more if isinstance(more, int) else 0)
        said.append(_("Already met: %(pairs)s.") % {"pairs": pairs})
    if forbidden := _players(reason, "forbidden_pairs"):
        said.append(_("Kept apart by a rule of the event: %(pairs)s.") % {"pairs": pairs_in_words(forbidden, names)})
    return said


def _kept(reason: PairingReason, names: PlayerNames, because: CauseFormatter) -> list[str]:
    """Say who could not have been left over, cause by cause."""
    by_cause: dict[str, list[str]] = {}
    causes = str(reason.get_fact("kept_because")).split(",")
    for tpn, cause, number in zip(_players(reason, "kept"), causes, _players(reason, "kept_rounds"), strict=False):
        words = _("%(player)s (round %(round)s)") % {"player": names[tpn], "round": number} if number else names[tpn]
        by_cause.setdefault(cause, []).append(words)
    return [
        str(_FLOATED_TOO_RECENTLY) % {"players": join_in_words(players)}
        if cause == DecisionCause.FLOATED_BEFORE
        else _("%(players)s could not be left over, because %(because)s.")
        % {"players": join_in_words(players), "because": because(replace(reason, facts=(("because", cause),)), names)}
        for cause, players in by_cause.items()
    ]


_FLOATED_TOO_RECENTLY = gettext_lazy("Floated down too recently to be left over: %(players)s.")


def _changed_turn(reason: PairingReason, names: PlayerNames) -> list[str]:
    """Say which pair would have been different if the kept player had floated."""
    chooser, first, then = (reason.get_fact(name) for name in ("chooser", "first", "then"))
    if not isinstance(chooser, int) or not isinstance(first, int) or not isinstance(then, int):
        return []
    facts = {"chooser": names[chooser], "first": names[first], "then": names[then], "kept": names[reason.players[0]]}
    return [
        _(
            "%(chooser)s plays %(first)s. With %(kept)s floating, the opponent would be %(then)s, who is further "
            "down the order."
        )
        % facts
    ]


def _split_pair(reason: PairingReason, names: PlayerNames) -> list[str]:
    """Say which pair was split for the median group."""
    partner = reason.get_fact("split")
    if not isinstance(partner, int):
        return []
    facts: dict[str, object] = {"player": names[reason.players[0]], "partner": names[partner]}
    facts |= {"above": reason.get_fact("from_above"), "below": reason.get_fact("from_below")}
    return [
        (
            _("So the last pair formed above the median, %(player)s – %(partner)s, was split.")
            if reason.get_fact("direction") == "down"
            else _("So the last pair formed below the median, %(player)s – %(partner)s, was split.")
        )
        % facts,
        _("Floaters before that: %(above)s from above and %(below)s from below.") % facts,
    ]


_BY_RANK = (ColourCause.HIGHER_PLAYER, ColourCause.LOWER_PLAYER)


# -- Colours -----------------------------------------------------------------------------------------------------------


def _colours(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> list[str]:
    """List the colours of both players' games, and their ranks where these decided."""
    white, black = reason.get_fact("white_colours"), reason.get_fact("black_colours")
    if reason.kind is not ReasonKind.COLOUR or not isinstance(white, str) or not isinstance(black, str):
        return []
    said = []
    if white or black:
        facts = {
            "white": names[reason.players[0]],
            "black": names[reason.players[1]],
            "white_colours": _letters(white),
            "black_colours": _letters(black),
        }
        said.append(_("Colours so far: %(white)s %(white_colours)s, %(black)s %(black_colours)s.") % facts)
        shorter, longer = sorted((white, black), key=len)
        if reason.get_fact("because") in _BY_RANK and shorter and shorter != longer and longer.endswith(shorter):
            said.append(_("Going back from the last game, their colours match for as many games as both have played."))
    if reason.get_fact("white_half_points") is not None:
        ranks = [
            _("%(player)s (%(points)s, number %(number)s)")
            % {"player": names[tpn], "points": points(reason.get_fact(f"{side}_half_points")), "number": tpn}
            for tpn, side in zip(reason.players, ("white", "black"), strict=True)
        ]
        said.append(_("Ranks compared: %(players)s.") % {"players": join_in_words(ranks)})
    return said


def _letters(colours: str) -> str:
    """Return the reader's letters for White and Black."""
    letters = {"w": pgettext("letter of White in a table", "w"), "b": pgettext("letter of Black in a table", "b")}
    return "".join(letters[one] for one in colours) or "–"


def _bye_order(reason: PairingReason, names: PlayerNames, points: FactFormatter) -> list[str]:
    ranked, scores = _players(reason, "ranked"), _players(reason, "ranked_half_points")
    if not ranked:
        return []
    listed = [f"{names[one]} ({points(score)})" for one, score in zip(ranked, scores, strict=True)]
    facts = {"players": join_in_words(listed), "first": reason.get_fact("first")}
    if reason.get_fact("first") == 1:
        return [_("Players from the lowest rank upwards: %(players)s.") % facts]
    return [_("Players from the lowest rank upwards, starting at number %(first)s: %(players)s.") % facts]


def _players(reason: PairingReason, name: str) -> tuple[PairingNumber, ...]:
    """Return a fact that is a tuple, or an empty tuple."""
    value = reason.get_fact(name)
    return value if isinstance(value, tuple) else ()


def _listed(players: Sequence[PairingNumber], names: PlayerNames) -> str:
    return join_in_words([names[one] for one in players])
