"""A club with at least one row in every table that moves, and its archive."""

from __future__ import annotations

import csv
import io
import json
import uuid
import zipfile
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from django.utils import timezone
from PIL import Image

from clubs.finance.accounting.entries import open_money_account, record_accounting_entry, reverse_accounting_entry
from clubs.finance.accounting.vouchers import add_voucher
from clubs.finance.accounting.year_closing import close_year
from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.dues.ledger import charge_member, record_payment, reverse_ledger_entry
from clubs.membership.letterhead.logo_files import read_logo
from clubs.models import (
    Applicant,
    BankBalance,
    BankCsvLayout,
    BankStatementLine,
    BookAccount,
    Budget,
    Club,
    ClubLetterhead,
    DirectDebitCollection,
    DirectDebitLine,
    DirectDebitMandate,
    DuesSeason,
    ExpectedPayment,
    FeeClass,
    GroupLetter,
    GuestNight,
    LetterCopy,
    LetterOptOut,
    Member,
    MemberGroup,
    MemberRatingListing,
    MembershipApplication,
    MembershipPeriod,
    PersonalDataAccess,
    RatingRegister,
    RatingScheme,
    Reminder,
    ReminderTemplate,
    Role,
    User,
)
from clubs.privacy import log_data_access
from clubs.rating.lists.import_jobs import get_fide_register
from common.jobs.queue import run_job
from common.models import Job
from operations.club_transfer.archive_reader import read_club_archive
from operations.club_transfer.club_export import write_club_archive
from operations.club_transfer.club_import import import_club
from operations.club_transfer.export_job import run_club_export, start_club_export
from tests.factories import make_club, make_event, make_member, make_user, played, player, published
from tournaments.entries.enrolment import enter_members
from tournaments.models import NotificationChannel, OnlineEntry, OnlineEntrySettings, Series


def make_whole_club() -> Club:
    """Members, money, ratings and two events, one of them in the middle of a round."""
    club = make_club()
    club.colour, club.time_zone, club.city = "#1f4e79", "Europe/Warsaw", "Zmyślone"
    club.frame_origins, club.takes_applications = ["https://www.example.org"], True
    club.membership_rules_url, club.membership_welcome = "https://klub.example/regulamin", "Witaj!"
    club.save()
    secretary = make_user("secretary", club, Role.SECRETARY)
    treasurer = make_user("treasurer", club, Role.TREASURER)
    treasurer.first_name, treasurer.email = "Tadeusz", "tadeusz@poczta.example"
    treasurer.save()
    child = make_member(club, "Dziecko, Ala", 1200, email="ala@poczta.example", birth_date=date(2015, 2, 3))
    parent = make_member(club, "=Rodzic, Jan", 1900, fide_id=990001, phone="+48 1", address="ul. Zmyślona 7\n„A”; b")
    parent.user = make_user("member", club, Role.MEMBER)
    parent.link_version = 3
    parent.photo_consent, parent.photo_consent_on = "yes", date(2025, 1, 1)
    parent.save()
    child.family_payer, child.language = parent, "uk"
    child.save()
    MemberGroup.objects.create(club=club, name="Juniorzy").members.set([child])
    MembershipPeriod.objects.create(member=parent, joined_on=date(2010, 1, 1), left_on=date(2012, 1, 1))
    GuestNight.objects.create(member=child, on=date(2026, 1, 7))
    _letters_and_applications(club, parent, secretary)
    _money(club, parent, child, treasurer)
    _ratings(club, parent)
    log_data_access(club, PersonalDataAccess.DataAccessKind.CONTACT, by=secretary, member=parent, page="członek")
    NotificationChannel.objects.create(
        member=parent, kind="mail", site="https://chess.example/", confirmed_at=timezone.now()
    )
    _events(club, parent, secretary)
    return club


def _letters_and_applications(club: Club, member: Member, secretary: User) -> None:
    sent = {"email": "nowy@poczta.example", "site": "https://chess.example/", "token_hash": "a" * 64}
    application = MembershipApplication.objects.create(
        club=club, state="accepted", decided_by=secretary, decided_at=timezone.now(), **sent
    )
    person = {"family_name": "Nowy", "given_name": "Jan", "birth_date": date(2000, 1, 1)}
    Applicant.objects.create(application=application, member=member, **person)
    waiting = MembershipApplication.objects.create(club=club, **sent | {"token_hash": "b" * 64})
    Applicant.objects.create(application=waiting, **person | {"family_name": "Niepotwierdzony"})
    letter = GroupLetter.objects.create(
        club=club,
        by=secretary,
        audience="Juniorzy",
        texts=[{"language": "pl", "subject": "Obóz", "text": "Witaj {name}"}],
        site="https://chess.example/",
        form_key=uuid.uuid4(),
    )
    LetterCopy.objects.create(
        letter=letter, member=member, name="Jan", email="jan@poczta.example", values={"name": "Jan"}, email_due="letter"
    )
    LetterOptOut.objects.create(club=club, email="dosyc@poczta.example")
    LetterOptOut.objects.update(made_at=timezone.now() - timedelta(days=300))


def _money(club: Club, parent: Member, child: Member, treasurer: User) -> None:
    season = DuesSeason.objects.create(
        club=club, name="2025", starts_on=date(2025, 1, 1), ends_on=date(2025, 12, 31), due_on=date(2025, 2, 1)
    )
    FeeClass.objects.create(season=season, name="Dorośli", amount=12000)
    open_money_account(club, kind="bank", name="Bank", iban="", balance=5000, on=date(2025, 1, 1), by=treasurer)
    cash = open_money_account(club, kind="cash", name="Kasa", iban="", balance=0, on=date(2025, 1, 1), by=treasurer)
    charge_member(child, 6000, text="składka", due_on=date(2025, 2, 1), by=treasurer)
    wrong = record_payment(parent, 6000, method="cash", paid_on=date(2025, 2, 2), by=treasurer)
    reverse_ledger_entry(wrong, reason="pomyłka", by=treasurer)
    paid = record_payment(parent, 5000, method="transfer", paid_on=date(2025, 2, 3), by=treasurer)
    things = BookAccount.objects.create(club=club, kind="expense", name="Sprzęt")
    entry = record_accounting_entry(cash, things, 900, on=date(2025, 3, 1), by=treasurer, text="zegary")
    add_voucher(entry, b"%PDF-1.7 zegary", "faktura.pdf", by=treasurer)
    second = record_accounting_entry(cash, things, 100, on=date(2025, 3, 2), by=treasurer)
    reverse_accounting_entry(second, reason="podwójnie", on=date(2025, 3, 3), by=treasurer)
    Budget.objects.create(account=things, year=2025, amount=100_00)
    close_year(club, 2024, figures={"income": 0}, by=treasurer)
    Reminder.objects.create(
        member=parent, on=date(2025, 4, 1), amount=1000, sent_to="jan@poczta.example", state="sent", by=treasurer
    )
    ReminderTemplate.objects.create(club=club, level=1, subject="Składka", text="Prosimy {name}")
    expected = ExpectedPayment.objects.create(club=club, amount=2000, purpose="Wpisowe", payer="Gość")
    save_new_lines(
        club,
        [
            ParsedStatementLine(booked_on=date(2025, 2, 3), amount=5000, text="@składka", party="Jan Rodzic"),
            ParsedStatementLine(booked_on=date(2025, 2, 4), amount=2000),
        ],
        by=treasurer,
    )
    first, other = club.bank_lines.order_by("pk")
    first.entry = paid
    first.save()
    other.expected_payment = expected
    other.save()
    BankStatementLine.objects.create(
        club=club, booked_on=other.booked_on, amount=2000, identity="a", part_of=other, ignored_because="próba"
    )
    BankStatementLine.objects.update(kept_at=timezone.now() - timedelta(days=300))
    BankCsvLayout.objects.create(club=club, headings="Data;Kwota", columns={"day": 0, "amount": 1})
    BankBalance.objects.create(club=club, own_account="PL1", on=date(2025, 12, 31), amount=-100)
    mandate = DirectDebitMandate.objects.create(
        member=parent, reference="M1", holder="Jan Rodzic", iban="DE89370400440532013000", signed_on=date(2025, 1, 1)
    )
    collection = DirectDebitCollection.objects.create(
        club=club, collected_on=date(2025, 5, 5), made_by=treasurer, form_key=uuid.uuid4()
    )
    DirectDebitLine.objects.create(
        collection=collection,
        member=parent,
        mandate_reference=mandate.reference,
        signed_on=mandate.signed_on,
        holder=mandate.holder,
        iban=mandate.iban,
        amount=100,
    )


def _ratings(club: Club, member: Member) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (20, 10), "red").save(picture, "PNG")
    logo = read_logo(io.BytesIO(picture.getvalue()), len(picture.getvalue()))
    ClubLetterhead.objects.create(club=club, header="Pod Wieżą", size="letter", logo=logo)
    RatingScheme.objects.create(club=club, method="glicko-2")
    own = RatingRegister.objects.create(
        club=club, name="Zmyślony", columns={"number": 0, "name": "Nazwisko"}, fetched_from="https://lista.example/"
    )
    for register in (own, get_fide_register()):
        MemberRatingListing.objects.create(
            member=member, register=register, kind="standard", month=date(2025, 1, 1), rating=1900
        )


def _events(club: Club, member: Member, secretary: User) -> None:
    series = Series.objects.create(club=club, name="Zima", place_points=[3, 2, 1])
    finished = make_event(club, players=4, rounds=2, series=series, starts_on=date(2025, 1, 7))
    played(finished, 1)
    played(finished, 2)
    running = make_event(club, players=5, rounds=3)
    enter_members(running, [member], by=secretary)
    played(running, 1)
    published(running, 2)
    OnlineEntrySettings.objects.create(tournament=running, questions=["Obiad?"])
    payment = club.expected_payments.get()
    OnlineEntry.objects.create(
        tournament=running,
        name="Pionek, Nr002",
        state="entered",
        entry=player(running, 2),
        fee=2000,
        payment=payment,
        queue_number=1,
        email="nr2@poczta.example",
        site="https://chess.example/",
    )
    OnlineEntry.objects.create(
        tournament=running,
        name="=Rodzic, Jan",
        state="waiting",
        queue_number=2,
        member=member,
        guardian_email="opieka@poczta.example",
        language="pl",
    )


# -- Archives ----------------------------------------------------------------------------------------------------------


SITE = "https://new.example/"
"""The server that takes the club in."""


def exported(club: Club, by: User, *, with_papers: bool = False) -> Job:
    """Export a club by its job, and return the job."""
    job = start_club_export(club, by=by, with_papers=with_papers)
    run_job(job.pk, run_club_export)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    return job


def archive_of(club: Club) -> bytes:
    out = io.BytesIO()
    write_club_archive(club, out)
    return out.getvalue()


def taken_in(data: bytes, by: User | None = None) -> Club:
    return import_club(
        read_club_archive(data), site=SITE, by=by or User.objects.get_or_create(username="administrator")[0]
    )


def files_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Mapping[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def table_of(files: Mapping[str, bytes], name: str) -> list[dict[str, str]]:
    text = files[f"tables/{name}.csv"].decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))


def with_rows(data: bytes, name: str, change: Callable[[list[dict[str, str]]], object]) -> bytes:
    """The archive after its table is changed. The number of rows in the manifest is changed with it."""
    files = files_of(data)
    rows = table_of(files, name)
    columns = files[f"tables/{name}.csv"].decode("utf-8-sig").splitlines()[0].split(";")
    change(rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    manifest = json.loads(files["club.json"])
    manifest["rows"][name] = len(rows)
    files |= {f"tables/{name}.csv": text.getvalue().encode(), "club.json": json.dumps(manifest).encode()}
    return packed(files)
