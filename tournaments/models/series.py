"""Series of events."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club


class Series(models.Model):
    """Events in a season that count together, such as a grand prix.

    An event brings points for the place, or the points scored. The best `events_counted` events count (None: all).
    Every evening played adds `attendance_points`, without limit.
    """

    class SeriesScoring(models.TextChoices):
        PLACES = "places", _("points by place")
        SCORE = "score", _("points scored in games")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="series")
    name = models.CharField(_("name"), max_length=120)
    award = models.CharField(_("scoring"), max_length=6, choices=SeriesScoring, default=SeriesScoring.PLACES)
    place_points = models.JSONField(_("points by place"), default=list, blank=True)
    events_counted = models.PositiveSmallIntegerField(_("number of best events that count"), null=True, blank=True)
    attendance_points = models.PositiveSmallIntegerField(_("points for each evening played"), default=0)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="series_name_once_a_club"),
            models.CheckConstraint(condition=Q(award__in=["places", "score"]), name="series_award_known"),
            models.CheckConstraint(
                condition=Q(events_counted__isnull=True) | Q(events_counted__gte=1), name="series_counts_an_event"
            ),
        ]

    def __str__(self) -> str:
        return self.name
