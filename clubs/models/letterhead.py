"""The club's letterhead and paper size."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, language_choices


class PaperSize(models.TextChoices):
    """The size of the paper that a club prints on."""

    A4 = "a4", "A4"
    LETTER = "letter", "Letter"
    A3 = "a3", "A3"
    """For wall lists only."""

    @property
    def size_in_mm(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        return {PaperSize.A4: (210, 297), PaperSize.LETTER: (215.9, 279.4), PaperSize.A3: (297, 420)}[self]


USUAL_PAPER_SIZES = [(each.value, each.label) for each in (PaperSize.A4, PaperSize.LETTER)]


class ClubLetterhead(models.Model):
    """The letterhead of a club's printouts. Without one, printouts are plain, on A4."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="paper")
    header = models.CharField(_("header line"), max_length=100, blank=True)
    footer = models.CharField(_("footer line"), max_length=120, blank=True)
    language = models.CharField(_("language for printouts"), max_length=10, choices=language_choices, blank=True)
    """Empty for the club's language."""
    size = models.CharField(_("paper size"), max_length=6, choices=USUAL_PAPER_SIZES, default=PaperSize.A4)
    logo = models.BinaryField(default=bytes, blank=True)
    """A PNG written by `read_logo`. Empty for none."""

    class Meta:
        verbose_name_plural = "club papers"
        constraints = [models.CheckConstraint(condition=Q(size__in=["a4", "letter"]), name="club_paper_size_known")]

    def __str__(self) -> str:
        return str(self.club)

    @classmethod
    def get_or_default(cls, club: Club) -> ClubLetterhead:
        """Return the club's letterhead, or an unsaved default."""
        return cls.objects.filter(club=club).first() or cls(club=club)
