"""What the pages about systems and accelerations say: in plain words, with the articles of each document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpPage:
    """One method: its document, what it does step by step, and its articles (number, what it says)."""

    title: Words
    document: Words
    steps: tuple[Words, ...]
    articles: tuple[tuple[str, Words], ...]


_JAHR = HelpPage(
    title=_("Jahr's method (1981)"),
    document=_("Ulrich Jahr, “Metoda ustalania miejsc w systemie szwajcarskim”, Szachy 3/1981"),
    steps=(
        _("Every player has total points beside the game points. They begin at nought."),
        _("A game adds its result and a tenth of what the opponent had in total when the game began."),
        _("Players with equal game points are ordered by total points: for the pairing and for the final places."),
        _("The pairing itself is done by the FIDE rules of 1987-89 or, if the event says so, the Dutch rules of 1992."),
        _("Ratings decide nothing after round 1, so it suits clubs where most have none."),
    ),
    articles=(
        ("1, 7", _("The Swiss procedure stays; only the order inside a score group is new.")),
        ("2", _("A tenth of the opponent's total points counts.")),
        ("3", _("Totals are taken from before the round; a result of the same round changes nothing.")),
        ("4", _("Tenths are kept to 0.01; exactly five thousandths go to the even hundredth.")),
        ("5", _("New total = total before + a tenth of the opponent's + the result.")),
        ("6", _("Places: game points, total points, then the opponents' totals added up exactly.")),
        ("8", _("The bye is half a point, and a tenth of one's own total.")),
        ("9", _("A win by forfeit is one point and no tenth; a loss by forfeit is nothing.")),
        ("10", _("The start card with boxes for the tenths.")),
    ),
)

_FIDE_1989 = HelpPage(
    title=_("FIDE Swiss rules of 1987-89"),
    document=_("FIDE Swiss rules, adopted in 1987, amended in 1988 (maxi events) and 1989"),
    steps=(
        _("With an odd number the last player of the lowest score group who may have it gets the bye."),
        _("Groups above the median are paired from the top down, those below from the bottom up, the median last."),
        _("Where a group is odd or somebody has no opponent, as few as possible float towards the median."),
        _("Floaters are paired first. Then each player in turn takes the first of the other half he may play."),
        _("A second scrutiny exchanges opponents so that as many as possible get the colour they are due."),
        _("If the median cannot be paired, it takes back pairs from the groups beside it, one by one."),
    ),
    articles=(
        ("2", _("Nobody meets the same opponent twice.")),
        ("3, 4, 5", _("Opponents have points as near, and colours as even, as can be.")),
        ("8", _("The bye: the lowest group, the largest number, nobody twice, nobody after a win by forfeit.")),
        ("9.1", _("No third game running with a colour, no difference of three.")),
        ("9.2", _("The order in which groups are paired.")),
        ("9.3", _("Who cannot be paired floats to the next group on the way to the median.")),
        ("9.6", _("A blocked median group takes back pairs.")),
        ("10", _("Who floats: disadvantage, a float just before, colours, number.")),
        ("10.8", _("Whom a floater plays: the nearest who is due the other colour.")),
        ("11", _("The order in which opponents are tried.")),
        ("12", _("Colours: what must be, what is due, then the latest difference, then the number.")),
        ("12.2", _("Exchanges so that more players get the colour they are due.")),
        ("12.7, 10.2, 10.8", _("Maxi events: no such exchange beyond 100 rating points.")),
        ("13", _("In the last round only “not twice” holds.")),
        ("14", _("Round 1: upper half against lower half; the colour of number 1 is drawn.")),
    ),
)

_DUTCH_1992 = HelpPage(
    title=_("Dutch system of 1992"),
    document=_("The Swiss system based on rating, adopted by FIDE's General Assembly in 1992"),
    steps=(
        _("Groups are paired from the top down. Who is left over moves down to the next."),
        _("A group is cut in two, S1 above S2, in the order of points and number; S1 plays S2 in this order."),
        _("Where that breaks a rule, S2 is put in another order, the nearest first; then players of S1 and S2 change."),
        _("Of all such tries the first is taken that has as few players as possible without the colour they are due."),
        _("Nobody should move down, or meet someone moved down, in two rounds running, nor two rounds after."),
        _("A try counts only if all who are not paired yet can still be paired."),
    ),
    articles=(
        ("A", _("Order, score groups, moving down, bye, colour difference and preference.")),
        ("B1", _("Nobody twice against the same; no bye after a point without play.")),
        ("B2", _("No two players who must both have the same colour.")),
        ("B3, B4", _("Points as near as can be; as many as possible get the colour they are due.")),
        ("B5, B6", _("No same float in two rounds running, nor two rounds later.")),
        ("C1-C14", _("The procedure, step by step.")),
        ("D1, D2", _("The order of transpositions and of exchanges.")),
        ("E", _("Colours: both, the stronger, the latest difference, the higher player.")),
        ("F", _("Order of boards, absences, changes, adjourned games, final order.")),
    ),
)

_DUBOV_1997 = HelpPage(
    title=_("Dubov system of 1997"),
    document=_("The Dubov Swiss system, FIDE Handbook 1997"),
    steps=(
        _("Players of one score group should have met opponents of equal average rating (ARO)."),
        _("Groups are paired from the top down; a group that is odd gets a player moved up from below."),
        _("In a group those due White stand in one column, those due Black in another; columns are made equal."),
        _("The white with the lowest ARO plays the black with the highest rating, and so on down."),
        _("Nobody floats up twice running, nor more than three times (four in ten rounds or more)."),
        _("The average ratings can be seen after every round, so that everybody can estimate the next opponent."),
    ),
    articles=(
        ("2.1, 2.2", _("Nobody twice against the same; nobody rests after a point without play.")),
        ("2.3, 2.4", _("No difference of three colours, no third game running with one.")),
        ("2.5", _("Limits of floating up.")),
        ("2.6", _("Who must have a colour is not put in the other column.")),
        ("3", _("Colours: due, difference, latest difference, average, rating.")),
        ("4", _("The bye: the lowest group, the lowest rating.")),
        ("5", _("Round 1: top half against bottom half, colours alternating.")),
        ("6", _("The two columns and their orders; who floats down.")),
        ("7", _("Moving players up, and players between the columns.")),
        ("8", _("Floaters are paired first, with the highest rating that suits.")),
        ("9", _("The list of averages, and what the arbiter decides.")),
    ),
)

_DUTCH_2026 = HelpPage(
    title=_("FIDE (Dutch) system of 2026"),
    document=_("FIDE Handbook C.04.3, in force since 1 February 2026"),
    steps=(
        _("Groups are paired from the top down. Who is left over moves down to the next."),
        _("First comes what must be: nobody twice, no second bye, and all who are left can still be paired."),
        _("Then as few as possible move down, those with the lowest scores, and so that the next group can be paired."),
        _("Then colours: as many as possible get the one they prefer, the strong preferences above all."),
        _("Then floats: nobody should move down, or meet someone moved down, again within two rounds."),
        _("Of equally good pairings the one nearest to upper half against lower half is taken."),
    ),
    articles=(
        ("1", _("Order, brackets, floats, colour preferences, topscorers of the last round.")),
        ("C1-C3", _("Nobody twice; no bye after a win's points without play; no two who must have the same colour.")),
        ("C4, C5", _("All others can still be paired; the bye goes to the lowest score possible.")),
        ("C6-C8", _("Fewest moved down, the lowest scores, and the next bracket at its best.")),
        ("C9", _("The bye goes to whoever has missed the fewest games.")),
        ("C10, C11", _("In the last round: no colour too often for topscorers and their opponents.")),
        ("C12, C13", _("Colour preferences, strong ones last of all refused.")),
        ("C14-C21", _("No same float in two rounds running, nor two rounds later; score differences.")),
        ("3, 4", _("The order in which candidates are tried: players moved down, transpositions, exchanges.")),
        ("5.2", _("Colours: both, the stronger, the latest difference, the higher player, the number.")),
    ),
)

_ROUND_ROBIN = HelpPage(
    title=_("Round robin (Berger tables)"),
    document=_("FIDE Handbook C.05, annex 1"),
    steps=(
        _("Numbers are drawn, or given in the order of the starting list. Each is a place in a table."),
        _("The table says who meets whom in every round and with which colour, so all is known from the beginning."),
        _("Of an odd number of players one rests in each round, without points."),
        _("Twice round: the second time with colours turned; the last two rounds of the first change places."),
        _("Whoever cannot come loses by forfeit or plays on another day; nobody is paired anew."),
        _("A late entrant takes the place that rests. An even table has none left."),
    ),
    articles=(
        ("1", _("The tables for 3 to 30 players.")),
        ("2", _("Twice round: the last two rounds of the first cycle change places.")),
        (
            "½",
            _("Withdrawn before half of the games: the results count for nobody. Later: forfeits."),
        ),
    ),
)

_PROGRESSIVE = HelpPage(
    title=_("Progressive acceleration"),
    document=_("“Progressive acceleration”, known in France as système accéléré dégressif"),
    steps=(
        _("Before round 1 the players are cut by rating into groups A, B and C, each 25 to 50 percent of all."),
        _("For the pairing only, A has 2 points more, B 1, C none."),
        _("With what they score, B and C come up to 2: at 1½ points, at 3 and, for C, at 4½."),
        _("Who has half of the points possible in the event has all 2."),
        _("In the last two rounds nobody has any. Standings never count them."),
    ),
    articles=(
        ("A", _("2 points at all times.")),
        ("B", _("1 point; 1½ from 1½ points scored; 2 from 3.")),
        ("C", _("None; ½ from 1½ points scored; 1 from 3; 1½ from 4½.")),
        ("n/2", _("From half of the rounds in points: 2, whatever the group.")),
        ("n-1", _("From the last round but one: none.")),
    ),
)

_BAKU = HelpPage(
    title=_("Baku acceleration"),
    document=_("FIDE Handbook C.04.5.1"),
    steps=(
        _("The first half of the list, rounded up to an even number, is group GA: 2 × a quarter of all, rounded up."),
        _("In the first half of the rounds GA has fictitious points: 1 at first, then ½. Others have none."),
        _("The groups are made when round 1 is paired. Late entrants do not change them."),
    ),
    articles=(
        ("GA", _("2 × (number of players / 4, rounded up).")),
        ("1", _("Accelerated rounds: half of the rounds, rounded up.")),
        ("2", _("One point in the first half of these, rounded up; half a point in the others.")),
    ),
)

HELP_PAGES: Mapping[str, HelpPage] = {
    "jahr": _JAHR,
    "fide-1989": _FIDE_1989,
    "dutch-1992": _DUTCH_1992,
    "dubov-1997": _DUBOV_1997,
    "dutch-2026": _DUTCH_2026,
    "round-robin": _ROUND_ROBIN,
    "progressive": _PROGRESSIVE,
    "baku": _BAKU,
}
"""The closed list: every system and every acceleration has a page."""
