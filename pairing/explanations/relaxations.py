"""Why no legal round exists, and the options for an arbiter then, in words and by article."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pairing.engine.paired_round import DecisionCause, PairingImpossible, PairingReason, ReasonKind
from pairing.engine.relaxations import RelaxationKind
from pairing.explanations.reason_sentences import PlayerNames, reason_sentence


class RelaxationText(NamedTuple):
    """A relaxation's name, and its effect on the players."""

    title: Promise
    meaning: Promise


RELAXATION_TEXTS: Mapping[str, RelaxationText] = {
    RelaxationKind.EVENT_RULE: RelaxationText(
        _("Waive a rule of the event"),
        _("Two players meet although this event keeps them apart. No article of the pairing system is broken."),
    ),
    RelaxationKind.SECOND_BYE: RelaxationText(
        _("Give a second bye"),
        _("The bye goes to a player who has already been given a point without playing."),
    ),
    RelaxationKind.REPEAT: RelaxationText(
        _("Let two players meet again"),
        _("Two players meet again. The two chosen are those whose game was longest ago and whose scores are closest."),
    ),
    RelaxationKind.ODD_COLOUR: RelaxationText(
        _("Allow a forbidden colour"),
        _(
            "Two players meet although they must both have the same colour. The player with the weaker claim "
            "gets the other colour."
        ),
    ),
    RelaxationKind.SEVERAL: RelaxationText(
        _("Waive several rules"),
        _("Waiving one rule is not enough. This breaks as few rules as possible."),
    ),
}
MANUAL_PAIRING_TEXT = RelaxationText(
    _("Pair manually, starting from empty boards"),
    _("You pair everyone yourself. The page names the article of every rule that a board breaks."),
)

ARBITER_AUTHORITY_TEXTS: Mapping[str, Promise] = {
    "fide-1989": _(
        "Under the 1987–89 rules, the computer helps the arbiter. The arbiter may change its pairings, and is "
        "responsible for them."
    ),
    "dutch-1992": _(
        "The 1992 rules never relax B1 and B2. No program may let two players meet again, or give a forbidden "
        "colour. You can only pair manually, and you are responsible for the result."
    ),
    "dubov-1997": _("Under Dubov's rules, the arbiter decides what to do if the rules offer no way out."),
    "dutch-2026": _("Under the 2026 rules, the arbiter decides what to do if C1 to C3 cannot all be met."),
}
"""What each document says of an arbiter in this place."""


def no_legal_pairing_text(error: PairingImpossible, names: PlayerNames) -> str:
    """Return the statement that no legal round exists, and who can't be paired, in the active language."""
    text = gettext("No legal pairing exists.")
    return f"{text} {_unpaired_players_text(error.players, names)}" if error.players else text


def impossible_cause_sentence(cause: PairingReason, names: PlayerNames) -> str:
    """Return one of the causes of PairingImpossible in the active language."""
    if cause.kind is not ReasonKind.COMPLETION:
        return reason_sentence(cause, names)
    if cause.get_fact("because") == DecisionCause.NO_OPPONENT and len(cause.players) == 1:
        return gettext("%(player)s has no possible opponent.") % {"player": names[cause.players[0]]}
    return _unpaired_players_text(cause.players, names)


def _unpaired_players_text(players: tuple[int, ...], names: PlayerNames) -> str:
    listed = ", ".join(names[tpn] for tpn in players)
    return gettext("These players can't be paired: %(names)s.") % {"names": listed}
