"""The steps of a round as numbered lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pairing.engine.paired_round import PairedRound
from pairing.engine.pairing_trace import trace_pairing_steps
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.reason_sentences import reason_sentence
from pairing.explanations.step_sentences import step_headline, unpaired_players_sentence


def format_trace_steps(paired: PairedRound, names: Mapping[PairingNumber, str]) -> Iterator[str]:
    """Format one line per step, followed by the players still unpaired and the reasons."""
    for number, step in enumerate(trace_pairing_steps(paired), start=1):
        yield f"{number}. {step_headline(step, names)}"
        if waiting := unpaired_players_sentence(step, names):
            yield f"    {waiting}"
        for reason in step.reasons:
            yield f"    {reason.article}: {reason_sentence(reason, names)}"
