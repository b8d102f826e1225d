"""The command `clubnight-engine`: pair, check, rank and simulate events from their report files."""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser

from clubnight_engine.cli.command import ReasonFormatter
from clubnight_engine.cli.command_registry import COMMAND_NAMES
from clubnight_engine.cli.standalone_runner import exit_immediately, run_command
from clubnight_engine.translation import LANGUAGES, use_language

NAME = "clubnight-engine"


def main() -> None:
    parser = ArgumentParser(prog=NAME, description="Pair, check, rank and simulate chess events from report files.")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="language of explanations (default: en)")
    parser.add_argument("command", choices=COMMAND_NAMES, help=f"`{NAME} COMMAND --help` explains it")
    parser.add_argument("arguments", nargs=REMAINDER)
    options = parser.parse_args()
    with use_language(options.language):
        exit_immediately(run_command(NAME, options.command, options.arguments, load_sentences=_load_sentences))


def _load_sentences() -> ReasonFormatter:
    from clubnight_engine.explanations.reason_sentences import reason_sentence

    return reason_sentence


if __name__ == "__main__":
    main()
