"""The articles of the documents in our own English words, as quoted on the pages of the conformance kit."""

from __future__ import annotations

ARTICLES: dict[str, dict[str, str]] = {
    "fide-1989": {
        "preface": (
            "Exchanges within 100 rating points only: in maxi events, whose players outnumber 2 to the power "
            "of the rounds."
        ),
        "2": "Two players may meet only once.",
        "8.1": "With an odd number the player with the largest number of the lowest score group rests.",
        "8.2": "A player rests once only. One who has won a point by his opponent's absence may not rest afterwards.",
        "8.3": "Who rests gets a point; he has no opponent and no colour in that round.",
        "9.1": (
            "Two suit one another if they have not met, neither gets a colour a third time running, and "
            "neither three more of one."
        ),
        "9.2": (
            "Groups are paired from the highest down to the median, then from the lowest up to it, the median last."
        ),
        "9.4": (
            "By number, the upper half of a group meets the lower half: 1 against n/2 + 1, 2 against n/2 + 2,"
            " and so on."
        ),
        "9.6": (
            "A median that cannot be paired takes back pairs: from below if more floaters came from above, "
            "else from above."
        ),
        "10.2": "To make a number even, he floats who leaves those due White and those due Black equal in number.",
        "10.3": (
            "Who floats down is the largest number who has a suitable opponent there, opponents of those "
            "before him excluded."
        ),
        "10.4": "Who floats up is the smallest number who has a suitable opponent there.",
        "10.6": "Floaters from above are paired first: those with most points, of equal points the smallest number.",
        "10.7": "Floaters from below: those with fewest points first, of equal points the largest number.",
        "10.8": "A floater meets the smallest number that gives him the other colour; from below, the largest.",
        "10.9": (
            "Avoid as floaters: who came into the group and has no opponent in the next; who came and has "
            "one; who has none."
        ),
        "10.10": "Who floated in the round before is not chosen to make a number even, if nothing worse follows.",
        "11.1 b": "Pairing upwards, begin with the largest number and exchange the smaller.",
        "11.2": "If 1 cannot meet 4 (of six), offer him 5, then 6, then 3, then 2.",
        "12.1": "With equal numbers of both colours, the other colour than in the last game is due.",
        "12.2": "A second scrutiny exchanges opponents so that, where it can be, everybody gets the colour due.",
        "12.3": "Who has had the same colour twice running must get the other.",
        "12.4": (
            "Both due the same: go back to where their colours differ. Identical: in the median and above the"
            " smaller number is given his colour, below it the larger."
        ),
        "12.6": "In even rounds everybody is given, if it can be, the colour that makes his Whites and Blacks equal.",
        "12.7": "In maxi events an opponent is exchanged for colours only within 100 rating points.",
        "13": "In the last round those with equal points may meet whatever colours that gives.",
        "14.2": "Round 1: number 1's colour is drawn; odd numbers of the upper half get it, even ones the other.",
    },
    "jahr": {
        "2": "A game adds its result and a tenth of the opponent's points.",
        "4": "Round to hundredths; exactly half to the even one: 0.155 is 0.16, 0.145 is 0.14.",
        "5": "A round counts the totals from before the round.",
        "6": "Places: points of the games, then total points, then the opponents' points counted exactly.",
        "7": "Within a score group the total points order the players, not the rating.",
        "8": "Who rests gets half a point, and a tenth of his own points.",
        "9": "A win by forfeit counts one point and no tenth; a loss by forfeit nothing.",
    },
    "dutch-1992": {
        "A2": "Players are ordered by points, rating, title, alphabet.",
        "A3": "In a heterogeneous group those moved down are paired first; the remainder is treated as homogeneous.",
        "A5": "The player left over gets a point, no opponent and no colour; it counts as being moved down.",
        "A7": (
            "A colour is absolute at a difference of two or after the same twice; not in the last round above"
            " half the points."
        ),
        "A8": "x = the larger number of those who prefer one colour, less half the players rounded up.",
        "B1": "Two players meet once only. Who has had a point without playing is not left over.",
        "B2": "No difference beyond two, no colour three times running.",
        "B4": "As many players as can be get the colour they prefer.",
        "B5": "No same float in two rounds running.",
        "B6": "No same float as two rounds before.",
        "C1": "A player without an opponent in his group is moved down first.",
        "C9": "Drop the criteria on downfloats one by one.",
        "C12": "Those moved down should find opponents in the next group, or others are moved down.",
        "D1": "Transpositions of S2 in ascending order.",
        "D2": "Exchanges between S1 and S2: the smallest difference first, of equal ones the lowest of S1.",
        "E1": "Give both the colours they prefer.",
        "E2": "Meet the stronger preference.",
        "E3": "Alternate from the latest round in which they had different colours.",
        "E4": "Give the higher player his preference. Round 1: odd and even numbers of S1 get different colours.",
        "group A": "Progressive acceleration: two fictitious points for group A.",
        "group B": "Progressive acceleration: one fictitious point for group B at first.",
        "half points": "Progressive acceleration: half a point more at 1.5, 3 and 4.5 real points.",
        "the end": "Progressive acceleration: before the penultimate round all fictitious points are cancelled.",
    },
    "dubov-1997": {
        "2.1": "Two players meet once only.",
        "2.2": "Who has had a point without playing may not rest.",
        "2.3": "No difference of colours beyond two (and, by 2.4, no colour three times running).",
        "2.4": "Nobody gets the same colour three times running.",
        "2.5": (
            "But for the last round nobody is moved up twice running, nor more than three times (four in ten "
            "rounds or more)."
        ),
        "2.6": "Nobody is moved to the other column if that breaks 2.3 or 2.4.",
        "3.1": "Give both the colours they are due.",
        "3.2": "Equalise the games with White and Black.",
        "3.3": "Alternate from the latest round in which they had different colours.",
        "3.4": "White to the higher average of opponents.",
        "3.5": "White to the lower rating.",
        "3.6": "White to the larger number.",
        "4": (
            "With an odd number the lowest rating of the lowest group rests; of equal ones who leaves the "
            "colours in balance, then the higher average."
        ),
        "5": "Round 1: the upper half against the lower half, colours in turn from board to board.",
        "6.2": (
            "White column by rising average, then the lower rating; black column by falling rating, then the "
            "higher average."
        ),
        "6.3": "Each white gets the first black with whom all others can still be paired.",
        "6.4": "Who floats: if it can be one who did not float into the group and has an opponent below.",
        "7.1": "For a player who has met his whole group another is moved up from the lower group.",
        "7.2": (
            "An odd group gets a player from the lower group: the other colour first, the higher rating, the "
            "lower average."
        ),
        "7.3": "Of 2n whites too many the n with the lowest averages go to the black column.",
        "7.4": "Of 2n blacks too many the n with the highest averages go to the white column.",
        "8.1": "Floaters are paired one after the other, white-due and black-due in turn, in the order of 6.2.",
        "8.2": "A floater meets the highest rating, if it can be one due the other colour.",
    },
    "dutch-2026": {
        "1.2": "Order: the higher score first, of equal scores the smaller pairing number.",
        "1.4": "Who is absent for no points does not float; who scores without playing floats down.",
        "1.7": "A preference is absolute, strong or mild; mild at an even difference.",
        "1.8": "Topscorers of the last round have more than half of the points there were to win.",
        "C1": "No two players meet twice.",
        "C2": "No bye after a bye, nor after the points of a win without play.",
        "C3": "Two who are no topscorers and have the same absolute preference do not meet.",
        "C5": "The bye goes to the lowest score possible.",
        "C7": "The downfloaters' scores, in descending order, are as low as can be.",
        "C8": "Downfloaters are chosen so that the following bracket keeps C1 to C7 at its best.",
        "C9": "The bye goes to whoever has missed the fewest games.",
        "C10": "No colour difference beyond two for a topscorer or his opponent.",
        "C11": "No colour three times running for a topscorer or his opponent.",
        "C12": "As many players as can be get the colour they prefer.",
        "C13": "As many as can be get the colour they prefer strongly.",
        "C14": "No resident floats down who did so in the last round.",
        "C15": "Nobody who floated up in the last round meets a player moved down.",
        "C16": "No resident floats down who did so two rounds ago.",
        "C17": "Nobody who floated up two rounds ago meets a player moved down.",
        "C18": "Players moved down in the last round meet opponents of scores as near as can be.",
        "C19": "So do the opponents of those moved down who floated up in the last round.",
        "C20": "Players moved down two rounds ago meet opponents of scores as near as can be.",
        "C21": "So do the opponents of those moved down who floated up two rounds ago.",
        "4.2": "Transpositions of S2 come in the order of a dictionary.",
        "4.3": "Exchanges: fewest players, smallest difference, the lowest of S1, the highest of S2.",
        "5.2.1": "Both get their preference.",
        "5.2.2": "The stronger preference is granted; of two absolute ones the wider difference.",
        "5.2.3": "The colours of the latest round in which they had different ones are turned round.",
        "5.2.4": "The higher ranked gets his preference.",
        "5.2.5": "An odd pairing number of the higher ranked gets the initial colour, an even one the other. Players "
        "who have yet to arrive have no number.",
    },
    "round-robin": {
        "annex 1": "The Berger tables; of an odd number the last place rests.",
        "twice": "The last two rounds of the first cycle change places; in the second colours are turned.",
    },
}
