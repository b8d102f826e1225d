"""The steps of a round as numbered lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pairing.engine.paired_round import PairedRound
from pairing.engine.round_steps import Step, StepKind, steps_of
from pairing.engine.snapshot import PairingNumber
from pairing.reasons.explanations import points_text, sentence


def step_lines(paired: PairedRound, names: Mapping[PairingNumber, str]) -> Iterator[str]:
    """One line a step, and under it why."""
    for number, step in enumerate(steps_of(paired), start=1):
        yield f"{number}. {_headline(step, names)}"
        for reason in step.reasons:
            yield f"    {reason.article}: {sentence(reason, names)}"


def _headline(step: Step, names: Mapping[PairingNumber, str]) -> str:
    who = [names[tpn] for tpn in step.players]
    at = points_text(step.half_points)
    match step.kind:
        case StepKind.GROUPS:
            return f"group of {at}: {', '.join(who)}"
        case StepKind.BYE:
            return f"bye: {who[0]}"
        case StepKind.FLOAT:
            return f"float: {who[0]} to {at}"
        case StepKind.PAIR:
            return f"pair in {at}: {who[0]} and {who[1]}"
        case _:
            return f"board {step.board}: {who[0]} - {who[1]}"
