"""People: users, clubs, who may do what in them, and members."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.addresses import check_club_address


class Language(models.TextChoices):
    """Languages a page or sheet can be set in; None named means the reader's own."""

    ENGLISH = "en", "English"
    POLISH = "pl", "polski"
    CZECH = "cs", "čeština"
    BULGARIAN = "bg", "български"
    GERMAN = "de", "Deutsch"


class Title(models.TextChoices):
    """FIDE titles, highest first (contract of the starting list: GM, IM, WGM, FM, WIM, CM, WFM, WCM)."""

    GM = "GM", _("Grandmaster")
    IM = "IM", _("International Master")
    WGM = "WGM", _("Woman Grandmaster")
    FM = "FM", _("FIDE Master")
    WIM = "WIM", _("Woman International Master")
    CM = "CM", _("Candidate Master")
    WFM = "WFM", _("Woman FIDE Master")
    WCM = "WCM", _("Woman Candidate Master")


class User(AbstractUser):
    """Someone who can sign in."""


class Club(models.Model):
    """A chess club."""

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), unique=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    federation = models.CharField(_("federation"), max_length=3, blank=True, help_text=_("Three letters, such as POL."))
    language = models.CharField(_("language"), max_length=2, choices=Language, default=Language.ENGLISH)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_club_address(self.slug)


class Role(models.TextChoices):
    """What a user is in a club."""

    SECRETARY = "secretary", _("secretary")
    ARBITER = "arbiter", _("arbiter")
    TREASURER = "treasurer", _("treasurer")
    MEMBER = "member", _("member")


class Membership(models.Model):
    """A user's role in a club; one row a role."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=12, choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club", "role"], name="membership_once_a_role"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()}, {self.club})"


class Member(models.Model):
    """A person in the club's book, with or without a log-in."""

    class Sex(models.TextChoices):
        FEMALE = "w", _("female")
        MALE = "m", _("male")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="members")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="members")
    family_name = models.CharField(_("family name"), max_length=80)
    given_name = models.CharField(_("given name"), max_length=80, blank=True)
    title = models.CharField(_("title"), max_length=3, choices=Title, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), default=0, validators=[MaxValueValidator(3500)])
    rating_is_estimate = models.BooleanField(_("rating is an estimate"), default=False)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    fide_id = models.PositiveIntegerField(_("FIDE ID"), null=True, blank=True)
    birth_year = models.PositiveSmallIntegerField(
        _("birth year"), null=True, blank=True, validators=[MinValueValidator(1900), MaxValueValidator(2100)]
    )
    is_active = models.BooleanField(_("active"), default=True)

    class Meta:
        ordering = ["family_name", "given_name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "fide_id"], condition=Q(fide_id__isnull=False), name="member_fide_id_once_a_club"
            ),
            models.CheckConstraint(condition=Q(rating__lte=3500), name="member_rating_in_range"),
            models.CheckConstraint(condition=~Q(family_name=""), name="member_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name as starting lists have it: family name, given name."""
        return f"{self.family_name}, {self.given_name}" if self.given_name else self.family_name
