"""Amounts of money in templates."""

from __future__ import annotations

from django import template

from clubs.models import Club
from common.text.amounts import Cents, format_money

register = template.Library()


@register.filter
def format_club_money(cents: Cents, club: Club) -> str:
    """`{{ entry.amount|in_money_of:club }}`: an amount with the club's currency."""
    return format_money(cents, club.currency)
