"""Earlier membership periods of members who left and came back. The member's record has only the latest one."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Member


class MembershipPeriod(models.Model):
    """A past period of membership, saved when the member comes back.

    Without a joining date, it has no known start. The last day is included.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="membership_periods")
    joined_on = models.DateField(_("joined on"), null=True, blank=True)
    left_on = models.DateField(_("left on"))
    came_from = models.CharField(_("previous club"), max_length=120, blank=True)
    went_to = models.CharField(_("new club"), max_length=120, blank=True)

    class Meta:
        ordering = ["left_on"]
        constraints = [
            models.UniqueConstraint(fields=["member", "left_on"], name="member_spell_ends_once"),
            models.CheckConstraint(
                condition=Q(joined_on__isnull=True) | Q(joined_on__lte=F("left_on")), name="member_spell_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.joined_on or ''} – {self.left_on}"
