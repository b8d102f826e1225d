"""The columns of a bank's table are chosen once."""

from __future__ import annotations

import pytest

from clubs.finance.bank.forms import StatementColumnsForm
from clubs.models import User
from common.file_store.uploads import store_upload
from common.tabular.spreadsheets import read_table
from tests.clubs.member_scenario import make_book, page

TABLE = read_table(b"When;How much;Who\n1.11.2026;50,00;Nikt\n")


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"day": "0"}, "Choose a column for the date and one for the amount."),
        ({"amount": "1"}, "Choose a column for the date and one for the amount."),
        ({"day": "0", "amount": "0"}, "Choose a different column for each field"),
        ({"day": "0", "amount": "1", "party": "1"}, "Choose a different column for each field"),
        ({"day": "0", "amount": "7"}, "Select a valid choice"),
    ],
)
def test_columns_that_cannot_be(said, wrong):
    form = StatementColumnsForm(said, table=TABLE, accounts=[])
    assert not form.is_valid()
    assert wrong in str(form.errors)


def test_columns_by_their_places():
    form = StatementColumnsForm({"day": "0", "amount": "1", "party": "2"}, table=TABLE, accounts=[])
    assert form.is_valid()
    assert form.cleaned_data == {"day": 0, "amount": 1, "party": 2}


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_table_that_is_gone_is_asked_for_again():
    book = make_book()
    answer = book.browser("treasurer").post(page("bank_statement_import"), {"token": "of another hour"}, follow=True)
    assert answer.redirect_chain == [(page("bank_statement_import"), 302)]
    assert "Choose it again" in answer.text


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_picture_is_refused_before_it_is_said_to_be_read():
    book = make_book()
    treasurer = User.objects.get(username="treasurer")
    place = f"bank {book.club.pk}"
    picture = store_upload(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "logo.png", by=treasurer, place=place)
    table = store_upload(b"When;How much;Who\n1.11.2026;50,00;Nikt\n", "lines.csv", by=treasurer, place=place)
    pages = [
        book.browser("treasurer").get(page("bank_statement_import"), {"token": each}, follow=True)
        for each in (picture, table)
    ]
    assert ["read the file" in each.text for each in pages] == [False, True]
    assert pages[0].redirect_chain == [(page("bank_statement_import"), 302)]
