"""Entry fees: who pays which, how they are found in a bank statement, and what becomes of them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.finance.accounting.entries import open_money_account, reverse_accounting_entry
from clubs.finance.bank.line_splitting import split_bank_line
from clubs.finance.bank.matching import propose_line_bookings
from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.models import Member
from tests.factories import make_event, make_member
from tests.tournaments.online_entries.conftest import address, links
from tournaments.audit_log.actions import EventAction
from tournaments.check_in.personal_links import member_link_token
from tournaments.models import OnlineEntry
from tournaments.online_entries.fees import find_paid_payments, mark_as_paid
from tournaments.online_entries.places import (
    confirm_member,
    withdraw_online_entry,
)
from tournaments.privacy.personal_data import (
    collect_personal_data,
    delete_online_entries,
)
from tournaments.problems import ArbiterProblem


def test_a_members_name_alone_gives_neither_their_fee_nor_club_nor_rating(client, event, fees, enter, secretary):
    """Anybody can enter a name."""
    anna = make_member(event.club, "Nowak, Anna", rating=1700, birth_year=1990, email="anna@klub.example")
    online = enter()
    entry = online.entry
    assert (entry.member, entry.rating, entry.club_name, online.fee) == (None, 0, "", 2000)
    assert "email" not in collect_personal_data(anna)["online_entries"][0]
    assert (
        event.club.name not in Client().get(address(event, "list/")).text.partition("<table")[2].partition("</table")[0]
    )
    # The secretary knows that it is her.
    client.force_login(secretary)
    review = f"/{event.club.slug}/{event.slug}/online-entries/"
    assert "not confirmed as a member" in client.get(review).text
    client.post(f"{review}{online.pk}/", {"do": "member"})
    online.refresh_from_db()
    assert (online.entry.member, online.fee, online.payment.amount) == (anna, 1000, 1000)
    assert "not confirmed as a member" not in client.get(review).text


def test_the_device_of_a_member_proves_who_they_are_and_a_renewed_link_no_longer(client, event, fees, enter):
    anna = make_member(event.club, "Nowak, Anna", rating=1700, birth_year=1990, status=Member.Status.MEMBER)
    earlier = make_event(event.club)
    earlier.entries.create(name=anna.name, member=anna)
    client.get(reverse("personal", args=[member_link_token(anna)]))
    online = enter()
    assert (online.entry.member, online.fee) == (anna, 1000)
    withdraw_online_entry(online, by=None)
    Member.objects.update(link_version=1)
    assert enter(email="again@poczta.example").entry.member is None


def test_a_paid_fee_stays_when_the_entry_is_found_to_be_a_members(event, fees, enter, secretary):
    make_member(event.club, "Nowak, Anna", birth_year=1990)
    online = enter()
    mark_as_paid(online, True, by=secretary)
    online = confirm_member(online, by=secretary)
    assert (online.fee, online.payment.amount) == (2000, 2000)


def test_a_transfer_on_its_way_still_finds_the_payer_when_the_entry_is_found_to_be_a_members(event, fees, enter):
    make_member(event.club, "Nowak, Anna", birth_year=1990)
    online = enter()
    reference = online.payment.payment_reference
    online = confirm_member(online, by=None)
    assert (online.payment.payment_reference, online.payment.amount) == (reference, 1000)
    OnlineEntry.objects.update(email_due="")
    confirm_member(online, by=None)
    online.refresh_from_db()
    assert (online.payment.payment_reference, online.email_due) == (reference, "")


def test_a_member_without_a_fee_owes_nothing(event, form, fees, enter):
    make_member(event.club, "Nowak, Anna", birth_year=1990)
    online = enter()
    form.fees.filter(for_members=True).update(amount=0)
    online = confirm_member(online, by=None)
    assert (online.fee, online.payment, event.club.expected_payments.count()) == (0, None, 0)


def test_cash_from_who_withdrew_meanwhile_is_not_said_to_be_saved(client, event, fees, enter, secretary):
    online = enter()
    withdraw_online_entry(online, by=None)
    client.force_login(secretary)
    review = reverse("online_entries_review", args=[event.club.slug, event.slug])
    page = client.post(f"{review}{online.pk}/", {"do": "paid"}, follow=True).text
    assert "No fee is expected" in page
    with pytest.raises(ArbiterProblem):
        mark_as_paid(online, True, by=secretary)
    assert not event.log.filter(action=EventAction.ONLINE_ENTRY_PAID).exists()


def test_the_first_fee_that_fits_applies_and_the_early_one_until_its_day(event, form, fees, enter):
    make_member(event.club, "Nikt, Jan", birth_year=1980, status=Member.Status.MEMBER, email="nikt@poczta.example")
    year = str(timezone.localdate().year - 17)
    assert [enter("Nikt, Jan", birth_year="1980").fee, enter("Mlody, M", birth_year=year).fee] == [1000, 500]
    assert enter("Alfa, A").fee == 2000
    form.early_until = timezone.localdate()
    form.save()
    assert enter("Beta, B").fee == 1500


def test_a_fee_is_paid_by_its_reference_and_only_officers_see_it(
    client, event, form, fees, enter, treasurer, secretary
):
    online = enter("Alfa, A")
    reference = online.payment.payment_reference
    own = client.get(links(online.email)[-1]).content.decode()
    assert reference in own
    assert "data:image/png" in own
    today = timezone.localdate()
    open_money_account(event.club, kind="bank", name="Bank", iban="", balance=0, on=today, by=treasurer)
    transfer = ParsedStatementLine(booked_on=today, amount=2000, text=f"Wpisowe {reference}", party="A. Alfa")
    less = ParsedStatementLine(booked_on=today, amount=1900, text=f"Wpisowe {reference}", bank_reference="2")
    save_new_lines(event.club, [less], by=None)
    client.force_login(treasurer)
    book = reverse("bank_lines_book_certain", args=[event.club.slug])
    client.post(book)
    assert find_paid_payments([online]) == set()
    save_new_lines(event.club, [transfer], by=None)
    client.post(book)
    assert find_paid_payments([online]) == {online.payment_id}
    (booking,) = event.club.book_entries.filter(source__kind="income")
    assert (booking.text, booking.party, booking.source.name) == ("Entry fee: Środa", "", "Entry fees")
    client.force_login(secretary)
    review = reverse("online_entries_review", args=[event.club.slug, event.slug])
    assert ">paid<" in client.get(review).content.decode()
    reverse_accounting_entry(booking, reason="pomyłka", by=treasurer)
    assert ">not paid<" in client.get(review).content.decode()
    client.post(f"{review}{online.pk}/", {"do": "paid"})
    assert ">paid<" in client.get(review).content.decode()
    assert "paid" not in Client().get(address(event, "list/")).content.decode()


def test_the_unpaid_fee_of_who_withdraws_is_no_longer_expected_and_a_paid_one_stays(
    client, event, fees, enter, secretary
):
    unpaid, paid = enter("Alfa, A"), enter("Beta, B")
    mark_as_paid(paid, True, by=secretary)
    for online in (unpaid, paid):
        withdraw_online_entry(online, by=None)
    assert [each.payer for each in event.club.expected_payments.all()] == ["Beta, B"]
    client.force_login(secretary)
    assert ">paid<" in client.get(reverse("online_entries_review", args=[event.club.slug, event.slug])).text


def test_a_transfer_with_two_references_is_not_booked_by_itself(client, event, fees, enter, treasurer):
    first, second = enter("Alfa, A"), enter("Beta, B")
    references = [each.payment.payment_reference for each in (first, second)]
    today = timezone.localdate()
    open_money_account(event.club, kind="bank", name="Bank", iban="", balance=0, on=today, by=treasurer)
    transfer = ParsedStatementLine(booked_on=today, amount=2000, text=" ".join(references), party="A. Alfa")
    save_new_lines(event.club, [transfer], by=None)
    (line,) = propose_line_bookings(event.club, list(event.club.bank_lines.all()), today=today)
    assert {proposal.expected for proposal in line.proposals} == {first.payment, second.payment}
    client.force_login(treasurer)
    client.post(reverse("bank_lines_book_certain", args=[event.club.slug]))
    assert find_paid_payments([first, second]) == set()


def test_a_split_line_keeps_its_payer_until_the_last_part_is_erased(event, fees, enter, treasurer):
    first, second = enter("Alfa, A"), enter("Beta, B")
    today = timezone.localdate()
    open_money_account(event.club, kind="bank", name="Bank", iban="", balance=0, on=today, by=treasurer)
    said = {"text": "za dwoje", "party": "A. Alfa", "party_account": "DE89370400440532013000"}
    save_new_lines(event.club, [ParsedStatementLine(booked_on=today, amount=4000, **said)], by=None)
    (whole,) = event.club.bank_lines.all()
    split_bank_line(whole, [(2000, None), (2000, None)], by=treasurer)
    for online, part in zip((first, second), whole.parts.order_by("pk"), strict=True):
        event.club.bank_lines.filter(pk=part.pk).update(expected_payment=online.payment)

    def payers() -> list[str]:
        return [line.party for line in event.club.bank_lines.order_by("pk")]

    delete_online_entries(OnlineEntry.objects.filter(pk=first.pk))
    assert payers() == ["A. Alfa", "", "A. Alfa"]
    delete_online_entries(OnlineEntry.objects.filter(pk=second.pk))
    assert payers() == ["", "", ""]
    assert not event.club.bank_lines.exclude(text="", party_account="").exists()
    assert not event.club.expected_payments.exclude(payer="").exists()
