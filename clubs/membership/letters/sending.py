"""Creating a letter with a copy for each address, composing the email of a copy, and unsubscribing."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from urllib.parse import urljoin

from babel.lists import format_list
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import to_locale

from clubs.membership.letters.audiences import Audience, Reader
from clubs.models import Club, GroupLetter, LetterCopy, LetterOptOut, User
from clubs.request_types import parse_key
from common.emails.outbox import EmailOutbox, new_email, register_outbox
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.placeholders import fill_placeholders

DUE = "letter"
REPEAT_PAUSE = timedelta(hours=24)
"""Sending the same text to the same group within this time must be confirmed."""
_SIGNER = signing.Signer(sep=".", salt=__name__)


def _rows() -> QuerySet[LetterCopy]:
    return LetterCopy.objects.select_related("letter__club")


register_outbox(
    EmailOutbox(
        model=LetterCopy,
        rows=_rows,
        compose="clubs.membership.letters.sending.compose_letter_email",
        on_refused="clubs.membership.letters.sending.record_refusal",
    )
)


def unwanted_addresses(club: Club) -> set[str]:
    """Return the addresses that have opted out of the club's letters, in lower case."""
    return set(club.letter_opt_outs.values_list("email", flat=True))


def readers_with_address(club: Club, readers: Sequence[Reader]) -> list[Reader]:
    """Return one reader per address, except those who have opted out. A reader may be several people."""
    unwanted = unwanted_addresses(club)
    found: dict[str, list[Reader]] = defaultdict(list)
    for reader in readers:
        if reader.email and reader.email not in unwanted:
            found[reader.email].append(reader)
    return [_one_reader(together, club) for together in found.values()]


def _one_reader(together: Sequence[Reader], club: Club) -> Reader:
    """Return the people of an address as one reader. Whose own address it is comes first."""
    first, *others = sorted(together, key=lambda each: not each.is_own_address)
    if not others:
        return first
    readers = (first, *others)
    language = first.language or club.language
    return replace(
        first,
        name="; ".join(each.name for each in readers),
        called=format_list(
            [each.called for each in readers], locale="en_GB" if language == "en" else to_locale(language)
        ),
        amount=" + ".join(each.amount for each in readers if each.amount),
        reference=" / ".join(each.reference for each in readers if each.reference),
    )


@transaction.atomic
def create_letter(
    club: Club,
    audience: Audience,
    texts: Sequence[Mapping[str, str]],
    *,
    by: User,
    site: str,
    form_key: uuid.UUID,
    is_repeat: bool = False,
) -> GroupLetter:
    """Save a letter and make its emails due, one per address. Submitting a form twice returns the same letter.

    Raises OfficerProblem if another letter was sent by this form, because the secretary went back and changed it, or if
    the same letter was sent within the last day and `is_repeat` is False.
    """
    lock_row(Club, club.pk)
    there = GroupLetter.objects.filter(form_key=form_key, club=club).first()
    if there is not None:
        if (there.texts, there.audience) != (list(texts), audience.title[:160]):
            raise OfficerProblem(_("A letter was already sent from this page. Send again to send this one too."))
        return there
    same = club.letters.filter(audience=audience.title[:160], made_at__gt=timezone.now() - REPEAT_PAUSE)
    if not is_repeat and any(each.texts == list(texts) for each in same):
        raise OfficerProblem(_("This letter was sent to this group less than a day ago. Send again to send it twice."))
    everyone = audience.readers()
    readers = readers_with_address(club, everyone)
    reached = {reader.email for reader in readers}
    letter = GroupLetter.objects.create(
        club=club,
        by=by,
        audience=audience.title[:160],
        texts=list(texts),
        left_out=sum(reader.email not in reached for reader in everyone),
        site=site,
        form_key=form_key,
    )
    LetterCopy.objects.bulk_create(
        LetterCopy(
            letter=letter,
            member=reader.member,
            name=reader.name[:160],
            email=reader.email,
            language=reader.language,
            values=placeholder_values(club, reader),
            email_due=DUE,
        )
        for reader in readers
    )
    if audience.stopped_letter is not None:
        replaced = audience.stopped_letter.copies.filter(
            error=LetterCopy.STOPPED, email__in=[reader.email for reader in readers]
        )
        replaced.update(error=LetterCopy.REPLACED)
    return letter


def placeholder_values(club: Club, reader: Reader) -> dict[str, str]:
    """Return the values of the placeholders for a reader."""
    return {"name": reader.called, "club": club.name, "amount": reader.amount, "reference": reader.reference}


def letter_in_language(texts: Sequence[Mapping[str, str]], language: str, values: Mapping[str, str]) -> tuple[str, str]:
    """Return the subject and text in this language, or else in the first one, with the placeholders filled in."""
    said = next((each for each in texts if each["language"] == language), texts[0])
    return " ".join(fill_placeholders(said["subject"], values).split()), fill_placeholders(said["text"], values)


def compose_letter_email(copy: LetterCopy) -> EmailMessage:
    """Return the email of a copy, in the reader's language."""
    letter, club = copy.letter, copy.letter.club
    subject, text = letter_in_language(letter.texts, copy.language or club.language, copy.values)
    stop = urljoin(letter.site, reverse("letters_unsubscribe", args=[club.slug, unsubscribe_token(copy)]))
    with translation.override(copy.language or club.language):
        body = render_to_string("clubs/membership/letters/mail/letter.txt", {"text": text, "club": club, "stop": stop})
    return new_email(
        subject=subject,
        body=body,
        to=copy.email,
        reply_to=club.email,
        site=letter.site,
        sender=club.name,
        List_Unsubscribe=f"<{stop}>",
        List_Unsubscribe_Post="List-Unsubscribe=One-Click",
    )


def record_refusal(copy: LetterCopy, said: str) -> None:
    """Record that the mail server permanently rejected the email."""
    LetterCopy.objects.filter(pk=copy.pk).update(error=said[:200])


@transaction.atomic
def stop_letter(letter: GroupLetter) -> int:
    """Stop the copies that are still waiting, and return their number. A copy that is being sent can't be stopped."""
    lock_row(Club, letter.club_id)
    return letter.copies.exclude(email_due="").update(email_due="", error=LetterCopy.STOPPED)


@transaction.atomic
def resume_letter(letter: GroupLetter) -> int:
    """Send the stopped copies after all, except to those who have opted out since. Return their number.

    Addresses and amounts are those of then, so an old letter isn't sent.
    """
    lock_row(Club, letter.club_id)
    if not letter.is_recent:
        return 0
    stopped = letter.copies.filter(error=LetterCopy.STOPPED).exclude(email__in=unwanted_addresses(letter.club))
    return stopped.update(email_due=DUE, email_due_at=timezone.now(), email_attempts=0, error="")


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterCounts:
    """How many copies of a letter are sent, waiting, stopped and refused."""

    sent: int = 0
    waiting: int = 0
    stopped: int = 0
    replaced: int = 0
    unsubscribed: int = 0
    refused: int = 0


def letter_counts(letters: Iterable[GroupLetter]) -> list[tuple[GroupLetter, LetterCounts]]:
    """Return each letter with its counts. One query."""
    found = list(letters)
    rows = LetterCopy.objects.filter(letter__in=found).order_by().values("letter")
    counted = rows.annotate(
        sent=Count("pk", filter=Q(email_due="", error="")),
        waiting=Count("pk", filter=~Q(email_due="")),
        stopped=Count("pk", filter=Q(error=LetterCopy.STOPPED)),
        replaced=Count("pk", filter=Q(error=LetterCopy.REPLACED)),
        unsubscribed=Count("pk", filter=Q(error=LetterCopy.UNSUBSCRIBED)),
        refused=Count("pk", filter=~Q(error__in=["", *LetterCopy.WITHHELD])),
    )
    names = ("sent", "waiting", "stopped", "replaced", "unsubscribed", "refused")
    counts = {
        letter: LetterCounts(**dict(zip(names, numbers, strict=True)))
        for letter, *numbers in counted.values_list("letter", *names)
    }
    return [(letter, counts.get(letter.pk, LetterCounts())) for letter in found]


def unsubscribe_token(copy: LetterCopy) -> str:
    """Return the token that unsubscribes the address of a copy from the club's letters."""
    return _SIGNER.sign(str(copy.pk))


def find_copy_by_token(club_slug: str, token: str) -> LetterCopy | None:
    """Return the copy with this token, or None if it is forged. It doesn't expire, as links in old emails must work."""
    try:
        key = parse_key(_SIGNER.unsign(token))
    except signing.BadSignature:
        return None
    return LetterCopy.objects.select_related("letter__club").filter(pk=key, letter__club__slug=club_slug).first()


def unsubscribe(copy: LetterCopy) -> None:
    """Stop the club's letters to the address of a copy, including those still waiting."""
    club = copy.letter.club
    LetterOptOut.objects.get_or_create(club=club, email=copy.email)
    waiting = LetterCopy.objects.filter(letter__club=club, email=copy.email).exclude(email_due="")
    waiting.update(email_due="", error=LetterCopy.UNSUBSCRIBED)


def resubscribe(copy: LetterCopy) -> None:
    """Let the club write to the address of a copy again. Letters are forwarded, so anybody may have unsubscribed it."""
    LetterOptOut.objects.filter(club=copy.letter.club, email=copy.email).delete()
