"""Template filter for amounts of money."""

from __future__ import annotations

from django import template

from clubs.models import Club
from common.text.amounts import Cents, format_money

register = template.Library()


@register.filter
def format_club_money(cents: Cents, club: Club) -> str:
    """Format an amount with the club's currency: `{{ entry.amount|format_club_money:club }}`."""
    return format_money(cents, club.currency)
