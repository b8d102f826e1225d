"""A club with an object for every URL, and every URL of the application with its parameters filled in."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.accounting.entries import record_accounting_entry as book_entry
from clubs.finance.accounting.vouchers import add_voucher
from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.direct_debit.debit_collections import create_debit_collection, first_bank_day_from
from clubs.finance.direct_debit.mandates import record_mandate
from clubs.finance.dues.ledger import charge_member, record_payment
from clubs.finance.dues.reminders import unsubscribe_token
from clubs.membership.accounts.invitations import create_invitation, invitation_token
from clubs.membership.applications.links import status_token as application_status_token
from clubs.membership.letters.sending import unsubscribe_token as letter_stop_token
from clubs.models import (
    Applicant,
    BookAccount,
    Club,
    ClubRequest,
    GroupLetter,
    LetterCopy,
    Membership,
    MembershipApplication,
    RatingListImport,
    RatingListPlayer,
    RatingRegister,
    Role,
    SavedMemberFilter,
    User,
)
from common.emails.confirmation import hash_token
from common.models import Job
from pairing.models import Webhook
from pairing.public.api_tokens.tokens import create_token
from pairing.rounds.proposals.proposal_actions import propose_pairing
from tests.clubs.member_scenario import make_book, make_season
from tests.factories import make_event, make_user, played, published
from tests.scenario import Cast
from tournaments.check_in.personal_links import check_in_code_token, event_link_token
from tournaments.models import ForbiddenPair, Notification, NotificationChannel, OnlineEntry, Series, Tournament
from tournaments.notifications.tokens import channel_url, evening_answer_url
from tournaments.online_entries.links import status_token


def make_full_scenario() -> Cast:
    """A club with an object for every URL, a person of every kind, and an outsider."""
    cast = make_book()
    cast.club.frame_origins = ["https://www.example.org"]
    cast.club.save()
    make_user("outsider")
    cast.event.players_check_in = True
    cast.event.save()
    played(cast.event, 1)
    published(cast.event, 2)
    return cast


def url_arguments(book: Cast) -> dict[str, object]:
    """The arguments of all URLs in the club of `make_full_scenario`: one object of each kind, created if missing."""
    club, jan = book.club, book.members[5]
    secretary = User.objects.get(username="secretary")
    treasurer = User.objects.get(username="treasurer")
    charge_member(jan, 9000, text="składka", due_on=date(2026, 9, 1), by=None)
    charge_member(book.members[0], 100, text="kto nie ma adresu", due_on=date(2026, 9, 1), by=None)
    payment = record_payment(jan, 5000, method="cash", paid_on=date(2026, 9, 2), by=treasurer)
    job = Job.objects.create(task="none", club=club, by=secretary)
    register = RatingRegister.objects.create(club=club, name="Zmyślony")
    listed = RatingListImport.objects.create(register=register, job=job, by=secretary, filename="x", path="x")
    first, second = book.entry(0), book.entry(1)
    pair = ForbiddenPair.objects.create(tournament=book.event, first=first, second=second)
    cash = open_money_account(club, kind="cash", name="Kasa", iban="", balance=5000, on=date(2026, 1, 1), by=treasurer)
    category = BookAccount.objects.create(club=club, kind="expense", name="Sprzęt")
    booking = book_entry(cash, category, 900, on=date(2026, 2, 1), by=treasurer)
    save_new_lines(club, [ParsedStatementLine(booked_on=date(2026, 2, 1), amount=5)], by=treasurer)
    Club.objects.filter(pk=club.pk).update(bank_account="DE89370400440532013000", creditor_id="DE98ZZZ09999999999")
    record_mandate(jan, reference="M1", holder="Jan Nikt", iban="DE89370400440532013000", signed_on=date(2026, 1, 1))
    collected_on = first_bank_day_from(timezone.localdate() + timedelta(days=14))
    gone = make_event(club)
    Tournament.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    way = NotificationChannel.objects.create(member=jan, kind="mail", site="https://chess.example/")
    soon = timezone.now() + timedelta(hours=20)
    reminder = Notification.objects.create(
        channel=way, entry=first, round=book.round(3), kind="evening", about="evening", due_at=soon, give_up_at=soon
    )
    online = OnlineEntry.objects.create(tournament=book.event, name="Ktoś, Nowy", state="approval")
    later = timezone.now() + timedelta(hours=1)
    OnlineEntry.objects.create(
        tournament=book.event, name="Inny, Nowy", token_hash=hash_token("secret"), token_ends_at=later
    )
    application = MembershipApplication.objects.create(club=club, email="nowy@poczta.example", state="open")
    Applicant.objects.create(
        application=application, family_name="Nowy", given_name="Ktoś", birth_date=date(1990, 1, 1)
    )
    Club.objects.filter(pk=club.pk).update(takes_applications=True)
    MembershipApplication.objects.create(
        club=club, email="inny@poczta.example", token_hash=hash_token("secret too"), token_ends_at=later
    )
    letter = GroupLetter.objects.create(
        club=club, audience="x", texts=[{"language": "en", "subject": "x", "text": "x"}], form_key=uuid.uuid4()
    )
    return {
        "way": channel_url(way).split("/")[2],
        "reminder": evening_answer_url(reminder).split("/")[2],
        "deleted": gone.pk,
        "collection": create_debit_collection(club, {jan.pk}, on=collected_on, by=treasurer, form_key=uuid.uuid4()).pk,
        "booking": booking.pk,
        "account": cash.pk,
        "voucher": add_voucher(booking, b"%PDF-1.7", "faktura.pdf", by=treasurer).pk,
        "line": club.bank_lines.get().pk,
        "club": club.slug,
        "event": book.event.slug,
        "number": 2,
        "board": 1,
        "after": 1,
        "tpn": 1,
        "version": 1,
        "colour": "14613f",
        "look": "dark",
        "api_token": create_token(
            club,
            name="bot",
            scopes=["read"],
            tournament=None,
            expires_at=None,
            by=secretary,
            site="https://chess.example/",
        )[0].pk,
        # Paused, so that no test is sent to it.
        "webhook": Webhook.objects.create(
            club=club, url="https://bot.example.org/", salt="x", site="https://chess.example/", is_paused=True
        ).pk,
        "mark": "0123456789ab",
        "point": 1,
        "pk": 1,
        "member": jan.pk,
        "first": book.members[0].pk,
        "second": book.members[1].pk,
        "entry": first.pk,
        "pair": pair.pk,
        "season": make_season(club, usual=(9000, "", None, None)).pk,
        "series": Series.objects.create(club=club, name="Zima").pk,
        "view": SavedMemberFilter.objects.create(user=secretary, club=club, name="all").pk,
        "job": job.pk,
        "register": register.pk,
        "listed": listed.pk,
        "player": RatingListPlayer.objects.create(register=register, number="17", name="Zmyślony, Teofil").pk,
        "proposal": propose_pairing(book.round(2).pk, by=secretary).pk,
        "year": payment.receipt_year,
        "name": "jahr",
        "kind": "csv",
        "table": "players",
        "payment": payment.pk,
        "stop": unsubscribe_token(jan),
        "personal": event_link_token(first),
        "wall": check_in_code_token(book.round(2)),
        "invitation": (
            invitation := create_invitation(club, Role.ARBITER, by=secretary, valid_for=timedelta(days=1))
        ).pk,
        "joining": invitation_token(invitation),
        "membership": Membership.objects.get(user=treasurer).pk,
        "asked": ClubRequest.objects.create(name="Rokada", asked_by="Nikt", email="nikt@poczta.example").pk,
        "key": "none",
        "online_entry": online.pk,
        "application": application.pk,
        "letter": letter.pk,
        "letter_stop": letter_stop_token(LetterCopy.objects.create(letter=letter, email="nikt@poczta.example")),
        "application_status": application_status_token(application),
        "application_confirmation": "secret too",
        "entry_status": status_token(online),
        "entry_confirmation": "secret",
        "uidb36": "none",
        "rest": "none",
    }


def make_neighbour_event(slug: str) -> Club:
    """The neighbour's club, in which they have every role, and an event with the slug of another club's event."""
    neighbour, own = User.objects.get(username="neighbour"), Club.objects.get(slug="elsewhere")
    for role in (Role.ARBITER, Role.TREASURER):
        Membership.objects.create(user=neighbour, club=own, role=role)
    event = make_event(own, players=6, players_check_in=True)
    Tournament.objects.filter(pk=event.pk).update(slug=slug)
    event.refresh_from_db()
    played(event, 1)
    published(event, 2)
    return own


def url_patterns() -> Iterator[tuple[str, URLPattern]]:
    """Our URL patterns with their names, without those of Django's admin."""
    yield from _url_patterns("", get_resolver().url_patterns)


def _url_patterns(before: str, found: list[URLPattern | URLResolver]) -> Iterator[tuple[str, URLPattern]]:
    for each in found:
        address = before + str(each.pattern)
        if isinstance(each, URLResolver):
            if each.app_name != "admin":
                yield from _url_patterns(address, each.url_patterns)
        else:
            yield address, each


@cache
def url_templates() -> dict[str, str]:
    """Each pattern by name, with the names of its parts; the first of two with the same name."""
    return {pattern.name or "": address for address, pattern in reversed([*url_patterns()])}


def address_of(name: str, places: dict[str, object]) -> str:
    whole = url_templates()[name]
    names = [part.split(":")[-1].split(">")[0] for part in whole.split("<")[1:]]
    special = {
        "personal": {"token": places["personal"]},
        "self_check_in": {"token": places["wall"]},
        "reminders_unsubscribe": {"token": places["stop"]},
        "invitation_accept": {"token": places["joining"]},
        "notification_channel_edit": {"token": places["way"]},
        "notification_channel_stop": {"token": places["way"]},
        "notification_channel_confirm": {"token": places["way"]},
        "evening_answer": {"token": places["reminder"]},
        "letters_unsubscribe": {"token": places["letter_stop"]},
        "application_status": {"token": places["application_status"]},
        "application_confirm": {"token": places["application_confirmation"]},
        "online_entry_status": {"token": places["entry_status"]},
        "online_entry_confirm": {"token": places["entry_confirmation"]},
        "ledger_entry_reverse": {"entry": places["payment"]},
        "receipt_detail": {"number": 1},
        "print_receipt": {"number": 1},
    }
    own = places | special.get("personal" if whole.startswith("p/") else name, {})
    return reverse(name, kwargs={part: own[part] for part in names})
