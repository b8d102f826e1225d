"""Amounts are shown with their currency as in each language (CLDR)."""

from __future__ import annotations

import pytest
from django.utils import translation

from common.text.amounts import format_money


@pytest.mark.parametrize(
    ("language", "cents", "currency", "shown"),
    [
        ("en", 4000, "GBP", "£40.00"),
        ("en", -4000, "GBP", "−£40.00"),
        ("en", 123456, "PLN", "PLN 1,234.56"),
        ("pl", 4000, "PLN", "40,00 zł"),
        ("de", 123456, "EUR", "1.234,56 €"),
        ("cs", 4000, "CZK", "40,00 Kč"),
    ],
)
def test_money_is_shown_as_in_the_language(language, cents, currency, shown):
    with translation.override(language):
        assert format_money(cents, currency) == shown.replace(" ", "\xa0")
