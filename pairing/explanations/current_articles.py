"""The articles of the rules now in force, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DUTCH_2026: Mapping[str, Promise] = {
    "1.2": _("Players are ordered by score, and those of equal score by their pairing numbers."),
    "1.3": _(
        "A bracket holds the players of a score group and those left over by the bracket above. It is homogeneous if"
        " all scores are equal, else heterogeneous: those moved down are paired first, and the remainder after them."
    ),
    "1.4": _(
        "Of two paired players with unequal scores the higher floats down, the lower up. Who gets more than a loss is"
        " worth without playing floats down, too."
    ),
    "1.7": _(
        "A colour preference is absolute at a colour difference beyond one, or after the same colour in the last two"
        " games; strong at a difference of one; mild at none, for the colour not had last."
    ),
    "1.8": _(
        "Topscorers are those who have more than half of the points there were to win when the last round is paired."
    ),
    "1.9": _(
        "Pairing goes bracket by bracket from the top. If no pairing of all players within C1 to C3 exists, the"
        " arbiter decides."
    ),
    "C1": _("Two players do not meet twice."),
    "C2": _("Who has had the bye, or the points of a win without playing in one round, does not get the bye."),
    "C3": _("Two who are not topscorers and have the same absolute colour preference do not meet."),
    "C4": _("Whatever a bracket does, all who are not yet paired can still be paired by C1 to C3."),
    "C5": _("The bye goes to a player with the lowest score possible."),
    "C6": _("As few players as possible are moved down from a bracket."),
    "C7": _("The scores of those moved down, from the highest, are as low as possible."),
    "C8": _("Those moved down are chosen so that the next bracket keeps C1 to C7 as well as possible."),
    "C9": _("The bye goes to the player who has missed the fewest games."),
    "C10": _("As few topscorers and their opponents as possible get a colour difference beyond two."),
    "C11": _("As few topscorers and their opponents as possible get the same colour three times running."),
    "C12": _("As many players as possible get the colour they prefer."),
    "C13": _("As many players as possible get the colour they prefer strongly."),
    "C14": _(
        "As few as possible of those who belong to the bracket and are moved down floated down in the last round."
    ),
    "C15": _("As few as possible of the opponents of those moved down floated up in the last round."),
    "C16": _("As few as possible of those who belong to the bracket and are moved down floated down two rounds ago."),
    "C17": _("As few as possible of the opponents of those moved down floated up two rounds ago."),
    "C18": _(
        "Players moved down who floated down in the last round, too, meet opponents with scores as near as possible."
    ),
    "C19": _(
        "Opponents of those moved down who floated up in the last round meet them at score differences as small as"
        " possible."
    ),
    "C20": _(
        "Players moved down who floated down two rounds ago, too, meet opponents with scores as near as possible."
    ),
    "C21": _(
        "Opponents of those moved down who floated up two rounds ago meet them at score differences as small as"
        " possible."
    ),
    "3.3": _(
        "The first candidate: the first player of S1 meets the first of S2, the second the second, and so on. S1 is the"
        " upper half of a homogeneous bracket or remainder, or those moved down who are paired in the bracket; S2 is"
        " the others."
    ),
    "4.2": _(
        "Transpositions of S2 come in the order of a dictionary: first those that change its last places alone. [So"
        " each of S1 in turn meets the first of S2 with whom an equally good pairing remains.]"
    ),
    "4.3": _(
        "Exchanges between S1 and S2 of a homogeneous bracket or remainder: the fewest players; then the smallest"
        " difference of the numbers; then the lowest players of S1; then the highest of S2. Both are put in order"
        " again."
    ),
    "4.4": _(
        "Sets of players moved down who are paired in the bracket: of two sets the one with the smaller number where"
        " they differ comes first."
    ),
    "5.2.1": _("Both get the colour they prefer."),
    "5.2.2": _("The stronger preference is granted; of two absolute ones that with the wider colour difference."),
    "5.2.3": _("The colours of the latest round in which one had White and the other Black are turned round."),
    "5.2.4": _("The higher ranked player gets the colour he prefers."),
    "5.2.5": _(
        "If the higher ranked player has an odd pairing number he gets the initial colour drawn by lot, else the other."
    ),
}

ROUND_ROBIN: Mapping[str, Promise] = {
    "1": _("Berger tables: everybody's opponent and colour in every round; of an odd number the last place rests."),
    "2": _(
        "Twice round: in the second cycle colours are turned; the last two rounds of the first cycle change places."
    ),
    "½": _(
        "Who withdraws before half of the games: his results count for nobody. Later: the games left are lost by"
        " forfeit."
    ),
}
