"""Sentences on what is missing for a norm."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clubs.rating.calculation.norms import MissingNormCondition, NormArticle


def describe_missing_condition(missing: MissingNormCondition, title: str) -> str:
    """Describe what is missing for the norm of a title, in the active language."""
    words = {
        NormArticle.GAMES: _("%(there_is)s games of the %(wanted)s that are needed"),
        NormArticle.FOREIGN_FEDERATIONS: _("opponents from %(there_is)s other federations, %(wanted)s are needed"),
        NormArticle.OWN_FEDERATION: _("%(there_is)s opponents from the own federation, at most %(wanted)s may be"),
        NormArticle.ONE_FEDERATION: _("%(there_is)s opponents from one federation, at most %(wanted)s may be"),
        NormArticle.TITLED: _("%(there_is)s opponents with a title above candidate master, %(wanted)s are needed"),
        NormArticle.QUALIFYING_TITLES: _(
            "%(there_is)s opponents with the title of %(title)s or a higher one, %(wanted)s are needed"
        ),
        NormArticle.AVERAGE: _("opponents %(there_is)s on average, %(wanted)s is needed"),
        NormArticle.SCORE: _("a score of %(there_is)s %%, %(wanted)s %% is needed"),
        NormArticle.PERFORMANCE: _("a performance of %(there_is)s, %(wanted)s is needed"),
    }[missing.article]
    return words % {"there_is": missing.actual, "wanted": missing.required, "title": title}
