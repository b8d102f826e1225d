"""Invitations, counts of sign-in attempts, and requests for clubs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, Role, User


class Invitation(models.Model):
    """A link that gives a role in a club, and creates an account if needed.

    With a `member` set, the account is linked to that member. The link is derived from `secret` and the server's key.
    It can be shown again, but the database alone does not reveal it.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=12, choices=Role)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    email = models.EmailField(_("email"), blank=True)
    is_for_many = models.BooleanField(_("for several people"), default=False)
    secret = models.CharField(max_length=32, editable=False)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    times_used = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(
                condition=Q(is_for_many=False) | Q(role=Role.MEMBER, member=None),
                name="invitation_for_many_members_only",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club} ({self.get_role_display()})"

    @property
    def is_open(self) -> bool:
        """True if the invitation can be accepted now."""
        used = self.times_used and not self.is_for_many
        return self.withdrawn_at is None and not used and timezone.now() < self.expires_at


class SignInAttempts(models.Model):
    """Failed sign-in attempts in a row for an account, address or device. `key` is its hash.

    A used two-factor code has a row too, so that it works only once.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "sign-in tries"

    def __str__(self) -> str:
        return f"{self.failures}"


class ClubRequest(models.Model):
    """A request for a club on this server."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        MADE = "made", _("created")
        REFUSED = "refused", _("refused")

    name = models.CharField(_("club name"), max_length=120)
    city = models.CharField(_("city"), max_length=80, blank=True)
    asked_by = models.CharField(_("your name"), max_length=160)
    email = models.EmailField(_("email"))
    words = models.TextField(_("anything else"), max_length=1000, blank=True)
    language = models.CharField(max_length=8, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.OPEN)
    asked_at = models.DateTimeField(auto_now_add=True)
    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["open", "made", "refused"]), name="club_request_state_known")
        ]

    def __str__(self) -> str:
        return self.name
