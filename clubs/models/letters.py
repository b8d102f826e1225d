"""Letters to groups: what the secretary wrote, who got it, and who has opted out."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, User
from common.models import EmailOutboxRow


class GroupLetter(models.Model):
    """A letter to a group, as it was sent."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="letters")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    audience = models.CharField(_("to"), max_length=160)
    """The group in words, as it was called then."""
    texts = models.JSONField(default=list)
    """Dictionaries with `language`, `subject` and `text`, the club's language first."""
    left_out = models.PositiveSmallIntegerField(default=0)
    """The number of people with no address, or who have opted out of letters."""
    site = models.CharField(max_length=200, blank=True)
    """The server's URL, such as https://chess.example/, for the links in emails."""
    form_key = models.UUIDField(unique=True, editable=False)
    """The ID of the submitted form, so that submitting it twice sends one letter."""

    RECENT = timedelta(days=2)
    """The time in which a stopped letter can be sent after all, or corrected."""

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.audience

    @property
    def is_recent(self) -> bool:
        return timezone.now() - self.made_at < self.RECENT


class LetterCopy(EmailOutboxRow):
    """A letter to one address. It is waiting to be sent while `email_due` is set.

    After that it has been sent, or has an `error`.
    """

    letter = models.ForeignKey(GroupLetter, on_delete=models.CASCADE, related_name="copies")
    member = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="letters")
    name = models.CharField(_("name"), max_length=160)
    email = models.EmailField(_("email"))
    """In lower case."""
    language = models.CharField(max_length=10, blank=True)
    values = models.JSONField(default=dict)
    """The values of the placeholders."""
    error = models.CharField(max_length=200, blank=True)
    """The mail server's refusal, or why the copy was withheld."""

    STOPPED, REPLACED, UNSUBSCRIBED = WITHHELD = ("stopped", "replaced", "unsubscribed")
    """Why a copy wasn't sent: the secretary stopped it, or sent a corrected letter, or the reader opted out."""

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "letter copies"
        indexes = [models.Index(fields=["email_due_at"], condition=~Q(email_due=""), name="letter_copy_email_due")]
        constraints = [models.UniqueConstraint(fields=["letter", "email"], name="letter_once_an_address")]

    def __str__(self) -> str:
        return self.email

    @property
    def is_refused(self) -> bool:
        """True if the mail server refused it."""
        return bool(self.error) and self.error not in self.WITHHELD


class LetterOptOut(models.Model):
    """An address that has opted out of the club's letters to groups."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="letter_opt_outs")
    email = models.EmailField(_("email"))
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "email"], name="letter_opt_out_once")]

    def __str__(self) -> str:
        return self.email
