"""Texts of the cited articles of the pairing systems, in the words of the documents, by document and number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FIDE_1989: Mapping[str, Promise] = {
    "2": _("Two players may play each other only once."),
    "3": _("Players are paired with opponents who have the same number of points, or the nearest to it."),
    "4": _("Where possible each player is given White as often as Black."),
    "5": _("Where possible each player is given another colour than in the round before."),
    "8.1": _(
        "If the number of players in a round is odd, the player with the largest number of the lowest score group"
        " rests."
    ),
    "8.2": _(
        "A player may rest only once in the whole tournament. A player who has won a point because his opponent did not"
        " appear may not rest in the next round."
    ),
    "8.3": _("Who rests in a round gets a point. He counts as having had no opponent and no colour in it."),
    "9.1": _(
        "Two players who have not yet played each other are suitable for one another, provided that neither gets the"
        " same colour for the third round running, nor has had three more of one colour than of the other."
    ),
    "9.2": _(
        "A score group is formed by players with equal points; those of the median group have half as many points as"
        " rounds were played. Pairing begins with the highest group and goes down to the median, then from the lowest"
        " group up to it. The median group is paired last, from the top down."
    ),
    "9.3": _(
        "Before a group is paired, players without a suitable opponent in it are transferred to the adjacent group: who"
        " (a) has played all the others, (b, c) must change colour and finds nobody who allows it, (d) makes the number"
        " even. Who goes from one group to another is a floater."
    ),
    "9.4": _(
        "The players of a group, after floaters were transferred, are put in the order of their numbers. To begin with,"
        " those of the upper half meet those of the lower half: 1 against n/2 + 1, 2 against n/2 + 2, …, n/2 against n."
    ),
    "9.5": _(
        "If the two have played each other before, the one with the larger number is exchanged for another of the"
        " group."
    ),
    "9.6": _(
        "If the median group cannot be paired, it is widened step by step. Where more floaters came from above than"
        " from below, the next pair of the group below is split and its players join as floaters; else the next pair of"
        " the group above. Then the median group is paired anew."
    ),
    "10.2": _(
        "To make the number of a group even, he is chosen to float who makes those due White and those due Black equal"
        " in number. If they are equal, pairing down it is the largest number, pairing up the smallest."
    ),
    "10.3": _(
        "Where there is a choice who goes down, it is the largest number of the group who has a suitable opponent in"
        " the lower group, opponents of floaters before him excluded."
    ),
    "10.4": _(
        "Where there is a choice who goes up, it is the smallest number of the group who has a suitable opponent in the"
        " higher group, opponents of floaters before him excluded."
    ),
    "10.6": _(
        "In a group with floaters from above, the floater with the most points is paired first; of equal points, the"
        " one with the smallest number."
    ),
    "10.7": _(
        "In a group with floaters from below, the floater with the fewest points is paired first; of equal points, the"
        " one with the largest number."
    ),
    "10.8": _(
        "Pairing down, a floater is paired with the player of the smallest number who gives him the colour he is due;"
        " pairing up, with the player of the largest number who does. [Where nobody can, with one who does not.]"
    ),
    "10.9": _(
        "Floaters by their disadvantage, the greatest first: (a) who was transferred to the group and has no suitable"
        " opponent in the next one; (b) who was transferred and has one; (c) who has none; (d) who has one. Those of"
        " type a are avoided first, then b, then c."
    ),
    "10.10": _(
        "A player who floated in the round before may not be chosen to make the number even, provided that this gives"
        " no floaters of a worse type and no fewer pairs in the group."
    ),
    "11.1": _(
        "The pairs of 9.4 are looked through (a) pairing down from the smallest number, exchanging the larger one, (b)"
        " pairing up from the largest number, exchanging the smaller one, until a suitable opponent is found."
    ),
    "11.2": _(
        "Example of six players: if 1 and 4 do not suit one another, 1 is offered 5, then 6, then 3, then 2. [First the"
        " lower half from its top, then the upper half from its bottom; the same for the next player among those left.]"
    ),
    "11.4": _(
        "The opponent of 2 is sought so that 1 keeps a suitable one. If that cannot be, the pair of 1 stays, and 2 goes"
        " to another group as a floater; with him another, so that the number stays even."
    ),
    "12.1": _(
        "Where possible each player gets the other colour in turn, and after each even round has had both equally"
        " often. Nobody may (a) have a colour three rounds running or (b) have had three more of one colour than of the"
        " other."
    ),
    "12.2": _(
        "When all pairs of the group are new ones, they are looked through again: opponents are exchanged so that,"
        " where possible, each player gets the colour that alternates and makes even."
    ),
    "12.3": _(
        "If one of the two has had the same colour in the last two rounds, he must get the other. If both have, and"
        " nobody in the group suits them, one or both float."
    ),
    "12.4": _(
        "If both had the same colour in the round before, one goes back step by step to find who is to change. If their"
        " histories are the same, in the median group and above the smaller number gets the colour due, below it the"
        " larger number."
    ),
    "12.5": _(
        "In odd rounds each player is given, where possible, the colour that he then has had just once more than the"
        " other."
    ),
    "12.6": _(
        "In even rounds each player is given, where possible, the colour that makes his games with White and Black"
        " equal in number. Where both should have the same colour, their histories decide by 12.4."
    ),
    "12.7": _("In maxi events opponents are exchanged for the sake of colours only within 100 rating points."),
    "13": _(
        "In the last round article 3 stands before alternating and even colours: who have not played each other may be"
        " paired even if one gets a colour for the third time running, or three more of one than of the other."
    ),
    "14.2": _(
        "Round 1: the colour of number 1 is drawn by lot. The other odd numbers of the upper half get the same colour,"
        " its even numbers the other."
    ),
}

JAHR: Mapping[str, Promise] = {
    "1": _("These rules agree with those of FIDE for the Swiss system and do not touch the rules of classification."),
    "2": _("To the result of a game a tenth of the opponent's points are added."),
    "3": _("The added points are counted at the moment when the game begins."),
    "4": _(
        "They are rounded to 0.01: thousandths from 1 to 4 down, from 6 to 9 up, and 5 to the nearest even figure:"
        " 0.155 gives 0.16, and 0.145 gives 0.14."
    ),
    "5": _(
        "A player's points after a round are the sum of three figures: the points he had in total before it, a tenth of"
        " the opponent's points when the game began, and the result of the game."
    ),
    "6": _(
        "Places go by the points of the games alone; where these are equal, by the points in total. If there is still"
        " equality, the points of the opponents met are counted up exactly, without the roundings of article 4."
    ),
    "7": _(
        "Those are paired who form a score group (results of games alone), by the rules of the Swiss system unchanged."
        " Only the order inside a group goes not by rating, but by the points in total."
    ),
    "8": _("Who rests gets half a point as the result of a game, and a tenth of his own points."),
    "9": _("Who wins by forfeit gets 1 point and no added points; who loses by forfeit gets nothing."),
    "10": _("Results and added points are kept on start cards with boxes for a tenth of the opponents' points."),
}

DUTCH_1992: Mapping[str, Promise] = {
    "A2": _(
        "For pairing, players are ordered by points, rating, FIDE title, and alphabet. The order before round 1 gives"
        " the numbers."
    ),
    "A3": _(
        "Players with equal points form a homogeneous group. Who could not be paired moves to the next lower group,"
        " which becomes heterogeneous: those moved down are paired first, and the remainder is treated as homogeneous."
        " So is a group of which at least half was moved down."
    ),
    "A4": _(
        "Where players with unequal points are paired, the higher gets a mark for a float down, the lower for a float"
        " up."
    ),
    "A5": _(
        "If the number of players is odd, one is left over: he has no opponent and no colour, but gets one point. This"
        " counts as being moved down."
    ),
    "A6": _(
        "A group is divided into S1 and S2: in a heterogeneous group S1 holds those moved down, in a homogeneous one"
        " the upper half, rounded down; S2 holds the others. Both stand in the order of A2."
    ),
    "A7": _(
        "Colour preference: absolute at a difference of colours beyond 1, or after the same colour twice (but not in"
        " the last round for players above 50%); strong at a difference other than 0; mild at 0, for the sake of"
        " alternating."
    ),
    "A8": _(
        "x is the number of pairs in which not all colour preferences can be met: the larger number of those who prefer"
        " one colour, less half of the players rounded up."
    ),
    "B1": _(
        "Two players may not meet more than once. A player who has had a point without playing may not be the one left"
        " over."
    ),
    "B2": _("Nobody may have a difference of colours beyond 2, nor the same colour three times running."),
    "B3": _("The difference of points of two paired players should be as small as possible, ideally nil."),
    "B4": _("As many players as possible should get the colour they prefer."),
    "B5": _("Nobody should float in the same direction in two rounds running."),
    "B6": _("Nobody should float in the same direction as two rounds before."),
    "C1": _(
        "If a player cannot be given any opponent in his group without breaking B1 or B2, he is moved down to the next"
        " group [if he came from above, C12 is used; in the lowest group, C13]."
    ),
    "C6": _(
        "The highest of S1 is paired with the highest of S2, the second of S1 with the second of S2, and so on. If p"
        " pairs agree with B1 and B2, the group is done: who remains is moved down; in a heterogeneous group the"
        " remainder is paired next."
    ),
    "C7": _("Put S2 in a new order by D1 and begin again at C6."),
    "C8": _("In a homogeneous group or remainder: make a new exchange between S1 and S2 by D2 and begin again at C5."),
    "C9": _("Let go the criteria B6, then B5, for those who float down, and begin again at C4."),
    "C10": _("In the remainder: let go the criteria B6, then B5, for those who float up."),
    "C11": _("If x is smaller than p, increase it by 1 and begin again."),
    "C12": _(
        "In a heterogeneous group: undo the pairs of the group above. If another player could be moved down from it, so"
        " that p pairs can now be made here, that pairing of the group above is taken."
    ),
    "C13": _(
        "In the lowest group: undo the pairs of the last but one, and look for a pairing of it that lets the lowest be"
        " paired. If there is none, the two are joined."
    ),
    "C14": _(
        "Decrease p by 1 (and x, where it was above nil). If p is nil, the whole group is moved down to the next."
    ),
    "D1": _(
        "Transpositions of S2 begin with its lowest player. With 5, 6, 7, 8 in S2: 5-6-8-7, 5-7-6-8, 5-7-8-6, 5-8-6-7,"
        " and so on: all numbers that can be made of these figures, in ascending order. [The first order is the natural"
        " one; the first of S1 meets the first of S2.]"
    ),
    "D2": _(
        "In exchanges between S1 and S2 the difference of the numbers exchanged should be as small as possible; of"
        " equal differences the lowest player of S1 is taken. First one player, then two. After each exchange S1 and S2"
        " are put in the order of A2."
    ),
    "E1": _("Give both the colour they prefer."),
    "E2": _("Give the stronger preference."),
    "E3": _("Alternate the colours by the latest round in which the two had different ones."),
    "E4": _(
        "Give the higher player his preference. In round 1 those of S1 with even numbers get the other colour than"
        " those with odd ones."
    ),
    "F6": _("Pairings made public may not be changed unless B1 or B2 is broken."),
    "F8": _("Who is absent from a round without telling the arbiter counts as withdrawn."),
}

DUBOV_1997: Mapping[str, Promise] = {
    "2.1": _("Two players may play each other only once in the tournament."),
    "2.2": _("A player who has had a point without playing may not rest."),
    "2.3": _("Nobody may have a difference of White and Black beyond +2 or -2."),
    "2.4": _("Nobody may have the same colour three times running."),
    "2.5": _(
        "Except in the last round a player may not be moved to a higher group twice running, nor more than three times"
        " in the tournament (four times in more than nine rounds)."
    ),
    "2.6": _("A player may not be moved for his colour to the other column, if that breaks 2.3 or 2.4."),
    "3": _(
        "Colours, in this order: give both the colour due; make White and Black equal in number; alternate by the"
        " latest round with different colours; White to the higher ARO; White to the lower R. [Then to the larger"
        " number.]"
    ),
    "3.1": _("Give both the colour they are due."),
    "3.2": _("Make the games with White and with Black equal in number."),
    "3.3": _("Alternate the colours by the latest round in which the two had different ones."),
    "3.4": _("Give White to the player with the higher ARO [average rating of opponents]."),
    "3.5": _("Give White to the player with the lower R [rating]."),
    "4": _(
        "With an odd number the player of the lowest group with the lowest R rests. Of equal ones the one whose colour"
        " is due to more of them; then the one with the higher ARO."
    ),
    "5": _(
        "Round 1: the starting list is cut in two equal parts; the first of the upper part plays the first of the"
        " lower, the second the second, and so on. The colours of one pair are drawn by lot; the others alternate."
    ),
    "6.1": _(
        "The standard case: a score group has an even number of players, as many due White as due Black, and everybody"
        " has a suitable opponent in it."
    ),
    "6.2": _(
        "Those who are to have White stand in the order of rising ARO, of equal ones the lower R first; those who are"
        " to have Black in the order of falling R, of equal ones the higher ARO first. The first plays the first, and"
        " so on."
    ),
    "6.3": _(
        "If two have played before, the white is paired with the next black in the list whom he has not played. If the"
        " last rows cannot be paired, the row before is changed, then the one before that. A white who has played all"
        " blacks is given another white: from the next one downwards."
    ),
    "6.4": _(
        "Who cannot be paired in his group is moved to the lower one. Where there is a choice, he should not have been"
        " a floater from above, and should have an opponent in the lower group."
    ),
    "7.1": _(
        "If a player has played everybody in his group, a player of the lower group who has not played him is moved up:"
        " one due the other colour, of those the one with the higher R, of equal ones the one with the lowest ARO."
    ),
    "7.2": _(
        "If the number in a group is odd, a player of the lower group is moved up who has not played at least one of"
        " the higher group: one due the colour wanted, of those the higher R, of equal ones the lowest ARO."
    ),
    "7.3": _(
        "If there are 2n more whites than blacks, the n whites with the lowest ARO go to the black column; of equal ARO"
        " the one with the higher R."
    ),
    "7.4": _(
        "If there are 2n more blacks than whites, the n blacks with the highest ARO go to the white column; of equal"
        " ARO the one with the lower R."
    ),
    "8.1": _(
        "Floaters due White and floaters due Black are ordered by 6.2 and paired one after the other from the top,"
        " white and black in turn."
    ),
    "8.2": _(
        "Each floater is paired with the player with the highest R who, if possible, is due the other colour; of equal"
        " R with the one of the lowest ARO."
    ),
    "9": _("The list of ARO is published after every round, so that everybody can estimate the next opponents."),
}


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


ARTICLE_TEXTS: Mapping[str, Mapping[str, Promise]] = {
    "jahr": JAHR,
    "fide-1989": FIDE_1989,
    "dutch-1992": DUTCH_1992,
    "dubov-1997": DUBOV_1997,
    "dutch-2026": DUTCH_2026,
    "round-robin": ROUND_ROBIN,
}
"""By document, then by the number that stands on its page."""

_CITED = re.compile(r"(?P<document>[\w-]+) (?:art\. |C\.05 annex )?(?P<number>\S+)(?: (?P<letter>[a-z]))?\Z")


def find_article(cited: str) -> tuple[str, str] | None:
    """Return the document and number of a cited article, without its letter; None if no page of ours has it."""
    found = _CITED.match(cited)
    if found is None or found["number"] not in ARTICLE_TEXTS.get(found["document"], {}):
        return None
    return found["document"], found["number"]


def article_text(cited: str) -> str:
    """Return an article in the reader's language; empty if our pages do not have it."""
    place = find_article(cited)
    return str(ARTICLE_TEXTS[place[0]][place[1]]) if place else ""


def article_url(cited: str) -> str:
    """Return the link to an article on its method's page; empty if our pages do not have it."""
    place = find_article(cited)
    return f"{reverse('pairing_help_page', args=[place[0]])}#{article_anchor(place[1])}" if place else ""


def article_label_for_print(cited: str) -> str:
    """Return an article's label for print: the document's name, the same in every language, and the number."""
    document, _gap, number = cited.partition(" ")
    return f"{_DOCUMENTS[document]}, {number.removeprefix('art. ')}" if document in _DOCUMENTS else cited


_DOCUMENTS = {
    "jahr": "Jahr",
    "fide-1989": "FIDE 1987-89",
    "dutch-1992": "FIDE 1992",
    "dubov-1997": "Dubov 1997",
    "dutch-2026": "FIDE C.04.3",
    "round-robin": "Berger",
}


def article_anchor(number: str) -> str:
    """Return an article's anchor on the page of its method."""
    return "article-" + re.sub(r"\W", "-", "half" if number == "½" else number).lower()
