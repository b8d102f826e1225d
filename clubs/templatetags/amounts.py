"""Template filter for amounts of money."""

from __future__ import annotations

from django import template

from clubs.models import Club
from common.text.amounts import Cents, currency_sign, format_money

register = template.Library()


@register.filter
def format_club_money(cents: Cents, club: Club) -> str:
    """Format an amount with the club's currency: `{{ entry.amount|format_club_money:club }}`."""
    return format_money(cents, club.currency)


@register.filter
def currency_sign_of(club: Club) -> str:
    """Return the sign of the club's currency, such as £: `{{ club|currency_sign_of }}`."""
    return currency_sign(club.currency)
