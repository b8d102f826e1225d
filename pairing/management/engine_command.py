"""The Django management command that runs a command of `pairing.cli`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pairing.cli import command_registry
from pairing.cli.command import CommandConsole, CommandFailed, ReasonFormatter


class EngineCommand(BaseCommand):
    """A management command that passes its options on, and turns CommandFailed into CommandError."""

    requires_system_checks: list[str] = []
    name: str

    def __init_subclass__(cls, *, name: str) -> None:
        super().__init_subclass__()
        cls.name = name
        cls.help = command_registry.load_command(name).help

    def add_arguments(self, parser: ArgumentParser) -> None:
        command_registry.load_command(self.name).add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        console = CommandConsole(
            write=lambda text: self.stdout.write(text, ending=""),
            flush=self.stdout.flush,
            write_error_line=lambda line: self.stderr.write(line, style_func=str),
            load_reason_formatter=_sentences,
        )
        try:
            command_registry.load_command(self.name).run(options, console)
        except CommandFailed as failed:
            raise CommandError(failed.message, returncode=failed.status) from failed


def _sentences() -> ReasonFormatter:
    from pairing.explanations.reason_sentences import reason_sentence

    return reason_sentence
