"""The rule interpretation options (`--reading`, `--readings`) of every command that pairs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from pairing.engine.rule_interpretations import (
    RULE_INTERPRETATIONS,
    ChosenInterpretations,
    InvalidInterpretation,
    non_default_interpretations,
    parse_interpretation,
)


def add_interpretation_options(parser: argparse.ArgumentParser) -> None:
    """Add `--reading ID=VALUE`, which can be repeated, and `--readings`, which lists them and exits."""
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        type=_reading,
        metavar="ID=VALUE",
        dest="readings",
        help="use another interpretation of a rule, such as fide-1989:8.2=next-round",
    )
    parser.add_argument("--readings", nargs=0, action=_ListReadings, help="list the rule interpretations and exit")


def merge_interpretation_options(
    of_file: ChosenInterpretations, asked: Iterable[tuple[str, str]], *, system: str, procedure: str | None
) -> ChosenInterpretations:
    """Override a file's interpretations by the options. Raises InvalidInterpretation for another system's."""
    asked = list(asked)
    for name, _ in asked:
        if not RULE_INTERPRETATIONS[name].applies_to_system(system, procedure):
            raise InvalidInterpretation(f"interpretation {name} is not used in events of the system {system}")
    return non_default_interpretations([*of_file, *asked])


def list_rule_interpretations() -> str:
    """List all interpretations with their articles, descriptions, values and defaults."""
    lines = []
    for reading in RULE_INTERPRETATIONS.values():
        default, other = reading.options
        lines += [
            f"{reading.id}  {reading.system} {reading.article}: “{reading.article_text}”",
            f"    {default.value}: {default.meaning} (default)",
            f"    {other.value}: {other.meaning}",
            f"    Why the default: {reading.default_rationale}",
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
        print(list_rule_interpretations(), end="")
        parser.exit()


def _reading(text: str) -> tuple[str, str]:
    try:
        return parse_interpretation(text)
    except InvalidInterpretation as error:
        raise argparse.ArgumentTypeError(str(error)) from error
