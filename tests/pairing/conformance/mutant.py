"""One way to get an article of a document wrong: the literal twin with that article broken.

A conformance case for an article is an event on which the twin and its mutant pair otherwise; a kit that holds it
catches whoever breaks the article in that way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from textwrap import dedent
from typing import Any
from unittest.mock import patch

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal import dubov_1997, dutch_1992, dutch_2026, facts, fide_1989, jahr, round_robin
from tests.pairing.engine.literal.events import PairingFunction
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing

Change = tuple[object, str, Any]


@dataclass(frozen=True)
class Mutant:
    """An article (`key` distinguishes several of one article), and the change to the twin that breaks it."""

    system: str
    article: str
    changes: tuple[Change, ...]
    key: str = ""
    acceleration: str = "none"

    @property
    def name(self) -> str:
        return f"{self.article} {self.key}".strip()

    def pair(self, snapshot: TournamentSnapshot) -> Pairing | str:
        """The round as the broken twin pairs it; a crash or a refusal is an answer, too."""
        with self.in_force():
            return answer(PAIR[self.system], snapshot)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        with ExitStack() as stack:
            for owner, name, instead in self.changes:
                stack.enter_context(patch.object(owner, name, instead))
            yield


def answer(pair: PairingFunction, snapshot: TournamentSnapshot) -> Pairing | str:
    """A pairing, or one word that says why there is none."""
    try:
        return pair(snapshot)
    except NoLegalRound:
        return "none"
    except (AssertionError, StopIteration, IndexError, ValueError, RuntimeError, KeyError, TypeError) as error:
        return type(error).__name__


PAIR: dict[str, PairingFunction] = {
    "fide-1989": fide_1989.pair,
    "dutch-1992": dutch_1992.pair,
    "dubov-1997": dubov_1997.pair,
    "jahr": jahr.pair,
    "dutch-2026": dutch_2026.pair,
    "round-robin": round_robin.pair,
}


def with_worth(worth: int) -> Callable[..., None]:
    """Facts in which the bye has another value."""
    plain = facts.Facts.__init__

    def init(self: facts.Facts, snapshot: TournamentSnapshot, fictitious: facts.Fictitious, _worth: int) -> None:
        plain(self, snapshot, fictitious, worth)

    return init


def no_absolute(facts_type: type[facts.Facts]) -> Callable[..., None]:
    plain = facts_type.__init__

    def init(self: facts.Facts, *arguments: Any) -> None:
        plain(self, *arguments)
        self.absolute = dict.fromkeys(self.cards)

    return init


def rewritten(owner: Any, name: str, *words: tuple[str, str]) -> Change:
    """A function of a class or module with some of its words exchanged."""
    source = dedent(inspect.getsource(getattr(owner, name)))
    for old, new in words:
        if source.count(old) != 1:
            raise ValueError(f"{name} has {old!r} {source.count(old)} times")
        source = source.replace(old, new)
    made: dict[str, Any] = {}
    exec(source, getattr(owner, name).__globals__, made)  # noqa: S102 - our own source, a few words exchanged
    return owner, name, made[name]
