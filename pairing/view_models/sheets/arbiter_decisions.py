"""What the arbiter decided where a round had no legal pairing, for the round's page and for his record."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.audit_log.actions import find_log_action
from tournaments.models import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionText:
    """The decision as a sentence without its reason, which only those who run the event read."""

    sentence: str
    reason: str


def decision_of_round(round: Round) -> DecisionText | None:
    """The decision by which a round was paired; None for a round that the rules could pair."""
    line = round.decision
    if line is None or round.state == Round.State.WAITING:
        return None
    action = find_log_action(line.action)
    names, articles = "; ".join(line.details.get("names", ())), line.details.get("articles", "")
    said = str(action.sentence if action else line.action).format(names=names, articles=articles, reason="").strip()
    return DecisionText(sentence=said.replace(" ()", ""), reason=line.details["reason"])
