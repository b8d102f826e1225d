"""QR codes for payments, read back from their contents."""

from __future__ import annotations

import pytest
import segno

from clubs.finance.dues.payment_qr_codes import payment_qr_code, payment_qr_code_data_uri
from clubs.models import Club

GERMAN, POLISH, CZECH = "DE89 3704 0044 0532 0130 00", "61 1090 1014 0000 0712 1981 2874", "CZ6508000000192000145399"
REFERENCE = "RF18539007547034"


def club(account: str, currency: str) -> Club:
    return Club(name="Pod Wieżą | *Szachy*", bank_account=account, currency=currency)


@pytest.mark.parametrize(
    ("account", "currency", "amount"),
    [
        ("", "EUR", 100),
        ("DE00 3704", "EUR", 100),
        (GERMAN, "USD", 100),
        (GERMAN, "EUR", 0),
        (GERMAN, "PLN", 100),
        (POLISH, "PLN", 1_000_000),
    ],
)
def test_no_code(account, currency, amount):
    assert payment_qr_code(club(account, currency), amount, REFERENCE) is None
    assert payment_qr_code_data_uri(club(account, currency), amount, REFERENCE) == ""


def written(monkeypatch, account: str, currency: str) -> str:
    texts: list[str] = []
    real = segno.make

    def noted(text: str, **more: str) -> segno.QRCode:
        texts.append(text)
        return real(text, **more)

    monkeypatch.setattr(segno, "make", noted)
    assert payment_qr_code_data_uri(club(account, currency), 12_050, REFERENCE, text="składka").startswith(
        "data:image/png"
    )
    return texts[0]


def test_the_polish_code(monkeypatch):
    assert written(monkeypatch, POLISH, "PLN") == (
        f"|PL|61109010140000071219812874|012050|Pod Wieżą *Szachy*|{REFERENCE} składka|||"
    )


def test_the_czech_code(monkeypatch):
    assert written(monkeypatch, CZECH, "CZK") == (
        "SPD*1.0*ACC:CZ6508000000192000145399*AM:120.50*CC:CZK*RN:POD WIEZA SZACHY*MSG:RF18539007547034 SKLADKA"
    )


def test_the_european_code_is_one():
    code = payment_qr_code(club(GERMAN, "EUR"), 12_050, REFERENCE)
    assert code is not None
    assert code.error == "M", "as the document wants"
