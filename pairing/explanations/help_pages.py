"""The help pages about systems and accelerations: plain explanations and quoted articles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.explanations.articles import ARTICLE_TEXTS, article_anchor

TranslatableText = str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodHelpPage:
    """One method: its document, its steps, and its articles (number and text)."""

    title: TranslatableText
    document: TranslatableText
    steps: tuple[TranslatableText, ...]
    articles: tuple[tuple[str, TranslatableText], ...]

    @property
    def articles_with_anchors(self) -> list[tuple[str, str, TranslatableText]]:
        """The articles with their anchors on the page."""
        return [(article_anchor(number), number, says) for number, says in self.articles]


def _quoted(document: str) -> tuple[tuple[str, TranslatableText], ...]:
    return tuple(ARTICLE_TEXTS[document].items())


_JAHR = MethodHelpPage(
    title=_("Jahr's method (1981)"),
    document=_("Ulrich Jahr, “Metoda ustalania miejsc w systemie szwajcarskim”, Szachy 3/1981"),
    steps=(
        _("Every player has total points beside the game points. They begin at nought."),
        _("A game adds its result and a tenth of what the opponent had in total when the game began."),
        _("Players with equal game points are ordered by total points: for the pairing and for the final places."),
        _("The pairing itself is done by the FIDE rules of 1987-89 or, if the event says so, the Dutch rules of 1992."),
        _("Ratings decide nothing after round 1, so it suits clubs where most have none."),
    ),
    articles=_quoted("jahr"),
)

_FIDE_1989 = MethodHelpPage(
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
    articles=_quoted("fide-1989"),
)

_DUTCH_1992 = MethodHelpPage(
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
    articles=_quoted("dutch-1992"),
)

_DUBOV_1997 = MethodHelpPage(
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
    articles=_quoted("dubov-1997"),
)

_DUTCH_2026 = MethodHelpPage(
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
    articles=_quoted("dutch-2026"),
)

_ROUND_ROBIN = MethodHelpPage(
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
    articles=_quoted("round-robin"),
)

_PROGRESSIVE = MethodHelpPage(
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

_BAKU = MethodHelpPage(
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

METHOD_HELP_PAGES: Mapping[str, MethodHelpPage] = {
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
