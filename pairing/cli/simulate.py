"""`manage.py simulate`: a random event as a report file."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pairing.cli.command import IMPOSSIBLE, UNREADABLE, Command, CommandFailed, Console
from pairing.cli.event_files import positive_number
from pairing.cli.regime_options import add_regime_options, with_points_written, with_regime
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.points import UnknownPoints, read_points
from pairing.engine.simulator import Plan, simulate
from pairing.engine.snapshot import USUAL_POINTS, InvalidSnapshot, PointSystem
from pairing.engine.standings import TIE_BREAKS_OF_SYSTEM, rank_players
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import TrfHeader, from_snapshot, write_trf
from pairing.engine.trf.columns import LARGEST_TPN

_OWN = ("rounds", "draws", "forfeits", "byes", "withdrawals")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=_number_of_players, required=True, metavar="N")
    parser.add_argument("--rounds", type=positive_number, metavar="R", help="needed but for near-round-robin")
    parser.add_argument("--system", required=True, choices=sorted(SYSTEMS))
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the same seed gives the same file")
    parser.add_argument("--draws", type=_share, metavar="P", help="share of drawn games, 0 to 1")
    parser.add_argument("--forfeits", type=_share, metavar="P", help="share of pairings")
    parser.add_argument("--byes", type=_share, metavar="P", help="share of players, each round")
    parser.add_argument("--withdrawals", type=_share, metavar="P", help="the same")
    parser.add_argument("--points", type=_points, metavar="W-D-L", help="worth of the results, such as 3-1-0")
    add_regime_options(parser, _share)
    parser.add_argument("--output", required=True, metavar="FILE")


def run(options: dict[str, Any], console: Console) -> None:
    system = options["system"]
    given = {name for name in _OWN if options[name] is not None}
    if "rounds" not in given and options["regime"] != "near-round-robin":
        raise CommandFailed("--rounds is needed", UNREADABLE)
    points = options["points"] or USUAL_POINTS
    plan = Plan(
        players=options["players"],
        rounds=options["rounds"] or 1,
        system=system,
        seed=options["seed"],
        points=replace(points, pairing_allocated_bye=points.draw) if system == "jahr" else points,
        **{name: options[name] for name in given - {"rounds"}},
    )
    try:
        event = with_points_written(simulate(with_regime(plan, options, given), SYSTEMS[system]))
    except InvalidSnapshot as error:
        raise CommandFailed(str(error), UNREADABLE) from error
    except PairingImpossible as error:
        raise CommandFailed(str(error), IMPOSSIBLE) from error
    ranks = {row.tpn: row.rank for row in rank_players(event, TIE_BREAKS_OF_SYSTEM.get(system, ()))}
    header = TrfHeader(tournament=f"Simulated event {plan.seed}", kind=f"Individual: Swiss-System ({system})")
    try:
        content = write_trf(from_snapshot(event, header=header, ranks=ranks))
        with open(options["output"], "wb") as file:
            file.write(content)
    except OSError as error:
        message = f"{options['output']}: cannot be written: {error.strerror}"
        raise CommandFailed(message, UNREADABLE) from error


def _number_of_players(text: str) -> int:
    number = positive_number(text)
    if number > LARGEST_TPN:
        raise argparse.ArgumentTypeError(f"expected at most {LARGEST_TPN} players, found {text!r}")
    return number


def _points(text: str) -> PointSystem:
    try:
        return read_points(text)
    except UnknownPoints as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _share(text: str) -> Fraction:
    """A share from 0 to 1, as 0.05 or 1/20."""
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"expected a share from 0 to 1, found {text!r}")
    return share


COMMAND = Command(
    "Play a random event, paired by the system itself, and write it as a tournament report file (TRF).",
    add_arguments,
    run,
)
