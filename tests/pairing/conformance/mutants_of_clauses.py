"""One mutant for every clause: the twin with a few words of one function changed, as somebody might misread them."""

from __future__ import annotations

from collections.abc import Callable

from tests.pairing.conformance.mutant import Change, Mutant, rewritten
from tests.pairing.engine.literal import (
    dubov_1997,
    dutch_1992,
    dutch_2026,
    dutch_2026_exchanges,
    facts,
    fide_1989,
    jahr,
)

_NO_DIFFERENCE = rewritten(facts, "absolute_preference", ("difference >= 2", "False"), ("difference <= -2", "False"))
_NO_RUN = rewritten(facts, "absolute_preference", ("len(history) >= 2 and history[-1] == history[-2]", "False"))


def _in(system: str, owner: object) -> Callable[..., Mutant]:
    """A maker of mutants of one class or module: article, key, function, and the words to exchange."""

    def clause(article: str, key: str, function: str, *words: tuple[str, str], owner: object = owner) -> Mutant:
        return Mutant(system, article, (rewritten(owner, function, *words),), key)

    return clause


def _shared(system: str, article: str, key: str, change: Change) -> Mutant:
    return Mutant(system, article, (change,), key)


_rule, _group = _in("dubov-1997", dubov_1997.Procedure), _in("dubov-1997", dubov_1997.Group)

CLAUSES_DUBOV = (
    _rule("2.2", "after a win by forfeit", "article_4_bye", ('"UF+"', '"UF"')),
    _rule("2.2", "after a bye", "article_4_bye", ('"UF+"', '"F+"')),
    _rule("2.2", "after a full-point bye", "article_4_bye", ('"UF+"', '"U+"')),
    _shared("dubov-1997", "2.3", "difference", _NO_DIFFERENCE),
    _shared("dubov-1997", "2.4", "third time", _NO_RUN),
    _rule("2.5", "in the last round too", "may_move_up", ("if self.facts.is_last_round:", "if False:")),
    _rule("2.5", "always four times", "may_move_up", ("4 if rounds is not None and rounds >= 10 else 3", "4")),
    _rule("2.5", "always three times", "may_move_up", ("4 if rounds is not None and rounds >= 10 else 3", "3")),
    _rule("2.5", "twice running", "may_move_up", ("now - 1 not in upfloats and ", "")),
    _rule("2.5", "any number of times", "may_move_up", (" and len(upfloats) < limit", "")),
    _rule(
        "3.3",
        "the earliest round",
        "same_due_colour",
        (
            "zip(reversed(self.facts.colours[a]), reversed(self.facts.colours[b])",
            "zip(self.facts.colours[a], self.facts.colours[b]",
        ),
    ),
    _rule("3.4", "lower average", "article_3_4_to_3_6", ("(-self.aro[tpn]", "(self.aro[tpn]")),
    _rule("3.5", "higher rating", "article_3_4_to_3_6", (" self.rating[tpn]", " -self.rating[tpn]")),
    _rule("3.6", "smaller number", "article_3_4_to_3_6", ("-tpn))", "tpn))")),
    _rule(
        "4",
        "highest group",
        "article_4_bye",
        ("sorted({self.score[tpn] for tpn in players})", "sorted({self.score[tpn] for tpn in players}, reverse=True)"),
    ),
    _rule("4", "highest rating", "bye_key", ("return self.rating[tpn]", "return -self.rating[tpn]")),
    _rule("4", "lower average", "bye_key", ("-self.aro[tpn], -tpn", "self.aro[tpn], -tpn")),
    _rule("4", "rarer colour", "bye_key", ("self.due[tpn] != dominating", "self.due[tpn] == dominating")),
    _rule("4", "first of the list in round 1", "bye_key", ("return (-tpn,)", "return (tpn,)")),
    _group("5", "same colours", "article_5_first_round", ("colour = OTHER[colour]", "pass")),
    _group("5", "neighbours", "article_5_first_round", ("numbers[half:]]", "numbers[1:]]")),
    _rule("6.2", "white column by higher rating", "white_order", (" self.rating[tpn]", " -self.rating[tpn]")),
    _rule("6.2", "white column by falling average", "white_order", ("return self.aro[tpn]", "return -self.aro[tpn]")),
    _rule("6.2", "black column by rising rating", "black_order", ("-self.rating[tpn]", "self.rating[tpn]")),
    _rule("6.2", "black column by lower average", "black_order", (" -self.aro[tpn]", " self.aro[tpn]")),
    _group("6.3", "last opponent", "step_6_pairing", ("[*opposite, *own]", "[*reversed(opposite), *own]")),
    _group("6.4", "highest ratings", "floaters_key", ("sorted(self.procedure.rating", "sorted(-self.procedure.rating")),
    _group("6.4", "lower averages", "floaters_key", ("sorted(-self.procedure.aro", "sorted(self.procedure.aro")),
    _group("6.4", "floated already", "kind", ("3 if tpn in self.came_down else 1", "1")),
    _group("6.4", "no opponent below", "kind", (" + (not has_one)", "")),
    _group("7.1", "same colour", "opponent_from_below", (" not procedure.suits(tpn, q),", "")),
    _group("7.1", "lowest rating", "opponent_from_below", ("-procedure.rating[q]", "procedure.rating[q]")),
    _group("7.1", "lowest group", "opponent_from_below", ("-procedure.score[q]", "procedure.score[q]")),
    _group("7.2", "any colour", "step_2_odd_number", (" other_colour,", "")),
    _group("7.2", "lowest rating", "step_2_odd_number", ("-procedure.rating[q]", "procedure.rating[q]")),
    _group("7.2", "higher average", "step_2_odd_number", (" procedure.aro[q]", " -procedure.aro[q]")),
    _group("7.2", "lowest group", "step_2_odd_number", ("-procedure.score[q]", "procedure.score[q]")),
    _group("7.3", "highest averages", "step_5_two_columns", ("(aro[tpn], -rating[tpn]", "(-aro[tpn], -rating[tpn]")),
    _group("7.3", "lower rating", "step_5_two_columns", ("(aro[tpn], -rating[tpn]", "(aro[tpn], rating[tpn]")),
    _group("7.4", "lowest averages", "step_5_two_columns", ("(-aro[tpn], rating[tpn]", "(aro[tpn], rating[tpn]")),
    _group("7.4", "higher rating", "step_5_two_columns", ("(-aro[tpn], rating[tpn]", "(-aro[tpn], -rating[tpn]")),
    _group(
        "8.1",
        "all blacks first",
        "step_4_floaters_from_above",
        ("left = set(self.members)", "turns = [*blacks, *whites]; left = set(self.members)"),
    ),
    _group(
        "8.1",
        "all whites first",
        "step_4_floaters_from_above",
        ("left = set(self.members)", "turns = [*whites, *blacks]; left = set(self.members)"),
    ),
    _group("8.1", "black before white", "step_4_floaters_from_above", ("in (whites, blacks)", "in (blacks, whites)")),
    _group("8.2", "lowest rating", "step_4_floaters_from_above", ("-procedure.rating[b]", "procedure.rating[b]")),
    _group("8.2", "higher average", "step_4_floaters_from_above", (" procedure.aro[b]", " -procedure.aro[b]")),
)

_rule = _in("fide-1989", fide_1989.Procedure)

CLAUSES_1989 = (
    _rule("8.1", "highest group", "article_8_bye", ("(self.score[tpn]", "(-self.score[tpn]")),
    _shared("fide-1989", "9.1", "difference", _NO_DIFFERENCE),
    _shared("fide-1989", "9.1", "third time", _NO_RUN),
    _rule("9.6", "below first", "article_9_6_median", ("(more_from_above or not with_pairs_above)", "True")),
    _rule("10.3", "smallest number", "test_5_numbers", ("return max(", "return min(")),
    _rule("10.4", "largest number", "test_5_numbers", ("\n    return min(", "\n    return max(")),
    _rule(
        "10.6",
        "larger numbers",
        "article_10_6_order",
        ("(-self.score[tpn], self.number[tpn])", "(-self.score[tpn], -self.number[tpn])"),
    ),
    _rule(
        "10.7",
        "smaller numbers",
        "article_10_6_order",
        ("(self.score[tpn], -self.number[tpn])", "(self.score[tpn], self.number[tpn])"),
    ),
    _rule("10.8", "smallest number from below", "opponents_of_floater", ("reverse=direction == UP", "reverse=False")),
    _rule("10.8", "largest number from above", "opponents_of_floater", ("reverse=direction == UP", "reverse=True")),
    _rule("10.9", "came, no opponent", "test_2_disadvantages", ("kinds.count((True, False)), ", "")),
    _rule("10.9", "came, an opponent", "test_2_disadvantages", ("kinds.count((True, True)), ", "")),
    _rule("10.9", "no opponent", "test_2_disadvantages", (", kinds.count((False, False))", ",")),
    _rule("11.2", "upper half in order", "candidates", ("*reversed(top[1:])", "*top[1:]")),
    _rule("11.2", "pairing upwards", "candidates", ("[*reversed(top), *bottom[:-1]]", "[*top, *bottom[:-1]]")),
    _rule("12.1", "same colour again", "due_colour", ("return OTHER[history[-1]]", "return history[-1]")),
    _rule(
        "12.4",
        "the earliest round",
        "article_12_colours",
        (
            "zip(reversed(self.facts.colours[a]), reversed(self.facts.colours[b])",
            "zip(self.facts.colours[a], self.facts.colours[b]",
        ),
    ),
    _rule("12.7", "200 points", "more_than_100_apart", ("> 100", "> 200")),
    _rule("14.2", "always White", "article_14_2_first_colours", ('(lot == "w")', "True")),
)

_rule, _bracket = _in("dutch-1992", dutch_1992.Procedure), _in("dutch-1992", dutch_1992.Bracket)

CLAUSES_1992 = (
    _shared("dutch-1992", "A7", "difference", _NO_DIFFERENCE),
    _shared("dutch-1992", "A7", "third time", _NO_RUN),
    _rule("A7", "half the points", "is_above_half_in_last_round", ("> rounds", ">= rounds")),
    _rule("A7", "before the last round", "is_above_half_in_last_round", ("self.facts.is_last_round and ", "")),
    _bracket("A8", "rounded down", "x0", ("(len(self.members) + 1) // 2", "len(self.members) // 2 + 1")),
    _rule("B1", "bye after a win by forfeit", "bye_is_allowed", ('"UF+"', '"UF"')),
    _rule("B1", "bye after a bye", "bye_is_allowed", ('"UF+"', '"F+"')),
    _bracket(
        "B5",
        "downfloats",
        "float_is_allowed",
        ("for back in tolerance)", "for back in tolerance if back > 1 or direction != 'down')"),
    ),
    _bracket(
        "B5",
        "upfloats",
        "float_is_allowed",
        ("for back in tolerance)", "for back in tolerance if back > 1 or direction != 'up')"),
    ),
    _bracket(
        "B6",
        "downfloats",
        "float_is_allowed",
        ("for back in tolerance)", "for back in tolerance if back < 2 or direction != 'down')"),
    ),
    _bracket(
        "B6",
        "upfloats",
        "float_is_allowed",
        ("for back in tolerance)", "for back in tolerance if back < 2 or direction != 'up')"),
    ),
    _rule(
        "D2", "largest difference", "place_in_table", ("sum(into) - sum(out)", "sum(out) - sum(into)"), owner=dutch_1992
    ),
    _rule("E3", "the earliest round", "colour_of_higher", ("zip(reversed(one), reversed(other)", "zip(one, other")),
    _rule("E4", "always White in round 1", "colour_of_higher", ("self.facts.snapshot.first_colour.value", "'w'")),
)

_rule, _bracket = _in("dutch-2026", dutch_2026.Procedure), _in("dutch-2026", dutch_2026.Bracket)

CLAUSES_2026 = (
    _rule(
        "1.4",
        "byes with points",
        "floated",
        ('"down" if self.facts.worth(record.result.value) > self.facts.snapshot.points.loss else None', "None"),
    ),
    _rule(
        "1.4",
        "pairing-allocated bye",
        "floated",
        (
            'if record.result is Result.PAIRING_ALLOCATED_BYE:\n        return "down"',
            "if record.result is Result.PAIRING_ALLOCATED_BYE:\n        return None",
        ),
    ),
    _shared("dutch-2026", "1.7", "difference", _NO_DIFFERENCE),
    _shared("dutch-2026", "1.7", "third time", _NO_RUN),
    _rule("1.8", "half of the points", "is_topscorer", ("> most", ">= most")),
    _rule("1.8", "in every round", "is_topscorer", ("self.facts.is_last_round and ", "")),
    _rule("C2", "after a bye", "may_rest", ('"UF+"', '"F+"')),
    _rule("C2", "after a win by forfeit", "may_rest", ('"UF+"', '"UF"')),
    _rule("C2", "after a full-point bye", "may_rest", ('"UF+"', '"U+"')),
    _rule(
        "4.3",
        "higher of S1",
        "_earlier",
        ("-1 if highest in down else 1", "1 if highest in down else -1"),
        owner=dutch_2026_exchanges,
    ),
    _rule("5.2.2", "narrower difference", "colour_of_higher", ("if wide > narrow", "if wide < narrow")),
    _rule("5.2.3", "the earliest round", "colour_of_higher", ("zip(reversed(one), reversed(other)", "zip(one, other")),
    _rule("5.2.5", "always White", "colour_of_higher", ("self.facts.snapshot.first_colour.value", "'w'")),
)

_rule = _in("jahr", jahr)

CLAUSES_JAHR = (
    _rule("2", "own points", "values", ("source = before[record.opponent]", "source = own")),
    _rule(
        "5",
        "this round's points too",
        "values",
        ("source = before[record.opponent]", "source = after.get(record.opponent, before[record.opponent])"),
    ),
    _rule("4", "down", "article_4_tenth", ("rounding=ROUND_HALF_EVEN", "rounding='ROUND_DOWN'")),
    _rule("4", "up", "article_4_tenth", ("rounding=ROUND_HALF_EVEN", "rounding='ROUND_UP'")),
    _rule("6", "larger numbers", "positions", ("-value[tpn].exact, tpn)", "-value[tpn].exact, -tpn)")),
    _rule("8", "no tenth", "values", ("source = own", "source = JahrValues()")),
)

CLAUSES = (*CLAUSES_1989, *CLAUSES_JAHR, *CLAUSES_1992, *CLAUSES_DUBOV, *CLAUSES_2026)
