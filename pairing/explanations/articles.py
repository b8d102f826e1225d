"""Texts of the cited articles of the pairing systems, in the words of the documents, by document and number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FIDE_1989: Mapping[str, Promise] = {
    "2": _("Two players may play each other only once."),
    "3": _("Players are paired with opponents on the same number of points, or the closest to it."),
    "4": _("If possible, each player gets White as often as Black."),
    "5": _("If possible, each player gets a different colour from the round before."),
    "8.1": _(
        "With an odd number of players in a round, the player with the largest number in the lowest "
        "score group gets the bye."
    ),
    "8.2": _(
        "A player can have the bye only once in the whole event. A player who won a point because the "
        "opponent did not appear cannot have the bye in the next round."
    ),
    "8.3": _("A player with the bye gets 1 point. They count as having had no opponent and no colour in that round."),
    "9.1": _(
        "Two players are suitable opponents if they have not yet played each other and the colours "
        "fit. Neither may get the same colour for the third round in a row, or 3 more games with one "
        "colour than with the other."
    ),
    "9.2": _(
        "A score group consists of all players with equal points. Players in the median group have half the "
        "points possible so far. Pairing goes from the highest group down to the median, then from the lowest "
        "group up to it. The median group is paired last, from the top down."
    ),
    "9.3": _(
        "Before a group is paired, players without a suitable opponent in it move to the adjacent group. They "
        "either (a) have played everyone else in their group, or (b, c) must have a colour that no possible "
        "opponent can give them. A player also moves (d) to make the number even. A player who moves is a "
        "floater."
    ),
    "9.4": _(
        "After floaters have moved, the players in a group are listed by number. To begin with, the upper "
        "half meets the lower half: 1 against n/2 + 1, 2 against n/2 + 2, …, n/2 against n."
    ),
    "9.5": _(
        "If two paired players have already played each other, the one with the larger number is exchanged "
        "for another player in the group."
    ),
    "9.6": _(
        "If the median group cannot be paired, it is widened step by step. If more floaters came from above "
        "than from below, the next pair in the group below is split. Otherwise it is the next pair in the "
        "group above. The two players join as floaters, and the median group is paired again."
    ),
    "10.2": _(
        "To make a group even, choose a floater who leaves as many players due White as due Black. If colours "
        "are already balanced, the player with the largest number floats when pairing down, and the one with "
        "the smallest when pairing up."
    ),
    "10.3": _(
        "If several players could float down, it is the one with the largest number who has a suitable "
        "opponent in the lower group. Opponents already taken by earlier floaters do not count."
    ),
    "10.4": _(
        "If several players could float up, it is the one with the smallest number who has a suitable "
        "opponent in the higher group. Opponents already taken by earlier floaters do not count."
    ),
    "10.6": _(
        "In a group with floaters from above, the floater with the most points is paired first. If "
        "points are equal, the smallest number comes first."
    ),
    "10.7": _(
        "In a group with floaters from below, the floater with the fewest points is paired first. If "
        "points are equal, the largest number comes first."
    ),
    "10.8": _(
        "When pairing down, a floater meets the player with the smallest number against whom they get the "
        "colour they are due. When pairing up, it is the largest such number. [If there is none, the floater "
        "gets the other colour.]"
    ),
    "10.9": _(
        "Floaters are ranked by disadvantage, the greatest first. Types a and b were moved into the group, "
        "while types c and d were not. Types a and c have no suitable opponent in the next group, while types "
        "b and d have one. Type a is avoided first, then b, then c."
    ),
    "10.10": _(
        "A player who floated in the round before cannot be chosen to make the number even. This applies only "
        "if it causes no floaters of a worse type and no fewer pairs in the group."
    ),
    "11.1": _(
        "The pairs from 9.4 are checked one by one. If two players can't meet, one of them is "
        "exchanged until a suitable opponent is found. (a) When pairing down, start with the smallest "
        "number and exchange the player with the larger number in the pair. (b) When pairing up, "
        "start with the largest number and exchange the player with the smaller number."
    ),
    "11.2": _(
        "For example, with 6 players, if 1 and 4 can't meet, 1 is tried with 5, then with 6, 3 and 2. [The "
        "lower half comes first, from the top, then the upper half from the bottom. Then the next player's "
        "opponent is chosen in the same order from the players still unpaired.]"
    ),
    "11.4": _(
        "Player 2's opponent is chosen so that player 1 still has a suitable opponent. If that is not "
        "possible, player 1 keeps their opponent and player 2 floats to another group. Another player floats "
        "too, so that the number stays even."
    ),
    "12.1": _(
        "If possible, each player alternates colours, and has had both equally often after each even "
        "round. Nobody may (a) have a colour 3 rounds in a row or (b) have 3 more of one colour than "
        "of the other."
    ),
    "12.2": _(
        "When no pair in the group has met before, the colours are checked. Opponents are exchanged so that, "
        "if possible, each player's colours alternate and even out."
    ),
    "12.3": _(
        "If one of two players had the same colour in the last 2 rounds, that player must get the other "
        "colour. If both did, and nobody in the group suits them, one or both float."
    ),
    "12.4": _(
        "If both players had the same colour in the round before, their histories are compared backwards to "
        "find who changes colour. If the histories are the same, the player with the smaller number gets the "
        "colour due. Below the median group, it is the player with the larger number."
    ),
    "12.5": _(
        "In odd rounds, each player should, if possible, end up with one more game with the colour they get "
        "than with the other."
    ),
    "12.6": _(
        "In even rounds, each player gets, if possible, the colour that evens up their games with White and "
        "Black. If that would be the same colour for both players, their histories decide under 12.4."
    ),
    "12.7": _("In maxi events, opponents are exchanged for colour reasons only within 100 rating points."),
    "13": _(
        "In the last round, article 3 takes priority over alternating and balancing colours. Players who have "
        "not met can be paired even if that breaks the colour limits. One of them may get a colour for the "
        "third time in a row, or 3 more of one colour than of the other."
    ),
    "14.2": _(
        "In round 1, the colour of number 1 is drawn by lot. All odd numbers in the upper half get that colour, "
        "and the even numbers there get the opposite one."
    ),
}

JAHR: Mapping[str, Promise] = {
    "1": _(
        "These rules agree with FIDE's rules for the Swiss system and do not affect the rules for player "
        "titles and categories."
    ),
    "2": _("A tenth of the opponent's points is added to the result of a game."),
    "3": _("The added points are worked out when the game begins."),
    "4": _(
        "The added points are rounded to 0.01. Thousandths from 1 to 4 are rounded down, and those from 6 to "
        "9 up. A 5 is rounded to the nearest even digit: 0.155 gives 0.16, and 0.145 gives 0.14."
    ),
    "5": _(
        "A player's points after a round are the sum of three numbers. These are the player's points before "
        "the round, a tenth of the opponent's points when the game began, and the result."
    ),
    "6": _(
        "Places are decided by game points and then, if these are equal, by total points. If players are "
        "still equal, the points of the opponents they met are added up exactly, without the rounding of "
        "article 4."
    ),
    "7": _(
        "Players in the same score group (game results alone) are paired by the unchanged rules of "
        "the Swiss system. Only the order within a group is by total points instead of rating."
    ),
    "8": _("A player with the bye gets ½ point as a game result, and a tenth of their own points."),
    "9": _(
        "A player who wins by forfeit gets 1 point and no added points. A player who loses by forfeit gets nothing."
    ),
    "10": _("Results and added points are recorded on start cards with boxes for a tenth of the opponents' points."),
}

DUTCH_1992: Mapping[str, Promise] = {
    "A2": _(
        "For pairing, players are ordered by points, then rating, then FIDE title, then "
        "alphabetically. The order before round 1 gives the pairing numbers."
    ),
    "A3": _(
        "Players with equal points form a homogeneous group. Players who could not be paired move to "
        "the next lower group, which becomes heterogeneous. Its moved-down players are paired first, "
        "and the remainder is treated as homogeneous. A group in which at least half were moved down "
        "is also treated as homogeneous."
    ),
    "A4": _(
        "When players with unequal points are paired, the higher one is marked with a downfloat and "
        "the lower one with an upfloat."
    ),
    "A5": _(
        "If the number of players is odd, one player is left over. They have no opponent and no "
        "colour, but get 1 point. This counts as being moved down."
    ),
    "A6": _(
        "A group is divided into S1 and S2, both in the order of A2. In a heterogeneous group, S1 consists of "
        "the moved-down players. In a homogeneous group, it is the upper half, rounded down. S2 consists of "
        "the others."
    ),
    "A7": _(
        "A colour preference is absolute if the colour difference exceeds 1, or after the same colour "
        "twice in a row. (In the last round this does not apply to players above 50%.) It is strong "
        "if the difference is not 0. It is mild if the difference is 0, so that colours alternate."
    ),
    "A8": _(
        "x is the number of pairs in which not all colour preferences can be met. It is the number of "
        "players who prefer the more popular colour, minus half the number of players (rounded up)."
    ),
    "B1": _(
        "Two players cannot meet more than once. A player who got a point without playing must not be the one "
        "left over."
    ),
    "B2": _("Nobody may have a colour difference greater than 2, or the same colour 3 times in a row."),
    "B3": _("The difference in points between paired players should be as small as possible, ideally 0."),
    "B4": _("As many players as possible should get the colour they prefer."),
    "B5": _("Nobody should float in the same direction in 2 rounds in a row."),
    "B6": _("Nobody should float in the same direction as they did 2 rounds before."),
    "C1": _(
        "If a player cannot be paired in their group without breaking B1 or B2, they move down to the next "
        "group. [If they came from above, C12 is used. In the lowest group, C13 is used.]"
    ),
    "C6": _(
        "The highest in S1 is paired with the highest in S2, the second with the second, and so on. If p "
        "pairs comply with B1 and B2, the group is done. The players left over move down or, in a "
        "heterogeneous group, are paired next as the remainder."
    ),
    "C7": _("Put S2 in a new order under D1 and restart at C6."),
    "C8": _("In a homogeneous group or a remainder, make a new exchange between S1 and S2 under D2 and restart at C5."),
    "C9": _("Drop criterion B6, then B5, for downfloaters and restart at C4."),
    "C10": _("In the remainder, drop criterion B6, then B5, for upfloaters."),
    "C11": _("If x is smaller than p, increase x by 1 and restart."),
    "C12": _(
        "In a heterogeneous group, undo the pairs in the group above. If moving another player down from it "
        "makes p pairs possible here, use that pairing."
    ),
    "C13": _(
        "In the lowest group, undo the pairs in the second-lowest group. Look for other pairs there that let "
        "the lowest group be paired. If there are none, join the two groups."
    ),
    "C14": _(
        "Decrease p by 1 (and x too, if it was above 0). If p reaches 0, the whole group moves down to the next group."
    ),
    "D1": _(
        "Transpositions of S2 begin with its lowest player. With 5, 6, 7, 8 in S2, they are 5-6-8-7, 5-7-6-8, "
        "5-7-8-6, 5-8-6-7, and so on. These are all the numbers that can be made from the 4 digits, in "
        "ascending order. [The first order is the natural one. The first in S1 meets the first in S2.]"
    ),
    "D2": _(
        "In exchanges between S1 and S2, the difference between the numbers exchanged should be as small as "
        "possible. If differences are equal, the lowest player in S1 is taken. First one player is exchanged, "
        "then two. After each exchange, S1 and S2 are put in the order of A2 again."
    ),
    "E1": _("Give both players the colour they prefer."),
    "E2": _("Give the player with the stronger preference the colour they prefer."),
    "E3": _("Alternate colours from the latest round in which the two players had different ones."),
    "E4": _(
        "Give the higher-ranked player their preference. In round 1, players in S1 with even numbers get the "
        "opposite colour to those with odd numbers."
    ),
    "F6": _("Published pairings must not be changed unless they break B1 or B2."),
    "F8": _("A player who is absent from a round without telling the arbiter counts as withdrawn."),
}

DUBOV_1997: Mapping[str, Promise] = {
    "2.1": _("Two players may play each other only once."),
    "2.2": _("A player who has scored a point without playing can't get the bye."),
    "2.3": _("Nobody may have a colour difference above +2 or below -2."),
    "2.4": _("Nobody may have the same colour 3 times in a row."),
    "2.5": _(
        "A player must not move to a higher group twice in a row, or more than 3 times in the event. With "
        "more than 9 rounds the limit is 4 times. Neither applies in the last round."
    ),
    "2.6": _("A player must not be moved to the other column for colour reasons if that breaks 2.3 or 2.4."),
    "3": _(
        "Colours are decided by these rules in turn. Give both players the colour they are due. Balance their "
        "games with White and Black. Alternate from the latest round in which they had different colours. "
        "Give White to the player with the higher ARO. Give White to the player with the lower R. [Then give "
        "White to the player with the larger number.]"
    ),
    "3.1": _("Give both players the colour they are due."),
    "3.2": _("Balance the number of games each player has with White and with Black."),
    "3.3": _("Alternate colours from the latest round in which the two players had different ones."),
    "3.4": _("Give White to the player with the higher ARO [average rating of opponents]."),
    "3.5": _("Give White to the player with the lower R [rating]."),
    "4": _(
        "With an odd number of players, the player with the lowest R in the lowest group gets the bye. If "
        "several are equal, first choice is a player due the more common colour, then the one with the "
        "highest ARO."
    ),
    "5": _(
        "In round 1, the starting list is cut into two equal parts. The first of the upper part plays "
        "the first of the lower, the second plays the second, and so on. The colours of one pair are "
        "drawn by lot, and the others alternate."
    ),
    "6.1": _(
        "In the standard case, a score group has an even number of players, with as many due White as "
        "due Black. Everyone has a suitable opponent in the group."
    ),
    "6.2": _(
        "Players getting White are listed from the lowest ARO to the highest. If ARO is equal, the "
        "lower R comes first. Players getting Black are listed from the highest R to the lowest. If R "
        "is equal, the higher ARO comes first. The first White player meets the first Black player, "
        "and so on."
    ),
    "6.3": _(
        "If two players have met, the White player is paired with the next Black player in the list "
        "they have not met. If the last rows cannot be paired, the row before is changed, then the "
        "one before that. A White player who has met all Black players gets another White player, "
        "starting with the next one down."
    ),
    "6.4": _(
        "A player who cannot be paired in their group moves to the group below. If there is a choice, it "
        "should be a player who did not float from above and has an opponent in the lower group."
    ),
    "7.1": _(
        "If a player has met everyone in their group, a player they have not met is moved up from the group "
        "below. First choice is a player due the other colour, then the one with the highest R and, if R is "
        "equal, the lowest ARO."
    ),
    "7.2": _(
        "If a group has an odd number of players, a player from the group below is moved up. This player must "
        "not have met everyone in the higher group. First choice is a player due the colour needed, then the "
        "one with the highest R and, if R is equal, the lowest ARO."
    ),
    "7.3": _(
        "If White players outnumber Black players by 2n, the n White players with the lowest ARO move "
        "to the Black column. If ARO is equal, the one with the higher R moves."
    ),
    "7.4": _(
        "If Black players outnumber White players by 2n, the n Black players with the highest ARO "
        "move to the White column. If ARO is equal, the one with the lower R moves."
    ),
    "8.1": _(
        "Floaters due White and floaters due Black are ordered under 6.2. They are paired one after "
        "another from the top, White and Black in turn."
    ),
    "8.2": _(
        "If possible, each floater is paired with a player due the other colour. Among these, it is the "
        "player with the highest R or, if R is equal, the lowest ARO."
    ),
    "9": _("The ARO list is published after every round, so that everyone can estimate their next opponents."),
}


DUTCH_2026: Mapping[str, Promise] = {
    "1.2": _("Players are ordered by score, then by pairing number."),
    "1.3": _(
        "A bracket consists of the players in a score group plus those left over from the bracket above. It "
        "is homogeneous if all scores are equal, otherwise heterogeneous. In a heterogeneous bracket the "
        "moved-down players are paired first, then the remainder."
    ),
    "1.4": _(
        "When two players with different scores are paired, the higher one downfloats and the lower one "
        "upfloats. A player who does not play but gets more points than for a loss also downfloats."
    ),
    "1.7": _(
        "A colour preference is absolute if the colour difference exceeds 1, or the last 2 games were with "
        "the same colour. It is strong if the difference is 1, and mild if it is 0. With a mild preference, "
        "the player prefers the colour they did not play last."
    ),
    "1.8": _(
        "When the last round is paired, topscorers are the players with more than half of the points available so far."
    ),
    "1.9": _(
        "Brackets are paired one after another from the top. If some players cannot be paired under C1 to C3, "
        "the arbiter decides."
    ),
    "C1": _("No two players meet twice."),
    "C2": _(
        "The bye cannot go to a player who has already had it. Nor can it go to a player who got full points "
        "for a round without playing."
    ),
    "C3": _("Two players who are not topscorers and have the same absolute colour preference cannot meet."),
    "C4": _("Each bracket is paired so that all players not yet paired can still be paired under C1 to C3."),
    "C5": _("The bye goes to a player with the lowest possible score."),
    "C6": _("A bracket has as few downfloaters as possible."),
    "C7": _("The scores of the downfloaters, compared from the highest down, are as low as possible."),
    "C8": _("The downfloaters are chosen so that the next bracket complies with C1 to C7 as well as possible."),
    "C9": _("The bye goes to the player with the fewest unplayed games."),
    "C10": _("As few topscorers and opponents of topscorers as possible get a colour difference greater than 2."),
    "C11": _("As few topscorers and opponents of topscorers as possible get the same colour 3 times in a row."),
    "C12": _("As many players as possible get the colour they prefer."),
    "C13": _("As many strong colour preferences as possible are met."),
    "C14": _("As few of the bracket's own downfloaters as possible are players who downfloated in the last round."),
    "C15": _("As few of the moved-down players' opponents as possible are players who upfloated in the last round."),
    "C16": _("As few of the bracket's own downfloaters as possible are players who downfloated 2 rounds ago."),
    "C17": _("As few of the moved-down players' opponents as possible are players who upfloated 2 rounds ago."),
    "C18": _(
        "If a moved-down player also downfloated in the last round, their opponent's score is as close as "
        "possible to theirs."
    ),
    "C19": _(
        "If an opponent of a moved-down player upfloated in the last round, the two scores are as close as possible."
    ),
    "C20": _(
        "If a moved-down player also downfloated 2 rounds ago, their opponent's score is as close as possible to "
        "theirs."
    ),
    "C21": _("If an opponent of a moved-down player upfloated 2 rounds ago, the two scores are as close as possible."),
    "3.3": _(
        "In the first candidate, the first player in S1 meets the first in S2, the second meets the second, "
        "and so on. In a homogeneous bracket or a remainder, S1 is the upper half. Otherwise S1 consists of "
        "the moved-down players who are paired in the bracket. S2 consists of the others."
    ),
    "4.2": _(
        "Transpositions of S2 come in dictionary order, so those that change only its last places "
        "come first. [In effect, each S1 player in turn meets the first S2 player who still allows an "
        "equally good pairing.]"
    ),
    "4.3": _(
        "Exchanges between S1 and S2 of a homogeneous bracket or a remainder come in a fixed order. The "
        "fewest players come first, then the smallest difference between the numbers. Next come the lowest "
        "players in S1, then the highest in S2. Both halves are then sorted again."
    ),
    "4.4": _(
        "To choose which moved-down players are paired in the bracket, possible sets of them are compared at "
        "the first number that differs. The set with the smaller number there comes first."
    ),
    "5.2.1": _("Both players get the colour they prefer."),
    "5.2.2": _(
        "The player with the stronger preference gets the colour they prefer. If both preferences are "
        "absolute, it is the player with the greater colour difference."
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
        "Berger tables give everyone's opponent and colour in every round. With an odd number of players, the "
        "player paired with the last number in the table sits out the round."
    ),
    "2": _(
        "In a double round robin, colours are reversed in the second cycle. The last 2 rounds of the "
        "first cycle swap places."
    ),
    "½": _(
        "If a player withdraws before playing half of their games, none of their results count. If they "
        "withdraw later, they forfeit their remaining games."
    ),
}

KEIZER: Mapping[str, Promise] = {
    "1.1": _(
        "Everyone in the event is ranked, whether or not they play in the round. The last player in the "
        "ranking has the lowest value, and each place above is worth a fixed amount more."
    ),
    "1.2": _(
        "A player who withdraws leaves the ranking. Players who met them then get a share of their own value "
        "for those games instead."
    ),
    "1.3": _(
        "Before round 1, the ranking is the starting list. A late entry joins the ranking according to their "
        "pairing number. They get a share of their own value for each round they missed."
    ),
    "2.1": _(
        "A player's total is their own value plus a credit for each round. A win is worth the opponent's value, and a "
        "draw half of it. Byes and absences are worth a share of the player's own value."
    ),
    "2.2": _(
        "After each round, all totals are calculated with the current values, which gives a new ranking with "
        "new values. This is repeated until the ranking no longer changes. If the same rankings keep "
        "alternating, the mean of their totals counts. Players with equal totals are ranked by points from "
        "games, then by pairing number."
    ),
    "2.3": _("If credits are frozen, each round counts with the values from before that round."),
    "3.1": _("The players present are paired in the order of the ranking before the round."),
    "3.2": _(
        "With an odd number of players, the bye goes to one of those with the fewest byes so far. Of these, "
        "the lowest in the ranking gets it, provided that everyone else can still be paired."
    ),
    "3.3": _(
        "The highest-ranked player not yet paired plays the next possible opponent in the ranking. It must "
        "still be possible to pair everyone else."
    ),
    "3.4": _(
        "Two players may play each other again after the number of rounds set for the event. If not everyone "
        "can be paired that way, the number is lowered for the round. Players kept apart never play each "
        "other."
    ),
    "3.5": _(
        "White goes to the player with the lower colour difference (games with White minus games with Black). "
        "If the differences are equal, the colours of their last game against each other are reversed. If "
        "they have not met, the higher player gets the colour they did not have last. If that player has not "
        "played yet, colours alternate from board to board."
    ),
    "3.6": _("Boards are numbered in the order in which they were paired."),
}


ARTICLE_TEXTS: Mapping[str, Mapping[str, Promise]] = {
    "jahr": JAHR,
    "fide-1989": FIDE_1989,
    "dutch-1992": DUTCH_1992,
    "dubov-1997": DUBOV_1997,
    "dutch-2026": DUTCH_2026,
    "round-robin": ROUND_ROBIN,
    "keizer": KEIZER,
}
"""By document, then by the number printed in it."""

_CITED = re.compile(r"(?P<document>[\w-]+) (?:art\. |C\.05 annex )?(?P<number>\S+)(?: (?P<letter>[a-z]))?\Z")


def find_article(cited: str) -> tuple[str, str] | None:
    """Return a cited article's document and its number without the letter, or None if no help page has it."""
    found = _CITED.match(cited)
    if found is None or found["number"] not in ARTICLE_TEXTS.get(found["document"], {}):
        return None
    return found["document"], found["number"]


def article_text(cited: str) -> str:
    """Return an article in the reader's language. Empty if our pages do not have it."""
    place = find_article(cited)
    return str(ARTICLE_TEXTS[place[0]][place[1]]) if place else ""


def article_url(cited: str) -> str:
    """Return the link to an article on its method's page. Empty if our pages do not have it."""
    # Here, because the engine's own package has the texts, and no pages.
    from django.urls import reverse

    place = find_article(cited)
    return f"{reverse('pairing_help_page', args=[place[0]])}#{article_anchor(place[1])}" if place else ""


def article_label_for_print(cited: str) -> str:
    """Return an article's label for print: the document's name, the same in every language, and the number."""
    document, _gap, number = cited.partition(" ")
    return f"{_DOCUMENTS[document]}, {number.removeprefix('art. ')}" if document in _DOCUMENTS else cited


_DOCUMENTS = {
    "jahr": "Jahr",
    "fide-1989": "FIDE 1987–89",
    "dutch-1992": "FIDE 1992",
    "dubov-1997": "Dubov 1997",
    "dutch-2026": "FIDE C.04.3",
    "round-robin": "Berger",
    "keizer": "Keizer",
}


def article_anchor(number: str) -> str:
    """Return an article's anchor on the page of its method."""
    return "article-" + re.sub(r"\W", "-", "half" if number == "½" else number).lower()
