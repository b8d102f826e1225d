"""Changing an account or a category: its name, its number, what it began with, and that it is not used any more."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.books.booking import balance_of_account, begin_with
from clubs.holding import hold
from clubs.models import BookAccount, BookEntry, User
from clubs.problems import OfficerProblem
from clubs.writing.amounts import Cents, money


def opening_of(account: BookAccount) -> Cents:
    """What the account began with, as it is booked by now."""
    kind = BookAccount.Kind.OPENING
    came = BookEntry.objects.filter(target=account, source__kind=kind).values_list("amount", flat=True)
    went = BookEntry.objects.filter(source=account, target__kind=kind).values_list("amount", flat=True)
    return sum(came) - sum(went)


@transaction.atomic
def change_account(
    account: BookAccount, *, name: str, iban: str, is_closed: bool, balance: Cents | None, by: User | None
) -> None:
    """Change an account, or a category (of which `balance` says nothing). Entries keep what they say.

    Another opening balance takes the old one back and books the right one, both on the account's first day, so that
    the years that follow begin with it. Raises OfficerProblem for a name that is taken, for ending what has money on
    it or is needed, and for an opening balance in a closed year.
    """
    club = hold(account.club_id)
    if club.book_accounts.filter(kind=account.kind, name=name).exclude(pk=account.pk).exists():
        raise OfficerProblem(_("There is an account of this name."))
    if account.kind in BookAccount.MONEY and balance is not None and balance != opening_of(account):
        begin_with(account, balance, by=by)
    if is_closed and not account.is_closed:
        _refuse_to_end(account, club.currency)
    account.name, account.iban, account.is_closed = name, iban, is_closed
    account.save(update_fields=["name", "iban", "is_closed"])


def _refuse_to_end(account: BookAccount, currency: str) -> None:
    if account.is_for_dues:
        raise OfficerProblem(_("Members' dues are booked here by themselves: it stays in use."))
    left = balance_of_account(account) if account.kind in BookAccount.MONEY else 0
    if left:
        said = {"amount": money(left, currency)}
        raise OfficerProblem(_("There are %(amount)s on it: book them to another account first.") % said)
