"""The options about readings (`--reading`, `--readings`), for every command that pairs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from pairing.engine.readings import READINGS, InvalidReading, Readings, chosen_readings, parse_reading


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """`--reading ID=VALUE`, as often as wanted, and `--readings`, which lists them and ends."""
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        type=_reading,
        metavar="ID=VALUE",
        dest="readings",
        help="read an open place of the document otherwise, such as fide-1989:8.2=next-round",
    )
    parser.add_argument("--readings", nargs=0, action=_ListReadings, help="list the open places, and end")


def with_options(
    of_file: Readings, asked: Iterable[tuple[str, str]], *, system: str, procedure: str | None
) -> Readings:
    """The readings of a file, and those asked for over them. Raises InvalidReading for one of another system."""
    asked = list(asked)
    for name, _ in asked:
        if not READINGS[name].concerns(system, procedure):
            raise InvalidReading(f"reading {name} is not asked in events of the system {system}")
    return chosen_readings([*of_file, *asked])


def listed() -> str:
    """All readings with their articles, words, values and defaults."""
    lines = []
    for reading in READINGS.values():
        default, other = reading.choices
        lines += [
            f"{reading.id}  {reading.system} {reading.article}: “{reading.words}”",
            f"    {default.value}: {default.says} (default)",
            f"    {other.value}: {other.says}",
            f"    Why the default: {reading.why}",
        ]
    return "".join(f"{line}\n" for line in lines)


class _ListReadings(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        print(listed(), end="")
        parser.exit()


def _reading(text: str) -> tuple[str, str]:
    try:
        return parse_reading(text)
    except InvalidReading as error:
        raise argparse.ArgumentTypeError(str(error)) from error
