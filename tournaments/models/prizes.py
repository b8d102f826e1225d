"""The prize fund of an event."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Tournament


class PrizeFund(models.Model):
    """The rules for an event's prizes. Readers see the winners once the event is over or the prizes are published."""

    class PrizeSharing(models.TextChoices):
        PLACE = "place", _("not shared, prizes go by place")
        EQUALLY = "equally", _("shared equally by players on equal points")
        HORT = "hort", _("Hort system: half by place, half shared by players on equal points")

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="prize_fund")
    sharing = models.CharField(_("prize sharing"), max_length=7, choices=PrizeSharing, default=PrizeSharing.PLACE)
    one_prize_each = models.BooleanField(_("one prize per player, the largest they qualify for"), default=True)
    is_published = models.BooleanField(_("published"), default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sharing__in=["place", "equally", "hort"]), name="prize_sharing_known"),
        ]

    def __str__(self) -> str:
        return str(self.tournament)


class Prize(models.Model):
    """Money, an item, or both for a place, in the whole table or in one of the event's categories (by key)."""

    fund = models.ForeignKey(PrizeFund, on_delete=models.CASCADE, related_name="prizes")
    category = models.CharField(_("category"), max_length=20, blank=True)
    place = models.PositiveSmallIntegerField(_("place"))
    cents = models.PositiveIntegerField(_("amount"), default=0)
    thing = models.CharField(_("item"), max_length=80, blank=True)

    class Meta:
        ordering = ["category", "place"]
        constraints = [
            models.UniqueConstraint(fields=["fund", "category", "place"], name="prize_once_a_place"),
            models.CheckConstraint(condition=Q(place__gte=1), name="prize_place_from_1"),
            models.CheckConstraint(condition=Q(cents__gte=1) | ~Q(thing=""), name="prize_worth_something"),
        ]

    def __str__(self) -> str:
        return f"{self.category} {self.place}".strip()
