"""Stored reasons and warnings with players' names, ready for a template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pairing.engine.paired_round import PairingReason, ReasonKind
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.articles import article_url
from pairing.explanations.evidence_sentences import ColumnRow, PlayerOrderLine, column_rows, player_order_lines
from pairing.explanations.pairing_summary import BoardSummary, Meeting, summarise_reasons
from pairing.explanations.pairing_warnings import PairingWarning
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames, reason_sentence_without_lines
from pairing.explanations.summary_sentences import summary_sentences
from tournaments.entries.pairing_numbers import kept_numbers, numbers_in_round
from tournaments.models import Tournament

_WHOSE = frozenset({ReasonKind.COLOUR, ReasonKind.BYE})
"""Reasons that only name the players of the board, or the player with the bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedReason:
    """One reason in the reader's language. `article` names the document and the article.

    `lines` is an order of players, and `columns` are Dubov's two columns, with `text` as their heading. `marked` are
    the players of this board or bye in them.
    """

    article: str
    text: str
    lines: tuple[PlayerOrderLine, ...] = ()
    columns: tuple[ColumnRow, ...] = ()
    marked: frozenset[PairingNumber] = frozenset()

    @property
    def article_url(self) -> str:
        """The link to the article. Empty if our pages do not have it."""
        return article_url(self.article)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """An explanation in the reader's language: a short version for players, and every reason for arbiters.

    `opponent` and `colours` are its two parts, or empty if it is not about both. `unpaired` says who had no opponent
    yet when the pair was formed. False if there are no reasons.
    """

    summary: str = ""
    opponent: str = ""
    colours: str = ""
    unpaired: str = ""
    reasons: tuple[ExplainedReason, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.reasons)


NO_EXPLANATION = Explanation()


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningWithNames:
    """A broken rule with the players' names. The text is in `pairing/explanations/warnings.html`."""

    kind: str
    article: str
    names: tuple[str, ...]
    round: int | None
    severity: str
    board: int | None

    @property
    def article_url(self) -> str:
        """The link to the article. Empty if our pages do not have it."""
        return article_url(self.article)


def player_names_by_number(tournament: Tournament, number: int | None = None) -> PlayerNames:
    """Return the names of all players by their current number, or by their number in round `number`."""
    kept = kept_numbers(tournament, number) if number else {}
    if kept:
        numbers = numbers_in_round(tournament, entries := list(tournament.entries.all()), number or 0).by_entry
        return {numbers[entry.pk]: entry.name for entry in entries}
    return {tpn: name for tpn, name in tournament.entries.values_list("tpn", "name") if tpn is not None}


_AFTER_A_COMMA = frozenset({"jr", "sr", "jun", "sen", "ii", "iii", "iv"})
"""What follows a comma without being a given name."""


def names_in_sentences(names: PlayerNames) -> PlayerNames:
    """Return names as they are read in a sentence: the given name first. A name without one stays as it is."""
    return {tpn: _given_name_first(name) for tpn, name in names.items()}


def _given_name_first(name: str) -> str:
    family, comma, given = (part.strip() for part in name.partition(","))
    if not comma or not family or not given or "," in given or given.rstrip(".").lower() in _AFTER_A_COMMA:
        return name
    return f"{given} {family}"


def explain_stored_reasons(stored: Iterable[dict[str, Any]], names: PlayerNames) -> tuple[ExplainedReason, ...]:
    """Return reasons stored in `Game.reasons` or `Bye.reasons` as sentences."""
    return explain_reasons(reasons_from_json(stored), names)


def explain_stored(
    stored: Iterable[dict[str, Any]], names: PlayerNames, *, you: PairingNumber | None = None
) -> Explanation:
    """Explain a stored board or bye. `you` is the reader, if they are one of its players."""
    reasons = reasons_from_json(stored)
    summary = summarise_reasons(reasons)
    sentences = summary_sentences(summary, names_in_sentences(names), you=you) if summary else ()
    # The sentence about the colours is the last, except in a round robin, whose table gives both at once.
    is_about_both = isinstance(summary, BoardSummary) and summary.colours and summary.meeting is not Meeting.TABLE
    return Explanation(
        summary=" ".join(sentences),
        opponent=" ".join(sentences[:-1]) if is_about_both else "",
        colours=sentences[-1] if is_about_both else "",
        reasons=explain_reasons(reasons, names),
    )


def explain_reasons(
    reasons: Iterable[PairingReason], names: PlayerNames, *, marked: Iterable[PairingNumber] = ()
) -> tuple[ExplainedReason, ...]:
    """Return the reasons of one board or bye as sentences, with its players (and those in `marked`) marked."""
    told, spoken = tuple(reasons), names_in_sentences(names)
    whose = frozenset(marked) | frozenset(tpn for why in told if why.kind in _WHOSE for tpn in why.players)
    return tuple(
        ExplainedReason(
            article=why.article,
            text=reason_sentence_without_lines(why, spoken),
            lines=player_order_lines(why, names),
            columns=column_rows(why, names),
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
