"""The framework's door to a command of `pairing.cli`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pairing.cli import catalogue
from pairing.cli.command import CommandFailed, Console, Sentence


class EngineCommand(BaseCommand):
    """Hands arguments and options on, and turns a failure into the framework's."""

    requires_system_checks: list[str] = []
    name: str

    def __init_subclass__(cls, *, name: str) -> None:
        super().__init_subclass__()
        cls.name = name
        cls.help = catalogue.named(name).help

    def add_arguments(self, parser: ArgumentParser) -> None:
        catalogue.named(self.name).add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console(
            write=lambda text: self.stdout.write(text, ending=""),
            flush=self.stdout.flush,
            complain=lambda line: self.stderr.write(line, style_func=str),
            sentences=_sentences,
        )
        try:
            catalogue.named(self.name).run(options, console)
        except CommandFailed as failed:
            raise CommandError(failed.message, returncode=failed.status) from failed


def _sentences() -> Sentence:
    from pairing.explanations.explanations import sentence

    return sentence
