"""The articles of the rules now in force, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DUTCH_2026: Mapping[str, Promise] = {
    "1.2": _("Players are ordered by score, then by pairing number."),
    "1.3": _(
        "A bracket is the players of a score group plus those left over from the bracket above. It is "
        "homogeneous if all scores are equal, otherwise heterogeneous. In a heterogeneous bracket the "
        "moved-down players are paired first, then the remainder."
    ),
    "1.4": _(
        "When two players with different scores are paired, the higher one downfloats and the lower "
        "one upfloats. A player who, without playing, gets more points than for a loss also "
        "downfloats."
    ),
    "1.7": _(
        "A colour preference is absolute if the colour difference exceeds 1, or the last 2 games were "
        "with the same colour. It is strong if the difference is 1, and mild if it is 0. A mild "
        "preference is for the colour not played last."
    ),
    "1.8": _(
        "When the last round is paired, topscorers are the players with more than half of the points available so far."
    ),
    "1.9": _(
        "Brackets are paired one after another from the top. If not all players can be paired under "
        "C1 to C3, the arbiter decides."
    ),
    "C1": _("No two players meet twice."),
    "C2": _(
        "The bye cannot go to a player who has already had it. Nor can it go to a player who got the "
        "points of a win in one round without playing."
    ),
    "C3": _("Two players who are not topscorers and have the same absolute colour preference cannot meet."),
    "C4": _("Each bracket is paired so that all players not yet paired can still be paired under C1 to C3."),
    "C5": _("The bye goes to a player with the lowest possible score."),
    "C6": _("A bracket has as few downfloaters as possible."),
    "C7": _("The scores of the downfloaters, compared from the highest down, are as low as possible."),
    "C8": _("The downfloaters are chosen so that the next bracket meets C1 to C7 as well as possible."),
    "C9": _("The bye goes to the player with the fewest unplayed games."),
    "C10": _("As few topscorers and opponents of topscorers as possible get a colour difference greater than 2."),
    "C11": _("As few topscorers and opponents of topscorers as possible get the same colour 3 times in a row."),
    "C12": _("As many players as possible get the colour they prefer."),
    "C13": _("As many strong colour preferences as possible are met."),
    "C14": _("Of the bracket's own players who downfloat, as few as possible also downfloated in the last round."),
    "C15": _("Of the opponents of moved-down players, as few as possible upfloated in the last round."),
    "C16": _("Of the bracket's own players who downfloat, as few as possible also downfloated 2 rounds ago."),
    "C17": _("Of the opponents of moved-down players, as few as possible upfloated 2 rounds ago."),
    "C18": _(
        "If a moved-down player also downfloated in the last round, their opponent's score is as close as possible."
    ),
    "C19": _(
        "If an opponent of a moved-down player upfloated in the last round, the two scores are as close as possible."
    ),
    "C20": _("If a moved-down player also downfloated 2 rounds ago, their opponent's score is as close as possible."),
    "C21": _("If an opponent of a moved-down player upfloated 2 rounds ago, the two scores are as close as possible."),
    "3.3": _(
        "In the first candidate, the first player of S1 meets the first of S2, the second meets the "
        "second, and so on. In a homogeneous bracket or a remainder, S1 is the upper half. Otherwise "
        "S1 is the moved-down players who are paired in the bracket. S2 is the others."
    ),
    "4.2": _(
        "Transpositions of S2 come in dictionary order, so those that change only its last places "
        "come first. [In effect, each S1 player in turn meets the first S2 player who still allows an "
        "equally good pairing.]"
    ),
    "4.3": _(
        "Exchanges between S1 and S2 of a homogeneous bracket or a remainder come in a fixed order. "
        "The fewest players come first, then the smallest difference between the numbers. Next come "
        "the lowest players of S1, then the highest of S2. Both halves are then sorted again."
    ),
    "4.4": _(
        "Sets of moved-down players to be paired in the bracket are compared where they first differ. "
        "The set with the smaller number there comes first."
    ),
    "5.2.1": _("Both players get the colour they prefer."),
    "5.2.2": _(
        "The stronger preference is met. If both are absolute, the one with the greater colour difference is met."
    ),
    "5.2.3": _(
        "The colours are the reverse of those in the latest round in which one player had White and the other Black."
    ),
    "5.2.4": _("The higher-ranked player gets the colour they prefer."),
    "5.2.5": _(
        "If the pairing number of the higher-ranked player is odd, they get the initial colour drawn "
        "by lot. Otherwise they get the other colour."
    ),
}

ROUND_ROBIN: Mapping[str, Promise] = {
    "1": _(
        "Berger tables give everyone's opponent and colour in every round. With an odd number of players, "
        "a game against the last place in the table is a free round."
    ),
    "2": _(
        "In a double round robin, colours are reversed in the second cycle. The last 2 rounds of the "
        "first cycle swap places."
    ),
    "½": _(
        "If a player withdraws before half of their games, their results do not count for anyone. If "
        "they withdraw later, their remaining games are lost by forfeit."
    ),
}
