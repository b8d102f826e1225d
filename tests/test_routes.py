"""Who gets where: every address of the application, asked for by everyone in every way."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from http.cookies import SimpleCookie

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from clubs.accounts.invitations import invitation_token, invite
from clubs.bank.statements import StatementLine, keep_lines
from clubs.books.booking import book as book_entry
from clubs.books.booking import open_account
from clubs.books.vouchers import add_voucher
from clubs.debits.bank_days import bank_day_from
from clubs.debits.collecting import collect
from clubs.debits.mandates import give_mandate
from clubs.models import (
    BookAccount,
    Club,
    ClubRequest,
    Job,
    Membership,
    RatingListImport,
    RatingRegister,
    Role,
    SavedView,
    User,
)
from clubs.money.ledger import charge, pay
from clubs.money.reminding import stop_token
from pairing.trials.proposing import propose
from pairing.typesetting import pdfs
from tests.cast import Cast
from tests.clubs.book import make_book, make_season
from tests.factories import make_event, make_user, played, published
from tests.routes import (
    ALLAUTHS,
    EVERYONE,
    FORM,
    MEMBERS,
    NOT_FOUND_BY_OTHERS,
    READERS,
    ROUTES,
    SHARED,
    STRANGERS,
    Route,
)
from tournaments.door.personal_links import personal_token, wall_token
from tournaments.models import ForbiddenPair, Message, MessageWay, Series, Tournament
from tournaments.telling.tokens import cannot_address, way_address

NOT_MADE = frozenset(
    [
        "metrics",
        "api_nothing",
        "security_txt",
        "round_restore",
        "club_logo",
        "colours",
        "design",
        "logo",
        "proposal",
        "proposal_adopt",
        "proposal_discard",
        "no_round_decide",
        "what_if_result",
        "print_now",
        "print_not_hung",
        "print_now_of_club",
        "print_prizes",
        "saved_view_remove",
        "personal_check_in",
        "personal_bye",
        "personal_result",
        "personal_claim",
        "check_in",
        "round_keys",
        "club_ask",
        "account_confirm_email",
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_download_recovery_codes",
    ]
)
"""What they are about is not there in these tests, or nothing is sent: whoever passes may find nothing."""


@pytest.fixture
def book(db, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """A club with everything an address may be about; papers are not set, which takes long and is tested elsewhere."""
    monkeypatch.setattr(pdfs, "_set", lambda parts, *_args, **_more: (b"%PDF-", [1] * len(parts)))
    cast = make_book()
    cast.club.frame_origins = ["https://www.example.org"]
    cast.club.save()
    make_user("outsider")
    cast.event.players_check_in = True
    cast.event.save()
    played(cast.event, 1)
    published(cast.event, 2)
    return cast


@pytest.fixture
def places(book: Cast) -> dict[str, object]:
    """The parts of the addresses: one thing of each kind."""
    club, jan = book.club, book.members[5]
    secretary = User.objects.get(username="secretary")
    treasurer = User.objects.get(username="treasurer")
    charge(jan, 9000, text="składka", due_on=date(2026, 9, 1), by=None)
    payment = pay(jan, 5000, method="cash", paid_on=date(2026, 9, 2), by=treasurer)
    job = Job.objects.create(task="none", club=club, by=secretary)
    register = RatingRegister.objects.create(club=club, name="Zmyślony")
    listed = RatingListImport.objects.create(register=register, job=job, by=secretary, filename="x", path="x")
    first, second = book.entry(0), book.entry(1)
    pair = ForbiddenPair.objects.create(tournament=book.event, first=first, second=second)
    cash = open_account(club, kind="cash", name="Kasa", iban="", balance=5000, on=date(2026, 1, 1), by=treasurer)
    category = BookAccount.objects.create(club=club, kind="expense", name="Sprzęt")
    booking = book_entry(cash, category, 900, on=date(2026, 2, 1), by=treasurer)
    keep_lines(club, [StatementLine(booked_on=date(2026, 2, 1), amount=5)], by=treasurer)
    Club.objects.filter(pk=club.pk).update(bank_account="DE89370400440532013000", creditor_id="DE98ZZZ09999999999")
    give_mandate(jan, reference="M1", holder="Jan Nikt", iban="DE89370400440532013000", signed_on=date(2026, 1, 1))
    collected_on = bank_day_from(timezone.localdate() + timedelta(days=14))
    gone = make_event(club)
    Tournament.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    way = MessageWay.objects.create(member=jan, channel="mail", site="https://chess.example/")
    soon = timezone.now() + timedelta(hours=20)
    reminder = Message.objects.create(
        way=way, entry=first, round=book.round(3), kind="evening", about="evening", due_at=soon, give_up_at=soon
    )
    return {
        "way": way_address(way).split("/")[2],
        "reminder": cannot_address(reminder).split("/")[2],
        "deleted": gone.pk,
        "collection": collect(club, {jan.pk}, on=collected_on, by=treasurer, form_key=uuid.uuid4()).pk,
        "booking": booking.pk,
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
        "view": SavedView.objects.create(user=secretary, club=club, name="all").pk,
        "job": job.pk,
        "register": register.pk,
        "listed": listed.pk,
        "proposal": propose(book.round(2).pk, by=secretary).pk,
        "year": payment.receipt_year,
        "name": "jahr",
        "kind": "csv",
        "table": "players",
        "payment": payment.pk,
        "stop": stop_token(jan),
        "personal": personal_token(first),
        "wall": wall_token(book.round(2)),
        "invitation": (invitation := invite(club, Role.ARBITER, by=secretary, lasts=timedelta(days=1))).pk,
        "joining": invitation_token(invitation),
        "membership": Membership.objects.get(user=treasurer).pk,
        "asked": ClubRequest.objects.create(name="Rokada", asked_by="Nikt", email="nikt@poczta.example").pk,
        "key": "none",
        "uidb36": "none",
        "rest": "none",
    }


def patterns() -> Iterator[tuple[str, URLPattern]]:
    """Our addresses with their names; the administration's are Django's."""
    yield from _patterns("", get_resolver().url_patterns)


def _patterns(before: str, found: list[URLPattern | URLResolver]) -> Iterator[tuple[str, URLPattern]]:
    for each in found:
        address = before + str(each.pattern)
        if isinstance(each, URLResolver):
            if each.app_name != "admin":
                yield from _patterns(address, each.url_patterns)
        else:
            yield address, each


@cache
def whole_addresses() -> dict[str, str]:
    """Each by its name, with the parts as the patterns name them; of two of one name the first."""
    return {pattern.name or "": address for address, pattern in reversed([*patterns()])}


def address_of(name: str, places: dict[str, object]) -> str:
    whole = whole_addresses()[name]
    names = [part.split(":")[-1].split(">")[0] for part in whole.split("<")[1:]]
    special = {
        "personal": {"token": places["personal"]},
        "wall": {"token": places["wall"]},
        "reminders_stop": {"token": places["stop"]},
        "join": {"token": places["joining"]},
        "told_way": {"token": places["way"]},
        "told_stop": {"token": places["way"]},
        "told_confirm": {"token": places["way"]},
        "told_cannot": {"token": places["reminder"]},
        "entry_take_back": {"entry": places["payment"]},
        "receipt": {"number": 1},
        "print_receipt": {"number": 1},
    }
    own = places | special.get("personal" if whole.startswith("p/") else name, {})
    return reverse(name, kwargs={part: own[part] for part in names})


class Asking:
    """Somebody at a browser; whatever a request changes is taken back, its cookies as well."""

    def __init__(self, cast: Cast, who: str, places: dict[str, object]) -> None:
        self.browser = cast.browser(who)
        self.browser.raise_request_exception = False
        self.cookies = self.browser.cookies.output(header="")
        self.places = places

    def status(self, method: str, name: str) -> int:
        self.browser.cookies = SimpleCookie(self.cookies)
        with transaction.atomic():
            answer = self.browser.generic(method, address_of(name, self.places))
            transaction.set_rollback(True)
        return answer.status_code


def refused(name: str, who: str, status: int) -> bool:
    """The answer is that of a closed door, as strangers and people of the club see it.

    Who is not signed in is led to where one signs in, whether the page is there or not.
    """
    if who == "visitor":
        return status in (302, 401)
    return status == (404 if who in STRANGERS or name in NOT_FOUND_BY_OTHERS or not ROUTES[name].who else 403)


def is_public(view: object) -> bool:
    """Opens without signing in, as the middleware reads it."""
    return not getattr(view, "login_required", True)


def test_every_address_is_in_the_table():
    assert {pattern.name for _address, pattern in patterns()} == set(ROUTES)


def test_a_page_is_public_exactly_where_the_table_lets_visitors_in():
    """A forgotten mark closes a page; one too many would open it."""
    marked = {pattern.name for _address, pattern in patterns() if is_public(pattern.callback)}
    assert marked == {name for name, route in ROUTES.items() if "visitor" in route.who}


def test_no_address_does_without_the_token_against_forged_requests():
    """But those whose own token is all that acts: a mail program's button for fewer letters, a notification's; and
    those that keep a choice in the browser that made it, and nothing else.
    """
    exempt = {pattern.name for _address, pattern in patterns() if getattr(pattern.callback, "csrf_exempt", False)}
    assert exempt == {"told_stop", "told_cannot", "look", "set_language"}


@pytest.mark.parametrize("name", ["look", "set_language"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_what_does_without_it_is_not_taken_from_other_sites(db, name: str, origin: str):
    guarded = Client(enforce_csrf_checks=True)
    sent = {"look": "dark", "language": "de", "next": "/"}
    answer = guarded.post(reverse(name), sent, headers={"Origin": origin})
    assert (answer.status_code, set(answer.cookies) & {"look", "django_language"}) == (403, set())
    answer = guarded.post(reverse(name), sent, headers={"Origin": "http://testserver"})
    assert (answer.status_code, len(answer.cookies)) == (302, 1)


OFFICERS = ("secretary", "treasurer", "arbiter")
ON_POSTGRESQL = {*OFFICERS, "visitor"}
"""These open every page there is between them, so that each of its queries is sent to that server as well."""


def sends_what_others_do_not(who: str, route: Route) -> bool:
    """On PostgreSQL a page is opened once as an officer and once as a visitor; who is refused, is by the same code."""
    officer = next((each for each in OFFICERS if each in route.who), None)
    return who in {officer, "visitor"} & route.who


@pytest.mark.parametrize(
    "who",
    [pytest.param(who, marks=[] if who in ON_POSTGRESQL else pytest.mark.one_database) for who in sorted(EVERYONE)],
)
def test_who_may_not_is_refused_and_who_may_passes(book: Cast, places: dict[str, object], who: str):
    wrong, asking = [], Asking(book, who, places)
    for name, route in ROUTES.items():
        if connection.vendor != "sqlite" and not sends_what_others_do_not(who, route):
            continue
        for method in sorted(route.methods):
            status = asking.status(method, name)
            passes = who in route.who
            ok = status < 500 and status not in (403, 404, 405) if passes else refused(name, who, status)
            if not ok and not (passes and name in NOT_MADE and status == 404):
                wrong.append(f"{method} {name}: {status}")
    assert not wrong, ", ".join(wrong)


@pytest.mark.one_database
@pytest.mark.parametrize("who", ["secretary", "visitor"])
def test_what_only_shows_does_nothing_and_what_does_something_shows_nothing(
    book: Cast, places: dict[str, object], who: str
):
    wrong, asking = [], Asking(book, who, places)
    for name, route in ROUTES.items():
        for method in FORM - route.methods:
            status = asking.status(method, name)
            # Who is not signed in is led there first, whatever the address would do then.
            led = who == "visitor" and status in (302, 401) and "visitor" not in route.who
            if status not in (403, 404, 405) and not led and name not in ALLAUTHS:
                wrong.append(f"{method} {name}: {status}")
    assert not wrong, ", ".join(wrong)


@pytest.mark.one_database
@pytest.mark.parametrize("who", ["visitor", "neighbour", "member"])
def test_an_event_that_is_not_public_is_there_for_its_club_alone(book: Cast, places: dict[str, object], who: str):
    book.event.is_public = False
    book.event.save()
    asking = Asking(book, who, places)
    assert {
        name for name, route in ROUTES.items() if route.who == SHARED and asking.status("GET", name) != 404
    } == set()
    found = {name for name, route in ROUTES.items() if route.who == READERS and asking.status("GET", name) != 404}
    there = {name for name, route in ROUTES.items() if route.who == READERS} - NOT_MADE
    assert found - NOT_MADE == (there if who in MEMBERS else set())


NAMED_BY_KEY = re.compile(
    ":(member|first|second|entry|pair|season|series|view|job|register|listed|proposal|payment|membership|invitation|"
    "booking|voucher|line|collection|deleted)>"
)
"""Parts of addresses that name one thing among those of all clubs."""


@pytest.mark.one_database
def test_what_is_another_clubs_is_not_there_under_ones_own(book: Cast, places: dict[str, object]):
    """The neighbour has every role in his club, and an event of the same name: nothing else in the address is his."""
    neighbour, own = User.objects.get(username="neighbour"), Club.objects.get(slug="elsewhere")
    for role in (Role.ARBITER, Role.TREASURER):
        Membership.objects.create(user=neighbour, club=own, role=role)
    event = make_event(own, players=6, players_check_in=True)
    Tournament.objects.filter(pk=event.pk).update(slug=book.event.slug)
    event.refresh_from_db()
    played(event, 1)
    published(event, 2)
    asking = Asking(book, "neighbour", places | {"club": own.slug})
    wrong = []
    for name, route in ROUTES.items():
        whole = next(address for address, pattern in patterns() if pattern.name == name)
        if "<slug:club>" not in whole or not NAMED_BY_KEY.search(whole):
            continue
        for method in sorted(route.methods):
            status = asking.status(method, name)
            # Who restores what is not among his deleted events is told so on the page that lists them.
            if status != 404 and name != "deleted_restore":
                wrong.append(f"{method} {name}: {status}")
    assert not wrong, ", ".join(wrong)
    asking.browser.post(address_of("deleted_restore", places | {"club": own.slug}))
    assert Tournament.with_deleted.get(pk=str(places["deleted"])).deleted_at


def test_the_table_tells_apart():
    """A route given to the wrong people would be seen: each kind of people differs from the others somewhere."""
    assert Route(frozenset(), EVERYONE) != Route(frozenset(), READERS)
    for one in EVERYONE - STRANGERS:
        for other in EVERYONE - {one}:
            assert any((one in route.who) != (other in route.who) for route in ROUTES.values()), (one, other)
