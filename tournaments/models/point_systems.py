"""Points for results, as stored with an event, and checks of what they are compatible with."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from pairing.engine.point_systems import SYSTEMS_WITH_FIXED_POINTS, InvalidPointSystem, parse_point_system
from pairing.engine.standings import TieBreaksNeedStandardPoints, UnknownTieBreak, check_tie_breaks_for_points

USUAL_POINTS = "1-0.5-0"


def describe_point_system(text: str) -> str:
    """Return `1-0.5-0 P0.5` for a page: win, draw and loss, then absence or bye if given."""
    games, *others = text.replace("0.5", "½").replace(".5", "½").split()
    words = {"A": _("absent"), "P": _("bye")}
    return ", ".join((games.replace("-", " – "), *(f"{words[each[0]]} {each[1:]}" for each in others)))


def check_point_system(text: str) -> None:
    """Raise ValidationError unless this is a valid point system."""
    try:
        parse_point_system(text)
    except InvalidPointSystem as error:
        raise ValidationError(_("Invalid point system: %(text)s.") % {"text": text}) from error


def check_points_compatible(text: str, *, system: str, acceleration: str, tie_breaks: Iterable[str]) -> None:
    """Raise ValidationError, by field, if the system, acceleration or a tie-break doesn't allow these points."""
    try:
        points = parse_point_system(text)
    except InvalidPointSystem:
        return
    if points.scale_factor is not None:
        return
    if system in SYSTEMS_WITH_FIXED_POINTS:
        message = _("This system only allows 1, ½ and 0 points, or 2, 1 and 0.")
        raise ValidationError({"point_system": message})
    if acceleration == "progressive":
        message = _("Progressive acceleration needs 1, ½ and 0 points, or 2, 1 and 0.")
        raise ValidationError({"point_system": message})
    try:
        check_tie_breaks_for_points(tie_breaks, points)
    except UnknownTieBreak:
        return
    except TieBreaksNeedStandardPoints as error:
        message = _("These tie-breaks need 1, ½ and 0 points: %(codes)s.")
        raise ValidationError({"tie_breaks": message % {"codes": ", ".join(error.codes)}}) from error
