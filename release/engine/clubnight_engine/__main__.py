"""The command `clubnight-engine`: pair, check, rank and simulate events from their report files."""

from __future__ import annotations

import sys
from argparse import REMAINDER, Action, ArgumentParser, Namespace

from clubnight_engine.cli.command import ReasonFormatter
from clubnight_engine.cli.command_registry import COMMAND_NAMES
from clubnight_engine.cli.standalone_runner import exit_immediately, run_command
from clubnight_engine.translation import LANGUAGES, use_language

NAME = "clubnight-engine"


class _PrintVersion(Action):
    """Reads the version only if it is asked for, as this takes a while."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: object, option: str | None = None) -> None:
        from clubnight_engine import __version__

        sys.stdout.write(f"{NAME} {__version__}\n")
        parser.exit()


def main() -> None:
    # A parser of its own: the language may also be stated after the command.
    language = ArgumentParser(add_help=False, allow_abbrev=False)
    language.add_argument("--language", choices=LANGUAGES, default="en", help="language of explanations (default: en)")
    wanted, rest = language.parse_known_args()
    parser = ArgumentParser(
        prog=NAME, description="Pair, check, rank and simulate chess events from report files.", parents=[language]
    )
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="show the version")
    parser.add_argument("command", choices=COMMAND_NAMES, help=f"`{NAME} COMMAND --help` explains it")
    parser.add_argument("arguments", nargs=REMAINDER)
    options = parser.parse_args(rest)
    with use_language(wanted.language):
        exit_immediately(run_command(NAME, options.command, options.arguments, load_sentences=_load_sentences))


def _load_sentences() -> ReasonFormatter:
    from clubnight_engine.explanations.reason_sentences import reason_sentence

    return reason_sentence


if __name__ == "__main__":
    main()
