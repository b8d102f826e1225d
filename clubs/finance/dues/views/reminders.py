"""Pages for overdue dues: reminders by email or on paper, their texts, and unsubscribing."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import get_club_for_auditor, get_club_for_treasurer
from clubs.finance.dues.forms import ReminderTextForm
from clubs.finance.dues.reminder_texts import (
    REMINDER_LEVELS,
    REMINDER_PLACEHOLDERS,
    club_reminder_templates,
    default_reminder_template,
)
from clubs.finance.dues.reminders import (
    compose_reminder_email,
    create_reminder_job,
    mark_paper_reminders_delivered,
    member_from_unsubscribe_token,
    propose_reminders,
)
from clubs.models import Club, Reminder
from clubs.page_context import club_page_context
from clubs.request_types import AuthenticatedRequest, WebRequest
from common.jobs.queue import enqueue_job, wait_for_job
from common.models import Job

MAX_WAIT_SECONDS = 2
"""The page waits this long for a few emails. A longer job continues on its progress page."""


@require_safe
def overdue_dues_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show overdue members, with the reminders that the treasurer can send."""
    the_club = get_club_for_auditor(request.user, club)
    proposed = propose_reminders(the_club, today=timezone.localdate())
    can_be_sent = [each for each in proposed if each.can_be_sent]
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "proposed": proposed,
        "total": sum(each.amount for each in proposed),
        "example": (
            compose_reminder_email(
                can_be_sent[0], site=request.build_absolute_uri("/"), own=club_reminder_templates(the_club)
            )
            if can_be_sent
            else None
        ),
        "has_latest": any(each.latest for each in proposed),
        "log": Reminder.objects.filter(member__club=the_club).select_related("member", "by")[:50],
        "today": timezone.localdate(),
        "on_paper": sum(1 for each in proposed if not each.can_be_sent),
    }
    return render(request, "clubs/finance/dues/overdue.html", context)


@require_POST
def overdue_reminders_send(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Send reminders to the selected members."""
    the_club = get_club_for_treasurer(request.user, club)
    ticked = set(request.POST.getlist("member"))
    today = timezone.localdate()
    chosen = [
        each for each in propose_reminders(the_club, today=today) if each.can_be_sent and str(each.member.pk) in ticked
    ]
    job = create_reminder_job(
        the_club,
        chosen,
        today=today,
        by=request.user,
        site=request.build_absolute_uri("/"),
        then=reverse("overdue_dues_list", args=[club]),
    )
    if job is None:
        messages.warning(request, _("There are no more reminders to send today."))
        return redirect("overdue_dues_list", club)
    enqueue_job(job)
    job = wait_for_job(job, MAX_WAIT_SECONDS)
    if job.state != Job.State.DONE:
        return redirect("job_page", job.pk)
    _say_what_became_of(request, Reminder.objects.filter(pk__in=job.arguments["reminders"]))
    return redirect("overdue_dues_list", club)


@require_POST
def paper_reminders_mark_delivered(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Record that the paper reminders were delivered."""
    the_club = get_club_for_treasurer(request.user, club)
    count = mark_paper_reminders_delivered(the_club, today=timezone.localdate(), by=request.user)
    said = ngettext("%(n)s letter marked as delivered.", "%(n)s letters marked as delivered.", count) % {"n": count}
    (messages.success if count else messages.warning)(request, said)
    return redirect("overdue_dues_list", club)


@require_http_methods(["GET", "HEAD", "POST"])
def reminder_texts_edit(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Edit the club's reminder text for each level."""
    the_club = get_club_for_treasurer(request.user, club)
    own = club_reminder_templates(the_club)
    forms = {
        level: ReminderTextForm(
            request.POST if request.method == "POST" else None,
            prefix=f"level{level}",
            initial={"subject": own[level].subject, "text": own[level].text} if level in own else {},
        )
        for level in REMINDER_LEVELS
    }
    status = 200
    if request.method == "POST":
        if all(form.is_valid() for form in forms.values()):
            _keep_words(the_club, forms)
            messages.success(request, _("Saved."))
            return redirect("overdue_dues_list", club)
        status = 422
    with translation.override(the_club.language):
        ours = {level: default_reminder_template(level) for level in REMINDER_LEVELS}
    context = club_page_context(request.user, the_club, "dues_overview") | {
        "levels": [(level, forms[level], ours[level]) for level in REMINDER_LEVELS],
        "places": [(f"{{{name}}}", what) for name, what in REMINDER_PLACEHOLDERS.items()],
    }
    return render(request, "clubs/finance/dues/reminder_texts.html", context, status=status)


@transaction.atomic
def _keep_words(club: Club, forms: dict[int, ReminderTextForm]) -> None:
    for level, form in forms.items():
        if form.cleaned_data["text"]:
            club.reminder_texts.update_or_create(level=level, defaults=form.cleaned_data)
        else:
            club.reminder_texts.filter(level=level).delete()


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def reminders_unsubscribe(request: WebRequest, club: str, token: str) -> HttpResponse:
    """Unsubscribe from reminders with the link in an email, without signing in.

    It asks for confirmation first, because mail programs open links automatically.
    """
    person = member_from_unsubscribe_token(club, token)
    if person is None:
        raise Http404
    if request.method == "POST":
        person.no_reminders = True
        person.save(update_fields=["no_reminders"])
    return render(
        request, "clubs/finance/dues/reminders_unsubscribe.html", {"club": person.club, "stopped": person.no_reminders}
    )


def _say_what_became_of(request: AuthenticatedRequest, reminders: QuerySet[Reminder]) -> None:
    failed = [reminder.sent_to for reminder in reminders if reminder.state == Reminder.State.FAILED]
    count = len(reminders) - len(failed)
    if failed:
        said = _("Not sent: %(to)s. Check the mail server and try again.") % {"to": ", ".join(failed)}
        messages.error(request, said)
    if count and settings.EMAIL_HOST:
        said = ngettext("%(n)s reminder sent.", "%(n)s reminders sent.", count)
        messages.success(request, said % {"n": count})
    elif count:
        said = ngettext(
            "%(n)s reminder saved as a file on the server. No mail server is set up to send it.",
            "%(n)s reminders saved as files on the server. No mail server is set up to send them.",
            count,
        )
        messages.warning(request, said % {"n": count})
