"""The outbox of applications, and the nightly job that deletes old ones. Every command loads this file."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import ApplicationNotice, MembershipApplication
from common.emails.confirmation import KEEP_UNCONFIRMED_FOR
from common.emails.outbox import EmailOutbox, register_outbox
from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job
from common.schedule import registry as chore_kinds

DELETE_TASK = register_job_kind("clubs.tasks.delete_old_applications", JobKind(title=_("Deleting old applications")))
chore_kinds.register_scheduled_task(chore_kinds.ScheduledTask(name="applications", task=DELETE_TASK, at=time(0, 20)))
KEEP_DECIDED_FOR = timedelta(days=90)
KEEP_OPEN_FOR = timedelta(days=365)


def _rows() -> QuerySet[MembershipApplication]:
    return MembershipApplication.objects.select_related("club")


def _notices() -> QuerySet[ApplicationNotice]:
    return ApplicationNotice.objects.select_related("application__club")


register_outbox(
    EmailOutbox(
        model=MembershipApplication,
        rows=_rows,
        compose="clubs.membership.applications.emails.compose_application_email",
    )
)
register_outbox(
    EmailOutbox(
        model=ApplicationNotice,
        rows=_notices,
        compose="clubs.membership.applications.emails.compose_notice_email",
    )
)


def delete_old_applications(_job: Job) -> dict[str, Any]:
    """Delete applications that nobody confirmed, and those decided or sent long ago. Members are kept."""
    now, states = timezone.now(), MembershipApplication.State
    # An email that is still due is waiting for the mail server.
    unconfirmed = Q(state=states.UNCONFIRMED, sent_at__lt=now - KEEP_UNCONFIRMED_FOR, email_due="")
    decided = Q(decided_at__lt=now - KEEP_DECIDED_FOR)
    forgotten = Q(sent_at__lt=now - KEEP_OPEN_FOR)
    MembershipApplication.objects.filter(unconfirmed | decided | forgotten).delete()
    return {}
