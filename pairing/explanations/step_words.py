"""The steps of a round in words, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.engine.round_steps import Step, StepKind
from pairing.explanations.explanations import Names, points_text

MOST_NAMED = 40
"""Of a longer group, the first round of a large event, nobody reads every name."""


def headline(step: Step, names: Names) -> str:
    """What happens in a step, without its reasons."""
    who = [names[tpn] for tpn in step.players]
    points = points_text(step.half_points)
    match step.kind:
        case StepKind.GROUPS:
            return _("Group of %(points)s: %(players)s") % {"points": points, "players": _listed(who)}
        case StepKind.BYE:
            return _("Bye: %(player)s") % {"player": who[0]}
        case StepKind.FLOAT:
            return _("Floater: %(player)s goes to the group of %(points)s") % {"player": who[0], "points": points}
        case StepKind.PAIR if step.half_points is None:
            return _("Pair set by the arbiter: %(one)s and %(other)s") % {"one": who[0], "other": who[1]}
        case StepKind.PAIR:
            return _("Pair in the group of %(points)s: %(one)s and %(other)s") % {
                "points": points,
                "one": who[0],
                "other": who[1],
            }
        case _:
            return _("Board %(board)s: %(white)s – %(black)s") % {"board": step.board, "white": who[0], "black": who[1]}


def left_to_pair(step: Step, names: Names) -> str:
    """Who had no opponent in the group when a pair was to be formed, and who of it goes elsewhere.

    Empty for other steps, and for the last pair.
    """
    if len(step.waiting) <= len(step.players):
        return ""
    waiting = _("Still to be paired in this group, in its order: %(players)s.") % {
        "players": _listed([names[tpn] for tpn in step.waiting])
    }
    if not step.elsewhere:
        return waiting
    gone = [
        _("%(player)s (to the group of %(points)s)") % {"player": names[tpn], "points": points_text(to)}
        for tpn, to in step.elsewhere
    ]
    facts = {"sentence": waiting, "players": _listed(gone)}
    return _("%(sentence)s Not paired in it: %(players)s.") % facts


def _listed(who: list[str]) -> str:
    if len(who) > MOST_NAMED:
        return "; ".join([*who[:MOST_NAMED], _("%(count)s more") % {"count": len(who) - MOST_NAMED}])
    return "; ".join(who)
