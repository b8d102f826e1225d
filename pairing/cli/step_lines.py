"""The steps of a round as numbered lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pairing.engine.paired_round import PairedRound
from pairing.engine.round_steps import steps_of
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.explanations import sentence
from pairing.explanations.step_words import headline, left_to_pair


def step_lines(paired: PairedRound, names: Mapping[PairingNumber, str]) -> Iterator[str]:
    """One line a step, and under it who was still to be paired, and why."""
    for number, step in enumerate(steps_of(paired), start=1):
        yield f"{number}. {headline(step, names)}"
        if waiting := left_to_pair(step, names):
            yield f"    {waiting}"
        for reason in step.reasons:
            yield f"    {reason.article}: {sentence(reason, names)}"
