"""Pages of what is overdue: reminders by e-mail, and declining them. And of guests, counted."""

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
from clubs.finance.dues.forms import ReminderWordsForm
from clubs.finance.dues.reminder_words import LEVELS, PLACES, own_words, suggested_words
from clubs.finance.dues.reminding import ask_to_remind, letter, member_of_stop_token, note_handed_out, overdue_members
from clubs.frame import frame
from clubs.models import Club, Reminder
from clubs.requests import OfficerRequest, WebRequest
from common.jobs.queue import send, wait_for_end
from common.models import Job

SECONDS_TO_WAIT = 2
"""A few letters go while the page waits; many have a page of their own meanwhile."""


@require_safe
def overdue(request: OfficerRequest, club: str) -> HttpResponse:
    """Who should have paid by now; for the treasurer, the letters that can be sent."""
    the_club = get_club_for_auditor(request.user, club)
    proposed = overdue_members(the_club, today=timezone.localdate())
    can_be_sent = [each for each in proposed if each.can_be_sent]
    context = frame(request.user, the_club, "dues") | {
        "proposed": proposed,
        "total": sum(each.amount for each in proposed),
        "example": (
            letter(can_be_sent[0], site=request.build_absolute_uri("/"), own=own_words(the_club))
            if can_be_sent
            else None
        ),
        "log": Reminder.objects.filter(member__club=the_club).select_related("member", "by")[:50],
        "today": timezone.localdate(),
        "on_paper": sum(1 for each in proposed if not each.can_be_sent),
        "no_mail_server": not settings.EMAIL_HOST,
    }
    return render(request, "clubs/finance/dues/overdue.html", context)


@require_POST
def overdue_remind(request: OfficerRequest, club: str) -> HttpResponse:
    """Have reminders sent to those who are ticked."""
    the_club = get_club_for_treasurer(request.user, club)
    ticked = set(request.POST.getlist("member"))
    today = timezone.localdate()
    chosen = [
        each for each in overdue_members(the_club, today=today) if each.can_be_sent and str(each.member.pk) in ticked
    ]
    job = ask_to_remind(
        the_club,
        chosen,
        today=today,
        by=request.user,
        site=request.build_absolute_uri("/"),
        then=reverse("overdue", args=[club]),
    )
    if job is None:
        messages.warning(request, _("Nobody is left to be reminded today."))
        return redirect("overdue", club)
    send(job)
    job = wait_for_end(job, SECONDS_TO_WAIT)
    if job.state != Job.State.DONE:
        return redirect("job", job.pk)
    _say_what_became_of(request, Reminder.objects.filter(pk__in=job.arguments["reminders"]))
    return redirect("overdue", club)


@require_POST
def overdue_handed_out(request: OfficerRequest, club: str) -> HttpResponse:
    """Note that the letters on paper were handed out or posted."""
    the_club = get_club_for_treasurer(request.user, club)
    count = note_handed_out(the_club, today=timezone.localdate(), by=request.user)
    said = ngettext("%(n)s letter is noted.", "%(n)s letters are noted.", count) % {"n": count}
    (messages.success if count else messages.warning)(request, said)
    return redirect("overdue", club)


@require_http_methods(["GET", "HEAD", "POST"])
def reminder_words(request: OfficerRequest, club: str) -> HttpResponse:
    """The club's own words for reminders, level by level."""
    the_club = get_club_for_treasurer(request.user, club)
    own = own_words(the_club)
    forms = {
        level: ReminderWordsForm(
            request.POST if request.method == "POST" else None,
            prefix=f"level{level}",
            initial={"subject": own[level].subject, "text": own[level].text} if level in own else {},
        )
        for level in LEVELS
    }
    status = 200
    if request.method == "POST":
        if all(form.is_valid() for form in forms.values()):
            _keep_words(the_club, forms)
            messages.success(request, _("Kept."))
            return redirect("overdue", club)
        status = 422
    with translation.override(the_club.language):
        ours = {level: suggested_words(level) for level in LEVELS}
    context = frame(request.user, the_club, "dues") | {
        "levels": [(level, forms[level], ours[level]) for level in LEVELS],
        "places": [(f"{{{name}}}", what) for name, what in PLACES.items()],
    }
    return render(request, "clubs/finance/dues/reminder_words.html", context, status=status)


@transaction.atomic
def _keep_words(club: Club, forms: dict[int, ReminderWordsForm]) -> None:
    for level, form in forms.items():
        if form.cleaned_data["text"]:
            club.reminder_words.update_or_create(level=level, defaults=form.cleaned_data)
        else:
            club.reminder_words.filter(level=level).delete()


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def reminders_stop(request: WebRequest, club: str, token: str) -> HttpResponse:
    """Decline reminders by the address in a letter, without signing in; asked first, for mail programs open links."""
    person = member_of_stop_token(club, token)
    if person is None:
        raise Http404
    if request.method == "POST":
        person.no_reminders = True
        person.save(update_fields=["no_reminders"])
    return render(
        request, "clubs/finance/dues/reminders_stop.html", {"club": person.club, "stopped": person.no_reminders}
    )


def _say_what_became_of(request: OfficerRequest, reminders: QuerySet[Reminder]) -> None:
    failed = [reminder.sent_to for reminder in reminders if reminder.state == Reminder.State.FAILED]
    count = len(reminders) - len(failed)
    if failed:
        said = _("Not sent: %(to)s. Check the mail server, and try again.") % {"to": ", ".join(failed)}
        messages.error(request, said)
    if count:
        said = ngettext("%(n)s reminder is sent.", "%(n)s reminders are sent.", count)
        messages.success(request, said % {"n": count})
