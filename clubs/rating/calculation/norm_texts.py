"""Sentences on what is missing for a norm."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clubs.rating.calculation.norms import MissingNormCondition, NormArticle


def describe_missing_condition(missing: MissingNormCondition, title: str) -> str:
    """Describe what is missing for the norm of a title, in the active language."""
    words = {
        NormArticle.GAMES: _("%(there_is)s games, %(wanted)s needed"),
        NormArticle.FOREIGN_FEDERATIONS: _("opponents from %(there_is)s other federations, %(wanted)s needed"),
        NormArticle.OWN_FEDERATION: _(
            "%(there_is)s opponents from the player's own federation, at most %(wanted)s allowed"
        ),
        NormArticle.ONE_FEDERATION: _("%(there_is)s opponents from one federation, at most %(wanted)s allowed"),
        NormArticle.TITLED: _("%(there_is)s opponents with a title above Candidate Master, %(wanted)s needed"),
        NormArticle.QUALIFYING_TITLES: _(
            "%(there_is)s opponents with the %(title)s title or higher, %(wanted)s needed"
        ),
        NormArticle.AVERAGE: _("average opponent rating %(there_is)s, %(wanted)s needed"),
        NormArticle.SCORE: _("a score of %(there_is)s%%, %(wanted)s%% needed"),
        NormArticle.PERFORMANCE: _("a performance rating of %(there_is)s, %(wanted)s needed"),
    }[missing.article]
    return words % {"there_is": missing.actual, "wanted": missing.required, "title": title}
