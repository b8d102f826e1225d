"""Log-ins: invitations to them, wrong passwords counted, clubs that somebody asks for."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, Role, User


class Invitation(models.Model):
    """A link by which somebody gets a role in a club, and a log-in if he has none.

    For a member of the book it joins the log-in to his row. What the link holds is derived from `secret` and the
    server's key, so that it can be shown again and the database alone opens nothing.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=12, choices=Role)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    email = models.EmailField(_("e-mail"), blank=True)
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
        """Can be taken up now."""
        used = self.times_used and not self.is_for_many
        return self.withdrawn_at is None and not used and timezone.now() < self.expires_at


class SignInAttempts(models.Model):
    """How often in a row signing in failed for one account, address or device; `key` is its hash.

    A code of the second step that was used has a row as well, so that no process takes it once more.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "sign-in tries"

    def __str__(self) -> str:
        return f"{self.failures}"


class ClubRequest(models.Model):
    """A club that somebody asks to have on this server."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        MADE = "made", _("made")
        REFUSED = "refused", _("refused")

    name = models.CharField(_("name of the club"), max_length=120)
    city = models.CharField(_("city"), max_length=80, blank=True)
    asked_by = models.CharField(_("your name"), max_length=160)
    email = models.EmailField(_("e-mail"))
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
