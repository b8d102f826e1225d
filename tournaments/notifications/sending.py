"""What is to be told goes out: claimed, gathered into one letter or notification a way, tried again, never twice.

Letters: a row is HANDED just before the server has the whole letter (`letters`), and is never sent again from then on.
Notifications: sent again where nobody knows; the device knows a message by its `id`, and shows it once.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.core.mail import EmailMessage
from django.db import connection
from django.db.models import Count, F, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from common.jobs.queue import beat
from common.models import Job
from tournaments.models import Message, MessageWay
from tournaments.notifications.letters import MailServer
from tournaments.notifications.occasions import still_true
from tournaments.notifications.pushing import Answer, Outcome, push
from tournaments.notifications.tokens import way_address
from tournaments.notifications.wishes import COLUMNS, address_of, mail_is_sent, valid_ways
from tournaments.notifications.words import Said, said_of

LEASE = timedelta(seconds=30)
"""After so long whoever has claimed a message and not sent it is taken for dead."""

GAP = {MessageWay.Channel.MAIL: timedelta(minutes=2), MessageWay.Channel.PUSH: timedelta(seconds=20)}
"""Between two letters or notifications by one way; what comes meanwhile goes together with the next."""

MOST_AN_HOUR = 20
"""By one way; more wait, and go as one."""

PAUSES = tuple(timedelta(seconds=each) for each in (15, 30, 60, 120, 300, 600))
"""Before a message that could not be sent is tried again; the last one from then on."""

AT_ONCE = 20
"""Ways that are claimed together."""
SENDERS = 8
"""Notifications that are under way at the same time."""

KEPT = timedelta(days=30)

_log = logging.getLogger(__name__)
_State, _Channel = Message.State, MessageWay.Channel


class LostClaim(Exception):
    """Somebody else is at the message: this process stood still for too long."""


def due() -> QuerySet[Message]:
    """Messages that wait to be sent now, or whose sender has died."""
    now = timezone.now()
    waiting = Q(state=_State.WAITING, due_at__lte=now)
    left = Q(state=_State.CLAIMED, claimed_at__lt=now - LEASE)
    return Message.objects.filter(waiting | left)


def deliver(job: Job) -> None:
    """Send all that is due; killed and done again, it goes on with what has not gone yet."""
    done = 0
    give_up_old()
    for channel, send in ((_Channel.PUSH, _push_all), (_Channel.MAIL, _mail_all)):
        while groups := _claim(channel):
            beat(job, done=done, stage="messages")
            # A mail server that does not answer is not asked again in this turn.
            if not send(job, groups):
                break
            done += len(groups)


def give_up_old() -> None:
    """What has become too old is not delivered any more, and what was told long ago is forgotten."""
    now = timezone.now()
    due().filter(give_up_at__lte=now).update(state=_State.FAILED)
    Message.objects.filter(made_at__lt=now - KEPT).delete()


def _claim(channel: str) -> list[list[Message]]:
    """Some ways' due messages, now this process's, by way."""
    if channel == _Channel.MAIL and not mail_is_sent():
        return []
    now = timezone.now()
    open_ways = valid_ways().filter(channel=channel).exclude(last_told_at__gt=now - GAP[_Channel(channel)])
    busy = (
        Message.objects.filter(sent_at__gt=now - timedelta(hours=1))
        .values("way")
        .annotate(letters=Count("letter", distinct=True))
        .filter(letters__gte=MOST_AN_HOUR)
        .values("way")
    )
    ways = due().filter(way__in=open_ways).exclude(way__in=busy).order_by("way").values_list("way", flat=True)
    claim = secrets.token_hex(16)
    claimed = due().filter(way__in=list(ways.distinct()[:AT_ONCE]))
    claimed.update(state=_State.CLAIMED, claim=claim, claimed_at=now, attempts=F("attempts") + 1)
    groups: dict[int, list[Message]] = {}
    rows = Message.objects.filter(claim=claim, state=_State.CLAIMED).order_by("pk")
    for row in rows.select_related("way__member", "round", "entry__member", "entry__tournament__club"):
        groups.setdefault(row.way_id, []).append(row)
    return [kept for group in groups.values() if (kept := _worth_saying(group))]


def _worth_saying(group: list[Message]) -> list[Message]:
    """Of a way's messages those that are still true and wanted; the others are dropped."""
    way = group[0].way
    kept = [each for each in group if getattr(way, COLUMNS[Message.Kind(each.kind)]) and still_true(each, group)]
    gone = [each.pk for each in group if each not in kept]
    Message.objects.filter(pk__in=gone, state=_State.CLAIMED).update(state=_State.DROPPED, claim="")
    return kept


def _of(group: Iterable[Message]) -> QuerySet[Message]:
    """The group's rows, as long as they are this process's."""
    rows = list(group)
    return Message.objects.filter(pk__in=[each.pk for each in rows], claim=rows[0].claim)


def _sent(group: list[Message], letter: str) -> None:
    now = timezone.now()
    _of(group).update(state=_State.SENT, sent_at=now, letter=letter, error="")
    MessageWay.objects.filter(pk=group[0].way_id).update(last_told_at=now)


def _later(group: list[Message], said: str) -> None:
    """To be tried again after a while."""
    pause = PAUSES[min(max(each.attempts for each in group), len(PAUSES)) - 1]
    _of(group).update(state=_State.WAITING, due_at=timezone.now() + pause, error=said[:200], claim="")


def _failed(group: list[Message], said: str) -> None:
    _of(group).update(state=_State.FAILED, error=said[:200], claim="")


# -- Notifications ---------------------------------------------------------------------------------------------------


def _push_all(job: Job, groups: list[list[Message]]) -> bool:
    """Several at once: a push service far away takes its time. The database is asked in this thread alone."""
    with ThreadPoolExecutor(SENDERS) as threads:
        under_way = {}
        for group in groups:
            letter = _letter_id(group)
            seconds = max(60, int((max(each.give_up_at for each in group) - timezone.now()).total_seconds()))
            message = _notification(group, letter)
            under_way[threads.submit(push, group[0].way, message, seconds=seconds)] = (group, letter)
        for each in as_completed(under_way):
            group, letter = under_way[each]
            _settle(group, letter, each.result())
            beat(job)
    return True


def _settle(group: list[Message], letter: str, answer: Answer) -> None:
    if answer.outcome is Outcome.TAKEN:
        _sent(group, letter)
    elif answer.outcome is Outcome.GONE:
        _log.info("device %s is gone: %s", group[0].way_id, answer.said)
        group[0].way.delete()
    elif answer.outcome is Outcome.LATER:
        _later(group, answer.said)
    else:
        _failed(group, answer.said)


def _letter_id(group: list[Message]) -> str:
    """The same whenever the same is sent again: by it a device knows what it has shown."""
    return f"{group[0].pk}-{group[-1].pk}"


def _notification(group: list[Message], letter: str) -> dict[str, Any]:
    """What the device is sent; `templates/pairing/pages/player/service_worker.js` shows it."""
    way = group[0].way
    said = said_of(way, group)
    with translation.override(way.language or None):
        actions = [{"title": _("I can't come"), "post": said.cannot}] if said.cannot else []
    return {
        "id": letter,
        "title": group[-1].entry.tournament.name[:80],
        "body": "\n".join(said.sentences)[:600],
        "lang": way.language,
        "url": said.page,
        "actions": actions,
    }


# -- Letters -----------------------------------------------------------------------------------------------------------


def _mail_all(job: Job, groups: list[list[Message]]) -> bool:
    """False where the mail server does not answer."""
    with MailServer() as server:
        for place, group in enumerate(groups):
            beat(job)
            try:
                server.open()
            except OSError as error:
                for each in groups[place:]:
                    _later(each, f"{type(error).__name__}: {error}")
                return False
            _mail(server, group)
    return True


def _mail(server: MailServer, group: list[Message]) -> None:
    letter = _letter_id(group)
    try:
        server.send(_letter(group, letter), _handing(group, letter))
    except LostClaim:
        return
    except SMTPRecipientsRefused as refused:
        code, said = next(iter(refused.recipients.values()))
        _refused(group, code, said)
    except SMTPDataError as refused:
        # The server has said no to the whole of it: it has not gone.
        _refused(group, refused.smtp_code, refused.smtp_error)
    except OSError as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        if _of(group).filter(state=_State.HANDED).update(error=problem):
            MessageWay.objects.filter(pk=group[0].way_id).update(last_told_at=timezone.now())
        else:
            _later(group, problem)
    else:
        _sent(group, letter)


def _refused(group: list[Message], code: int, said: bytes | str) -> None:
    text = f"{code} {said.decode(errors='replace') if isinstance(said, bytes) else said}"
    if 500 <= code < 600:
        _failed(group, text)
    else:
        _later(group, text)


def _handing(group: list[Message], letter: str) -> Callable[[], None]:
    def mark_handed_over() -> None:
        now = timezone.now()
        mine = _of(group).filter(state=_State.CLAIMED)
        with written_without_waiting():
            handed = mine.update(state=_State.HANDED, letter=letter, sent_at=now)
        if handed != len(group):
            raise LostClaim

    return mark_handed_over


@contextmanager
def written_without_waiting() -> Iterator[None]:
    """What is written here is with the database when the block ends, and need not be on the disk yet.

    Between the mark on a letter and its end a killed worker tells nobody: waiting for the disk there would make that
    moment a hundred times longer. Lost is the mark when the power goes just then; the letter may then go twice.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        (before,) = cursor.execute("PRAGMA synchronous").fetchone()
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA synchronous={int(before)}")


def _letter(group: list[Message], letter: str) -> EmailMessage:
    way = group[0].way
    club = group[-1].entry.tournament.club
    said = said_of(way, group)
    host = urlsplit(way.site).hostname or "clubnight"
    stop = urljoin(way.site, way_address(way, "told_stop"))
    return EmailMessage(
        subject=" ".join(said.subject.split()),
        body=letter_text(way, said, club.name, language=club.language),
        to=[address_of(way)],
        reply_to=[club.email] if club.email else None,
        headers={
            "Message-ID": f"<clubnight-{letter}@{host}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def letter_text(way: MessageWay, said: Said, club: str, *, language: str) -> str:
    """The body of a letter, in the language in which the way was chosen."""
    with translation.override(way.language or language):
        context = {
            "said": said,
            "club": club,
            "page": urljoin(way.site, said.page),
            "cannot": urljoin(way.site, said.cannot) if said.cannot else "",
            "change": urljoin(way.site, said.change),
        }
        return render_to_string("tournaments/notifications/mail/letter.txt", context)
