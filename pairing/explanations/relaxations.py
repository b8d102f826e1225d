"""The options for an arbiter if no legal round exists, in words and by article."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.engine.relaxations import RelaxationKind


class RelaxationText(NamedTuple):
    """A relaxation's name, and its effect on the players."""

    title: Promise
    meaning: Promise


RELAXATION_TEXTS: Mapping[str, RelaxationText] = {
    RelaxationKind.EVENT_RULE: RelaxationText(
        _("Lift a rule of the event"),
        _("Two meet whom this event keeps apart. No article of the system is broken."),
    ),
    RelaxationKind.SECOND_BYE: RelaxationText(
        _("Give a second bye"),
        _("Somebody has the bye who has had a point without play before."),
    ),
    RelaxationKind.REPEAT: RelaxationText(
        _("Let a game be repeated"),
        _("Two meet again: those whose game is the longest time ago, and who stand nearest to each other."),
    ),
    RelaxationKind.ODD_COLOUR: RelaxationText(
        _("Let a colour be wrong"),
        _("Two meet who both must have the same colour: the one whom it hurts less does not get it."),
    ),
    RelaxationKind.SEVERAL: RelaxationText(
        _("Let several rules go"),
        _("No single rule is enough; this breaks as few as can be."),
    ),
}
MANUAL_PAIRING_TEXT = RelaxationText(
    _("Pair by hand, from empty boards"),
    _("You seat everybody yourself. The page names the article of every rule that a board breaks."),
)

ARBITER_AUTHORITY_TEXTS: Mapping[str, Promise] = {
    "fide-1989": _(
        "By the rules of 1987–89 the computer helps the arbiter: he may change what it proposes, and answers for it."
    ),
    "dutch-1992": _(
        "The rules of 1992 never relax B1 and B2: no program may let two meet again, or give a colour that may not be."
        " What is left is to pair by hand, for which you answer."
    ),
    "dubov-1997": _("By Dubov's rules the arbiter decides where they leave no way."),
    "dutch-2026": _("By the rules of 2026 the arbiter decides where C1 to C3 cannot all be kept."),
}
"""What each document says of an arbiter in this place."""
