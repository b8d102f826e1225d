"""`manage.py simulate`: create a random event as a report file."""

from __future__ import annotations

import argparse
import os
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pairing.cli.command import NO_LEGAL_ROUND_STATUS, UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.trf_files import parse_positive_number
from pairing.engine.acceleration import ACCELERATIONS, fictitious_points
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.point_systems import InvalidPointSystem, parse_point_system
from pairing.engine.simulator import RATING_PROFILES, SIMULATION_PRESETS, SimulationPlan, simulate_event
from pairing.engine.snapshot import STANDARD_POINTS, InvalidSnapshot, PointSystem, TournamentSnapshot
from pairing.engine.standings import DEFAULT_TIE_BREAKS_BY_SYSTEM, rank_players
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import TrfEdition, TrfHeader, encode_event_type, trf_from_snapshot, write_trf
from pairing.engine.trf.model import MAX_TPN

_OWN = ("rounds", "draws", "forfeits", "byes", "withdrawals")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=_number_of_players, required=True, metavar="N", help="number of players")
    parser.add_argument(
        "--rounds",
        type=parse_positive_number,
        metavar="R",
        help="number of rounds, required unless --regime is near-round-robin",
    )
    parser.add_argument("--system", required=True, choices=sorted(PAIRING_SYSTEMS), help="the pairing system")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the same seed gives the same file")
    parser.add_argument("--draws", type=_share, metavar="P", help="share of games drawn, from 0 to 1")
    parser.add_argument("--forfeits", type=_share, metavar="P", help="share of games forfeited")
    parser.add_argument("--byes", type=_share, metavar="P", help="share of players with a bye in each round")
    parser.add_argument("--withdrawals", type=_share, metavar="P", help="share of players who withdraw in each round")
    parser.add_argument(
        "--points", type=_points, metavar="W-D-L", help="points for a win, draw and loss, such as 3-1-0"
    )
    add_simulation_profile_options(parser, _share)
    parser.add_argument(
        "--codes",
        type=TrfEdition,
        choices=tuple(TrfEdition),
        default=TrfEdition.TRF26,
        help="codes in the file: trf26, or trf16 with XX codes for older programs (default: trf26)",
    )
    parser.add_argument("--output", metavar="FILE", help="file to write")
    parser.add_argument("--output-dir", metavar="DIR", help="write each event to DIR under its seed, such as 17.trf")
    parser.add_argument(
        "--events", type=parse_positive_number, metavar="N", help="with --output-dir: seeds S, S+1, ... (default: 1)"
    )


def write_simulated_events(options: dict[str, Any], console: CommandConsole) -> None:
    folder: str | None = options["output_dir"]
    if (folder is None) == (options["output"] is None) or (folder is None and options["events"]):
        raise CommandFailed("use either --output FILE, or --output-dir DIR with --events N", UNREADABLE_FILE_STATUS)
    if folder is None:
        _write_simulated_event(options, options["seed"], options["output"])
        return
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise CommandFailed(f"{folder}: can't be created: {error.strerror}", UNREADABLE_FILE_STATUS) from error
    seeds = range(options["seed"], options["seed"] + (options["events"] or 1))
    failed = []
    for seed in seeds:
        try:
            _write_simulated_event(options, seed, os.path.join(folder, f"{seed}.trf"))
        except CommandFailed as problem:
            console.write_error_line(f"seed {seed}: {problem.message}")
            failed.append(problem.status)
    if failed:
        raise CommandFailed(f"{len(failed)} of {len(seeds)} events failed", max(failed))


def _write_simulated_event(options: dict[str, Any], seed: int, path: str) -> None:
    system = options["system"]
    given = {name for name in _OWN if options[name] is not None}
    if "rounds" not in given and options["regime"] != "near-round-robin":
        raise CommandFailed("--rounds is required", UNREADABLE_FILE_STATUS)
    points = options["points"] or STANDARD_POINTS
    plan = SimulationPlan(
        players=options["players"],
        rounds=options["rounds"] or 1,
        system=system,
        seed=seed,
        points=replace(points, pairing_allocated_bye=points.draw) if system == "jahr" else points,
        **{name: options[name] for name in given - {"rounds"}},
    )
    try:
        event = fictitious_points_as_data(
            simulate_event(apply_simulation_profile(plan, options, given), PAIRING_SYSTEMS[system])
        )
    except InvalidSnapshot as error:
        raise CommandFailed(str(error), UNREADABLE_FILE_STATUS) from error
    except PairingImpossible as error:
        raise CommandFailed(str(error), NO_LEGAL_ROUND_STATUS) from error
    tie_breaks = DEFAULT_TIE_BREAKS_BY_SYSTEM.get(system, ())
    ranks = {row.tpn: row.rank for row in rank_players(event, tie_breaks)}
    header = TrfHeader(
        tournament=f"Simulated event {plan.seed}",
        kind=f"Individual: Swiss-System ({system})",
        event_type=encode_event_type(system, is_accelerated=False),
        tie_breaks=tie_breaks,
    )
    try:
        content = write_trf(trf_from_snapshot(event, header=header, ranks=ranks, edition=options["codes"]))
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        message = f"{path}: can't be written: {error.strerror}"
        raise CommandFailed(message, UNREADABLE_FILE_STATUS) from error


def _number_of_players(text: str) -> int:
    number = parse_positive_number(text)
    if number > MAX_TPN:
        raise argparse.ArgumentTypeError(f"expected at most {MAX_TPN} players, found {text!r}")
    return number


def _points(text: str) -> PointSystem:
    try:
        return parse_point_system(text)
    except InvalidPointSystem as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _share(text: str) -> Fraction:
    """Parse a share from 0 to 1, as 0.05 or 1/20."""
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"expected a share from 0 to 1, found {text!r}")
    return share


COMMAND = CliCommand(
    "Simulate a random event paired by a system, and write it as a tournament report file (TRF).",
    add_arguments,
    write_simulated_events,
)


def add_simulation_profile_options(parser: argparse.ArgumentParser, share: Callable[[str], Fraction]) -> None:
    """Add `--regime` for a preset, and an option for each of its settings. These options override the preset."""
    parser.add_argument(
        "--regime",
        choices=tuple(SIMULATION_PRESETS),
        default="plain",
        help="preset for a kind of event (default: plain)",
    )
    parser.add_argument("--late", type=share, metavar="P", help="share of players who enter after round 1")
    parser.add_argument("--unrated", type=share, metavar="P", help="share of unrated games")
    parser.add_argument("--turned", type=share, metavar="P", help="share of games with colours swapped")
    parser.add_argument("--profile", choices=RATING_PROFILES, help="distribution of ratings")
    parser.add_argument("--forbidden-pairs", type=_count, metavar="N", help="number of forbidden pairs")
    parser.add_argument(
        "--acceleration", choices=("none", *sorted(ACCELERATIONS)), default="none", help="acceleration (default: none)"
    )


def apply_simulation_profile(plan: SimulationPlan, options: dict[str, Any], given: set[str]) -> SimulationPlan:
    """Return the plan with the chosen preset applied. Options given explicitly (`given`) take precedence."""
    asked = dict(SIMULATION_PRESETS[options["regime"]])
    if asked.pop("near_round_robin", False):
        # One round fewer than all could play, as far as that is a Swiss event at all.
        asked |= {"rounds": max(1, plan.players - 2 + plan.players % 2), "ends_early": True}
    asked = {name: value for name, value in asked.items() if name not in given}
    for name in ("late", "unrated", "turned", "profile", "forbidden_pairs"):
        if options[name] is not None:
            asked[name] = options[name]
    return replace(plan, acceleration=options["acceleration"], **asked)


def fictitious_points_as_data(event: TournamentSnapshot) -> TournamentSnapshot:
    """Return the event with each player's fictitious points stored, for programs that do not support acceleration."""
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
