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
    """The help page of a method: its document, its steps, and its articles (number and text)."""

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
        _("Every player has total points as well as game points. Total points start at 0."),
        _("Each game adds its result and a tenth of the total the opponent had before it."),
        _("Players with equal game points are ordered by total points, both for pairing and for the final standings."),
        _(
            "The pairing itself follows the FIDE rules of 1987–89 or, if the event's settings say so, the Dutch "
            "rules of 1992."
        ),
        _("Ratings no longer matter after round 1. This suits clubs where most players are unrated."),
    ),
    articles=_quoted("jahr"),
)

_FIDE_1989 = MethodHelpPage(
    title=_("FIDE Swiss rules of 1987–89"),
    document=_("FIDE Swiss rules, adopted in 1987, amended in 1988 (maxi events) and 1989"),
    steps=(
        _("With an odd number of players, the last eligible player in the lowest score group gets the bye."),
        _(
            "Groups above the median are paired from the top down, then those below it from the bottom "
            "up. The median group is paired last."
        ),
        _(
            "If a group has an odd number of players or a player has no opponent, as few players as possible "
            "float towards the median."
        ),
        _(
            "Floaters are paired first. Then each player in turn is paired with the first possible opponent "
            "in the other half."
        ),
        _("A second check exchanges opponents so that as many players as possible get the colour they are due."),
        _("If the median group cannot be paired, pairs in the neighbouring groups are split one by one and join it."),
    ),
    articles=_quoted("fide-1989"),
)

_DUTCH_1992 = MethodHelpPage(
    title=_("Dutch system of 1992"),
    document=_("The Swiss system based on rating, adopted by FIDE's General Assembly in 1992"),
    steps=(
        _("Groups are paired from the top down. Players left over move down to the next group."),
        _(
            "A group is split into S1 (the upper half) and S2 (the lower half), in order of points and "
            "number. S1 plays S2 in this order."
        ),
        _(
            "If that breaks a rule, the order of S2 is changed, starting with the smallest changes. Then "
            "players in S1 are exchanged with players in S2."
        ),
        _(
            "The attempt that gives the most players the colour they are due is used. If several are equal, "
            "the first one is used."
        ),
        _("Within 3 rounds, nobody should move down twice or meet a moved-down player twice."),
        _("An attempt counts only if everyone not yet paired can still be paired."),
    ),
    articles=_quoted("dutch-1992"),
)

_DUBOV_1997 = MethodHelpPage(
    title=_("Dubov system of 1997"),
    document=_("The Dubov Swiss system, FIDE Handbook 1997"),
    steps=(
        _("The aim is for players in the same score group to have faced opponents with the same average rating (ARO)."),
        _(
            "Groups are paired from the top down. If a group has an odd number of players, one moves up from a "
            "lower group."
        ),
        _(
            "In each group, players due White form one column and players due Black another. The columns are "
            "made the same length."
        ),
        _("The White player with the lowest ARO meets the Black player with the highest rating, and so on down."),
        _("Nobody floats up twice in a row, or more than 3 times (4 in events of 10 rounds or more)."),
        _("The average ratings are shown after every round, so players can work out who they are likely to play next."),
    ),
    articles=_quoted("dubov-1997"),
)

_DUTCH_2026 = MethodHelpPage(
    title=_("FIDE (Dutch) system of 2026"),
    document=_("FIDE Handbook C.04.3, in force since 1 February 2026"),
    steps=(
        _("Groups are paired from the top down. Players left over move down to the next group."),
        _(
            "The absolute criteria come first. No two players meet twice, nobody gets a second bye, and "
            "everyone left can still be paired."
        ),
        _(
            "Then as few players as possible move down, preferably those with the lowest scores. The choice "
            "should also let the next group be paired well."
        ),
        _(
            "Then come colours. As many players as possible get the colour they prefer, and then as many "
            "strong preferences as possible are met."
        ),
        _("Then come floats. Within 3 rounds, nobody should move down twice or meet a moved-down player twice."),
        _("Among equally good pairings, the one closest to pairing the upper half with the lower half is used."),
    ),
    articles=_quoted("dutch-2026"),
)

_ROUND_ROBIN = MethodHelpPage(
    title=_("Round robin (Berger tables)"),
    document=_("FIDE Handbook C.05, annex 1"),
    steps=(
        _("Numbers are drawn by lot or follow the starting list. Each number is a place in the Berger table."),
        _("The table gives everyone's opponent and colour in every round, so everything is known from the start."),
        _("With an odd number of players, one sits out each round and gets no points."),
        _(
            "In a double round robin, colours are reversed in the second cycle. The last 2 rounds of the "
            "first cycle swap places."
        ),
        _("A player who cannot come loses by forfeit or plays on another day. Nobody is re-paired."),
        _("A late entry takes the free place in the table. With an even number of players there is none."),
    ),
    articles=_quoted("round-robin"),
)

_KEIZER = MethodHelpPage(
    title=_("Keizer system"),
    document=_("Common practice at clubs in the Netherlands and Belgium. There are no official rules."),
    steps=(
        _("It is for a season of club evenings. Anyone who turns up plays, and missing an evening costs little."),
        _("Every player has a value. The first in the ranking is worth about 3 times as much as the last."),
        _("For a win, you get your opponent's value. For a draw, you get half of it."),
        _(
            "All totals are calculated again after each round with the current values. So your total can change "
            "even if you did not play."
        ),
        _("The players present are paired in the order of the ranking: first against second, and so on."),
        _("Players who met recently are not paired again yet."),
    ),
    articles=_quoted("keizer"),
)

_PROGRESSIVE = MethodHelpPage(
    title=_("Progressive acceleration"),
    document=_("“Progressive acceleration”, known in France as système accéléré dégressif"),
    steps=(
        _(
            "Before round 1, players are split by rating into groups A, B and C. Each has 25 to 50 "
            "percent of all players."
        ),
        _("For pairing only, group A gets 2 extra points, group B gets 1 and group C gets none."),
        _(
            "Players in groups B and C get another ½ point when their score reaches 1½, and again at 3. Players "
            "in group C get one more at 4½."
        ),
        _("A player with at least half of the points possible in the event gets the full 2 extra points."),
        _("In the last 2 rounds nobody gets extra points. Standings never count them."),
    ),
    articles=(
        ("A", _("Always 2 points.")),
        ("B", _("1 point. 1½ once the score reaches 1½, and 2 once it reaches 3.")),
        ("C", _("None. ½ once the score reaches 1½, 1 once it reaches 3, and 1½ once it reaches 4½.")),
        (
            "n/2",
            _("In every group, players get 2 extra points once their score is at least half the number of rounds."),
        ),
        ("n-1", _("None in the last 2 rounds.")),
    ),
)

_BAKU = MethodHelpPage(
    title=_("Baku acceleration"),
    document=_("FIDE Handbook C.04.5.1"),
    steps=(
        _("Group GA is the first half of the starting list, rounded up to an even number of players."),
        _(
            "In the first half of the rounds, GA players get fictitious points: 1 at first, then ½. Other "
            "players get none."
        ),
        _("The groups are made when round 1 is paired. Late entries do not change them."),
    ),
    articles=(
        ("GA", _("2 × (number of players / 4, rounded up).")),
        ("1", _("Accelerated rounds: half of the rounds, rounded up.")),
        ("2", _("1 point in the first half of these rounds, rounded up. ½ point in the others.")),
    ),
)

METHOD_HELP_PAGES: Mapping[str, MethodHelpPage] = {
    "jahr": _JAHR,
    "fide-1989": _FIDE_1989,
    "dutch-1992": _DUTCH_1992,
    "dubov-1997": _DUBOV_1997,
    "dutch-2026": _DUTCH_2026,
    "round-robin": _ROUND_ROBIN,
    "keizer": _KEIZER,
    "progressive": _PROGRESSIVE,
    "baku": _BAKU,
}
"""The closed list: every system and every acceleration has a page."""
