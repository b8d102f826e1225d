"""The list of letters, writing one with a preview, its deliveries, and unsubscribing."""

from __future__ import annotations

import uuid
from collections import defaultdict

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import get_club_for_secretary
from clubs.membership.accounts.private_pages import private_page
from clubs.membership.letters.audiences import Audience, club_audiences, find_audience
from clubs.membership.letters.forms import LetterForm
from clubs.membership.letters.sending import (
    create_letter,
    find_copy_by_token,
    letter_counts,
    letter_in_language,
    placeholder_values,
    readers_with_address,
    resubscribe,
    resume_letter,
    stop_letter,
    unsubscribe,
)
from clubs.models import Club, GroupLetter, PersonalDataAccess
from clubs.page_context import club_page_context
from clubs.privacy import log_data_access
from clubs.request_types import AuthenticatedRequest, WebRequest
from common.emails.outbox import create_sending_job, sender_address
from common.emails.smtp_delivery import is_email_configured
from common.jobs.queue import enqueue_job, wait_for_job
from common.jobs.redirects import SECONDS_TO_WAIT
from common.problems import OfficerProblem

MAX_LETTERS_SHOWN = 50


@require_safe
def letter_list(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Show the letters, with their groups and authors, and let the user choose a group for a new one."""
    the_club = get_club_for_secretary(request.user, club)
    letters = the_club.letters.select_related("by")[:MAX_LETTERS_SHOWN]
    context = club_page_context(request.user, the_club, "members") | {
        "letters": letter_counts(letters),
        "audiences": club_audiences(the_club),
        "opted_out": _opted_out(the_club),
        "has_mail": is_email_configured(),
    }
    return render(request, "clubs/membership/letters/letter_list.html", context)


def _opted_out(club: Club) -> list[tuple[str, str]]:
    """Return the addresses that want no letters, with the names of the members who have them. Two queries."""
    addresses = club.letter_opt_outs.order_by("email").values_list("email", flat=True)
    names: dict[str, list[str]] = defaultdict(list)
    for member in club.members.filter(erased_at=None) if addresses else ():
        for address in {member.email.lower(), member.guardian_email.lower()}:
            names[address].append(member.name)
    return [(address, "; ".join(names[address])) for address in addresses]


@require_http_methods(["GET", "HEAD", "POST"])
def letter_new(request: AuthenticatedRequest, club: str) -> HttpResponse:
    """Write a letter to a group: preview it for one of its readers, then send it to all."""
    the_club = get_club_for_secretary(request.user, club)
    audience = find_audience(the_club, request.GET.get("to", ""))
    if audience is None:
        return redirect("letter_list", club)
    everyone = audience.readers()
    _log_viewing(request, the_club, has_money=audience.has_money)
    readers = readers_with_address(the_club, everyone)
    reached = {reader.email for reader in readers}
    languages = list(dict.fromkeys([the_club.language, *(reader.language for reader in readers if reader.language)]))
    form = LetterForm(
        request.POST or None,
        languages=languages,
        places=audience.placeholders,
        initial={"form_key": uuid.uuid4()} | _stopped_texts(audience),
    )
    context = club_page_context(request.user, the_club, "members") | {
        "audience": audience,
        "readers": readers,
        "without_address": [reader for reader in everyone if not reader.email],
        "unwilling": [reader for reader in everyone if reader.email and reader.email not in reached],
        "sender": sender_address(the_club.name),
        "form": form,
        "places": [(f"{{{name}}}", words) for name, words in audience.placeholders.items()],
        "has_mail": is_email_configured(),
    }
    chosen = next((each for each in readers if each.email == request.POST.get("reader")), None)
    context["chosen"] = chosen
    if request.method == "POST" and form.is_valid() and readers:
        if request.POST.get("do") == "send":
            try:
                letter = create_letter(
                    the_club,
                    audience,
                    form.texts,
                    by=request.user,
                    site=request.build_absolute_uri("/"),
                    form_key=form.cleaned_data["form_key"],
                    is_repeat="repeat" in request.POST,
                )
            except OfficerProblem as problem:
                form.data = {**form.data, "form_key": str(uuid.uuid4())}
                form.add_error(None, problem.message)
                context["repeat"] = True
            else:
                job = create_sending_job(by=request.user, club=the_club)
                enqueue_job(job)
                wait_for_job(job, SECONDS_TO_WAIT)
                return redirect("letter_detail", club, letter.pk)
        chosen = chosen or readers[0]
        subject, text = letter_in_language(
            form.texts, chosen.language or the_club.language, placeholder_values(the_club, chosen)
        )
        context |= {"preview": {"reader": chosen, "subject": subject, "text": text}}
    return render(request, "clubs/membership/letters/letter_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def letter_detail(request: AuthenticatedRequest, club: str, letter: int) -> HttpResponse:
    """Show a letter, and who got it. The page reloads while emails wait. A POST stops those, or resumes."""
    the_club = get_club_for_secretary(request.user, club)
    sent = get_object_or_404(GroupLetter.objects.select_related("by"), club=the_club, pk=letter)
    if request.method == "POST" and request.POST.get("do") == "resume":
        if resume_letter(sent):
            enqueue_job(create_sending_job(by=request.user, club=the_club))
        return redirect("letter_detail", club, letter)
    if request.method == "POST":
        stopped = stop_letter(sent)
        messages.success(request, ngettext("%(n)s email stopped.", "%(n)s emails stopped.", stopped) % {"n": stopped})
        return redirect("letter_detail", club, letter)
    _log_viewing(request, the_club, has_money=any(copy.values.get("amount") for copy in sent.copies.all()))
    context = club_page_context(request.user, the_club, "members") | {
        "letter": sent,
        "counts": letter_counts([sent])[0][1],
        "copies": sent.copies.all(),
    }
    return render(request, "clubs/membership/letters/letter_detail.html", context)


def _stopped_texts(audience: Audience) -> dict[str, str]:
    """Return the texts of the stopped letter whose other readers are written to, as initial values of the form."""
    if audience.stopped_letter is None:
        return {}
    texts = audience.stopped_letter.texts
    return {f"{part}_{said['language']}": said[part] for said in texts for part in ("subject", "text")}


def _log_viewing(request: AuthenticatedRequest, club: Club, *, has_money: bool) -> None:
    kinds = PersonalDataAccess.DataAccessKind
    for kind in (kinds.CONTACT, kinds.MONEY) if has_money else (kinds.CONTACT,):
        log_data_access(club, kind, by=request.user)


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def letters_unsubscribe(request: WebRequest, club: str, token: str) -> HttpResponse:
    """Unsubscribe an address from the club's letters, or undo that. Mail programs send the POST themselves (RFC 8058).

    A GET only asks, because mail programs open links too.
    """
    copy = find_copy_by_token(club, token)
    if copy is None:
        raise Http404
    if request.method == "POST":
        (resubscribe if request.POST.get("do") == "resume" else unsubscribe)(copy)
    the_club = copy.letter.club
    stopped = the_club.letter_opt_outs.filter(email=copy.email).exists()
    context = {"club": the_club, "email": copy.email, "stopped": stopped}
    return render(request, "clubs/membership/letters/letters_unsubscribe.html", context)
