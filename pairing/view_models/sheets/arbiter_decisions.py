"""The arbiter's decision where a round had no legal pairing, for the round's page and the arbiter's record."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.audit_log.actions import find_log_action
from tournaments.models import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionText:
    """A decision as a sentence, and its reason, shown only to people who run the event."""

    sentence: str
    reason: str


def decision_of_round(round: Round) -> DecisionText | None:
    """Return the decision by which a round was paired; None if the rules could pair it."""
    line = round.decision
    if line is None or round.state == Round.State.WAITING:
        return None
    action = find_log_action(line.action)
    names, articles = "; ".join(line.details.get("names", ())), line.details.get("articles", "")
    said = (
        (action.sentence_for(line.details) if action else line.action)
        .format(names=names, articles=articles, reason="")
        .strip()
    )
    return DecisionText(sentence=said.replace(" ()", ""), reason=line.details["reason"])
