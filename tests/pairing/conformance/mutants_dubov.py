"""Dubov's rules with an article broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from tests.pairing.conformance.mutant import Mutant, no_absolute
from tests.pairing.engine.literal import dubov_1997, facts
from tests.pairing.engine.literal.facts import OTHER

U, G = dubov_1997.Procedure, dubov_1997.Group


def _key_without(part: int) -> Callable[..., Any]:
    plain = U.bye_key

    def key(self: Any, tpn: int, group: Any) -> Any:
        parts = plain(self, tpn, group)
        return parts if len(parts) == 1 else (*parts[:part], *parts[part + 1 :])

    return key


def _all_one_column(self: Any, rest: Any) -> Any:
    return self.columns(rest)


_columns_5 = G.step_5_two_columns


def _anybody_moves(self: Any, rest: Any) -> Any:
    kept = self.procedure.facts.absolute
    self.procedure.facts.absolute = dict.fromkeys(kept)
    try:
        return _columns_5(self, rest)
    finally:
        self.procedure.facts.absolute = kept


def _other_end(self: Any, rest: Any) -> Any:
    """7.3, 7.4 with the averages reversed."""
    kept = self.procedure.aro
    rest = list(rest)
    plain = self.columns(rest)
    self.procedure.aro = {tpn: -average for tpn, average in kept.items()}
    try:
        whites, blacks = _columns_5(self, rest)
    finally:
        self.procedure.aro = kept
    del plain
    return sorted(whites, key=self.procedure.white_order), sorted(blacks, key=self.procedure.black_order)


def _same_due(*skipped: str) -> Callable[..., Any]:
    def colours(self: Any, a: int, b: int) -> Any:
        colour = self.due[a]
        claims = {
            "2.3": {tpn: self.facts.absolute[tpn] is not None for tpn in (a, b)},
            "3.2": {tpn: abs(self.facts.difference[tpn]) for tpn in (a, b)},
        }
        for name, claim in claims.items():
            if name not in skipped and claim[a] != claim[b]:
                winner, loser = (a, b) if claim[a] > claim[b] else (b, a)
                return (winner, loser) if colour == "w" else (loser, winner)
        if "3.3" not in skipped:
            for had, they in zip(reversed(self.facts.colours[a]), reversed(self.facts.colours[b]), strict=False):
                if had != they:
                    return (a, b) if OTHER[had] == "w" else (b, a)
        return self.article_3_4_to_3_6(a, b)

    return colours


def _turn_by_number(self: Any) -> Any:
    """8.1 without columns: the floaters by number."""
    with patch.object(G, "columns", lambda self, players: (sorted(players), [])):
        return list(_step_4(self))


_step_4 = G.step_4_floaters_from_above

OF_DUBOV = (
    Mutant("dubov-1997", "2.1", ((facts.Facts, "met", lambda self, a, b: False),)),
    Mutant("dubov-1997", "2.2", ((facts.Facts, "had", lambda self, tpn, letters: False),)),
    Mutant("dubov-1997", "2.3", ((facts.Facts, "__init__", no_absolute(facts.Facts)),)),
    Mutant("dubov-1997", "2.5", ((U, "may_move_up", lambda self, tpn: True),)),
    Mutant("dubov-1997", "2.6", ((G, "step_5_two_columns", _anybody_moves),)),
    Mutant("dubov-1997", "3.1", ((U, "colours", lambda self, a, b: self.article_3_4_to_3_6(a, b)),)),
    Mutant("dubov-1997", "3.2", ((U, "same_due_colour", _same_due("3.2")),)),
    Mutant("dubov-1997", "3.3", ((U, "same_due_colour", _same_due("3.3")),)),
    Mutant(
        "dubov-1997",
        "3.4",
        (
            (
                U,
                "article_3_4_to_3_6",
                lambda self, a, b: tuple(sorted((a, b), key=lambda tpn: (self.rating[tpn], -tpn))),
            ),
        ),
    ),
    Mutant(
        "dubov-1997",
        "3.5",
        (
            (
                U,
                "article_3_4_to_3_6",
                lambda self, a, b: tuple(sorted((a, b), key=lambda tpn: (-self.aro[tpn], -self.rating[tpn]))),
            ),
        ),
    ),
    Mutant("dubov-1997", "4", ((U, "bye_key", _key_without(0)),), "rating"),
    Mutant("dubov-1997", "4", ((U, "bye_key", _key_without(1)),), "domination"),
    Mutant("dubov-1997", "4", ((U, "bye_key", _key_without(2)),), "average"),
    Mutant("dubov-1997", "6.2", ((U, "white_order", lambda self, tpn: (self.rating[tpn], tpn)),), "white column"),
    Mutant("dubov-1997", "6.2", ((U, "black_order", lambda self, tpn: (self.aro[tpn], tpn)),), "black column"),
    Mutant("dubov-1997", "6.4", ((G, "kind", lambda self, tpn: 1),)),
    Mutant("dubov-1997", "7.1", ((G, "opponent_from_below", lambda self, tpn: None),)),
    Mutant("dubov-1997", "7.2", ((G, "step_2_odd_number", lambda self: None),)),
    Mutant("dubov-1997", "7.3", ((G, "step_5_two_columns", _all_one_column),), "equal columns"),
    Mutant("dubov-1997", "7.4", ((G, "step_5_two_columns", _other_end),), "who changes the column"),
    Mutant("dubov-1997", "8.1", ((G, "step_4_floaters_from_above", _turn_by_number),)),
    Mutant("dubov-1997", "8.2", ((U, "suits", lambda self, a, b: True),)),
)
