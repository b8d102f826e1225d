"""`manage.py standings`: the ranking of a report file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings import TIE_BREAKS, TIE_BREAKS_OF_SYSTEM, Standing, UnknownTieBreak, rank_players
from pairing.engine.standings.points import points_value
from pairing.engine.systems import SYSTEMS
from pairing.engine.trf import to_snapshot
from pairing.management.event_files import UNREADABLE, FileProblem, problems_of, read_file

_JAHR_CODES = frozenset({"G", "T", "E"})
_OTHER_NAMES = {"POINTS": "PTS", "JG": "G", "JT": "T", "JE": "E"}


class Command(BaseCommand):
    help = "Print the ranking of a tournament report file (TRF), by points and tie-breaks."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--system",
            choices=sorted(SYSTEMS),
            help="default: jahr where one of his values is asked for, else fide-1989",
        )
        parser.add_argument(
            "--tiebreaks",
            metavar="LIST",
            help=f"codes with commas between them, of {', '.join(TIE_BREAKS)}; default: those of the system",
        )
        parser.add_argument("--format", default="text", choices=("text", "json"))
        parser.add_argument("file", metavar="FILE")

    def handle(self, *, file: str, system: str | None, tiebreaks: str | None, format: str, **options: Any) -> None:
        codes = None if tiebreaks is None else _codes(tiebreaks)
        system = system or ("jahr" if codes and _JAHR_CODES.intersection(codes) else "fide-1989")
        if codes is None:
            codes = TIE_BREAKS_OF_SYSTEM.get(system, ())
        try:
            trf = read_file(file)
            with problems_of(file):
                table = rank_players(to_snapshot(trf, system=system), codes)
        except FileProblem as problem:
            raise CommandError(problem.message, returncode=problem.status) from problem
        except UnknownTieBreak as error:
            raise CommandError(str(error), returncode=UNREADABLE) from error
        names = {player.tpn: player.name for player in trf.players}
        if format == "json":
            self.stdout.write(json.dumps([_as_json(row, names, codes) for row in table], ensure_ascii=False))
        else:
            self.stdout.write("".join(_as_line(row, names) for row in table), ending="")


def _codes(text: str) -> tuple[str, ...]:
    """The codes of a list, in whatever case they are written."""
    codes = [code.strip().upper() for code in text.split(",") if code.strip()]
    return tuple(_OTHER_NAMES.get(code, code) for code in codes)


def _as_line(row: Standing, names: dict[PairingNumber, str]) -> str:
    values = (value.text for value in row.values)
    return "\t".join((str(row.rank), str(row.tpn), names[row.tpn], points_value(row.points).text, *values)) + "\n"


def _as_json(row: Standing, names: dict[PairingNumber, str], codes: Sequence[str]) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "tpn": row.tpn,
        "name": names[row.tpn],
        "points": row.points / 2,
        "tiebreaks": {code: float(value.number) for code, value in zip(codes, row.values, strict=True)},
    }
