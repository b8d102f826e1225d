"""`manage.py standings`: print the standings of a report file."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from typing import Any

from pairing.cli.command import UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.trf_files import (
    add_keizer_options,
    convert_engine_errors,
    print_file_warnings,
    read_report_file,
    tie_break_edition_of_file,
    with_keizer_options,
    write_to_stdout,
)
from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings import (
    DEFAULT_TIE_BREAKS_BY_SYSTEM,
    KEIZER_TIE_BREAKS,
    PlayerStanding,
    TieBreakCode,
    TieBreakEdition,
    TieBreaksNeedStandardPoints,
    UnknownTieBreak,
    half_points_value,
    parse_tie_breaks,
    rank_players,
)
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import TrfFile, snapshot_from_trf, stated_pairing_system
from pairing.engine.trf.regulations import read_tie_break_codes

_SYSTEM_OF_CODE = dict.fromkeys(("G", "T", "E"), "jahr") | dict.fromkeys(KEIZER_TIE_BREAKS, "keizer")
"""The system of tie-breaks that belong to one."""
_USUAL_SYSTEM = "dutch-2026"
"""The system of a file that states none: its tie-breaks are FIDE's usual ones, and work with any points."""
_EDITIONS = {edition.value[:4]: edition for edition in TieBreakEdition}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--system",
        choices=sorted(PAIRING_SYSTEMS),
        help="the pairing system (default: jahr or keizer if you ask for one of their tie-breaks, otherwise what the "
        f"file states, or {_USUAL_SYSTEM})",
    )
    add_keizer_options(parser)
    parser.add_argument(
        "--tiebreaks",
        metavar="LIST",
        help="tie-breaks in order of priority, such as BH/C1,BH,SB (default: those of --system, or else those in the "
        "file, line 212 or 202, or else those of its system)",
    )
    parser.add_argument(
        "--edition",
        choices=sorted(_EDITIONS),
        help="year of FIDE's tie-break regulations (default: those in force when the event started)",
    )
    parser.add_argument(
        "--lots",
        metavar="NUMBERS",
        type=_lots,
        default={},
        help="order drawn by lot for the tie-break LOT, as pairing numbers separated by commas",
    )
    parser.add_argument("--format", default="text", choices=("text", "json"), help="output format (default: text)")
    parser.add_argument("file", metavar="FILE", help="the report file")


def print_standings(options: dict[str, Any], console: CommandConsole) -> None:
    file: str = options["file"]
    system: str | None = options["system"]
    tiebreaks: str | None = options["tiebreaks"]
    try:
        codes = None if tiebreaks is None else parse_tie_breaks(filter(None, map(str.strip, tiebreaks.split(","))))
        trf = read_report_file(file)
        if codes is None and system is None:
            codes = _codes_in_file(trf)
        system = system or _system_for(codes, trf)
        if codes is None:
            codes = parse_tie_breaks(DEFAULT_TIE_BREAKS_BY_SYSTEM[system])
        edition = _EDITIONS[options["edition"]] if options["edition"] else tie_break_edition_of_file(trf)
        with convert_engine_errors(file):
            snapshot = snapshot_from_trf(trf, system=system, is_for_pairing=False)
            snapshot = with_keizer_options(snapshot, options["keizer_options"])
            table = rank_players(snapshot, map(str, codes), edition=edition, lots=options["lots"])
    except (UnknownTieBreak, TieBreaksNeedStandardPoints) as error:
        raise CommandFailed(str(error), UNREADABLE_FILE_STATUS) from error
    print_file_warnings(trf, console)
    names = {player.tpn: player.name for player in trf.players}
    if options["format"] == "json":
        import json

        answer = json.dumps([_as_json(row, names, codes) for row in table], ensure_ascii=False) + "\n"
    else:
        answer = "".join(_as_line(row, names) for row in table)
    write_to_stdout(console, answer)


def _lots(text: str) -> dict[PairingNumber, int]:
    """Return the places of the players drawn by lot, from 1."""
    try:
        drawn = [int(number) for number in text.split(",")]
    except ValueError:
        drawn = []
    if not drawn or len(set(drawn)) < len(drawn):
        raise argparse.ArgumentTypeError(f"expected different pairing numbers, separated by commas, found {text!r}")
    return {tpn: place for place, tpn in enumerate(drawn, start=1)}


def _as_line(row: PlayerStanding, names: dict[PairingNumber, str]) -> str:
    values = (value.display_text for value in row.values)
    return (
        "\t".join((str(row.rank), str(row.tpn), names[row.tpn], half_points_value(row.points).display_text, *values))
        + "\n"
    )


def _codes_in_file(trf: TrfFile) -> tuple[TieBreakCode, ...] | None:
    """Return the tie-breaks that the file states, or None if it states none or an unknown one."""
    try:
        return parse_tie_breaks(read_tie_break_codes(trf)) or None
    except UnknownTieBreak:
        return None


def _system_for(codes: Iterable[TieBreakCode] | None, trf: TrfFile) -> str:
    """Return the system of the first tie-break that belongs to one, or else what the file states."""
    for code in codes or ():
        if code.name in _SYSTEM_OF_CODE:
            return _SYSTEM_OF_CODE[code.name]
    return stated_pairing_system(trf) or _USUAL_SYSTEM


def _as_json(row: PlayerStanding, names: dict[PairingNumber, str], codes: Sequence[TieBreakCode]) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "tpn": row.tpn,
        "name": names[row.tpn],
        "points": row.points / 2,
        "tiebreaks": {
            str(code): None if value.number is None else float(value.number)
            for code, value in zip(codes, row.values, strict=True)
        },
    }


COMMAND = CliCommand(
    "Print the standings of a tournament report file (TRF), by points and tie-breaks.", add_arguments, print_standings
)
