"""What `explain` returns. Pairing does not need it, so it is imported when first used."""

from __future__ import annotations

from dataclasses import dataclass

from clubnight_engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedReason:
    """One reason for a pairing: the article, what it decided here, and the article's text, if it is known."""

    article: str
    sentence: str
    article_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why two players meet, or why a player has the bye. For a bye, `board` is 0 and `black` is None."""

    board: int
    white: PairingNumber
    black: PairingNumber | None
    summary: str
    reasons: tuple[ExplainedReason, ...]
