"""Stored reasons and warnings with the names they speak of, ready for a template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pairing.engine.paired_round import Reason, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.articles import address_of
from pairing.explanations.evidence_words import OrderLine, order_lines
from pairing.explanations.explanations import Names, without_lines
from pairing.explanations.stored import reasons_from_json
from pairing.explanations.warnings import PairingWarning
from tournaments.models import Tournament

_WHOSE = frozenset({ReasonKind.COLOUR, ReasonKind.BYE})
"""Reasons that name the players of the board, or who has the bye, and nobody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One reason in the reader's language; `article` names document and article.

    `lines` is the order of players of which `text` is the heading; `marked` are those of them whose board or bye it is.
    """

    article: str
    text: str
    lines: tuple[OrderLine, ...] = ()
    marked: frozenset[PairingNumber] = frozenset()

    @property
    def address(self) -> str:
        """Where the article's text stands; empty where it stands on no page of ours."""
        return address_of(self.article)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedWarning:
    """What a pairing breaks, with names: its words stand in `pairing/explanations/warnings.html`."""

    kind: str
    article: str
    names: tuple[str, ...]
    round: int | None
    severity: str
    board: int | None

    @property
    def address(self) -> str:
        """Where the article's text stands; empty where it stands on no page of ours."""
        return address_of(self.article)


def names_of(tournament: Tournament) -> Names:
    """The names of everyone who has a number."""
    return {tpn: name for tpn, name in tournament.entries.values_list("tpn", "name") if tpn is not None}


def explained(stored: Iterable[dict[str, Any]], names: Names) -> tuple[Explained, ...]:
    """Reasons as stored in `Game.reasons` and `Bye.reasons`, as sentences."""
    return in_words(reasons_from_json(stored), names)


def in_words(reasons: Iterable[Reason], names: Names) -> tuple[Explained, ...]:
    """The reasons of one board or bye as sentences."""
    told = tuple(reasons)
    whose = frozenset(tpn for why in told if why.kind in _WHOSE for tpn in why.players)
    return tuple(
        Explained(article=why.article, text=without_lines(why, names), lines=order_lines(why, names), marked=whose)
        for why in told
    )


def with_names(warnings: Iterable[PairingWarning], names: Names) -> tuple[NamedWarning, ...]:
    return tuple(
        NamedWarning(
            kind=warning.kind.value,
            article=warning.article,
            names=tuple(names.get(tpn, str(tpn)) for tpn in warning.players),
            round=warning.round,
            severity=warning.severity.name.lower(),
            board=warning.board,
        )
        for warning in warnings
    )
