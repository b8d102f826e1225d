"""The steps of a round in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.engine.paired_round import PairingReason, ReasonKind
from pairing.engine.pairing_trace import TraceStep, TraceStepKind
from pairing.engine.snapshot import HalfPoints
from pairing.explanations.reason_sentences import PlayerNames, points_text, reason_sentence

MAX_NAMED_PLAYERS = 40
"""Longer groups, as in the first round of a large event, are not listed by name."""


def step_headline(step: TraceStep, names: PlayerNames) -> str:
    """Return a step's headline, without its reasons."""
    who = [names[tpn] for tpn in step.players]
    points = points_text(step.half_points)
    match step.kind:
        case TraceStepKind.GROUPS:
            return _("Score group %(points)s: %(players)s") % {"points": points, "players": _listed(who)}
        case TraceStepKind.BYE:
            return _("Bye: %(player)s") % {"player": who[0]}
        case TraceStepKind.FLOAT:
            return _("Floater: %(player)s moves to score group %(points)s") % {"player": who[0], "points": points}
        case TraceStepKind.PAIR if step.half_points is None:
            return _("Pair set by the arbiter: %(one)s and %(other)s") % {"one": who[0], "other": who[1]}
        case TraceStepKind.PAIR:
            return _("Pair in score group %(points)s: %(one)s and %(other)s") % {
                "points": points,
                "one": who[0],
                "other": who[1],
            }
        case _:
            return _("Board %(board)s: %(white)s – %(black)s") % {"board": step.board, "white": who[0], "black": who[1]}


def step_heading(step: TraceStep, names: PlayerNames) -> str:
    """Return a step's headline without the names of a whole group."""
    if step.kind is TraceStepKind.GROUPS:
        return _("Score group %(points)s") % {"points": points_text(step.half_points)}
    return step_headline(step, names)


def step_line(step: TraceStep, names: PlayerNames) -> str:
    """Return a step's headline below a heading that already says where it happens (`step_section`)."""
    who = [names[tpn] for tpn in step.players]
    match step.kind:
        case TraceStepKind.BYE:
            return who[0]
        case TraceStepKind.PAIR:
            return f"{who[0]} – {who[1]}"
        case _:
            return step_heading(step, names)


def step_section(step: TraceStep, into: HalfPoints | None) -> str:
    """Return the heading above a step in a list. `into` is the score group that is being paired, if any."""
    match step.kind:
        case TraceStepKind.GROUPS:
            return _("Score groups")
        case TraceStepKind.BYE:
            return _("Bye")
        case TraceStepKind.BOARD:
            return _("Boards")
        case TraceStepKind.PAIR if step.half_points is None:
            return _("Set by the arbiter")
        case _:
            return _("Score group %(points)s") % {"points": points_text(into)}


def unpaired_players_sentence(step: TraceStep, names: PlayerNames) -> str:
    """Say who had no opponent in the group when a pair was formed, and who moves elsewhere.

    Empty for other steps.
    """
    if not step.waiting:
        return ""
    if len(step.waiting) > len(step.players):
        waiting = _("Still to be paired in this group, in order: %(players)s.") % {
            "players": _listed([names[tpn] for tpn in step.waiting])
        }
    elif not step.earlier_pairs:
        waiting = _("%(one)s and %(other)s were the only two to be paired in this group.") % {
            "one": names[step.players[0]],
            "other": names[step.players[1]],
        }
    else:
        waiting = _("%(one)s and %(other)s were the last two to be paired in this group.") % {
            "one": names[step.players[0]],
            "other": names[step.players[1]],
        }
    return _append_rest_of_group(waiting, step, names)


def reason_sentence_with_group(reason: PairingReason, step: TraceStep | None, names: PlayerNames) -> str:
    """Return a reason as a sentence. For the score group or the bye, add what happened to the rest of the group."""
    sentence = reason_sentence(reason, names)
    if step is None or reason.kind not in (ReasonKind.SCORE_GROUP, ReasonKind.BYE):
        return sentence
    return _append_rest_of_group(sentence, step, names)


def _append_rest_of_group(sentence: str, step: TraceStep, names: PlayerNames) -> str:
    """Say who of the group is already paired, who came from another group or went to one, and who has the bye."""
    if step.earlier_pairs:
        pairs = _listed([f"{names[one]} – {names[other]}" for one, other in step.earlier_pairs])
        facts = {"sentence": sentence, "pairs": pairs}
        if step.kind is TraceStepKind.BYE:
            sentence = _("%(sentence)s Paired in that score group: %(pairs)s.") % facts
        else:
            sentence = _("%(sentence)s Already paired there: %(pairs)s.") % facts
    if step.incoming_floaters:
        came = [
            _("%(player)s (from score group %(points)s)") % {"player": names[tpn], "points": points_text(score)}
            for tpn, score in step.incoming_floaters
        ]
        facts = {"sentence": sentence, "players": _listed(came)}
        sentence = _("%(sentence)s Floated into this group: %(players)s.") % facts
    if step.bye is not None:
        sentence = _("%(sentence)s %(player)s has the bye.") % {"sentence": sentence, "player": names[step.bye]}
    if not step.outgoing_floaters:
        return sentence
    gone = [
        _("%(player)s (to score group %(points)s)") % {"player": names[tpn], "points": points_text(to)}
        for tpn, to in step.outgoing_floaters
    ]
    facts = {"sentence": sentence, "players": _listed(gone)}
    return _("%(sentence)s Not paired in this group: %(players)s.") % facts


def _listed(who: list[str]) -> str:
    named = "; ".join(who[:MAX_NAMED_PLAYERS])
    more = len(who) - MAX_NAMED_PLAYERS
    others = _("and %(n)s more") % {"n": more}
    return f"{named} {others}" if more > 0 else named
