"""The simulation profile options of `simulate`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pairing.engine.acceleration import ACCELERATIONS, fictitious_points
from pairing.engine.simulation_profiles import RATING_PROFILES, SIMULATION_PRESETS
from pairing.engine.simulator import SimulationPlan
from pairing.engine.snapshot import TournamentSnapshot


def add_simulation_profile_options(parser: argparse.ArgumentParser, share: Callable[[str], Fraction]) -> None:
    """`--regime` for what is named, and an option for every part of it; these go before."""
    parser.add_argument(
        "--regime", choices=tuple(SIMULATION_PRESETS), default="plain", help="a preset for a kind of event"
    )
    parser.add_argument("--late", type=share, metavar="P", help="share of players who enter after round 1")
    parser.add_argument("--unrated", type=share, metavar="P", help="share of unrated games")
    parser.add_argument("--turned", type=share, metavar="P", help="share of games with colours swapped")
    parser.add_argument("--profile", choices=RATING_PROFILES, help="distribution of ratings")
    parser.add_argument("--forbidden-pairs", type=_count, metavar="N", help="number of forbidden pairs")
    parser.add_argument("--acceleration", choices=("none", *sorted(ACCELERATIONS)), default="none")


def apply_simulation_profile(plan: SimulationPlan, options: dict[str, Any], given: set[str]) -> SimulationPlan:
    """The plan with its regime; what the options give themselves stands. `given` names those of the plan's own."""
    asked = dict(SIMULATION_PRESETS[options["regime"]])
    if asked.pop("near_round_robin", False):
        # One round fewer than all could play, as far as that is a Swiss event at all.
        asked |= {"rounds": max(1, plan.players - 2 + plan.players % 2), "ends_early": True}
    asked = {name: value for name, value in asked.items() if name not in given}
    for name in ("late", "unrated", "turned", "profile", "forbidden_pairs"):
        if options[name] is not None:
            asked[name] = options[name]
    return replace(plan, acceleration=options["acceleration"], **asked)


def write_out_fictitious_points(event: TournamentSnapshot) -> TournamentSnapshot:
    """The event with its fictitious points set down, for programs that know no acceleration but the file's points."""
    last = replace(
        event,
        cards=tuple(replace(card, records=card.records[:-1]) for card in event.cards),
        rounds_paired=event.rounds_paired - 1,
    )
    points = fictitious_points(last)
    if points is None:
        return event
    cards = tuple(replace(card, fictitious=tuple(points[card.tpn])) for card in event.cards)
    return replace(event, cards=cards, acceleration="none")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise argparse.ArgumentTypeError(f"expected a whole number, found {text!r}")
    return int(text)
