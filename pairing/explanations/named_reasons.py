"""Stored reasons and warnings with the names they speak of, ready for a template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pairing.engine.paired_round import PairingReason, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.articles import article_url
from pairing.explanations.evidence_sentences import PlayerOrderLine, player_order_lines
from pairing.explanations.pairing_warnings import PairingWarning
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames, reason_sentence_without_lines
from tournaments.models import Tournament

_WHOSE = frozenset({ReasonKind.COLOUR, ReasonKind.BYE})
"""Reasons that name the players of the board, or who has the bye, and nobody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedReason:
    """One reason in the reader's language; `article` names document and article.

    `lines` is the order of players of which `text` is the heading; `marked` are those of them whose board or bye it is.
    """

    article: str
    text: str
    lines: tuple[PlayerOrderLine, ...] = ()
    marked: frozenset[PairingNumber] = frozenset()

    @property
    def article_url(self) -> str:
        """Where the article's text stands; empty where it stands on no page of ours."""
        return article_url(self.article)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningWithNames:
    """What a pairing breaks, with names: its words stand in `pairing/explanations/warnings.html`."""

    kind: str
    article: str
    names: tuple[str, ...]
    round: int | None
    severity: str
    board: int | None

    @property
    def article_url(self) -> str:
        """Where the article's text stands; empty where it stands on no page of ours."""
        return article_url(self.article)


def player_names_by_number(tournament: Tournament) -> PlayerNames:
    """The names of everyone who has a number."""
    return {tpn: name for tpn, name in tournament.entries.values_list("tpn", "name") if tpn is not None}


def explain_stored_reasons(stored: Iterable[dict[str, Any]], names: PlayerNames) -> tuple[ExplainedReason, ...]:
    """Reasons as stored in `Game.reasons` and `Bye.reasons`, as sentences."""
    return explain_reasons(reasons_from_json(stored), names)


def explain_reasons(reasons: Iterable[PairingReason], names: PlayerNames) -> tuple[ExplainedReason, ...]:
    """The reasons of one board or bye as sentences."""
    told = tuple(reasons)
    whose = frozenset(tpn for why in told if why.kind in _WHOSE for tpn in why.players)
    return tuple(
        ExplainedReason(
            article=why.article,
            text=reason_sentence_without_lines(why, names),
            lines=player_order_lines(why, names),
            marked=whose,
        )
        for why in told
    )


def add_names_to_warnings(warnings: Iterable[PairingWarning], names: PlayerNames) -> tuple[WarningWithNames, ...]:
    return tuple(
        WarningWithNames(
            kind=warning.kind.value,
            article=warning.article,
            names=tuple(names.get(tpn, str(tpn)) for tpn in warning.players),
            round=warning.round,
            severity=warning.severity.name.lower(),
            board=warning.board,
        )
        for warning in warnings
    )
