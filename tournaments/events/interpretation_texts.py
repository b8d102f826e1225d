"""A short text for each rule interpretation."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

_FROM_ANY_GROUP = gettext_lazy("the player comes from the nearest group with an eligible player")
_FROM_THE_NEXT = gettext_lazy("only players from the next group can be moved up")
_BY_NUMBER = gettext_lazy("the number breaks ties")
_BY_NAME = gettext_lazy("alphabetical order breaks ties")

INTERPRETATION_TEXTS: Mapping[tuple[str, str], Promise] = {
    ("fide-1989:8.2", "event"): gettext_lazy("no bye for the rest of the event after a win by forfeit"),
    ("fide-1989:8.2", "next-round"): gettext_lazy("no bye in the round right after a win by forfeit"),
    ("dutch-1992:A2c", "document"): gettext_lazy("titles in the document's order: GM, WGM, IM, WIM, FM, WFM"),
    ("dutch-1992:A2c", "modern"): gettext_lazy("titles in the current order: GM, IM, WGM, FM, WIM, CM, WFM, WCM"),
    ("dubov-1997:2.5", "all-upfloats"): gettext_lazy("players who met a downfloater count as moved up too"),
    ("dubov-1997:2.5", "moved-up"): gettext_lazy("only moves under 7.1 and 7.2 count as moving up"),
    ("dutch-2026:5.2.5", "paired"): gettext_lazy(
        "only players who were paired in this or an earlier round are counted"
    ),
    ("dutch-2026:5.2.5", "list"): gettext_lazy(
        "numbers on the starting list decide the colour, even if players are absent"
    ),
    ("dubov-1997:5", "position"): gettext_lazy(
        "colours alternate from one pair to the next, even if players are absent"
    ),
    ("dubov-1997:5", "number"): gettext_lazy("odd and even numbers decide the colours"),
    ("dubov-1997:6.2", "number"): _BY_NUMBER,
    ("dubov-1997:6.2", "name"): _BY_NAME,
    ("dubov-1997:7.1", "next-possible"): _FROM_ANY_GROUP,
    ("dubov-1997:7.1", "next-group"): _FROM_THE_NEXT,
    ("dubov-1997:7.2", "next-possible"): _FROM_ANY_GROUP,
    ("dubov-1997:7.2", "next-group"): _FROM_THE_NEXT,
    ("dubov-1997:7.3", "number"): _BY_NUMBER,
    ("dubov-1997:7.3", "name"): _BY_NAME,
    ("jahr:6", "rounded"): gettext_lazy("the tenths in the opponents' totals are rounded"),
    ("jahr:6", "unrounded"): gettext_lazy("the tenths in the opponents' totals are not rounded"),
}
"""By id and value: every interpretation there is."""
